# SPDX-License-Identifier: Apache-2.0
"""What the built parameter sets take: the table of rtl/README.md and the line of README.md, from
the synthesis report."""

import json

import flow
import synth_goals
import tables

PAGE = "rtl/README.md"
HEADER = ("configuration", "top module", "iCE40 LUT", "FF", "RAM", "ECP5 LUT", "Xilinx 7 LUT",
          "cells placed on HX8K", "MHz", "MHz on ECP5")
SHOWN = "sw4"  # the configuration that README.md speaks of


def rows(report):
    """A row for each configuration that the report has, in the order of their list."""
    listed = json.loads((flow.ROOT / "rtl/configurations.json").read_text())["configurations"]
    found = {(row["configuration"], row["module"]): row for row in report["modules"]}
    placed = {(row["configuration"], row["chip"]): row for row in report["placed"]}
    for name, top in ((c["name"], c["top"]) for c in listed):
        if row := found.get((name, top)):
            chips = [placed.get((name, chip), {}) for chip in ("hx8k", "ecp5-25")]
            speeds = [f"{chip['mhz']:.0f}" if "mhz" in chip else "" for chip in chips]
            yield (name, f"`{top}`", *(row["ice40"].get(what, 0) for what in ("lut", "ff", "ram")),
                   row["ecp5"].get("lut", 0), row["xc7"].get("lut", 0),
                   chips[0].get("cells", ""), *speeds)


def total(report, families):
    goals = synth_goals.rows(report, families)
    met = sum(row[-1] == "met" for row in goals)
    luts, *_, hx8k, ecp5 = next(row[2:] for row in rows(report) if row[0] == SHOWN)
    speeds = " and ".join(f"{mhz} MHz on an {chip}"
                          for mhz, chip in ((hx8k, "HX8K"), (ecp5, "ECP5")) if mhz != "")
    found = f"takes {luts} iCE40 LUTs" + (f" and runs at {speeds}" if speeds else "")
    return (f"- **[Synthesis](synth/report.md)**: `{SHOWN}`, a barrier switch of 4 ports, {found}; "
            f"{met} of {len(goals)} [goals](synth/report.md#goals) are met.")


def write(report, families):
    tables.put(PAGE, "sizes", HEADER, list(rows(report)))
    tables.put_total("synthesis", total(report, families))
