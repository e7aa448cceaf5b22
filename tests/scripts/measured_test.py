#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/measured writes tables of runs and values in prose, and finds those that are old."""

import json
import subprocess
import unittest

import copied_project

FIGURE = {"panels": [{"name": "a", "series": [
    {"name": "with, or", "points": [{"x": 10, "y": 2.46, "half_width": None}]}]}]}
TABLES = '''
from measured_entries import Excerpt, Row, Session, Table, at

NETWORKS = {}
ENTRIES = (
    Table("rounds", "docs/page.md", ("what", "mean"),
          (Row(("short",), (("run net --barriers 1", at("mean", ".1f")),)),
           Row(("long",), (("run net --barriers 9", at("mean", ".1f")),), quick=False))),
    Session("talk", "docs/page.md", "run net --barriers 3"),
    Excerpt("some", "README.md", "run net --barriers 8", ("second",)),
    Excerpt("some", "README.md", "run net --barriers 10", ("third",), "sw4"),
)
'''
# Stands for the program: the mean of a run is half its barriers.
MUSTER = '''#!/usr/bin/env python3
import sys
if sys.argv[1:3] == ["topo", "gen"]:
    sys.exit()
n = int(sys.argv[sys.argv.index("--barriers") + 1])
if "--json" in sys.argv or n == 3:
    print('{"mean": %s}' % (n / 2))
else:
    print("first")
    print("second", n)
    print("third", n)
'''
TABLE = """<!-- table measured rounds -->
| what  | mean |
|-------|------|
| short |  0.5 |
| long  |  4.5 |
<!-- end -->

<!-- session talk -->
```
$ muster run net --barriers 3
{"mean": 1.5}
```
<!-- end -->
"""


class Measured(unittest.TestCase):
    def setUp(self):
        self.project = copied_project.copied_scripts(self, "docs/figures", "synth", "build")
        (self.project / "scripts/measured_tables.py").write_text(TABLES)
        (self.project / "docs/figures/pre-1.json").write_text(json.dumps(FIGURE))
        muster = self.project / "build/muster"
        muster.write_text(MUSTER)
        muster.chmod(0o755)
        self.readme = self.project / "README.md"
        self.readme.write_text("first\nsecond 8\nthird 10\n")
        self.page = self.project / "docs/page.md"
        self.page.write_text(TABLE)

    def measured(self, *arguments):
        done = subprocess.run([self.project / "scripts/measured", *arguments], text=True,
                              capture_output=True)
        return done.returncode, done.stdout + done.stderr

    def prose(self, text):
        self.page.write_text(TABLE + text + "\n")

    def test_a_table_has_what_the_commands_give(self):
        self.page.write_text("<!-- table measured rounds -->\n<!-- end -->\n\n"
                             "<!-- session talk -->\n<!-- end -->\n")
        self.assertEqual(self.measured(), (0, ""))
        self.assertEqual(self.page.read_text(), TABLE)
        self.assertEqual(self.measured("--quick"), (0, ""))
        self.assertEqual(self.measured("--check"), (0, ""))

    def test_quick_finds_a_row_that_is_old_and_runs_no_slow_one(self):
        self.page.write_text(TABLE.replace("4.5", "4.6"))
        self.assertEqual(self.measured("--quick"), (0, ""))
        self.page.write_text(TABLE.replace("0.5", "0.6"))
        status, said = self.measured("--quick")
        self.assertEqual(status, 1)
        self.assertIn("docs/page.md: old, or not there: short | 0.5", said)
        self.page.write_text(TABLE.replace("1.5", "1.6"))
        self.assertIn('old, or not there: {"mean": 1.5}', self.measured("--quick")[1])

    def test_quick_finds_rows_and_heads_that_are_not_those_of_the_list(self):
        for old, new in (("| long  |  4.5 |\n", ""), ("| mean |", "| median |"),
                         ("| long  |", "| other |"),
                         ("| long  |  4.5 |\n", "| long  |  4.5 |\n| third |  1.0 |\n")):
            self.page.write_text(TABLE.replace(old, new))
            status, said = self.measured("--quick")
            self.assertEqual(status, 1, new)
            self.assertIn("docs/page.md: old, or not there: head and first columns", said)

    def test_lines_of_a_page_are_what_the_command_prints_where_its_model_is_built(self):
        self.readme.write_text("first 1\nsecond 7\nthird 9\n")
        status, said = self.measured("--quick")
        self.assertEqual((status, said), (1, "README.md: old, or not there: second 7; "
                                             "scripts/measured some writes it\n"))
        (self.project / "build/models").mkdir()
        (self.project / "build/models/sw4.so").write_text("")
        self.assertIn("not there: third 9", self.measured("--quick")[1])
        self.assertEqual(self.measured("some"), (0, ""))
        self.assertEqual(self.readme.read_text(), "first 1\nsecond 8\nthird 10\n")

    def test_a_table_that_is_not_listed_and_one_without_a_place_are_found(self):
        self.page.write_text(TABLE.replace("measured rounds", "measured others"))
        status, said = self.measured("--check")
        self.assertEqual(status, 1)
        self.assertIn("docs/page.md: no place for the table measured rounds", said)
        self.assertIn("docs/page.md: measured_tables.py has no table measured others", said)

    def test_values_of_all_sources_are_found_with_the_decimals_shown(self):
        self.prose("0.5<!-- = table measured rounds; short; mean --> "
                   "2.5<!-- = figure pre-1 a; with, or; 10 --> "
                   "9.00<!-- = table measured rounds; long; mean / "
                   "table measured rounds; short; mean -->")
        self.assertEqual(self.measured("--check"), (0, ""))

    def test_an_old_value_is_found_and_written(self):
        self.prose("It takes 4.4<!-- = table measured rounds; long; mean --> cycles.")
        status, said = self.measured("--check")
        self.assertEqual(status, 1)
        self.assertIn("docs/page.md: 4.4 is 4.5 by table measured rounds; long; mean", said)
        self.assertEqual(self.measured("--values"), (0, ""))
        self.assertIn("It takes 4.5<!-- = table measured rounds; long; mean --> cycles.",
                      self.page.read_text())
        self.assertEqual(self.measured("--check"), (0, ""))

    def test_a_source_without_a_value_and_a_comment_without_a_number_are_errors(self):
        for text, said in (("1<!-- = table measured rounds; none; mean -->", "0 rows none"),
                           ("1<!-- = guess sw4 -->", "a source is one of figure"),
                           ("some<!-- = table measured rounds; short; mean -->",
                            "without a number before it")):
            self.prose(text)
            status, found = self.measured("--check")
            self.assertEqual(status, 1, text)
            self.assertIn(said, found)

    def test_code_shows_a_value_and_has_none(self):
        self.prose("`9<!-- = table measured rounds; short; mean -->` and "
                   "0.5<!-- = table measured rounds; short; mean -->")
        self.assertEqual(self.measured("--check"), (0, ""))

    def test_a_table_of_numbers_that_no_command_writes_is_found(self):
        (self.project / "tests").mkdir()
        for name, number in (("held", "12'345"), ("old", "12'344 112'345")):
            (self.project / f"tests/{name}.cpp").write_text(f"CHECK(1 == {number}, 2);")
        rows = "|---|---|---|\n| a | 1 | 2.5 ± 0.1 |\n| b | 12 345 | |\n"
        found = "docs/page.md:15: a table of numbers that no command writes\n"
        for before, head, said in (
                ("", "| what | min | max |", found),
                ("", "| parameter | default | greatest |", ""),
                ("<!-- numbers of tests/held.cpp -->", "| what | min | max |", ""),
                ("<!-- numbers of tests -->", "| what | min | max |", ""),
                ("<!-- numbers of tests/old.cpp -->", "| what | min | max |",
                 "docs/page.md:15: tests/old.cpp has no 12345\n"),
                ("<!-- numbers of tests/none.cpp -->", "| what | min | max |",
                 "docs/page.md:15: no such file: tests/none.cpp\n")):
            self.prose(f"{before}\n{head}\n{rows}")
            self.assertEqual(self.measured("--check"), (1 if said else 0, said), before + head)
        self.prose("\n| what | min |\n|---|---|\n| a | 1 |")
        self.assertEqual(self.measured("--check"), (0, ""))

    def test_a_name_that_is_no_table_is_refused(self):
        self.assertEqual(self.measured("round"), (2, "measured: no table round\n"))


if __name__ == "__main__":
    unittest.main()
