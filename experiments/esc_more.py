# SPDX-License-Identifier: Apache-2.0
"""Statements of the paper's text that have no figure there: sections 3 and 5 expect the same of
several hot spots and of larger networks; section 4.4 of smaller boxes under isolated background;
section 4.5 of buffers under uniform traffic, and of the height of the saturation tree; section 5 of
the bandwidth (synchronization around cycle 140). And the other reading of section 2, by which a
full buffer accepts in the cycle in which it sends, on golden alone. 10 sessions a point; four over
N and under uniform traffic, where the standard deviation of the synchronization times is 3000
cycles, so that no hot spot forms."""

import muster

from . import claims
from ._esc import AVERAGES, NETWORK, RATE, Points
from .kit import At, Data, Figure, Printed, Series, all_of, mean95, of, of_curves, of_each

SYN, TOTAL, HOT = AVERAGES.values()
POLICIES = {"bypass": "bypass", "hot section, K = 4": "hot-section:4"}
SPOTS, SIZES = (1, 2, 4, 8), (64, 256, 1024, 4096)
DEPTHS, UNIFORM_DEPTHS = (2, 4, 8, 12, 16, 20), (1, 2, 4, 8, 16)
BUFFER = "S (packets in an output buffer)"
SESSIONS, FEW = 10, 4
SHARING = "bypass", "isolated-bg", "isolated-hs", "hot-section:4"
BANDWIDTH_RATES = 0.3, 0.5, 0.7
OTHER = {"": False, ", accepts while it sends": True}  # the reading of section 2


def measure(study):
    data = Data("Extra Stage Cube, statements without a figure: N = 256, n = 4, S = 12, sigma = 10")
    both = {name: {"policy": policy} for name, policy in POLICIES.items()}
    several = Points(study, both, "hot_spots", SPOTS, SESSIONS)
    several.add(data, "mu_SYN", SYN, "hot spots", log_x=2)
    several.add(data, "mu_BG(Tot)", TOTAL, "hot spots", log_x=2)
    sizes = Points(study, both, "pes", SIZES, FEW)
    sizes.add(data, "mu_BG(Tot)", TOTAL, "N (PEs)", log_x=2)
    depths = Points(study, {f"{name}{suffix}": options | {"rate": 0.6, "refill": refill}
                            for name, options in both.items()
                            for suffix, refill in OTHER.items()}, "buffer", DEPTHS, SESSIONS)
    depths.add(data, "mu_SYN, gamma 0.6", SYN, BUFFER)
    depths.add(data, "mu_BG(Tot), gamma 0.6", TOTAL, BUFFER)
    depths.add(data, "height of the saturation tree, gamma 0.6", HEIGHT, BUFFER,
               "H_t, mean over the session (links)")
    uniform = Points(study, {
        f"gamma {rate}{suffix}": {"rate": rate, "sigma": 3000, "mean": 15000, "refill": refill}
        for rate in (0.3, 0.5, 0.7) for suffix, refill in OTHER.items()}, "buffer", UNIFORM_DEPTHS,
        FEW)
    uniform.add(data, "mu_BG(Tot), uniform traffic", TOTAL, BUFFER, log_x=2)
    small = Points(study, {f"n = {box}, {policy}": {"policy": policy, "box": box} for box in (2, 4)
                           for policy in ("isolated-bg", "bypass")}, "rate",
                   (0.2, 0.3, 0.4, 0.5, 0.6, 0.7), SESSIONS)
    small.add(data, "mu_BG(Tot), isolated background", TOTAL, RATE)
    return data


def bandwidth(item):
    result = muster.esc(**item, threads=1)
    return {"packets": result["packets"] / result["cycles"] / item["pes"],
            "violations": result["violations"]}


def measure_bandwidth(study):
    places = [(policy, rate) for policy in SHARING for rate in BANDWIDTH_RATES]
    of = dict(zip(places, study.grid(bandwidth, [[NETWORK | study.common | {
        "mean": 140, "policy": policy, "rate": rate, "sessions": 1, "seed": seed}
        for seed in study.seeds(SESSIONS)] for policy, rate in places])))
    data = Data("Extra Stage Cube, packets that arrive while a session lasts: N = 256, n = 4, S = "
                "12, sigma = 10")
    data.add("bandwidth", RATE, "packets a PE and cycle", [
        Series(policy, [mean95([one["packets"] for one in of[policy, rate]], x=rate)
                        for rate in BANDWIDTH_RATES]) for policy in SHARING])
    return data


HEIGHT = "saturation_tree_height"


def better(panel, xs):
    """A row's value: with hot section it is below that with bypass, at each x."""
    bypass, section = POLICIES
    return all_of(*(of(claims.below, At(panel, section, x), At(panel, bypass, x)) for x in xs))


FIGURES = [Figure("esc-more", "esc", measure, "statements of the paper that have no figure", [
    Printed("esc-m1", "Section 3", "the approach is also good for several hot spots: mu_BG(Tot) of "
            "hot section below bypass", better("b", SPOTS)),
    Printed("esc-m2", "Section 5", "larger networks behave similarly: mu_BG(Tot) of hot section "
            "below bypass, 64 to 4096 PEs", better("c", SIZES)),
    Printed("esc-m3", "Section 4.5", "larger buffers reduce the height of the saturation tree",
            of_each(claims.falls, "f", POLICIES, start=8),
            why="Over the paper's sizes, 8 to 20. Smaller buffers block the network at this rate, "
            "and few packets reach the hot spot's tree."),
    Printed("esc-m4", "Section 4.5", "under uniform traffic buffers of two or four suffice: "
            "mu_BG(Tot) with 4 within a tenth of that with 16", lambda data: [
                           claims.below(curve.at(4), curve.at(16), by=1.1)
                           for curve in data.panel("g").series[::2]], why="A full buffer that "
            "accepts nothing in the cycle in which it sends is half as fast with one packet, and "
            "needs more room the higher the rate; buffers that accept then need less.",
            verdict="differs"),
    Printed("esc-m5", "Section 4.4", "n = 2: half of the boxes carry all other background, so with "
            "isolated background beyond gamma 0.5 mu_BG(Tot) is above bypass's",
            of(claims.below, At("h", "n = 2, bypass", 0.7), At("h", "n = 2, isolated-bg", 0.7))),
    Printed("esc-m6", "Section 4.4", "larger boxes reduce the bottleneck of the input stage: "
            "mu_BG(Tot) with isolated background, n = 4 below n = 2",
            of_curves(claims.below, "h", "n = 4, isolated-bg", "n = 2, isolated-bg")),
    Printed("esc-m7", "Section 5",
            "the approach controls tree saturation: H_t with hot section below bypass, S = 8 to 20",
            better("f", (8, 12, 16, 20)), why="The tree is lower from S = 16 on. With fewer "
            "packets it is as high, and stands in the reserved boxes.")]),
           Figure("esc-bandwidth", "esc", measure_bandwidth,
                  "packets that arrive while a session lasts", [
    Printed("esc-m8", "Section 5", "the approaches increase the bandwidth of the system: packets "
            "that arrive in a cycle, above bypass (ours from gamma 0.5 on; at 0.3 all arrive)",
            all_of(*(of_curves(claims.below, "a", "bypass", policy, start=0.5)
                     for policy in SHARING[1:])))])]
