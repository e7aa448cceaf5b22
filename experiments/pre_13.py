# SPDX-License-Identifier: Apache-2.0
"""Figure 13: later rounds under congestion, 60 and 255 members of 300 nodes on switches with three
links, Ts = 100. btin, whose messages pass data, is a comparison that the paper does not have."""

from . import _pre_curves as curves
from ._pre import irregular
from .kit import Data, Figure

SCHEMES = {"bsr-1": {"scheme": "bsr-1"}, "bsr-2": {"scheme": "bsr-2"},
           "bsr-3": {"scheme": "bsr-3"}, "tree [4]": {"scheme": "tree"},
           "btin": {"scheme": "btin"}}


def measure(study):
    data = Data("Preempting barriers, Figure 13: congestion, N = 300, Ts = 100", [])
    curves.congestion(study, irregular(300), (60, 255), SCHEMES, data)
    return data


FIGURE = Figure("pre-13", "preempt", measure, "congestion on switches with three links", [
    *curves.congested("pre-13", 60, "aec", "tree [4]"),
    *curves.congested("pre-13", 255, "bfd", "tree [4]")])
