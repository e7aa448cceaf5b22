# SPDX-License-Identifier: Apache-2.0
"""Section 4.3, Figure 8: delays over gamma, bypass and isolated hot spot, where hot background
shares the reserved boxes and the secondary tree is gone."""

from . import claims
from ._esc import curve, rate_sweep
from .kit import At, Figure, Printed


def measure(study):
    return rate_sweep(study, "ESC Figure 8: N = 256, n = 4, S = 12, sigma = 10",
                      ("bypass", "isolated-hs"))[0]


def against_bypass(data):
    return [claims.below(curve(data, "a", "bypass"), curve(data, "a", "isolated-hs")),
            claims.below(curve(data, "c", "isolated-hs"), curve(data, "c", "bypass"))]


def against_isolated_background(results):
    spot = {panel: curve(results["esc-8"], panel, "isolated-hs") for panel in "abc"}
    background = {panel: curve(results["esc-5"], panel, "isolated-bg") for panel in "abc"}
    return [claims.below(spot["a"], background["a"], start=0.2),
            claims.below(background["c"], spot["c"]),
            claims.below(spot["b"], background["b"], start=0.5)]


def hot_and_syn(data):
    return [claims.below(curve(data, "a", policy), curve(data, "c", policy), start=start)
            for policy, start in (("bypass", 0.3), ("isolated-hs", 0.5))]


FIGURE = Figure("esc-8", "esc", measure, "delays over gamma, bypass and isolated hot spot", [
    Printed("esc-8a", "Figure 8, section 4.3",
            "N = 256, n = 4, S = 12, sigma 10, gamma 0.5, bypass: mu_SYN", 116,
            At("a", "bypass", 0.5), unit="cycles", mark="bypass", of="esc-5a"),
    Printed("esc-8b", "Figure 8, section 4.3", "the same: mu_BG(HS)", 151, At("c", "bypass", 0.5),
            unit="cycles", mark="bypass", of="esc-5b"),
    Printed("esc-8c", "Figure 8, section 4.3",
            "isolated HS: mu_SYN more and mu_BG(HS) less than with bypass", "sentence",
            against_bypass),
    Printed("esc-8d", "Figure 8, section 4.3", "isolated HS against isolated BG: mu_SYN less, "
            "mu_BG(HS) more, mu_BG(Tot) less at high rates", "sentence",
            against_isolated_background, figures=("esc-5",)),
    Printed("esc-8e", "Figure 8, section 4.3", "as gamma increases mu_BG(HS) > mu_SYN with bypass "
            "and isolated HS (ours from 0.3 and 0.5)", "sentence", hot_and_syn)])
