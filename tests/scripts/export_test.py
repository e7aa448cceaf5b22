#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""export_test.py PROGRAM: what `topo export` writes for software and for tools that join
interfaces. The C header compiles without a warning, SystemRDL is read by the compiler that PeakRDL
has and has its addresses, and the module with plain ports lints. PROGRAM is `muster`."""

import pathlib
import re
import sys
import unittest

from copied_project import ROOT, InFolder, run

sys.path.insert(0, str(ROOT / "synth/python-tools"))

import systemrdl  # noqa: E402
from systemrdl.parser.SystemRDLParser import SystemRDLParser  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SW = ROOT / "sw"
PRINTS = """
#include <stdio.h>
#include "muster_net.h"
int main(void) {
  unsigned i;
  for (i = 0; i < MUSTER_NET_SWITCHES; ++i) printf("%u ", (unsigned)MUSTER_NET_SWITCH(i));
  for (i = 0; i < MUSTER_NET_NODES; ++i) printf("%u ", (unsigned)MUSTER_NET_NODE(i));
  printf("%u %u %u %u\\n", (unsigned)MUSTER_NET_BYTES, muster_net_network.destinations,
         muster_net_network.ports, muster_net_network.window);
  printf("%u %u %u %u %u %u\\n", muster_net_network.groups, muster_net_network.registers,
         muster_net_network.channels, muster_net_network.depth, muster_net_network.gid_width,
         muster_net_network.flit_width);
  return muster_net_network.words == 0 || muster_net_network.image[0].address == 0;
}
"""


class ExportTest(InFolder):
    def setUp(self):
        super().setUp()
        self.does(PROGRAM, "topo", "gen", "mesh", "--width", 2, "--height", 2, "--out", "net.json")

    def export(self, file, *options, config="sw4"):
        self.does(PROGRAM, "topo", "export", "net.json", "--config", config, "--group", "all",
                  "--module", "muster_net", *options, "--out", file)

    def header(self, config="sw4"):
        """Addresses as a program reads them: of switches, of nodes, and of the end."""
        self.export("muster_net.h", "--format", "c-header", config=config)
        (self.folder / "main.c").write_text(PRINTS)
        self.does("cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
                  "-I", SW, "main.c", "-o", "main")
        return [int(word) for word in self.does("./main").split()]

    def rdl(self, config="sw4"):
        self.export("net.rdl", "--format", "rdl", config=config)
        compiler = systemrdl.RDLCompiler()
        compiler.compile_file(str(self.folder / "net.rdl"), incl_search_paths=[str(ROOT / "rdl")])
        return compiler.elaborate("muster_net").top

    def registers(self, config):
        return {node.inst_name for node in
                self.rdl(config).find_by_path("switch").descendants(unroll=False)}

    def test_header_and_rdl_have_the_same_addresses(self):
        words = self.header()
        self.assertEqual(words[:5], [0, 0x4000, 0x8000, 0xc000, 0x10000])
        top = self.rdl()
        found = [top.find_by_path(f"{kind}[{i}]").absolute_address
                 for kind in ("switch", "node") for i in range(4)]
        self.assertEqual(words[:8], found)
        self.assertEqual(words[8:12], [top.size, 64, 4, 0x1000])
        self.assertEqual(words[12:], [0, 4, 2, 4, 8, 16])
        self.assertEqual(top.find_by_path("switch[2].barrier[3].children").absolute_address,
                         words[2] + 4 * (0x102 + 16 * 3))
        self.assertEqual(top.find_by_path("node[1].groups[1].status").absolute_address,
                         words[5] + 4 * (0x042 + 8))

    def test_rdl_has_what_the_configuration_has(self):
        plain = self.registers("sw4")
        self.assertTrue({"barrier", "routes", "agent_drops"} < plain)
        self.assertFalse({"spill", "periods", "refusals", "window", "command"} & plain)
        self.assertIn("spill", self.registers("sw4s"))
        guarded = self.registers("sw4g")
        self.assertTrue({"refusals", "group_permits"} < guarded)
        many = self.registers("many4")
        self.assertIn("window", many)
        self.assertNotIn("barrier", many)

    def test_names_that_are_taken_are_refused(self):
        modules = re.findall(r"/(\w+)\.sv$", (ROOT / "rtl/muster.f").read_text(), re.M)
        types = [name for path in (ROOT / "rdl").glob("*.rdl") for name in re.findall(
            r"^(?:addrmap|regfile|reg|enum) (\w+)", path.read_text(), re.M)]
        keywords = [name.strip("'") for name in SystemRDLParser.literalNames
                    if re.fullmatch(r"'[a-z]\w*'", name)]
        for names, least in ((modules, 140), (types, 20), (keywords, 70)):
            self.assertGreater(len(names), least)
            for name in names:
                status, said = run(PROGRAM, "topo", "export", "net.json", "--format", "rdl",
                                   "--module", name, cwd=self.folder)
                self.assertEqual((status, said.count("\n")), (2, 1), said)
                self.assertIn(f"--module '{name}': ", said)

    def test_the_module_with_plain_ports_lints(self):
        for config in ("sw4", "sw4s"):
            self.export("muster_net.sv", "--format", "verilog", config=config)
            self.export("muster_net_flat.v", "--format", "verilog", "--flat", config=config)
            self.does("verilator", "--lint-only", "-sv", "-Wall", "-F", ROOT / "rtl/muster.f",
                      "muster_net.sv", "muster_net_flat.v", "--top-module", "muster_net_flat")
        text = (self.folder / "muster_net_flat.v").read_text()
        for port in ("input  wire         aclk,", "s_axil_ctl_awaddr", "s_axil_3_rresp",
                     "output wire [15:0]  m_axis_0_tdata"):
            self.assertIn(port, text)


unittest.main()
