# SPDX-License-Identifier: Apache-2.0
"""Pictures of studies: curves of means over seeds with their intervals, or bars."""

import math
import os
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._words import path_of, similar

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas

_AVERAGED = ("seed", "network.seed")
_MARKERS = "osD^vP*X<>ph8"
_DASHES = ((), (4, 1.5), (1, 1), (4, 1, 1, 1))
_SLANTED = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"}  # names below an axis
_SIZE, _WIDEST = (5.2, 3.8), 3  # of a panel in inches; panels in a row


def over_seeds(rows: "pandas.DataFrame", value: str, by: Sequence[str]) -> "pandas.DataFrame":
    """Means of a column over the rows that differ only in seeds, for each value of the columns
    `by`: columns of `by`, `mean`, `half_width` of the 95 % interval by Student's t, `least`,
    `greatest`, `rows`, `saturated` (rows whose run was). The interval of a single row is its own
    if the run has `repeat`. Rows that differ in another parameter are refused: their mean says
    nothing."""
    import pandas
    rows = _whole(rows).dropna(subset=[value])
    others = [name for name in rows.attrs.get("parameters", [])
              if name not in (*by, value, *_AVERAGED)]
    found = []
    for key, part in rows.groupby(list(by), sort=True, dropna=False):
        for name in others:
            if part[name].nunique(dropna=False) > 1:
                raise _core.InputError(
                    f"rows at {_where(by, key)} differ in '{name}': "
                    f"{', '.join(map(str, part[name].unique()[:4]))}; choose one, or name it among "
                    "the curves")
        found.append({**dict(zip(by, key)), **_mean(part, value)})
    return pandas.DataFrame(found)


def _whole(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """The rows whose runs are complete. A warning tells of others; none at all is refused."""
    failed = rows[rows["status"] != 0]
    if failed.empty:
        return rows
    reason = failed["error"].iloc[0]
    if len(failed) == len(rows):
        raise _core.InputError(f"all {len(rows)} rows failed, the first: {reason}")
    warnings.warn(f"{len(failed)} of {len(rows)} rows failed and are left out, the first: {reason}",
                  stacklevel=3)
    return rows[rows["status"] == 0]


def _where(by: Sequence[str], key: Sequence[Any]) -> str:
    return ", ".join(f"{name} = {one}" for name, one in zip(by, key))


def _mean(part: "pandas.DataFrame", value: str) -> dict[str, Any]:
    values = part[value].astype(float)
    half_width = math.nan
    own = value.removesuffix(".mean") + ".half_width"
    if len(values) > 1:
        half_width = (_core.student_t95(len(values) - 1) * values.std() / math.sqrt(len(values)))
    elif own in part:
        half_width = float(part[own].iloc[0])
    saturated = part["saturated"].fillna(0).astype(float) > 0 if "saturated" in part else []
    return {"mean": values.mean(), "half_width": half_width, "least": values.min(),
            "greatest": values.max(), "rows": len(values), "saturated": int(sum(saturated))}


def choose(rows: "pandas.DataFrame", condition: str) -> "pandas.DataFrame":
    """Rows that meet an expression of pandas' query(), in which columns such as network.switches
    need no quotes: "load > 0 and (scheme == 'btin' or network.switches <= 25)"."""
    dotted = sorted((name for name in rows.columns if not name.isidentifier()), key=len,
                    reverse=True)
    quoted = condition
    if dotted:
        names = "|".join(map(re.escape, dotted))
        quoted = re.sub(rf"(?<![\w.`'\"-])({names})(?![\w.`'\"-])", r"`\1`", condition)
    try:
        found = rows.query(quoted, engine="python")
        if not hasattr(found, "columns"):
            raise ValueError("is no condition")
    except Exception as error:  # query() raises of all kinds
        raise _core.InputError(f"--where {condition!r}: {error}; write for instance "
                               "\"load > 0 and scheme == 'btin'\"".replace("\n", " ")) from None
    if found.empty:
        raise _core.InputError(f"--where {condition!r}: no row meets it")
    found.attrs = rows.attrs
    return found


def column(rows: "pandas.DataFrame", name: str, what: str) -> str:
    if name not in rows.columns:
        raise _core.InputError(f"{what} '{name}': no row has it; similar are "
                               + similar(name, list(rows.columns)))
    return name


def plot(rows: "pandas.DataFrame", x: str, y: str, *, by: Sequence[str] = (),
         where: str | None = None, facet: str | None = None, log_x: bool = False,
         log_y: bool = False, out: str | os.PathLike | None = None) -> "matplotlib.figure.Figure":
    """Draws a column over another: a curve for each value of the columns `by`, bars where x is
    text, a panel for each value of `facet`. Points are means with intervals (over_seeds());
    points with saturated rows stand in a ring. `where` chooses rows (choose()). `out` is written
    as its ending says: .svg, .png or .pdf."""
    import matplotlib
    matplotlib.use("Agg", force=False)
    import matplotlib.pyplot as pyplot
    by = list(by)
    for what, names in (("x", [x]), ("y", [y]), ("by", by), ("facet", [facet] if facet else [])):
        for name in names:
            column(rows, name, what)
    if where:
        rows = choose(rows, where)
    rows = _whole(rows)
    if rows[[x, y]].dropna().empty:
        raise _core.InputError(f"x '{x}', y '{y}': no row has both")
    if not _is_number(rows[y]):
        raise _core.InputError(f"y '{y}': is text; choose a number")
    points = over_seeds(rows, y, [*([facet] if facet else []), *by, x])
    panels = list(points.groupby(facet, sort=True)) if facet else [(None, points)]
    curves = (list(points[by].drop_duplicates().itertuples(index=False, name=None)) if by else
              [()])  # in the order of the legend
    columns = min(len(panels), _WIDEST)
    lines = math.ceil(len(panels) / columns)
    figure, axes = pyplot.subplots(lines, columns, squeeze=False, sharey=True,
                                   layout="constrained",
                                   figsize=(columns * _SIZE[0], lines * _SIZE[1]))
    for panel, (value, part) in zip(axes.flat, panels):
        _draw(panel, part, x, by, curves, not _is_number(rows[x]))
        if facet:
            panel.set_title(f"{facet} = {value}", fontsize="medium")
        panel.set(xlabel=x, ylabel=y)
        if log_x:
            panel.set_xscale("log", base=2)
        panel.set_yscale("log" if log_y else "linear")
    for panel in list(axes.flat)[len(panels):]:
        panel.remove()
    if by:
        _put_legend(figure, axes.flat)
    if where:
        figure.suptitle(where, fontsize="medium")
    if out is not None:
        save(figure, out)
    return figure


def _is_number(values: "pandas.Series") -> bool:
    import pandas
    return pandas.api.types.is_numeric_dtype(values.dropna().infer_objects())


def _name(by: list[str], curve: tuple) -> str:
    return ", ".join(one if isinstance(one, str) else f"{name} {one}"
                     for name, one in zip(by, curve))


def _draw(panel: Any, part: "pandas.DataFrame", x: str, by: list[str], curves: list[tuple],
          bars: bool) -> None:
    places = {value: place for place, value in enumerate(sorted(part[x].unique()))} if bars else {}
    for number, curve in enumerate(curves):
        own = part
        for name, value in zip(by, curve):
            own = own[own[name] == value]
        if own.empty:
            continue
        colour = f"C{number % 10}"
        if bars:
            width = 0.8 / len(curves)
            at = [places[value] + (number - (len(curves) - 1) / 2) * width for value in own[x]]
            panel.bar(at, own["mean"], width, yerr=own["half_width"].fillna(0), color=colour,
                      hatch="/" * (number // 10), edgecolor="white", capsize=2,
                      label=_name(by, curve))
        else:
            at = own[x]
            panel.errorbar(at, own["mean"], own["half_width"], color=colour, capsize=2,
                           marker=_MARKERS[number % len(_MARKERS)], markersize=4, linewidth=1.2,
                           dashes=_DASHES[number // 10 % len(_DASHES)] or (None, None),
                           label=_name(by, curve))
        ringed = [(a, m) for a, m, s in zip(at, own["mean"], own["saturated"]) if s]
        if ringed:
            panel.plot(*zip(*ringed), linestyle="none", marker="o", markersize=10,
                       markerfacecolor="none", markeredgecolor=colour)
    if bars:
        panel.set_xticks(list(places.values()), [str(value) for value in places],
                         **_SLANTED if len(places) > 4 else {})
    panel.grid(alpha=0.3)
    panel.spines[["top", "right"]].set_visible(False)


def _put_legend(figure: Any, panels: Any) -> None:
    """Below the panels, in as many columns as fit."""
    found: dict[str, Any] = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels()):
            found.setdefault(label, handle)
    for columns in range(min(4, len(found)), 0, -1):
        legend = figure.legend(found.values(), found, loc="outside lower center", frameon=False,
                               ncols=columns)
        if columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            return
        legend.remove()


def save(figure: "matplotlib.figure.Figure", out: str | os.PathLike) -> None:
    """Writes a figure, all or nothing, in the form of its ending."""
    path = path_of("out", out)
    if os.path.splitext(path)[1] not in (".svg", ".png", ".pdf"):
        raise _core.InputError(f"{path}: end the name in .svg, .png or .pdf")
    new = f"{os.path.splitext(path)[0]}.new{os.path.splitext(path)[1]}"
    try:
        figure.savefig(new, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)
        os.replace(new, path)
    except OSError as error:
        raise _core.InputError(f"{path}: cannot be written: {error.strerror}") from None
