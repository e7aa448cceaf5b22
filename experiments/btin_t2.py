# SPDX-License-Identifier: Apache-2.0
"""Section 4.3, Table 2: start-ups, latency growth, and what it takes to create a group.

The table prints start-ups 2n (unicast), n + 1 (multicast), 2 (BTIN, one after the other) and
latency O(n), O(n), O(log n). Start-ups are messages that nodes begin, counted in a trace of one
barrier on the first network; they do not depend on the network: unicast 2 (n - 1), multicast
n - 1 + ceil((n - 1) / 64), BTIN n, and of the busiest node n - 1, one for each worm, and 1. The
root node needs no arrival from itself, and a switch must hold a
[whole worm](systems/baselines.md#the-multicast-switch).

A group is created by [messages](systems/groups.md), with every confirmation (the paper has none),
on 20 networks, profile `native`, until all members know that the group is valid. The baselines set
up nothing: their nodes know the members, and worms carry their addresses."""

import json
import pathlib
import re
import tempfile

import muster

from . import claims
from ._btin import SCHEMES, SMALL, Points, add, network_of
from .kit import ROOT, At, Data, Figure, Printed, Series, mean95

CREATIONS = 20


def started(item):
    """Messages that nodes start in one barrier or creation, from a trace."""
    with tempfile.TemporaryDirectory() as folder:
        network, trace = pathlib.Path(folder) / "network.json", pathlib.Path(folder) / "trace.json"
        network_of(item).save(network)
        result = muster.report([
            "run", str(network), f"--group=random:{item['members']}", f"--scheme={item['scheme']}",
            "--barriers=1", f"--seed={item['seed']}", f"--engine={item['engine']}", "--threads=1",
            f"--setup={item['setup']}", f"--trace={trace}"])
        tree = muster.tree(network, f"random:{item['members']}", seed=item["seed"])
        events = json.loads(trace.read_text())["traceEvents"]
    setup = result["setup"]
    end = setup["groups"][0]["creation_cycles"] if setup else result["cycles"]
    ours = [event for event in events if event["ph"] == "X" and round(event["ts"] * 100) <= end
            and event.get("args", {}).get("channel", "").startswith("n")]
    by_node = [event["args"]["channel"].split()[0] for event in ours]
    return {"all": len(ours), "busiest": max(map(by_node.count, set(by_node))), "cycles": end,
            "switches": len(tree["edges"]) + 1, "violations": result["violations"],
            "requests": sum("group" not in event["args"] for event in ours)}


def measure(study):
    data = Data("BTIN Table 2: 256 nodes, 75 switches, connectivity 75 %")
    common, points = SMALL | study.common, Points(study, SMALL)
    runs = study.grid(started, [[common | {"members": n, "scheme": scheme, "setup": "host"}
                                 for n in points.sizes] for scheme in SCHEMES])
    for what, key in (("all nodes", "all"), ("busiest node", "busiest")):
        add(data, f"start-ups, {what}", "messages started", [
            Series.over(scheme, points.sizes, [run[key] for run in found])
            for scheme, found in zip(SCHEMES, runs)])
    add(data, "latency", "latency (us)", [
        points.curve(scheme, lambda s, way=scheme: s["measured"][way][0])
        for scheme in SCHEMES], log10_y=False)
    created = study.grid(started, [[
        common | {"members": n, "scheme": "btin", "setup": "in-band", "seed": seed}
        for seed in study.seeds(CREATIONS)[:CREATIONS]] for n in points.sizes])

    for unit, keys in (("messages, switches", {"messages of nodes": "all",
                                               "of them to registers of switches": "requests",
                                               "switches written": "switches"}),
                       ("latency (cycles)", {"until all members know": "cycles"})):
        add(data, "creation of a group (BTIN)", unit, [
            Series(name, [mean95([run[key] for run in found], x=n)
                          for n, found in zip(points.sizes, created)])
            for name, key in keys.items()], log10_y=False)
    return data


def growth(data):
    """Latency at 256 by that at 128 members: 2 for O(n), 1.14 for O(log n)."""
    def of(scheme):
        return claims.ratio(data.value("c", scheme, 256), data.value("c", scheme, 128))
    return [claims.below(1.25, of("unicast")), claims.below(1.25, of("multicast")),
            claims.below(of("btin"), 1.14)]


FIGURES = [Figure("btin-t2", "btin", measure, "Table 2: start-ups, latency growth, creation", [
    Printed("btin-t2a", "Table 2", "256 members: start-ups of unicast, 2n", At("a", "unicast", 256),
            512),
    Printed("btin-t2b", "Table 2", "256 members: start-ups of multicast, n + 1",
            At("a", "multicast", 256), 257),
    Printed("btin-t2d", "Table 2", "256 members: start-ups of BTIN, 2", At("a", "btin", 256), 2,
            verdict="differs", why="Counted as for the others, one of each node: all but the root "
            "node start a reduction, and the root node starts the distribution. Two of them follow "
            "each other."),
    Printed("btin-t2d1", "Table 2", "the most of a node in a phase, for two phases",
            lambda data: 2 * data.value("b", "btin", 256).y, of="btin-t2d"),
    Printed("btin-t2c", "Table 2",
            "128 to 256 members: latency O(n) of unicast and multicast, O(log n) of BTIN", growth),
    Printed("btin-m", "Section 3.2, Figure 5",
            "a synchronization message: 2 bits of type, 8 of group, 6 of data",
            lambda _: int(re.search(  # that of the switches which a run takes unless it is told
                r"parameter int unsigned FlitW = (\d+)",
                (ROOT / "rtl/btin/muster_barrier_switch.sv").read_text())[1]) / 8,
            2, unit="bytes", at_most=True, engine="")])]
