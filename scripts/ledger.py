# SPDX-License-Identifier: Apache-2.0
"""What the papers print (sim_cpp/figures/printed.json) beside what the figures have measured
(docs/figures/), and what is to be said of it.

A row names its own value in one of three ways:

  ours      a point of a curve, or two of them: less, over; the x of a curve's least value; or a
            cell of a measured table
  claims    what the paper claims, as predicates on curves (claims.py)
  refused   a command of muster that must be refused, for what cannot be built

A verdict is computed. `reproduced`: the value is within 10 % of the printed one (at most that, if
the row is `at_most`), and so are the value at the `other` extreme of an assumption that is not
printed, and the rows of the same assumption, which are listed as `together`. `shape only`: all
claims hold. `not told apart`: none fails, and the intervals of some overlap. The others are stated
in the row, with their reason, and hold only where they are needed: a row that is stated to differ
and does not is wrong, and so is a calibrated row whose value is not `within` its limit.
Figures that printed.json lists as `pending` need not be measured; once they are, the list is wrong.
"""

import json
import math
import typing

import claims
import flow
import tables

PRINTED = flow.ROOT / "sim_cpp/figures/printed.json"
MEASURED = flow.ROOT / "docs/figures"
WITHIN = 0.1
VERDICTS = ("reproduced", "shape only", "not told apart", "calibrated", "not measurable",
            "differs", "pending")


class Value(typing.NamedTuple):
    """With the half-width of its 95 % confidence interval; none if it has no interval."""
    mean: float
    half_width: float | None = None

    def low(self):
        return self.mean - (self.half_width or 0)

    def high(self):
        return self.mean + (self.half_width or 0)

    def text(self):
        """To the first digit of the half-width; without one a count, or three digits."""
        if self.half_width is None and self.mean == round(self.mean):
            return f"{self.mean:.0f}"
        leads, digits = (self.half_width, 1) if self.half_width else (self.mean, 3)
        places = max(0, digits - 1 - math.floor(math.log10(abs(leads) or 1)))
        text = f"{self.mean:.{places}f}"
        return text if self.half_width is None else f"{text} ± {self.half_width:.{places}f}"


class Results:
    """The measured figures of a folder, read when asked for, but those that are pending."""

    def __init__(self, folder=MEASURED, pending=()):
        self.folder, self.pending, self.read = folder, pending, {}

    def figure(self, name):
        if name not in self.read:
            path = self.folder / f"{name}.json"
            if not path.exists():
                raise RuntimeError(f"{path}: not measured; scripts/figures {name} --write does it")
            self.read[name] = json.loads(path.read_text())
        return self.read[name]

    def panel(self, figure, name):
        for panel in self.figure(figure)["panels"]:
            if panel["name"] == name:
                return panel
        raise RuntimeError(f"{figure}: no panel {name}")

    def curve(self, figure, panel, series):
        """{x: value} of a curve, without the points that could not be measured."""
        for found in self.panel(figure, panel)["series"]:
            if found["name"] == series:
                return {point["x"]: Value(point["y"], point["half_width"])
                        for point in found["points"] if point["y"] is not None}
        raise RuntimeError(f"{figure}: no curve {series} in panel {panel}")

    def value(self, ours, figure):
        """What `ours` of a row, or a part of a claim, stands for."""
        if isinstance(ours, (int, float)):
            return Value(ours)
        if "table" in ours:
            return Value(tables.number(*ours["table"]))
        if "least" in ours:
            curve = self.of(ours["least"], figure)
            return Value(min(curve, key=lambda x: curve[x].mean))
        for name in ("less", "over"):
            if name in ours:
                return combined(name, *(self.value(part, figure) for part in ours[name]))
        curve = self.of(ours, figure)
        if ours["x"] not in curve:
            raise RuntimeError(f"{figure}: {ours['series']} has no value at {ours['x']}")
        return curve[ours["x"]]

    def of(self, curve, figure):
        return self.curve(curve.get("figure", figure), curve["panel"], curve["series"])


def combined(name, a, b):
    """A difference or a ratio of two means; of independent ones, to first order."""
    mean = a.mean - b.mean if name == "less" else a.mean / b.mean
    if a.half_width is None or b.half_width is None:
        return Value(mean)
    if name == "less":
        return Value(mean, math.hypot(a.half_width, b.half_width))
    return Value(mean, abs(mean) * math.hypot(a.half_width / a.mean, b.half_width / b.mean))


class Judged(typing.NamedTuple):
    """A row with its verdict."""
    row: dict
    ours: str
    ratio: str
    verdict: str
    wrong: str  # why the row cannot stand as it does; empty if it can


def judged(row, results):
    stated = row.get("verdict", "")
    if row.get("figure") in results.pending:
        return Judged(row, "", "", "pending", "")
    if "claims" in row:
        held = [claims.holds(claim, row["figure"], results) for claim in row["claims"]]
        verdict = "not told apart" if None in held else "shape only"
        return Judged(row, in_words(held), "", *settled(stated, False not in held, verdict))
    if "ours" not in row:
        return Judged(row, "refused" if "refused" in row else "none", "", stated,
                      "" if stated else "needs a verdict")
    values = ends(row, results)
    ratio = values[0].mean / row["printed"]
    unit = f" {row['unit']}" if "unit" in row else ""
    text = " or ".join(value.text() for value in values) + unit
    if stated == "calibrated":
        drifts = any(abs(v.mean / row["printed"] - 1) > row["within"] for v in values)
        wrong = f"is calibrated and not within {100 * row['within']:g} %" if drifts else ""
        return Judged(row, text, f"{ratio:.2f}", stated, wrong)
    close = all(is_close(each, results) for each in [row, *row.get("together", [])])
    return Judged(row, text, f"{ratio:.2f}", *settled(stated, close, "reproduced"))


def in_words(held):
    """How many claims hold, and how many are not told apart from their contrary."""
    if len(held) == 1:
        return {True: "holds", False: "fails", None: "not told apart"}[held[0]]
    apart = f", {held.count(None)} not told apart" if None in held else ""
    return f"{held.count(True)} of {len(held)} hold{apart}"


def ends(row, results):
    """The value of a row, and that at the other extreme of an assumption that is not printed."""
    return [results.value(row[end], row["figure"]) for end in ("ours", "other") if end in row]


def is_close(row, results):
    ratios = [value.mean / row["printed"] for value in ends(row, results)]
    return all(ratio <= 1 + WITHIN if row.get("at_most") else abs(ratio - 1) <= WITHIN
               for ratio in ratios)


def settled(stated, good, verdict):
    """(verdict, what is wrong with it)"""
    if good:
        return verdict, f"is stated as `{stated}` and is not" if stated else ""
    return stated, "" if stated else "is not as printed, and no reason is given"


def read(path=PRINTED, folder=MEASURED):
    """What is printed, and the results. The names in `together` are replaced by their rows."""
    printed = json.loads(path.read_text())
    by_name = {row["id"]: row for row in printed["rows"]}
    for row in printed["rows"]:
        if "together" in row:
            row["together"] = [by_name[name] for name in row["together"]]
    return printed, Results(folder, printed["pending"])


def wrong_pending(results):
    return [f"printed.json: {figure} is measured and not pending"
            for figure in results.pending if (results.folder / f"{figure}.json").exists()]
