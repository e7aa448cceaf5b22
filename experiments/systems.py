# SPDX-License-Identifier: Apache-2.0
"""A study of ours: barriers by switches, NICs and hosts on the same networks, with the same hosts
and data (docs/systems/comparison.md). A point is 40 barriers of one random group, whose members
arrive as soon as they are released, behind one that is not counted. Messages are those of a barrier
on each link that they pass, node links included, without data. The drawing has profile native; the
tables also have lanai-xp."""

import muster

from .kit import Data, Figure, Series, Study, Table

SWITCHES = {"BTIN": {"scheme": "btin"}, "BTIN, queued": {"scheme": "btin", "queued": True},
            "BTIN, reflecting": {"scheme": "btin", "turn": True},
            "preempting switch I": {"scheme": "bsr-1"}}
NICS = {"NIC, gather-broadcast": {"scheme": "nic-gather", "nic": "collective"},
        "NIC, dissemination": {"scheme": "nic-dissemination", "nic": "collective"},
        "NIC, direct": {"scheme": "nic-dissemination", "nic": "direct"},
        "host, gather-broadcast": {"scheme": "nic-gather", "nic": "host"},
        "host, dissemination": {"scheme": "nic-dissemination", "nic": "host"}}
NETWORKS = {"75 switches": ("irregular", {}), "Clos": ("clos", {"ports": 16, "leaves": 8})}
MEMBERS, SIZES, LOADS = 64, (4, 16, 64, 256), (0.0, 0.15, 0.3, 0.45)
BY_SIZE = [{"members": n, "load": 0.0} for n in SIZES]
BY_LOAD = [{"members": MEMBERS, "load": load} for load in LOADS]
LOAD = "data load, share of the busiest channel"
KINDS = {"switches": SWITCHES, "NICs and hosts": NICS}
LONGEST_WAIT = 400_000  # cycles that a barrier may take among data
HEADS = ("network", "system", "channel", "members", "load", "mean_us", "longest_us", "messages")


def run(item: dict) -> dict:
    """Latency of a barrier and its messages on links; none where data leave it no room."""
    options = item | {"barriers": item["barriers"] + 1}
    generator, parameters = NETWORKS[options.pop("network")]
    seeds = {"seed": item["seed"]} if generator == "irregular" else {}
    if item["load"]:
        options["max_wait"] = LONGEST_WAIT
    result = muster.run(muster.generate(generator, **parameters, **seeds),
                        f"random:{options.pop('members')}", spread=0, threads=1, **options)
    if result.end == "hang" and item["load"]:
        return {"us": None, "longest_us": None, "messages": None, "violations": 0}
    late = [one["latency_cycles"] for one in result.barriers if one["number"]]
    clock, hops = result.parameters["profile"]["clock_ns"], result.columns["hops"]
    return {"us": sum(late) / len(late) * clock / 1000, "longest_us": max(late) * clock / 1000,
            "messages": int(hops.sum()) / len(hops), "violations": result.violations}


class Measured:
    """Rows of the table of a profile, as they come."""

    def __init__(self, study: Study, profile: str, barriers: int):
        self.study, self.table = study, Table(f"profile {profile}", HEADS, [])
        self.common = study.common | {"profile": profile, "barriers": study.count(barriers)}

    def over(self, network: str, systems: dict, cases: list[dict], channel: str = "shared"
             ) -> dict[str, list[dict]]:
        """Each system at each case."""
        found = dict(zip(systems, self.study.grid(run, [
            [{"network": network, "barrier_vc": channel} | self.common | system | case
             for case in cases] for system in systems.values()])))
        self.table.rows.extend(
            (network, name, channel, case["members"], case["load"], one["us"],
             one["longest_us"], one["messages"])
            for name, row in found.items() for case, one in zip(cases, row))
        return found


def curves(xs: tuple, rows: dict, value: str = "us") -> list[Series]:
    return [Series.over(name, xs, [one[value] for one in row]) for name, row in rows.items()]


def measure(study: Study) -> Data:
    native, old = Measured(study, "native", 40), Measured(study, "lanai-xp", 8)
    data = Data("Barriers by switches, NICs and hosts (profile native)",
                tables=[native.table, old.table])
    for kind, systems in KINDS.items():
        rows = native.over("75 switches", systems, BY_SIZE)
        data.add(f"75 switches, no data: {kind}", "members", "latency (us)", curves(SIZES, rows),
                 log_x=2, log10_y=systems is NICS)
        data.add(f"75 switches, traffic: {kind}", "members", "messages of a barrier on links",
                 curves(SIZES, rows, "messages"), log_x=2, log10_y=True)
    for network in NETWORKS:
        for channel, kinds in (("shared", KINDS), ("own", {"NICs and hosts": NICS})):
            for kind, systems in kinds.items():
                data.add(f"{network}, {channel} channel: {kind}", LOAD, "latency (us)", curves(
                    LOADS, native.over(network, systems, BY_LOAD, channel)))
    for network in NETWORKS:
        for systems, channel in ((SWITCHES, "shared"), (NICS, "shared"), (NICS, "own")):
            old.over(network, systems, BY_LOAD, channel)
    return data


FIGURES = [Figure("systems", "ours", measure, "barriers by switches, NICs and hosts, side by side")]
