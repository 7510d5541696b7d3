#!/usr/bin/env python3
"""`grindgate explain` as a user meets it.

    explain.py GRINDGATE

Needs git; runs no valgrind: the reports are written here.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

GRINDGATE = os.path.abspath(sys.argv[1])
FAILURES = []

HEAD = """<?xml version="1.0"?>
<valgrindoutput>
<protocolversion>4</protocolversion>
<protocoltool>memcheck</protocoltool>
<preamble><line>Using Valgrind-3.19.0 and LibVEX</line></preamble>
<pid>%d</pid>
<ppid>1</ppid>
<tool>memcheck</tool>
<args><vargv><exe>valgrind</exe><arg>--demangle=no</arg><arg>--leak-check=full</arg></vargv><argv><exe>./p</exe></argv></args>
<status><state>RUNNING</state><time>1</time></status>
"""
END = """<status><state>FINISHED</state><time>2</time></status>
%s
<errorcounts></errorcounts>
<suppcounts></suppcounts>
</valgrindoutput>
"""
LEAK = """<error>
  <unique>0x1</unique>
  <tid>1</tid>
  <kind>Leak_DefinitelyLost</kind>
  <xwhat><text>24 bytes in 1 blocks are definitely lost in loss record 1 of 1</text>
    <leakedbytes>24</leakedbytes><leakedblocks>1</leakedblocks></xwhat>
  <stack>
    <frame><ip>0x1</ip><obj>/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so</obj><fn>malloc</fn></frame>
    <frame><ip>0x2</ip><obj>%(dir)s/p</obj><fn>grab</fn><dir>%(dir)s</dir><file>main.c</file><line>2</line></frame>
    <frame><ip>0x3</ip><obj>%(dir)s/p</obj><fn>_ZN2ns4takeEi.isra.0</fn><dir>%(dir)s</dir><file>main.c</file><line>3</line></frame>
    <frame><ip>0x4</ip><obj>%(dir)s/p</obj><fn>main</fn><dir>%(dir)s</dir><file>main.c</file><line>4</line></frame>
  </stack>
</error>
"""


def run(args, cwd):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("GRINDGATE_", "GIT_", "GITHUB_", "GITLAB_"))}
    done = subprocess.run([GRINDGATE] + args, cwd=cwd, env=env, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def expect(name, result, code, out=(), err=""):
    got, stdout, stderr = result
    lines = [re.sub(r"\s+", " ", line).strip() for line in stdout.splitlines()]
    missing = [line for line in out if line not in lines]
    if got != code or missing or not re.search(err, stderr):
        FAILURES.append(f"{name}: exit {got} instead of {code}; missing {missing}\n--- stdout\n{stdout}--- stderr\n{stderr}")


def write(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(text)


def make(directory):
    git = ["git", "-C", directory, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q", directory], check=True)
    write(directory, "main.c", "int x;\nvoid *grab(void);\nvoid take(void);\nint main(void)\n{\n}\n")
    subprocess.run(git + ["add", "main.c"], check=True)
    subprocess.run(git + ["commit", "-q", "-m", "Add it all"], check=True)
    error = LEAK % {"dir": directory}
    write(directory, "a.xml", HEAD % 11 + END % error)
    write(directory, "b.xml", HEAD % 12 + END % (error + error))
    write(directory, "cut.xml", HEAD % 13 + error)


def block(name, *frames, above=""):
    return above + "{\n   %s\n   Memcheck:Leak\n%s}\n" % (name, "".join(f"   {frame}\n" for frame in frames))


def story(d, some):
    blamed = subprocess.run(["git", "rev-parse", "HEAD"], cwd=d, capture_output=True, text=True, check=True).stdout.strip()
    result = run(["explain", some, "a.xml", "b.xml"], d)
    expect("story", result, 0, [
        f"{some}: 48 bytes in 2 blocks are definitely lost",
        "kind Leak_DefinitelyLost",
        "in a.xml, process 11: 1 time, 24 bytes in 1 block",
        "in b.xml, process 12: 2 times, 48 bytes in 2 blocks",
        "in all 3 times",
        "Stack 1 (error): Where it was allocated",
        "1 tool malloc valgrind",
        "> 2 own grab main.c:2",
        "3 own ns::take(int) [clone .isra.0] main.c:3 symbol _ZN2ns4takeEi.isra.0",
        "line main.c:2 in grab",
        "because stack 1, frame 2: the innermost line of the error's own stack that is this repository's",
        f"commit {blamed}",
        "written as main.c:2",
        "asked 0 rules",
        "decided by none",
        "severity error",
        "fate open: nothing sets it aside",
        "counts yes: it is open, and an error fails the gate",
        "verdict fail (exit 1)",
        "reason 1 open finding of severity error",
    ])
    if "Last changed by Ada in " not in result[1]:
        FAILURES.append("story: the author is not named")
    heads = re.findall(r"^(Read|Stack|Laid to|Rules|Judged)", result[1], flags=re.M)
    if heads != ["Read", "Stack", "Laid to", "Rules", "Judged"]:
        FAILURES.append(f"story: parts stand as {heads}")
    expect("below the bar", run(["explain", "--fail-on=never", some, "a.xml"], d), 0,
           ["counts no: it is open, but the gate fails from never on (--fail-on)", "verdict pass (exit 0)"])


def rules(d, some):
    write(d, "near.supp", block("far", "fun:malloc", "fun:other") + block("near", "fun:malloc", "fun:grab", "fun:_ZN2ns4takeEi"))
    expect("near", run(["explain", "--suppressions", "near.supp", some, "a.xml"], d), 0,
           ['closest "near" (near.supp:8): frame 3: fun:_ZN2ns4takeEi against _ZN2ns4takeEi.isra.0', "asked 2 rules"])
    write(d, "hit.supp", block("hit", "fun:malloc", "fun:grab", above="# gg: reason=known upstream owner=core ticket=C-1 expires=2999-12-31\n"))
    expect("decided", run(["explain", "--suppressions", "hit.supp", some, "a.xml"], d), 0,
           ['decided by "hit" (hit.supp:3)', "action suppress", "reason known upstream", "owner core", "ticket C-1",
            "last day 2999-12-31", "counts no: only open findings count",
            'fate suppressed by "hit" (hit.supp:3): known upstream (core, C-1)'])
    write(d, "old.supp", block("old", "fun:malloc", "fun:grab", above="# gg: reason=r expires=2001-01-31\n"))
    expect("lapsed", run(["explain", "--suppressions", "old.supp", some, "a.xml"], d), 0,
           ["decided by none", 'lapsed "old" (old.supp:3)', "last day 2001-01-31"])
    write(d, "none.supp", block("none", "fun:malloc", "fun:other"))
    expect("none near", run(["explain", "--suppressions", "none.supp", some, "a.xml"], d), 0,
           ["asked 1 rule", "decided by none", "closest none: no rule for errors of its kind shares a frame with it"])
    for args in (["a.xml"], ["--suppressions", "hit.supp", "a.xml"], ["--suppressions", "old.supp", "a.xml"]):
        if "closest" in run(["explain", *args[:-1], some, args[-1]], d)[1]:
            FAILURES.append(f"near: {args}: a rule is said to be close")


def reports(d, some):
    code, out, _ = run(["check", "-o", "json:once.json", "a.xml"], d)
    expect("json", (code, out, ""), 1)
    expect("json", run(["explain", some, "once.json"], d), 0,
           ["in a.xml (told by once.json), process 11: 1 time, 24 bytes in 1 block"])
    ruled(d, some)
    expect("cut", run(["explain", some, "a.xml", "cut.xml"], d), 3,
           ["in a.xml, process 11: 1 time, 24 bytes in 1 block"], "incomplete: cut.xml: the report stops before")
    expect("missing", run(["explain", some, "a.xml", "nowhere.xml"], d), 3, [], "nowhere.xml")


def why(d, name):
    with open(os.path.join(d, name), encoding="utf-8") as file:
        return json.load(file)["findings"][0]["why"]


def ruled(d, some):
    """A report that was judged with rules, told of with and without them."""
    expect("ruled", run(["check", "--suppressions", "hit.supp", "-o", "json:ruled.json", "a.xml"], d), 0)
    told = "before ruled.json said " + why(d, "ruled.json")
    if not told.startswith('before ruled.json said suppressed by "hit" (hit.supp:3)'):
        FAILURES.append(f"ruled: {told}")
    hint = "but no rules were given: to judge it as before, give the options of that run, or its grindgate.json (--config)"
    expect("ruled", run(["explain", some, "ruled.json"], d), 0,
           ["asked 0 rules", hint, told, "verdict fail (exit 1)"])
    both = run(["explain", "--suppressions", "none.supp", some, "ruled.json", "once.json"], d)
    expect("ruled", both, 0, ["asked 1 rule", "before once.json said open: " + why(d, "once.json"), told])
    plain = run(["explain", some, "a.xml"], d)[1]
    if hint[4:] in both[1] or "before " in plain or hint[4:] in plain:
        FAILURES.append("ruled: what is not so is told")


def mistakes(d, some):
    wrong = some[:-1] + ("0" if some[-1] != "0" else "1")
    expect("prefix", run(["explain", some[:4], "a.xml"], d), 0)
    expect("wrong", run(["explain", wrong, "a.xml"], d), 2, [], rf"{wrong}: is no finding of these reports; did you mean {some}\?")
    expect("far", run(["explain", "zz", "a.xml"], d), 2, [], f"they have {some}")
    expect("empty", run(["explain", "", "a.xml"], d), 2, [], "is no finding")
    expect("no report", run(["explain", some], d), 2, [], "a finding and its reports are needed")
    expect("nothing", run(["explain"], d), 2, [], "grindgate explain ID REPORT")
    expect("output", run(["explain", "-o", "json", some, "a.xml"], d), 2, [], "-o: is no option")
    expect("help", run(["explain", "--help"], d), 0, ["Usage: grindgate explain [OPTIONS] ID REPORT..."])
    if max(map(len, run(["explain", "--help"], d)[1].splitlines())) > 80:
        FAILURES.append("explain --help is wider than 80 columns")


def main():
    with tempfile.TemporaryDirectory() as directory:
        directory = os.path.realpath(directory)
        make(directory)
        code, out, err = run(["check", "-o", "json", "a.xml"], directory)
        expect("check", (code, "", err), 1)
        some = json.loads(out)["findings"][0]["id"]
        story(directory, some)
        rules(directory, some)
        reports(directory, some)
        mistakes(directory, some)
    for failure in FAILURES:
        print("FAILED", failure)
    print(f"{len(FAILURES)} failed")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
