#!/usr/bin/env python3
"""Does schemas/rules-1.schema.json accept exactly the rules that the loader takes?

    rules.py RULECHECK

Judged by python3-jsonschema on one side and by the loader (tests/support/rulecheck.c) on the other.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIP = 77
LEAK = {"kinds": ["leak"]}


def file(*rules, **more):
    return {"version": 1, "rules": list(rules), **more}


def rule(match=LEAK, **more):
    return file({"id": "a", "reason": "r", "match": match, **more})


def without(key):
    made = {"id": "a", "reason": "r", "match": LEAK}
    del made[key]
    return file(made)


def frames(*items):
    return rule({"frames": list(items)})


def names():
    """Kinds and groups, as include/grindgate/kinds.def has them."""
    with open(os.path.join(ROOT, "include/grindgate/kinds.def"), encoding="utf-8") as table:
        rows = re.findall(r"^GG_KIND\((\w+), (\w+),", table.read(), re.M)
    return [name for name, _ in rows] + sorted({group for _, group in rows})


GOOD = [
    file(),
    file(**{"$schema": "x"}),
    {"version": 1.0, "rules": []},
    rule(),
    file({"id": "a", "reason": "r", "match": LEAK}, {"id": "b", "reason": "r", "match": LEAK}),
    rule(owner="o", ticket="t", expires="2030-01-31", action="fail", tests=["a*"], branches=["b"]),
    *(rule(action=action) for action in ("suppress", "downgrade", "upgrade", "fail")),
    *(rule({"kinds": [name]}) for name in names()),
    rule({"kinds": ["leak", "leak"]}),
    rule({"message": "a|b", "test": "^t", "command": "c$"}),
    rule({"message": " "}),
    rule({"message": "\u00e9"}),
    *(rule({key: {end: 0}}) for key in ("bytes", "blocks") for end in ("min", "max")),
    rule({"bytes": {"min": 7, "max": 7.0}, "blocks": {"max": 9000000000000000}}),
    rule({"own_within": 1}),
    rule({"own_within": 5000000000}),
    *(frames({key: "x"}) for key in ("function", "object", "file", "path")),
    frames({"function": "f", "object": "o", "file": "g", "path": "a/**", "within": 3}, {"path": "*.c"}),
    frames(*[{"function": "f"}] * 500),
    rule(expires="2028-02-29"),
    rule(tests=["/suite/*"]),
]

BAD = [
    7, [], {}, None, "x",
    {"version": 1}, {"rules": []}, {"version": 2, "rules": []}, {"version": "1", "rules": []},
    {"version": True, "rules": []}, {"version": 1, "rules": {}},
    file(x=1), file(**{"$schema": 1}),
    file(7), file([]), file(None), file({}),
    without("id"), without("reason"), without("match"),
    *(rule(**{key: value}) for key in ("id", "reason", "owner", "ticket", "expires", "action")
      for value in ("", 7, None, ["x"])),
    *(rule(**{key: value}) for key in ("tests", "branches") for value in ("x", [], [""], [7], {}, None)),
    rule(extra=1), rule(Action="fail"), rule(action="Suppress"), rule(action="ignore"),
    *(rule(expires=day) for day in ("2030-1-31", "2030-13-01", "2030-00-01", "2030-01-32",
                                    "2030-01-00", "31.01.2030", "2030-01-31T00:00", "soon")),
    *(rule(match) for match in ({}, [], 7, None, "x", {"kind": ["leak"]}, {"frame": []})),
    *(rule({"kinds": value}) for value in ([], "leak", ["Leak"], ["invalidread"], [7], [""], None)),
    *(rule({key: value}) for key in ("message", "test", "command") for value in ("", 7, ["x"], None)),
    *(rule({key: value}) for key in ("bytes", "blocks")
      for value in (7, [], {}, {"min": -1}, {"min": 1.5}, {"min": "1"}, {"max": None},
                    {"min": 1, "least": 1}, {"max": 9000000000000001}, {"min": True})),
    *(rule({"own_within": value}) for value in (0, -1, 1.5, "1", None, [], True)),
    *(frames(item) for item in ({}, 7, None, [], {"within": 1}, {"function": ""}, {"function": 7},
                                {"function": "f", "within": 0}, {"function": "f", "x": 1},
                                {"path": "/a"}, {"path": "./a"}, {"path": "a/"}, {"path": ""})),
    rule({"frames": []}), rule({"frames": {}}), frames(*[{"function": "f"}] * 501),
]

# What no schema can say; its description lists these.
BEYOND = [
    file({"id": "a", "reason": "r", "match": LEAK}, {"id": "a", "reason": "r", "match": LEAK}),
    rule({"message": "("}), rule({"command": "\\C"}), rule({"message": "a" * 4097}),
    frames({"function": "*"}),
    rule({"bytes": {"min": 2, "max": 1}}),
    rule(tests=["[a"]), rule(branches=["a\\"]), frames({"path": "[a"}),
    '{"version": 1, "version": 1, "rules": []}',
]

# Days that a pattern lets through; a validator that knows the format "date" does not.
DAYS = [rule(expires=day) for day in ("2030-02-30", "2030-02-29", "1900-02-29", "0000-01-01")]


def examples():
    with open(os.path.join(ROOT, "docs/rules.md"), encoding="utf-8") as manual:
        return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", manual.read(), re.S)]


def loader_says(program, values):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, value in enumerate(values):
            paths.append(os.path.join(folder, f"{i}.json"))
            with open(paths[-1], "w", encoding="utf-8") as out:
                out.write(value if isinstance(value, str) and value[0] == "{" else json.dumps(value))
        told = subprocess.run([program, *paths], check=True, capture_output=True, text=True)
    lines = told.stdout.splitlines()
    if len(lines) != len(values):
        raise AssertionError(told.stdout)
    return lines


def main():
    if jsonschema is None:
        print("skipped: python3-jsonschema is not installed")
        return SKIP
    with open(os.path.join(ROOT, "schemas/rules-1.schema.json"), encoding="utf-8") as text:
        schema = json.load(text)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    dates = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker(["date"]))
    cases = [(value, True, validator) for value in GOOD + examples()]
    cases += [(value, False, validator) for value in BAD]
    cases += [(value, False, dates) for value in DAYS]
    cases += [(value, False, None) for value in BEYOND]
    faults = 0
    for (value, good, judge), said in zip(cases, loader_says(sys.argv[1], [c[0] for c in cases])):
        accepted = judge.is_valid(value) if judge else True
        if (said == "ok") != good or (judge and accepted != good):
            print(f"{json.dumps(value)[:200]}\n  schema: {accepted}, loader: {said}")
            faults += 1
    print(f"{len(cases)} files, {faults} of them taken by the one and not by the other")
    return 1 if faults else 0


sys.exit(main())
