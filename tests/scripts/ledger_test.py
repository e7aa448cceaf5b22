#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the ledger is made with: verdicts follow from the numbers, claims from the intervals, and
pictures are small and whole."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import claims  # noqa: E402
import ledger  # noqa: E402
import pictures  # noqa: E402


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


if __name__ == "__main__":
    unittest.main()
