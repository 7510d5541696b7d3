# The suppression files of rules/ become part of the match stage: src/match/pack_table.h.
#
# Lines that begin with "# pack:" are the head of a pack and say what becomes of it:
#   # pack: summary=WHAT IT IS FOR
#   # pack: objects=WILDCARD,WILDCARD...      libraries that it is for
#   # pack: functions=WILDCARD,WILDCARD...    where the library is a part of the program
#   # pack: proved=LIBRARY AND VERSION        once for each that the test was run with
# Everything is checked here, so that a pack without a head does not build.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  file(GLOB packs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rules/*.supp)
  set(pack_table ${PROJECT_BINARY_DIR}/pack_table.c)
  add_custom_command(
    OUTPUT ${pack_table}
    COMMAND ${CMAKE_COMMAND} -DRULES=${PROJECT_SOURCE_DIR}/rules -DOUTPUT=${pack_table}
            -P ${PROJECT_SOURCE_DIR}/cmake/Packs.cmake
    DEPENDS ${packs} ${PROJECT_SOURCE_DIR}/cmake/Packs.cmake
    VERBATIM)
  target_sources(gg_match PRIVATE ${pack_table})
  return()
endif()

# The values of all "# pack: KEY=" lines, a list.
function(pack_values file key result)
  file(STRINGS ${file} lines REGEX "^# pack: ${key}=.")
  if(lines MATCHES "[\"\\\\]")
    message(FATAL_ERROR "${file}: quotes and backslashes cannot stand in the head of a pack")
  endif()
  list(TRANSFORM lines REPLACE "^# pack: ${key}=" "")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# "a,b" -> "a", "b", NULL,
function(pack_names values result)
  string(REPLACE "," ";" values "${values}")
  list(TRANSFORM values REPLACE "(.+)" "\"\\1\",")
  string(JOIN " " values ${values} NULL)
  set(${result} "${values}" PARENT_SCOPE)
endfunction()

file(GLOB packs ${RULES}/*.supp)
list(SORT packs)
set(arrays)
set(rows)
foreach(file IN LISTS packs)
  cmake_path(GET file STEM name)
  foreach(key summary objects functions proved)
    pack_values(${file} ${key} ${key})
  endforeach()
  list(LENGTH summary summaries)
  if(NOT summaries EQUAL 1 OR NOT proved OR NOT (objects OR functions))
    message(FATAL_ERROR "${file}: the head of a pack has one line \"# pack: summary=\", "
                        "\"# pack: objects=\" or \"# pack: functions=\", and \"# pack: proved=\"")
  endif()
  pack_names("${objects}" objects)
  pack_names("${functions}" functions)
  string(JOIN ", " proved ${proved})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
                       bytes "${bytes}")
  string(APPEND arrays "static const char ${name}_text[] = {\n${bytes}};\n"
                       "static const char *const ${name}_objects[] = {${objects}};\n"
                       "static const char *const ${name}_functions[] = {${functions}};\n")
  string(APPEND rows "    {\"${name}\", \"${summary}; proved with ${proved}\", ${name}_objects,\n"
                     "     ${name}_functions, {${name}_text, sizeof ${name}_text}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"match/pack_table.h\"\n\n${arrays}\n"
                     "const struct gg_pack gg_pack_table[] = {\n${rows}};\n"
                     "const size_t gg_pack_count = sizeof gg_pack_table / sizeof *gg_pack_table;\n")
