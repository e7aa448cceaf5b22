# SPDX-License-Identifier: Apache-2.0
"""Networks of switches and nodes."""

import json
import os
import pathlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from . import _core
from ._words import checked_words, output_of, path_of, text_of

_FORMATS = {".json": "json", ".graphml": "graphml", ".xml": "graphml", ".anynet": "anynet",
            ".dot": "dot", ".gv": "dot"}


class Port(NamedTuple):
    """A place at a switch, both numbers from 0."""

    switch: int
    port: int


class Switch(NamedTuple):
    """A switch with its number of ports, open ones included."""

    number: int
    ports: int


class Node(NamedTuple):
    """A node, the port to which it is attached, and the latency of its link in cycles."""

    number: int
    at: Port
    latency: int


class Link(NamedTuple):
    """A link between ports of two switches, and its latency in cycles."""

    a: Port
    b: Port
    latency: int


class Network:
    """A network, from read(), parse() or generate(). It does not change; threads may share it."""

    def __init__(self, core: _core.Network):
        if not isinstance(core, _core.Network):
            raise TypeError("a Network is made by muster.read, muster.parse or muster.generate")
        self._core = core

    @cached_property
    def _document(self) -> dict[str, Any]:
        return self.to_dict()

    @property
    def name(self) -> str:
        """Its own name."""
        return self._document.get("name", "")

    @property
    def generator(self) -> str:
        """How it was made; empty if by hand."""
        return self._document.get("generator", "")

    @property
    def note(self) -> str:
        """What its file says of it."""
        return self._document.get("note", "")

    @property
    def groups(self) -> dict[str, list[int]]:
        """Named groups of nodes."""
        number_at = {f"{at.switch}:{at.port}": number for number, at, _ in self.nodes}
        return {name: [number_at[place] for place in places]
                for name, places in self._document.get("groups", {}).items()}

    @cached_property
    def switches(self) -> tuple[Switch, ...]:
        """All switches, by number."""
        return tuple(Switch(number, switch["ports"])
                     for number, switch in enumerate(self._document["switches"]))

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, by number."""
        return tuple(Node(number, Port(*node["at"]), node["latency"])
                     for number, node in enumerate(self._document["nodes"]))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All links between switches."""
        return tuple(Link(Port(*link["a"]), Port(*link["b"]), link["latency"])
                     for link in self._document["links"])

    def info(self) -> dict[str, Any]:
        """What `muster topo info` says: distances, bound of the routes, freedom of deadlock."""
        return json.loads(self._core.info())

    def routed_from(self, switch: int) -> "Network":
        """The same network with up*/down* routes whose levels count from a switch, in place of the
        most central one: packets to its nodes take shortest paths. Files do not keep this."""
        return Network(self._core.routed_from(switch))

    def route(self, source: int, destination: int) -> list[Port]:
        """The ports by which a packet between two nodes leaves switches, one a switch."""
        return [Port(*place) for place in self._core.route(source, destination)]

    def text(self, format: str = "json") -> str:
        """The network as `json`, `graphml`, `anynet` or `dot`."""
        return self._core.text(format)

    def to_dict(self) -> dict[str, Any]:
        """The network as its JSON file has it; parse() reads it."""
        return json.loads(self.text())

    def save(self, path: str | os.PathLike, format: str | None = None) -> None:
        """Writes a file, all or nothing; the format is that of its ending if none is given."""
        path = path_of("path", path)
        ending = pathlib.PurePath(path).suffix
        if format is None and ending not in _FORMATS:
            raise _core.InputError(f"{path}: the ending says no format; give one: "
                                   + ", ".join(sorted(set(_FORMATS.values()))))
        self._core.save(path, format or _FORMATS[ending])

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, Network) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, len(self.nodes), len(self.links)))

    def __repr__(self) -> str:
        return (f"<muster.Network {self.name or self._core.label!r}: {len(self.switches)} "
                f"switches, {len(self.nodes)} nodes, {len(self.links)} links>")

    def __reduce__(self):
        return _restored, (self.text(), self._core.label, self._core.root)


def read(path: str | os.PathLike) -> Network:
    """Reads a network file: JSON, GraphML, BookSim anynet or ibnetdiscover, told by content."""
    path = path_of("path", path)
    return Network(_core.read(path, path))


def parse(network: str | Mapping[str, Any], label: str = "network") -> Network:
    """A network from a file's text, or from a dict as the JSON file has it. `label` stands in
    messages."""
    if not isinstance(network, str):
        network = json.dumps(dict(network))
    return Network(_core.parse(text_of(label, network), label, ""))


def _restored(text: str, label: str, root: int | None) -> Network:
    network = parse(text, label)
    return network if root is None else network.routed_from(root)


def generate(generator: str, /, **options: Any) -> Network:
    """A network by the options of `muster topo gen`; options(generator) lists them.

    generate("mesh", width=4, height=4), generate("irregular", switches=75, nodes=256, seed=2)"""
    generator = text_of("generator", generator)
    words = ["topo", "gen", generator, *checked_words(options, "topo", "gen", generator)]
    return Network(_core.parse(output_of(words), generator, " ".join(["muster", *words])))


def generators() -> dict[str, str]:
    """The generators, with what each makes."""
    return _core.subcommands(["topo", "gen"])
