#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/figures: tables follow from the results; a run that was stopped goes on, and a table that
is older than the program is found. The program is replaced by one that writes prepared figures:
this takes seconds."""

import json
import os
import subprocess
import unittest

import copied_project

# A figure of one panel with the curve y = 100 + 0.1 x, and what `muster figure` writes of it.
MUSTER = '''#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
here = pathlib.Path(__file__).parent
with (here / "calls").open("a") as calls:
    calls.write(" ".join(words) + "\\n")
if words[0] == "topo":
    sys.exit(int((here / "topo_status").read_text()))
figures = words[1:words.index("--out")]
if (here / "broken").exists() and (here / "broken").read_text() in figures:
    sys.exit("no space")
slope = 0.1 if not (here / "slope").exists() else float((here / "slope").read_text())
for figure in figures:
    points = [{"x": x, "y": 100 + slope * x, "half_width": 1.0} for x in (0, 50, 100)]
    panel = {"name": "a", "title": "t", "x_label": "x", "y_label": "y", "series": [
        {"name": "curve", "points": points}], "printed": []}
    pathlib.Path(figure + ".json").write_text(json.dumps({"panels": [panel]}, indent=2))
    pathlib.Path(figure + ".svg").write_text("<svg/>")
'''
ROW = {"id": "esc-13a", "paper": "esc", "where": "Figure 13", "case": "the curve at 100",
       "printed": 105, "unit": "cycles", "figure": "esc-13",
       "ours": {"panel": "a", "series": "curve", "x": 100}}
IMPOSSIBLE = {"id": "btin-8a", "paper": "esc", "where": "Figure 8", "case": "too few links",
              "printed": 8.7, "refused": ["topo", "gen"], "verdict": "not measurable",
              "why": "Links."}
PAGE = "docs/page.md"
TABLES = ("figure esc-13 a", "figure esc-13 a x=0,100", "ledger esc", "verdicts")


class Script(unittest.TestCase):
    """The command, in a copy of the project that has one page and one printed value."""

    def setUp(self):
        self.project = copied_project.copied_scripts(self, "build", "docs/pictures",
                                                     "sim_cpp/figures")
        self.program = self.project / "build/muster"
        self.program.write_text(MUSTER)
        self.program.chmod(0o755)
        (self.project / "build/topo_status").write_text("2")
        self.printed(ROW, IMPOSSIBLE)
        self.page = self.project / PAGE
        self.page.write_text("".join(f"<!-- table {name} -->\n<!-- end -->\n" for name in TABLES))

    def printed(self, *rows, pending=()):
        (self.project / "sim_cpp/figures/printed.json").write_text(json.dumps(
            {"papers": {"esc": {"shape": "In words."}}, "pending": pending, "rows": rows}))

    def figures(self, *arguments):
        done = subprocess.run([self.project / "scripts/figures", "-j", "1", *arguments], text=True,
                              capture_output=True, env={**os.environ, "COLUMNS": "100"})
        return done.returncode, done.stderr

    def calls(self):
        return (self.project / "build/calls").read_text().splitlines()

    def test_results_tables_and_pictures_are_written(self):
        status, said = self.figures("esc-13", "--write")
        self.assertEqual(status, 0, said)
        self.assertIn("1 of 1: esc-13", said)
        page = self.page.read_text()
        self.assertIn("| curve | 100 ± 1 | 105 ± 1 | 110 ± 1 |", page)
        self.assertIn("| curve | 100 ± 1 | 110 ± 1 |", page)
        self.assertIn("| 110 ± 1 cycles |  1.05 | reproduced ", page)
        self.assertRegex(page, r"\| esc +\| +1 \| +0 \| +0 \| +0 \| +1 \| +0 \|")
        self.assertTrue((self.project / "docs/pictures/esc-13.svg").exists())
        self.assertEqual(self.figures("--quick", "esc-13"), (0, ""))

    def test_a_paper_is_all_its_figures_and_the_regression_samples_each_paper(self):
        self.assertEqual(self.figures("nic")[0], 0)
        measured = {name for call in self.calls() for name in call.split() if "nic-" in name}
        self.assertLess({"nic-6", "nic-7", "nic-9"}, measured)
        self.assertNotIn("esc-13", " ".join(self.calls()))
        status, said = self.figures("nice")
        self.assertEqual(status, 2)
        self.assertIn("and of a paper btin, esc, nic, pre", said)
        self.assertIn("foreach(paper btin esc nic pre)",
                      (copied_project.ROOT / "tests/CMakeLists.txt").read_text())

    def test_a_run_that_was_stopped_goes_on(self):
        (self.project / "build/broken").write_text("nic-7")
        status, said = self.figures("esc-13", "nic-7")
        self.assertEqual(status, 1)
        self.assertIn("no space", said)
        (self.project / "build/broken").unlink()
        self.assertEqual(self.figures("esc-13", "nic-7")[0], 0)
        ids = [call.split()[1] for call in self.calls()]
        self.assertEqual(ids, ["esc-13", "nic-7", "nic-7"])

    def test_another_program_measures_all_again(self):
        self.figures("esc-13")
        self.program.write_text(MUSTER + "\n")
        self.figures("esc-13")
        self.assertEqual(len(self.calls()), 2)

    def test_a_table_older_than_the_program_is_found(self):
        self.figures("esc-13", "--write")
        (self.project / "build/slope").write_text("0.1001")
        status, said = self.figures("--quick", "esc-13")
        self.assertEqual(status, 1)
        self.assertIn("esc-13, a: in the sample the program does not say", said)

    def test_a_table_that_was_written_by_hand_is_found(self):
        self.figures("esc-13", "--write")
        self.page.write_text(self.page.read_text().replace("110 ± 1", "108 ± 1", 1))
        status, said = self.figures("--quick", "esc-13")
        self.assertEqual(status, 1)
        self.assertIn(f"{PAGE}: the table figure esc-13 a is not what", said)
        self.assertEqual(self.figures("--tables"), (0, ""))
        self.assertEqual(self.figures("--quick", "esc-13"), (0, ""))

    def test_a_verdict_that_the_numbers_do_not_bear_is_found(self):
        self.figures("esc-13", "--write")
        self.printed({**ROW, "printed": 90}, IMPOSSIBLE)
        status, said = self.figures("--tables")
        self.assertEqual(status, 1)
        self.assertIn("esc-13a is not as printed, and no reason is given", said)

    def test_a_figure_is_pending_until_it_is_measured(self):
        status, said = self.figures("--tables")
        self.assertEqual(status, 1)
        self.assertIn("not measured; scripts/figures esc-13 --write does it", said)
        self.printed(ROW, IMPOSSIBLE, pending=["esc-13"])
        self.assertEqual(self.figures("--tables"), (0, ""))
        self.assertIn("Not measured yet: `scripts/figures esc-13 --write`.", self.page.read_text())
        self.assertRegex(self.page.read_text(), r"\| esc-13a .*\| pending")
        status, said = self.figures("esc-13", "--write")
        self.assertEqual(status, 1)
        self.assertIn("esc-13 is measured and not pending", said)

    def test_what_cannot_be_built_must_be_refused(self):
        self.figures("esc-13", "--write")
        (self.project / "build/topo_status").write_text("0")
        status, said = self.figures("--quick", "esc-13")
        self.assertEqual(status, 1)
        self.assertIn("btin-8a: `muster topo gen` is not refused", said)

    def test_an_unknown_figure_is_refused(self):
        status, said = self.figures("esc-99")
        self.assertNotEqual(status, 0)
        self.assertIn("esc-99: no such figure", said)


if __name__ == "__main__":
    unittest.main()
