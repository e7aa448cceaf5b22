# SPDX-License-Identifier: Apache-2.0
"""Points of the preempting paper, section 4: on a network whose switches have three ports to others
and a node, joined at random (model uniform), or on a mesh with X-Y routing, one random group, and
its barriers in one of the schemes, on golden, under every checker. The paper's pictures are not
available, so its sentences are compared.

A point is the mean over 5 networks (pre-load and pre-model: 3); network i of a point,
its groups and its data have the seed of the study plus i. Switches of all schemes have two virtual
channels of depth 4; those with barrier units have queues of three flits a message. Of the
[baselines](systems/baselines.md), `tree [4]` is `--scheme tree`, `units [4]` is `tree-units`,
`tree [5]` on meshes is `btin --queued`, whose messages
[wait with data](systems/barrier-switch.md#queued).

In Figures 12 to 15 all members arrive in one cycle, in four barriers that do not overlap: the first
is the *first round*, the mean of the others a *later round*. Each member pays T_s once in each
barrier. A hop of a barrier message takes 5 cycles (6 with switch III, 2 in a barrier switch), a hop
of a packet's head 4. The paper says T_b = 16, so every panel is repeated with hops of
[16 cycles](reference/runs.md#timing-profiles)."""

import functools

import muster

from .kit import Point, Series, Study, mean95

NETWORKS = 5          # of a point
BSR_1 = {"scheme": "bsr-1"}
LONGEST_WAIT = 40_000  # cycles: of a barrier among data, or of units that may have deadlocked


def irregular(switches: int) -> dict:
    return {"generator": "irregular", "switches": switches, "nodes": switches, "ports": 4,
            "connectivity": 1.0}


def mesh(side: int) -> dict:
    return {"generator": "mesh", "width": side, "height": side}


def name(system: dict) -> str:
    if system["generator"] == "mesh":
        return f"{system['width']} x {system['height']} mesh"
    return f"N = {system['nodes']}"


@functools.lru_cache(maxsize=4)
def network_of(seed: int, generator: str, **options) -> muster.Network:
    if generator == "irregular":
        options["seed"] = seed
    return muster.generate(generator, **options)


def period(item: dict) -> int:
    """Cycles between barriers that are far apart: a hop of T_b cycles on the longest ways, there
    and back, and three packets in a row."""
    words = item.get("profile", "native").split("-")  # ts-100-tb-16
    startup, hop = (int(words[i]) if len(words) > i else 0 for i in (1, 3))
    held = item["held"][1] if "held" in item else 0
    return 4000 + 12 * item["members"] + 400 * item.get("hop", hop) + 2 * (startup + held)


def barriers(item: dict) -> dict:
    """The latency of a case's barriers in cycles, on one network. `members`: 0 for data only;
    `apart`: all members arrive at once and long after the barrier before, else when they are
    released; `held`: congested members, and for how long; all else are options of muster.run."""
    options = {"barriers": 4, "apart": True, "held": None, "load": 0, "threads": 1, **item}
    system, members, apart, held = (
        options.pop(key) for key in ("system", "members", "apart", "held"))
    network, seed = network_of(item["seed"], **system), item["seed"]
    may_stop = options["load"] > 0 or options.get("unit") in ("wait", "hold")
    if may_stop:
        options["max_wait"] = LONGEST_WAIT
    if options["load"]:
        options |= {"packet_length": 32, "warmup": 1000}
    if held:
        options["congestion"] = f"{held[0]}@{held[1]}"
    if members:
        tree = muster.tree(network, f"random:{members}", seed=seed + members)
        group = ",".join(tree["members"])
    else:
        group, options["no_barriers"] = "all", True
    if members and apart:
        options["arrivals"] = [[b * period(item)] * members for b in range(options["barriers"])]
    else:
        options["spread"] = 0
    result = muster.run(network, group, **options)
    latency = [one["latency_cycles"] for one in result.barriers]
    stands_still = may_stop and result.end == "hang"
    if "arrivals" in options and max(latency, default=0) >= period(item):
        raise RuntimeError(f"{item}: a barrier takes {max(latency)} cycles, into the next")
    if members and not may_stop and len(latency) != options["barriers"]:
        raise RuntimeError(f"{item}: {result.violation_texts[0]}")
    fields = result.to_dict()
    return {"latency": latency, "stands_still": stands_still,
            "throughput": result.data["accepted_flits_per_node_cycle"] if result.data else 0,
            "theorem_2": (fields.get("theorem_2_cycles") or [0])[0],
            "model": fields.get("model"),
            "violations": 0 if stands_still else result.violations}


def samples(study: Study, system: dict, cases: list[dict],
            networks: int = NETWORKS) -> list[list[dict]]:
    """By case, then by network."""
    common = {"system": system, "engine": study.setting.engine}
    return study.grid(barriers, [[common | {"seed": seed} | case
                                  for seed in study.seeds(networks)] for case in cases])


def grid(study: Study, system: dict, rows: list[list[dict]],
         networks: int = NETWORKS) -> list[list[list[dict]]]:
    """samples() by row of cases."""
    found = iter(samples(study, system, sum(rows, []), networks))
    return [[next(found) for _ in row] for row in rows]


def first(sample: dict) -> float:
    return sample["latency"][0]


def later(sample: dict) -> float:
    """The mean of the rounds after the first."""
    return sum(sample["latency"][1:]) / (len(sample["latency"]) - 1)


def mean(x: float, of: list[dict], value) -> Point:
    """Over the networks; no value where barriers stand still on one."""
    if any(sample["stands_still"] for sample in of):
        return Point(x, None)
    return mean95(map(value, of), x=x)


def curve(title: str, xs, by_x: list[list[dict]], value) -> Series:
    return Series(title, [mean(x, of, value) for x, of in zip(xs, by_x)])
