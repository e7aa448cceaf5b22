# SPDX-License-Identifier: Apache-2.0
"""The board-level system on the ULX3S board with an ECP5-25, for scripts/board."""

import json
import shutil

import ecp5_netlist
import flow
import mapping

TOP, DIVISOR = "board_ulx3s", 217
PINS = "synth/ulx3s.lpf"
TOOLS = flow.ROOT / "synth/nextpnr.py"


def make(sources, step, directory):
    """Writes board.json, board.placed.json, board.config, board.bit; gives (cells, of, block RAMs,
    MHz)."""
    step("install-deps", flow.run([flow.ROOT / "scripts/install-deps", "place"]))
    synthesis = mapping.SYNTHESIS["ecp5"].format(options="", top=TOP)
    script = (f"{flow.read_rtl(sources)}; {synthesis}; delete t:$scopeinfo; "
              "write_json board.json")
    step("yosys", flow.yosys(script, directory))
    # The tools do not follow links out of the directory.
    shutil.copy(flow.ROOT / PINS, directory / "board.lpf")
    step("nextpnr-ecp5", flow.run(
        [TOOLS, "nextpnr-ecp5", "--25k", "--package", "CABGA381", "--speed", "6",
         "--json", "board.json", "--lpf", "board.lpf", "--write", "board.placed.json",
         "--textcfg", "board.config", "--report", "board.report.json"], directory))
    step("ecppack", flow.run([TOOLS, "ecppack", "board.config", "board.bit"], directory))
    report = json.loads((directory / "board.report.json").read_text())
    used = report["utilization"]
    return (used["TRELLIS_COMB"]["used"], used["TRELLIS_COMB"]["available"],
            used["DP16KD"]["used"], min(c["achieved"] for c in report["fmax"].values()))


def read_back(_, directory):
    """The design as nextpnr wrote it, as Verilator's arguments."""
    ecp5_netlist.write(directory / "board.placed.json", directory / "board.chip.v", TOP)
    return ["-v", flow.ROOT / "synth/ecp5_cells.v", "board.chip.v"]
