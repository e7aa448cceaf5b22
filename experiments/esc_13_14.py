# SPDX-License-Identifier: Apache-2.0
"""Section 4.4, Figure 13: delays over the number K of sections, hot section; K = 1 is isolated hot
spot. Section 4.5, Figure 14: delays over sigma, bypass and hot section with K = 4."""

from . import claims
from ._esc import Points, compared
from .kit import LOCKSTEP, At, Figure, Printed, all_of, of, of_curves, of_each

SECTIONS = (1, 2, 4, 8, 16)
SIGMAS, RATES = (10, 20, 30, 40, 50, 75, 100), (0.4, 0.6)
BYPASS, SECTION = compared("gamma", RATES)

FIGURES = [
    Figure("esc-13", "esc", lambda study: Points(
        study, {f"gamma = {rate}": {"rate": rate} for rate in (0.7, 0.8)}, "policy", SECTIONS,
        word="hot-section:{}".format).averages(
            "ESC Figure 13, hot section: N = 256, n = 4, S = 12, sigma = 10", "K (sections)",
            log_x=2), "delays over the number of sections, gamma 0.7 and 0.8", [
        *(Printed(f"esc-13{letter}", "Figure 13", f"hot section, gamma {rate}: K with least "
                  "mu_BG(Tot)", of(claims.least, At("b", f"gamma = {rate}")), 4, engine=engine)
          for letter, rate, engine in (("a", 0.7, LOCKSTEP), ("b", 0.8, "golden"))),
        Printed("esc-13c", "Figure 13", "mu_SYN does not change much with K",
                lambda data: [claims.flat(one, 0.2) for one in data.panel("a").series]),
        Printed("esc-13d", "Figure 13", "mu_BG(Tot) falls with K up to 4, and rises from there",
                lambda data: [
                    claims.below(*sorted(pair, key=lambda p: max(p.x / 4, 4 / p.x)))
                    for one in data.panel("b").series for pair in zip(one.points, one.points[1:])]),
        Printed("esc-13e", "Section 4.4", "K = 1 is identical to isolated HS",
                lambda found: [one.at(1).y == found["esc-8"].curve(panel.name, "isolated-hs").at(
                    rate).y for panel in found["esc-13"].panels
                    for one, rate in zip(panel.series, (0.7, 0.8))], figures=("esc-8",))]),
    Figure("esc-14", "esc", lambda study: Points(
        study, {name: {"policy": name.partition(",")[0], "rate": rate}
                for rate, *names in zip(RATES, BYPASS, SECTION) for name in names}, "sigma",
        SIGMAS).averages("ESC Figure 14: N = 256, n = 4, S = 12, K = 4", "sigma (cycles)"),
           "delays over sigma, bypass and hot section", [
        Printed("esc-14a", "Figure 14",
                "mu_SYN and mu_BG(HS) fall with sigma, with bypass and hot section",
                of_each(claims.falls, "ac", BYPASS + SECTION, by=1.5)),
        Printed("esc-14b", "Figure 14", "mu_BG(Tot) falls with sigma with bypass; with hot section "
                "it is much smaller (ours: than half), and not affected significantly (ours: it "
                "changes by less than a fifth of what bypass does)",
                all_of(of_each(claims.falls, "b", BYPASS, by=1.5), *(
                    claim for pair in zip(SECTION, BYPASS)
                    for claim in (of_curves(claims.below, "b", *pair, by=0.5),
                                  of_curves(claims.steady, "b", *pair)))),
                why="All claims hold but one: at gamma 0.4 and sigma 100 the interval of hot "
                "section reaches half of bypass. With this wide spread little of the hot spot "
                "remains."),
        Printed("esc-14c", "Figure 14",
                "as in Figure 8: mu_SYN more and mu_BG(HS) less with hot section than with bypass",
                all_of(*(of_curves(claims.below, "a", *pair) for pair in zip(BYPASS, SECTION)),
                       *(of_curves(claims.below, "c", *pair) for pair in zip(SECTION, BYPASS))))])]
