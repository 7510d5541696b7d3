# The real binary under the real valgrind. With the self preset grindgate itself is under valgrind
# too.
set(e2e ${CMAKE_CURRENT_SOURCE_DIR}/e2e)
string(JOIN " " e2e_launcher ${launcher})

# gg_e2e(NAME COMMAND...): a test that is given the binary; exit status 77 skips it.
function(gg_e2e name)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -B ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
                                          ENVIRONMENT "GG_LAUNCHER=${e2e_launcher}")
endfunction()

file(GLOB programs RELATIVE ${e2e}/programs CONFIGURE_DEPENDS ${e2e}/programs/*.c
     ${e2e}/programs/*.cc)
foreach(program ${programs})
  string(REGEX REPLACE "\\.cc?$" "" program ${program})
  gg_e2e(e2e.${program} ${e2e}/run.py --grindgate $<TARGET_FILE:grindgate_bin> ${program})
endforeach()
gg_e2e(e2e.main_job ${e2e}/main_job.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.processes ${e2e}/processes.py $<TARGET_FILE:grindgate_bin>)
gg_e2e(e2e.example ${CMAKE_CURRENT_SOURCE_DIR}/fixtures/example_test.py)
