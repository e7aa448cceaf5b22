# SPDX-License-Identifier: Apache-2.0
"""Points of the NIC paper: consecutive barriers of the first nodes of the smallest network of a
kind that holds them, no work between them. Crossbars have 16 ports as Myrinet's, 8 where the engine
has none of 16; Quadrics' network is a quaternary fat tree."""

from collections.abc import Callable

import muster

from . import claims
from .kit import Data, Panel, Point, Series, Study

WARM_UP = 5  # barriers that are not counted

MYRINET = {"NIC-DS": ("nic-dissemination", "collective"), "NIC-PE": ("nic-pairwise", "collective"),
           "direct-DS": ("nic-dissemination", "direct"), "host-DS": ("nic-dissemination", "host"),
           "host-PE": ("nic-pairwise", "host"), "host-GB": ("nic-gather", "host")}
QUADRICS = {"NIC-DS": ("nic-dissemination", "collective"), "NIC-PE": ("nic-pairwise", "collective"),
            "rdma-DS": ("nic-dissemination", "rdma"), "rdma-PE": ("nic-pairwise", "rdma"),
            "rdma-GB": ("nic-gather", "rdma"), "broadcast": ("nic-broadcast", None)}


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
    """Latency of the barriers that count, mean and longest; packets and bus crossings of one."""
    options = dict(item)
    members, count = options.pop("members"), WARM_UP + options["barriers"]
    nodes = network(options["profile"], members, options["engine"])
    result = muster.run(nodes, range(members), spread=0, threads=1, **options | {"barriers": count})
    late = [one["latency_cycles"] for one in result.barriers if one["number"] >= WARM_UP]
    clock = result.parameters["profile"]["clock_ns"]
    sent = result.nic or {}
    packets = sum(value for name, value in sent.items() if name.endswith("_sent"))
    return {"us": sum(late) * clock / 1000 / options["barriers"], "packets": packets / count,
            "crossings": sum(sent.get("bus_crossings", {}).values()) / count,
            "longest_us": max(late) * clock / 1000, "violations": result.violations}


def points(study: Study, cases: list[dict], count: int, data: Data) -> list[dict]:
    """Each case with the study's seed, engine and number of barriers, or `count`."""
    seed, sessions, engine = study.setting
    common = {"seed": seed, "engine": engine, "barriers": sessions or count}
    found = study.run(barriers, [common | case for case in cases])
    data.violations += sum(one["violations"] for one in found)
    return found


def faster(data: Data) -> list:
    """NICs are faster than hosts with either algorithm, at all sizes."""
    return [claims.below(*(data.curve("a", f"{level}-{algorithm}")
                           for level in ("NIC", "host"))) for algorithm in ("DS", "PE")]


def alike(sizes: tuple) -> Callable[[Data], list]:
    """Both algorithms take the same, within 1 %."""
    return lambda data: [abs(data.value("a", "NIC-PE", n).y / data.value("a", "NIC-DS", n).y - 1)
                         < 0.01 for n in sizes]


def over_members(study: Study, profile: str, title: str, most: int, curves: dict) -> Data:
    """Latency and packets over the members, and what pairwise exchange takes more."""
    data = Data(f"NIC barriers, {title}", [
        Panel("a", "latency", "members", "latency (us)", []),
        Panel("b", "packets", "members", "packets a barrier", []),
        Panel("c", "pairwise exchange less dissemination", "members", "latency (us)", [])],
        {"profile": profile})
    sizes = range(2, most + 1)
    found = iter(points(study, [{"profile": profile, "scheme": scheme, "nic": level, "members": n}
                                for scheme, level in curves.values() for n in sizes], 20, data))
    for name, (scheme, _) in curves.items():
        row = [next(found) for _ in sizes]
        data.panels[0].series.append(Series(name, [Point(n, p["us"]) for n, p in zip(sizes, row)]))
        if scheme != "nic-broadcast":
            data.panels[1].series.append(
                Series(name, [Point(n, p["packets"]) for n, p in zip(sizes, row)]))
    pairwise, other = (data.panels[0].curve(name) for name in ("NIC-PE", "NIC-DS"))
    data.panels[2].series.append(Series("NIC-PE less NIC-DS", [
        Point(n, pairwise.at(n).y - other.at(n).y) for n in sizes]))
    return data
