#!/usr/bin/env python3
"""Are reports what their readers expect? Parsed by others' parsers, never by our own code.

    check.py [--official DIR] FILE...        files by their suffix: .json .sarif .xml .txt
    check.py [--official DIR] --samples WRITESAMPLE
                                             all samples in all formats, the hostile ones too

Without --official: our JSON against our schema, and for SARIF, JUnit and text the traps that no
schema knows. With it: the official schemas in DIR (skipped, status 77, when it is not there).
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

try:
    import jsonschema
except ImportError:
    jsonschema = None

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SKIP = 77
FATES = ["open", "suppressed", "known", "out-of-scope", "external"]
LINK = re.compile(r"\[([^\]]*)\]\(([^)]+)\)")
PAGE_COLOURS = re.compile(r"\x1b\[(?:0|1|2|1;31|1;32|1;33|1;36)m")


def expect(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


def is_acting(char):
    """A character that moves the cursor, reorders or hides text."""
    code = ord(char)
    return (code < 0x20 or 0x7F <= code <= 0x9F or code in (0xAD, 0x61C, 0xFEFF, 0xFFFE, 0xFFFF)
            or 0x200B <= code <= 0x200F or 0x2028 <= code <= 0x202E or 0x2060 <= code <= 0x206F
            or 0xD800 <= code <= 0xDFFF or 0xE0000 <= code <= 0xE007F)


def check_log(data):
    """What a CI runner does with the lines of a log, whatever it is that is printed there."""
    text = data.decode("utf-8")
    expect("##[" not in text, "a command of the first kind anywhere in a line")
    for line in re.split(r"[\r\n]", text):
        expect(not line.lstrip().startswith("::"), "a command begins a line:", line[:60])
    return text


def walk(value, path="$"):
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, path + "." + key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(inner, f"{path}[{index}]")


def load_json(data):
    def unique(pairs):
        keys = [key for key, _ in pairs]
        expect(len(keys) == len(set(keys)), "a key twice:", keys)
        return dict(pairs)

    document = json.loads(check_log(data), object_pairs_hook=unique)
    for path, value in walk(document):
        if isinstance(value, str):
            bad = [char for char in value if is_acting(char) and char not in "\n\t"]
            expect(not bad, "acting characters at", path, bad)
    return document


# --- grindgate JSON ------------------------------------------------------------------------

def tighten(schema):
    """The schema with no keys but those it describes, so that none stays undescribed."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema = dict(schema, additionalProperties=False)
        return {key: tighten(value) for key, value in schema.items()}
    return [tighten(item) for item in schema] if isinstance(schema, list) else schema


def own_schema():
    with open(os.path.join(ROOT, "schemas", "report-1.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(tighten(schema),
                                      format_checker=jsonschema.FormatChecker())


def check_report(data, official):
    report = load_json(data)
    if official:
        return
    for error in own_schema().iter_errors(report):
        expect(False, list(error.path), error.message)
    fates = [finding["fate"] for finding in report["findings"]]
    expect(report["verdict"]["counts"] == {fate: fates.count(fate) for fate in FATES}, "counts")
    expect(list(report["verdict"]["counts"]) == FATES, "order of counts")
    ids = [finding["id"] for finding in report["findings"]]
    expect(len(ids) == len(set(ids)), "an id twice")
    for finding in report["findings"]:
        runs = finding["runs"]
        expect(runs == sorted(set(runs)) and all(run < len(report["runs"]) for run in runs), runs)
        expect([witness["run"] for witness in finding["witnesses"]] == runs, "witnesses")
        expect(finding["tests"] == sorted(set(finding["tests"]), key=os.fsencode), "tests")
        seen = sum(w["count"] for w in finding["witnesses"] if not w.get("copy"))
        expect(finding["count"] == seen, "count", finding["count"], seen)


# --- SARIF ---------------------------------------------------------------------------------

def check_uri(location, bases):
    artifact = location["artifactLocation"]
    uri = artifact["uri"]
    expect(re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri), "uri", uri)
    expect(not uri.startswith("/"), "absolute uri", uri)
    expect(all(part not in ("", ".", "..") for part in uri.split("/")), "uri", uri)
    expect(artifact["uriBaseId"] in bases, "uriBaseId")
    expect(location["region"]["startLine"] >= 1, "startLine")


def check_location(location, bases):
    """A logical location alone breaks some readers; a location needs at least a text."""
    if "physicalLocation" in location:
        check_uri(location["physicalLocation"], bases)
    else:
        expect("logicalLocations" not in location, "a logical location alone")
        expect(location["message"]["text"], "a location without text")


def check_rule(rule):
    expect(rule["name"] != rule["id"] and len(rule["name"]) <= 255, "name of", rule["id"])
    for key in ("shortDescription", "fullDescription"):
        text = rule[key]["text"]
        expect(text.endswith(".") and len(text) <= 1024, key, text)
    expect(rule["help"]["text"] and rule["help"]["markdown"], "help")
    properties = rule["properties"]
    expect(len(properties["tags"]) == len(set(properties["tags"])) <= 10, "tags")
    expect(properties["precision"] in ("very-high", "high", "medium", "low"), "precision")
    severity = properties.get("security-severity")
    expect(("security" in properties["tags"]) == (severity is not None), "security tag")
    expect(severity is None or 0 < float(severity) <= 10, "security-severity")


def check_taxon(taxon, run):
    component = run["taxonomies"][taxon["toolComponent"]["index"]]
    expect(component["name"] == taxon["toolComponent"]["name"], "taxonomy")
    expect(component["taxa"][taxon["index"]]["id"] == taxon["id"], "taxon", taxon)


def check_message(result):
    text = result["message"]["text"]
    expect(text.endswith("."), "message without an end:", text)
    ids = [location["id"] for location in result.get("relatedLocations", [])]
    expect(len(ids) == len(set(ids)), "an id of a location twice")
    for label, target in LINK.findall(text):
        expect(target.isdigit() and int(target) in ids, "a link that is none:", label, target)


def check_result(result, run):
    rules, bases = run["tool"]["driver"]["rules"], run["originalUriBaseIds"]
    expect(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex")
    check_message(result)
    expect(len(result["locations"]) == 1, "locations")
    check_uri(result["locations"][0]["physicalLocation"], bases)
    for location in result["locations"] + result.get("relatedLocations", []):
        check_location(location, bases)
        expect("physicalLocation" in location, "a location that is no place")
        expect("message" not in location or not LINK.search(location["message"]["text"]), "link")
    for flow in result.get("codeFlows", []):
        for step in flow["threadFlows"][0]["locations"]:
            check_uri(step["location"]["physicalLocation"], bases)
    for stack in result.get("stacks", []):
        expect(not LINK.search(stack["message"]["text"]), "link in a stack")
        for frame in stack["frames"]:
            check_location(frame["location"], bases)
            expect(not LINK.search(frame["location"]["message"]["text"]), "link in a frame")
    for taxon in result.get("taxa", []):
        check_taxon(taxon, run)
    expect("suppressions" not in result and "baselineState" not in result, "shown as open anyway")
    for key in result["partialFingerprints"]:
        expect(re.fullmatch(r"[^/]+/v[0-9]+", key), "fingerprint", key)


def check_sarif(data, official):
    log = load_json(data)
    if official:
        for name in ("json", "codeql-action.json", "multitool.json", "prose.json"):
            with open(os.path.join(official, "sarif-schema-2.1.0." + name), encoding="utf-8") as f:
                schema = json.load(f)
            validator = jsonschema.validators.validator_for(schema)
            for error in validator(schema,
                                   format_checker=jsonschema.FormatChecker()).iter_errors(log):
                expect(False, name, list(error.path), error.message[:400])
        return
    expect(log["version"] == "2.1.0" and len(log["runs"]) == 1, "one run")
    run = log["runs"][0]
    for rule in run["tool"]["driver"]["rules"]:
        check_rule(rule)
        for relationship in rule.get("relationships", []):
            check_taxon(relationship["target"], run)
    expect(run["columnKind"] == "utf16CodeUnits", "columnKind")
    expect(all("uri" not in base for base in run["originalUriBaseIds"].values()), "machine path")
    places = [(result["ruleId"], json.dumps(result["locations"][0]["physicalLocation"]))
              for result in run["results"]]
    expect(len(places) == len(set(places)), "two results of one rule on one line")
    for result in run["results"]:
        check_result(result, run)
    failed = run["properties"]["outcome"] == "incomplete"
    expect(run["invocations"][0]["executionSuccessful"] != failed, "executionSuccessful")
    levels = [n["level"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    expect(failed or "error" not in levels, "a notification of level error means failure")


# --- JUnit ---------------------------------------------------------------------------------

def check_junit(data, official):
    if official:
        schema = os.path.join(official, "junit-10.jenkins.xsd")
        done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", schema, "-"],
                              input=data, stderr=subprocess.PIPE, check=False)
        expect(done.returncode == 0, done.stderr.decode("utf-8", "replace")[:400])
        return
    check_log(data)
    root = ElementTree.fromstring(data)
    names, totals = [], {"tests": 0, "failures": 0, "errors": 0}
    for suite in root:
        cases = list(suite)
        names += [(suite.get("name"), case.get("classname"), case.get("name")) for case in cases]
        counts = {"tests": len(cases)}
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            counts[key] = sum(case.find(tag) is not None for case in cases)
        for key, count in counts.items():
            expect(suite.get(key) == str(count), suite.get("name"), key, count)
        expect(all(len(case) <= 1 for case in cases), "two results of one case")
        totals = {key: total + counts[key] for key, total in totals.items()}
    for key, total in totals.items():
        expect(root.get(key) == str(total), key, total)
    expect(len(names) == len(set(names)), "a case twice")
    expect(totals["tests"] > 0, "no case at all")
    for element in root.iter():
        for text in [element.text or "", *element.attrib.values()]:
            expect("[[ATTACHMENT" not in text, "an attachment")
            expect(not [char for char in text if is_acting(char) and char != "\n"], repr(text))


# --- text ----------------------------------------------------------------------------------

def check_text(data, official):
    if official:
        return
    text = check_log(PAGE_COLOURS.sub("", data.decode("utf-8")).encode("utf-8"))
    expect(not [char for char in text if is_acting(char) and char != "\n"], "acting characters")
    last = text.splitlines()[-1] if text.endswith("\n") else "(cut)"
    expect(re.match(r"(PASS|FAIL|INCOMPLETE|PROGRAM FAILED) \(exit [0134]\): .*complete$", last),
           last)


# --- samples -------------------------------------------------------------------------------

HOSTILE = [
    b"\x1b[2J\x1b[H", b"\x1b]0;t\x07", b"\x1b]8;;http://e\x1b\\x\x1b]8;;\x1b\\",
    b"\rOK all clean", b"\x08\x08", b"\xc2\x9b31m", b"\x9b", b"a\xe2\x80\xaecba", b"x\nPASS",
    b"\n::error::x", b"\r::add-mask::a", b"%0A::stop-commands::t", b"a,line=1", b"a::b", b"::error::x",
    b"##[error]x", b"##[add-mask]e", b"##[set-output name=gate]pass", b"\xc2\xa0::debug::",
    b"\xe3\x80\x80 ::warning::", b"a\nPATH=/evil", b"x<<EOF",
    b"\x1b[0Ksection_start:1:a\r\x1b[0K", b"<x>&amp;\"']]>", b"\x01", b"\xef\xbf\xbe", b"\xff",
    b"[[ATTACHMENT|/etc/passwd]]", b"[[[[ATTACHMENT|a]]", b"--> <!-- -->", b"</failure></testcase>",
    b"\"\\\x1f\x7f", b"\xed\xa0\x80", b"</script>", b"\xe2\x80\xa8", b"operator[](int)",
    b"operator delete[](void*)", b"[x](http://evil)", b"[x](0)", b"](1)", b"{0} {{",
    b"[a](javascript:x)", b"a b.c", b"100%.c", b"a:b.c", b"../x", b"/abs", b"a\\b.c",
    b"\xc3\xa9.c", b"#x.c", b"?q.c", b"dir//x", b"./x", b"x/", b"..", b"$(id)", b"%s%n%1000000d",
    b"=cmd()", b"." * 3000, b"a" * 20000, b"\xf0\x9f\x98\x80" * 700, b"] (" * 400, b"    ", b".", b"",
    bytes(range(1, 256)), bytes(range(255, 0, -1)),
]


def samples(writesample):
    """(name, format, output) of every sample."""
    forms = {"json": "json", "sarif": "sarif", "junit": "xml", "text": "txt"}
    for form, suffix in forms.items():
        for name in ("clean", "fail", "incomplete"):
            yield f"{name}.{suffix}", subprocess.run(
                [writesample, form, name], stdout=subprocess.PIPE, check=True).stdout
        for index, evil in enumerate(HOSTILE):
            extra = [["--color"], ["-v"], []][index % 3] if form == "text" else []
            yield f"hostile{index}.{suffix}", subprocess.run(
                [writesample, form, "hostile", *extra], input=evil, stdout=subprocess.PIPE,
                check=True).stdout


CHECKS = {".json": check_report, ".sarif": check_sarif, ".xml": check_junit, ".txt": check_text}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--official", metavar="DIR")
    parser.add_argument("--samples", metavar="WRITESAMPLE")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if jsonschema is None:
        print("skipped: python3-jsonschema is not installed")
        return SKIP
    if args.official and not os.path.isdir(args.official):
        print(f"skipped: the official schemas are not in {args.official}")
        return SKIP
    if args.official and not shutil.which("xmllint"):
        print("skipped: xmllint (libxml2-utils) is not installed")
        return SKIP
    failed, count = 0, 0
    outputs = list(samples(args.samples)) if args.samples else []
    for path in args.files:
        with open(path, "rb") as file:
            outputs.append((path, file.read()))
    for name, data in outputs:
        count += 1
        try:
            CHECKS[os.path.splitext(name)[1]](data, args.official)
        except (AssertionError, ValueError, LookupError, TypeError,
                ElementTree.ParseError) as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {error}")
    print(f"{count} files, {failed} not as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
