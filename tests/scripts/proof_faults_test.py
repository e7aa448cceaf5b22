#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wrappers of verif/formal find what they are there for: with an error planted in the RTL of a
copy, scripts/prove says that a fact fails, within the cycles that the line here gives."""

import pathlib
import shutil
import tempfile
import unittest

from copied_project import ROOT, run
from sample_project import changed

# Line of proofs.txt without its mark; module; what is planted, in place of which text.
FAULTS = {
    "an answer without a route keeps the access unit": (
        "register_agent_proof Ports=3,Tail=8,Wait=1 40", "register_agent",
        "        if (stranded) state_d = Idle;\n        else if", "        if"),
    "a host that polls keeps the access unit from deciding": (
        "register_agent_proof Ports=3,Tail=8,Wait=1 40", "register_agent",
        "Deciding: kept_off = host_writes;", "Deciding: kept_off = host_writes || host_read_i;"),
    "a packet writes over what the host has written since it was read": (
        "conditional_write_proof Ports=3,Vcs=1 14", "register_agent",
        "gives_in || (host_writes && host_touches_i)", "gives_in"),
    "with Guard a packet writes over what the host has written since it was read": (
        "conditional_write_proof Ports=3,Vcs=1,Guard=1 14", "register_agent",
        "gives_in || (host_writes && host_touches_i)", "gives_in"),
    "a table keeps the whole mask of an entry": (
        "route_table_proof Dests=16 22", "route_table",
        "if (wentry_i[Ports-1-k]) wcode =", "if (wentry_i[Ports-1-k]) wcode = wcode |"),
    "an entry that was never swept is an output": (
        "route_table_proof Dests=16 22", "route_table",
        "sweeping_q <= next_q != Last;", "sweeping_q <= next_q != Last - 1'b1;"),
    "two outputs have one number": (
        "route_table_proof Dests=16 22", "route_table",
        "read[r] == CodeW'(p + 1);", "read[r] >= CodeW'(p + 1);"),
    "a packet of an entry goes to several outputs": (
        "wormhole_path_proof Source=0,Depth=1 30", "route_table",
        "read[r] == CodeW'(p + 1);", "read[r] == CodeW'(p + 1) || (p < 2 && read[r] == Self);"),
    "a packet that has ended keeps its channel": (
        "wormhole_path_proof Source=0,Depth=1 30", "output_channels",
        "assign free = ends | ~owned;", "assign free = (ends & has_next) | ~owned;"),
    "the unit forgets who waits": (
        "unit_turn_proof Ports=3 12", "unit_turn",
        "(of_round != '0) ? round_q & ~take_o : able_i & above;", "able_i & above;"),
    "data of two ports are folded as of one": (
        "data_fold_proof Ports=8,Op=3 8", "data_fold",
        "assign first = waiting_q & ~above;", "assign first = waiting_q;"),
    "a register takes messages of any group": (
        "barrier_isolation_proof Ports=3,Place=0 8", "barrier_register",
        "takes[p] = expected[p] && (Labels == 1 || msg_gid_i[p] == gid_q);",
        "takes[p] = expected[p];"),
    "an output prefers one register": (
        "barrier_isolation_proof Ports=3,Place=1 12", "barrier_outputs",
        ".take_i(leaves_i[p]),", ".take_i(1'b0),"),
    "an entry takes messages of any group": (
        "bsr_table_proof Ports=3,Claimed=0 10", "bsr_entry",
        "assign match_o = valid_q && gid_q == msg_i.gid;", "assign match_o = valid_q;"),
    "a free entry is found that is not free": (
        "bsr_table_proof Ports=3,Claimed=1 10", "bsr_table",
        ".bits_i(~valid),", ".bits_i('1),"),
    "an event that is counted and read in a cycle loses the count": (
        "nic_event_counts_proof Contexts=2,Steps=2 12", "nic_event_counts",
        "again_q ? before_q : stored", "stored"),
    "an event takes STEPs of the next barrier for this one's": (
        "nic_chain_proof Members=2 24", "nic_event_unit",
        "collective_i ? message_i.barrier[0] :", "collective_i ? (owns & odd) != '0 :"),
    "an image ends a word early": (
        "image_loader_proof Words=3,Blocks=3 24", "image_loader",
        "AtW'(Words - 1)", "AtW'(Words - 2)"),
    "an image is written before the tables are swept": (
        "image_loader_proof Words=3,Blocks=3 24", "image_loader",
        "before_q == BeforeW'(Before);", "before_q == BeforeW'(Before - 1);"),
    "the ports are the host's before the last word is written": (
        "network_registers_proof Blocks=3,Words=2 26", "image_loader",
        "assign done_o = read_q && !write_q;", "assign done_o = read_q;"),
    "a host's write is taken before the image is written": (
        "network_registers_proof Blocks=3,Words=2 26", "network_registers",
        ".wvalid_i(wvalid_i && ready_o),", ".wvalid_i,"),
    "an access is in the window of another switch": (
        "network_registers_proof Blocks=3,Words=2 26", "network_registers",
        "window[RegAddrW+:BlockW]", "window[RegAddrW-1+:BlockW]"),
    "a node sends before its network is set up": (
        "network_node_proof Vcs=1,Depth=1 12", "network_node",
        ".s_axis_tvalid_i(s_axis_tvalid_i && ready_i),", ".s_axis_tvalid_i,"),
    "a node takes reads before its network is set up": (
        "network_node_proof Vcs=1,Depth=1 12", "network_node",
        "assign arready_o = arready && ready_i;", "assign arready_o = arready;"),
    "a node sends messages without the credit of a pocket": (
        "network_node_proof Vcs=2,Depth=2,Pocket=1 14", "endpoint_sender",
        "assign sync_waits = sync_valid_i && room;", "assign sync_waits = sync_valid_i;"),
    "a node keeps the credits of packets that it drops": (
        "network_node_proof Vcs=1,Depth=1 14", "endpoint_receiver",
        "takes = valid;\n", "takes = valid && !(state_q == Idle && is_head && is_tail);\n"),
    "a node sends packets to destinations that there are not": (
        "axis_endpoint_proof Vcs=1,Depth=1 14", "endpoint_sender",
        "32'(s_axis_tdest_i) >= Dests || ", ""),
    "a node waits without end for the rest of a packet": (
        "axis_endpoint_proof Vcs=1,Depth=1 24", "endpoint_sender",
        "        if (late) state_d = Ends;\n", ""),
    "a control word is obeyed while an arrival waits": (
        "endpoint_release_proof Lies=0 14", "endpoint_group",
        "(too_wide || waiting_q || draining_q ||", "(too_wide ||"),
    "an identifier is cut to the bits that messages have": (
        "endpoint_release_proof Lies=0 14", "endpoint_group",
        "(too_wide || ", "("),
    "packets for another address are taken, by bits that heads do not have": (
        "axis_endpoint_proof Vcs=1,Depth=1 14", "endpoint_receiver",
        "dest != address_i;", "dest != (address_i & 16'h7ff);"),
    "an arrival that was given up leaves its release to the next": (
        "endpoint_release_proof Lies=0 14", "endpoint_group",
        "draining_q <= (abandons && (!send_q || send_taken_i)) ||", "draining_q <="),
    "a message is taken while a flit of data goes": (
        "endpoint_release_proof Lies=0 14", "endpoint_sender",
        "assign sync_taken_o = sync_waits && !staged_q;", "assign sync_taken_o = sync_waits;"),
    "two groups of an endpoint have one identifier": (
        "endpoint_release_proof Lies=0 14", "endpoint_group",
        "(new_control.member && in_use_i)", "1'b0"),
}


class ProofFaults(unittest.TestCase):
    def setUp(self):
        self.project = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("scripts", "rtl", "verif/formal", "docs/reference"):
            shutil.copytree(ROOT / name, self.project / name,
                            ignore=shutil.ignore_patterns("__pycache__"))
        (self.project / "synth").mkdir()
        for name in ("python", "tool.py"):
            (self.project / "synth" / name).symlink_to(ROOT / "synth" / name)

    def test_each_fault_is_found(self):
        for fault, (line, module, *replacement) in FAULTS.items():
            with self.subTest(fault):
                path, = self.project.glob(f"rtl/*/muster_{module}.sv")
                sound = path.read_text()
                path.write_text(changed(sound, replacement))
                (self.project / "verif/formal/proofs.txt").write_text(f"{line} bounded\n")
                _, said = run(self.project / "scripts/prove")
                path.write_text(sound)
                self.assertEqual(said.splitlines()[2].split("|")[4].strip(), "FAILED", said)


unittest.main()
