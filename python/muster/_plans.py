# SPDX-License-Identifier: Apache-2.0
"""Plans of studies: which runs a plan stands for. docs/how-to/sweep.md describes the form."""

import decimal
import hashlib
import itertools
import json
import math
import os
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from . import _core
from ._words import misuse, path_of, text_in, words_of

SCHEMA = "muster-sweep-plan-1"
MOST_POINTS = 1_000_000
_FIELDS = ("schema", "note", "command", "network", "options", "zip", "keep")
# They write files of one name, which all points would share.
_FILES = ("json", "out", "wave", "dot", "page", "trace")


class Point(NamedTuple):
    """One run of a plan; what a worker needs, and no more."""

    row: int
    id: str                     # hash of command, parameters, inputs and build
    seed: int
    parameters: dict[str, Any]  # the network first, without the seed
    command: list[str]          # ["topo", "info"]
    words: list[str]            # the options as typed
    network: Any                # a file, {"generate": G, option: value}, or None
    folder: str                 # of the plan; names of files are relative to it
    keep: list[str]             # fields of the result; empty: all scalars


class Plan:
    """A plan that has been checked: its commands take all of its options and values."""

    def __init__(self, plan: str | os.PathLike | Mapping[str, Any]):
        if isinstance(plan, Mapping):
            self.name, self.folder = "plan", pathlib.Path.cwd()
            try:
                text = json.dumps(plan, allow_nan=False, default=lambda value: value.tolist())
            except (AttributeError, TypeError, ValueError) as error:
                raise self.refused("", f"is not JSON: {error}") from None
        else:
            self.name = path_of("plan", plan)
            self.folder = pathlib.Path(self.name).absolute().parent
            text = text_in(self.name)
        self.document = self._parsed(text)
        self._read()
        self._check()

    def refused(self, place: str, reason: str) -> _core.InputError:
        return _core.InputError(": ".join(part for part in (self.name, place, reason) if part))

    def _parsed(self, text: str) -> dict[str, Any]:
        def pairs(found):
            names = [name for name, _ in found]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise self.refused(twice, "stands twice; remove one")
            return dict(found)

        try:
            document = json.loads(text, object_pairs_hook=pairs)
        except RecursionError:
            raise self.refused("", "is nested too deeply") from None
        except json.JSONDecodeError as error:
            raise self.refused(f"line {error.lineno}", f"{error.msg}; fix the JSON here") from None
        if not isinstance(document, dict):
            raise self.refused("", "a plan is one JSON object {...}")
        if document.get("schema") != SCHEMA:
            raise self.refused("schema", f'this version reads "{SCHEMA}"')
        return document

    def _read(self) -> None:
        document = self.document
        self._known("", document, _FIELDS)
        self.command = self._text("command", document.get("command", "run")).split()
        self.keep = document.get("keep", [])
        if "keep" in document and not (isinstance(self.keep, list) and self.keep and
                                       all(isinstance(name, str) for name in self.keep)):
            raise self.refused("keep", "give a list of fields, or remove it")
        self.axes: dict[str, list[Any]] = {}  # in the order of nested loops
        self.generator: str | None = None
        if "network" in document:
            self._read_network(document["network"])
        for name, value in self._object("options", document.get("options", {})).items():
            self.axes[name] = self._values(f"options.{name}", value)
        self.zip = document.get("zip", [])
        self._check_zip()
        if self._count() > MOST_POINTS:
            raise self.refused("", f"{self._count()} runs, at most {MOST_POINTS}; use fewer values")

    def _read_network(self, network: Any) -> None:
        if isinstance(network, dict):
            self._known("network", network, ("generate", "options"))
            self.generator = self._text("network.generate", network.get("generate"))
            options = self._object("network.options", network.get("options", {}))
            for name, value in options.items():
                self.axes[f"network.{name}"] = self._values(f"network.options.{name}", value)
            return
        several = network if isinstance(network, list) else [network]
        if not several:
            raise self.refused("network", "an empty list; give at least one network")
        self.axes["network"] = [self._single_network(one) for one in several]

    def _single_network(self, network: Any) -> str | dict[str, Any]:
        if not isinstance(network, dict):
            return self._text("network", network)
        self._known("network", network, ("generate", "options"))
        options = self._object("network.options", network.get("options", {}))
        for name, value in options.items():
            self._scalar(f"network.options.{name}", value)
        return {"generate": self._text("network.generate", network.get("generate")), **options}

    def _known(self, place: str, found: dict[str, Any], known: tuple[str, ...]) -> None:
        for name in found:
            if name not in known:
                raise self.refused(f"{place}.{name}".lstrip("."),
                                   f"is not known here; known are {', '.join(known)}")

    def _object(self, place: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.refused(place, "give an object {...}")
        return value

    def _text(self, place: str, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self.refused(place, "give a text that is not empty")
        return value

    def _scalar(self, place: str, value: Any) -> Any:
        if not isinstance(value, (str, int, float)) or value == "":
            raise self.refused(place, f"{json.dumps(value)} is no number, text, true or false")
        return value

    def _values(self, place: str, value: Any) -> list[Any]:
        """The values of an option; a list among them is typed in one run."""
        if isinstance(value, dict):
            return self._range(place, value)
        if not isinstance(value, list):
            return [self._scalar(place, value)]
        for one in value:
            for word in one if isinstance(one, list) and one else [one]:
                if word is not None or isinstance(one, list):
                    self._scalar(place, word)
        if not value:
            raise self.refused(place, "an empty list; give at least one value")
        return value

    def _range(self, place: str, found: dict[str, Any]) -> list[int | float]:
        self._known(place, found, ("from", "to", "count", "step", "factor"))
        for name, number in found.items():
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                raise self.refused(f"{place}.{name}", f"{json.dumps(number)} is no number")
        if ("to" in found) == ("count" in found) or ("step" in found and "factor" in found):
            raise self.refused(place, 'a range has either "to" or "count", and not both "step" '
                                      'and "factor"')
        exact = {name: decimal.Decimal(str(number)) for name, number in found.items()}
        first = exact.get("from", decimal.Decimal(1))
        step, factor = exact.get("step", decimal.Decimal(1)), exact.get("factor")
        if step == 0 or (factor is not None and (first <= 0 or factor <= 1)):
            raise self.refused(place, 'never ends; give a "step" other than 0, or a "factor" above '
                                      '1 and "from" above 0')
        if "count" in found:
            count = exact["count"]
        elif factor is None:
            count = (exact["to"] - first) / step // 1 + 1
        else:
            count = math.floor(math.log(exact["to"] / first, factor) + 1e-9) + 1 \
                if exact["to"] > 0 else 0
        if not 1 <= count <= MOST_POINTS or count != int(count):
            raise self.refused(place, f"has {count} values; 1 to {MOST_POINTS} are possible")
        numbers = (first + i * step if factor is None else first * factor ** i
                   for i in range(int(count)))
        return [int(n) if n == n.to_integral_value() else float(n) for n in numbers]

    def _check_zip(self) -> None:
        taken: set[str] = set()
        for group in self.zip if isinstance(self.zip, list) else [None]:
            if not isinstance(group, list) or len(group) < 2:
                raise self.refused("zip", "give lists of two or more names of options")
            for name in group:
                if name not in self.axes or name in taken:
                    raise self.refused("zip", f"{json.dumps(name)}: "
                                       + ("is zipped already; name it once" if name in taken
                                          else 'the plan has no such option; add it to "options"'))
                taken.add(name)
            counts = [len(self.axes[name]) for name in group]
            if len(set(counts)) > 1:
                raise self.refused("zip", f"{', '.join(group)} have {counts} values; the numbers "
                                          "must be equal")

    def _loops(self) -> list[list[str]]:
        """Names that advance together, the last one innermost."""
        groups = {name: group for group in self.zip for name in group}
        loops = []
        for name in self.axes:
            group = groups.get(name, [name])
            if group not in loops:
                loops.append(group)
        return loops

    def _count(self) -> int:
        return math.prod(len(self.axes[loop[0]]) for loop in self._loops())

    def _check(self) -> None:
        """Each value alone, so that the one that is wrong is named; then that nothing is
        missing."""
        try:
            known = _core.command_options(self.command)
        except _core.InputError as error:
            raise self.refused("command", str(error)) from None
        if "json" not in known:
            raise self.refused("command", f"'{' '.join(self.command)}' writes no result as JSON")
        own = {name: values for name, values in self.axes.items()
               if name.partition(".")[0] != "network"}
        has_network = self.generator is not None or "network" in self.axes
        if has_network != ("" in known):
            raise self.refused("network", "is not read by this command; remove it" if has_network
                               else "is missing: the command reads one; name a file or a generator")
        self._check_options(self.command, known, own, "options", [""] if "" in known else [])
        self.threaded = "threads" in known and "threads" not in own
        if self.generator is not None:
            self._check_generator(self.generator, {
                name.partition(".")[2]: values for name, values in self.axes.items()
                if name.startswith("network.")})
        for network in self.axes.get("network", []):
            if isinstance(network, dict):
                self._check_generator(network["generate"], {
                    name: [value] for name, value in network.items() if name != "generate"})
            else:
                self._in_plan("network", lambda name=network: _core.read(
                    str(self.folder / name), name))

    def _check_generator(self, generator: str, options: dict[str, list[Any]]) -> None:
        path = ["topo", "gen", generator]
        known = self._in_plan("network.generate", lambda: _core.command_options(path))
        self._check_options(path, known, options, "network.options", [])

    def _in_plan(self, place: str, call: Any) -> Any:
        try:
            return call()
        except _core.InputError as error:
            raise self.refused(place, str(error)) from None

    def _check_options(self, path: list[str], known: dict[str, tuple[bool, str]],
                       options: dict[str, list[Any]], place: str, start: list[str]) -> None:
        start = ["FILE"] if start else []
        for name, values in options.items():
            where = f"{place}.{name}"
            if name in _FILES:
                raise self.refused(where, "writes a file, the same in all runs; remove it")
            for value in values:
                is_flag = known.get(name, (False,))[0] if value is None else isinstance(value, bool)
                self._refuse(where, misuse(name, is_flag, known, f"'{path[-1]}'"))
                self._refuse(f"{where}, value {json.dumps(value)}",
                             _core.command_refusal(path, start + words_of({name: value}), True))
        whole = [word for name, values in options.items() for word in words_of({name: values[0]})]
        self._refuse(place, _core.command_refusal(path, start + whole, False))

    def _refuse(self, place: str, reason: str | None) -> None:
        if reason:
            raise self.refused(place, reason)

    def points(self) -> Iterator[Point]:
        """The runs, in the order of nested loops, the network outermost."""
        inputs = _Inputs(self.folder)
        loops = self._loops()
        indices = [range(len(self.axes[loop[0]])) for loop in loops]
        for row, chosen in enumerate(itertools.product(*indices)):
            values = {name: self.axes[name][index]
                      for loop, index in zip(loops, chosen) for name in loop}
            values = {name: values[name] for name in self.axes}
            yield self._point(row, values, inputs)

    def _point(self, row: int, values: dict[str, Any], inputs: "_Inputs") -> Point:
        network = values.get("network")
        if self.generator is not None:
            network = {"generate": self.generator}
            network |= {name.partition(".")[2]: value for name, value in values.items()
                        if name.startswith("network.") and value is not None}
        own = {name: value for name, value in values.items()
               if name.partition(".")[0] != "network"}
        words = words_of(own)
        seed = own.pop("seed", None)
        known = [self.command, network, sorted(words), inputs.digests(network, own)]
        if self.threaded:
            words.append("--threads=1")
        return Point(row=row, id=_hash(json.dumps([known, build()])),
                     seed=1 if seed is None else seed,
                     parameters={**({} if network is None else {"network": network}), **own},
                     command=self.command, words=words, network=network, folder=str(self.folder),
                     keep=self.keep)


class _Inputs:
    """Digests of the contents of files that runs read: a row is of these as much as of options."""

    def __init__(self, folder: pathlib.Path):
        self._folder, self._known = folder, {}

    def _of(self, name: str) -> str:
        if name not in self._known:
            try:
                self._known[name] = _hash((self._folder / name).read_bytes())
            except OSError:  # the run says so
                self._known[name] = ""
        return self._known[name]

    def digests(self, network: Any, options: dict[str, Any]) -> list[str]:
        names = [network] if isinstance(network, str) else []
        names += [options[name] for name in ("arrivals", "packets", "reference", "profile")
                  if isinstance(options.get(name), str)]
        return [self._of(name) for name in names]


def build() -> str:
    """Version and commit of the program: rows of another build may differ."""
    return f"{_core.__version__} {_core.commit()}".strip()


def _hash(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:16]
