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
import itertools

import muster

from . import claims
from .kit import At, Data, Point, Printed, Series, Study, mean95, of, of_curves, of_each

NETWORKS = 5          # of a point
BSR_1 = {"scheme": "bsr-1"}
LONGEST_WAIT = 40_000  # cycles: of a barrier among data, or of units that may have deadlocked
TIMINGS = {"ts-100": "Ts = 100", "ts-1000": "Ts = 1000", "ts-100-tb-16": "Ts = 100, Tb = 16",
           "ts-1000-tb-16": "Ts = 1000, Tb = 16"}
FIRST, LATER, BOUND = "bsr-1, first round", "bsr-1, later rounds", "Theorem 2, and Ts"
DURATIONS, DURATION = (10, 100, 200, 400, 600, 800, 1000), 500  # cycles
STEPS = 5    # numbers of congested members, from one to all
SHARE = 5    # one member in so many, over the duration


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
    common = {"system": system, "engine": study.engine}
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


def rounds(study, data: Data, parts, profiles, baselines, bound=True) -> Data:
    """Panels: rounds over the size of the group, without congestion."""
    for (system, sizes), profile in itertools.product(parts, profiles):
        ours, *others = grid(study, system, [
            [{"members": size, "profile": profile, **options} for size in sizes]
            for options in (BSR_1, *baselines.values())])
        startup = int(profile.split("-")[1])
        series = [curve(FIRST, sizes, ours, first), curve(LATER, sizes, ours, later),
                  *(curve(name, sizes, of, later) for name, of in zip(baselines, others))]
        if bound:
            series.append(curve(BOUND, sizes, ours, lambda one: one["theorem_2"] + startup))
        data.add(f"{name(system)}, {TIMINGS[profile]}", "members", "latency (cycles)", series,
                 log10_y=True)
    return data


def congestion(study, title, system, sizes, schemes) -> Data:
    """Later rounds over the duration of congestion of every fifth member, then over the
    number of members that are congested for 500 cycles. The links of these members' switches to
    other switches are held from the first arrival."""
    data = Data(f"Preempting barriers, {title}, Ts = 100")
    timings = (("ts-100", ""), ("ts-100-tb-16", ", Tb = 16"))
    for (profile, suffix), by_time, members in itertools.product(timings, (True, False), sizes):
        few = members // SHARE
        if by_time:
            title, label = f"{few} congested", "duration of congestion (cycles)"
            steps = {x: [few, x] for x in DURATIONS}
        else:
            title, label = f"congestion of {DURATION} cycles", "congested members"
            counts = (max(1, members * s // (STEPS - 1)) for s in range(STEPS))
            steps = {x: [x, DURATION] for x in counts}
        by_scheme = grid(study, system, [
            [{"members": members, "profile": profile, "held": held, **options}
             for held in steps.values()] for options in schemes.values()])
        data.add(f"{members} members, {title}{suffix}", label, "latency (cycles)", [
            curve(name, steps, points, later)
            for name, points in zip(schemes, by_scheme)], log10_y=True)
    return data


below = functools.partial(of_curves, claims.below)  # of panels, a curve and another one


def first_by_later(panel, size):
    return of(claims.ratio, At(panel, FIRST, size), At(panel, LATER, size))


def congested(figure, members, panels, baseline):
    """Rows on congestion: `panels` over the duration, both timings, and over the members."""
    return [Printed(f"{figure}{letter}{members}", f"Figure {figure[4:]}",
                    f"{members} members: {text}", ours) for letter, text, ours in (
        ("a", "ours (switches I and II) is flat over the duration of congestion",
         of_each(claims.flat, panels[:2], ("bsr-1", "bsr-2"), within=0.05)),
        ("b", "the baseline rises with the duration of congestion",
         of_curves(claims.rises, panels[:2], baseline, by=1.2)),
        ("c", "the number of congested members matters little",
         of_each(claims.flat, panels[2], ("bsr-1", "bsr-2", baseline), within=0.15)))]


def overheads(data):
    """First by later rounds, less 1: at the fewest members less than half of that at the most."""
    few, many = ([claims.difference(claims.ratio(*(
        data.curve(panel, name).points[end] for name in (FIRST, LATER))), 1)
        for panel in "abcdefgh"] for end in (0, -1))
    return [claims.below(*pair, by=0.5) for pair in zip(few, many)]


def startups(data):
    """Later rounds with Ts = 1000 take more than with 100, less than twice the difference more."""
    pairs = ([data.curve(panel, LATER) for panel in pair] for pair in ("ab", "cd", "ef", "gh"))
    return [one for low, high in pairs for one in (claims.below(low, high), *(
        claims.below(high.at(p.x).y, p.y + 2 * 900) for p in low.points))]
