# SPDX-License-Identifier: Apache-2.0
"""A study of ours of data without and beside barriers, on golden: the load that `muster saturate`
finds sustained and the next one that is not, as shares of the load at which the busiest channel is
full (docs/reference/runs.md); the mean latency of a packet in 4000 cycles behind a warm-up of
W cycles, over 20 seeds, at about half and nine tenths of that load; and 40 barriers of 64 of 256
members beside a load of 0.6, over five seeds. Channels decide comparisons beside data, so a run
gives every scheme the same ones (docs/reference/runs.md). Intervals are of 95 %."""

import muster

from .kit import ROOT, Data, Figure, Study, Table, mean95

NETWORKS = {"Figure 1": "figure1", "8 x 8 mesh": "mesh-8x8", "75 switches": "irregular-75"}
SWITCHES = {"barrier, 1 virtual channel (`--config sw8v1`)": {"config": "sw8v1"},
            "barrier, 2 virtual channels": {},
            "preempting I, 2 (`--scheme bsr-1`)": {"scheme": "bsr-1"},
            "multicast, 2, one of them for worms (`--scheme multicast`)": {"scheme": "multicast"}}
LOADS = {"Figure 1": (0.48, 0.86), "8 x 8 mesh": (0.31, 0.56), "75 switches": (0.40, 0.72)}
WARMUPS, CYCLES, SEEDS = (0, 500, 1000, 2000, 4000, 8000), 4000, 20
SCHEMES = {("`btin`", "1 (`--config sw8v1`)"): {"scheme": "btin", "config": "sw8v1"},
           ("`btin`", "2"): {"scheme": "btin"},
           ("`unicast`", "1 (`--config sw8v1`)"): {"scheme": "unicast", "config": "sw8v1"},
           ("`unicast`", "2"): {"scheme": "unicast"},
           ("`bsr-1`", "2"): {"scheme": "bsr-1"}}
RUNS, BARRIERS = 5, 40


def network(name: str):
    return ROOT / f"topologies/{NETWORKS[name]}.json"


def saturation(item: dict) -> list[float]:
    """Shares of the load at which the busiest channel is full."""
    found = muster.saturate(network(item.pop("network")), threads=1, **item)
    return [found[f"{end}_flits_per_node_cycle"] / found["route_bound_flits_per_node_cycle"]
            for end in ("sustained", "unsustained")]


def run(item: dict) -> dict:
    found = muster.run(network(item.pop("network")), item.pop("group"), threads=1, **item)
    return {"packet": found.data["packet_latency_cycles"]["mean"], "saturated": found.saturated,
            "barrier": found.latency_cycles["mean"], "violations": found.violations}


def mean(of: list[dict], name: str) -> str:
    point = mean95(one[name] for one in of)
    return f"{point.y:.1f} ± {point.half_width:.1f}"


def measure(study: Study) -> Data:
    bounds = iter(study.run(saturation, [{"network": name, "seed": study.seed} | options
                                         for options in SWITCHES.values() for name in NETWORKS]))
    settled = [[{"network": name, "group": "n0,n1", "barriers": 1, "load": load, "warmup": warmup,
                 "min_cycles": warmup + CYCLES, "seed": seed} for seed in study.seeds(SEEDS)]
               for name, loads in LOADS.items() for load in loads for warmup in WARMUPS]
    beside = [[{"network": "75 switches", "group": "random:64", "barriers": BARRIERS, "load": 0.6,
                "seed": seed} | options for seed in study.seeds(RUNS)]
              for options in SCHEMES.values()]
    by_warmup, by_scheme = iter(study.grid(run, settled)), study.grid(run, beside)
    return Data("Data without and beside barriers", tables=[
        Table("Saturation", ("switches", *NETWORKS), [
            (switch, *("{:.3f} to {:.3f}".format(*next(bounds)) for _ in NETWORKS))
            for switch in SWITCHES]),
        Table("Warm-up", ("network", "load", "W = 0", *map(str, WARMUPS[1:])), [
            (name, f"{load:.2f}", *(mean(next(by_warmup), "packet") for _ in WARMUPS))
            for name, loads in LOADS.items() for load in loads]),
        Table("Virtual channels", ("scheme", "channels", "barrier latency, mean",
                                   "packet latency, mean", "runs saturated"), [
            (*scheme, mean(of, "barrier"), mean(of, "packet"),
             f"{sum(one['saturated'] for one in of)} of {len(of)}")
            for scheme, of in zip(SCHEMES, by_scheme)])])


FIGURES = [Figure("data", "ours", measure, "load that networks carry, warm-up, channels")]
