# SPDX-License-Identifier: Apache-2.0
"""What comes out of a run."""

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas


class Outcome(NamedTuple):
    """What _core.run() gives: JSON, summary, barriers."""

    json: str
    text: str
    columns: dict[str, np.ndarray]
    ok: bool
    clock_ns: float


class Result:
    """A run and what came out of it. Each field of the result's JSON, schema muster-run-1, is an
    attribute: `digest`, `cycles`, `latency_us["mean"]`, `violation_texts`, `data`, and what the
    run's system adds, such as `nic`. str() is the summary of the command line."""

    def __init__(self, outcome: Outcome):
        if not isinstance(outcome, Outcome):
            raise TypeError("a Result is made by muster.run")
        self._outcome = outcome

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """The barriers as arrays: group, number, latency_cycles, reduction_cycles,
        distribution_cycles, exit_skew_cycles, released_at_cycle, hops, failed."""
        columns = {**self._outcome.columns, "failed": self._outcome.columns["failed"].astype(bool)}
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
        return self.latencies_cycles * (self._outcome.clock_ns / 1000.0)

    def to_frame(self) -> "pandas.DataFrame":
        """The barriers as a table: `columns`, with the group's name and latency_us."""
        import pandas
        frame = pandas.DataFrame(self.columns)
        names = [group["name"] for group in self.parameters["groups"]]
        frame.insert(1, "name", [names[group] for group in frame["group"]])
        frame["latency_us"] = frame["latency_cycles"] * (self._outcome.clock_ns / 1000.0)
        return frame

    @property
    def ok(self) -> bool:
        """All checks have passed, and every group has done all of its barriers."""
        return self._outcome.ok

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `muster run --json`, a new dict each time."""
        return json.loads(self._outcome.json)

    def __reduce__(self):
        return Result, (self._outcome._replace(columns=self.columns),)

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
        return self._outcome.text

    def __repr__(self) -> str:
        return f"<muster.Result {self.scheme}: {len(self.latencies_cycles)} barriers, {self.end}>"
