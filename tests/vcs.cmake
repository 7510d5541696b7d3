# The attribution engine against git itself, on repositories made by a script.
add_executable(blamedump support/blamedump.c)
gg_flags(blamedump)
target_link_libraries(blamedump PRIVATE gg_vcs gg_model gg_base)
add_test(NAME vcs.blame_agrees
         COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/blame_agrees.py
                 $<TARGET_FILE:blamedump>)
