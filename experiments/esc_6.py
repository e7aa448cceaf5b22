# SPDX-License-Identifier: Apache-2.0
"""Section 4.2, Figure 6: messages generated per cycle of the active session, a mean over sessions;
sessions end at different times, and what is generated later counts 0."""

import muster

from . import claims
from ._esc import NETWORK, SESSIONS, curve, described
from .kit import Data, Figure, Panel, Point, Printed, Series

NAMES = {"synchronization": "synchronization", "hot background": "hot_background"}


def generated(item):
    result = muster.esc(**item, threads=1, generated=True)
    return {name: result[name] for name in ("generated", "violations")}


def measure(study):
    setting = study.setting
    sessions = setting.sessions or SESSIONS
    found, = study.run(generated, [NETWORK | {"policy": "bypass", "sessions": sessions,
                                              "seed": setting.seed, "engine": setting.engine}])
    series = [Series(name, [Point(cycle, count / sessions)
                            for cycle, count in enumerate(found["generated"][field])])
              for name, field in NAMES.items()]
    panel = Panel("a", "bypass, gamma = 0.5", "cycles since the active session began",
                  "messages per cycle, mean over sessions", series)
    return Data("ESC Figure 6: N = 256, n = 4, S = 12, sigma = 10", [panel], described(study),
                ["Sessions end at different times; what is generated later counts 0."],
                found["violations"])


FIGURE = Figure(
    "esc-6", "esc", measure, "synchronization and hot background messages generated per cycle", [
        Printed("esc-6", "Figure 6", "most synchronization messages are generated before most hot "
                "background messages of the active session", "sentence",
                lambda data: claims.earlier(*(curve(data, "a", name) for name in NAMES)))])
