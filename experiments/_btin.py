# SPDX-License-Identifier: Apache-2.0
"""Points of the BTIN paper, section 5: on a random network (model uniform), a random group of each
size 2, 4, ... up to all nodes, its tree, the values of the paper's formulas for it, and one barrier
in each of several ways. A point is the mean over 100 networks.

- *Measured* curves are barriers on golden with profile `btin`
  ([times](reference/runs.md#timing-profiles)), all members arriving in one cycle, under every
  checker. The schemes are `btin`, `unicast` and `multicast` ([baselines](systems/baselines.md)).
- *Queued* is the switch that the paper draws, whose messages
  [wait in the queues of data](systems/barrier-switch.md#queued).
- *Occupied inputs* curves have profile `btin-occupied`. In `btin` the input of a router takes the
  next header at once, in `btin-occupied` after t_r + t_p; the paper does not say. Multicast is
  measured twice: on the routes of all other runs, and on up*/down* *routes around the root*, whose
  levels count from the switch of the barrier's root node, so that arrivals take shortest paths.
- *Formula* curves put the paper's t_s + d t_p + (d + 1) t_r on real trees and routes. The paper
  names no model of contention (*no contention*). Three further cases let the messages of multicast
  go through one port one after the other, t_r + t_p apart: *fullest branch of the tree*, the
  members below that child of BTIN's root switch which has most; *busiest root port*, the port
  between switches by which most messages enter the root switch, on our routes;
  *one-port root node*, all messages through the root node's link.

BTIN as measured equals the formula to the cycle, because the messages of one barrier never meet at
an output."""

import collections

import muster

from . import claims
from .kit import Data, Printed, Series, Study, mean95, of_curves

NETWORKS = 100   # section 5.2: simulation runs for each parameter set
TOGETHER = 4     # groups in one run, each for itself in time: as many as a switch has registers for
HOP_NS = 20 + 300                      # t_p of a link, t_r of a switch or network interface
SMALL = {"nodes": 256, "switches": 75, "connectivity": 0.75}
LARGE = {"nodes": 1024, "switches": 300, "connectivity": 0.75}
SCHEMES = ("btin", "unicast", "multicast")
QUEUED = "btin, queued"   # barrier messages wait in the queues of data, as in the paper's switch
OCCUPIED = "occupied inputs"
AROUND = f"{OCCUPIED}, routes around the root"
OCCUPIES = "measured, an input of a switch takes a header every t_r + t_p"  # cases of the ledger
SHORTEST = "the same, arrivals on shortest paths"
# Curve: scheme, profile, cycles for which an input takes no further header, and whether levels of
# up*/down* count from the switch of the barrier's root node, so that arrivals take shortest paths.
WAYS = {**{scheme: (scheme, "btin", 0, False) for scheme in SCHEMES},
        QUEUED: ("btin", "btin", 0, False),
        f"btin, {OCCUPIED}": ("btin", "btin-occupied", 32, False),
        f"multicast, {OCCUPIED}": ("multicast", "btin-occupied", 32, False),
        f"multicast, {AROUND}": ("multicast", "btin-occupied", 32, True)}


def name(system):
    return f"{system['nodes']}/{system['switches']}"


def sizes(system):
    return [2 ** k for k in range(1, system["nodes"].bit_length())]


def network_of(item):
    """The network of an item: a system, and the seed."""
    return muster.generate("irregular", ports=8, **{key: item[key] for key in
                           ("nodes", "switches", "connectivity", "model", "seed") if key in item})


def trees(network, item):
    return [muster.tree(network, f"random:{size}", seed=item["seed"] + size)
            for size in sizes(item)]


def planned(item):
    """By size: height, and what the formulas need."""
    network = network_of(item)
    peers = {}
    for link in network.links:
        peers |= {link.a: link.b, link.b: link.a}
    numbers = {f"{node.at.switch}:{node.at.port}": node.number for node in network.nodes}
    found = []
    for tree in trees(network, item):
        on = collections.Counter(int(member.split(":")[0]) for member in tree["members"])
        level, below = {tree["root_switch"]: 0}, dict(on)
        for parent, child in tree["edges"]:
            level[child] = level[parent] + 1
        for parent, child in reversed(tree["edges"]):
            below[parent] = below.get(parent, 0) + below[child]
        root = numbers[tree["root_node"]]
        others = [numbers[member] for member in tree["members"] if numbers[member] != root]
        ups = [network.route(node, root) for node in others]
        through = collections.Counter(peers[port] for way in ups for port in way[:-1])
        found.append({
            "height": tree["height"], "formula_us": tree["paper_latency_us"],
            "branch": max((below[child] for parent, child in tree["edges"] if level[parent] == 0),
                          default=0),
            "member_links": sum(count * (level[s] + 2) for s, count in on.items()),
            "shortest_hops": sum(count * (level[s] + 2) for s, count in on.items()) - 2
                             + len(tree["edges"]) + len(tree["members"]),
            "others": len(others), "up": max(map(len, ups)) + 1,
            "down": max(len(network.route(root, node)) for node in others) + 1,
            "busiest": max((count for port, count in through.items()
                            if port.switch == tree["root_switch"]), default=0)})
    return found


def measured(item):
    """`ways` by size: {way: (latency in us, messages on links)}."""
    network = network_of(item)
    found, violations = [{} for _ in sizes(item)], 0
    planned_trees = list(enumerate(trees(network, item)))
    for way, (scheme, profile, occupied, around) in WAYS.items():
        together = 1 if around else TOGETHER
        for first in range(0, len(planned_trees), together):
            part = planned_trees[first:first + together]
            groups = [tree["members"] for _, tree in part]
            # After longer than a barrier takes in any way the next group begins.
            starts = [sum(3000 + (12 + occupied) * len(g) for g in groups[:k])
                      for k in range(len(groups))]
            result = muster.run(
                network.routed_from(part[0][1]["root_switch"]) if around else network,
                [",".join(g) for g in groups], scheme=scheme, profile=profile, barriers=1,
                arrivals=[lambda member, barrier, now, start=start: start for start in starts],
                seed=item["seed"], engine=item["engine"], threads=1,
                **({"queued": True} if way == QUEUED else {}))
            violations += result.violations
            for group, barrier in zip(result.columns["group"], result.barriers):
                found[first + group][way] = (barrier["latency_us"], barrier["hops"])
                if barrier["latency_cycles"] >= 3000 + (12 + occupied) * len(groups[group]):
                    raise RuntimeError(f"{way}: a barrier of {len(groups[group])} members takes "
                                       f"{barrier['latency_cycles']} cycles, into the next")
    return {"ways": found, "violations": violations}


class Points:
    """What is measured of a system, by size and network."""

    def __init__(self, study: Study, system, runs=True):
        self.sizes = sizes(system)
        items = [system | {"seed": seed} for seed in study.seeds(NETWORKS)]
        self.samples = study.run(planned, items)
        if runs:
            items = [item | {"engine": study.engine} for item in items]
            for sample, found in zip(self.samples, study.run(measured, items)):
                for one, way in zip(sample, found["ways"]):
                    one["measured"] = way

    def curve(self, name: str, value) -> Series:
        return Series(name, [mean95([value(sample[k]) for sample in self.samples], x=size)
                             for k, size in enumerate(self.sizes)])


def further(figure, letter, case, rows, first=1):
    """Rows: one more model of printed values, {row: (value, reason)}."""
    return [Printed(f"btin-{figure}{letter}{i}", f"Figure {figure}", case, ours,
                    of=f"btin-{figure}{of}", why=why)
            for i, (of, (ours, why)) in enumerate(rows.items(), first)]


BELOW_MULTICAST = of_curves(claims.below, "ac", "btin, measured", "multicast, measured", start=16)


def over_sizes(study, title, systems):
    """Latencies, then ratios, over the group size, of {system's name: system}; of each measured
    curves and those by formula."""
    data = Data(title)
    found = {name: Points(study, system) for name, system in systems.items()}
    for name, points in found.items():
        add(data, f"{name}, measured", "latency (us)", [
            points.curve(f"{way}, measured", lambda s, w=way: s["measured"][w][0])
            for way in WAYS])
        add(data, f"{name}, by formula", "latency (us)", [
            points.curve("btin, formula", lambda s: s["formula_us"]),
            *(points.curve(f"multicast, {case}", us) for case, us in CASES.items())])
    for name, points in found.items():
        add(data, f"{name}, multicast / BTIN, measured", "latency ratio", [
            points.curve(one, lambda s, a=a, b=b: s["measured"][a][0] / s["measured"][b][0])
            for one, (a, b) in RATIOS.items()])
        add(data, f"{name}, multicast / BTIN, by formula", "latency ratio", [
            points.curve(case, lambda s, us=us: us(s) / s["formula_us"])
            for case, us in CASES.items()])
    return data


def add(data, title, y_label, series, log10_y=True):
    """A panel over the group size."""
    data.add(title, "group size (members)", y_label, series, log_x=2, log10_y=log10_y)


def by_routes(sample, queue):
    """Both ways, each t_s and the hops of its links and of one more switch or interface."""
    links = sample["up"] + sample["down"]
    return (4600 + links * HOP_NS + max(0, queue - 1) * HOP_NS) / 1000


CASES = {
    "no contention": lambda s: by_routes(s, 0),
    "fullest branch of the tree":
        lambda s: s["formula_us"] + max(0, s["branch"] - 1) * (HOP_NS / 1000),
    "busiest root port": lambda s: by_routes(s, s["busiest"]),
    "one-port root node": lambda s: by_routes(s, s["others"])}
RATIOS = {"measured": ("multicast", "btin"),
          f"measured, {OCCUPIED}": (f"multicast, {OCCUPIED}", f"btin, {OCCUPIED}"),
          f"measured, {AROUND}": (f"multicast, {AROUND}", f"btin, {OCCUPIED}")}
