# cmake -DPROGRAM=file -DSOURCE=file -DOUTPUT=file.c -P Embed.cmake: the canary's bytes as C.
# Bytes in an array are the same to every compiler and linker, with or without -flto.
function(gg_array name file)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
                       bytes "${bytes}")
  file(APPEND ${OUTPUT} "const unsigned char ${name}[] = {\n${bytes}};\n"
                        "const size_t ${name}_len = sizeof ${name};\n")
endfunction()

file(WRITE ${OUTPUT} "#include \"canary.h\"\n")
gg_array(gg_canary_program ${PROGRAM})
gg_array(gg_canary_source ${SOURCE})
