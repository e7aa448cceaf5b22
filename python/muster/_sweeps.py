# SPDX-License-Identifier: Apache-2.0
"""Plans of `muster sweep`, run in this process."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from . import _core
from ._threads import on_threads
from ._words import path_of


class Sweep:
    """The rows of a plan, each a dict as in the files of `muster sweep`: `row`, `id`, `seed`,
    `parameters`, `status`, `error`, `result`."""

    def __init__(self, rows: list[dict[str, Any]]):
        self.rows = rows

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """An array for each field, named as in the table of `muster sweep --csv`:
        `parameters.load`, `result.latency_us.mean`. A number that is missing is nan."""
        flat = [dict(_fields(row, "")) for row in self.rows]
        names = dict.fromkeys(name for row in flat for name in row)
        return {name: _array([row.get(name) for row in flat]) for name in names}

    @property
    def failed(self) -> int:
        """Rows whose status is not 0."""
        return sum(row["status"] != 0 for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<muster.Sweep: {len(self)} rows, {self.failed} failed>"


def _fields(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, part in value.items():
        if isinstance(part, Mapping):
            yield from _fields(part, f"{prefix}{name}.")
        elif prefix or name not in ("schema", "machine", "seconds"):
            yield prefix + name, part


def _array(values: list[Any]) -> np.ndarray:
    kinds = {type(value) for value in values}
    if kinds <= {int, float, type(None)} and kinds != {type(None)}:
        if type(None) in kinds:
            values = [np.nan if value is None else value for value in values]
        return np.array(values)
    return np.array(values) if kinds in ({bool}, {str}) else _objects(values)


def _objects(values: list[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _plan(plan: Any) -> _core.Plan:
    if isinstance(plan, Mapping):
        try:
            text = json.dumps(plan, allow_nan=False, default=lambda value: value.tolist())
        except (AttributeError, TypeError, ValueError) as error:
            raise _core.InputError(f"plan: is no JSON: {error}") from None
        return _core.Plan.parse(text, "plan")
    return _core.Plan.read(path_of("plan", plan))


class _Networks:
    """The networks of a plan, each made once."""

    def __init__(self, plan: _core.Plan):
        self._plan, self._made, self._lock = plan, {}, threading.Lock()

    def of(self, row: int) -> _core.Network:
        key = self._plan.network_key(row)
        with self._lock:
            if key not in self._made:
                self._made[key] = self._plan.network(row)
            return self._made[key]


def sweep(plan: str | os.PathLike | Mapping[str, Any], jobs: int | None = None,
          progress: Callable[[int, int], Any] | None = None) -> Sweep:
    """Makes the runs of a plan, the file of `muster sweep` or a dict of the same form, on all
    cores, or `jobs` threads. A run that fails is a row with its status and its error. Nothing is
    written. `progress` is called with the rows done and all. The `result` of a KeyboardInterrupt
    is a Sweep with the rows that were complete.

    In a dict the names of files are those of the current folder."""
    rows = _plan(plan)
    networks = _Networks(rows)

    def one(number: int, stop: _core.Stop) -> dict[str, Any] | None:
        start, status, result, error = time.monotonic(), 0, "", ""
        try:
            raw, _ = _core.run(networks.of(number), rows.words(number), None, stop, None)
            if raw.interrupted:
                return None
            result, status = raw.json(), int(not raw.ok)
        except _core.InputError as refused:
            status, error = 2, f"muster: {refused}"
        except _core.InternalError as broken:
            status, error = 1, f"muster: internal error: {broken}"
        return json.loads(rows.row(number, status, result, error, time.monotonic() - start))

    try:
        return Sweep(on_threads(len(rows), jobs, one, progress))
    except KeyboardInterrupt as interrupt:
        interrupt.result = Sweep([row for row in interrupt.result if row is not None])
        raise
