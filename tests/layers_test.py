#!/usr/bin/env python3
"""layers.py finds what it is there to find."""

import os
import tempfile
import unittest

import layers

CLEAN = {
    "include/grindgate/error.h": "",
    "include/grindgate/model.h": "",
    "include/grindgate/seams.h": '#include "grindgate/model.h"\n',
    "src/base/str.h": '#include "grindgate/error.h"\n',
    "src/base/str.c": '#include "base/str.h"\n#include <string.h>\n',
    "src/model/order.h": '#include "base/str.h"\n#include "grindgate/model.h"\n',
    "src/vcs/repo.h": '#include "model/order.h"\n#include "base/str.h"\n',
    "src/vcs/repo.c": '#include "vcs/repo.h"\n#include <git2.h>\n',
    "src/write/json.h": "",
    "src/cli/main.c": '#include "base/str.h"\n#include "grindgate/seams.h"\n',
    "src/grindgate.c": '#include "vcs/repo.h"\n#include "write/json.h"\n#include "session.h"\n',
    "src/session.h": '#include "grindgate/model.h"\n',
}


class LayersTest(unittest.TestCase):
    def found(self, **files):
        """The problems of the clean tree with these lines in front of some files."""
        tree = dict(CLEAN)
        for path, text in files.pop("files").items():
            tree[path] = text + tree.get(path, "")
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as out:
                    out.write(text)
            return list(layers.problems(root))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.found(files={}), [])

    def test_forbidden_arrows(self):
        for path, include, area in (
                ("src/write/json.h", "vcs/repo.h", "write"),
                ("src/vcs/repo.c", "write/json.h", "vcs"),
                ("src/model/order.h", "vcs/repo.h", "model"),
                ("src/base/str.c", "model/order.h", "base"),
                ("src/base/str.c", "grindgate/model.h", "base"),
                ("src/cli/main.c", "vcs/repo.h", "cli"),
                ("src/cli/main.c", "model/order.h", "cli"),
                ("src/cli/main.c", "session.h", "cli"),
                ("src/vcs/repo.c", "session.h", "vcs"),
                ("src/grindgate.c", "cli/main.c", "src"),
                ("include/grindgate/model.h", "base/str.h", "include/grindgate")):
            with self.subTest(path=path, include=include):
                self.assertEqual(self.found(files={path: f'#include "{include}"\n'}),
                                 [f"{path}:1: {area} may not include {include}"])

    def test_forms_of_the_same_include(self):
        for line in ('#include "../write/json.h"', ' #  include "write/json.h" // why'):
            with self.subTest(line=line):
                self.assertEqual(len(self.found(files={"src/vcs/repo.c": "\n" + line + "\n"})), 1)
        self.assertEqual(self.found(files={"src/base/str.c": "#include <grindgate/model.h>\n"}),
                         ["src/base/str.c:1: base may not include grindgate/model.h"])

    def test_an_unknown_stage_and_a_missing_file(self):
        self.assertEqual(self.found(files={"src/extra/thing.c": ""}),
                         ["src/extra/thing.c:1: extra/ is no stage known to tests/layers.py"])
        self.assertEqual(self.found(files={"src/vcs/repo.c": '#include "vcs/gone.h"\n'}),
                         ["src/vcs/repo.c:1: no such file: vcs/gone.h"])

    def test_long_files(self):
        self.assertEqual(len(self.found(files={"src/vcs/long.c": "\n" * 500})), 1)
        self.assertEqual(self.found(files={"src/vcs/long.c": "\n" * 499}), [])
        self.assertEqual(self.found(files={"include/grindgate/kinds.def": "\n" * 900}), [])


if __name__ == "__main__":
    unittest.main()
