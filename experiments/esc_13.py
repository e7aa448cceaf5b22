# SPDX-License-Identifier: Apache-2.0
"""Section 4.4, Figure 13: delays over the number K of sections, hot section. K = 1 is isolated hot
spot."""

from . import claims
from ._esc import Points, curve, described
from .kit import LOCKSTEP, Data, Figure, Printed

SECTIONS = (1, 2, 4, 8, 16)


def measure(study):
    points = Points(study, {f"gamma = {rate}": lambda sections, rate=rate: {
        "policy": f"hot-section:{sections}", "rate": rate} for rate in (0.7, 0.8)}, SECTIONS)
    data = Data("ESC Figure 13, hot section: N = 256, n = 4, S = 12, sigma = 10",
                points.averages("K (sections)", log_x=2), described(study, "gamma"))
    points.add_remarks(data)
    data.notes += [f"Least mu_BG(Tot) at {one.name}: printed K = 4, measured K = "
                   f"{claims.least(one)}." for one in data.panel("b").series]
    return data


FIGURE = Figure("esc-13", "esc", measure, "delays over the number of sections, gamma 0.7 and 0.8", [
    *(Printed(f"esc-13{letter}", "Figure 13",
              f"hot section, gamma {rate}: K with least mu_BG(Tot)", 4,
              lambda data, rate=rate: claims.least(curve(data, "b", f"gamma = {rate}")),
              engine=LOCKSTEP if rate == 0.7 else "golden")
      for letter, rate in (("a", 0.7), ("b", 0.8))),
    Printed("esc-13c", "Figure 13", "mu_SYN does not change much with K", "sentence",
            lambda data: [claims.flat(one, 0.2) for one in data.panel("a").series])])
