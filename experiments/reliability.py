# SPDX-License-Identifier: Apache-2.0
"""A study of ours: the outcome of every fault (docs/reliability.md). Two groups share a network but
no link: 14 members on Figure 1 of the BTIN paper beside two nodes of switch 2, or 64 of 256 nodes
on 75 switches beside two nodes of a switch outside their tree. All links retry. A fault (_faults)
falls into one of five phases of the first group's second barrier, as a run without faults times
them, or there are several, with data and lossy links. Every part of Figure 1 fails in each phase,
of the large network a sample. Rates: 60 barriers of the 64 members, data at 0.1 of what fills the
busiest channel, while links lose, corrupt and duplicate a share of frames each; `bare` is without
link ends and faults, `over bare` a mean divided by that. --sessions N: so many parts of Figure 1 of
each kind, of four systems, in two phases."""

import collections
import functools
import threading

import muster

from . import _faults
from .kit import ROOT, Data, Figure, Study, Table

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
KINDS = ("masked", "recovered", "reported", "defect")
HEADS = ("network", "system", "fault", "runs", *KINDS, "recovered in, at most", "others late by")
RATES = ("system", "share", "mean", "longest", "over bare", "data accepted")
QUICK = ("BTIN", "BTIN, repeating", "unicast", "NIC, dissemination")
FIGURE_1, LARGE = "Figure 1", "75 switches, 256 nodes"


@functools.cache
def network_of(name: str) -> muster.Network:
    if name == FIGURE_1:
        return muster.read(ROOT / "topologies/figure1.json")
    return muster.generate("irregular", switches=75, nodes=256, ports=8, connectivity=0.75, seed=1)


@functools.cache
def large_groups() -> list[str]:
    """64 members, and two nodes at a switch that has none of their tree."""
    network, homes = network_of(LARGE), collections.defaultdict(list)
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
    setting = {"network": FIGURE_1, "engine": engine, "system": system}
    try:
        for options in ({}, {"kill_switch": "sw0@400"}):
            run(setting, ["paper", "n5,n6"], barriers=1, **options)
    except muster.InputError as error:
        return str(error)
    return None


def reference(setting: dict) -> dict:
    return _faults.latencies(run(setting, setting["groups"], barriers=BARRIERS))


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
    for group in [cycles] if network == FIGURE_1 else [{p: c} for p, c in cycles.items()]:
        drawn = parts if network == FIGURE_1 else _faults.sample(
            parts, SAMPLE, f"{SEED} {next(iter(group))}")
        found += [*_faults.single(drawn, group), *_faults.flapping(drawn, group)]
    return found + [*_faults.jamming(everything),
                    *_faults.several(parts, cycles, 2 * few if few else SEVERAL, SEED)]


def outcome(item: dict) -> list:
    setting, fault = item["setting"], item["fault"]
    out = run(setting, setting["groups"], barriers=BARRIERS, **fault["options"])
    return _faults.judge(out, item["planned"], fault, network_of(setting["network"]).to_dict(),
                 setting["system"].startswith("BTIN"))


def rate(item: list) -> dict:
    """Barriers and data where links lose a share of frames; None: without link ends."""
    system, share, group = item
    setting = {"network": LARGE, "engine": "golden", "system": system}
    lasting = NIC_LASTING | {"retries": None} if system.startswith("NIC") else {}
    losses = {"link_retry": False} if share is None else {
        f"link_{fault}": share for fault in ("drop", "corrupt", "duplicate")}
    out = run(setting, [group], barriers=60, load=0.1, min_cycles=10000, max_wait=100000,
              **lasting | losses)
    late = [barrier["latency_cycles"] for barrier in out["barriers"][1:]]
    return {"mean": sum(late) / len(late), "longest": max(late), "accepted": out["data_throughput"]}


def measure(study: Study) -> Data:
    few, systems = study.sessions, QUICK if study.sessions else tuple(SYSTEMS)
    outcomes, refused = Table("Outcomes", HEADS, []), Table("Refused", ("system", "why not"), [])
    rates = Table("Rates", RATES, [])
    data = Data("The outcome of every fault, and barriers on links that lose frames",
                tables=[outcomes, refused, rates])
    networks = {FIGURE_1: ["paper", "n5,n6"]} | ({} if few else {LARGE: large_groups()})
    reasons = study.run(refusal, [[study.engine, name] for name in systems])
    refused.rows.extend((name, reason) for name, reason in zip(systems, reasons) if reason)
    tried = [name for name, reason in zip(systems, reasons) if not reason]
    for network, groups in networks.items():
        settings = [{"network": network, "groups": groups, "system": name,
                     "engine": study.engine if network == FIGURE_1 else "golden"}
                    for name in tried]
        items = [{"setting": setting, "fault": fault, "planned": planned}
                 for setting, cycles, planned in zip(settings, study.run(phases, settings),
                                                     study.run(reference, settings))
                 for fault in faults_of(network, cycles, few)]
        rows = collections.defaultdict(list)
        for item, found in zip(items, study.run(outcome, items)):
            rows[network, item["setting"]["system"], item["fault"]["kind"]].append(found)
            if found[0] not in KINDS[:-1]:
                study.violations += 1
                data.notes.append(f"{found[0]}: {item['setting']['system']}, "
                                  f"{item['fault']['kind']}, {item['fault']['options']}: "
                                  f"{found[3]}")
        for key, found in rows.items():
            count = collections.Counter(kind for kind, *_ in found)
            outcomes.rows.append((
                *key, len(found), *(count[kind] for kind in KINDS),
                max((cycles for kind, cycles, *_ in found if kind == "recovered"), default=0),
                max(others for _, _, others, _ in found)))
    places = [(name, share) for name in tried for share in (None, *SHARES) if not few]
    found = dict(zip(places, study.run(rate, [[*place, large_groups()[0]] for place in places])))
    rates.rows.extend((name, "bare" if share is None else share, one["mean"], one["longest"],
                       one["mean"] / found[name, None]["mean"], one["accepted"])
                      for (name, share), one in found.items())
    return data


FIGURES = [Figure("reliability", "ours", measure, "the outcome of every fault, in every system")]
