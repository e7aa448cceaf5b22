# SPDX-License-Identifier: Apache-2.0
"""A study of ours: barriers by switches, NICs and hosts on the same networks, with the same hosts
and data (docs/systems/comparison.md): time and traffic over the members, and time over the load of
data, with a channel shared with data and with one of the barriers' own. The drawing has profile
native; the tables also have lanai-xp."""

from ._systems import LOADS, MEMBERS, NETWORKS, NICS, SIZES, SWITCHES, Measured
from .kit import Data, Figure, Study

BY_SIZE = [{"members": n, "load": 0.0} for n in SIZES]
BY_LOAD = [{"members": MEMBERS, "load": load} for load in LOADS]
LOAD = "data load, share of the busiest channel"
KINDS = {"switches": SWITCHES, "NICs and hosts": NICS}


def measure(study: Study) -> Data:
    data = Data("Barriers by switches, NICs and hosts (profile native)", [],
                {"members under load": str(MEMBERS), "switches": "2 virtual channels of depth 4"})
    native = Measured(study, data, "native", 40)
    for kind, systems in KINDS.items():
        rows = native.over("75 switches", systems, BY_SIZE)
        native.panel(f"75 switches, no data: {kind}", "members", "latency (us)", SIZES, rows,
                     log_x=2, log10_y=systems is NICS)
        native.panel(f"75 switches, traffic: {kind}", "members", "messages of a barrier on links",
                     SIZES, rows, "messages", log_x=2, log10_y=True)
    for network in NETWORKS:
        for kind, systems in KINDS.items():
            native.panel(f"{network}, shared channel: {kind}", LOAD, "latency (us)", LOADS,
                         native.over(network, systems, BY_LOAD))
        native.panel(f"{network}, own channel: NICs and hosts", LOAD, "latency (us)", LOADS,
                     native.over(network, NICS, BY_LOAD, "own"))
    old = Measured(study, data, "lanai-xp", 8)
    for network in NETWORKS:
        for systems, channel in ((SWITCHES, "shared"), (NICS, "shared"), (NICS, "own")):
            old.over(network, systems, BY_LOAD, channel)
    return data


FIGURE = Figure("systems", "ours", measure, "barriers by switches, NICs and hosts, side by side")
