# SPDX-License-Identifier: Apache-2.0
"""What the papers print beside what the figures have measured: results/reproduction.md.

A row has one verdict; further models of its value stand below it and have none. A verdict is
computed. `reproduced`: the value is within 10 % of the printed one (at most that much
above a bound), and so is the value at the `other` end of an assumption that is not printed. `shape
only`: all claims hold. `not told apart`: none fails, and the intervals of some overlap. The others
are stated in the row, with their reason, and hold only where they are needed: a row that is stated
to differ and does not is wrong, and so is a calibrated row that is farther from the printed value
than its limit."""

import collections
import dataclasses
import math
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

import muster
from results import plain, write_page

from . import _btin, _esc, _nic, _pre, stored
from .claims import point
from .kit import At, Data, Figure, Point, Printed, figures

WITHIN = 0.1
REPRODUCED = ("reproduced", "reproduced, a bound")
VERDICTS = {
    "reproduced": "the measured value is within 10 % of the printed one. If the result depends on "
                  "an assumption that is not printed, this holds for both extremes of it",
    "reproduced, a bound": "the paper prints an upper bound, and the measured value is at most 10 "
                           "% above it",
    "by formula": "a closed form that was found from the printed numbers, without a free "
                  "parameter, is within 10 % of the printed value; no run gives it",
    "shape only": "there is no number to compare; the paper's statements hold, as predicates on "
                  "our curves",
    "not told apart": "as before, but the 95 % intervals of some predicates overlap; none fails",
    "calibrated": "the printed value is an input of the timing profile or of the same fit, so the "
                  "agreement is no prediction. Each row has, in `experiments/`, a limit for its "
                  "distance",
    "not measurable": "no measurement can give the value, for the reason in the row",
    "differs": "the measurement differs, for the reason in the row",
    "pending": "not measured with this program"}
PAPERS = {  # with the module whose docstring says how its figures are measured
    "btin": ("Moh et al., *A Fast Tree-Based Barrier Synchronization on Switch-Based Irregular "
             "Networks*", _btin),
    "preempt": ("Sun, Cheung, Lin, *Barrier Synchronization on Networks with Arbitrary "
                "Topologies*", _pre),
    "esc": ("Wang, Siegel, Nichols, Abraham, *Using the Extra Stage Cube Multipath Network to "
            "Reduce the Impact of Hot Spots*", _esc),
    "nic": ("Yu, Buntinas, Graham, Panda, *Efficient and Scalable NIC-Based Barrier over Quadrics "
            "and Myrinet*", _nic)}
SHAPE = "The paper has a sentence and no number."
OVERLAP = ("The 95 % intervals of the compared values overlap at some points; more networks would "
           "decide.")


class Judged(NamedTuple):
    """A row with its verdict."""
    row: Printed
    figure: Figure
    ours: str
    ratio: float | None
    verdict: str
    wrong: str = ""  # why the row cannot stand as it does


def judge(figures: list[Figure], results: dict[str, Data]) -> list[Judged]:
    """Every row of the figures, by their results."""
    rows = {row.id: (figure, row) for figure in figures for row in figure.printed}
    for name, (figure, row) in rows.items():
        if row.of:
            main = rows[row.of][1]
            rows[name] = figure, dataclasses.replace(row, printed=main.printed, unit=main.unit)
    order = [of for main in rows.values() if not main[1].of
             for of in (main, *(more for more in rows.values() if more[1].of == main[1].id))]
    return [_judged(figure, row, results) for figure, row in order]


def _judged(figure, row, results) -> Judged:
    def judged(ours, verdict, wrong="", ratio=None):
        return Judged(row, figure, ours, ratio, *(("", "") if row.of else (verdict, wrong)))

    if row.refused:
        try:
            row.refused()
            return Judged(row, figure, "built", None, "differs", "is not refused")
        except muster.InputError:
            return judged("refused", row.verdict or "differs")
    if row.ours is None:
        return judged("none", row.verdict or "differs", "" if row.verdict else "needs a verdict")
    names = {figure.id, *row.figures, *(end.figure for end in (row.ours, row.other)
                                        if isinstance(end, At) and end.figure)}
    if names - set(results):
        return judged("", "pending")
    known = results if len(names) > 1 else results[figure.id]
    value = row.ours(known)
    if isinstance(value, (list, bool, type(None))):
        held = value if isinstance(value, list) else [value]
        return judged(_in_words(held), *_settled(
            row.verdict, False not in held, "not told apart" if None in held else "shape only"))
    values = [point(end(known)) for end in (row.ours, row.other) if end]
    text = " or ".join(map(digits, values)) + (f" {row.unit}" if row.unit else "")
    ratios, limit = [value.y / row.printed for value in values], row.limit or WITHIN
    close = all((ratio if row.at_most else abs(ratio - 1) + 1) <= 1 + limit for ratio in ratios)
    if row.verdict in ("calibrated", "by formula"):
        wrong = "" if close else f"is {row.verdict} and not within {100 * limit:g} %"
        return judged(text, row.verdict, wrong, ratios[0])
    return judged(text, *_settled(row.verdict, close, REPRODUCED[row.at_most]), ratios[0])


def _settled(stated, good, verdict) -> tuple[str, str]:
    """(verdict, what is wrong with it)"""
    if good:
        return verdict, f"is stated as `{stated}` and is not" if stated else ""
    return stated or "differs", "" if stated else "is not as printed, and no reason is given"


def _in_words(held: list) -> str:
    """How many claims hold, and how many are not told apart from their contrary."""
    if len(held) == 1:
        return {True: "holds", False: "fails", None: "not told apart"}[held[0]]
    apart = f", {held.count(None)} not told apart" if None in held else ""
    return f"{held.count(True)} of {len(held)} hold{apart}"


def digits(value: Point) -> str:
    """To the first digit of the half-width; without one a count, or three digits."""
    if value.half_width is None and value.y == round(value.y):
        return f"{value.y:.0f}"
    leads, count = (value.half_width, 1) if value.half_width else (value.y, 3)
    places = max(0, count - 1 - math.floor(math.log10(abs(leads) or 1)))
    text = f"{value.y:.{places}f}"
    return text if value.half_width is None else f"{text} ± {value.half_width:.{places}f}"


def page(found: list[Judged]) -> list[str]:
    """The lines of the page behind its title."""
    shown = [v for v in VERDICTS if any(judged.verdict == v for judged in found)]
    counts = collections.Counter((judged.figure.paper, judged.verdict) for judged in found)
    papers = [paper for paper in PAPERS if any(judged.figure.paper == paper for judged in found)]
    lines = ["Written by `scripts/figures --write`, seed 1; ± is a 95 % interval. "
             "`scripts/figures FIGURE` measures a row. In figures crosses mark printed values. A "
             "row with an id in brackets for a verdict is another model of that row's value; the "
             "notes call it *another model*.",
             "", *plain(("verdict", "rows", ""), [
                 (v, sum(judged.verdict == v for judged in found), VERDICTS[v]) for v in shown]),
             "", *plain(("paper", *shown, "all"), [
                 (paper, *(counts[paper, v] for v in shown),
                  sum(judged.figure.paper == paper and not judged.row.of for judged in found))
                 for paper in papers])]
    for paper in papers:
        rows = [judged for judged in found if judged.figure.paper == paper]
        lines += ["", f"## {paper}", "", f"{PAPERS[paper][0]}.", "", *_measured(paper), "",
                  *plain(("id", "where", "case", "printed", "ours", "ratio", "verdict", "engine",
                          "figure"), [
                      (j.row.id, j.row.where, j.row.case, _printed(j.row), j.ours,
                       "" if j.ratio is None else f"{j.ratio:.2f}",
                       f"({j.row.of})" if j.row.of else j.verdict, j.row.engine, j.figure.id)
                      for j in rows]),
                  "", *_reasons(rows)]
    return lines


def _measured(paper: str) -> Iterator[str]:
    """How its figures are measured, by the docstrings of their modules."""
    yield from (_markdown(PAPERS[paper][1].__doc__), "")
    modules = collections.defaultdict(list)
    for figure in figures():
        if figure.paper == paper:
            modules[figure.measure.__module__].append(f"[{figure.id}](figures/{figure.id}.svg)")
    for name, drawings in modules.items():
        about = textwrap.indent(_markdown(sys.modules[name].__doc__), "  ")
        yield f"- {', '.join(drawings)}: {about.strip()}"


def _markdown(text: str) -> str:
    """One line for each paragraph and entry of a list, and links to docs/ from results/."""
    lines = re.sub(r"(?<=\S)\n {0,2}(?=[^\s-])", " ", text)
    return re.sub(r"\]\((systems|reference)/", r"](../docs/\1/", lines)


def _printed(row: Printed) -> str:
    if row.of:
        return ""
    words = ("at most" if row.at_most else "", str(row.printed), row.unit or "",
             "(derived)" if row.derived else "")
    return " ".join(word for word in words if word)


def _reasons(rows: list[Judged]) -> list[str]:
    """A line for each reason, with the rows that it is of."""
    of = collections.defaultdict(list)
    for judged in rows:
        why = judged.row.why or (OVERLAP if judged.verdict == "not told apart" else SHAPE)
        if judged.verdict not in (*REPRODUCED, "pending") and (judged.verdict or judged.row.why):
            command = f" `{judged.row.command}`" if judged.row.command else ""
            of[judged.verdict, _markdown(why) + command].append(judged.row.id)
    return [f"- *{verdict or 'another model'}*: {', '.join(ids)}. {why}"
            for (verdict, why), ids in of.items()]


def write(figures: list[Figure]) -> list[str]:
    """The page, of all figures that have results. Returns what is wrong with rows."""
    results = {figure.id: data for figure in figures if (data := stored.read(figure.id))}
    found = judge(figures, results)
    write_page("reproduction", "What the papers print, and what we measure", *page(found))
    return [f"{judged.row.id} {judged.wrong} ({judged.ours})" for judged in found if judged.wrong]
