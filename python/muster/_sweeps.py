# SPDX-License-Identifier: Apache-2.0
"""Studies: the runs of a plan on processes, kept as they come, and as a DataFrame."""

import collections
import concurrent.futures
import contextlib
import ctypes
import fcntl
import json
import multiprocessing
import os
import pathlib
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._plans import Plan, Point, build
from ._words import path_of, similar, text_in, words_of

if TYPE_CHECKING:
    import pandas

SCHEMA, ROW_SCHEMA = "muster-sweep-2", "muster-sweep-row-2"
_SIGNALLED = 128  # exit status of a command that a signal ended
_PR_SET_PDEATHSIG = 1
_WINDOW = 4       # points in flight for each worker: few are lost with a worker
_ELSEWHERE = 1024  # of an executor whose workers are not ours
_DROPPED = ("schema", "command", "version", "seed", "units", "seconds")


def sweep(plan: str | os.PathLike | Mapping[str, Any], executor: Any = None, *,
          rows: str | os.PathLike | None = None, again: bool = False,
          progress: bool | None = None) -> "pandas.DataFrame":
    """Makes the runs of a plan, a file or a dict of the form of docs/how-to/sweep.md, and returns
    a row a run: `row`, `seed`, `status`, `error`, the parameters and the results as columns.

    executor  where runs are made: a concurrent.futures.Executor, of MPI (MPIPoolExecutor) too; a
              process for each core if none is given. Files are found by the same names on all
              machines
    rows      a file that keeps each row as it comes. If it exists, the study goes on: what it has
              of this plan and build is not run again
    again     runs failed rows of the file again
    progress  a bar with the time left on standard error; by default on a terminal

    A run that fails is a row with its status and its error, and so is one that takes its process
    down. After Ctrl-C the `result` of the KeyboardInterrupt has the rows that are complete."""
    plan = plan if isinstance(plan, Plan) else Plan(plan)
    points = list(plan.points())
    _refuse_twins(plan, points)
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(_Rows(rows, plan, points, again))
        networks = kept.networks() or stack.enter_context(tempfile.TemporaryDirectory())
        todo = [(point, networks) for point in points if point.id not in kept.known]
        bar = stack.enter_context(_bar(len(points), len(points) - len(todo), progress))
        try:
            for row in _made(todo, executor):
                _refuse_missing(plan, row)
                kept.add(row)
                bar.update()
        except KeyboardInterrupt as interrupt:
            interrupt.result = _frame(kept.sorted())
            raise
        kept.finish()
        return _frame(kept.sorted())


def read_rows(rows: str | os.PathLike) -> "pandas.DataFrame":
    """The rows of a study's file, complete or not, as sweep() returns them."""
    name = path_of("rows", rows)
    _, found = _parsed(name, text_in(name))
    if not found:
        raise _core.InputError(f"{name}: has no row yet")
    return _frame(sorted(found, key=lambda row: row["row"]))


# ---- Rows as a DataFrame -------------------------------------------------------------------------

def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, part in value.items():
        if isinstance(part, Mapping):
            yield from _flat(part, f"{prefix}{name}.")
        else:
            yield prefix + name, part


def _parameters(row: Mapping[str, Any]) -> dict[str, Any]:
    """As columns: a generated network as one word without its seed, and its options."""
    found = {}
    for name, value in row["parameters"].items():
        if name == "network" and isinstance(value, dict):
            found["network"] = " ".join(str(word) for option, part in value.items()
                                        for word in ([part] if option == "generate" else
                                                     [] if option == "seed" else [option, part]))
            found |= {f"network.{option}": part for option, part in value.items()
                      if option != "generate"}
        else:
            found[name] = json.dumps(value) if isinstance(value, list) else value
    return found


def _frame(rows: list[dict[str, Any]]) -> "pandas.DataFrame":
    import pandas
    parameters = [_parameters(row) for row in rows]
    names = dict.fromkeys(name for found in parameters for name in found)
    own = {"row", "seed", "status", "error", "seconds", *names}
    columns = [{"row": row["row"], "seed": row["seed"], **dict.fromkeys(names), **found,
                "status": row["status"], "error": row["error"], "seconds": row["seconds"],
                **{f"result.{name}" if name in own else name: value
                   for name, value in _flat(row["result"])}}
               for row, found in zip(rows, parameters)]
    frame = pandas.DataFrame(columns)
    frame.attrs["parameters"] = list(names)
    return frame


# ---- The file ------------------------------------------------------------------------------------

def _line(value: Any) -> str:
    return json.dumps(value, allow_nan=False) + "\n"


def _parsed(name: str, text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Header and rows, without a last line that was not written whole."""
    lines = text.split("\n")[:-1]
    found = []
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
            wanted = SCHEMA if number == 1 else ROW_SCHEMA
            if not isinstance(value, dict) or value.get("schema") != wanted:
                raise ValueError(f'is not of schema "{wanted}"')
        except ValueError as error:
            raise _core.InputError(f"{name}: line {number}: {error}; name a file of muster-study"
                                   ) from None
        found.append(value)
    if not found:
        raise _core.InputError(f"{name}: is no file of muster-study")
    return found[0], found[1:]


def _locked(file: Any) -> bool:
    """By this process; workers do not inherit the lock."""
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


class _Rows:
    """The rows of a study that are there, in memory and in its file if it has one."""

    def __init__(self, rows: str | os.PathLike | None, plan: Plan, points: list[Point],
                 again: bool):
        self._path = None if rows is None else pathlib.Path(path_of("rows", rows))
        self._plan, self._again = plan, again
        self._ids = {point.id for point in points}
        self.known: dict[str, dict[str, Any]] = {}
        self._file = None

    def networks(self) -> str | None:
        """The folder of generated networks, beside the file."""
        return None if self._path is None else str(
            self._path.absolute().with_suffix("")) + "-networks"

    def __enter__(self) -> "_Rows":
        if self._path is None:
            return self
        try:
            self._file = open(self._path, "a+", encoding="utf-8")
        except OSError as error:
            raise _core.InputError(f"{self._path}: cannot be written: {error.strerror}") from None
        if not _locked(self._file) or not os.path.samestat(os.fstat(self._file.fileno()),
                                                           os.stat(self._path)):
            self._file.close()
            raise _core.InputError(f"{self._path}: another study writes it")
        try:
            self._go_on()
        except BaseException:
            self._file.close()
            raise
        return self

    def _go_on(self) -> None:
        self._file.seek(0)
        text = self._file.read()
        whole = text[:text.rfind("\n") + 1]
        if whole:
            _, found = _parsed(str(self._path), whole)
            foreign = [row for row in found if row["id"] not in self._ids]
            if foreign:
                raise _core.InputError(
                    f"{self._path}: row {foreign[0]['row']} is not of this plan, its files or this "
                    f"build ({build()}); name another file")
            self.known = {row["id"]: row for row in found
                          if not (self._again and row["status"] != 0)}
        self._write_all()

    def _write_all(self) -> None:
        """The file anew: header and rows by number. All or nothing, and the lock stays held."""
        header = {"schema": SCHEMA, "version": build(), "plan": self._plan.document,
                  "rows": len(self._ids)}
        text = _line(header) + "".join(_line(row) for row in self.sorted())
        new = self._path.with_name(self._path.name + ".new")
        file = open(new, "w+", encoding="utf-8")
        _locked(file)
        file.write(text)
        file.flush()
        os.replace(new, self._path)
        self._file.close()
        self._file = file

    def add(self, row: dict[str, Any]) -> None:
        self.known[row["id"]] = row
        if self._file is not None:
            self._file.write(_line(row))
            self._file.flush()

    def sorted(self) -> list[dict[str, Any]]:
        return sorted(self.known.values(), key=lambda row: row["row"])

    def finish(self) -> None:
        if self._file is not None:
            self._write_all()

    def __exit__(self, *_: Any) -> None:
        if self._file is not None:
            self._file.close()


def _refuse_twins(plan: Plan, points: list[Point]) -> None:
    seen: dict[str, int] = {}
    for point in points:
        if point.id in seen:
            raise plan.refused("", f"runs {seen[point.id]} and {point.row} are the same; remove "
                                   "one of two equal values")
        seen[point.id] = point.row


def _refuse_missing(plan: Plan, row: dict[str, Any]) -> None:
    """A field of `keep` that a result without error lacks is a mistake of the plan."""
    missing, known = row.pop("missing", None), row.pop("fields", [])
    if missing and row["status"] == 0:
        raise plan.refused("keep", f"run {row['row']} has no field '{missing}'; similar are "
                                   + similar(missing, known))


@contextlib.contextmanager
def _bar(total: int, done: int, wanted: bool | None) -> Iterator[Any]:
    import tqdm
    with tqdm.tqdm(total=total, initial=done, unit="run", dynamic_ncols=True,
                   disable=not (sys.stderr.isatty() if wanted is None else wanted)) as bar:
        yield bar


# ---- Workers -------------------------------------------------------------------------------------

def _network_file(network: Any, folder: str, networks: str) -> str:
    """A network's file; a generated one is made by the first run that needs it."""
    if not isinstance(network, dict):
        return str(pathlib.Path(folder) / network)
    words = ["topo", "gen", network["generate"],
             *words_of({name: value for name, value in network.items() if name != "generate"})]
    name = " ".join(words[2:]).replace("--", "").replace("=", "-").replace(" ", "-")
    path = pathlib.Path(networks) / f"{name.replace('/', '_')}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{os.getpid()}-{path.name}")
        status, _, error = _core.command([*words, f"--out={new}"])
        if status != 0:
            raise _core.InputError(_first_line(error))
        os.replace(new, path)
    return str(path)


def _first_line(text: str) -> str:
    """A message without the program's name."""
    return text.partition("\n")[0].partition(": ")[2] or text.partition("\n")[0]


def _pruned(value: Mapping[str, Any]) -> dict[str, Any]:
    """Without lists, and without what is empty or null."""
    found = {}
    for name, part in value.items():
        if isinstance(part, Mapping):
            if below := _pruned(part):
                found[name] = below
        elif part is not None and not isinstance(part, list):
            found[name] = part
    return found


def _kept(result: dict[str, Any], keep: list[str]) -> tuple[dict[str, Any], str | None]:
    """The fields of a result that a row has, and the first of `keep` that is not there."""
    if not keep:
        return {name: part for name, part in _pruned(result).items()
                if name not in _DROPPED and not name.endswith("_per_second")}, None
    kept: dict[str, Any] = {}
    for field in keep:
        value, place, path = result, kept, field.split(".")
        for name in path:
            if value is not None and (not isinstance(value, Mapping) or name not in value):
                return kept, field
            value = None if value is None else value[name]
        if value is not None:
            for name in path[:-1]:
                place = place.setdefault(name, {})
            place[path[-1]] = value
    return kept, None


def run_point(point: Point, networks: str) -> dict[str, Any] | None:
    """A row; None of a run that a signal ended early."""
    start = time.monotonic()
    status, out, error, network = 2, "", "", ""
    try:
        words = list(point.words)
        if point.network is not None:
            network = _network_file(point.network, point.folder, networks)
            words.insert(0, network)
        os.chdir(point.folder)
        status, out, error = _core.command([*point.command, *words, "--json=-"])
    except _core.InputError as refused:
        error = f"muster: {refused}"
    if status > _SIGNALLED:
        return None
    result = json.loads(out) if out.startswith("{") else None
    kept, missing = ({}, None) if result is None else _kept(result, point.keep)
    found = result or {}
    texts = [*(found.get("violation_texts") or []), *(found.get("stopped_texts") or []), ""]
    reason = _first_line(error) or texts[0].partition("\n")[0] or f"status {status}"
    if network:
        reason = reason.replace(network, pathlib.Path(network).name)
    row = _row(point, status, None if status == 0 else reason, kept,
               round(time.monotonic() - start, 3))
    return row | ({"missing": missing, "fields": [name for name, _ in _flat(result)]}
                  if missing else {})


def _row(point: Point, status: int, error: str | None, result: dict[str, Any],
         seconds: float | None) -> dict[str, Any]:
    return {"schema": ROW_SCHEMA, "row": point.row, "id": point.id, "seed": point.seed,
            "parameters": point.parameters, "status": status, "error": error, "result": result,
            "seconds": seconds}


def _made(todo: list[tuple[Point, str]], executor: Any) -> Iterator[dict[str, Any]]:
    """Rows as they come. If an executor breaks with one of its workers, as a process pool does, the
    points that it leaves are made on this machine."""
    left = collections.deque(todo)
    if executor is not None:
        left.extend((yield from _through(left, executor, _ELSEWHERE)))
    while left:
        # Forked, so that the program of a user needs no guard around its first call.
        with concurrent.futures.ProcessPoolExecutor(
                len(os.sched_getaffinity(0)), multiprocessing.get_context("fork"),
                _become_worker, (os.getpid(),)) as pool:
            try:
                alone = yield from _through(
                    left, pool, _WINDOW * pool._max_workers)  # noqa: SLF001
            except BaseException:
                # SIGTERM would let a run end in order, and its worker then wait for ever for the
                # queue's lock that an idle worker held when it ended.
                for process in list((pool._processes or {}).values()):  # noqa: SLF001
                    process.kill()
                pool.shutdown(cancel_futures=True)
                raise
        for point, networks in alone:  # one of them has taken its process, and so the pool, down
            if (row := _made_alone(point, networks)) is not None:
                yield row


def _through(left: collections.deque, executor: Any, window: int) -> Any:
    """Yields rows of the workers of an executor, which has at most so many points at a time;
    returns those that were in flight when it broke."""
    flying: dict[concurrent.futures.Future, tuple[Point, str]] = {}
    broken = False
    try:
        while (left or flying) and not broken:
            while left and len(flying) < window:
                flying[executor.submit(run_point, *left[0])] = left[0]
                left.popleft()
            done, _ = concurrent.futures.wait(
                flying, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                error = future.exception()
                if isinstance(error, concurrent.futures.BrokenExecutor):
                    broken = True
                    continue
                point, _ = flying.pop(future)
                if error is not None:
                    reason = f"{type(error).__name__}: {error}".partition("\n")[0]
                    yield _row(point, 1, reason, {}, None)
                elif (row := future.result()) is not None:
                    yield row
    except concurrent.futures.BrokenExecutor:  # as it was given a point
        pass
    finally:
        for future in flying:
            future.cancel()
    return list(flying.values())


def _become_worker(parent: int) -> None:
    """Ctrl-C reaches all processes of a terminal; the first one ends the others. When that one is
    killed the kernel ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _made_alone(point: Point, networks: str) -> dict[str, Any] | None:
    """In a process of its own, whose end costs this row alone."""
    context = multiprocessing.get_context("fork")
    ours, its = context.Pipe(duplex=False)
    process = context.Process(target=_send_point, args=(its, point, networks, os.getpid()))
    process.start()
    its.close()
    try:
        row = ours.recv()
        process.join()
    except EOFError:
        process.join()
        number = -(process.exitcode or 0)
        if number > 0:
            row = _row(point, _SIGNALLED + number,
                       f"ended by signal {number}, {signal.strsignal(number)}", {}, None)
        else:
            row = _row(point, 1, f"the process ended with status {process.exitcode}", {}, None)
    except BaseException:
        process.kill()
        raise
    return row


def _send_point(pipe: Any, point: Point, networks: str, parent: int) -> None:
    _become_worker(parent)
    pipe.send(run_point(point, networks))
