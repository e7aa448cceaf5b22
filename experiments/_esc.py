# SPDX-License-Identifier: Apache-2.0
"""Points of the Extra Stage Cube paper, section 4: N = 256 PEs, boxes of n = 4, output buffers of
S = 12 packets, sigma = 10 cycles, synchronization around cycle 3000, 125 sessions, unless a figure
varies them. A point is one batch of sessions of `muster esc`, under every check; several figures
use the same points. A rate beyond the [capacity](systems/esc.md#policies) is measured too:
source queues grow for the whole session."""

import muster

from .kit import Data, Panel, Point, Series

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
    """Batches of curves, {name: options of `muster esc` at an x}, over `xs`."""

    def __init__(self, study, curves, xs, sessions=SESSIONS):
        setting, places = study.setting, [(name, x) for name in curves for x in xs]
        items = [NETWORK | curves[name](x) | {"sessions": setting.sessions or sessions,
                 "seed": setting.seed, "engine": setting.engine} for name, x in places]
        self.names, self.xs = list(curves), xs
        self.found = dict(zip(places, study.run(batch, items)))

    def panel(self, letter, title, value, x_label, y_label=DELAY, **options):
        """A panel of one value of all curves; mu_BG(Tot) is near zero under some policies."""
        series = [Series(name, [Point(x, *self.found[name, x][value].values()) for x in self.xs])
                  for name in self.names]
        return Panel(letter, title, x_label, y_label, series, log10_y=value == "mu_bg_total",
                     **options)

    def averages(self, title, x_label, **options):
        """Data with panels (a) to (c), as in the paper's figures."""
        return Data(title, [self.panel(letter, name, value, x_label, **options)
                            for letter, (name, value) in zip("abc", AVERAGES.items())])


def rate_sweep(study, title, policies, rates=RATES, sessions=SESSIONS):
    """(data, points) of the three averages over gamma."""
    points = Points(study, {policy: lambda rate, policy=policy: {"policy": policy, "rate": rate}
                            for policy in policies}, rates, sessions)
    return points.averages(title, RATE), points
