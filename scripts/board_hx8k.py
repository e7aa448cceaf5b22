# SPDX-License-Identifier: Apache-2.0
"""The board-level system on Lattice's iCE40-HX8K breakout board, for scripts/board."""

import json
import pathlib
import re
import shutil

import flow

TOP, DIVISOR = "board_top", 104
PINS = "synth/board.pcf"
MHZ = 12


def make(sources, step, directory):
    """Writes board.json, board.asc, board.bin; gives (cells, of, block RAMs, MHz)."""
    script = (f"{flow.read_rtl(sources)}; synth_ice40 -top {TOP}; delete t:$scopeinfo; "
              "write_json board.json")
    step("yosys", flow.yosys(script, directory))
    step("nextpnr-ice40", flow.run(
        ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "board.json", "--pcf", PINS,
         "--freq", MHZ, "--asc", "board.asc", "--report", "board.report.json"], directory))
    step("icepack", flow.run(["icepack", "board.asc", "board.bin"], directory))
    report = json.loads((directory / "board.report.json").read_text())
    used = report["utilization"]
    return (used["ICESTORM_LC"]["used"], used["ICESTORM_LC"]["available"],
            used["ICESTORM_RAM"]["used"], min(c["achieved"] for c in report["fmax"].values()))


def read_back(step, directory):
    """What icebox_vlog finds in the placed and routed design, as Verilator's arguments."""
    text = step("icebox_vlog", flow.run(
        ["icebox_vlog", "-s", "-n", TOP, "-p", PINS, "board.asc"], directory))
    # It declares ports a second time, which Verilog allows where their directions stand apart.
    ports = re.findall(r"(input|output) (\\?[^\s,)]+)", text.partition(";")[0])
    names = ", ".join(f"{name} " for _, name in ports)
    directions = "\n".join(f"{direction} {name} ;" for direction, name in ports)
    body = text.partition(";")[2]
    (directory / "board.chip.v").write_text(f"module {TOP} ({names});\n{directions}\n{body}")
    # Models of the cells that are not plain logic, from the Yosys that brings yosys-smtbmc.
    cells = pathlib.Path(shutil.which("yosys")).resolve().parent.parent
    return ["-DNO_ICE40_DEFAULT_ASSIGNMENTS", "-v", cells / "share/yosys/ice40/cells_sim.v",
            "board.chip.v"]
