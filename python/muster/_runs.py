# SPDX-License-Identifier: Apache-2.0
"""Runs of barriers, one or many."""

import concurrent.futures
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._networks import Network, read
from ._results import Outcome, Result
from ._words import checked_words, groups_of, is_list, options_of, path_of


def _times(arrivals: Any, groups: int) -> list:
    """Cycles [group][barrier][member] from an array of them, or from one for all groups."""
    try:
        times = np.asarray(arrivals)
    except ValueError:  # lists of several lengths
        times = np.empty(0)
    if times.dtype.kind not in "iu" or times.ndim not in (2, 3):
        raise TypeError("arrivals: give a function, a file, or whole cycles [barrier][member] or "
                        "[group][barrier][member]")
    if (times < 0).any():
        raise _core.InputError("arrivals: a cycle is below 0")
    return times.tolist() if times.ndim == 3 else [times.tolist()] * groups


def _own_arrivals(arrivals: Any, groups: int) -> list | None:
    if arrivals is None:
        return None
    if callable(arrivals):
        return [arrivals]
    if is_list(arrivals) and len(arrivals) and all(callable(one) for one in arrivals):
        return list(arrivals)
    return _times(arrivals, groups)


def run(network: Network | str | os.PathLike, group: Any = "all", *, arrivals: Any = None,
        stop: _core.Stop | None = None, progress: Callable[[int, int], Any] | None = None,
        **options: Any) -> Result:
    """Runs barriers on a network and checks every cycle, as `muster run` does.

    network   a Network or the name of a file
    group     "all", "random:N", "0:3,3:4", a group of the file, a list of node numbers; or a list
              of several of these, which run at once: [["h1", "h2"]] is one of two nodes by name
    arrivals  when members arrive, instead of `spread`: a function of (member, barrier, now) that
              gives the cycle of the arrival, not before `now`, in which the member is released
              from the barrier before, or None for never; a list of such functions, one a group;
              an array of cycles [barrier][member] or [group][barrier][member], in which a time
              that has passed is `now`; or the name of a recording's file
    stop      a Stop, with which another thread ends the run
    progress  called with the cycle and the barriers done, several times a second
    options   those of `muster run`: scheme="btin", engine="golden", barriers=10, load=0.3, seed=1,
              nic="host", ...; a flag is True; options() lists them. page="run.html" and
              trace="run.json" write files

    Members count from 0 in the order of their node numbers. A function of arrivals is a function
    of its arguments: it may be asked again, from any thread. What it raises is raised here. Other
    Python threads run meanwhile. Ctrl-C raises KeyboardInterrupt, whose `result` is the Result
    with what was measured until then."""
    if not isinstance(network, Network):
        network = read(network)
    if stop is not None and not isinstance(stop, _core.Stop):
        raise TypeError(f"stop: {type(stop).__name__} is no muster.Stop")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: {type(progress).__name__} is no function")
    groups = groups_of(group)
    if isinstance(arrivals, (str, os.PathLike)):
        options["arrivals"], arrivals = path_of("arrivals", arrivals), None
    elif arrivals is not None and options.get("spread") is not None:
        raise _core.InputError("arrivals: excludes spread")
    outcome, signal = _core.run(
        network._core, checked_words({"group": groups, **options}, "run"),
        _own_arrivals(arrivals, len(groups)), stop, progress)
    result = Result(Outcome(*outcome))
    if signal is not None:
        signal.result = result
        raise signal
    return result


def run_many(rows: Iterable[Mapping[str, Any]], jobs: int | None = None,
             progress: Callable[[int, int], Any] | None = None) -> list[Result]:
    """Many runs at once, each with the keywords of run() from a dict, as many as there are cores,
    or `jobs`. Each has one thread unless it says otherwise. `progress` is called with the runs
    done and all. Results are in the order of the rows. If runs raise, no further one is begun, and
    what the first row of them raised is raised here, with its number from 0. The `result` of a
    KeyboardInterrupt has None for those that were not complete."""
    rows = [dict(row) for row in rows]
    for number, row in enumerate(rows):
        if "network" not in row or "stop" in row:
            raise _core.InputError(f"row {number}: needs network, and has no stop of its own")

    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        raise _core.InputError(f"jobs: {jobs!r} is not a whole number from 1 on")
    stop = _core.Stop()

    def one(number: int, row: Mapping[str, Any]) -> Result | None:
        try:
            result = run(**{"threads": 1, **row}, stop=stop)
        except _core.InputError as error:
            raise _core.InputError(f"row {number}: {error}") from None
        except Exception as error:
            error.add_note(f"in row {number}")
            raise
        return None if result.end == "interrupted" else result

    # Threads of this process: a run holds no lock of the interpreter.
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        futures = [pool.submit(one, *row) for row in enumerate(rows)]
        try:
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                if future.exception() is not None:
                    break
                if progress is not None:
                    progress(done, len(rows))
        except BaseException as error:
            stop.set()
            pool.shutdown(cancel_futures=True)
            error.result = [_complete(future) for future in futures]
            raise
        pool.shutdown(cancel_futures=True)
    return [future.result() for future in futures]


def _complete(future: concurrent.futures.Future) -> Any:
    """Its result, or None."""
    whole = future.done() and not future.cancelled() and future.exception() is None
    return future.result() if whole else None


def options(generator: str | None = None) -> dict[str, str]:
    """The keywords of run(), or of generate() for a generator, with what each does and [its
    default]."""
    path = ["run"] if generator is None else ["topo", "gen", generator]
    return {name: about for name, (_, about) in options_of(*path).items()}


def engines() -> Sequence[str]:
    """The engines of this module: golden, and rtl and lockstep where it was built with them."""
    return _core.engines()
