# SPDX-License-Identifier: Apache-2.0
"""What experiments are made of: figures with their data, the rows that compare them with a paper,
and a parallel map that keeps its results."""

import concurrent.futures
import dataclasses
import functools
import hashlib
import importlib
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import pkgutil
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import muster
import tqdm
from muster import _sweeps

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "experiments"


class Point(NamedTuple):
    """A measured value; `half_width` is that of its 95 % confidence interval if it is a mean."""
    x: float | None
    y: float | None  # none: not defined there
    half_width: float | None = None


@dataclasses.dataclass
class Series:
    """A curve, or with `rings` circles around points of other curves."""
    name: str
    points: list[Point]
    rings: bool = False

    @classmethod
    def over(cls, name: str, xs: Iterable[float], ys: Iterable[float], rings=False) -> "Series":
        return cls(name, list(map(Point, xs, ys)), rings)

    def at(self, x: float) -> Point:
        return next(point for point in self.points if point.x == x and point.y is not None)


class Mark(NamedTuple):
    """A value that the paper prints, in a drawing; `measured_by` is the series with ours."""
    what: str
    x: float
    y: float
    measured_by: str = ""


@dataclasses.dataclass
class Panel:
    """A graph: axes with units in their labels."""
    name: str
    title: str
    x_label: str
    y_label: str
    series: list[Series]
    log_x: int | None = None  # its base
    log10_y: bool = False
    marks: list[Mark] = dataclasses.field(default_factory=list)

    def curve(self, name: str) -> Series:
        return next(series for series in self.series if series.name == name)


class Table(NamedTuple):
    """Values that are no curve, for results/ID.md."""
    title: str
    heads: tuple[str, ...]
    rows: list[tuple]


@dataclasses.dataclass
class Data:
    """What is known of a figure once it is measured."""
    title: str
    panels: list[Panel] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    tables: list[Table] = dataclasses.field(default_factory=list)

    def add(self, title: str, x_label: str, y_label: str, series: list[Series], **more) -> Panel:
        """A panel with the next letter."""
        self.panels.append(Panel(chr(ord("a") + len(self.panels)), title, x_label, y_label, series,
                                 **more))
        return self.panels[-1]

    def panel(self, name: str) -> Panel:
        return next(panel for panel in self.panels if panel.name == name)

    def curve(self, panel: str, series: str) -> Series:
        return self.panel(panel).curve(series)

    def value(self, panel: str, series: str, x: float) -> Point:
        return self.curve(panel, series).at(x)


class At(NamedTuple):
    """A place in a figure; called with its Data, the value there, without an x the curve. Of
    another figure than that of the row it is called with {figure: Data}."""
    panel: str
    series: str
    x: float | None = None
    figure: str | None = None

    def __call__(self, data: Any) -> Point | Series:
        curve = (data[self.figure] if self.figure else data).curve(self.panel, self.series)
        return curve if self.x is None else curve.at(self.x)


def of(claim: Callable, *places: At, **how: Any) -> Callable[[Any], Any]:
    """A row's value: `claim` of what is at these places."""
    return lambda data: claim(*(place(data) for place in places), **how)


def of_curves(claim: Callable, panels: Iterable[str], *names: str, **how: Any
              ) -> Callable[[Data], list]:
    """A row's value: in each of the panels `claim` of these curves."""
    return lambda data: [claim(*(data.curve(panel, name) for name in names), **how)
                         for panel in panels]


def all_of(*values: Callable[[Any], Any]) -> Callable[[Any], list]:
    """A row's value: all claims of these, each one or a list."""
    return lambda data: [held for value in values for found in [value(data)]
                         for held in (found if isinstance(found, list) else [found])]


def of_each(claim: Callable, panels: Iterable[str], names: Iterable[str], **how: Any
            ) -> Callable[[Data], list]:
    """A row's value: in each of the panels `claim` of each of these curves."""
    return all_of(*(of_curves(claim, panels, name, **how) for name in names))


LOCKSTEP = "golden, lockstep"  # tests/recorded/headlines.txt runs the case on RTL in lockstep too


@dataclasses.dataclass(frozen=True)
class Printed:
    """A row of the ledger: what a paper prints or says, and what we measure.

    `ours` is a function of the figure's Data, or of {figure: Data} if `figures` names others, too:
    a Point or a number, or for a sentence True, False, or None where intervals overlap, or a list
    of these. `verdict` is stated, with its reason `why`, only where it does not follow from the
    values (ledger.py). With `of` it is one more model of the value of that row: it has no verdict,
    and the value is printed there."""
    id: str
    where: str
    case: str
    ours: Callable[[Any], Any] | None = None
    printed: float | str = "sentence"
    unit: str | None = None
    mark: str | None = None            # the printed value in the drawing, where `ours` is an At
    verdict: str | None = None
    why: str | None = None
    limit: float | None = None         # of a calibrated row: how far it may be from `printed`
    command: str | None = None         # shows the reason
    at_most: bool = False              # `printed` is a bound
    of: str | None = None
    derived: bool = False              # follows from printed values, and is not printed itself
    engine: str = "golden"             # of the runs behind `ours`; headlines: with RTL
    other: Callable[[Any], Any] | None = None  # `ours` at the other end of an open assumption
    figures: tuple[str, ...] = ()      # other figures that `ours` needs
    refused: Callable[[], Any] | None = None   # raises InputError: what cannot be built


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure or table: `measure(study)` returns its Data. The docstring of its module says how
    it is measured."""
    id: str
    paper: str
    measure: Callable[["Study"], Data]
    about: str
    printed: list[Printed] = dataclasses.field(default_factory=list)


@functools.cache
def figures() -> list[Figure]:
    """All figures, by the names of their modules, which have FIGURES."""
    package = ROOT / "experiments"
    modules = [importlib.import_module(f"experiments.{found.name}")
               for found in pkgutil.iter_modules([str(package)]) if found.name != "__main__"]
    return [figure for module in modules for figure in getattr(module, "FIGURES", ())]


def mean95(values: Iterable[float], x: float | None = None) -> Point:
    """The mean of independent values with its 95 % interval."""
    values = list(map(float, values))
    count, total = len(values), sum(values)
    if count < 2:
        return Point(x, *values or (None,))
    mean = total / count
    squares = sum(value * value for value in values) - 2 * mean * total + mean * mean * count
    error = math.sqrt(max(0.0, squares) / (count * (count - 1)))
    return Point(x, mean, muster._core.student_t95(count - 1) * error)


class Study:
    """Runs points on processes, each once for a program: results are kept as they come. Points that
    have `violations` or `warnings` are counted, and the warnings kept.
    `sessions`: networks or sessions a point, instead of the figure's own."""

    def __init__(self, seed: int = 1, sessions: int | None = None, engine: str = "golden",
                 jobs: int | None = None, kept: pathlib.Path = KEPT):
        self.seed, self.sessions, self.engine, self.kept = seed, sessions, engine, kept
        self.whole = not sessions  # whether no result is of fewer or of a run before
        self.violations, self.warnings = 0, []
        self._made = set()
        self._jobs, self._pool = jobs or os.cpu_count(), None

    def __enter__(self) -> "Study":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    @property
    def common(self) -> dict[str, Any]:
        """What runs take from it."""
        return {"seed": self.seed, "engine": self.engine}

    def count(self, own: int) -> int:
        """Networks or sessions a point, `own` those of the figure."""
        return self.sessions or own

    def seeds(self, own: int) -> range:
        return range(self.seed, self.seed + self.count(own))

    def run(self, function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """function(item) for each, in order. The function stands at the top of its module; items
        and results are what JSON has. Raises RuntimeError if an item fails, after all others."""
        items = list(items)
        paths = [self.kept / function.__module__ / f"{self._key(function, item)}.json"
                 for item in items]
        missing = {path: item for path, item in zip(paths, items) if not path.exists()}
        self._made |= missing.keys()
        self.whole = self.whole and self._made.issuperset(paths)
        self._make(function, missing)
        found = [json.loads(path.read_text()) for path in paths]
        for one in found:
            if isinstance(one, dict):
                self.violations += one.get("violations", 0)
                self.warnings += one.get("warnings", ())
        return found

    def grid(self, function: Callable[[Any], Any], rows: Iterable[Iterable[Any]]
             ) -> list[list[Any]]:
        """run() by row of items."""
        rows = list(map(list, rows))
        found = iter(self.run(function, itertools.chain(*rows)))
        return [list(itertools.islice(found, len(row))) for row in rows]

    def _make(self, function: Callable, missing: dict[pathlib.Path, Any]) -> None:
        if not missing:
            return
        if self._pool is None:
            self._pool = concurrent.futures.ProcessPoolExecutor(
                self._jobs, multiprocessing.get_context("spawn"), _sweeps._become_worker,
                (os.getpid(),))
        todo = {self._pool.submit(function, item): path for path, item in missing.items()}
        failed = []
        for done in tqdm.tqdm(concurrent.futures.as_completed(todo), total=len(todo),
                              desc=function.__module__.rpartition(".")[2], leave=False,
                              disable=None):
            path = todo[done]
            if done.exception():
                failed.append(f"{json.dumps(missing[path])[:200]}: {done.exception()}")
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(done.result()))
            part.replace(path)
        if failed:
            raise RuntimeError(f"{function.__name__}: {len(failed)} of {len(todo)} points failed; "
                               f"the others are kept. {failed[0]}")

    @staticmethod
    def _key(function: Callable, item: Any) -> str:
        text = json.dumps([function.__name__, item], sort_keys=True).encode()
        made_by = _program() + _source(function.__module__)
        return hashlib.sha256(made_by + text).hexdigest()[:32]


@functools.cache
def _program() -> bytes:
    """A digest of the module and of the libraries that it has loaded."""
    mapped = pathlib.Path("/proc/self/maps").read_text().split()
    return _digest({*pathlib.Path(muster.__file__).parent.glob("*.[ps][yo]"),
                    *(pathlib.Path(name) for name in mapped if "/libmuster" in name)})


@functools.cache
def _source(name: str) -> bytes:
    """A digest of a module and of all of this package that it imports."""
    found = [name]
    for each in found:
        uses = {getattr(value, "__module__", getattr(value, "__name__", ""))
                for value in vars(sys.modules[each]).values()} - set(found)
        found += [use for use in uses if f"{use}".startswith(f"{__package__}.")]
    return _digest(pathlib.Path(sys.modules[each].__file__) for each in found)


def _digest(files: Iterable[pathlib.Path]) -> bytes:
    return b"".join(hashlib.sha256(path.read_bytes()).digest()
                    for path in sorted(files, key=lambda path: path.name))
