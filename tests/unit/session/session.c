/* The library as a program of somebody else's would use it: the example of grindgate.h. */
#include "gitrepo.h"
#include "grindgate/grindgate.h"

TestSuite(session, .init = scratch_begin, .fini = scratch_end);

static const char report[] =
    "<?xml version=\"1.0\"?>\n<valgrindoutput>\n<protocolversion>4</protocolversion>\n"
    "<protocoltool>memcheck</protocoltool>\n<pid>7</pid>\n<ppid>1</ppid>\n<tool>memcheck</tool>\n"
    "<args><vargv><exe>valgrind</exe></vargv><argv><exe>./p</exe></argv></args>\n"
    "<status>\n<state>RUNNING</state>\n<time>0</time>\n</status>\n"
    "<error>\n<unique>0x0</unique>\n<tid>1</tid>\n<kind>InvalidWrite</kind>\n"
    "<what>Invalid write of size 1</what>\n"
    "<stack><frame><ip>0x1</ip><obj>/build/p</obj><fn>main</fn><dir>/build/src</dir>"
    "<file>main.c</file><line>3</line></frame></stack>\n</error>\n"
    "<status>\n<state>FINISHED</state>\n<time>0</time>\n</status>\n"
    "<errorcounts><pair><count>5</count><unique>0x0</unique></pair></errorcounts>\n"
    "<suppcounts></suppcounts>\n</valgrindoutput>\n";

static struct gg_options options;

static void repository(void)
{
    run("git init -q .; mkdir src; printf 'int main(void)\\n{\\n    return 0;\\n}\\n' > src/main.c;"
        "git add .; git commit -q -m 'Add main'; cat > report.xml <<'E'\n%sE\n",
        report);
    gg_options_default(&options);
    static const char *const reports[] = {"report.xml", NULL};
    options.reports = reports;
    options.repo = scratch;
}

Test(session, judges_and_writes)
{
    repository();
    struct gg_session *session = gg_session_new(&options);
    cr_assert(gg_session_judge(session, &err), "%s", err.text);
    const struct gg_report *found = gg_session_report(session);
    cr_assert_eq(gg_session_verdict(session)->exit_code, 1);
    cr_assert_eq(found->finding_count, 1);
    const struct gg_finding *finding = &found->findings[0];
    cr_assert_eq(finding->count, 5);
    cr_assert_str_eq(finding->site.path, "src/main.c");
    cr_assert_str_eq(finding->blame.commit, output_of("git rev-parse HEAD"));
    cr_assert_str_eq(finding->blame.author_name, "Ada Example");
    struct gg_write_options write = {0};
    cr_assert(gg_session_write(session, "json", "out.json", &write, &err), "%s", err.text);
    cr_assert_eq(access("out.json", R_OK), 0);
    cr_assert_not(gg_session_write(session, "json", "none/out.json", &write, &err));
    gg_session_output_failed(session, err.text);
    cr_assert_eq(gg_session_verdict(session)->exit_code, 1);
    gg_session_free(session);
}

Test(session, an_unknown_format_is_an_error)
{
    repository();
    struct gg_session *session = gg_session_new(&options);
    struct gg_write_options write = {0};
    cr_assert(gg_session_judge(session, &err));
    cr_assert_not(gg_session_write(session, "yaml", "out.yaml", &write, &err));
    cr_assert_neq(access("out.yaml", F_OK), 0);
    gg_session_free(session);
}

Test(session, a_repository_without_files_is_no_evidence)
{
    repository();
    run("mkdir other; git init -q other");
    options.repo = "other";
    struct gg_session *session = gg_session_new(&options);
    cr_assert(gg_session_judge(session, &err), "%s", err.text);
    cr_assert_eq(gg_session_verdict(session)->exit_code, 3);
    gg_session_free(session);
}

Test(session, a_place_without_repository_is_not_judged)
{
    gg_options_default(&options);
    options.repo = "/";
    struct gg_session *session = gg_session_new(&options);
    cr_assert_not(gg_session_judge(session, &err));
    cr_assert(strstr(err.text, "repository"), "%s", err.text);
    gg_session_free(session);
}

/* The exit status for reports that are there. */
static int status_of(const char *path)
{
    const char *const reports[] = {path, NULL};
    options.reports = reports;
    struct gg_session *session = gg_session_new(&options);
    cr_assert(gg_session_judge(session, &err), "%s", err.text);
    int status = gg_session_verdict(session)->exit_code;
    gg_session_free(session);
    return status;
}

Test(session, a_report_of_our_own_is_of_the_commit_that_it_names)
{
    repository();
    options.fail_on = GG_FAIL_NEVER;
    struct gg_session *session = gg_session_new(&options);
    struct gg_write_options write = {0};
    cr_assert(gg_session_judge(session, &err), "%s", err.text);
    cr_assert(gg_session_write(session, "json", "own.json", &write, &err), "%s", err.text);
    gg_session_free(session);
    cr_assert_eq(status_of("own.json"), 0);
    run("git commit -q --allow-empty -m 'Nothing else'");
    cr_assert_eq(status_of("own.json"), 0, "the same files");
    run("echo '/* more */' >> src/main.c; git commit -q -a -m 'Something else'");
    cr_assert_eq(status_of("own.json"), 3);
    cr_assert_eq(status_of("report.xml"), 0, "a report of valgrind's own names none");
    run("git reset -q --hard HEAD~2; sed 's/\\(\"head\": "
        "\"\\)[0-9a-f]*/\\10000000000000000000000000000000000000000/' own.json > none.json");
    cr_assert_eq(status_of("own.json"), 0);
    cr_assert_eq(status_of("none.json"), 3, "no commit of this repository");
}

/* The name that reports have for a rule file that was given as this. */
static const char *named(const char *path)
{
    const char *const files[] = {path, NULL};
    options.suppressions = files;
    struct gg_session *session = gg_session_new(&options);
    cr_assert(gg_session_judge(session, &err), "%s", err.text);
    const struct gg_report *found = gg_session_report(session);
    cr_assert_eq(found->rule_count, 1);
    cr_assert_eq(found->findings[0].rule, found->rules[0]);
    const char *name = gg_arena_strdup(&arena, found->rules[0]->file);
    gg_session_free(session);
    return name;
}

Test(session, rule_files_are_named_by_their_place_in_the_repository)
{
    repository();
    run("mkdir -p tests; printf '{\\nx\\nMemcheck:Addr1\\nfun:main\\n}\\n' > "
        "tests/v.supp");
    static const char name[] = "tests/v.supp";
    cr_assert_str_eq(named("tests/v.supp"), name);
    cr_assert_str_eq(named(gg_fs_join(&arena, scratch, "tests/v.supp")), name);
    cr_assert_str_eq(named("src/.././tests//v.supp"), name);
    cr_assert(chdir("src") == 0);
    static const char *const reports[] = {"../report.xml", NULL};
    options.reports = reports;
    cr_assert_str_eq(named("../tests/v.supp"), name);
    run("printf '{\\nx\\nMemcheck:Addr1\\nfun:main\\n}\\n' > ../../outside.supp");
    const char *outside = gg_fs_real(&arena, "../../outside.supp");
    cr_assert_str_eq(named(outside), outside);
    remove(outside);
}
