# SPDX-License-Identifier: Apache-2.0
"""Points of the NIC paper, section 8: consecutive barriers of the first nodes of the smallest
network of a kind that holds them, without work between them, 20 after 5 to warm up. Myrinet is a
crossbar of 16 ports (8 where the engine has none of 16), a Clos network of them for more members, a
three-level tree of them from 129 on; Quadrics a quaternary fat tree. Levels are NIC (`collective`),
on Myrinet `direct` and `host`, on Quadrics [`rdma`](systems/nic-link.md#remote-writes) and
[hardware broadcast](systems/nic-link.md#hardware-broadcast); algorithms DS dissemination, PE
pairwise exchange, GB gather-broadcast of degree 4.

What is calibrated: the paper prints no measurement at two or four members. It prints an equation,
T = T_init + (ceil(log2 N) - 1) T_trig + T_adj (section 8.3), with constants for two clusters of 8
nodes, LANai-XP and Elan3. Our profiles use only its values at two and four, T(2) and T(2) + T_trig.
The paper also calls T_init the average latency over two nodes, which contradicts the equation;
`nic-parts` runs that reading too. So these rows repeat the equation: nic-9 at 1024, every power of
two of DS and PE in nic-7 and nic-8 (at 8, the difference to the printed value is the fit's error),
and the NIC barriers by dissemination of [the comparison](systems/comparison.md) with `lanai-xp`.
Predictions are nic-6, other algorithms, levels and group sizes, and the packet counts.

A profile adds cycles of the NIC's clock to the RTL's own: a barrier of two takes 21 + 2 bus + 2
launch, each further trigger 19 + 2 pass ([passes](systems/nic-link.md#queue-passes) of a queue;
launch is that of a message that a doorbell starts).

- `lanai-xp`: T(2) = 7.44 us, T_trig = 3.50 us. GM's firmware handles a host's message like any
  other (section 2.2), so a launched STEP pays as a triggered one.
- `lanai9`: the firmware's cycles and the time of a crossing of `lanai-xp`.
- `elan3`: T(2) = 1.25 us, T_trig = 2.32 us. The host starts the first remote write, and events
  start all others (section 7), so a launched STEP pays no pass.

Hosts take no time of their own, and DATA pass the 6 queues of GM's description, except in
`lanai-xp-fit` and `lanai9-fit`, which have 4 queues and a time for a step."""

from collections.abc import Callable, Iterable

import muster

from . import claims
from .kit import Data, Point, Series, Study, all_of, of_curves

WARM_UP = 5  # barriers that are not counted

LEVELS = {"NIC": "collective", "direct": "direct", "host": "host", "rdma": "rdma"}
ALGORITHMS = {"DS": "nic-dissemination", "PE": "nic-pairwise", "GB": "nic-gather"}
MYRINET = ("NIC-DS", "NIC-PE", "direct-DS", "host-DS", "host-PE", "host-GB")
QUADRICS = ("NIC-DS", "NIC-PE", "rdma-DS", "rdma-PE", "rdma-GB", "broadcast")


def case(profile: str, way: str) -> dict:
    """Options of a way such as NIC-DS."""
    level, _, algorithm = way.partition("-")
    return {"profile": profile} | (
        {"scheme": "nic-broadcast", "nic": None} if way == "broadcast" else
        {"scheme": ALGORITHMS[algorithm], "nic": LEVELS[level]})


def network(profile: str, members: int, engine: str) -> muster.Network:
    if profile == "elan3":
        return muster.generate("fat-tree", arity=4,
                               dimension=next(d for d in range(1, 16) if 4**d >= members))
    ports = 16 if engine == "golden" else 8
    half = ports // 2
    if members <= ports * half:
        leaves = 1 if members <= ports else -(-members // half)
        return muster.generate("clos", ports=ports, leaves=leaves)
    return muster.generate("fat-tree", arity=half,
                           dimension=next(d for d in range(3, 16) if half**d >= members))


def barriers(item: dict) -> dict:
    """Mean latency of the barriers that count; packets and bus crossings of one."""
    count = WARM_UP + item["barriers"]
    options = item | {"barriers": count}
    members = options.pop("members")
    nodes = network(item["profile"], members, item["engine"])
    result = muster.run(nodes, range(members), spread=0, threads=1, **options)
    late = [one["latency_cycles"] for one in result.barriers if one["number"] >= WARM_UP]
    clock, sent = result.parameters["profile"]["clock_ns"], result.nic or {}
    packets = sum(value for name, value in sent.items() if name.endswith("_sent"))
    return {"us": sum(late) * clock / 1000 / item["barriers"], "packets": packets / count,
            "crossings": sum(sent.get("bus_crossings", {}).values()) / count,
            "violations": result.violations}


def grid(study: Study, rows: list[list[dict]], count: int) -> list[list[dict]]:
    """Rows of cases, each with the study's seed, engine and number of barriers, or `count`."""
    common = study.common | {"barriers": study.count(count)}
    return study.grid(barriers, [[common | case for case in row] for row in rows])


def curves(study: Study, cases: dict[str, dict], sizes: Iterable[int], count: int,
           value="us") -> list[Series]:
    """A value over the members, of cases by their names."""
    found = grid(study, [[case | {"members": n} for n in sizes] for case in cases.values()], count)
    return [Series.over(name, sizes, [one[value] for one in row])
            for name, row in zip(cases, found)]


# NICs are faster than hosts with either algorithm, at all sizes.
FASTER = all_of(of_curves(claims.below, "a", "NIC-DS", "host-DS"),
                of_curves(claims.below, "a", "NIC-PE", "host-PE"))


def alike(sizes: tuple) -> Callable[[Data], list]:
    """Both algorithms take the same, within 1 %."""
    return lambda data: [abs(data.value("a", "NIC-PE", n).y / data.value("a", "NIC-DS", n).y - 1)
                         < 0.01 for n in sizes]


def over_members(study: Study, profile: str, title: str, most: int, ways: tuple) -> Data:
    """Latency and packets over the members, and what pairwise exchange takes more."""
    data, sizes = Data(f"NIC barriers, {title}"), range(2, most + 1)
    cases = {way: case(profile, way) for way in ways}
    us = data.add("latency", "members", "latency (us)", curves(study, cases, sizes, 20))
    cases.pop("broadcast", None)
    data.add("packets", "members", "packets a barrier", curves(study, cases, sizes, 20, "packets"))
    data.add("pairwise exchange less dissemination", "members", "latency (us)", [
        less("NIC-PE less NIC-DS", us.curve("NIC-PE"), us.curve("NIC-DS"))])
    return data


def less(name: str, one: Series, other: Series) -> Series:
    return Series(name, [Point(p.x, p.y - other.at(p.x).y) for p in one.points], one.rings)
