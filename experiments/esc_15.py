# SPDX-License-Identifier: Apache-2.0
"""Section 4.5, Figure 15: mu_SYN over the size of the output buffers."""

from . import claims
from ._esc_buffers import BLOCKED, buffer_sweep, curves
from .kit import Figure, Printed


def measure(study):
    return buffer_sweep(study, 15, "mu_SYN")


def claimed(data):
    return [*(claims.falls(one, start=8) for one in curves(data, "hot-section:4")),
            *(claims.flat(one, 0.15, start=8) for one in curves(data, "bypass"))]


FIGURE = Figure("esc-15", "esc", measure, "mu_SYN over the buffer size, bypass and hot section", [
    Printed("esc-15", "Figure 15", "mu_SYN over S from 8 on: falls with hot section, stable with "
            "bypass", "sentence", claimed, why=BLOCKED)])
