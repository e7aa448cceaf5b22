# SPDX-License-Identifier: Apache-2.0
"""Section 4.2, Figure 5: delays over gamma, bypass and isolated background; what it costs and gains
to keep background off the reserved boxes. Panel (d) has the lengths of the same sessions."""

from . import claims
from ._esc import RATE, curve, rate_sweep
from .kit import LOCKSTEP, At, Figure, Printed


def measure(study):
    data, points = rate_sweep(study, "ESC Figure 5: N = 256, n = 4, S = 12, sigma = 10",
                              ("bypass", "isolated-bg"))
    data.panels.append(points.panel("d", "active session", "active_session_cycles", RATE,
                                    "length (cycles)"))
    return data


RATE_PRINTED = 0.5


def isolation(data):
    return [claims.below(curve(data, "b", "isolated-bg"), curve(data, "b", "bypass"), by=0.7),
            claims.below(curve(data, "a", "bypass"), curve(data, "a", "isolated-bg"))]


def hot_and_syn(data):
    return [claims.below(curve(data, "a", "bypass"), curve(data, "c", "bypass"), start=0.3),
            claims.below(curve(data, "c", "isolated-bg"), curve(data, "a", "isolated-bg"))]


FIGURE = Figure("esc-5", "esc", measure, "delays over gamma, bypass and isolated background", [
    Printed("esc-5a", "Figure 5, section 4.3",
            "N = 256, n = 4, S = 12, sigma 10, gamma 0.5, bypass: mu_SYN", 116,
            At("a", "bypass", 0.5), unit="cycles", mark="bypass", engine=LOCKSTEP),
    Printed("esc-5b", "Figure 5, section 4.3", "the same: mu_BG(HS)", 151, At("c", "bypass", 0.5),
            unit="cycles", mark="bypass", engine=LOCKSTEP),
    Printed("esc-5f", "Section 4.3", "the same: mu_BG(HS) by mu_SYN, 30 % more", 1.3,
            lambda data: claims.ratio(data.value("c", "bypass", RATE_PRINTED),
                                      data.value("a", "bypass", RATE_PRINTED))),
    Printed("esc-5g", "Section 4.3", "the same: hot background messages of an active session, "
            "gamma times its length", 162.5,
            lambda data: claims.times(data.value("d", "bypass", RATE_PRINTED), RATE_PRINTED),
            derived=True),
    Printed("esc-5c", "Section 4.3", "the same: active session, about", 325,
            At("d", "bypass", 0.5), unit="cycles", mark="bypass"),
    Printed("esc-5d", "Figure 5, section 4.2", "isolated BG: mu_BG(Tot) significantly less than "
            "with bypass (ours by 30 % and more), mu_SYN more", "sentence", isolation),
    Printed("esc-5e", "Figure 5, section 4.2", "mu_BG(HS) > mu_SYN with bypass (ours from gamma "
            "0.3, about equal at 0.2), < with isolated BG", "sentence", hot_and_syn)])
