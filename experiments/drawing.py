# SPDX-License-Identifier: Apache-2.0
"""How figures are drawn: one style for all of them, as a small SVG."""

import collections
import io
import itertools
import math
import pathlib
import re
import textwrap

from .kit import Data, Panel, Point, Series

MOST_CURVES, MOST_MARKERS, MOST_BYTES, WIDE = 7, 100, 60_000, 3
PANEL_HIGH, LINE_HIGH, TITLE_WIDE, MOST_TICKS = 3.1, 0.17, 52, 7
# inches of a panel and of a line of a legend, letters of a line of a title, ticks of a log axis
# One colour a system in all figures: "multicast, measured" and "f = 70 %, multicast" are of one.
COLOURS = {"multicast": "#d95f02", "unicast": "#7f7f7f", "btin": "#1f77b4", "bsr-1": "#2ca02c",
           "bsr-2": "#98a800", "bsr-3": "#17becf", "tree-units": "#393b79", "units": "#393b79",
           "barrier": "#1f77b4", "preempting": "#2ca02c",
           "tree": "#8c564b", "star": "#e377c2", "nic": "#6a51a3", "host": "#555555",
           "direct": "#008080", "rdma": "#b8860b", "broadcast": "#d95f02", "printed": "#c2185b",
           "bypass": "#1b6ca8", "isolated-bg": "#c2185b", "isolated-hs": "#2a9d4b",
           "hot-section:1": "#2a9d4b", "hot-section:2": "#98a800", "hot-section:4": "#d95f02",
           "hot-section:8": "#8c564b", "hot-section:16": "#7f7f7f", "hot-section:auto": "#6a51a3",
           "throttle:6": "#b8860b", "adaptive": "#222222", "combining": "#008080"}
OTHERS = ("#222222", "#b8860b", "#008080", "#c2185b", "#6b8e23", "#3f51b5")
MARKERS, DASHES = "osD^vPX", ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)))
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "muster", "font.size": 9, "grid.color": "#e7e7e7",
         "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False,
         "lines.linewidth": 1.2, "lines.markersize": 4, "lines.solid_capstyle": "butt",
         "legend.frameon": False, "legend.fontsize": 8, "font.sans-serif": ["DejaVu Sans"],
         "xtick.major.size": 0, "ytick.major.size": 0, "ytick.minor.size": 0,
         "xtick.minor.size": 0}


def draw(data: Data, path: pathlib.Path) -> None:
    """Rows of panels; below a row its legend, or one for each panel, or one for all rows."""
    import matplotlib  # here, because workers do not draw
    matplotlib.use("svg")
    from matplotlib import pyplot
    wide = len(data.panels) if len(data.panels) < 4 else 2 if len(data.panels) % 2 == 0 else WIDE
    rows = [data.panels[i:i + wide] for i in range(0, len(data.panels), wide)]
    hidden = collections.Counter()  # of each curve: curves that it would hide in some panel
    for panel in data.panels:
        for i, one in enumerate(panel.series):
            hidden[one.name] = max(hidden[one.name], sum(
                _coincide(one, other) for other in panel.series[:i] if not other.rings))
    labels = [[[one.name for one in panel.series] + [mark.what for mark in panel.marks]
               for panel in row] for row in rows]
    same = [len(row) > 1 and all(one == row[0] for one in row) for row in labels]
    one = all(same) and all(row[0] == labels[0][0] for row in labels)
    lines = [0 if one else math.ceil(len(row[0]) / wide) if alike else max(map(len, row))
             for row, alike in zip(labels, same)]
    high = [PANEL_HIGH + LINE_HIGH * count for count in lines]
    below = 0.3 + one * LINE_HIGH * math.ceil(len(labels[0][0]) / wide)
    with pyplot.rc_context(STYLE):
        figure = pyplot.figure(layout="constrained", figsize=(4 * wide, sum(high) + below))
        figure.suptitle(data.title, fontsize=10)
        parts = figure.subfigures(len(rows), height_ratios=high, squeeze=False)[:, 0]
        for part, row, alike in zip(parts, rows, same):
            axes = part.subplots(1, wide, squeeze=False)[0]
            for place, panel in zip(axes, row):
                _panel(place, panel, hidden)
                if not alike:
                    place.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), handlelength=3.2)
            for place in axes[len(row):]:
                place.remove()
            if alike and (not one or part is parts[-1]):
                (figure if one else part).legend(
                    *axes[0].get_legend_handles_labels(), handlelength=3.2,
                    loc="outside lower center", ncols=wide)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
    path.write_text(_small(path.name, text.getvalue()), encoding="utf-8")


def _panel(axes, panel: Panel, hidden: dict[str, int]) -> None:
    curves = [series for series in panel.series if not series.rings]
    if len(curves) > MOST_CURVES:
        raise RuntimeError(f"panel {panel.name}: {len(curves)} curves; a panel has at most "
                           f"{MOST_CURVES}: divide it")
    colours = dict(zip((series.name for series in curves), _colours(curves)))
    used = set()
    for series, marker in zip(curves, MARKERS):
        colour, below = colours[series.name], hidden[series.name]
        style = next(n for n in itertools.count(below) if (colour, n) not in used)
        used.add((colour, style))
        points = [p for p in series.points if p.y is not None]
        x, y = [p.x for p in points], [p.y for p in points]
        axes.plot(x, y, color=colour, marker=marker if len(points) <= MOST_MARKERS else None,
                  linestyle=DASHES[style % len(DASHES)], markersize=4 + 3 * below,
                  label=series.name.replace("btin", "BTIN"), clip_on=False,
                  markerfacecolor="none" if below else "white" if style else colour)
        if any(p.half_width for p in points):
            most = 1 if panel.y_label == "share" else float("inf")
            band = [min(p.y + (p.half_width or 0), most) for p in points]
            band += [p.y - (p.half_width or 0) for p in reversed(points)]
            axes.fill([*x, *reversed(x)], band, color=colour, alpha=0.2, linewidth=0)
    for series in panel.series:
        if series.rings:
            _lone(axes, series.points, "o", "#444444", series.name)
    for mark in panel.marks:
        _lone(axes, [Point(mark.x, mark.y)], "x", colours.get(mark.measured_by, "black"),
              f"{mark.what}, printed")
    if panel.log_x:
        axes.set_xscale("log", base=panel.log_x)
        axes.xaxis.get_major_locator().set_params(numticks=MOST_TICKS)
        axes.xaxis.set_major_formatter("{x:g}")
    else:
        axes.xaxis.get_major_locator().set_params(
            integer=all(p.x == int(p.x) for series in panel.series for p in series.points))
    if panel.log10_y:
        axes.set_yscale("log", subs=[])
        low, high = axes.get_ylim()
        subs = [1, 2, 5] if high < 200 * low else [1]
        axes.yaxis.set_major_locator(axes.yaxis.get_major_locator().__class__(subs=subs))
        axes.yaxis.set_major_formatter("{x:g}")
    elif all(p.y >= 0 for series in panel.series for p in series.points if p.y is not None):
        axes.set_ylim(bottom=0)
    title = f"({panel.name}) {panel.title}" if panel.name else panel.title
    axes.set_title(textwrap.fill(title, TITLE_WIDE), fontsize=9)
    axes.grid(axis="y", clip_on=False)
    axes.patch.set_visible(False)
    axes.set(xlabel=panel.x_label, ylabel=panel.y_label)


def _coincide(one: Series, other: Series) -> bool:
    """Whether most points of a curve hide those of another one."""
    known = {p.x: p.y for p in other.points if p.y is not None}
    near = [abs(p.y - known[p.x]) <= 0.02 * abs(p.y) for p in one.points
            if p.y is not None and p.x in known]
    return sum(near) * 2 > len(near)


def _lone(axes, points, marker: str, colour: str, label: str) -> None:
    axes.plot([p.x for p in points], [p.y for p in points], marker, color=colour, label=label,
              clip_on=False, markersize=10 if marker == "o" else 7, markerfacecolor="none",
              markeredgewidth=1.3)


def _colours(curves) -> list[str]:
    """That of the system a curve is named after, else one of its own."""
    spare = iter(OTHERS)
    firsts = [[word for part in series.name.lower().split(", ")
               for word in (part.split()[0].rstrip(":"), part.partition("-")[0])]
              for series in curves]
    found = [next((COLOURS[word] for word in words if word in COLOURS), None) for words in firsts]
    return [colour or next(spare) for colour in found]


def _small(name: str, text: str) -> str:
    """Tenths of a point, and what all elements have in common at the first one."""
    from scour import scour
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r"font-family: [^;\"]*;?", "", text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(
        r"\d+\.\d\d+", lambda number: f"{float(number[0]):.1f}", tag[0]), text)
    options = scour.parse_args(["--enable-id-stripping", "--enable-comment-stripping",
                                "--shorten-ids", "--create-groups", "--indent=none",
                                "--no-line-breaks", "--strip-xml-prolog", "--set-precision=5",
                                "--remove-metadata"])
    small = scour.scourString(text, options).strip() + "\n"
    small = re.sub(r"(\d)\.0(?=\")", r"\1", small)
    small = small.replace(' font-size="9px"', "").replace("xlink:href=", "href=")
    small = small.replace("<svg ", '<svg font-family="DejaVu Sans,sans-serif" font-size="9px" ', 1)
    if len(small.encode()) > MOST_BYTES:
        raise RuntimeError(f"{name}: {len(small.encode())} bytes; a picture has at most "
                           f"{MOST_BYTES}")
    return small
