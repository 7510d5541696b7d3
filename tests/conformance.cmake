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

# What the loader of JSON rules takes, and what the schema says.
add_executable(rulecheck ${CMAKE_CURRENT_LIST_DIR}/support/rulecheck.c)
gg_flags(rulecheck)
target_link_libraries(rulecheck PRIVATE gg_match gg_model gg_base)
add_test(NAME conformance.rules
         COMMAND Python3::Interpreter -B ${conformance}/rules.py $<TARGET_FILE:rulecheck>)

set_tests_properties(conformance.own conformance.official conformance.rules PROPERTIES SKIP_RETURN_CODE 77)
