# SPDX-License-Identifier: Apache-2.0
"""The faults of experiments/reliability.py: parts of a network, single ones in each phase of a
barrier, and several at once, drawn by seed. A fault is a dict: kind, phase, the options of run()
that make it, the culprits that may be blamed for what comes of it (none of a fault that links must
make good), `everywhere` if all groups have to tolerate it, `loaded` with data, which delay
barriers."""

import random

FLAPS, FLAP, PERIOD = 4, 60, 200   # a link that flaps: so many times, cycles, from one to the next
TOO_LONG = 400                     # cycles of a flap that link ends do not outlast
JAMS = (0.1, 0.5, 0.9, 1)          # shares of frames without a flit
NOISE = {"link_drop": 1e-3, "link_corrupt": 1e-3, "link_duplicate": 1e-3}
LOAD = {"load": 0.1, "min_cycles": 6000}
KILLING = ("cut_link", "kill_switch", "kill_node")


def fault(kind, phase, options, culprits=(), everywhere=False, loaded=False) -> dict:
    return {"kind": kind, "phase": phase, "options": options, "culprits": list(culprits),
            "everywhere": everywhere, "loaded": loaded}


def parts_of(graph: dict) -> tuple[list, list, list]:
    """Names of links, switches and nodes, as results have them; `graph` is a Network.to_dict()."""
    def port(end):
        return f"{end[0]}:{end[1]}"

    return ([f"{port(link['a'])}-{port(link['b'])}" for link in graph["links"]] +
            [f"{port(node['at'])}-n{n}" for n, node in enumerate(graph["nodes"])],
            [f"sw{s}" for s in range(len(graph["switches"]))],
            [f"n{n}" for n in range(len(graph["nodes"]))])


def sample(parts, count: int, seed) -> tuple:
    """So many of each kind."""
    draw = random.Random(seed)
    return tuple(sorted(draw.sample(names, min(count, len(names)))) for names in parts)


def single(parts, phases: dict):
    """Every part dies, and every switch is reset, in each phase."""
    links, switches, nodes = parts
    for phase, cycle in phases.items():
        for kind, names, option in (("link dies", links, "cut_link"),
                                    ("switch dies", switches, "kill_switch"),
                                    ("node dies", nodes, "kill_node"),
                                    ("switch is reset", switches, "reset_switch")):
            for name in names:
                yield fault(kind, phase, {option: [f"{name}@{cycle}"]}, (name,))


def flapping(parts, phases: dict):
    """Every link flaps from each phase on; one flap is longer than link ends wait."""
    for phase, cycle in phases.items():
        for link in parts[0]:
            yield fault("link flaps", phase, {
                "flap": [f"{link}@{cycle + i * PERIOD}+{FLAP}" for i in range(FLAPS)]})
            yield fault("link flaps for too long", phase, {"flap": [f"{link}@{cycle}+{TOO_LONG}"]},
                        (link,))


def jamming(parts):
    for share in JAMS:
        yield fault("acknowledgements jammed", "all the time", {"ack_drop": share}, parts[0],
                    everywhere=True)


def several(parts, phases: dict, count: int, seed):
    """Two to four parts at any time, with data, on links that lose, corrupt and double."""
    draw = random.Random(seed)
    last = 2 * max(phases.values())
    for _ in range(count):
        chosen = {}
        for _ in range(draw.randint(2, 4)):
            option, names = draw.choice(tuple(zip(KILLING, parts)))
            chosen[draw.choice(names)] = option
        options = {}
        for name, option in chosen.items():
            options.setdefault(option, []).append(f"{name}@{draw.randint(0, last)}")
        yield fault("several at once", "any time", options | NOISE | LOAD, chosen, loaded=True)
