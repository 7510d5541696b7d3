#!/usr/bin/env python3
"""A change's own rules do not govern it: with the real grindgate, git and valgrind.

    change_rules.py BUILD/grindgate [NAME...]     NAMEs as unittest has them
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM = """\
#include <stdlib.h>
static void *old_leak(void) { return malloc(10); }
static void *new_leak(void) { return malloc(20); }
int main(void)
{
    return old_leak() == new_leak();
}
"""

# What the base commit has: the old leak is accepted.
OLD = "{\n   old\n   Memcheck:Leak\n   fun:malloc\n   fun:old_leak\n}\n"
NEW = OLD.replace("old", "new")
STRICT = ("--base", "main", "--strict-rules")


def rule(name, function, action="suppress"):
    return {"id": name, "reason": "a test", "action": action,
            "match": {"frames": [{"function": f"^{function}$"}]}}


class ChangeRules(unittest.TestCase):
    grindgate = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)
        self.repo = os.path.join(self.scratch, "repo")
        os.mkdir(self.repo)
        self.write("leaks.c", PROGRAM)
        self.write("accepted.supp", OLD)
        self.write("rules.json", json.dumps({"version": 1, "rules": [rule("old", "old_leak")]}))
        self.git("init", "-q", "-b", "main", ".")
        self.git("add", ".")
        self.git("commit", "-qm", "base")
        self.git("checkout", "-q", "-b", "topic")
        subprocess.run(["cc", "-g", "-O0", "-o", "leaks", "leaks.c"], cwd=self.repo, check=True)

    def environment(self):
        env = {name: value for name, value in os.environ.items()
               if not name.startswith(("GIT_", "GRINDGATE_", "VALGRIND"))}
        for who in ("AUTHOR", "COMMITTER"):
            env[f"GIT_{who}_NAME"], env[f"GIT_{who}_EMAIL"] = "Ada", "ada@example.org"
        env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
        return env

    def write(self, name, text):
        path = os.path.join(self.repo, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.repo, env=self.environment(), check=True)

    def gate(self, *arguments):
        command = [*shlex.split(os.environ.get("GG_LAUNCHER", "")), self.grindgate, "run",
                   "--no-selftest", *arguments, "--ignore-exit", "--", "./leaks"]
        return subprocess.run(command, cwd=self.repo, env=self.environment(), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              check=False)

    def judge(self, *arguments):
        """Exit status, and what each leaking function's finding became: fate, hidden or not."""
        report = os.path.join(self.scratch, "report.json")
        done = self.gate("-o", "json:" + report, *arguments)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        with open(report, encoding="utf-8") as file:
            findings = json.load(file)["findings"]
        return done.returncode, {finding["site"]["function"]:
                                 (finding["fate"], finding.get("hidden_by_change", False))
                                 for finding in findings}

    def test_an_added_block_hides_and_is_told(self):
        self.write("accepted.supp", OLD + NEW)
        both = ("--suppressions", "accepted.supp")
        self.assertEqual(self.judge(*both),
                         (0, {"old_leak": ("suppressed", False), "new_leak": ("suppressed", False)}))
        self.assertEqual(self.judge(*both, "--base", "main"),
                         (0, {"old_leak": ("suppressed", False), "new_leak": ("suppressed", True)}))
        self.assertEqual(self.judge(*both, *STRICT),
                         (1, {"old_leak": ("suppressed", False), "new_leak": ("open", True)}))
        text = self.gate(*both, "--base", "main").stdout
        told = text[text.index("Hidden by this change"):]
        self.assertIn("leaks.c:3", told)
        self.assertIn('"new" (accepted.supp:8)', told)
        self.assertNotIn("leaks.c:2", told)

    def test_committed_or_not_makes_no_difference(self):
        self.write("accepted.supp", OLD + NEW)
        self.git("commit", "-qam", "accept the new one")
        status, found = self.judge("--suppressions", "accepted.supp", *STRICT)
        self.assertEqual((status, found["new_leak"]), (1, ("open", True)))

    def test_a_widened_pattern_hides(self):
        self.write("accepted.supp", OLD.replace("fun:old_leak", "fun:*_leak"))
        status, found = self.judge("--suppressions", "accepted.supp", *STRICT)
        self.assertEqual((status, found), (1, {"old_leak": ("suppressed", False),
                                               "new_leak": ("open", True)}))

    def test_what_landed_on_the_base_branch_later_is_not_the_bases(self):
        """The merge base counts, where this change began."""
        self.git("checkout", "-q", "main")
        self.write("accepted.supp", OLD + NEW)
        self.git("commit", "-qam", "on main")
        self.git("checkout", "-q", "topic")
        self.write("accepted.supp", OLD + NEW)
        status, _ = self.judge("--suppressions", "accepted.supp", *STRICT)
        self.assertEqual(status, 1)
        self.git("checkout", "-q", "-f", "main")
        status, _ = self.judge("--suppressions", "accepted.supp", *STRICT)
        self.assertEqual(status, 0)

    def test_a_new_file_is_the_changes_own(self):
        self.write("extra/new.supp", NEW)
        status, found = self.judge("--suppressions", "accepted.supp",
                                   "--suppressions", "extra/new.supp", *STRICT)
        self.assertEqual((status, found["new_leak"]), (1, ("open", True)))

    def test_a_link_that_the_change_made_is_its_own(self):
        outside = os.path.join(self.scratch, "outside.supp")
        with open(outside, "w", encoding="utf-8") as out:
            out.write(NEW)
        os.symlink(outside, os.path.join(self.repo, "link.supp"))
        status, found = self.judge("--suppressions", "accepted.supp",
                                   "--suppressions", "link.supp", *STRICT)
        self.assertEqual((status, found["new_leak"]), (1, ("open", True)))
        status, found = self.judge("--suppressions", "accepted.supp",
                                   "--suppressions", outside, *STRICT)
        self.assertEqual((status, found["new_leak"]), (0, ("suppressed", False)))

    def test_a_link_to_a_directory_that_the_change_turns_is_its_own(self):
        self.write("strict/rules.json", json.dumps({"version": 1, "rules": [
            rule("never", ".*_leak", "fail")]}))
        self.write("lax/rules.json", json.dumps({"version": 1, "rules": [rule("all", ".*_leak")]}))
        current = os.path.join(self.repo, "current")
        os.symlink("strict", current)
        self.land("strict is current")
        self.assertEqual(self.judge("--rules", "current/rules.json", *STRICT)[0], 1)
        os.remove(current)
        os.symlink("lax", current)
        self.assertEqual(self.judge("--rules", "current/rules.json")[0], 0)
        self.assertEqual(self.judge("--rules", "current/rules.json", *STRICT)[0], 1)

    def test_what_the_base_downgrades_stays_downgraded(self):
        self.write("rules.json", json.dumps({"version": 1, "rules": [
            rule("less", ".*_leak", "downgrade")]}))
        self.land("downgraded")
        self.write("rules.json", json.dumps({"version": 1, "rules": [rule("all", ".*_leak")]}))
        self.assertEqual(self.judge("--rules", "rules.json", *STRICT),
                         (0, {"old_leak": ("open", False), "new_leak": ("open", False)}))

    def test_json_rules_alike(self):
        self.write("rules.json", json.dumps({"version": 1, "rules": [
            rule("old", "old_leak"), rule("lesser", "new_leak", "downgrade")]}))
        status, found = self.judge("--rules", "rules.json", "--base", "main")
        self.assertEqual((status, found["new_leak"]), (0, ("open", True)))
        status, found = self.judge("--rules", "rules.json", *STRICT)
        self.assertEqual((status, found["new_leak"]), (1, ("open", True)))

    def test_a_failing_rule_that_the_change_removes_still_fails(self):
        strict = {"version": 1, "rules": [rule("never", ".*_leak", "fail")]}
        self.write("rules.json", json.dumps(strict))
        self.git("commit", "-qam", "strict")
        self.git("branch", "-f", "main", "HEAD")
        self.write("rules.json", json.dumps({"version": 1, "rules": [rule("all", ".*_leak")]}))
        status, found = self.judge("--rules", "rules.json", "--base", "main")
        self.assertEqual((status, found["new_leak"]), (0, ("suppressed", True)))
        status, found = self.judge("--rules", "rules.json", *STRICT)
        self.assertEqual((status, found["new_leak"]), (1, ("open", True)))

    def configure(self, **settings):
        self.write("grindgate.json", json.dumps(settings))

    def land(self, message):
        """What is here now is what the base branch has."""
        self.git("add", ".")
        self.git("commit", "-qm", message)
        self.git("branch", "-f", "main", "HEAD")

    def test_a_file_that_the_change_puts_on_the_list_is_its_own(self):
        self.write("example.supp", NEW)
        self.configure(suppressions=["accepted.supp"])
        self.land("an example that no list has")
        self.configure(suppressions=["accepted.supp", "example.supp"])
        expected = {"old_leak": ("suppressed", False), "new_leak": ("suppressed", True)}
        self.assertEqual(self.judge("--base", "main"), (0, expected))
        self.assertEqual(self.judge(*STRICT)[0], 1)
        self.land("landed")
        self.assertEqual(self.judge(*STRICT)[0], 0)

    def test_a_file_that_only_moved_is_none_of_the_changes(self):
        self.configure(suppressions="accepted.supp")
        self.land("a list")
        os.mkdir(os.path.join(self.repo, "ci"))
        self.git("mv", "accepted.supp", "ci/moved.supp")
        self.configure(suppressions="ci/moved.supp")
        status, found = self.judge(*STRICT)
        self.assertEqual((status, found["old_leak"]), (1, ("suppressed", False)))
        self.assertEqual(found["new_leak"], ("open", False))

    def test_settings_that_the_change_removes_still_count(self):
        self.write("strict.json", json.dumps({"version": 1, "rules": [
            rule("never", "old_leak", "fail")]}))
        self.configure(rules=["strict.json"], suppressions=["accepted.supp"])
        self.land("a strict rule")
        self.configure(suppressions=["accepted.supp"])
        self.assertEqual(self.judge("--base", "main")[1]["old_leak"], ("suppressed", True))
        self.assertEqual(self.judge(*STRICT)[1]["old_leak"], ("open", True))
        os.remove(os.path.join(self.repo, "grindgate.json"))
        status, found = self.judge("--suppressions", "accepted.supp", *STRICT)
        self.assertEqual((status, found["old_leak"]), (1, ("open", True)))

    def test_lists_of_the_base_that_lead_nowhere_are_empty(self):
        for settings in ("{", '{"packs": ["none"]}', '{"suppressions": ["/no/such", 3]}', "[]"):
            self.write("grindgate.json", settings)
            self.land("broken settings")
            self.configure(suppressions=["accepted.supp"])
            self.assertEqual(self.judge("--base", "main")[1]["old_leak"], ("suppressed", True))

    def test_rules_that_could_not_be_read_then_are_none(self):
        self.write("accepted.supp", "no suppression\n")
        self.git("commit", "-qam", "broken")
        self.git("branch", "-f", "main", "HEAD")
        self.write("accepted.supp", OLD)
        status, found = self.judge("--suppressions", "accepted.supp", "--base", "main")
        self.assertEqual((status, found["old_leak"]), (1, ("suppressed", True)))

    def test_strict_rules_without_a_base_are_a_usage_error(self):
        done = self.gate("--strict-rules")
        self.assertEqual(done.returncode, 2)
        self.assertIn("name it with --base REV", done.stderr)

    def test_a_base_that_is_not_there_is_a_usage_error(self):
        done = self.gate("--base", "nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--base nowhere: is no commit of this repository; run git fetch",
                      done.stderr)


if __name__ == "__main__":
    ChangeRules.grindgate = os.path.abspath(sys.argv.pop(1))
    unittest.main()
