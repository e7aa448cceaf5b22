# SPDX-License-Identifier: Apache-2.0
"""Points of the Extra Stage Cube paper, section 4: N = 256 PEs, boxes of n = 4, output buffers of
S = 12 packets, sigma = 10 cycles, synchronization around cycle 3000, 125 sessions, unless a figure
varies them. A point is one batch of sessions of `muster esc`, under every check; several figures
use the same points. A rate beyond the [capacity](systems/esc.md#policies) is measured too:
source queues grow for the whole session."""

import muster

from .kit import Data, Point, Series

SESSIONS = 125
RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8)
RATE = "gamma (background messages per PE and cycle)"
AVERAGES = {"mu_SYN": "mu_syn", "mu_BG(Tot)": "mu_bg_total", "mu_BG(HS)": "mu_bg_hot"}  # 4.1
DELAY = "delay (cycles, traversal excluded)"
NETWORK = {"pes": 256, "box": 4, "buffer": 12, "sigma": 10, "mean": 3000, "rate": 0.5}


def batch(item):
    """The averages of one batch of sessions."""
    result = muster.esc(**item, threads=1)
    return {name: result[name] for name in (
        *AVERAGES.values(), "active_session_cycles", "saturation_tree_height", "violations",
        "warnings")}


class Points:
    """Batches of curves, {name: options of `muster esc`}, over values of one more option, of which
    `word` makes a word."""

    def __init__(self, study, curves, option, xs, sessions=SESSIONS, word=lambda x: x):
        common = NETWORK | study.common | {"sessions": study.count(sessions)}
        self.xs, self.found = xs, dict(zip(curves, study.grid(batch, [
            [common | options | {option: word(x)} for x in xs] for options in curves.values()])))

    def add(self, data, title, value, x_label, y_label=DELAY, **axes):
        """A panel of one value of all curves; mu_BG(Tot) is near zero under some policies."""
        data.add(title, x_label, y_label, [
            Series(name, [Point(x, *one[value].values()) for x, one in zip(self.xs, row)])
            for name, row in self.found.items()], **{"log10_y": value == "mu_bg_total"} | axes)

    def averages(self, title, x_label, **axes):
        """Data with panels (a) to (c), as in the paper's figures."""
        data = Data(title)
        for name, value in AVERAGES.items():
            self.add(data, name, value, x_label, **axes)
        return data


def compared(option, values):
    """Names of curves of bypass and of hot section, one a value."""
    return [[f"{policy}, {option} = {value}" for value in values]
            for policy in ("bypass", "hot-section:4")]


def rate_sweep(study, title, policies, rates=RATES, sessions=SESSIONS, **axes):
    """(data, points) of the three averages over gamma."""
    points = Points(study, {policy: {"policy": policy} for policy in policies}, "rate", rates,
                    sessions)
    return points.averages(title, RATE, **axes), points
