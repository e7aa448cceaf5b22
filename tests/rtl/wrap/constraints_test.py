#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenSTA reads the constraints of muster_link_cdc for a design with two of them and a path of its
own between the same clocks, mapped to standard cells: every path through a crossing is limited, and
no other; one that is made too long is a violation. The file that only Vivado reads names the
same registers.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import flow  # noqa: E402

LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
SDC = ROOT / "rtl/wrap/constraints/muster_link_cdc.sdc"
XDC = ROOT / "rtl/wrap/constraints/muster_link_cdc.xdc"
PERIODS = {"clk_a": 8.0, "clk_b": 10.5}
LIMIT = 8.0
SETUP = 1.0  # more than that of a flip-flop
CHAIN = 250  # inverters, together slower than LIMIT

DESIGN = """\
module user (
  input  wire logic        clk_a, clk_b, rst_a, rst_b, valid_i, own_i,
  input  wire logic [19:0] word_i,
  input  wire logic [1:0]  credit_a_i, credit_b_i,
  output logic             own_o,
  output logic [31:0]      out_o
);
  logic own;
  always_ff @(posedge clk_a) own <= own_i;
  always_ff @(posedge clk_b) own_o <= own;

  muster_link_cdc to_b (
    .a_clk_i(clk_a), .a_rst_ni(rst_a), .b_clk_i(clk_b), .b_rst_ni(rst_b),
    .a_rx_valid_i(valid_i), .a_rx_vc_i(word_i[19]), .a_rx_kind_i(word_i[18:16]),
    .a_rx_payload_i(word_i[15:0]), .a_rx_credit_o(out_o[31:30]), .a_up_o(out_o[29]),
    .a_broken_o(out_o[28]), .a_overflow_o(out_o[27]), .b_tx_valid_o(out_o[26]),
    .b_tx_vc_o(out_o[25]), .b_tx_kind_o(out_o[24:22]), .b_tx_payload_o(out_o[21:6]),
    .b_tx_credit_i(credit_b_i), .b_up_o(out_o[5]), .b_broken_o(out_o[4])
  );
  // Not constrained by the test: its registers are those of a user.
  muster_link_cdc other (
    .a_clk_i(clk_a), .a_rst_ni(rst_a), .b_clk_i(clk_b), .b_rst_ni(rst_b),
    .a_rx_valid_i(valid_i), .a_rx_vc_i(word_i[19]), .a_rx_kind_i(word_i[18:16]),
    .a_rx_payload_i(word_i[15:0]), .a_rx_credit_o(out_o[3:2]), .a_up_o(out_o[1]),
    .a_broken_o(), .a_overflow_o(), .b_tx_valid_o(), .b_tx_vc_o(), .b_tx_kind_o(),
    .b_tx_payload_o(), .b_tx_credit_i(credit_a_i), .b_up_o(out_o[0]), .b_broken_o()
  );
endmodule
"""


def mapped():
    """The design as a netlist of cells, with a hierarchy; flip-flops are named as their outputs."""
    with tempfile.TemporaryDirectory() as directory:
        folder = flow.workspace(directory)
        (folder / "user.sv").write_text(DESIGN)
        flow.yosys("; ".join([
            f"read_liberty -lib {LIBERTY}",
            flow.read_rtl([*flow.files_of("muster_link_cdc"), "user.sv"]), "synth -top user",
            f"dfflibmap -liberty {LIBERTY}", f"abc -liberty {LIBERTY}", "opt_clean -purge",
            "delete t:$scopeinfo", "splitnets", "rename -wire", "opt_clean",
            "write_verilog -noattr -noexpr user.v"]), folder)
        return (folder / "user.v").read_text()


def stretched(netlist, instance, register):
    """The netlist with a chain of inverters in front of a register of the crossing."""
    part = re.search(rf"^  (\S+) +{re.escape(instance)} +\(", netlist, re.M)[1]
    begin = netlist.index(f"module {part} (")
    end = netlist.index("endmodule", begin)
    body = netlist[begin:end]
    cell = re.search(rf"DFFPOSX1 [^;]*?\.Q\(\\?{re.escape(register)} ?\)[^;]*;", body)[0]
    data = re.search(r"\.D\(([^)]*)\)", cell)[1]
    chain = "".join(f"  wire late{i};\n  INVX1 late_{i} (.A({data if i == 0 else f'late{i - 1}'}), "
                    f".Y(late{i}));\n" for i in range(CHAIN))
    late = cell.replace(f".D({data})", f".D(late{CHAIN - 1})")
    return netlist[:begin] + body.replace(cell, late) + chain + netlist[end:]


class ConstraintsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not LIBERTY.exists():
            raise RuntimeError(f"no {LIBERTY}: scripts/install-deps installs qflow-tech-osu018")
        cls.netlist = mapped()

    def sta(self, netlist, *commands, **settings):
        """What OpenSTA says to the commands after it has read the design and the constraints."""
        values = {"muster_link": "to_b"}
        for side in "ab":
            values[f"muster_{side}_clock"] = f"clk_{side}"
            values[f"muster_{side}_period"] = PERIODS[f"clk_{side}"]
        values = {name: value for name, value in {**values, **settings}.items() if value}
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            (folder / "user.v").write_text(netlist)
            script = "\n".join([
                f"read_liberty {LIBERTY}", f"read_verilog {folder}/user.v", "link_design user",
                *(f"create_clock -name {name} -period {period} {name}"
                  for name, period in PERIODS.items()),
                *(f"set {name} {value}" for name, value in values.items()), f"source {SDC}",
                *commands, "puts done"])
            # After an error in the script it would ask for commands.
            (folder / "run.tcl").write_text(f"catch {{\n{script}\n}} error\nputs $error\nexit\n")
            return subprocess.run(["sta", "-exit", folder / "run.tcl"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=True, timeout=120).stdout

    def between(self, netlist, first, second, kind="max"):
        """{register: (required, actual, slack)} of the paths from one clock to another."""
        log = self.sta(netlist, f"report_checks -path_delay {kind} -from [get_clocks {first}] "
                       f"-to [get_clocks {second}] -group_count 1000 -format end")
        self.assertIn("\ndone", log)
        return {name.replace("\\", "").removesuffix("DFFPOSX1"): tuple(map(float, numbers.split()))
                for name, numbers in
                re.findall(r"^(\S+)/D \(DFFPOSX1\)((?: +-?[\d.]+){3}) \(", log, re.M)}

    def test_every_path_through_the_crossing_is_limited_and_met(self):
        counts = {("clk_a", "clk_b"): 20 + 5 + 2 + 1, ("clk_b", "clk_a"): 5 + 2 * 3 + 2 + 1}
        for (first, second), count in counts.items():
            paths = self.between(self.netlist, first, second)
            crossing = {name: path for name, path in paths.items() if name.startswith("to_b/")}
            self.assertEqual(len(crossing), count, paths)
            for name, (required, _, slack) in crossing.items():
                self.assertTrue(LIMIT - SETUP < required <= LIMIT, (name, required))
                self.assertGreater(slack, 0, name)
            held = self.between(self.netlist, first, second, "min")
            self.assertFalse([name for name in held if name.startswith("to_b/")])

    def test_a_path_of_the_user_between_the_clocks_keeps_its_own_constraint(self):
        for kind in ("max", "min"):
            paths = self.between(self.netlist, "clk_a", "clk_b", kind)
            self.assertIn("own_o", paths)
            self.assertEqual(len([name for name in paths if name.startswith("other/")]), 28)
        # From edge to edge: the closest ones of 8 and 10.5 ns are half a nanosecond apart.
        for name, (required, _, slack) in self.between(self.netlist, "clk_a", "clk_b").items():
            if not name.startswith("to_b/"):
                self.assertGreater(required, LIMIT, name)
        log = self.sta(self.netlist, "report_checks -to [get_clocks clk_b] -from [get_cells own*]")
        self.assertNotIn("max_delay", log)
        self.assertRegex(log, r"clock clk_b \(rise edge\)")

    def test_a_path_that_is_too_long_is_a_violation(self):
        for instance, register, endpoint, clocks in (
                ("b_pointer", "meta_q[0]", "to_b/b_pointer/meta_q[0]", ("clk_a", "clk_b")),
                ("a_pointer", "meta_q[4]", "to_b/a_pointer/meta_q[4]", ("clk_b", "clk_a")),
                ("\\gen_class[1].a_counts", "meta_q[2]", "to_b/gen_class[1].a_counts/meta_q[2]",
                 ("clk_b", "clk_a")),
                ("b_alive", "meta_q[1]", "to_b/b_alive/meta_q[1]", ("clk_a", "clk_b")),
                ("memory", "word_o[7]", "to_b/memory/word_o[7]", ("clk_a", "clk_b"))):
            with self.subTest(endpoint):
                paths = self.between(stretched(self.netlist, instance, register), *clocks)
                required, actual, slack = paths[endpoint]
                self.assertTrue(required <= LIMIT < actual, paths[endpoint])
                self.assertLess(slack, 0)
                self.assertGreater(paths["to_b/memory/word_o[3]"][2] if clocks[0] == "clk_a"
                                   else paths["to_b/a_alive/meta_q[0]"][2], 0)

    def test_a_setting_that_is_missing_or_names_nothing_is_said(self):
        self.assertRegex(self.sta(self.netlist, muster_link=""), "muster_link is not set")
        self.assertRegex(self.sta(self.netlist, muster_link="lost"),
                         r"there is no register lost/b_alive/meta_q\*")

    def test_both_files_name_the_same_registers_and_these_exist(self):
        sdc = set()
        for listed in re.findall(r"clock \{([^}]*)\}", SDC.read_text()):
            sdc |= {name.replace("*", "") for name in listed.split()}
        xdc = set()
        for parts, register in re.findall(r"\{\.\*([^/}]*)/(\w+)_reg\.\*\}", XDC.read_text()):
            prefix, _, rest = parts.partition("(")
            parts = [prefix + each for each in rest.rstrip(")").split("|")]
            xdc |= {f"{part}/{register}" for part in parts}
        self.assertEqual(sdc, {name for name in xdc if "gray_q" not in name})
        self.assertEqual(len(xdc) - len(sdc), 3)
        top = (ROOT / "rtl/wrap/muster_link_cdc.sv").read_text()
        for name in xdc:
            part, register = name.split("/")
            module = re.search(rf"^ *(\w+) #\([^;]*?\)+ {part} \(", top, re.M)[1]
            text = (ROOT / f"rtl/wrap/{module}.sv").read_text()
            self.assertRegex(text, rf"\b{register} <=", name)


unittest.main()
