# Checks of the sources themselves.
add_test(NAME lint.layers COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/layers.py)
add_test(NAME lint.layers_test
         COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/layers_test.py)
add_test(NAME lint.format COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/format.sh)
set_tests_properties(lint.format PROPERTIES SKIP_RETURN_CODE 77)
