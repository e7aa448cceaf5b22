# SPDX-License-Identifier: Apache-2.0
"""Sections 4.2 and 4.3, Figures 5, 6 and 8. 5: delays over gamma, bypass and isolated background;
what it costs and gains to keep background off the reserved boxes; panel (d) has the lengths of the
same sessions. 8: the same with isolated hot spot, where hot background shares the reserved boxes
and there is no secondary saturation tree. 6: messages generated per cycle of the active session, a
mean over sessions; sessions end at different times, and what is generated later counts 0."""

import functools

import muster

from . import claims
from ._esc import NETWORK, RATE, RATES, SESSIONS, rate_sweep
from .kit import LOCKSTEP, At, Data, Figure, Printed, Series, all_of, of, of_curves

RATE_PRINTED = 0.5
GENERATED = {"synchronization": "synchronization", "hot background": "hot_background"}


def measure_5(study):
    data, points = rate_sweep(study, "ESC Figure 5: N = 256, n = 4, S = 12, sigma = 10",
                              ("bypass", "isolated-bg"))
    points.add(data, "active session", "active_session_cycles", RATE, "length (cycles)")
    return data


def generated(item):
    result = muster.esc(**item, threads=1, generated=True)
    return {name: result[name] for name in ("generated", "violations")}


def measure_6(study):
    sessions = study.count(SESSIONS)
    found, = study.run(generated, [NETWORK | study.common
                                   | {"policy": "bypass", "sessions": sessions}])
    data = Data("ESC Figure 6: N = 256, n = 4, S = 12, sigma = 10")
    counts = {name: found["generated"][field] for name, field in GENERATED.items()}
    data.add("bypass, gamma = 0.5", "cycles since the active session began",
             "messages per cycle, mean over sessions", [
                 Series.over(name, range(len(of)), [count / sessions for count in of])
                 for name, of in counts.items()])
    return data


def traded(data):
    """What mu_SYN gains by isolated background, by what mu_BG(Tot) loses."""
    changes = [[data.value(panel, "isolated-bg", rate).y - data.value(panel, "bypass", rate).y
                for panel in "ab"] for rate in (0.3, 0.4, 0.5)]
    return [claims.flat(Series.over("", (0, 1), (syn, -total)), 0.1) for syn, total in changes]


FIGURE_5, FIGURE_8 = "Figure 5, section 4.2", "Figure 8, section 4.3"
SETTING = "N = 256, n = 4, S = 12, sigma 10, gamma 0.5, bypass: mu_SYN"
SYN, HOT = At("a", "bypass", RATE_PRINTED), At("c", "bypass", RATE_PRINTED)
SESSION = At("d", "bypass", RATE_PRINTED)
SPOT, BACKGROUND = ({panel: At(panel, policy, figure=figure) for panel in "abc"} for policy, figure
                    in (("isolated-hs", "esc-8"), ("isolated-bg", "esc-5")))
below = functools.partial(of, claims.below)
FIGURES = [
    Figure("esc-5", "esc", measure_5, "delays over gamma, bypass and isolated background", [
        Printed("esc-5a", "Figure 5, section 4.3", SETTING, SYN, 116, unit="cycles", mark="bypass",
                engine=LOCKSTEP),
        Printed("esc-5b", "Figure 5, section 4.3", "the same: mu_BG(HS)", HOT, 151, unit="cycles",
                mark="bypass", engine=LOCKSTEP),
        Printed("esc-5f", "Section 4.3", "the same: mu_BG(HS) by mu_SYN, 30 % more",
                of(claims.ratio, HOT, SYN), 1.3),
        Printed("esc-5c", "Section 4.3", "the same: active session, about", SESSION, 325,
                unit="cycles", mark="bypass"),
        Printed("esc-5d", FIGURE_5, "isolated BG: mu_BG(Tot) significantly less than with bypass "
                "(ours by 30 % and more), mu_SYN more", all_of(
                    of_curves(claims.below, "b", "isolated-bg", "bypass", by=0.7),
                    of_curves(claims.below, "a", "bypass", "isolated-bg"))),
        Printed("esc-5e", FIGURE_5, "mu_BG(HS) > mu_SYN with bypass (ours from gamma 0.3, about "
                "equal at 0.2), < with isolated BG",
                all_of(below(At("a", "bypass"), At("c", "bypass"), start=0.3),
                       below(At("c", "isolated-bg"), At("a", "isolated-bg")))),
        Printed("esc-5h", "Section 4.2", "an active session takes at least N - 1 cycles",
                lambda data: [p.y >= NETWORK["pes"] - 1 for one in data.panel("d").series
                              for p in one.points]),
        Printed("esc-5i", "Section 4.2", "isolated BG: mu_SYN grows by approximately as much as "
                "mu_BG(Tot) falls (ours: within a tenth at gamma 0.3 to 0.5)", traded),
        Printed("esc-5j", "Section 4.2", "isolated BG: hot background is much slower than the "
                "other (ours: above mu_BG(Tot) at each gamma, twice up to 0.6)",
                all_of(below(At("b", "isolated-bg"), At("c", "isolated-bg")), *(
                    below(At("b", "isolated-bg", rate), At("c", "isolated-bg", rate), by=0.5)
                    for rate in RATES if rate <= 0.6)))]),
    Figure("esc-6", "esc", measure_6,
           "synchronization and hot background messages generated per cycle", [
        Printed("esc-6", "Figure 6", "most synchronization messages are generated before most hot "
                "background messages of the active session",
                of_curves(claims.earlier, "a", *GENERATED)),
        Printed("esc-5g", "Section 4.3", "bypass, gamma 0.5: hot background messages generated in "
                "an active session",
                lambda data: sum(p.y for p in data.curve("a", "hot background").points), 162.5)]),
    Figure("esc-8", "esc", lambda study: rate_sweep(
        study, "ESC Figure 8: N = 256, n = 4, S = 12, sigma = 10", ("bypass", "isolated-hs"))[0],
           "delays over gamma, bypass and isolated hot spot", [
        Printed("esc-8a", FIGURE_8, SETTING, SYN, 116, unit="cycles", mark="bypass", of="esc-5a"),
        Printed("esc-8b", FIGURE_8, "the same: mu_BG(HS)", HOT, 151, unit="cycles", mark="bypass",
                of="esc-5b"),
        Printed("esc-8c", FIGURE_8, "isolated HS: mu_SYN more and mu_BG(HS) less than with bypass",
                all_of(of_curves(claims.below, "a", "bypass", "isolated-hs"),
                       of_curves(claims.below, "c", "isolated-hs", "bypass"))),
        Printed("esc-8d", FIGURE_8, "isolated HS against isolated BG: mu_SYN less, mu_BG(HS) more, "
                "mu_BG(Tot) less at high rates", all_of(
                    below(SPOT["a"], BACKGROUND["a"], start=0.2),
                    below(BACKGROUND["c"], SPOT["c"]),
                    below(SPOT["b"], BACKGROUND["b"], start=0.5)), figures=("esc-5",)),
        Printed("esc-8e", FIGURE_8, "as gamma increases mu_BG(HS) > mu_SYN with bypass and "
                "isolated HS (ours from 0.3 and 0.5)",
                all_of(below(At("a", "bypass"), At("c", "bypass"), start=0.3),
                       below(At("a", "isolated-hs"), At("c", "isolated-hs"), start=0.5))),
        Printed("esc-8f", "Section 4.3", "both hot kinds are much slower than nonhot background "
                "(ours: above mu_BG(Tot); with bypass mu_SYN up to gamma 0.5)",
                # mu_BG(Tot) is nearly that of the nonhot background, 255 of 256 messages.
                all_of(*(below(At("b", policy), At(panel, policy)) for policy, panel in (
                           ("bypass", "c"), ("isolated-hs", "a"), ("isolated-hs", "c"))),
                       *(below(At("b", "bypass", rate), At("a", "bypass", rate))
                         for rate in RATES if rate <= RATE_PRINTED)))])]
