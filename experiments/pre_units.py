# SPDX-License-Identifier: Apache-2.0
"""A study of our own for section 4.2: does [4] saturate past 720 of 1200 members, as printed, if
its barrier units stand in the switches and their buffers are short? Ts = 100, 4 barriers, all
members at once and far apart, or each as soon as it is released (back to back). Units that take
messages at any time (absorb) do not, with any buffer. Those that take none while one waits to be
sent (wait) sometimes deadlock: with the shortest buffers, barriers back to back, and most nodes in
the group. A point is missing where a network deadlocks, which is found after 40000 cycles.

pre-hold has units that take messages in the order of combining (hold), far apart: messages out of
this order stay in the input buffer."""

from . import _pre
from .kit import Data, Figure, Series, mean95

MEMBERS = (60, 240, 480, 600, 720, 840, 960, 1080, 1200)
BUFFERS, ROOM = (1, 2, 4), (1, 2, 3, 4)  # messages
KINDS = ({"apart": True}, {"apart": False}, {"apart": False, "unit": "wait"},
         {"apart": True, "unit": "wait"})


def units(study, room, **options):
    """By messages of room, members and network."""
    return _pre.grid(study, _pre.irregular(1200), [
        [{"members": members, "profile": "ts-100", "scheme": "tree-units", "unit_buffer": n}
         | options for members in MEMBERS] for n in room])


def later(x, of):
    return _pre.mean(x, of, _pre.later)


def stopped(x, of):
    return mean95([float(sample["stands_still"]) for sample in of], x=x)


def measure(study):
    data = Data("Baseline [4] with barrier units in the switches, N = 1200, Ts = 100")
    kinds = [units(study, BUFFERS, **kind) for kind in KINDS]
    for title, label, kind, value in (
            ("absorb, far apart: later rounds", "latency (cycles)", 0, later),
            ("absorb, back to back: later rounds", "latency (cycles)", 1, later),
            ("wait, back to back: later rounds", "latency (cycles)", 2, later),
            ("wait, back to back: networks that deadlock", "share", 2, stopped)):
        data.add(title, "members", label, [
            Series(f"units [4], {n} message{'s' * (n > 1)}", list(map(value, MEMBERS, of)))
            for n, of in zip(BUFFERS, kinds[kind])])
    stuck = sum(sample["stands_still"] for by_size in kinds[3] for of in by_size for sample in of)
    data.notes.append(f"wait, far apart: {stuck} networks deadlock.")
    return data


def measure_hold(study):
    data = Data("Baseline [4], units that combine in order, N = 1200, Ts = 100")
    by_room = units(study, ROOM, unit="hold")
    for title, label, value in (("later rounds", "latency (cycles)", later),
                                ("networks that deadlock", "share", stopped)):
        data.add(title, "members", label, [
            Series(f"room for {n}", list(map(value, MEMBERS, of))) for n, of in zip(ROOM, by_room)])
    return data


def collapses(found):
    """With each room: not up to 720 members, and past them."""
    return [held for share in found["pre-hold"].panel("b").series for held in (
        all(p.y == 0 for p in share.points if p.x <= 720),
        any(p.y > 0 for p in share.points if p.x > 720))]


FIGURES = [
    Figure("pre-units", "preempt", measure, "barrier units in switches with short buffers"),
    Figure("pre-hold", "preempt", measure_hold, "barrier units that combine in order")]
