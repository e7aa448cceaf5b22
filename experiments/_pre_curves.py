# SPDX-License-Identifier: Apache-2.0
"""Curves and rows of Figures 12 to 15 of the preempting paper."""

import functools
import itertools

from . import _pre, claims
from .kit import At, Data, Printed, of, of_curves, of_each

TIMINGS = {"ts-100": "Ts = 100", "ts-1000": "Ts = 1000", "ts-100-tb-16": "Ts = 100, Tb = 16",
           "ts-1000-tb-16": "Ts = 1000, Tb = 16"}
FIRST, LATER, BOUND = "bsr-1, first round", "bsr-1, later rounds", "Theorem 2, and Ts"
DURATIONS, DURATION = (10, 100, 200, 400, 600, 800, 1000), 500  # cycles
STEPS = 5    # numbers of congested members, from one to all
SHARE = 5    # one member in so many, over the duration


def rounds(study, system, sizes, profile, baselines, data: Data, bound=True) -> None:
    """A panel: rounds over the size of the group, without congestion."""
    ours, *others = _pre.grid(study, system, [
        [{"members": size, "profile": profile, **options} for size in sizes]
        for options in (_pre.BSR_1, *baselines.values())])
    startup = int(profile.split("-")[1])
    series = [_pre.curve(FIRST, sizes, ours, _pre.first),
              _pre.curve(LATER, sizes, ours, _pre.later),
              *(_pre.curve(name, sizes, of, _pre.later) for name, of in zip(baselines, others))]
    if bound:
        series.append(_pre.curve(BOUND, sizes, ours, lambda one: one["theorem_2"] + startup))
    data.add(f"{_pre.name(system)}, {TIMINGS[profile]}", "members", "latency (cycles)", series,
             log10_y=True)


def congestion(study, system, sizes, schemes, data: Data) -> None:
    """Panels: later rounds over the duration of congestion of every fifth member, then over the
    number of members that are congested for 500 cycles. The links of these members' switches to
    other switches are held from the first arrival."""
    timings = (("ts-100", ""), ("ts-100-tb-16", ", Tb = 16"))
    for (profile, suffix), by_time, members in itertools.product(timings, (True, False), sizes):
        few = members // SHARE
        if by_time:
            title, label = f"{few} congested", "duration of congestion (cycles)"
            steps = {x: [few, x] for x in DURATIONS}
        else:
            title, label = f"congestion of {DURATION} cycles", "congested members"
            counts = (max(1, members * s // (STEPS - 1)) for s in range(STEPS))
            steps = {x: [x, DURATION] for x in counts}
        by_scheme = _pre.grid(study, system, [
            [{"members": members, "profile": profile, "held": held, **options}
             for held in steps.values()] for options in schemes.values()])
        data.add(f"{members} members, {title}{suffix}", label, "latency (cycles)", [
            _pre.curve(name, steps, points, _pre.later)
            for name, points in zip(schemes, by_scheme)], log10_y=True)


below = functools.partial(of_curves, claims.below)  # of panels, a curve and another one


def first_by_later(panel, size):
    return of(claims.ratio, At(panel, FIRST, size), At(panel, LATER, size))


def congested(figure, members, panels, baseline, why=None):
    """Rows on congestion: `panels` over the duration, both timings, and over the members."""
    own, long, number = panels

    def flat(names, where, within):
        return of_each(claims.flat, where, names, within=within)

    def row(letter, text, ours, **more):
        return Printed(f"{figure}{letter}{members}", f"Figure {figure[4:]}",
                       f"{members} members: {text}", ours, **more)

    return [row("a", "ours (switches I and II) is flat over the duration of congestion",
                flat(("bsr-1", "bsr-2"), (own, long), 0.05)),
            row("b", "the baseline rises with the duration of congestion",
                of_curves(claims.rises, (own, long), baseline, by=1.2),
                verdict="differs" if why else None, why=why),
            row("c", "the number of congested members matters little",
                flat(("bsr-1", "bsr-2", baseline), (number,), 0.15))]


def overheads(panels):
    """First by later rounds, less 1: at the fewest members less than half of that at the most."""
    def overhead(panel):
        first, later = (panel.curve(name).points for name in (FIRST, LATER))
        return claims.below(claims.difference(claims.ratio(first[0], later[0]), 1),
                            claims.difference(claims.ratio(first[-1], later[-1]), 1), by=0.5)
    return lambda data: [overhead(data.panel(panel)) for panel in panels]


def startups(pairs):
    """Later rounds with Ts = 1000 take more than with 100, less than twice the difference more."""
    def claim(low, high):
        return [claims.below(low, high),
                *(claims.below(high.at(p.x).y, p.y + 2 * 900) for p in low.points)]
    return lambda data: [one for pair in pairs for one in claim(
        *(data.curve(panel, LATER) for panel in pair))]
