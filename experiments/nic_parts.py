# SPDX-License-Identifier: Apache-2.0
"""Ours: NIC barriers if a part of them took another time, or none: possible causes of differences
from printed values, and what rests on values that are not printed (nic-6a, nic-8d, nic-8e,
nic-9q1)."""

from . import _nic
from .kit import Data, Figure, Panel, Point, Series, Study

BUS_OF_LANAI9 = 261  # cycles of a crossing, in its profile
UNCLOCKED, DEFINED = "0.68 us of a step do not follow the clock", "T_init is that of two nodes"
# Of the two passes of a step, 384 cycles of 225 MHz each, so much follows the clock of 133 MHz.
PASS_OF_LANAI9 = round((384 / 225 - 0.68 / 2) * 225 + 0.68 / 2 * 133)
BUS_OF_TWO = 52 + 50  # cycles of 10 ns: two crossings take 1 us more, 2.25 less 1.25
OLD = {"profile": "lanai9", "scheme": "nic-dissemination", "nic": "collective"}
BUS, PASSES = {"bus_cycles": 0}, {"pass_cycles": 0}
OFF_POWERS = (3, 5, 6, 7)  # members with which the two algorithms have other steps


def measure(study: Study) -> Data:
    data = Data("NIC barriers, part by part", [], {"profiles": "lanai9; elan3; elan3"})

    def panel(name: str, title: str, series: list[Series]) -> None:
        data.panels.append(Panel(name, title, "members", "latency (us)", series))

    def curve(name: str, sizes: range | tuple, case: dict) -> Series:
        found = _nic.points(study, [case | {"members": n} for n in sizes], 20, data)
        return Series(name, [Point(n, one["us"]) for n, one in zip(sizes, found)])

    def pairwise_less(name: str, parts: dict) -> Series:
        pairwise, other = (curve("", OFF_POWERS, {"profile": "elan3", "scheme": scheme,
                                                  "nic": "collective"} | parts)
                           for scheme in ("nic-pairwise", "nic-dissemination"))
        return Series(name, [Point(a.x, a.y - b.y) for a, b in zip(pairwise.points, other.points)])

    panel("a", "LANai 9.1, dissemination", [
        curve("a crossing takes its time on lanai-xp", range(2, 17), OLD),
        curve("a crossing takes its cycles of a bus half as fast", range(2, 17),
              OLD | {"bus_cycles": 2 * BUS_OF_LANAI9}),
        curve(UNCLOCKED, range(2, 17), OLD | {"pass_cycles": PASS_OF_LANAI9})])
    panel("b", "Elan3, hardware broadcast", [
        curve(name, range(2, 9), {"profile": "elan3", "scheme": "nic-broadcast"} | parts)
        for name, parts in (("all parts", {}), ("no bus", BUS), ("no passes", PASSES),
                            ("no bus, no passes: the switches", BUS | PASSES))])
    panel("c", "Elan3, pairwise exchange less dissemination", [
        pairwise_less("all parts", {}), pairwise_less("no passes", PASSES)])
    elan = {"profile": "elan3", "scheme": "nic-dissemination", "nic": "collective"}
    panel("d", "Elan3, dissemination, two readings of T_init", [
        curve("T_init and T_adj are", range(2, 9), elan),
        curve(DEFINED, range(2, 9), elan | {"bus_cycles": BUS_OF_TWO})])
    return data


FIGURE = Figure("nic-parts", "nic", measure,
                "NIC barriers with another bus or without passes, over the members")
