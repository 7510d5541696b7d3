#!/usr/bin/env python3
"""Rules as a user meets them: `grindgate rules`, and what check says of rules; with reports of the
real valgrind.

Usage: rules.py GRINDGATE. Needs git, cc and valgrind.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

GRINDGATE = os.path.abspath(sys.argv[1])
LAUNCHER = shlex.split(os.environ.get("GG_LAUNCHER", ""))
failures = []

# Line 7 loses 24 bytes in every run, line 12 another 40 in the run "two" alone.
PROGRAM = """#include <stdlib.h>
#include <string.h>

static void *sink;
__attribute__((noinline)) static void lose_table(void)
{
    sink = malloc(24);
    sink = NULL;
}
__attribute__((noinline)) static void lose_entry(void)
{
    sink = malloc(40);
    sink = NULL;
}
int main(int argc, char **argv)
{
    lose_table();
    if (argc > 1 && strcmp(argv[1], "two") == 0)
        lose_entry();
    return 0;
}
"""

LEAK = "%s{\n   %s\n   Memcheck:Leak\n   match-leak-kinds: definite\n   fun:malloc\n   fun:%s\n}\n"


def block(name, function, comment="# gg: reason=known\n"):
    return LEAK % (comment, name, function)


def rule(**members):
    return dict({"id": "json-rule", "reason": "known",
                 "match": {"frames": [{"function": "^lose_table$"}]}}, **members)


def rules(*members):
    return json.dumps({"version": 1, "rules": members}, indent=1)


class Home:
    """A repository with the program, and two reports of it."""

    def __init__(self, root):
        self.root = root
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("GIT_", "GITHUB_", "GITLAB_", "CI_", "GRINDGATE_",
                                            "VALGRIND"))}
        self.env.update(HOME=root, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
        os.mkdir(self.path("sub"))
        self.write("program.c", PROGRAM)
        for command in ("git init --quiet --template= -b trunk .", "git add program.c",
                        "git -c user.name=Ann -c user.email=ann@example.org commit --quiet -m Add",
                        "cc -g -O0 -o program program.c"):
            subprocess.run(shlex.split(command), cwd=root, env=self.env, check=True)
        self.valgrind("one.xml", "one")
        self.valgrind("two.xml", "two")

    def valgrind(self, report, argument, *options):
        subprocess.run(["valgrind", "--xml=yes", f"--xml-file={report}", "--demangle=no",
                        "--leak-check=full", *options, "./program", argument],
                       cwd=self.root, env=self.env, check=True, capture_output=True)

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def run(self, *args, env=None, cwd=None):
        done = subprocess.run(LAUNCHER + [GRINDGATE, *args], cwd=cwd or self.root,
                              env=dict(self.env, **(env or {})), capture_output=True, text=True,
                              timeout=120)
        return done.returncode, done.stdout, done.stderr

    def report(self, *args, env=None):
        """The grindgate JSON of a check."""
        code, out, err = self.run("check", "-o", "json", *args, env=env)
        if code not in (0, 1, 3):
            failures.append(f"check {args}: exit {code}\n{err}")
            return None
        return json.loads(out)


def expect(name, result, code, out="", err=""):
    got, stdout, stderr = result
    if got != code or not re.search(out, stdout) or not re.search(err, stderr):
        failures.append(f"{name}: exit {got} instead of {code}, or not {out!r} {err!r}\n"
                        f"--- stdout\n{stdout}--- stderr\n{stderr}")


def same(name, got, wanted):
    if got != wanted:
        failures.append(f"{name}: {got!r} instead of {wanted!r}")


# --- lint ----------------------------------------------------------------------------------

def lint(home):
    fine = home.write("fine.supp", block("table", "lose_table"))
    expect("nothing wrong", home.run("rules", "lint", fine), 0, r"^1 rule: nothing is wrong\n$", "^$")
    advice = home.write("advice.supp", block("table", "lose_table", ""))
    expect("advice", home.run("rules", "lint", advice), 0,
           r"^advice.supp:2: no-reason: \[table\] .*\n1 rule: 0 faults, 1 piece of advice\n$")
    faults = home.write("faults.supp", block("over", "lose_table", "# gg: reason=r expires=2001-01-31\n")
                        + block("one", "lose_entry") + block("two", "lose_entry"))
    expect("faults", home.run("rules", "lint", fine, faults), 1,
           r"^faults.supp:3: expired: \[over\] .*2001-01-31.*\n"
           r'faults.supp:19: duplicate: \[two\] .*"one" \(faults.supp:11\).*\n'
           r"4 rules: 2 faults, 0 pieces of advice\n$")
    bad = home.write("bad.json", rules(rule(expires="soon"), rule(id="fine", match={"kinds": ["Overlap"], "message": "memcpy"})))
    expect("JSON", home.run("rules", "lint", bad), 1, r"^bad.json:\d+: malformed: \[json-rule\] .*soon")
    broken = home.write("broken.json", '{"version": 1,\n "rules": [}')
    expect("broken JSON", home.run("rules", "lint", broken), 2, r"^broken.json:2: refused: ")
    code, out, _ = home.run("rules", "lint", "-o", "json", faults)
    concerns = json.loads(out)
    same("JSON of lint", (code, [(c["kind"], c["file"], c["line"], c["id"], c["fault"]) for c in concerns]),
         (1, [("expired", "faults.supp", 3, "over", True), ("duplicate", "faults.supp", 19, "two", True)]))
    expect("two outputs", home.run("rules", "lint", "-o", "json:made.json", faults), 1, "^faults.supp:3: expired")
    with open(home.path("made.json"), encoding="utf-8") as file:
        same("JSON in a file", json.load(file), concerns)
    expect("missing file", home.run("rules", "lint", "none.supp", fine), 2, "^none.supp: refused: .*No such file")
    expect("no command for a CI runner", home.run("rules", "lint", "::error::x"), 2, r"^\\::error::x: refused")
    expect("no file", home.run("rules", "lint"), 2, "^$", "no file is named")
    expect("no format", home.run("rules", "lint", "-o", "sarif", fine), 2, "^$", "text or json")
    expect("outputs of reports", home.run("rules", "lint", fine, env={"GRINDGATE_OUTPUT": "sarif"}), 0)
    home.write("grindgate.json", '{"suppressions": "faults.supp", "rules": ["bad.json"]}')
    expect("configured", home.run("rules", "lint", cwd=home.path("sub")), 1, r"bad.json:\d+: malformed(.|\n)*faults.supp:3: expired")
    os.remove(home.path("grindgate.json"))
    expect("outside of a repository", home.run("rules", "lint", home.path(fine), cwd="/"), 0)


def loads(home, *paths):
    """Does the valgrind of this machine load the files?"""
    options = [f"--suppressions={path}" for path in paths]
    return subprocess.run(["valgrind", "-q", "--default-suppressions=no", *options, "true"],
                          cwd=home.root, env=home.env, capture_output=True, check=False).returncode == 0


CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/corpus/valgrind-supp")


def corpus(home):
    """Files of other projects. Those that are taken are given to one valgrind, the others to one each."""
    if not os.path.isdir(CORPUS):
        print("skipped: ../shared/corpus/valgrind-supp is not there")
        return
    names = sorted(os.listdir(CORPUS))
    same("files of the corpus", len(names) > 70, True)
    taken, refused = [], []
    for path in (os.path.join(CORPUS, name) for name in names):
        code, out, err = home.run("rules", "lint", "--syntax-only", path)
        (refused if code == 2 else taken).append(path)
        same(f"says so of {path}", (code, out, ":" in err), (code and 2, "", code == 2))
    same("valgrind loads what is taken", loads(home, *taken), True)
    for path in refused:
        same(f"valgrind loads {path}", loads(home, path), False)


def stand_in(home, name, version):
    """A valgrind of another version, as far as it is asked for that."""
    path = home.write(name, f"#!/bin/sh\necho valgrind-{version}\n")
    os.chmod(home.path(path), 0o755)
    return home.path(path)


def versions(home):
    """Kinds that came with 3.21, 3.22 and 3.26."""
    for kind in ("ReallocZero", "UnsafeZeroSize", "SizeMismatch"):
        file = home.write(f"{kind}.supp", f"{{\na\nMemcheck:{kind}\nfun:f\n}}\n")
        expect(f"{kind} here", home.run("rules", "lint", "--syntax-only", file), 0 if loads(home, file) else 2)
    old, new = stand_in(home, "old", "3.21.0"), stand_in(home, "new", "3.22.0")
    size = "SizeMismatch.supp"
    expect("older valgrind", home.run("rules", "lint", "--syntax-only", "--valgrind", old, size), 2, "^$",
           r"^SizeMismatch.supp:3: refused: unknown tool suppression type: SizeMismatch needs valgrind 3.22, the one here is 3.21.0 \(0 blocks")
    expect("the valgrind that has it", home.run("rules", "lint", "--syntax-only", f"--valgrind={new}", size), 0, "^$", "^$")
    expect("a kind that 3.21 has", home.run("rules", "lint", "--syntax-only", "--valgrind", old, "ReallocZero.supp"), 0)
    expect("without valgrind", home.run("rules", "lint", "--syntax-only", "--valgrind", "/no/valgrind", size), 0, "^$", "^$")
    expect("advice", home.run("rules", "lint", "--valgrind", old, size), 0,
           r"\nSizeMismatch.supp:3: newer-valgrind: \[a\] unknown tool suppression type: SizeMismatch needs valgrind 3.22, the one here is 3.21.0\n")
    code, out, _ = home.run("rules", "lint", "--valgrind", new, size)
    same("no advice", (code, "newer-valgrind" in out), (0, False))
    expect("check takes it", home.run("check", "--suppressions", size, "one.xml"), 1)


def usable(home):
    """What of a refused file can still be used."""
    fault = "{\nbad\nMemcheck:Nothing\nfun:f\n}\n"
    good = [f"{{\ngood {i}\nMemcheck:Cond\nfun:f{i}\n}}\n" for i in range(12)]
    few = home.write("few.supp", good[0] + fault + good[1] + fault)
    expect("names of blocks", home.run("rules", "lint", few), 2,
           r'\nfew.supp:8: refused: unknown tool suppression type \(2 blocks of the file can still be used: "good 0" at line 2, "good 1" at line 12\)\n')
    many = home.write("many.supp", fault + "".join(good))
    for option in ((), ("--syntax-only",)):
        code, out, err = home.run("rules", "lint", *option, many)
        same(f"many blocks {option}", (code, '"good 9" at line 52 and 2 more)' in out + err, "good 10" in out.split("\n")[0] + err),
             (2, True, False))
        code, out, _ = home.run("rules", "lint", *option, "-o", "json", few)
        refused = [c for c in json.loads(out) if c["kind"] == "refused"]
        same(f"usable in JSON {option}", (code, [c.get("usable") for c in refused]),
             (2, [[{"line": 2, "id": "good 0"}, {"line": 12, "id": "good 1"}], None]))
    expect("check says what to do", home.run("check", "--suppressions", few, "one.xml"), 2, "^$",
           r"few.supp:8: unknown tool suppression type; grindgate rules lint few.supp shows every fault and what can still be used\n")
    other = home.write("other.json", '{"version": 1, "rules": []}')
    expect("rules in JSON for suppressions", home.run("check", "--suppressions", other, "one.xml"), 2, "^$",
           r"other.json:1: expected '\{' or end-of-file; rules in JSON are given with --rules\n")


def syntax(home):
    """Accepted if and only if the valgrind of this machine loads the file."""
    cases = {"fine": block("a", "f"), "empty": "", "comment": "# nothing\n",
             "kind": block("a", "f") + "{\nb\nMemcheck:Addr3\nfun:f\n}\n",
             "frames": "{\nb\nMemcheck:Cond\n}\n", "end": "{\nb\nMemcheck:Cond\nfun:f\n",
             "blank": "{\nb\nMemcheck: Cond\nfun:f\n}\n", "tool": "{\nb\nmemcheck:Foo\nfun\n}\n",
             "dots": "{\nb\nMemcheck:Cond\n...\n}\n", "brace": "{ b\nMemcheck:Cond\nfun:f\n}\n"}
    for name, text in cases.items():
        file = home.write(f"syntax-{name}.supp", text)
        fine = loads(home, file)
        expect(f"syntax {name}", home.run("rules", "lint", "--syntax-only", file), 0 if fine else 2,
               "^$", "^$" if fine else rf"^{file}:\d+: refused: ")
    home.write("grindgate.json", "no JSON")
    expect("asks no configuration", home.run("rules", "lint", "--syntax-only", "syntax-fine.supp"), 0)
    os.remove(home.path("grindgate.json"))
    expect("what is left", home.run("rules", "lint", "--syntax-only", "syntax-kind.supp"), 2, "^$",
           r"^syntax-kind.supp:11: refused: .*1 block of the file can still be used")
    expect("no file, only syntax", home.run("rules", "lint", "--syntax-only"), 2, "^$", "no file is named")
    made = home.write("syntax.json", rules(rule()))
    expect("JSON is no file of valgrind's", home.run("rules", "lint", "--syntax-only", made), 2, "^$",
           "^syntax.json: refused: rules in JSON are no file that valgrind loads")
    home.write("grindgate.json", '{"rules": "syntax.json"}')
    expect("nothing that valgrind loads", home.run("rules", "lint", "--syntax-only"), 2, "^$", "no file is named")
    home.write("grindgate.json", '{"suppressions": "syntax-kind.supp"}')
    expect("configured, only syntax", home.run("rules", "lint", "--syntax-only"), 2, "^$", r"syntax-kind.supp:11: refused")
    os.remove(home.path("grindgate.json"))
    # Rules that valgrind takes may be faulty all the same.
    faulty = home.write("faulty.supp", block("a", "f", "# gg: expires=soon\n"))
    expect("syntax alone", home.run("rules", "lint", "--syntax-only", faulty), 0, "^$", "^$")
    expect("not only syntax", home.run("rules", "lint", faulty), 1, "malformed")


# --- test ----------------------------------------------------------------------------------

def ledger(home):
    supp = home.write("ledger.supp", block("table", "lose_table") + block("again", "lose_*")
                      + block("nobody", "lose_nothing"))
    expect("unused", home.run("rules", "test", "--suppressions", supp, "one.xml", "two.xml"), 1,
           r"used +1 +2 +2/2 +table \(ledger.supp:3\)\n"
           r"used +1 +1 +1/2 +again \(ledger.supp:11\)\n"
           r"unused +0 +0 +0/2 +nobody \(ledger.supp:19\)\n"
           r"(.|\n)*ledger.supp:11: some-runs: \[again\] only 1 of 2 runs"
           r"(.|\n)*ledger.supp:19: unused: \[nobody\]", "^$")
    expect("shadowed", home.run("rules", "test", "--suppressions", supp, "one.xml"), 1,
           r'shadowed +0 +0 +0/1 +again(.|\n)*shadowed: \[again\] .*"table" \(ledger.supp:3\)')
    used = home.write("used.supp", block("table", "lose_table"))
    code, out, _ = home.run("rules", "test", "-o", "json", "--suppressions", used, "one.xml")
    same("all used", (code, json.loads(out)), (0, []))
    bare = home.write("bare.supp", block("table", "lose_table", ""))
    code, out, _ = home.run("rules", "test", "-o", "json", "--suppressions", bare, "one.xml")
    concerns = json.loads(out)
    same("without a reason", (code, [c["kind"] for c in concerns]), (0, ["no-reason", "own-code"]))
    same("own code", "lose_table (program.c:7)" in concerns[1]["text"], True)
    expect("no report", home.run("rules", "test", "--suppressions", used), 2, "^$", "no report is named")
    expect("no rules", home.run("rules", "test", "one.xml"), 2, "^$", "there are no rules")
    expect("refused rules", home.run("rules", "test", "--suppressions", "syntax-kind.supp", "one.xml"), 2,
           "^$", r"syntax-kind.supp:11: unknown tool suppression type")
    with open(home.path("two.xml"), encoding="utf-8") as file:
        home.write("cut.xml", file.read()[:2500])
    unused = home.write("unused.supp", block("entry", "lose_entry"))
    expect("cut off", home.run("rules", "test", "--suppressions", unused, "cut.xml"), 3, "", "incomplete: cut.xml: ")
    expect("cut off and over", home.run("rules", "test", "--suppressions", "faults.supp", "cut.xml"), 1, "expired")
    expect("not there", home.run("rules", "test", "--suppressions", used, "one.xml", "none.xml"), 3, "", "incomplete: none.xml: ")


def online(home):
    """What valgrind set aside itself is counted from its own reports."""
    supp = home.write("online.supp", block("table", "lose_table"))
    home.valgrind("hidden.xml", "two", f"--suppressions={supp}")
    expect("used by valgrind", home.run("rules", "test", "--suppressions", supp, "hidden.xml", "two.xml"), 0,
           r"set aside by valgrind itself:\n +1 +1/2 +table\n")
    expect("nothing but by valgrind", home.run("rules", "test", "--suppressions", supp, "hidden.xml"), 0,
           r"used-by-valgrind: \[table\]")
    expect("rules of valgrind alone", home.run("rules", "test", "hidden.xml", "two.xml"), 0,
           r"^set aside by valgrind itself:\n +1 +1/2 +table\n\n0 rules: nothing is wrong\n$", "^$")
    expect("rules of valgrind alone, not whole", home.run("rules", "test", "hidden.xml", "none.xml"), 3, r"1/\d +table")
    report = home.report("hidden.xml", "one.xml")
    same("suppcounts in JSON", [(use["name"], use["count"], len(use["runs"])) for use in report["valgrind_suppressions"]],
         [("table", 1, 1)])


# --- check ---------------------------------------------------------------------------------

def fates(report):
    return {finding["site"]["line"]: finding["fate"] for finding in report["findings"]}


def judging(home):
    supp = home.write("judge.supp", block("table", "lose_table", "# gg: reason=kept for ever owner=net ticket=N-1\n")
                      + block("nobody", "lose_nothing"))
    report = home.report("--suppressions", supp, "one.xml", "two.xml")
    same("fates", fates(report), {7: "suppressed", 12: "open"})
    first, second = report["rules"]
    same("ledger", first, {"id": "table", "file": supp, "line": 3, "hits": 1, "state": "used", "matches": 1,
                           "occurrences": 2, "runs": [0, 1], "action": "suppress", "reason": "kept for ever",
                           "owner": "net", "ticket": "N-1", "expires": None, "fault": None, "shadow": None,
                           "concerns": []})
    same("unused", (second["hits"], second["state"], second["runs"], second["concerns"]), (0, "unused", [], ["unused"]))
    why = {finding["site"]["line"]: finding["why"] for finding in report["findings"]}
    same("why", why[7], 'suppressed by "table" (judge.supp:3): kept for ever (net, N-1)')
    expect("said once", home.run("check", "-v", "--suppressions", supp, "one.xml"), 0,
           r'\n  suppressed by "table" \(judge.supp:3\): kept for ever \(net, N-1\).\n')
    expect("ledger line", home.run("check", "--suppressions", supp, "one.xml"), 0,
           r"\nrules: 2, of which 1 unused; grindgate rules test says more\n")
    expect("ledger in full", home.run("check", "-v", "--suppressions", supp, "one.xml"), 0,
           r"\n  used: table \(judge.supp:3\): 1 finding, seen 1 time in 1 run\n  unused: nobody \(judge.supp:11\)\n")
    code, out, _ = home.run("check", "one.xml")
    same("no rules, no line", "rules:" in out, False)


def lapsing(home):
    json_file = home.write("lapse.json", rules(rule(expires="2001-01-31")))
    report = home.report("--rules", json_file, "one.xml")
    finding = report["findings"][0]
    same("over", (finding["fate"], finding["rule"], finding["lapsed"]["id"]), ("open", None, "json-rule"))
    same("over in the ledger", (report["rules"][0]["state"], report["rules"][0]["matches"]), ("expired", 1))
    same("note", [(n["kind"], n["incomplete"]) for n in report["notes"] if n["kind"].startswith("rule-")],
         [("rule-expired", False)])
    expect("over in the text", home.run("check", "--rules", json_file, "one.xml"), 1,
           r"open: .*json-rule(.|\n)*2001-01-31(.|\n)*\nwarning: lapse.json:\d+: rule \"json-rule\" decides nothing")
    live = home.write("live.json", rules(rule(expires="2999-12-31")))
    same("not over", fates(home.report("--rules", live, "one.xml")), {7: "suppressed"})
    vague = home.write("vague.json", rules(rule(owner=7)))
    expect("malformed", home.run("check", "--rules", vague, "one.xml"), 1, r"\nwarning: vague.json:\d+: rule .*owner")
    expect("would", home.run("check", "--rules", vague, "one.xml"), 1,
           r'open: "json-rule" \(vague.json:\d+\) would suppress it, but is malformed: ')
    torn = home.write("torn.json", rules(rule(match={"frames": [{"function": "^lose_("}]})))
    expect("may", home.run("check", "--rules", torn, "one.xml"), 1,
           r'open: "json-rule" \(torn.json:\d+\) may have hidden it, but is malformed: ')
    strict = home.write("strict.json", rules(rule(action="fail", owner=7)))
    expect("malformed, and would make more count", home.run("check", "--fail-on", "never", "--rules", strict, "one.xml"),
           3, r"incomplete: strict.json:\d+")
    expect("refused", home.run("check", "--rules", "broken.json", "one.xml"), 2, "^$", r"broken.json:2: ")


def scoping(home):
    branch = home.write("branch.json", rules(rule(branches=["trunk"])))
    same("HEAD's branch", fates(home.report("--rules", branch, "one.xml")), {7: "suppressed"})
    same("--branch", fates(home.report("--rules", branch, "--branch", "topic", "one.xml")), {7: "open"})
    same("GitHub's", fates(home.report("--rules", branch, "one.xml", env={"GITHUB_ACTIONS": "true", "GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "topic"})), {7: "open"})
    same("GitHub's push", fates(home.report("--rules", branch, "one.xml", env={"GITHUB_ACTIONS": "true", "GITHUB_REF_NAME": "trunk", "GITHUB_HEAD_REF": ""})), {7: "suppressed"})
    same("GitLab's", fates(home.report("--rules", branch, "one.xml", env={"GITLAB_CI": "true", "CI_COMMIT_REF_NAME": "topic"})), {7: "open"})
    same("not in CI", fates(home.report("--rules", branch, "one.xml", env={"CI_COMMIT_REF_NAME": "topic"})), {7: "suppressed"})
    home.write("grindgate.json", '{"rules": "branch.json"}')
    same("configured", fates(home.report("one.xml")), {7: "suppressed"})
    same("environment", fates(home.report("one.xml", env={"GRINDGATE_RULES": "lapse.json"})), {7: "open"})
    os.remove(home.path("grindgate.json"))


def words(home):
    expect("help", home.run("rules", "--help"), 0, r"rules lint \[FILE...\](.|\n)*--syntax-only")
    expect("nothing", home.run("rules"), 2, "^$", "rules --help")
    expect("mistyped", home.run("rules", "lnit"), 2, "^$", r"rules lnit: is no command; did you mean rules lint\?")
    expect("list", home.run("rules", "list"), 0, r"(^|\n)glibc\n    ", "^$")
    expect("list of what", home.run("rules", "list", "x"), 2, "^$", "takes no further words")
    expect("pack", home.run("check", "--pack", "no-such-pack", "one.xml"), 2, "^$", "no-such-pack: is no pack")
    expect("nearly a pack", home.run("check", "--pack", "autp", "one.xml"), 2, "^$", r"did you mean auto\?")
    expect("packs by the reports", home.run("check", "--pack", "auto", "one.xml"), 1)
    for verb, option, owner in (("suggest", ("--syntax-only",), "rules lint"), ("lint", ("--finding", "x"), "rules suggest"),
                                ("test", ("--valgrind", "x"), "rules lint"), ("list", ("-o", "json"), "rules lint and rules test")):
        expect(f"{verb} {option}", home.run("rules", verb, *option), 2, "^$",
               rf"rules {verb}: {option[0] if option[0] != '-o' else '--output'} is an option of {owner}\n")
    expect("option of rules", home.run("check", "--syntax-only", "one.xml"), 2, "^$", "is an option of rules")


def main():
    with tempfile.TemporaryDirectory() as directory:
        home = Home(os.path.realpath(directory))
        for part in (lint, syntax, corpus, versions, usable, ledger, online, judging, lapsing, scoping, words):
            part(home)
    for failure in failures:
        print("FAILED", failure)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
