# SPDX-License-Identifier: Apache-2.0
"""Section 4.5, Figure 16: mu_BG(Tot) over the size of the output buffers."""

from . import claims
from ._esc_buffers import buffer_sweep, curves
from .kit import Figure, Printed


def measure(study):
    data = buffer_sweep(study, 16, "mu_BG(Tot)")
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


def smaller(data):
    return [claims.below(section.at(8), bypass.at(20))
            for section, bypass in zip(curves(data, "hot-section:4"), curves(data, "bypass"))]


def settled(data):
    return [claims.settles(one, 12) for one in curves(data, "hot-section:4")]


def falling(data):
    return [claims.falls(one, 1.2) for one in curves(data, "bypass")]


FIGURE = Figure(
    "esc-16", "esc", measure, "mu_BG(Tot) over the buffer size, bypass and hot section", [
        Printed("esc-16a", "Figure 16", "mu_BG(Tot): hot section with S = 8 is better than bypass "
                "with S = 20", "sentence", smaller),
        Printed("esc-16b", "Figure 16", "mu_BG(Tot) with hot section: little change from S = 12 on",
                "sentence", settled),
        Printed("esc-16c", "Figure 16", "mu_BG(Tot) with bypass falls with S", "sentence",
                falling)])
