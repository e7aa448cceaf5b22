# SPDX-License-Identifier: Apache-2.0
"""Section 5.2, Figures 6 to 8 by a closed form that was found from their printed numbers and has
no free parameter:

    multicast = BTIN + n (t_r + t_p) / (f k - floor(p / q))

BTIN is 2 (t_s + d t_p + (d + 1) t_r) with d = h + 2, on networks of model attachment, made by
attaching each new switch to a random earlier one. Our reading: the headers of n members are spread
evenly over the ports of the root switch that lead to other switches, and pass each t_r + t_p apart.
The mean f k - p / q, not rounded, does not meet the values. At f = 50 % the trees are of networks
with the 74 links that 75 switches need at least.

Figure 7 by a hypothesis: BTIN's traffic is one round trip, 2 d links, and multicast's is the way of
each member to the root node and one way back. The hypothesis meets one printed value, and the other
only with half the members."""

import math

from ._btin import HOP_NS, LARGE, SMALL, Points, add, name
from .claims import ratio
from .kit import At, Data, Figure, Printed, Series, of

PORTS, LINKS_OF_TREE = 8, 0.675  # connectivity at which 256/75 has 74 links
FACTORS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.9)


def multicast(system):
    """Its latency in us, as a function of a sample."""
    ports = system["connectivity"] * PORTS - math.floor(system["nodes"] / system["switches"])
    return lambda s: s["formula_us"] + (s["others"] + 1) * HOP_NS / 1000 / ports


def factor(system):
    return lambda s: multicast(system)(s) / s["formula_us"]


def traffic(s):
    """Of multicast over BTIN."""
    ways = s["height"] + 2
    return (s["member_links"] + ways) / (2 * ways)


def measure(study):
    data = Data("BTIN Figures 6 to 8 by formula: 8-port switches")
    found = {name(system): (system, attached(study, system)) for system in (SMALL, LARGE)}
    for title, unit, of in (
            ("BTIN", "latency (us)", lambda _: lambda s: s["formula_us"]),
            ("multicast", "latency (us)", multicast),
            ("multicast / BTIN", "latency ratio", factor),
            ("multicast / BTIN, a hypothesis", "traffic ratio", lambda _: traffic)):
        add(data, title, unit, [points.curve(system, of(about))
                                for system, (about, points) in found.items()], title != "BTIN")
    series = Series("256/75, all members", [])
    for f in FACTORS:
        points = attached(study, SMALL | {"connectivity": max(f, LINKS_OF_TREE)})
        at = points.curve("", factor(SMALL | {"connectivity": f})).at(SMALL["nodes"])
        series.points.append(at._replace(x=f))
    data.add("multicast / BTIN", "connectivity f", "latency ratio", [series])
    return data


def attached(study, system):
    return Points(study, system | {"model": "attachment"}, runs=False)


def row(number, where, case, printed, ours, why="As btin-6a.", **more):
    return Printed(f"btin-{number}", where, case, ours, printed, verdict="by formula", why=why,
                   engine="", **more)


def guess(number, of, case, at):
    return Printed(f"btin-{number}", "Figure 7", case, at, of=of, engine="")


HYPOTHESIS = "by a hypothesis: n times the mean way and one way, over a round trip"
FIGURES = [Figure("btin-formula", "btin", measure, "Figures 6 to 8 by a closed form", [
    row("6a", "Figure 6", "256 nodes, 75 switches, group 256: multicast / BTIN, latency", 3.8,
        At("c", "256/75", 256), "The paper names no model of contention. This form meets all "
        "printed values of Figures 6 and 8. Without contention the curve would not grow; our "
        "switches keep headers three flits apart, 30 ns and not 320, or with occupied inputs lead "
        "more of them through one port.", mark="256/75"),
    row("6b", "Figure 6", "1024 nodes, 300 switches, group 256: the same", 3.3,
        At("c", "1024/300", 256), mark="1024/300"),
    row("6c2", "Figure 6", "1024 nodes, 300 switches, group 1024: multicast", 120.5,
        At("b", "1024/300", 1024), unit="us", mark="1024/300"),
    row("6d2", "Figure 6", "sizes quadrupled, 256/75/256 to 1024/300/1024: multicast, times", 3.3,
        of(ratio, At("b", "1024/300", 1024), At("b", "256/75", 256))),
    row("8a", "Figure 8", "256 nodes, 75 switches, group 256, f = 50 %: multicast / BTIN", 8.7,
        At("e", "256/75, all members", 0.5), "As btin-6a, with trees of the least number of links. "
        "No network of f = 50 % can be built: its 300 connected ports less 256 of nodes leave 22 "
        "links, and 75 switches need 74.", mark="f = 50 %"),
    row("8b", "Figure 8", "the same, f = 70 %", 4.1, At("e", "256/75, all members", 0.7),
        mark="f = 70 %"),
    row("8c", "Figure 8", "the same, f = 90 %", 3.2, At("e", "256/75, all members", 0.9),
        mark="f = 90 %"),
    guess("7h1", "btin-7a", f"{HYPOTHESIS}, 128 members", At("d", "256/75", 128)),
    guess("7h2", "btin-7a", f"{HYPOTHESIS}, 256 members", At("d", "256/75", 256)),
    guess("7h3", "btin-7b", f"{HYPOTHESIS}, 256 members", At("d", "1024/300", 256))])]
