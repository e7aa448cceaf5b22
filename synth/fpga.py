# SPDX-License-Identifier: Apache-2.0
"""Maps designs to FPGAs by Yosys, and places and routes them by nextpnr, or maps them to standard
cells, which OpenSTA times: what they take, and how fast they are. Results of long jobs are kept in
a workspace: a run that was stopped goes on where it was, and what is made from the same files by
the same tools is not made again."""

import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import math
import os
import pathlib
import re
import sys
import time

import flow

SYNTHESIS = {
    "ice40": "synth_ice40 {options} -top {top}",
    "ecp5": "synth_ecp5 {options} -top {top}",
    "xc7": "synth_xilinx -family xc7 -noiopad -noclkbuf -top {top}",
    "nexus": "synth_nexus -family lifcl {options} -top {top}",
}
ASIC = "osu018"  # the family of standard cells
TARGETS = ("ice40", "ecp5", "xc7", ASIC)  # of the report
# The report says what a design takes. For depth Yosys makes functions of five to seven inputs for
# an ECP5, two to eight LUTs each: module by module that takes 1.5 times the LUTs of a 4-port switch
# mapped as a whole, and four times those of an 8 x 8 box. What is placed wants speed: there Yosys
# has that choice.
SMALLEST = {"ice40": "-noflatten", "ecp5": "-noflatten -nowidelut", "xc7": ""}
USUAL = {**SMALLEST, "ecp5": "-noflatten"}
LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
NAND2, FLIP_FLOP, MUX2 = 24, 96, 48  # areas there; that of the first is a gate equivalent
TABLES = "t:$mem_v2 r:SIZE>=64 %i"  # what a chip has in SRAM
LATCHES = flow.ROOT / "synth/latch.v"
# The library's one flip-flop with an asynchronous reset has a set too, and 1.8 times the area.
RESETS = "; ".join(f"chtype -set $_SDFF{enable}_P{kind}_ t:$_DFF{enable}_P{kind}_"
                   for enable, on in (("", ""), ("E", "P"), ("E", "N"))
                   for kind in (f"N0{on}", f"N1{on}", f"P0{on}", f"P1{on}"))
TO_CELLS = (
    # OpenSTA does not find a port that has an index of a generate block within its name.
    "synth -flatten -top {top} -run :fine; rename -hide w:*gen_*; "
    "tee -q -o {file}.tables dump " + TABLES + "; "
    "submod -name tables " + TABLES + "; select tables; write_verilog -selected -noattr "
    "{file}.tables.v; select -clear; cd {top}; expose -evert t:tables; cd ..; delete tables; "
    "synth -noabc -run fine:check; " + RESETS + f"; techmap -map {LATCHES}; "
    f"dfflibmap -liberty {LIBERTY}; abc -liberty {LIBERTY} -constr {{file}}.constr "
    "-script +strash;&get,-n;&fraig,-x;&put;scorr;dc2;strash;"
    "dch,-f;map,-B,0.9;topo;buffer,-N,16;upsize;dnsize; opt_clean -purge; tee -q -o {file} "
    f"stat -json -liberty {LIBERTY}; delete t:$scopeinfo; select -assert-none t:$*; splitnets "
    "-ports; opt_clean -purge; rename {top} top; write_verilog -noattr -noexpr {file}.v")
# One ideal clock, also at inputs, outputs and tables.
TIMING = f"""\
read_liberty {LIBERTY}
read_verilog {{file}}.v
link_design top
create_clock -name pins -period 1000
catch {{{{create_clock -name clk -period 1000 [get_ports *clk*]}}}}
set_input_delay 0 -clock pins [all_inputs]
set_output_delay 0 -clock pins [all_outputs]
report_checks -digits 3
"""
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

TOOL = flow.ROOT / "synth/tool.py"
PINS = {"clk_i": "L5", "rst_ni": "G14", "serial_i": "E17", "serial_o": "F13"}
# Places of the harness's pins on a Nexus, which wants one for each; any will do.
PLACES = "".join(f"ldc_set_location -site {{{site}}} [get_ports {pin}]\n"
                 for pin, site in PINS.items())


@dataclasses.dataclass(frozen=True)
class Chip:
    title: str
    family: str     # of SYNTHESIS
    command: tuple  # of nextpnr, without design and seed
    cell: str       # what its report calls a LUT, and a block RAM
    ram: str


def ecp5(size):
    return Chip(f"ECP5-{size}", "ecp5",
                (TOOL, "nextpnr-ecp5", f"--{size}k", "--package", "CABGA381", "--speed", "6",
                 "--lpf-allow-unconstrained"), "TRELLIS_COMB", "DP16KD")


CHIPS = {
    "hx8k": Chip("iCE40 HX8K", "ice40", ("nextpnr-ice40", "--hx8k", "--package", "ct256",
                                        "--pcf-allow-unconstrained"),
                 "ICESTORM_LC", "ICESTORM_RAM"),
    "ecp5-25": ecp5(25), "ecp5-85": ecp5(85),
    # router2, the default, finds no way from any pin to a clock buffer (nextpnr 0.11.1).
    "nexus-40": Chip("Nexus LIFCL-40", "nexus",
                     (TOOL, "nextpnr-nexus", "--device", "LIFCL-40-9BG400C", "--router", "router1",
                      "--pdc", "harness.pdc"), "OXIDE_COMB", "OXIDE_EBR"),
}
# What nextpnr says when a design is too large, be it by a cell or by the room between cells.
FULL = re.compile(r"no Bels remaining|utilisation limit|Unable to (?:find legal|place)|no more|"
                  r"Failed to expand region")
# A block RAM of an ECP5 takes 5.8 ns to its output, so routing tables of up to so many entries are
# put into LUT RAM there, where their ram_style says nothing else.
TABLE_IN_LUTS = 64
IN_LUTS = 'hierarchy -top harness; proc; setattr -set ram_style "distributed" *route_table*/m:*; '


# Jobs

def key(script, directory, versions):
    """A digest of a command and of the sources that it names, as seen in `directory`, with what
    they may include, and of the requirements file that says the versions of its tools."""
    digest = hashlib.sha256(script.encode())
    named = [directory / name for name in re.findall(r"\brtl/\S+\.sv\b", script)]
    for path in [*named, *sorted((flow.ROOT / "rtl").glob("*/*.svh")),
                 flow.ROOT / "synth" / versions]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kept(path, made_from, make):
    """What make() gives, or what it gave before, as JSON, if it was made from the same."""
    if path.exists():
        before = json.loads(path.read_text())
        if before["key"] == made_from:
            return before["result"]
    value = make()
    flow.replace(path, json.dumps({"key": made_from, "result": value}))
    return value


def copy(name, text, directory):
    """The name of a file of `directory` with this text, of which it has a digest for key()."""
    file = directory / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.sv"
    file.write_text(text)
    return file.name


def run(jobs, seconds, function, workers=os.cpu_count()):
    """The first result of function(job) for each job, those begun first that take longest; says on
    the terminal by the second results which are done, and about how long the rest takes."""
    begun, done, results = time.monotonic(), 0, {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
        futures = {pool.submit(function, jobs[i]): i
                   for i in sorted(range(len(jobs)), key=lambda i: -seconds[i])}
        try:
            for future in concurrent.futures.as_completed(futures):
                i = futures[future]
                results[i], said = future.result()
                done += seconds[i]
                minutes = (time.monotonic() - begun) / done * (sum(seconds) - done) / 60
                left = f"; about {minutes:.0f} minutes left" if len(results) < len(jobs) else ""
                print(f"synth: {len(results)} of {len(jobs)}: {said}{left}", file=sys.stderr,
                      flush=True)
        except RuntimeError:
            pool.shutdown(cancel_futures=True)
            raise
    return [results[i] for i in range(len(jobs))]


# Mapping

def count(statistics, name):
    """Cells of a module and all its parts, by column."""
    total = collections.Counter()
    for cell, number in statistics[name]["num_cells_by_type"].items():
        # A module without parameters has a backslash in its own name only.
        part = cell if cell in statistics else "\\" + cell
        if part in statistics:
            for column, n in count(statistics, part).items():
                total[column] += n * number
        for pattern, column, weight in CELLS:
            if re.fullmatch(pattern, cell):
                total[column] += weight * number
    return total


def map_design(label, setup, top, target, directory, options=None):
    """Columns of `top`, which are those of it and all its parts, and "levels": cells on the longest
    path between flip-flops, memories and pins. Raises RuntimeError with the log."""
    file = f"{label}.{target}.json"
    # Before mapping: what drives a net twice is quietly resolved there.
    script = f"{setup}; hierarchy -check -top {top}; rename -top {top}; proc; check -assert; "
    if target == ASIC:
        script += TO_CELLS.format(top=top, file=file)
    else:
        synthesis = SYNTHESIS[target].format(options=(options or SMALLEST)[target], top=top)
        script += (f"setattr -mod -set keep_hierarchy 1 *; setattr -mod -unset keep_hierarchy "
                   f"{SMALL}; flatten; setattr -mod -unset keep_hierarchy *; "
                   f"tee -q -o {file}.log {synthesis}; tee -q -o {file} stat -json; "
                   f"flatten; delete {STATE}; tee -q -o {file}.path ltp -noff")

    def make():
        # About what a flip-flop drives, and fF of outputs.
        (directory / f"{file}.constr").write_text("set_driving_cell INVX2\nset_load 20\n")
        flow.yosys(script, directory, f"{label}, {target}")
        if target == ASIC:
            (directory / f"{file}.tcl").write_text(TIMING.format(file=file))
            log = flow.must(["sta", "-exit", f"{file}.tcl"], directory, f"{label}, {target}")
            if "Error:" in log:  # it goes on after one
                raise RuntimeError(f"{label}, {target}:\n{log}")
            (directory / f"{file}.path").write_text(log)
        return True
    kept(directory / f"{file}.result", key(script, directory, "requirements.txt"), make)
    return (cells_of(file, directory) if target == ASIC else
            columns_of(file, top, target, directory))


def cells_of(file, directory):
    """Thousands of gate equivalents, also without tables, and the longest path without tables."""
    area = round(json.loads((directory / file).read_text())["design"].get("area", 0))
    tables = 0
    for cell in (directory / f"{file}.tables").read_text().split("cell $mem_v2")[1:]:
        words, width, reads = (int(re.search(rf"\\{name} (\d+)\n", cell)[1])
                               for name in ("SIZE", "WIDTH", "RD_PORTS"))
        tables += words * width * (FLIP_FLOP + MUX2 * (1 + reads))
    slacks = re.findall(r"([\d.]+) +slack", (directory / f"{file}.path").read_text())
    return {"kge": round((area + tables) / NAND2 / 1000, 3),
            "logic_kge": round(area / NAND2 / 1000, 3),
            "ns": round(1000 - min(map(float, slacks), default=1000), 3)}


def columns_of(file, top, target, directory):
    """The columns of `top` from what Yosys wrote of a design."""
    statistics = json.loads((directory / file).read_text())["modules"]
    used = count(statistics, "\\" + top)
    lengths = re.findall(r"length=(\d+)", (directory / f"{file}.path").read_text())
    used["levels"] = max(map(int, lengths), default=0)
    if target == "ecp5":
        # Of each module that abc9 has mapped; a flattened design is one.
        depths = re.findall(r"Mapping \(K=\d+\).*lev = +(\d+)",
                            (directory / f"{file}.log").read_text())
        used["abc9"] = max(map(int, depths), default=0)
    return used


# Placing

def harness(top, params, ports):
    """A top with four pins around the design."""
    inputs = [(p, len(d["bits"])) for p, d in ports.items()
              if d["direction"] == "input" and p not in PINS]
    outputs = [(p, len(d["bits"])) for p, d in ports.items() if d["direction"] == "output"]
    connections = []
    for vector, group in (("in_q", inputs), ("out", outputs)):
        at = 0
        for port, width in group:
            connections.append(f"    .{port}({vector}[{at}+:{width}])")
            at += width
    bits_in, bits_out = sum(w for _, w in inputs), sum(w for _, w in outputs)
    values = ", ".join(f".{k}({v})" for k, v in params.items())
    values = f"#({values}) " if values else ""
    return "\n".join([
        "module harness (input clk_i, input rst_ni, input serial_i, output logic serial_o);",
        f"  logic [{bits_in - 1}:0] in_q;", f"  logic [{bits_out - 1}:0] out, out_q;",
        "  always_ff @(posedge clk_i) begin", f"    in_q <= {bits_in}'({{in_q, serial_i}});",
        "    out_q <= out;", "    serial_o <= ^out_q;", "  end",
        f"  {top} {values}dut (", "    .clk_i, .rst_ni,",
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
        place = re.sub(r"\.mem\b.*", "", net.removeprefix("dut.").rpartition(".")[0])
        if place and place not in through[-1:]:
            through.append(place)
    return {"levels": len(kinds["logic"]), "through": through,
            "routing": round(100 * sum(kinds["routing"]) / sum(s["delay"] for s in path))}


def make_netlist(design, family, directory):
    """Writes LABEL.FAMILY.netlist.json of a design {label, top, params} in its harness; gives its
    digest. One that is no module of rtl/ has a `text`. Raises RuntimeError with the log."""
    name, top = design["label"], design["top"]
    if text := design.get("text"):
        files = [*flow.with_parts(text), copy(top, text, directory)]
    else:
        files = design.get("files") or flow.files_of(top)
    # Files of their own for each family: they are made at the same time.
    ports, around, netlist = (f"{name}.{family}.{what}" for what in
                              ("ports.json", "harness.sv", "netlist.json"))
    script = "; ".join([*flow.read_sized(top, design["params"], files),
                        f"hierarchy -check -top {top}", f"rename -top {top}", "proc",
                        "check -assert", f"write_json {ports}"])
    synthesis = SYNTHESIS[family].format(options="", top="harness")
    if (family == "ecp5" and
            design["params"].get("Dests", design.get("dests", math.inf)) <= TABLE_IN_LUTS):
        synthesis = IN_LUTS + synthesis

    def make():
        flow.yosys(script, directory, f"{name}, {family}")
        found = json.loads((directory / ports).read_text())["modules"][top]["ports"]
        (directory / around).write_text(harness(top, design["params"], found))
        flow.yosys(f"{flow.read_rtl([*files, around])}; {synthesis}; delete t:$scopeinfo; "
                   f"write_json {netlist}", directory, f"{name}, {family}")
        return hashlib.sha256((directory / netlist).read_bytes()).hexdigest()

    known = directory / f"{netlist}.key"
    if not (directory / netlist).exists():
        known.unlink(missing_ok=True)
    return kept(known, key(f"{script}; {synthesis}", directory, "requirements.txt"), make)


def place(design, netlist, chip_name, seed, directory):
    """{cells, ram, mhz, path, seconds} of the netlist of this digest, which make_netlist has made,
    or {cells, seconds} if the chip is too small; raises RuntimeError with the log."""
    chip = CHIPS[chip_name]
    name = f"{design['label']}.{chip_name}.{seed}"
    command = [*chip.command, "--json", f"{design['label']}.{chip.family}.netlist.json",
               "--seed", str(seed), "--timing-allow-fail", "--report", f"{name}.report.json"]

    def make():
        status, log, seconds, _ = flow.timed(command, directory)
        (directory / f"{name}.log").write_text(log)
        if status != 0:
            used = re.findall(rf"{chip.cell}: *(\d+)/ *\d+ ", log)
            if used and FULL.search(log):
                return {"cells": int(used[0]), "seconds": seconds}
            raise RuntimeError(f"{design['name']}, {chip.title}, seed {seed}:\n{log[-3000:]}")
        report = json.loads((directory / f"{name}.report.json").read_text())
        used = {cell: n["used"] for cell, n in report["utilization"].items()}
        return {"cells": used[chip.cell], "ram": used[chip.ram], "seconds": round(seconds, 1),
                "mhz": round(min(c["achieved"] for c in report["fmax"].values()), 2),
                "path": critical_path(report)}

    made_from = key(" ".join([*command[1:], netlist]), directory, "requirements-place.txt")
    return kept(directory / f"{name}.result.json", made_from, make)
