# The canary is compiled by the compiler alone: neither this build's sanitizers nor a distribution's
# optimisation and hardening may come into it, only what decides which machine it is for. It is
# dynamically linked, because memcheck replaces the malloc of shared libraries. Its debug
# information is of a version that every valgrind reads, and knows the source by its bare name.
# It becomes part of the library, for a program of its own would be stripped when it is packaged.
set(canary ${PROJECT_BINARY_DIR}/canary)
set(canary_dir ${PROJECT_SOURCE_DIR}/src/canary)
file(REAL_PATH ${canary_dir} canary_real_dir)
file(MAKE_DIRECTORY ${canary})

separate_arguments(canary_machine NATIVE_COMMAND "${CMAKE_C_COMPILER_ARG1} ${CMAKE_C_FLAGS}")
list(FILTER canary_machine INCLUDE REGEX "^(-m|--target=|--sysroot=)")
if(CMAKE_SYSROOT)
  list(APPEND canary_machine --sysroot=${CMAKE_SYSROOT})
endif()

add_custom_command(
  OUTPUT ${canary}/canary
  COMMAND ${CMAKE_C_COMPILER} ${canary_machine} -O0 -gdwarf-4 -fdebug-prefix-map=${canary_dir}=.
          -fdebug-prefix-map=${canary_real_dir}=. -o ${canary}/canary canary.c
  WORKING_DIRECTORY ${canary_dir}
  DEPENDS ${canary_dir}/canary.c
  VERBATIM)
add_custom_command(
  OUTPUT ${canary}/bytes.c
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=${canary}/canary -DSOURCE=${canary_dir}/canary.c
          -DOUTPUT=${canary}/bytes.c -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
  DEPENDS ${canary}/canary ${canary_dir}/canary.c ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
  VERBATIM)
