#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/figures: verdicts follow from the numbers, tables from the results; a run that was
stopped goes on, and a table that is older than the program is found. The program is replaced by
one that writes prepared figures: this takes seconds."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import claims  # noqa: E402
import copied_project  # noqa: E402
import ledger  # noqa: E402
import pictures  # noqa: E402

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


def results(half_width=None, **curves):
    """Results in which figure f has these curves in panel a."""
    made = ledger.Results(pathlib.Path("nowhere"))
    series = [{"name": name, "points": [{"x": x, "y": y, "half_width": half_width}
                                        for x, y in sorted(points.items())]}
              for name, points in curves.items()]
    made.read["f"] = {"panels": [{"name": "a", "series": series}]}
    return made


def curve(name, **more):
    return {"panel": "a", "series": name, **more}


class Verdicts(unittest.TestCase):
    def judged(self, printed, ours, **more):
        row = {"printed": printed, "figure": "f", "ours": curve("c", x=1), **more}
        return ledger.judged(row, results(c={1: ours}))

    def test_what_is_within_a_tenth_is_reproduced(self):
        for ours in (90.5, 100, 109.5):
            self.assertEqual(self.judged(100, ours)[-2:], ("reproduced", ""))

    def test_what_is_not_needs_a_reason(self):
        for ours in (89, 111):
            self.assertIn("no reason is given", self.judged(100, ours).wrong)
            stated = self.judged(100, ours, verdict="differs", why="because")
            self.assertEqual(stated[-2:], ("differs", ""))

    def test_a_reason_that_is_no_longer_needed_is_wrong(self):
        for verdict in ("differs", "not measurable"):
            self.assertIn("and is not", self.judged(100, 101, verdict=verdict, why="b").wrong)

    def test_a_calibrated_value_is_never_a_reproduction_and_must_not_drift(self):
        for ours, wrong in ((100, ""), (101.9, ""), (97.9, "is calibrated and not within 2 %"),
                            (102.1, "is calibrated and not within 2 %")):
            self.assertEqual(self.judged(100, ours, verdict="calibrated", why="b",
                                         within=0.02)[-2:], ("calibrated", wrong))

    def test_both_values_of_a_calibrated_row_must_not_drift(self):
        made = results(c={1: 101, 2: 103})
        row = {"printed": 100, "figure": "f", "verdict": "calibrated", "within": 0.02,
               "ours": curve("c", x=1), "other": curve("c", x=2)}
        self.assertIn("not within 2 %", ledger.judged(row, made).wrong)

    def test_both_ends_of_an_assumption_must_be_close(self):
        made = results(c={1: 105, 2: 108, 3: 112})
        row = {"printed": 100, "figure": "f", "ours": curve("c", x=1), "other": curve("c", x=2)}
        self.assertEqual(ledger.judged(row, made)[1:],
                         ("105 or 108", "1.05", "reproduced", ""))
        row["other"] = curve("c", x=3)
        self.assertIn("no reason", ledger.judged(row, made).wrong)
        self.assertEqual(ledger.judged({**row, "verdict": "differs"}, made)[-2:],
                         ("differs", ""))

    def test_a_row_is_reproduced_only_with_those_of_the_same_assumption(self):
        made = results(c={1: 105, 2: 80})
        row = {"printed": 100, "figure": "f", "ours": curve("c", x=1)}
        self.assertEqual(ledger.judged({**row, "together": [row]}, made).verdict, "reproduced")
        other = {**row, "ours": curve("c", x=2)}
        self.assertIn("no reason", ledger.judged({**row, "together": [row, other]}, made).wrong)

    def test_rows_have_those_that_they_name(self):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "printed.json"
            path.write_text(json.dumps({"pending": [], "rows": [
                {"id": "a", "together": ["b"]}, {"id": "b", "printed": 7}]}))
            self.assertEqual(ledger.read(path)[0]["rows"][0]["together"][0]["printed"], 7)

    def test_a_value_may_be_a_cell_of_a_measured_table(self):
        with tempfile.TemporaryDirectory() as name:
            page = pathlib.Path(name) / "page.md"
            page.write_text("<!-- table t -->\n| what | us |\n|---|---|\n| `a` | 4.5 |\n"
                            "<!-- end -->\n")
            value = results().value({"table": [str(page), "t", "a", "us"]}, "f")
        self.assertEqual(value, (4.5, None))

    def test_a_bound_may_be_kept_by_far(self):
        self.assertEqual(self.judged(2, 0.5, at_most=True).verdict, "reproduced")
        self.assertTrue(self.judged(2, 2.3, at_most=True).wrong)

    def test_claims_are_the_shape_or_need_a_reason(self):
        made = results(up={1: 1, 2: 3}, down={1: 3, 2: 1})
        row = {"figure": "f", "printed": "sentence", "claims": [{"rises": curve("up")}]}
        self.assertEqual(ledger.judged(row, made)[-2:], ("shape only", ""))
        row["claims"].append({"rises": curve("down")})
        self.assertIn("no reason", ledger.judged(row, made).wrong)
        self.assertEqual(ledger.judged(row, made).ours, "1 of 2 hold")
        differs = ledger.judged({**row, "verdict": "differs", "why": "b"}, made)
        self.assertEqual(differs[-2:], ("differs", ""))

    def test_claims_of_which_intervals_overlap_are_not_told_apart(self):
        made = results(1, up={1: 1, 2: 3.5}, same={1: 1, 2: 2}, down={1: 4, 2: 1})
        row = {"figure": "f", "printed": "sentence", "claims": [{"rises": curve("up")},
                                                                {"rises": curve("same")}]}
        self.assertEqual(ledger.judged(row, made)[1:],
                         ("1 of 2 hold, 1 not told apart", "", "not told apart", ""))
        self.assertIn("and is not", ledger.judged({**row, "verdict": "differs"}, made).wrong)
        row["claims"].append({"rises": curve("down")})
        self.assertIn("no reason", ledger.judged(row, made).wrong)

    def test_a_value_without_a_point_is_an_error(self):
        for wrong in (curve("c", x=7), curve("other", x=1), {**curve("c", x=1), "panel": "z"}):
            with self.assertRaises(RuntimeError):
                results(c={1: 1}).value(wrong, "f")

    def test_differences_and_ratios_have_the_intervals_of_both(self):
        a, b = ledger.Value(40, 3), ledger.Value(20, 4)
        self.assertEqual(ledger.combined("less", a, b), (20, 5))
        ratio = ledger.combined("over", a, b)
        self.assertEqual(ratio.mean, 2)
        self.assertAlmostEqual(ratio.half_width, 2 * (0.075 ** 2 + 0.2 ** 2) ** 0.5)
        self.assertEqual(results(c={1: 5, 2: 3, 4: 9}).value({"least": curve("c")}, "f").mean, 2)


class Claims(unittest.TestCase):
    def setUp(self):
        self.results = results(low={1: 1, 2: 2, 3: 3}, high={1: 2, 2: 1.5, 3: 9},
                               even={1: 100, 2: 104, 3: 102}, late={1: 1, 2: 2, 3: 9},
                               bent={1: 50, 2: 10, 3: 9, 4: 8}, none={7: 1})

    def check(self, claim, holds):
        self.assertEqual(claims.holds(claim, "f", self.results), holds, claim)

    def test_below(self):
        low, high = curve("low"), curve("high")
        self.check({"below": [low, high]}, False)
        self.check({"below": [low, high], "from": 3}, True)
        self.check({"below": [low, high], "by": 1.5}, True)
        self.check({"below": [low, curve("none")]}, False)  # nowhere together
        self.check({"below": [curve("low", x=3), curve("high", x=3)]}, True)
        self.check({"above": [{"over": [curve("high", x=3), curve("low", x=3)]}, 2.9]}, True)
        self.check({"above": [{"over": [curve("high", x=3), curve("low", x=3)]}, 3]}, False)

    def test_flat_rising_falling(self):
        self.check({"flat": curve("even"), "within": 0.05}, True)
        self.check({"flat": curve("even"), "within": 0.03}, False)
        self.check({"rises": curve("low"), "by": 2.9}, True)
        self.check({"rises": curve("low"), "by": 3}, False)
        self.check({"falls": curve("bent"), "by": 6}, True)
        self.check({"falls": curve("low")}, False)
        self.check({"flat": curve("bent"), "within": 0.3}, False)
        self.check({"flat": curve("bent"), "within": 0.3, "from": 2}, True)
        self.check({"falls": curve("bent"), "by": 7}, False)

    def test_settling_and_saturating(self):
        self.check({"settles": curve("bent"), "from": 2}, True)
        self.check({"settles": curve("late"), "from": 2}, False)
        self.check({"saturates": curve("late"), "past": 2}, True)
        self.check({"saturates": curve("low"), "past": 2}, False)

    def test_what_intervals_say(self):
        self.results = results(0.5, low={1: 1, 2: 2}, high={1: 3, 2: 3.1}, near={1: 1.8, 2: 3.1})
        low, high, near = curve("low"), curve("high"), curve("near")
        self.check({"below": [low, high]}, True)
        self.check({"below": [low, near]}, None)
        self.check({"below": [high, low]}, False)
        self.check({"below": [near, low]}, False)  # told apart at one point is enough
        self.check({"flat": low, "within": 1}, True)
        self.check({"flat": low, "within": 0.9}, None)
        self.check({"flat": near, "within": 0.05}, False)
        self.check({"rises": low}, None)
        self.check({"falls": near}, False)

    def test_steady(self):
        self.check({"steady": [curve("low"), curve("bent")]}, True)
        self.check({"steady": [curve("low"), curve("late")]}, False)

    def test_earlier(self):
        self.check({"earlier": [curve("bent"), curve("late")]}, True)
        self.check({"earlier": [curve("late"), curve("bent")]}, False)


class Pictures(unittest.TestCase):
    SCRIPT = """set terminal svg size 400,300 noenhanced background 'white'
$a << EOD
1 2 0.5
2 3 0.5
3 1 0.5
EOD
plot $a with yerrorbars notitle lc rgb '#d55e00' pt 6, \\
  $a with linespoints title 'one curve' lc rgb '#d55e00' pt 6
"""

    def test_a_drawing_is_smaller_and_has_everything_that_it_had(self):
        drawn = subprocess.run(["gnuplot"], input=self.SCRIPT, text=True, capture_output=True,
                               check=True).stdout
        small = pictures.compact(drawn)
        self.assertLess(len(small), 0.7 * len(drawn))
        tree = xml.etree.ElementTree.fromstring(small)
        names = [element.tag.rpartition("}")[2] for element in tree.iter()]
        self.assertIn("one curve", small)
        self.assertIn("color='#d55e00'", small)
        marks = [e for e in tree.iter() if e.tag.endswith("use") and "x" in e.attrib]
        self.assertEqual(len(marks), 3 + 1)  # of the points once, and in the key
        self.assertEqual(names.count("text"),
                         len([e for e in xml.etree.ElementTree.fromstring(drawn).iter()
                              if e.tag.endswith("text")]))

    def test_a_picture_that_is_too_large_is_named(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "large.svg").write_text("x" * (pictures.LARGEST + 1))
            (folder / "small.svg").write_text("x" * pictures.LARGEST)
            self.assertEqual([line.split(":")[0] for line in pictures.too_large(folder)],
                             ["large.svg"])


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
        (self.project / "README.md").write_text("<!-- line reproduction -->\n<!-- end -->\n")
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
        self.assertIn("of 2 comparisons with values and sentences of the four papers 1 are "
                      "reproduced", (self.project / "README.md").read_text())
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
                      (ROOT / "tests/CMakeLists.txt").read_text())

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
