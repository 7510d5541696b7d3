# The read stage on stored reports, their errors counted a second way.
add_executable(readdump support/readdump.c)
gg_flags(readdump)
target_link_libraries(readdump PRIVATE gg_read gg_model gg_base)
add_test(NAME read.corpus COMMAND ${Python3_EXECUTABLE} -B
                                  ${CMAKE_CURRENT_SOURCE_DIR}/corpus_read.py $<TARGET_FILE:readdump>)
set_tests_properties(read.corpus PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
