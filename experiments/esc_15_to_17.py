# SPDX-License-Identifier: Apache-2.0
"""Section 4.5, Figures 15 to 17: averages over the size S of the output buffers for several sigma,
bypass and hot section with K = 4; (a) gamma 0.4, (b) gamma 0.6. The text names S = 8 and 20; we
added 4. Figure 15 shows mu_SYN, 16 mu_BG(Tot), 17 mu_BG(HS)."""

from . import claims
from ._esc import AVERAGES, Points, compared
from .kit import At, Data, Figure, Printed, all_of, of, of_each

SIZES, SIGMAS = (4, 8, 12, 16, 20), (10, 30, 50)
BYPASS, SECTION = compared("sigma", SIGMAS)
BLOCKED = ("The text names S = 8 and 20; we added 4. At gamma 0.6 buffers of 4 block the network, "
           "because a full buffer accepts no packet in the cycle in which it sends.")


def measure(study, number, average):
    data = Data(f"ESC Figure {number}, {average}: N = 256, n = 4, K = 4")
    for rate in (0.4, 0.6):
        points = Points(study, {
            name: {"policy": name.partition(",")[0], "rate": rate, "sigma": sigma}
            for names in (BYPASS, SECTION) for name, sigma in zip(names, SIGMAS)}, "buffer", SIZES)
        points.add(data, f"{average}, gamma = {rate}", AVERAGES[average],
                   "S (packets in an output buffer)")
    return data


def changes(claim):
    """With hot section the average falls or rises from S = 8 on; with bypass it is flat."""
    return all_of(of_each(claim, "ab", SECTION, start=8),
                  of_each(claims.flat, "ab", BYPASS, within=0.15, start=8))


def figure(number, average, about, rows):
    return Figure(f"esc-{number}", "esc", lambda study: measure(study, number, average),
                  f"{average} over the buffer size, {about}", rows)


FIGURES = [
    figure(15, "mu_SYN", "bypass and hot section", [
        Printed("esc-15", "Figure 15", "mu_SYN over S from 8 on: falls with hot section, stable "
                "with bypass", changes(claims.falls), why=BLOCKED)]),
    figure(16, "mu_BG(Tot)", "bypass and hot section", [
        Printed("esc-16a", "Figure 16",
                "mu_BG(Tot): hot section with S = 8 is better than bypass with S = 20",
                all_of(*(of(claims.below, At(panel, section, 8), At(panel, bypass, 20))
                         for panel in "ab" for section, bypass in zip(SECTION, BYPASS)))),
        Printed("esc-16b", "Figure 16", "mu_BG(Tot) with hot section: little change from S = 12 on",
                of_each(claims.settles, "ab", SECTION, start=12)),
        Printed("esc-16c", "Figure 16", "mu_BG(Tot) with bypass falls with S",
                of_each(claims.falls, "ab", BYPASS, by=1.2))]),
    figure(17, "mu_BG(HS)", "both policies", [
        Printed("esc-17", "Figure 17", "mu_BG(HS) over S from 8 on: rises with hot section, stable "
                "with bypass", changes(claims.rises), why=BLOCKED),
        Printed("esc-17b", "Section 4.5", "for all S hot section and bypass compare as in Figure "
                "14: mu_SYN more, mu_BG(Tot) and mu_BG(HS) less with hot section (ours from 8 on)",
                all_of(*(of(claims.below, At(panel, less, figure=figure),
                            At(panel, more, figure=figure), start=8)
                         for figure, lower, upper in (("esc-15", BYPASS, SECTION),
                                                      ("esc-16", SECTION, BYPASS),
                                                      ("esc-17", SECTION, BYPASS))
                         for panel in "ab" for less, more in zip(lower, upper))),
                figures=("esc-15", "esc-16"))])]
