#include "capture/suite_file.h"

#include "base/fs.h"
#include "base/out.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SETTINGS_LIMIT = 1 << 20 };

/* The program as CTest looks for it, beside CTest's working directory of that moment and then in
 * PATH, written so that valgrind finds the same one; empty: CTest would not find it. One that is
 * relative and not there may be in the test's WORKING_DIRECTORY, which is not known yet. */
static const char find_program[] =
    "function(grindgate_find program result)\n"
    "  if(program MATCHES \"/\" AND EXISTS \"${program}\" AND NOT IS_DIRECTORY \"${program}\")\n"
    "    set(${result} \"${program}\" PARENT_SCOPE)\n"
    "    return()\n"
    "  endif()\n"
    "  get_filename_component(directory \"${program}\" DIRECTORY)\n"
    "  get_filename_component(name \"${program}\" NAME)\n"
    "  if(directory STREQUAL \"\")\n"
    "    set(directory .)\n"
    "  endif()\n"
    "  set(found \"\")\n"
    "  if(\"${CTEST_CONFIGURATION_TYPE}\" STREQUAL \"\")\n"
    "    set(folders . Release Debug MinSizeRel RelWithDebInfo Deployment Development)\n"
    "  else()\n"
    "    set(folders . \"${CTEST_CONFIGURATION_TYPE}\")\n"
    "  endif()\n"
    "  foreach(folder IN LISTS folders)\n"
    "    set(candidate \"${directory}/${folder}/${name}\")\n"
    "    if(found STREQUAL \"\" AND EXISTS \"${candidate}\" AND NOT IS_DIRECTORY "
    "\"${candidate}\")\n"
    "      set(found \"${candidate}\")\n"
    "    endif()\n"
    "  endforeach()\n"
    "  if(found STREQUAL \"\" AND program MATCHES \"/\" AND NOT program MATCHES \"^/\")\n"
    "    set(found \"${program}\")\n"
    "  elseif(found STREQUAL \"\" AND NOT program MATCHES \"/\")\n"
    "    string(REPLACE \":\" \";\" folders \"$ENV{PATH}\")\n"
    "    foreach(folder IN LISTS folders)\n"
    "      set(candidate \"${folder}/${name}\")\n"
    "      if(found STREQUAL \"\" AND EXISTS \"${candidate}\" AND NOT IS_DIRECTORY "
    "\"${candidate}\")\n"
    "        set(found \"${candidate}\")\n"
    "      endif()\n"
    "    endforeach()\n"
    "  endif()\n"
    "  set(${result} \"${found}\" PARENT_SCOPE)\n"
    "endfunction()\n\n";

/* A reference to ARGV<i> in quotes passes any argument on as it is, an empty one too. A program
 * that may be in the test's working directory is made a condition: CTest looks for it there, and
 * does not run the test without it. */
static const char add_test[] =
    "function(add_test)\n"
    "  set(program \"\")\n"
    "  if(NOT \"${ARGV1}\" STREQUAL \"NOT_AVAILABLE\" AND NOT \"${ARGV1}\" STREQUAL \"\")\n"
    "    grindgate_find(\"${ARGV1}\" program)\n"
    "  endif()\n"
    "  set(code \"_add_test(\\\"\\${ARGV0}\\\"\")\n"
    "  set(first 1)\n"
    "  if(NOT program STREQUAL \"\")\n"
    "    string(APPEND code \"${grindgate_launch} --test \\\"\\${ARGV0}\\\" -- "
    "\\\"\\${program}\\\"\")\n"
    "    set(first 2)\n"
    "  endif()\n"
    "  math(EXPR last \"${ARGC} - 1\")\n"
    "  if(NOT last LESS first)\n"
    "    foreach(i RANGE ${first} ${last})\n"
    "      string(APPEND code \" \\\"\\${ARGV${i}}\\\"\")\n"
    "    endforeach()\n"
    "  endif()\n"
    "  cmake_language(EVAL CODE \"${code})\")\n"
    "  if(program MATCHES \"/\" AND NOT EXISTS \"${program}\")\n"
    "    set_tests_properties(\"${ARGV0}\" PROPERTIES REQUIRED_FILES \"${program}\")\n"
    "  endif()\n"
    "endfunction()\n\n";

/* math() knows whole numbers only: the point is taken out and put back. */
static const char scale[] = "function(grindgate_scale seconds result)\n"
                            "  set(scaled \"${seconds}\")\n"
                            "  if(seconds MATCHES \"^([0-9]*)[.]?([0-9]*)$\")\n"
                            "    set(number \"${CMAKE_MATCH_1}${CMAKE_MATCH_2}\")\n"
                            "    string(LENGTH \"${CMAKE_MATCH_2}\" places)\n"
                            "    string(REGEX REPLACE \"^0+\" \"\" number \"${number}\")\n"
                            "    string(LENGTH \"${number}\" digits)\n"
                            "    if(digits GREATER 0 AND digits LESS 13)\n"
                            "      math(EXPR scaled \"${number} * ${grindgate_factor}\")\n"
                            "      string(LENGTH \"${scaled}\" digits)\n"
                            "      while(NOT digits GREATER places)\n"
                            "        string(PREPEND scaled 0)\n"
                            "        math(EXPR digits \"${digits} + 1\")\n"
                            "      endwhile()\n"
                            "      if(places GREATER 0)\n"
                            "        math(EXPR whole \"${digits} - ${places}\")\n"
                            "        string(SUBSTRING \"${scaled}\" 0 ${whole} left)\n"
                            "        string(SUBSTRING \"${scaled}\" ${whole} -1 right)\n"
                            "        set(scaled \"${left}.${right}\")\n"
                            "      endif()\n"
                            "    endif()\n"
                            "  endif()\n"
                            "  set(${result} \"${scaled}\" PARENT_SCOPE)\n"
                            "endfunction()\n\n";

/* TIMEOUT_AFTER_MATCH is a list: seconds, then expressions. */
static const char set_properties[] =
    "function(set_tests_properties)\n"
    "  set(code \"_set_tests_properties(\")\n"
    "  set(key \"\")\n"
    "  set(state names)\n"
    "  math(EXPR last \"${ARGC} - 1\")\n"
    "  foreach(i RANGE ${last})\n"
    "    set(word \"\\${ARGV${i}}\")\n"
    "    if(state STREQUAL \"names\")\n"
    "      if(\"${ARGV${i}}\" STREQUAL \"PROPERTIES\")\n"
    "        set(state key)\n"
    "      endif()\n"
    "    elseif(state STREQUAL \"key\")\n"
    "      set(key \"${ARGV${i}}\")\n"
    "      set(state value)\n"
    "    else()\n"
    "      if(key STREQUAL \"TIMEOUT\")\n"
    "        grindgate_scale(\"${ARGV${i}}\" timeout)\n"
    "        set(word \"\\${timeout}\")\n"
    "      elseif(key STREQUAL \"TIMEOUT_AFTER_MATCH\" AND \"${ARGV${i}}\" MATCHES "
    "\"^([^;]*)(;.*)$\")\n"
    "        set(rest \"${CMAKE_MATCH_2}\")\n"
    "        grindgate_scale(\"${CMAKE_MATCH_1}\" after)\n"
    "        set(word \"\\${after}\\${rest}\")\n"
    "      endif()\n"
    "      set(state key)\n"
    "    endif()\n"
    "    string(APPEND code \" \\\"${word}\\\"\")\n"
    "  endforeach()\n"
    "  cmake_language(EVAL CODE \"${code})\")\n"
    "endfunction()\n\n";

/* --- writing ---------------------------------------------------------------------------- */

/* The text between brackets of a length that it does not hold itself; the line break after the
 * opening one is no part of it. */
static void put_bracket(struct gg_arena *arena, struct gg_out *out, const char *text)
{
    size_t level = 1;
    char *closing = gg_arena_alloc(arena, strlen(text) + 4);
    do {
        closing[0] = ']';
        memset(closing + 1, '=', level);
        closing[level + 1] = '\0';
        level++;
    } while (strstr(text, closing));
    gg_out_char(out, '[');
    gg_out_repeat(out, '=', level - 1);
    gg_out_text(out, "[\n");
    gg_out_text(out, text);
    gg_out_text(out, closing);
    gg_out_char(out, ']');
}

static void put_variable(struct gg_arena *arena, struct gg_out *out, const char *name,
                         const char *text)
{
    gg_out_printf(out, "set(%s ", name);
    put_bracket(arena, out, text);
    gg_out_text(out, ")\n");
}

static void put_launcher(struct gg_arena *arena, struct gg_out *out, const char *const *launcher)
{
    size_t count = 0;
    for (; launcher[count]; count++)
        put_variable(arena, out, gg_arena_printf(arena, "grindgate_word_%zu", count),
                     launcher[count]);
    gg_out_text(out, "set(grindgate_launch \"");
    for (size_t i = 0; i < count; i++)
        gg_out_printf(out, " \\\"\\${grindgate_word_%zu}\\\"", i);
    gg_out_text(out, "\")\n\n");
}

static bool write_tests(struct gg_arena *arena, const struct gg_suite_file *file,
                        struct gg_error *err)
{
    struct gg_out *out = gg_out_file(gg_fs_join(arena, file->shadow, "CTestTestfile.cmake"), err);
    if (!out)
        return false;
    gg_out_text(out, "cmake_policy(PUSH)\ncmake_policy(VERSION 3.20)\n");
    gg_out_printf(out, "set(grindgate_factor %u)\n", file->factor);
    put_launcher(arena, out, file->launcher);
    gg_out_text(out, find_program);
    gg_out_text(out, add_test);
    if (file->factor > 1) {
        gg_out_text(out, scale);
        gg_out_text(out, set_properties);
    }
    gg_out_text(out, "cmake_policy(POP)\nsubdirs(");
    put_bracket(arena, out, file->build);
    gg_out_text(out, ")\n");
    return gg_out_close(out, err);
}

/* Commands to run before and after the tests expect to be in the build directory. */
static void put_custom(struct gg_arena *arena, struct gg_out *out, const char *path)
{
    gg_out_text(out, "include(");
    put_bracket(arena, out, path);
    gg_out_text(out, ")\n");
}

static bool write_custom(struct gg_arena *arena, const struct gg_suite_file *file,
                         struct gg_error *err)
{
    static const char *const names[] = {"CTestCustom.cmake", "CTestCustom.ctest"};
    struct gg_out *out = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = gg_fs_join(arena, file->build, names[i]);
        if (access(path, R_OK) != 0)
            continue;
        if (!out)
            out = gg_out_file(gg_fs_join(arena, file->shadow, names[0]), err);
        if (!out)
            return false;
        put_custom(arena, out, path);
    }
    if (!out)
        return true;
    put_variable(arena, out, "grindgate_build", file->build);
    gg_out_text(out, "foreach(grindgate_list CTEST_CUSTOM_PRE_TEST CTEST_CUSTOM_POST_TEST)\n"
                     "  list(TRANSFORM ${grindgate_list} PREPEND\n"
                     "       \"cmake -E chdir \\\"${grindgate_build}\\\" \")\n"
                     "endforeach()\n");
    return gg_out_close(out, err);
}

/* "BuildDirectory:" would make CTest go there and read the tests of the build after all. */
static bool write_settings(struct gg_arena *arena, const struct gg_suite_file *file,
                           struct gg_error *err)
{
    static const char name[] = "DartConfiguration.tcl";
    struct gg_str rest, line, key, value;
    const char *path = gg_fs_join(arena, file->build, name);
    if (access(path, R_OK) != 0)
        return true;
    struct gg_out *out = gg_fs_read(arena, path, SETTINGS_LIMIT, &rest, err)
                             ? gg_out_file(gg_fs_join(arena, file->shadow, name), err)
                             : NULL;
    if (!out)
        return false;
    while (gg_str_line(&rest, &line)) {
        bool pair = gg_str_cut(line, ':', &key, &value);
        if (pair && gg_str_is(key, "BuildDirectory"))
            continue;
        if (pair && gg_str_is(key, "TimeOut")) {
            value = gg_str_trim(value);
            gg_out_printf(
                out, "TimeOut: %s\n",
                gg_suite_scale(arena, gg_arena_strndup(arena, value.ptr, value.len), file->factor));
            continue;
        }
        gg_out_str(out, line);
        gg_out_char(out, '\n');
    }
    return gg_out_close(out, err);
}

const char *gg_suite_scale(struct gg_arena *arena, const char *seconds, unsigned factor)
{
    char *end;
    double value = strtod(seconds, &end);
    if (end == seconds || *end || !(value > 0) || value > 1e12)
        return seconds;
    return gg_arena_printf(arena, "%.15g", value * factor);
}

/* LastTest.log, the order of the longest tests and --rerun-failed: all where they always are. A
 * build directory that cannot be written to does without. */
static void link_testing(struct gg_arena *arena, const struct gg_suite_file *file)
{
    const char *testing = gg_fs_join(arena, file->build, "Testing");
    mkdir(testing, 0777);
    if (access(testing, W_OK) == 0)
        (void)!symlink(testing, gg_fs_join(arena, file->shadow, "Testing"));
}

bool gg_suite_file_write(struct gg_arena *arena, const struct gg_suite_file *file,
                         struct gg_error *err)
{
    link_testing(arena, file);
    return write_tests(arena, file, err) && write_custom(arena, file, err) &&
           write_settings(arena, file, err);
}
