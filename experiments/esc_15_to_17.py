# SPDX-License-Identifier: Apache-2.0
"""Section 4.5, Figures 15 to 17: averages over the size S of the output buffers for several sigma,
bypass and hot section with K = 4; (a) gamma 0.4, (b) gamma 0.6. The text names S = 8 and 20; we
added 4. Figure 15 shows mu_SYN, 16 mu_BG(Tot), 17 mu_BG(HS)."""

from . import claims
from ._esc import AVERAGES, Points
from .kit import At, Data, Figure, Printed, all_of, of, of_each

SIZES, SIGMAS = (4, 8, 12, 16, 20), (10, 30, 50)
BYPASS, SECTION = ([f"{policy}, sigma = {sigma}" for sigma in SIGMAS]
                   for policy in ("bypass", "hot-section:4"))
BLOCKED = ("The text names S = 8 and 20; we added 4. At gamma 0.6 buffers of 4 block the network, "
           "because a full buffer accepts no packet in the cycle in which it sends.")


def measure(study, number, average):
    data = Data(f"ESC Figure {number}, {average}: N = 256, n = 4, K = 4")
    for rate in (0.4, 0.6):
        points = Points(study, {
            f"{policy}, sigma = {sigma}": {"policy": policy, "rate": rate, "sigma": sigma}
            for policy in ("bypass", "hot-section:4") for sigma in SIGMAS}, "buffer", SIZES)
        points.add(data, f"{average}, gamma = {rate}", AVERAGES[average],
                   "S (packets in an output buffer)")
    return data


def measure_all(study):
    """Figure 16, whose text compares sizes."""
    data = measure(study, 16, "mu_BG(Tot)")
    for panel in data.panels:
        section = panel.curve("hot-section:4, sigma = 10")
        late = [section.at(size).y for size in (12, 16, 20)]
        data.notes += [
            f"{panel.title}, sigma = 10: printed, hot section with S = 8 beats bypass with S = 20; "
            f"measured {section.at(8).y:.1f} against "
            f"{panel.curve('bypass, sigma = 10').at(20).y:.1f}.",
            f"{panel.title}, sigma = 10: printed, hot section changes little from S = 12 on; "
            f"measured {', '.join(f'{y:.1f}' for y in late)} at S = 12, 16, 20."]
    return data


def changes(claim):
    """With hot section the average falls or rises from S = 8 on; with bypass it is flat."""
    return all_of(of_each(claim, "ab", SECTION, start=8),
                  of_each(claims.flat, "ab", BYPASS, within=0.15, start=8))


FIGURES = [
    Figure("esc-15", "esc", lambda study: measure(study, 15, "mu_SYN"),
           "mu_SYN over the buffer size, bypass and hot section", [
               Printed("esc-15", "Figure 15",
                       "mu_SYN over S from 8 on: falls with hot section, stable with bypass",
                       changes(claims.falls), why=BLOCKED)]),
    Figure("esc-16", "esc", measure_all,
           "mu_BG(Tot) over the buffer size, bypass and hot section", [
               Printed("esc-16a", "Figure 16",
                       "mu_BG(Tot): hot section with S = 8 is better than bypass with S = 20",
                       all_of(*(of(claims.below, At(panel, section, 8), At(panel, bypass, 20))
                                for panel in "ab" for section, bypass in zip(SECTION, BYPASS)))),
               Printed("esc-16b", "Figure 16",
                       "mu_BG(Tot) with hot section: little change from S = 12 on",
                       of_each(claims.settles, "ab", SECTION, start=12)),
               Printed("esc-16c", "Figure 16", "mu_BG(Tot) with bypass falls with S",
                       of_each(claims.falls, "ab", BYPASS, by=1.2))]),
    Figure("esc-17", "esc", lambda study: measure(study, 17, "mu_BG(HS)"),
           "mu_BG(HS) over the buffer size, both policies", [
               Printed("esc-17", "Figure 17",
                       "mu_BG(HS) over S from 8 on: rises with hot section, stable with bypass",
                       changes(claims.rises), why=BLOCKED),
               Printed("esc-17b", "Section 4.5", "for all S hot section and bypass compare as in "
                       "Figure 14: mu_SYN more, mu_BG(Tot) and mu_BG(HS) less with hot section "
                       "(ours from 8 on)", all_of(*(
                           of(claims.below, At(panel, less, figure=figure),
                              At(panel, more, figure=figure), start=8)
                           for figure, lower, upper in (("esc-15", BYPASS, SECTION),
                                                        ("esc-16", SECTION, BYPASS),
                                                        ("esc-17", SECTION, BYPASS))
                           for panel in "ab" for less, more in zip(lower, upper))),
                       figures=("esc-15", "esc-16"))])]
