# SPDX-License-Identifier: Apache-2.0
"""Section 4.5: averages over the size S of the output buffers for several sigma, bypass and hot
section with K = 4; (a) gamma 0.4, (b) gamma 0.6. The text names S = 8 and 20; we added 4."""

from ._esc import AVERAGES, Points, curve, described
from .kit import Data

SIZES, SIGMAS = (4, 8, 12, 16, 20), (10, 30, 50)
BLOCKED = ("The text names S = 8 and 20; we added 4. At gamma 0.6 buffers of 4 block the network, "
           "because a full buffer accepts no packet in the cycle in which it sends.")


def buffer_sweep(study, number, average):
    """A figure's data: one of the averages."""
    data = Data(f"ESC Figure {number}, {average}: N = 256, n = 4, K = 4", [],
                described(study, "gamma", "sigma", "S"))
    for letter, rate in zip("ab", (0.4, 0.6)):
        points = Points(study, {f"{policy}, sigma = {sigma}":
                                lambda size, policy=policy, sigma=sigma, rate=rate: {
                                    "policy": policy, "rate": rate, "sigma": sigma, "buffer": size}
                                for policy in ("bypass", "hot-section:4") for sigma in SIGMAS},
                        SIZES)
        points.add_remarks(data)
        data.panels.append(points.panel(letter, f"{average}, gamma = {rate}", AVERAGES[average],
                                        "S (packets in an output buffer)"))
    return data


def curves(data, policy):
    """Of both panels and all sigma."""
    return [curve(data, panel, f"{policy}, sigma = {sigma}")
            for panel in "ab" for sigma in SIGMAS]
