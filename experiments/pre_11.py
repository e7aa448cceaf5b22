# SPDX-License-Identifier: Apache-2.0
"""Section 4.1, Figure 11: barrier latency by equations (1) to (4), over the size of the system and
the time tau that data stand. And the equations with
[values that runs have measured](systems/preempting-switches.md#the-equations) beside the latencies
of these runs, those of pre-load.

In pre-11 nothing is measured: the equations are the paper's as printed. With m = 2 (L - 1) each is
Ts + m Tb + m (Tb + w), and w what a hop waits for data on average: p^k Tp, p Tp,
p^k ((1 - pf) Tp + pf tau), p tau. Without data this is Ts + 2 m Tb, twice the hops of Theorem 2,
because m already counts both phases. The text names only the variables; which of them the panels
hold fixed, and where, is ours. p^k has the k ports of a switch where its virtual channels are
meant, so it is small, and BS_III comes out below BS_II up to the tau in the figure's note.

In pre-model k is the number of channels, m that of Theorem 2, Ts 0, and Tb 5 cycles, with switch
III 6. Messages cut data more often than p^k says: the channels of a link are not independent."""

import functools
from typing import NamedTuple

from . import _pre, claims, pre_load
from .kit import At, Data, Figure, Printed, Series, all_of, of_curves, of_each


class Link(NamedTuple):
    tau: float
    tp: float = 6
    p: float = 0.8
    pf: float = 0.2
    k: int = 16


TS, TB = 100, 16
WAITS = {"BS_I, equation (1)": lambda a: a.p ** a.k * a.tp,
         "BS_II, equation (2)": lambda a: a.p * a.tp,
         "BS_III, equation (3)": lambda a: a.p ** a.k * ((1 - a.pf) * a.tp + a.pf * a.tau),
         "Tree, equation (4)": lambda a: a.p * a.tau}
ONE, TWO, THREE, TREE = WAITS
TOP = pre_load.LOADS[-1]
SIZES, TIMES = range(4, 21), range(0, 1001, 50)
CHANNELS = 2  # of a link of pre-load
MACHINES = {"bsr-1": (ONE, 5), "bsr-2": (TWO, 5), "bsr-3": (THREE, 6)}


def latency(scheme: str, levels: int, tau: float) -> float:
    hops = 2.0 * (levels - 1)
    return TS + hops * TB + hops * (TB + WAITS[scheme](Link(tau)))


def measure(study):
    a = Link(0)
    data = Data(f"Preempting barriers, Figure 11: Ts = {TS}, Tb = {TB}, Tp = {a.tp}, p = {a.p}, "
                f"pf = {a.pf}, k = {a.k}")
    for title, label, xs, at in (
            ("irregular, tau = 100", "L (levels of the tree)", SIZES, lambda x: (x, 100)),
            ("irregular, L = 9", "tau (cycles)", TIMES, lambda x: (9, x)),
            ("n x n mesh, tau = 100", "n (L = n - 1)", [x + 1 for x in SIZES],
             lambda x: (x - 1, 100)),
            ("20 x 20 mesh, L = 19", "tau (cycles)", TIMES, lambda x: (19, x))):
        data.add(title, label, "latency (cycles)", [
            Series.over(scheme, xs, [latency(scheme, *at(x)) for x in xs]) for scheme in WAITS],
            log10_y=True)
    last = max(tau for tau in TIMES if latency(THREE, 9, tau) <= latency(TWO, 9, tau))
    data.notes = [f"BS_III is below BS_II up to tau = {last} at least, no longer at {last + 50}."]
    return data


def by_equation(scheme: str, sample: dict) -> float:
    (equation, tb), m = MACHINES[scheme], sample["model"]
    a = Link(m["blocked_cycles"] or 0, m["preemption_cycles"] or 0, m["occupied"],
             m["blocked"] or 0, CHANNELS)
    return sample["theorem_2"] / tb * (2 * tb + WAITS[equation](a))


def model(key: str):
    return lambda sample: sample["model"][key]


def measure_model(study):
    data = Data("Preempting barriers, equations (1) to (3) with what runs have measured")
    for system in pre_load.SYSTEMS:
        runs = dict(zip(MACHINES, _pre.grid(study, system, [
            pre_load.cases({"scheme": scheme}, pre_load.MEMBERS) for scheme in MACHINES],
            pre_load.NETWORKS)))

        def add(what, unit, curves, first=0, **axes):
            """Curves (name, scheme, value) from a load on, the first of which is 0."""
            data.add(f"{_pre.name(system)}: {what}", "data load, share of the busiest channel",
                     unit, [_pre.curve(name, pre_load.LOADS[first:], runs[scheme][first:], value)
                            for name, scheme, value in curves], **axes)

        add("latency", "latency (cycles)", [
            *((scheme, scheme, _pre.later) for scheme in MACHINES),
            *((name, scheme, functools.partial(by_equation, scheme))
              for scheme, (name, _) in MACHINES.items())], log10_y=True)
        add("equation over measured latency", "ratio", [
            (f"{scheme}, ratio", scheme,
             lambda one, scheme=scheme: by_equation(scheme, one) / _pre.later(one))
            for scheme in MACHINES])
        add("links of switch I", "share", [
            ("p", "bsr-1", model("occupied")),
            ("p^k", "bsr-1", lambda one: one["model"]["occupied"] ** CHANNELS),
            ("padding requests a message", "bsr-1", model("cut")),
            ("p_f", "bsr-1", model("blocked"))], first=1)
        add("preemption and congestion", "time (cycles)", [
            *((f"Tp, {scheme}", scheme, model("preemption_cycles")) for scheme in MACHINES),
            ("tau, bsr-3", "bsr-3", model("blocked_cycles"))], first=1, log10_y=True)
    return data


def near(*schemes):
    """The ratios of both networks are at most a third from 1."""
    def rows(data):
        curves = [sorted(data.curve(panel, f"{scheme}, ratio").points, key=lambda p: p.y)
                  for panel in "bf" for scheme in schemes]
        return [one for least, *_, most in curves
                for one in (claims.below(most, 4 / 3), claims.below(3 / 4, least))]
    return rows


FIGURES = [Figure("pre-11", "preempt", measure, "barrier latency by equations (1) to (4)", [
    Printed("pre-11", "Figure 11", "equations (1) to (4): switches I and II flat over the "
            "congestion, III and the tree not, the tree slowest from tau = 50 on",
            all_of(of_each(claims.flat, "b", (ONE, TWO), within=0),
                   of_curves(claims.rises, "b", THREE), of_curves(claims.rises, "b", TREE, by=3),
                   *(of_curves(claims.below, "b", ours, TREE, start=50)
                     for ours in (ONE, TWO, THREE))), "curves",
            why="The equations are evaluated as printed. The paper's curves are not available, so "
            "the comparison is with the statements of its text.")]),
    Figure("pre-model", "preempt", measure_model, "equations (1) to (3) beside the switches", [
        Printed("pre-model1", "Section 4.1", "equations (1) and (2) with measured p and T_p: "
                "within a third of the measured latency, at all loads", near("bsr-1", "bsr-2")),
        Printed("pre-model2", "Section 4.1", "the same of equation (3), with measured p_f and tau",
                near("bsr-3"), verdict="differs", why="The equation adds mean waits along one way, "
                "as if links were alike and independent; a barrier ends with its slowest message. "
                "On the mesh, whose links are alike, the two are close where data congest it."),
        Printed("pre-tp", "Section 4.2", "T_p, 6 to 10 cycles: 2 of a link, 2 of two crossbars, 2 "
                "of a barrier unit (ours: from the padding request to the message's first flit on "
                "the same wires, switch I)", At("d", "Tp, bsr-1", TOP), 6, "cycles",
                verdict="differs", why="The first flit follows its request in the next cycle: it "
                "need not wait until the neighbour has executed the request, which takes 2 cycles, "
                "1 of the link and 1 of the barrier unit. Both crossbars are gates."),
        Printed("pre-tp0", "Section 4.2", "switch II", At("d", "Tp, bsr-2", TOP), of="pre-tp"),
        Printed("pre-tp1", "Section 4.2", "switch III, which waits for three credits",
                At("d", "Tp, bsr-3", TOP), of="pre-tp"),
        Printed("pre-tp2", "Section 4.1", "T_b is at least T_p, switches I and II",
                lambda data: [p.y <= MACHINES[scheme][1] for panel in "dh"
                              for scheme in ("bsr-1", "bsr-2")
                              for p in data.curve(panel, f"Tp, {scheme}").points])])]
