#!/usr/bin/env python3
"""Compares docs/completeness.md with what happens: every row is produced with the real grindgate and
the real valgrind, and must give the exit status and the sentence the row has.

    completeness.py BUILD/grindgate [--show] [ID...|FILE...]    rows, or all rows of ways/FILE.py
    completeness.py --table                                     only: a case for each row and back

--show prints what grindgate said instead. Exit status 77: all was skipped.
"""

import argparse
import concurrent.futures
import importlib
import os
import re
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "ways"))
import world  # noqa: E402

PAGE = os.path.join(HERE, "..", "..", "docs", "completeness.md")
SKIPPED = 77
SIDE_BY_SIDE = 2
FEWEST = {"undone": 30, "harmless": 10}  # rows of each table


class Row:
    """| `id` | what happens | exit | `sentence` |"""

    def __init__(self, line, table):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        assert len(cells) == 4, f"a row has four cells: {line}"
        self.name, self.what, status, sentence = cells
        self.name = self.name.strip("`")
        self.table, self.status = table, int(status)
        assert re.fullmatch(r"`[^`]+`", sentence), f"a sentence stands between backticks: {line}"
        self.sentence = sentence.strip("`").replace("\\|", "|")

    def occurs_in(self, text):
        """<...> stands for any words of one line."""
        parts = re.split(r"<[^>]+>", self.sentence)
        return re.search("[^\n]+?".join(re.escape(part) for part in parts), text) is not None


def read_page():
    """Rows by id. Each table is the first after a heading whose name begins with an anchor."""
    rows, table = {}, None
    with open(PAGE, encoding="utf-8") as page:
        for line in page:
            anchor = re.match(r'<a id="(\w+)"></a>', line)
            if anchor:
                table = anchor[1]
            if table and line.startswith("| `"):
                row = Row(line, table)
                assert row.name not in rows, f"two rows {row.name}"
                rows[row.name] = row
    return rows


def load(files):
    for file in files:
        importlib.import_module(file)
    return {name: function.__module__ for name, function in world.WAYS.items()}


def all_files():
    return sorted(name[:-3] for name in os.listdir(os.path.join(HERE, "ways"))
                  if name.endswith(".py") and name != "world.py")


def check_table():
    rows, ways = read_page(), load(all_files())
    problems = [f"{name}: a row without a test" for name in rows if name not in ways]
    problems += [f"{name}: a test without a row" for name in ways if name not in rows]
    problems += [f"{row.name}: exits with 0" for row in rows.values()
                 if row.table == "undone" and row.status == 0]
    for table, fewest in FEWEST.items():
        count = sum(row.table == table for row in rows.values())
        if count < fewest:
            problems.append(f"the table {table} has {count} rows, not {fewest}")
    return problems


def produce(here, name):
    """What grindgate said, or why it could not be made to."""
    begun, case, said, problem = time.monotonic(), here.case(), None, None
    try:
        said = world.WAYS[name](case)
    except world.Skip as why:
        problem = why
    except Exception:  # pylint: disable=broad-except
        problem = traceback.format_exc()
    finally:
        case.close()
    return name, said, problem, time.monotonic() - begun


def judge(row, said, problem):
    """A word for how it went, and what is wrong."""
    if isinstance(problem, world.Skip):
        return "skipped", str(problem)
    if problem:
        return "FAILED", problem
    if said.status != row.status:
        return "FAILED", f"exit status {said.status}, not {row.status}:\n{said.text}"
    if not row.occurs_in(said.text):
        return "FAILED", f"it does not say\n  {row.sentence}\nbut\n{said.text}"
    return "ok", ""


def produce_all(grindgate, wanted, show):
    rows = {} if show else read_page()
    counts = {"ok": 0, "skipped": 0, "FAILED": 0}
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        here = world.World(grindgate, scratch)
        with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            for result in pool.map(lambda name: produce(here, name), wanted):
                name, said, problem, seconds = result
                if show:
                    print(f"=== {name} ({seconds:.1f} s): "
                          f"{problem if problem else said.status}\n{said.text if said else ''}")
                    continue
                word, wrong = judge(rows[name], said, problem)
                counts[word] += 1
                print(f"{word:8}{name} ({seconds:.1f} s) {wrong}", flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grindgate", nargs="?")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_intermixed_args()
    if options.table:
        problems = check_table()
        print("\n".join(problems) if problems else "a test for each row, a row for each test")
        return 1 if problems else 0
    if not options.grindgate:
        parser.error("which grindgate?")
    files = load(all_files())
    names = options.names or list(files)
    wanted = [name for name, file in files.items() if name in names or file in names]
    if not wanted:
        parser.error("no row is named so")
    counts = produce_all(os.path.abspath(options.grindgate), wanted, options.show)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    if counts["FAILED"]:
        return 1
    return 0 if counts["ok"] or options.show else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
