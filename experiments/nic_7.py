# SPDX-License-Identifier: Apache-2.0
"""Figure 7: barriers of 2 to 8 nodes on Myrinet with LANai-XP at 225 MHz."""

from . import _nic, nic_host
from .claims import below, ratio
from .kit import At, Data, Figure, Mark, Printed, Study, of

PRINTED, FACTOR = 14.2, nic_host.PRINTED[nic_host.XP]


def measure(study: Study) -> Data:
    data = _nic.over_members(study, "lanai-xp", "Myrinet, LANai-XP", 8, _nic.MYRINET)
    data.panels[0].marks = [Mark("host-DS", 8, PRINTED * FACTOR, "host-DS")]
    return data


FIGURES = [Figure("nic-7", "nic", measure, "Myrinet, LANai-XP: latency and packets over members", [
    Printed("nic-7a", "Figure 7", "LANai-XP, 8 nodes, NIC", At("a", "NIC-DS", 8), PRINTED, "us",
            "NIC-based", verdict="calibrated", why="The profile's trigger time is that of the "
            "equation of section 8.3, which was fitted to this point too.", limit=0.02),
    Printed("nic-7b", "Figure 7", "the same: host over NIC", At("f", nic_host.XP, 8, "nic-host"),
            FACTOR, verdict="calibrated", why=nic_host.FOUR, limit=0.02),
    Printed("nic-7b1", "Figure 7", "six queues, a program without time",
            of(ratio, At("a", "host-DS", 8), At("a", "NIC-DS", 8)), of="nic-7b",
            why="The program's time would have to be negative."),
    Printed("nic-7d", "Section 8.1",
            "host over NIC is less than on the older cluster, with its slower hosts and bus",
            of(below, At("f", nic_host.XP, 8, "nic-host"), At(
                "f", nic_host.OVER_NIC, 16, "nic-host")), figures=("nic-host",)),
    Printed("nic-7e", "Figure 7",
            "the NIC's barriers are faster than the host's, with either algorithm", _nic.FASTER),
    Printed("nic-7f", "Section 8.1", "8 nodes: both algorithms take the same (ours: within 1 %)",
            _nic.alike((8,))),
    Printed("nic-7c", "Section 8.3", "LANai-XP, 2 nodes: T_init + T_adj", At("a", "NIC-DS", 2),
            7.44, "us", verdict="calibrated", why="An input of the profile.", limit=0.01,
            derived=True),
])]
