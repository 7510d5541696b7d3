# What grindgate stands on. Each is a Debian and Ubuntu package; README.md says what for.
find_package(PkgConfig REQUIRED)
pkg_check_modules(XML2 REQUIRED IMPORTED_TARGET libxml-2.0>=2.9.13)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(GIT2 REQUIRED IMPORTED_TARGET libgit2>=1.1)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8>=10.39)
pkg_check_modules(MD REQUIRED IMPORTED_TARGET libmd)

# libiberty has no pkg-config file. It is the demangler that valgrind itself uses.
find_path(GG_IBERTY_INCLUDE libiberty/demangle.h REQUIRED)
find_library(GG_IBERTY_LIBRARY iberty REQUIRED)
add_library(gg_demangle INTERFACE)
target_include_directories(gg_demangle SYSTEM INTERFACE ${GG_IBERTY_INCLUDE})
target_link_libraries(gg_demangle INTERFACE ${GG_IBERTY_LIBRARY})
