# SPDX-License-Identifier: Apache-2.0
"""The faults of scripts/campaign: parts of a network, single ones in each phase of a barrier, and
several at once, drawn by seed."""

import dataclasses
import json
import pathlib
import random

FLAPS, FLAP, PERIOD = 4, 60, 200   # a link that flaps: so many times, cycles, from one to the next
TOO_LONG = 400                     # cycles of a flap that link ends do not outlast
JAMS = (0.1, 0.5, 0.9, 1)          # shares of frames without a flit
NOISE = ("--link-drop", 1e-3, "--link-corrupt", 1e-3, "--link-duplicate", 1e-3)
LOAD = ("--load", 0.1, "--min-cycles", 6000)


@dataclasses.dataclass(frozen=True)
class Fault:
    """What it is, when, the options that make it, and the parts that may be blamed for what comes
    of it: none of a fault that links must make good."""
    kind: str
    phase: str
    options: tuple
    culprits: tuple = ()
    everywhere: bool = False  # all groups have to tolerate it
    loaded: bool = False      # with data, which have barriers wait

    def dead(self):
        """Parts that are no more, as options name them: not those that are reset."""
        killing = ("--cut-link", "--kill-switch", "--kill-node")
        return {str(value).partition("@")[0]
                for option, value in zip(self.options, self.options[1:]) if option in killing}


@dataclasses.dataclass
class Parts:
    """Names of the parts of a network, as results have them."""
    links: list
    switches: list
    nodes: list

    @classmethod
    def of(cls, file):
        graph = json.loads(pathlib.Path(file).read_text())

        def port(end):
            return f"{end[0]}:{end[1]}"

        return cls([f"{port(link['a'])}-{port(link['b'])}" for link in graph["links"]] +
                   [f"{port(node['at'])}-n{n}" for n, node in enumerate(graph["nodes"])],
                   [f"sw{s}" for s in range(len(graph["switches"]))],
                   [f"n{n}" for n in range(len(graph["nodes"]))])

    def sample(self, count, seed):
        """So many of each kind."""
        draw = random.Random(seed)
        return Parts(*(sorted(draw.sample(names, min(count, len(names))))
                       for names in (self.links, self.switches, self.nodes)))


def single(parts, phases):
    """Every part dies, and every switch is reset, in each phase."""
    for phase, cycle in phases.items():
        for kind, names, option in (("link dies", parts.links, "--cut-link"),
                                    ("switch dies", parts.switches, "--kill-switch"),
                                    ("node dies", parts.nodes, "--kill-node"),
                                    ("switch is reset", parts.switches, "--reset-switch")):
            for name in names:
                yield Fault(kind, phase, (option, f"{name}@{cycle}"), (name,))


def flapping(parts, phases):
    """Every link flaps from each phase on; one flap is longer than link ends wait."""
    for phase, cycle in phases.items():
        for link in parts.links:
            flaps = [word for i in range(FLAPS)
                     for word in ("--flap", f"{link}@{cycle + i * PERIOD}+{FLAP}")]
            yield Fault("link flaps", phase, tuple(flaps))
            yield Fault("link flaps for too long", phase,
                        ("--flap", f"{link}@{cycle}+{TOO_LONG}"), (link,))


def jamming(parts):
    for share in JAMS:
        yield Fault("acknowledgements jammed", "all the time", ("--ack-drop", share),
                    tuple(parts.links), everywhere=True)


def several(parts, phases, count, seed):
    """Two to four parts at any time, with data, on links that lose, corrupt and double."""
    draw = random.Random(seed)
    last = 2 * max(phases.values())
    kinds = (("--cut-link", parts.links), ("--kill-switch", parts.switches),
             ("--kill-node", parts.nodes))
    for _ in range(count):
        chosen = {}
        for _ in range(draw.randint(2, 4)):
            option, names = draw.choice(kinds)
            chosen[draw.choice(names)] = option
        options = [word for name, option in chosen.items()
                   for word in (option, f"{name}@{draw.randint(0, last)}")]
        yield Fault("several at once", "any time",
                    (*options, *NOISE, *LOAD), tuple(chosen), loaded=True)


def parts_left(file, dead):
    """A number for each node, by its name: equal for those that are connected by what is left. One
    that is cut off has its own."""
    graph = json.loads(pathlib.Path(file).read_text())
    part = {f"sw{s}": s for s in range(len(graph["switches"]))}

    def join(a, b):
        old, new = part[a], part[b]
        part.update({name: new for name, number in part.items() if number == old})

    for link in graph["links"]:
        a, b = link["a"], link["b"]
        ends = f"sw{a[0]}", f"sw{b[0]}"
        name = f"{a[0]}:{a[1]}-{b[0]}:{b[1]}"
        if name not in dead and not dead.intersection(ends):
            join(*ends)
    found = {}
    for n, node in enumerate(graph["nodes"]):
        home, port = f"sw{node['at'][0]}", f"{node['at'][0]}:{node['at'][1]}"
        alone = dead.intersection((home, f"n{n}", f"{port}-n{n}"))
        found[f"n{n}"] = f"n{n}" if alone else part[home]
    return found


def node_names(file):
    """The name of each node, "n3", by its place, "1:5"."""
    nodes = json.loads(pathlib.Path(file).read_text())["nodes"]
    return {f"{node['at'][0]}:{node['at'][1]}": f"n{n}" for n, node in enumerate(nodes)}


def homes(file):
    """The switch of each node."""
    return [node["at"][0] for node in json.loads(pathlib.Path(file).read_text())["nodes"]]
