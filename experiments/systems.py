# SPDX-License-Identifier: Apache-2.0
"""A study of ours: barriers by switches, NICs and hosts on the same networks, with the same hosts
and data (docs/systems/comparison.md): time and traffic over the members, and time over the load of
data (packets of 8 flits to random nodes, as a share of the route bound), with a channel shared with
data and with one of the barriers' own. A point is 40 barriers of one random group, whose members
arrive as soon as they are released, behind one that is not counted, on 75 irregular switches of 8
ports with 256 nodes or a Clos of 16-port crossbars with 64. Messages are those of a barrier on each
link that they pass, node links included, without data. The drawing has profile native; the tables
also have lanai-xp."""

import muster

from .kit import Data, Figure, Panel, Point, Series, Study, Table

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
    options = dict(item)
    generator, parameters = NETWORKS[options.pop("network")]
    seeds = {"seed": options["seed"]} if generator == "irregular" else {}
    network = muster.generate(generator, **parameters, **seeds)
    if options["load"]:
        options["max_wait"] = LONGEST_WAIT
    else:
        del options["load"]
    group = f"random:{options.pop('members')}"
    result = muster.run(network, group, spread=0, threads=1,
                        **options | {"barriers": options["barriers"] + 1})
    if result.end == "hang" and "load" in options:
        return {"us": None, "longest_us": None, "messages": None, "violations": 0}
    late = [one["latency_cycles"] for one in result.barriers if one["number"]]
    clock, hops = result.parameters["profile"]["clock_ns"], result.columns["hops"]
    return {"us": sum(late) / len(late) * clock / 1000, "longest_us": max(late) * clock / 1000,
            "messages": int(hops.sum()) / len(hops), "violations": result.violations}


class Measured:
    """Panels and the table of a profile, as they come."""

    def __init__(self, study: Study, data: Data, profile: str, barriers: int):
        self.study, self.data = study, data
        self.common = {"seed": study.setting.seed, "engine": study.setting.engine,
                       "profile": profile, "barriers": study.setting.sessions or barriers}
        data.tables.append(Table(f"profile {profile}", HEADS, []))

    def over(self, network: str, systems: dict, cases: list[dict], channel: str = "shared"
             ) -> dict[str, list[dict]]:
        """Each system at each case."""
        items = [{"network": network, "barrier_vc": channel} | self.common | system | case
                 for system in systems.values() for case in cases]
        found = self.study.run(run, items)
        self.data.violations += sum(one["violations"] for one in found)
        rows = {}
        for i, name in enumerate(systems):
            rows[name] = found[i * len(cases):(i + 1) * len(cases)]
            self.data.tables[-1].rows.extend(
                (network, name, channel, case["members"], case["load"], one["us"],
                 one["longest_us"], one["messages"]) for case, one in zip(cases, rows[name]))
        return rows

    def panel(self, title: str, x_label: str, y_label: str, xs: tuple, rows: dict,
              value: str = "us", **axes: bool) -> None:
        series = [Series(name, [Point(x, one[value]) for x, one in zip(xs, row)])
                  for name, row in rows.items()]
        letter = "abcdefghijkl"[len(self.data.panels)]
        self.data.panels.append(Panel(letter, title, x_label, y_label, series, **axes))


def measure(study: Study) -> Data:
    data = Data("Barriers by switches, NICs and hosts (profile native)", [],
                {"members under load": str(MEMBERS), "switches": "2 virtual channels of depth 4"})
    native = Measured(study, data, "native", 40)
    for kind, systems in KINDS.items():
        rows = native.over("75 switches", systems, BY_SIZE)
        native.panel(f"75 switches, no data: {kind}", "members", "latency (us)", SIZES, rows,
                     log_x=2, log10_y=systems is NICS)
        native.panel(f"75 switches, traffic: {kind}", "members", "messages of a barrier on links",
                     SIZES, rows, "messages", log_x=2, log10_y=True)
    for network in NETWORKS:
        for kind, systems in KINDS.items():
            native.panel(f"{network}, shared channel: {kind}", LOAD, "latency (us)", LOADS,
                         native.over(network, systems, BY_LOAD))
        native.panel(f"{network}, own channel: NICs and hosts", LOAD, "latency (us)", LOADS,
                     native.over(network, NICS, BY_LOAD, "own"))
    old = Measured(study, data, "lanai-xp", 8)
    for network in NETWORKS:
        for systems, channel in ((SWITCHES, "shared"), (NICS, "shared"), (NICS, "own")):
            old.over(network, systems, BY_LOAD, channel)
    return data


FIGURE = Figure("systems", "ours", measure, "barriers by switches, NICs and hosts, side by side")
