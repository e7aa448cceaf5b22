# SPDX-License-Identifier: Apache-2.0
"""What comes out of a run."""

import json
from functools import cached_property
from typing import Any

import numpy as np

from . import _core


class Result:
    """A run and what came out of it. Each field of the result's JSON, schema muster-run-1, is an
    attribute: `digest`, `cycles`, `latency_us["mean"]`, `violation_texts`, `data`, and what the
    run's system adds, such as `nic`. str() is the summary of the command line."""

    def __init__(self, core: _core.Result):
        if not isinstance(core, _core.Result):
            raise TypeError("a Result is made by muster.run")
        self._core = core

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """The barriers as arrays: group, number, latency_cycles, reduction_cycles,
        distribution_cycles, exit_skew_cycles, hops, failed."""
        columns = self._core.columns()
        columns["failed"] = columns["failed"].astype(bool)
        for column in columns.values():
            column.setflags(write=False)
        return columns

    @property
    def latencies_cycles(self) -> np.ndarray:
        """Latency of each completed barrier, in the order of `columns`, in cycles."""
        return self.columns["latency_cycles"]

    @property
    def latencies_us(self) -> np.ndarray:
        """The same in microseconds of the run's profile."""
        return self.latencies_cycles * (self._core.clock_ns / 1000.0)

    @property
    def ok(self) -> bool:
        """All checks have passed, and every group has done all of its barriers."""
        return self._core.ok

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `muster run --json`, a new dict each time."""
        return json.loads(self._core.json())

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return self.to_dict()

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._fields:
            return self._fields[name]
        raise AttributeError(f"a Result has no field '{name}'; this one has "
                             + ", ".join(self._fields if not name.startswith("_") else ["..."]))

    def __dir__(self):
        return [*super().__dir__(), *self._fields]

    def __str__(self) -> str:
        return self._core.text()

    def __repr__(self) -> str:
        return f"<muster.Result {self.scheme}: {len(self.latencies_cycles)} barriers, {self.end}>"
