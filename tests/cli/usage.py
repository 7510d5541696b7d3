#!/usr/bin/env python3
"""The command line as a user meets it: help, mistakes, settings and their precedence.

Usage: usage.py GRINDGATE. Needs git; runs no valgrind.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
GRINDGATE = os.path.abspath(sys.argv[1])
failures = []

CLEAN = """<?xml version="1.0"?>
<valgrindoutput>
<protocolversion>4</protocolversion>
<protocoltool>memcheck</protocoltool>
<preamble><line>Using Valgrind-3.19.0 and LibVEX</line></preamble>
<pid>1</pid>
<ppid>0</ppid>
<tool>memcheck</tool>
<args><vargv><exe>valgrind</exe></vargv><argv><exe>./p</exe></argv></args>
<status>
  <state>RUNNING</state>
  <time>00:00:00:00.1 </time>
</status>
%s<status>
  <state>FINISHED</state>
  <time>00:00:00:00.2 </time>
</status>
<errorcounts>
</errorcounts>
<suppcounts>
</suppcounts>
</valgrindoutput>
"""
WARNING = """<error>
  <unique>0x1</unique>
  <tid>1</tid>
  <kind>Leak_PossiblyLost</kind>
  <xwhat>
    <text>8 bytes in 1 blocks are possibly lost in loss record 1 of 1</text>
    <leakedbytes>8</leakedbytes>
    <leakedblocks>1</leakedblocks>
  </xwhat>
  <stack>
    <frame>
      <ip>0x1</ip>
      <obj>%s/p</obj>
      <fn>main</fn>
      <dir>%s</dir>
      <file>main.c</file>
      <line>2</line>
    </frame>
  </stack>
</error>
"""


def run(args, cwd, env=None):
    full = {k: v for k, v in os.environ.items() if not k.startswith("GRINDGATE_")}
    full.update(env or {})
    done = subprocess.run([GRINDGATE] + args, cwd=cwd, env=full, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def expect(name, result, code, out="", err=""):
    got, stdout, stderr = result
    if got != code or not re.search(out, stdout) or not re.search(err, stderr):
        failures.append(f"{name}: exit {got} instead of {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")


def make_repository(directory):
    git = ["git", "-C", directory, "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q", directory], check=True)
    with open(os.path.join(directory, "main.c"), "w") as file:
        file.write("int main(void)\n{\n}\n")
    subprocess.run(git + ["add", "main.c"], check=True)
    subprocess.run(git + ["commit", "-q", "-m", "start"], check=True)
    with open(os.path.join(directory, "clean.xml"), "w") as file:
        file.write(CLEAN % "")
    with open(os.path.join(directory, "warning.xml"), "w") as file:
        file.write(CLEAN % (WARNING % (directory, directory)))


def config(directory, text):
    with open(os.path.join(directory, "grindgate.json"), "w") as file:
        file.write(text)


def help_texts(d):
    expect("overview", run(["--help"], d), 0, r"Commands:\n  run .*\n  check ")
    expect("no command", run([], d), 2, "Commands:")
    expect("version", run(["--version"], d), 0, r"^grindgate \d+\.\d+\.\d+ \(libgit2 [\d.]+, libxml2 [\d.]+, jansson [\d.]+, pcre2 [\d.]+\)\n$")
    expect("run --help", run(["run", "--help"], d), 0, r"Usage: grindgate run (.|\n)*--timeout SECONDS")
    expect("help check", run(["help", "check"], d), 0, "Usage: grindgate check")
    code, out, _ = run(["check", "--help"], d)
    if "--timeout" in out or "--keep" in out:
        failures.append("check --help shows options of run")
    if max(map(len, out.splitlines())) > 80:
        failures.append("check --help is wider than 80 columns")


def mistakes(d):
    expect("command", run(["chekc"], d), 2, "^$", r"chekc: is no command; did you mean check\?")
    expect("option without a command", run(["--versoin"], d), 2, "^$", r"did you mean --version\?")
    expect("option", run(["check", "--fial-on=note", "clean.xml"], d), 2, "^$", r"did you mean --fail-on\?")
    expect("far option", run(["check", "--xyzzy"], d), 2, "^$", r"--xyzzy: is no option; --help lists them")
    expect("letter", run(["check", "-z"], d), 2, "^$", "-z: is no option")
    expect("choice", run(["check", "--fail-on", "fatal", "clean.xml"], d), 2, "^$", r'"fatal" is none of error\|warning\|note\|never')
    expect("value", run(["check", "--fail-on"], d), 2, "^$", "needs a value")
    expect("flag value", run(["check", "--no-blame=1", "clean.xml"], d), 2, "^$", "takes no value")
    expect("number", run(["run", "--timeout=soon", "--", "true"], d), 2, "^$", '"soon" is no whole number')
    expect("count", run(["run", "--ctest", "b", "--timeout-factor=0"], d), 2, "^$", '"0" is no whole number from 1 to 2147483647')
    expect("behind --ctest", run(["run", "--ctest", "b", "leak"], d), 2, "^$", "leak: is not expected behind --ctest")
    expect("size", run(["run", "--max-report-size=1T", "--", "true"], d), 2, "^$", "write 1500, 64k, 2M or 1G")
    expect("format", run(["check", "-o", "sarf:x", "clean.xml"], d), 2, "^$", r"sarf: is no format; did you mean sarif\?")
    expect("two reports", run(["check", "-o", "json", "-o", "sarif", "clean.xml"], d), 2, "^$", "standard output already")
    expect("two names of one file", run(["check", "-o", "json:x.json", "-o", "sarif:sub/../x.json", "clean.xml"], d), 2, "^$", "goes to .*x.json already")
    expect("output over input", run(["check", "-o", "json:sub/../clean.xml", "clean.xml"], d), 2, "^$", "one of the reports to read")
    expect("output over rules", run(["check", "-o", "json:x.supp", "--suppressions", "./x.supp", "clean.xml"], d), 2, "^$", "one of the rule files to read")
    expect("no report", run(["check"], d), 2, "^$", "no report is named")
    expect("no program", run(["run"], d), 2, "^$", "no program is named")
    expect("other command's option", run(["check", "--timeout=3", "clean.xml"], d), 2, "^$", "--timeout: is an option of run")
    expect("program as command", run(["build/t"], d), 2, "^$", "did you mean grindgate run -- build/t")
    expect("quiet is for the terminal", run(["check", "-q", "-o", "text:whole.txt", "warning.xml"], d), 0)
    with open(os.path.join(d, "whole.txt")) as file:
        if "possibly lost" not in file.read():
            failures.append("-q takes the findings out of a file")
    expect("escape codes", run(["check", "--\x1b[31m"], d), 2, "^$", r"--\\x1b\[31m: is no option")
    expect("no repository", run(["check", "clean.xml"], "/"), 2, "^$", r"(?i)repository")
    expect("supp", run(["check", "--suppressions", "none.supp", "clean.xml"], d), 2, "^$", "none.supp: .*No such file")


def precedence(d):
    expect("default", run(["check", "warning.xml"], d), 0)
    config(d, '{"fail_on": "warning"}')
    expect("config", run(["check", "warning.xml"], d), 1)
    expect("config from below", run(["check", "../warning.xml"], os.path.join(d, "sub")), 1)
    expect("environment", run(["check", "warning.xml"], d, {"GRINDGATE_FAIL_ON": "error"}), 0)
    expect("flag", run(["check", "--fail-on=note", "warning.xml"], d, {"GRINDGATE_FAIL_ON": "error"}), 1)
    expect("bad environment", run(["check", "warning.xml"], d, {"GRINDGATE_FAIL_ON": "x"}), 2, "^$", "GRINDGATE_FAIL_ON: ")
    expect("--config", run(["check", "--config", "other.json", "warning.xml"], d), 2, "^$", "other.json: .*No such file")
    os.remove(os.path.join(d, "grindgate.json"))


def settings(d):
    cases = [
        ("unknown", '{\n  "fial_on": "note"\n}', r'grindgate.json:2: "fial_on" is no setting; did you mean "fail_on"\?'),
        ("type", '{"timeout": "long"}', r'grindgate.json:1: "timeout" must be a number'),
        ("value", '{"external": "never"}', r'grindgate.json:1: external: "never" is none of'),
        ("list", '{"suppressions": [1]}', r'"suppressions" must be a list of strings'),
        ("flag", '{"no_blame": "yes"}', r'"no_blame" must be true or false'),
        ("command", '{"command": []}', r'"command" must be a list of strings'),
        ("syntax", '{\n"fail_on": \n}', r"grindgate.json:3: "),
        ("twice", '{"fail_on": "note",\n "fail_on": "error"}', r"grindgate.json:2: "),
        ("array", "[]", r"must be a JSON object"),
        ("absolute output", '{"outputs": ["json:/tmp/x.json"]}', r'grindgate.json:1: "outputs" leads out of the directory'),
        ("output above", '{"outputs": ["json:sub/../../x.json"]}', r'"outputs" leads out of the directory'),
        ("output through a link", '{"outputs": ["json:link/x.json"]}', r'"outputs" leads out of the directory'),
        ("policy", '{"policy": {"auxiliary": "x"}}', r'"x" is none of open\|external'),
    ]
    for name, text, message in cases:
        config(d, text)
        expect("config " + name, run(["check", "clean.xml"], d), 2, "^$", message)
    config(d, '{"suppressions": "none.supp"}')
    expect("config path", run(["check", "../clean.xml"], os.path.join(d, "sub")), 2, "^$", r"none.supp: .*No such file")
    config(d, '{"outputs": ["json:made.json"]}')
    expect("config output", run(["check", "../clean.xml"], os.path.join(d, "sub")), 0)
    if not os.path.exists(os.path.join(d, "made.json")):
        failures.append("an output of grindgate.json is not relative to it")
    os.remove(os.path.join(d, "grindgate.json"))


def schema_matches_table():
    with open(os.path.join(SOURCE, "src/cli/options.def")) as file:
        rows = re.findall(r'GG_OPTION\(\w+, "[^"]+", [^,]+, \w+, (NULL|"[^"]+")', file.read())
    keys = {row.strip('"') for row in rows if row != "NULL"}
    with open(os.path.join(SOURCE, "schemas/config-1.schema.json")) as file:
        properties = json.load(file)["properties"]
    known = set(properties) - {"$schema", "command", "policy"}
    known |= {"policy." + key for key in properties["policy"]["properties"]}
    if keys != known:
        failures.append(f"config-1.schema.json and options.def differ in {sorted(keys ^ known)}")


def main():
    with tempfile.TemporaryDirectory() as directory:
        directory = os.path.realpath(directory)
        make_repository(directory)
        os.mkdir(os.path.join(directory, "sub"))
        os.symlink("/tmp", os.path.join(directory, "link"))
        help_texts(directory)
        mistakes(directory)
        precedence(directory)
        settings(directory)
    schema_matches_table()
    for failure in failures:
        print("FAILED", failure)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
