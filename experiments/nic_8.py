# SPDX-License-Identifier: Apache-2.0
"""Figure 8: barriers of 2 to 8 nodes on Quadrics with Elan3; remote writes of hosts, and the
hardware's broadcast. Our barrier of 8 takes longer than the equation by the way through a second
level of switches, which the equation has in T_trig. Our gather-broadcast is four remote writes in a
row, from a leaf to the root and back, each two crossings and a packet; the printed value requires
programs that take time for each send."""

from . import _nic, nic_9, nic_host, nic_parts
from .claims import below, ratio
from .kit import LOCKSTEP, At, Figure, Printed, of

NIC = 5.6  # us, printed
LIBRARY = 2 * 3 * nic_9.SYSTEMS["elan3"][3][1]  # us: 2 log2(8) steps of T_trig

FIGURES = [Figure("nic-8", "nic", lambda study: _nic.over_members(
    study, "elan3", "Quadrics, Elan3", 8, _nic.QUADRICS),
                  "Quadrics, Elan3: latency and packets over the members", [
    Printed("nic-8a", "Figure 8", "Elan3, 8 nodes, NIC", At("a", "NIC-DS", 8), NIC, "us",
            "NIC-based", verdict="calibrated",
            why="The profile is the equation of section 8.3, which was fitted to this point too.",
            limit=0.1, engine=LOCKSTEP),
    Printed("nic-8a1", "Figure 8", "T_init alone is the latency of two nodes",
            At("d", nic_parts.DEFINED, 8, "nic-parts"), of="nic-8a"),
    Printed("nic-8b", "Figure 8", "the same: gather-broadcast of the library over NIC",
            lambda _: LIBRARY / NIC, nic_host.PRINTED[nic_host.LIBRARY], verdict="by formula",
            why="As nic-8c.", engine=""),
    Printed("nic-8b1", "Figure 8", "remote writes of hosts, a tree of degree 4",
            of(ratio, At("a", "rdma-GB", 8), At("a", "NIC-DS", 8)), of="nic-8b",
            why="With no program time; the program time for each send in panel e of the figure "
            "gives the printed factor.", command="scripts/figures nic-host"),
    Printed("nic-8c", "Figure 8", "the same: gather-broadcast of the library", lambda _: LIBRARY,
            13.89, "us", verdict="by formula", why="2 log2(8) = 6 steps of T_trig of section 8.3, "
            "which is a binary tree; no time of a host is fitted.", derived=True, engine=""),
    Printed("nic-8c1", "Figure 8", "remote writes of hosts, a tree of degree 4",
            At("a", "rdma-GB", 8), 13.89, mark="rdma-GB", of="nic-8c", why="As nic-8b1."),
    Printed("nic-8d", "Figure 8", "the same: barrier by the hardware's broadcast",
            At("a", "broadcast", 8), 4.2, "us", "broadcast", verdict="differs",
            why="The model has two crossings of the bus, two passes of the release and three paths "
            "through two levels of switches, without a fit to the printed value. The figure also "
            "has the barrier without bus, without passes and without both. The time to test a word "
            "in a NIC is not known and is left out.", command="scripts/figures nic-parts"),
    Printed("nic-8e", "Section 8.2",
            "off powers of two pairwise exchange is faster than dissemination on Quadrics",
            lambda data: [below(data.value("a", "NIC-PE", n), data.value("a", "NIC-DS", n))
                          for n in (3, 5, 6, 7)], verdict="differs", why="At 7 nodes pairwise "
            "exchange is slower by one trigger, and hardly slower if passes take no time; at the "
            "others the two take about the same time. The paper's reason is the card's behaviour "
            "with hot spots, which our model does not include.",
            command="scripts/figures nic-parts"),
    Printed("nic-8g", "Section 8.2", "8 nodes: both algorithms take the same (ours: within 1 %)",
            _nic.alike((8,))),
    Printed("nic-8h", "Section 8.2",
            "the hardware's broadcast is faster than the NIC's barrier, 8 nodes",
            of(below, At("a", "broadcast", 8), At("a", "NIC-DS", 8))),
    Printed("nic-8f", "Section 8.3", "Elan3, 2 nodes: T_init + T_adj", At("a", "NIC-DS", 2), 1.25,
            "us", verdict="calibrated", why="An input of the profile. T_init alone, which the "
            "paper defines as this latency, is nic-9q1.", limit=0.01, derived=True),
])]
