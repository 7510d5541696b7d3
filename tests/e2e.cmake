# The real binary under the real valgrind. With the self preset grindgate itself is under valgrind
# too.
set(e2e ${CMAKE_CURRENT_SOURCE_DIR}/e2e)
string(JOIN " " e2e_launcher ${launcher})
# That errors are seen here is proved once for all tests, not in each.
set(e2e_environment "GG_LAUNCHER=${e2e_launcher}" "XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache")

# gg_e2e(NAME COMMAND...): a test that is given the binary; exit status 77 skips it.
function(gg_e2e name)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -B ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1800
                                          ENVIRONMENT "${e2e_environment}")
endfunction()

file(GLOB programs RELATIVE ${e2e}/programs CONFIGURE_DEPENDS ${e2e}/programs/*.c
     ${e2e}/programs/*.cc)
foreach(program ${programs})
  string(REGEX REPLACE "\\.cc?$" "" program ${program})
  gg_e2e(e2e.${program} ${e2e}/run.py --grindgate $<TARGET_FILE:grindgate_bin> ${program})
endforeach()
gg_e2e(e2e.main_job ${e2e}/main_job.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.processes ${e2e}/processes.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(cli.explain ${CMAKE_CURRENT_SOURCE_DIR}/cli/explain.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(cli.rules ${CMAKE_CURRENT_SOURCE_DIR}/cli/rules.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.example ${CMAKE_CURRENT_SOURCE_DIR}/fixtures/example_test.py)

# What takes minutes, and is about what happens around grindgate more than in it: with the dev preset
# alone. Under valgrind it would take an hour.
if(GG_SHORT)
  return()
endif()
# Several hundred programs under valgrind, with and without each suppression file.
gg_e2e(e2e.suppressions ${e2e}/suppressions.py $<TARGET_FILE:grindgate_bin>)
set_tests_properties(e2e.suppressions PROPERTIES PROCESSORS 2)
gg_e2e(e2e.change_rules ${e2e}/change_rules.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.diagnoses ${e2e}/diagnoses.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.wrap ${e2e}/wrap.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.ctest_suite ${e2e}/ctest_suite.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.own_json ${e2e}/own_json.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.suggest ${e2e}/suggest.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.lost ${e2e}/lost.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(cli.progress ${CMAKE_CURRENT_SOURCE_DIR}/cli/progress.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.selftest ${e2e}/selftest.py $<TARGET_FILE:grindgate_bin> ${canary}/canary)

# docs/completeness.md: each row has a case, each case a row, and each file of cases is a test.
gg_e2e(e2e.completeness ${e2e}/completeness.py --table)
file(GLOB ways RELATIVE ${e2e}/ways CONFIGURE_DEPENDS ${e2e}/ways/*.py)
list(REMOVE_ITEM ways world.py)
foreach(way ${ways})
  string(REPLACE ".py" "" way ${way})
  gg_e2e(e2e.completeness.${way} ${e2e}/completeness.py $<TARGET_FILE:grindgate_bin> ${way})
  set_tests_properties(e2e.completeness.${way} PROPERTIES PROCESSORS 2) # cases run side by side
endforeach()

# docs/recipes.md, a test a recipe.
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${e2e}/recipes.py --list OUTPUT_VARIABLE recipes
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${e2e}/recipe_projects.py)
string(REPLACE "\n" ";" recipes "${recipes}")
foreach(recipe ${recipes})
  gg_e2e(recipes.${recipe} ${e2e}/recipes.py $<TARGET_FILE:grindgate_bin> ${recipe})
endforeach()

# rules/, a test a pack, with the library that it is for.
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${e2e}/packs.py --list OUTPUT_VARIABLE packs
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${e2e}/packs.py)
string(REPLACE "\n" ";" packs "${packs}")
foreach(pack ${packs})
  gg_e2e(packs.${pack} ${e2e}/packs.py $<TARGET_FILE:grindgate_bin> ${pack})
endforeach()
