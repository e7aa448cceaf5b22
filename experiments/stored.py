# SPDX-License-Identifier: Apache-2.0
"""Results of figures. One of a paper has a drawing in results/figures, and its values in a CSV a
paper there, which the ledger reads: its first column is the figure, whose first line has the heads
of the others. A study of ours has its values in the tables of a page."""

import results

from . import drawing
from .kit import At, Data, Figure, Mark, Panel, Point, Series

FOLDER = "figures"  # the folder, in results/


def write(figure: Figure, data: Data) -> None:
    """The drawing, with the printed values of the rows that have a mark; and the values: a row an
    x, for each series its value and its half-width."""
    for row in figure.printed:
        if row.mark and isinstance(row.ours, At):
            data.panel(row.ours.panel).marks.append(
                Mark(row.mark, row.ours.x, row.printed, row.ours.series))
    if data.panels:
        (results.FOLDER / FOLDER).mkdir(parents=True, exist_ok=True)
        drawing.draw(data, results.FOLDER / FOLDER / f"{figure.id}.svg")
    if data.tables:
        page = [f"`scripts/figures {figure.id} --write`"]
        for table in data.tables:
            page += ["", f"## {table.title}", "", *results.plain(table.heads, [
                ["" if value is None else f"{value:.4g}" if isinstance(value, float) else value
                 for value in row] for row in table.rows])]
        return results.write_page(figure.id, data.title, *page)
    names = dict.fromkeys(series.name for panel in data.panels for series in panel.series)
    lines = [["panel", "x", *(word for name in names for word in (name, f"{name} ±"))]]
    for panel in data.panels:
        curves = {series.name: {point.x: point for point in series.points}
                  for series in panel.series}
        for x in sorted({x for curve in curves.values() for x in curve}):
            found = [curves.get(name, {}).get(x, Point(x, None)) for name in names]
            lines.append([panel.name, x, *(value for point in found for value in point[1:])])
    of_all = dict(sorted((lines_of(figure.paper) | {figure.id: lines}).items()))
    results.write_csv(f"{FOLDER}/{figure.paper}", [
        (name, *line) for name, lines in of_all.items() for line in lines])


def lines_of(paper: str) -> dict[str, list]:
    """The lines of a paper's CSV by figure."""
    found = {}
    for name, *line in results.read_csv(f"{FOLDER}/{paper}"):
        found.setdefault(name, []).append(line)
    return found


def read(figure: str) -> Data | None:
    """The values of a figure; none if they are not there."""
    of_all = {name: lines for path in (results.FOLDER / FOLDER).glob("*.csv")
              for name, lines in lines_of(path.stem).items()}
    if figure not in of_all:
        return None
    (_, _, *names), *rows = of_all[figure]
    panels = {}
    for panel, x, *values in rows:
        curves = panels.setdefault(panel, {})
        for name, y, half_width in zip(names[::2], values[::2], values[1::2]):
            if y:
                point = Point(float(x), float(y), float(half_width) if half_width else None)
                curves.setdefault(name, []).append(point)
    return Data("", [Panel(name, "", "", "", [Series(*curve) for curve in curves.items()])
                     for name, curves in panels.items()])
