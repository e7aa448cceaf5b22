# SPDX-License-Identifier: Apache-2.0
"""Section 4.5, Figure 17: mu_BG(HS) over the size of the output buffers."""

from . import claims
from ._esc_buffers import BLOCKED, buffer_sweep, curves
from .kit import Figure, Printed


def measure(study):
    return buffer_sweep(study, 17, "mu_BG(HS)")


def claimed(data):
    return [*(claims.rises(one, start=8) for one in curves(data, "hot-section:4")),
            *(claims.flat(one, 0.15, start=8) for one in curves(data, "bypass"))]


FIGURE = Figure("esc-17", "esc", measure, "mu_BG(HS) over the buffer size, both policies", [
    Printed("esc-17", "Figure 17", "mu_BG(HS) over S from 8 on: rises with hot section, stable "
            "with bypass", "sentence", claimed, why=BLOCKED)])
