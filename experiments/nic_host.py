# SPDX-License-Identifier: Apache-2.0
"""Ours: how much faster NICs are than hosts that walk the barrier, as a function of two numbers
that no printed value of a NIC-based barrier bounds: the time of the host's program for a step
(`--host-step`), and the queues that a DATA passes where a STEP passes two (`--data-passes`). Remote
writes send no DATA.

Panel e has the program's time at which the printed factor is met, by straight lines between the
points of the other panels; it has no point where the factor is greater from the beginning, or not
reached. With 6 queues, programs that take no time already exceed the printed factor of the newer
machine; with 4 all three of Myrinet are met, without a slower bus. Panel f has 4 and one time of
the program on each machine, profiles `lanai-xp-fit` and `lanai9-fit`. The printed factor of panel c
is of another card, LANai 7.2. Three free numbers for three printed ones: a fit, and no
prediction."""

import muster

from . import _nic
from .kit import Data, Figure, Point, Series, Study

PASSES, STEPS_US = (6, 5, 4), range(0, 11, 2)
FACTORS = (  # title, profile, members, the ways of the factor, printed
    ("LANai-XP, 8 members: host over NIC", "lanai-xp", 8, "host-DS", "NIC-DS", 2.64),
    ("LANai 9.1, 16 members: host over NIC", "lanai9", 16, "host-DS", "NIC-DS", 3.38),
    ("LANai 9.1, 16 members: host over direct", "lanai9", 16, "host-DS", "direct-DS", 1.86),
    ("Elan3, 8 members: rdma-GB over NIC", "elan3", 8, "rdma-GB", "NIC-DS", 2.48))
PRINTED = {factor[0]: factor[-1] for factor in FACTORS}
XP, OVER_NIC, OVER_DIRECT, LIBRARY = PRINTED
FOUR = ("Four queues that a DATA passes, and a program that takes 1.85 us a step on a host of 2.4 "
        "GHz and 7.85 us on one of 700 MHz: two numbers, fitted to this value and the others that "
        "have them (`--profile lanai-xp-fit` and `lanai9-fit`).")


def reached(points: list[Point], value: float) -> float | None:
    if points[0].y > value:
        return None
    for a, b in zip(points, points[1:]):
        if value <= b.y and a.y < b.y:
            return a.x + (b.x - a.x) * (value - a.y) / (b.y - a.y)
    return None


def curve(study: Study, factor: tuple, passes: int | None) -> list[Point]:
    _, profile, members, over, under, _ = factor
    clock = study.run(clock_ns, [profile])[0]
    base, slow = (_nic.case(profile, way) | {"members": members}
                  | ({"data_passes": passes} if way in ("host-DS", "direct-DS") else {})
                  for way in (under, over))
    (base, *found), = _nic.grid(study, [[
        base, *(slow | {"host_step": int(us * 1000 / clock)} for us in STEPS_US)]], 10)
    return [Point(us, one["us"] / base["us"]) for us, one in zip(STEPS_US, found)]


def clock_ns(profile: str) -> float:
    run = muster.run(_nic.network(profile, 2, "golden"), range(2), barriers=1, profile=profile)
    return run.parameters["profile"]["clock_ns"]


def measure(study: Study) -> Data:
    step = "program's time for a step (us)"
    data, met = Data("Barriers walked by hosts over those of NICs"), []
    for factor in FACTORS:
        title, printed = factor[0], factor[-1]
        panel = data.add(title, step, "factor", [])
        times = Series(f"{title}: {printed:g}", [])
        for passes in PASSES if factor[3] == "host-DS" else (None,):
            points = curve(study, factor, passes)
            panel.series.append(Series(f"{passes}:2 passes" if passes else "remote writes", points))
            times.points.insert(0, Point(passes or 0, reached(points, printed)))
        panel.series.append(Series("printed", [Point(0, printed), Point(STEPS_US[-1], printed)]))
        met.append(times)
    data.add("where the printed factor is met", "queues that a DATA passes", step, met)
    fitted = _nic.grid(study, [
        [_nic.case(f"{profile}-fit", way) | {"members": members} for way in ways]
        for _, profile, members, *ways, _ in FACTORS[:3]], 10)
    data.add("four passes, the program's time fitted", "members", "factor", [
        Series(title, [Point(members, over["us"] / under["us"])])
        for (title, _, members, *_), (over, under) in zip(FACTORS, fitted)])
    return data


FIGURES = [Figure("nic-host", "nic", measure,
                  "factors of host-based barriers over the program's time for a step")]
