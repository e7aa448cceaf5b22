# SPDX-License-Identifier: Apache-2.0
"""Tables of measured figures in pages of docs/. A page says with its marks which ones it has:

  <!-- table figure ID PANEL -->           the curves of a panel; ends with x=A,B for these x only
  <!-- table ledger PAPER -->              printed values beside ours, with verdicts
  <!-- table verdicts -->                  how many rows of each paper have which verdict
"""

import collections
import re

import flow
import ledger
import tables

MARK = re.compile(r"<!-- table ((?:figure|ledger|verdicts)\b[^>]*?) -->")
OVERLAP = ("The 95 % intervals of the compared values overlap at some points; more networks would "
           "decide.")
LEDGER = ("id", "figure", "case", "printed", "ours", "ratio", "verdict")


def pages():
    """Pages of docs/ that have such tables, as paths from the root, with the names of these."""
    for path in sorted((flow.ROOT / "docs").rglob("*.md")):
        names = MARK.findall(path.read_text(encoding="utf-8"))
        if names:
            yield str(path.relative_to(flow.ROOT)), names


def curves(figure, panel, chosen, results):
    """Header and rows of a panel: a curve a row."""
    panel = results.panel(figure, panel)
    xs = sorted({point["x"] for series in panel["series"] for point in series["points"]})
    if chosen:
        missing = set(chosen) - set(xs)
        if missing:
            raise RuntimeError(f"{figure}: panel {panel['name']} has no x = {min(missing):g}")
        xs = chosen

    def cell(series, x):
        for point in series["points"]:
            if point["x"] == x and point["y"] is not None:
                return ledger.Value(point["y"], point["half_width"]).text()
        return "-"

    header = (f"{panel['y_label']}; {panel['x_label']}", *(f"{x:g}" for x in xs))
    return header, [(series["name"], *(cell(series, x) for x in xs)) for series in panel["series"]]


def linked(text, page):
    """Links of printed.json, which are relative to docs/, as a page needs them."""
    return text.replace("](systems/", "](") if page.startswith("docs/systems/") else text


def reasons(rows, page, papers):
    """A line for each reason, with the rows that it is of."""
    of = collections.defaultdict(list)
    for judged in rows:
        row = judged.row
        text = row.get("why", OVERLAP if judged.verdict == "not told apart" else
                       papers[row["paper"]]["shape"])
        if judged.verdict not in ("reproduced", "pending"):
            command = f" `{row['command']}`" if "command" in row else ""
            of[judged.verdict, linked(text, page) + command].append(row["id"])
    return [f"- *{verdict}*: {', '.join(ids)}. {text}" for (verdict, text), ids in of.items()]


def ledger_of(paper, page, printed, results):
    """The ledger of a paper: a table, and why the rows are what they are."""
    def row(judged):
        r = judged.row
        shown = " ".join(str(part) for part in
                         ("at most" if r.get("at_most") else "", r["printed"], r.get("unit", ""))
                         if part != "")
        return (r["id"], r["where"], r["case"], shown, judged.ours, judged.ratio, judged.verdict)

    rows = [ledger.judged(r, results) for r in printed["rows"] if r["paper"] == paper]
    return [*tables.table(LEDGER, map(row, rows)), "", *reasons(rows, page, printed["papers"])]


def verdicts(printed, results):
    counts = collections.Counter((r["paper"], ledger.judged(r, results).verdict)
                                 for r in printed["rows"])
    shown = [v for v in ledger.VERDICTS if v != "pending" or results.pending]
    rows = [(paper, *(counts[paper, verdict] for verdict in shown)) for paper in printed["papers"]]
    total = ("all", *(sum(column) for column in list(zip(*rows))[1:]))
    return ("paper", *shown), [*rows, total]


def made(page, name, printed, results):
    """The lines of a table."""
    kind, *words = name.split()
    if kind == "figure" and words[0] in results.pending:
        return [f"Not measured yet: `scripts/figures {words[0]} --write`."]
    if kind == "figure":
        chosen = [float(x) for w in words[2:] for x in w.removeprefix("x=").split(",")]
        return tables.table(*curves(*words[:2], chosen, results))
    if kind == "ledger":
        return ledger_of(words[0], page, printed, results)
    return tables.table(*verdicts(printed, results))


def write(printed, results):
    for page, names in pages():
        for name in names:
            tables.put_lines(page, f"table {name}", made(page, name, printed, results))


def stale(printed, results):
    """What is wrong with the pages: tables that are not what the results say."""
    marks = [(page, f"table {name}", made(page, name, printed, results))
             for page, names in pages() for name in names]
    return [f"{page}: the {mark} is not what docs/figures says; scripts/figures --tables writes it"
            for page, mark, lines in marks if tables.place(page, mark)[2] != lines]
