# SPDX-License-Identifier: Apache-2.0
"""Settings and runs of experiments/reliability.py. A setting is a system on a network, with the
groups, of which the first is hit in a phase of its second barrier."""

import collections
import functools
import threading

import muster

from . import _faults
from ._outcomes import judge, latencies
from .kit import ROOT

WARMUP = 300     # cycles until the first arrival at the earliest; links are up by then
BARRIERS = 6     # of each group, the second of which is hit
SPREAD = 60      # cycles that members work between barriers, at most
PATIENCE = 8000  # cycles without an event until a group is given up; a new routing takes 3000
SECONDS = 300    # that a run may take
SEED, SAMPLE, SEVERAL = 1, 1, 30
SHARES = (0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 5e-2)
QUICK_PHASES = ("turn", "between two barriers")
SWITCH = {"config": "sw8"}  # two virtual channels: packets and arrivals are in no tree of queues
# A NIC repeats for 6200 cycles, so beyond a new routing, and then takes its peer for dead. Where no
# part dies it need not give up, however slow links with losses are.
NIC, NIC_LASTING = {"timeout": 200, "retries": 4} | SWITCH, {"timeout": 2000} | SWITCH
REPEATING = {"retry": True, "retry_period": 100, "config": "sw8r"}
SYSTEMS = {
    "BTIN": {"scheme": "btin"} | SWITCH,
    "BTIN, root reflects": {"scheme": "btin", "turn": True} | SWITCH,
    "BTIN, repeating": {"scheme": "btin"} | REPEATING,
    "BTIN, repeating, root reflects": {"scheme": "btin", "turn": True} | REPEATING,
    "unicast": {"scheme": "unicast"} | SWITCH, "star": {"scheme": "star"} | SWITCH,
    "tree": {"scheme": "tree"} | SWITCH,
    "NIC, dissemination": {"scheme": "nic-dissemination"} | NIC,
    "NIC, pairwise": {"scheme": "nic-pairwise"} | NIC,
    "NIC, gather": {"scheme": "nic-gather"} | NIC,
    "multicast": {"scheme": "multicast"}, "tree of units": {"scheme": "tree-units"},
    "preempting, BSR-1": {"scheme": "bsr-1"}, "preempting, BSR-2": {"scheme": "bsr-2"},
    "preempting, BSR-3": {"scheme": "bsr-3"}}


@functools.cache
def network_of(name: str) -> muster.Network:
    if name == "Figure 1":
        return muster.read(ROOT / "topologies/figure1.json")
    return muster.generate("irregular", switches=75, nodes=256, ports=8, connectivity=0.75, seed=1)


@functools.cache
def large_groups() -> list[str]:
    """64 members, and two nodes at a switch that has none of their tree."""
    network, homes = network_of("large"), collections.defaultdict(list)
    used = {image["switch"] for image in muster.tree(network, "random:64")["images"]}
    for node in network.nodes:
        homes[node.at.switch].append(f"n{node.number}")
    others = next(nodes for s, nodes in homes.items() if s not in used and len(nodes) > 1)
    return ["random:64", ",".join(others[:2])]


def run(setting: dict, groups: list[str], **options) -> dict:
    """The JSON of a run, that is interrupted if it does not end."""
    stop = muster.Stop()
    timer = threading.Timer(SECONDS, stop.set)
    timer.start()
    try:
        return muster.run(network_of(setting["network"]), groups, stop=stop, threads=1,
                          engine=setting["engine"], warmup=WARMUP, spread=SPREAD,
                          **{"max_wait": PATIENCE, "link_retry": True}
                          | SYSTEMS[setting["system"]] | options).to_dict()
    finally:
        timer.cancel()


def refusal(item: list) -> str | None:
    """Why the system is not tried, if it says so when a switch dies."""
    engine, system = item
    setting = {"network": "Figure 1", "engine": engine, "system": system}
    for options in ({}, {"kill_switch": "sw0@400"}):
        try:
            run(setting, ["paper", "n5,n6"], barriers=1, **options)
        except muster.InputError as error:
            return str(error)
    return None


def reference(setting: dict) -> dict:
    return latencies(run(setting, setting["groups"], barriers=BARRIERS))


def phases(setting: dict) -> dict[str, int]:
    """A cycle in each phase of the second barrier of the first group."""
    outs = [run(setting, setting["groups"][:1], barriers=count) for count in (1, 2)]
    before, end = (out["cycles"] - out["drain_cycles"] for out in outs)
    barrier = outs[1]["barriers"][-1]
    arrived = end - barrier["latency_cycles"]
    turn = arrived + barrier["reduction_cycles"]
    return {"before the first arrival": WARMUP - 40,
            "reduction": arrived + barrier["reduction_cycles"] // 2, "turn": turn,
            "distribution": turn + barrier["distribution_cycles"] // 2,
            "between two barriers": before + 1}


def faults_of(network: str, cycles: dict, few: int | None) -> list[dict]:
    """All faults of a setting; of the large network each part in one of the phases."""
    everything = parts = _faults.parts_of(network_of(network).to_dict())
    if few:
        parts = _faults.sample(parts, few, SEED)
        cycles = {phase: cycles[phase] for phase in QUICK_PHASES}
    found = []
    for group in [cycles] if network == "Figure 1" else [{p: c} for p, c in cycles.items()]:
        drawn = parts if network == "Figure 1" else _faults.sample(
            parts, SAMPLE, f"{SEED} {next(iter(group))}")
        found += [*_faults.single(drawn, group), *_faults.flapping(drawn, group)]
    return found + [*_faults.jamming(everything),
                    *_faults.several(parts, cycles, 2 * few if few else SEVERAL, SEED)]


def outcome(item: dict) -> list:
    setting, fault = item["setting"], item["fault"]
    out = run(setting, setting["groups"], barriers=BARRIERS, **fault["options"])
    return judge(out, item["planned"], fault, network_of(setting["network"]).to_dict(),
                 setting["system"].startswith("BTIN"))


def rate(item: list) -> dict:
    """Barriers and data where links lose a share of frames; None: without link ends."""
    system, share, group = item
    setting = {"network": "large", "engine": "golden", "system": system}
    lasting = NIC_LASTING | {"retries": None} if system.startswith("NIC") else {}
    losses = {"link_retry": False} if share is None else {
        f"link_{fault}": share for fault in ("drop", "corrupt", "duplicate")}
    out = run(setting, [group], barriers=60, load=0.1, min_cycles=10000, max_wait=100000,
              **lasting | losses)
    late = [barrier["latency_cycles"] for barrier in out["barriers"][1:]]
    return {"mean": sum(late) / len(late), "longest": max(late), "accepted": out["data_throughput"]}
