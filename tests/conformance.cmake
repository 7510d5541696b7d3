# What the writers write, read by others: JSON Schema, libxml2 and expat. tests/CMakeLists.txt
# includes this after the unit tests.
target_link_libraries(unit_write PRIVATE PkgConfig::JANSSON)

add_executable(writesample ${CMAKE_CURRENT_LIST_DIR}/support/writesample.c)
gg_flags(writesample)
target_link_libraries(writesample PRIVATE gg_write gg_model gg_base)

set(conformance ${CMAKE_CURRENT_LIST_DIR}/conformance)
add_test(NAME conformance.own
         COMMAND Python3::Interpreter ${conformance}/check.py --samples $<TARGET_FILE:writesample>)
add_test(NAME conformance.official
         COMMAND Python3::Interpreter ${conformance}/check.py --samples $<TARGET_FILE:writesample>
                 --official ${PROJECT_SOURCE_DIR}/../shared/schemas)
add_test(NAME golden.text
         COMMAND Python3::Interpreter ${conformance}/golden.py $<TARGET_FILE:writesample>)
set_tests_properties(conformance.own conformance.official PROPERTIES SKIP_RETURN_CODE 77)
