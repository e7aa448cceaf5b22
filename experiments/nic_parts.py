# SPDX-License-Identifier: Apache-2.0
"""Ours: NIC barriers if a part of them took another time, or none: possible causes of differences
from printed values, and what rests on values that are not printed (nic-6a, nic-8d, nic-8e,
nic-9q1)."""

from . import _nic
from .kit import Data, Figure, Series, Study

BUS_OF_LANAI9 = 261  # cycles of a crossing, in its profile
UNCLOCKED, DEFINED = "0.68 us of a step do not follow the clock", "T_init is that of two nodes"
# Of the two passes of a step, 384 cycles of 225 MHz each, so much follows the clock of 133 MHz.
PASS_OF_LANAI9 = round((384 / 225 - 0.68 / 2) * 225 + 0.68 / 2 * 133)
BUS_OF_TWO = 52 + 50  # cycles of 10 ns: two crossings take 1 us more, 2.25 less 1.25
BUS, PASSES = {"bus_cycles": 0}, {"pass_cycles": 0}
OFF_POWERS = (3, 5, 6, 7)  # members with which the two algorithms have other steps


def measure(study: Study) -> Data:
    data = Data("NIC barriers, part by part")

    def panel(title: str, series: list[Series]) -> None:
        data.add(title, "members", "latency (us)", series)

    def pairwise_less(name: str, parts: dict) -> Series:
        return _nic.less(name, *_nic.curves(study, {
            way: _nic.case("elan3", way) | parts for way in ("NIC-PE", "NIC-DS")}, OFF_POWERS, 20))

    old, elan, broadcast = (_nic.case(*case) for case in (
        ("lanai9", "NIC-DS"), ("elan3", "NIC-DS"), ("elan3", "broadcast")))
    panel("LANai 9.1, dissemination", _nic.curves(study, {
        "a crossing takes its time on lanai-xp": old,
        "a crossing takes its cycles of a bus half as fast": old | {
            "bus_cycles": 2 * BUS_OF_LANAI9},
        UNCLOCKED: old | {"pass_cycles": PASS_OF_LANAI9}}, range(2, 17), 20))
    panel("Elan3, hardware broadcast", _nic.curves(study, {
        "all parts": broadcast, "no bus": broadcast | BUS, "no passes": broadcast | PASSES,
        "no bus, no passes: the switches": broadcast | BUS | PASSES}, range(2, 9), 20))
    panel("Elan3, pairwise exchange less dissemination", [
        pairwise_less("all parts", {}), pairwise_less("no passes", PASSES)])
    panel("Elan3, dissemination, two readings of T_init", _nic.curves(study, {
        "T_init and T_adj are": elan, DEFINED: elan | {"bus_cycles": BUS_OF_TWO}},
        range(2, 9), 20))
    return data


FIGURES = [Figure("nic-parts", "nic", measure,
                  "NIC barriers with another bus or without passes, over the members")]
