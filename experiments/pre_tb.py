# SPDX-License-Identifier: Apache-2.0
"""A study of our own for section 4.2: the first round and later ones over what the paper and this
project choose apart, T_b and the pace of first messages on a link, which the gap and the length of
a message make. bsr-1, Ts = 100, all nodes are members, 4 barriers far apart, no data.

A message of f flits has its link for f + gap + 1 cycles, but at least f + 3 (f + 5 with a pipe),
because the barrier buffer limits the link: gaps of 0, 1 and 2 give the same at T_b = 5."""

from . import _pre
from .kit import Data, Figure, Series

HOPS = (5, 8, 12, 16, 24, 32)  # T_b, cycles; 5 are the RTL's own
GAPS = (0, 1, 2, 4, 8)         # cycles
FLITS = 3                      # of a first message, which has its link for these, the gap and 1
VALUES = (("first by later rounds", "ratio", lambda s: _pre.first(s) / _pre.later(s)),
          ("first round", "latency (cycles)", _pre.first),
          ("later rounds", "latency (cycles)", _pre.later))


def measure(study):
    data = Data("Preempting barriers: first and later rounds over T_b and the gap, Ts = 100")
    for system, members in ((_pre.irregular(300), 300), (_pre.mesh(20), 400)):
        by_gap = _pre.grid(study, system, [
            [{"members": members, "profile": "ts-100", "hop": hop, "gap": gap, **_pre.BSR_1}
             for hop in HOPS] for gap in GAPS], networks=1)
        for what, unit, value in VALUES:
            series = [_pre.curve(f"gap {gap}: {FLITS + gap + 1} cycles a message", HOPS, by_hop,
                                 value) for gap, by_hop in zip(GAPS, by_gap)]
            if all(one.points == series[0].points for one in series):
                series = [Series("any gap", series[0].points)]
            data.add(f"{_pre.name(system)}, {members} members, {what}", "Tb (cycles)", unit, series)
    return data


FIGURES = [Figure("pre-tb", "preempt", measure, "first and later rounds over T_b and the gap")]
