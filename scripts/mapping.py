# SPDX-License-Identifier: Apache-2.0
"""Maps designs to FPGAs: what they take, and how fast a placed one is."""

import collections
import json
import re

import flow

HX8K_CELLS = 7680
TARGETS = {
    "ice40": "synth_ice40 -noflatten -top {top}",
    "ecp5": "synth_ecp5 -noflatten -top {top}",
    "xc7": "synth_xilinx -family xc7 -noiopad -noclkbuf -top {top}",
}
# Parts of a few gates: mapped with the module around them, as in a design without hierarchy.
SMALL = "*above_lowest*"
# Where a path ends.
STATE = "t:SB_DFF* t:TRELLIS_FF t:FD* t:SB_RAM40* t:DP16KD t:RAMB* t:TRELLIS_DPR* t:RAM32* t:RAM64*"
# Columns that a cell counts in, and how often; an iCE40 carry shares the place of its LUT, a
# carry of series 7 that of LUTs which are counted.
CELLS = [
    (r"SB_LUT4|LUT[1-6]", "lut", 1), (r"CCU2C", "lut", 2), (r"TRELLIS_DPR16X4", "lut", 4),
    (r"RAM32M|RAM64M", "lut", 4), (r"RAM(32|64)X1D", "lut", 2), (r"SRL16E|SRLC32E", "lut", 1),
    (r"SB_DFF\w*|TRELLIS_FF|FD[RSCP]E\w*", "ff", 1),
    (r"SB_RAM40\w*|DP16KD|RAMB18E1|RAMB36E1", "ram", 1),
    (r"SB_MAC16|MULT18X18D|DSP48E1", "dsp", 1),
]


def module_name(key):
    """`$paramod\\rr_arbiter\\N=32'...0100` is `rr_arbiter N=4`, `$paramod$hash\\fifo` is `fifo`."""
    parts = key.split("\\")
    values = [f" {name}={int(bits, 2)}" for name, bits in
              re.findall(r"(\w+)=\d+'([01]+)", "\\".join(parts[2:]))]
    return parts[1] + "".join(values)


def count(statistics, key):
    """Cells of a module and all its parts, by column."""
    total = collections.Counter()
    for cell, number in statistics[key]["num_cells_by_type"].items():
        if cell in statistics:
            for column, n in count(statistics, cell).items():
                total[column] += n * number
        for pattern, column, weight in CELLS:
            if re.fullmatch(pattern, cell):
                total[column] += weight * number
    return total


def map_design(label, setup, top, target, directory):
    """{module: columns} of `top` and its parts, and "levels" of the whole: cells on the longest
    path between flip-flops, memories and pins. Raises RuntimeError with the log."""
    file = f"{label}.{target}.json"
    # Before mapping: what drives a net twice is quietly resolved there.
    script = (f"{setup}; hierarchy -check -top {top}; rename -top {top}; proc; check -assert; "
              f"setattr -mod -set keep_hierarchy 1 *; setattr -mod -unset keep_hierarchy {SMALL}; "
              "flatten; setattr -mod -unset keep_hierarchy *; "
              f"tee -q -o {file}.log {TARGETS[target].format(top=top)}; "
              f"tee -q -o {file} stat -json; "
              f"flatten; delete {STATE}; tee -q -o {file}.path ltp -noff")
    status, log = flow.yosys(script, directory)
    if status != 0:
        raise RuntimeError(f"{label}, {target}:\n{log}")
    statistics = json.loads((directory / file).read_text())["modules"]
    lengths = re.findall(r"length=(\d+)", (directory / f"{file}.path").read_text())
    used = {}
    for key in statistics:
        name = module_name(key)
        while name in used:  # parameters that Yosys does not write out
            name += "'"
        used[name] = count(statistics, key)
    used[top]["levels"] = max((int(n) for n in lengths), default=0)
    if target == "ecp5":
        # Of each module that abc9 has mapped; a flattened design is one.
        depths = re.findall(r"Mapping \(K=\d+\).*lev = +(\d+)",
                            (directory / f"{file}.log").read_text())
        used[top]["abc9"] = max((int(n) for n in depths), default=0)
    return used


def harness(top, params, ports):
    """A top with four pins around the design."""
    inputs = [(p, len(d["bits"])) for p, d in ports.items()
              if d["direction"] == "input" and p not in ("clk_i", "rst_ni")]
    outputs = [(p, len(d["bits"])) for p, d in ports.items() if d["direction"] == "output"]
    connections = []
    for vector, group in (("in_q", inputs), ("out", outputs)):
        at = 0
        for port, width in group:
            connections.append(f"    .{port}({vector}[{at}+:{width}])")
            at += width
    bits_in, bits_out = sum(w for _, w in inputs), sum(w for _, w in outputs)
    values = ", ".join(f".{k}({v})" for k, v in params.items())
    return "\n".join([
        "module harness (input clk_i, input rst_ni, input serial_i, output logic serial_o);",
        f"  logic [{bits_in - 1}:0] in_q;", f"  logic [{bits_out - 1}:0] out, out_q;",
        "  always_ff @(posedge clk_i) begin", f"    in_q <= {{in_q[{bits_in - 2}:0], serial_i}};",
        "    out_q <= out;", "    serial_o <= ^out_q;", "  end",
        f"  {top} #({values}) dut (", "    .clk_i, .rst_ni,",
        ",\n".join(connections), "  );", "endmodule", ""])


def critical_path(report):
    """The longest path between flip-flops in nextpnr's report: its levels of logic, the share of
    routing in its delay in percent, and the parts of the design that it runs through, in order."""
    path = max((p["path"] for p in report["critical_paths"]
                if p["from"].startswith("posedge") and p["to"].startswith("posedge")),
               key=lambda path: sum(step["delay"] for step in path))
    kinds = {kind: [s["delay"] for s in path if s["type"] == kind] for kind in ("logic", "routing")}
    through = []
    for step in path:
        net = re.sub(r"\bgen_\w+(\[\d+\])?\.", "", step.get("net", ""))
        place = net.removeprefix("dut.").rpartition(".")[0]
        if place and place not in through[-1:]:
            through.append(place)
    return {"levels": len(kinds["logic"]), "through": through,
            "routing": round(100 * sum(kinds["routing"]) / sum(s["delay"] for s in path))}


def place(name, setup, top, params, files, seeds, directory):
    """Logic cells, block RAMs, MHz and the critical path (of the seed with the median of MHz) on
    HX8K; raises RuntimeError with the log."""
    script = (f"{setup}; hierarchy -check -top {top}; rename -top {top}; "
              f"proc; check -assert; write_json {name}.ports.json")
    status, log = flow.yosys(script, directory)
    if status == 0:
        ports = json.loads((directory / f"{name}.ports.json").read_text())["modules"][top]["ports"]
        (directory / f"{name}.harness.sv").write_text(harness(top, params, ports))
        script = (f"{flow.read_rtl([*files, f'{name}.harness.sv'])}; synth_ice40 -top harness; "
                  f"delete t:$scopeinfo; write_json {name}.placed.json")
        status, log = flow.yosys(script, directory)
    results = []
    for seed in seeds:
        if status == 0:
            status, log = flow.run(
                ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", f"{name}.placed.json",
                 "--seed", seed, "--pcf-allow-unconstrained", "--timing-allow-fail",
                 "--report", f"{name}.hx8k.json"], directory)
            (directory / f"{name}.hx8k.log").write_text(log)
        if status == 0:
            report = json.loads((directory / f"{name}.hx8k.json").read_text())
            mhz = min(clock["achieved"] for clock in report["fmax"].values())
            results.append((mhz, seed, critical_path(report)))
    if status != 0:
        raise RuntimeError(f"{name}, HX8K:\n{log[-3000:]}")
    used = {cell: n["used"] for cell, n in report["utilization"].items()}
    mhz, _, path = sorted(results)[len(results) // 2]
    return {"cells": used["ICESTORM_LC"], "ram": used["ICESTORM_RAM"], "mhz": mhz, "path": path}
