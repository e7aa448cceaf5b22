# SPDX-License-Identifier: Apache-2.0
"""Places and routes designs: what they take of an FPGA, and how fast they are there."""

import dataclasses
import hashlib
import json
import re

import flow
import mapping

PINS = ("clk_i", "rst_ni", "serial_i", "serial_o")  # of the harness
REQUIREMENTS = "requirements-place.txt"


@dataclasses.dataclass(frozen=True)
class Chip:
    title: str
    family: str     # of mapping.SYNTHESIS
    command: tuple  # of nextpnr, without design and seed
    cell: str       # what its report calls a LUT, and a block RAM
    ram: str
    constraints: str = ""  # file that the command names


def ecp5(size):
    return Chip(f"ECP5-{size}", "ecp5",
                (flow.ROOT / "synth/nextpnr.py", "nextpnr-ecp5", f"--{size}k", "--package",
                 "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"),
                "TRELLIS_COMB", "DP16KD")


CHIPS = {
    "hx8k": Chip("iCE40 HX8K", "ice40", ("nextpnr-ice40", "--hx8k", "--package", "ct256",
                                        "--pcf-allow-unconstrained"),
                 "ICESTORM_LC", "ICESTORM_RAM"),
    "ecp5-25": ecp5(25), "ecp5-45": ecp5(45), "ecp5-85": ecp5(85),
    # All pins must have a place, any will do. router2, the default, finds no way from any pin to a
    # clock buffer (nextpnr 0.11.1).
    "nexus-40": Chip("Nexus LIFCL-40", "nexus",
                     (flow.ROOT / "synth/nextpnr.py", "nextpnr-nexus", "--device",
                      "LIFCL-40-9BG400C", "--router", "router1", "--pdc", "harness.pdc"),
                     "OXIDE_COMB", "OXIDE_EBR",
                     constraints="".join(
                         f"ldc_set_location -site {{{site}}} [get_ports {pin}]\n"
                         for pin, site in zip(PINS, ("L5", "G14", "E17", "F13"), strict=True))),
}


def needs_packages(chips):
    """True if one of these is placed by what `scripts/install-deps place` installs."""
    return any(CHIPS[chip].family in ("ecp5", "nexus") for chip in chips)


assert {chip.family for chip in CHIPS.values()} <= mapping.SYNTHESIS.keys()

# What nextpnr says when a design is too large, be it by a cell or by the room between cells.
FULL = re.compile(r"no Bels remaining|utilisation limit|Unable to (?:find legal|place)|no more")

# A block RAM of an ECP5 takes 5.8 ns to its output, so routing tables of up to so many entries are
# put into LUT RAM there.
TABLE_IN_LUTS = 64


def constraints(family, design):
    """Yosys commands that read the hierarchy and say which memory a part gets, where what its
    ram_style says does not suit the family."""
    dests = design["params"].get("Dests", design.get("dests", TABLE_IN_LUTS + 1))
    if family == "ecp5" and dests <= TABLE_IN_LUTS:
        return ('hierarchy -top harness; proc; '
                'setattr -set ram_style "distributed" *route_table*/m:*; ')
    return ""


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
    """Writes LABEL.FAMILY.netlist.json of a design {label, top, params} in its harness, or of one
    that is no module of rtl/ and has a file: {label, top, params, file, dests}; gives its digest.
    Raises RuntimeError with the log."""
    name, top = design["label"], design["top"]
    if "file" in design:
        module = flow.Module(flow.ROOT / design["file"])
    else:
        module = next(m for m in flow.modules() if m.name == top)
    files = [*flow.with_parts(module.text), module.path]
    # Files of their own for each family: they are made at the same time.
    ports, around, netlist = (f"{name}.{family}.{what}" for what in
                              ("ports.json", "harness.sv", "netlist.json"))
    settings = " ".join(f"-set {k} {v}" for k, v in design["params"].items())
    sized = f"chparam {settings} {top}; " if settings else ""
    script = (f"{flow.read_rtl(files)}; {sized}hierarchy -check -top {top}; "
              f"rename -top {top}; proc; check -assert; write_json {ports}")
    synthesis = mapping.SYNTHESIS[family].format(options="", top="harness")
    synthesis = constraints(family, design) + synthesis
    mapped = (f"{flow.read_rtl([*files, around])}; {synthesis}; delete t:$scopeinfo; "
              f"write_json {netlist}")

    def make():
        status, log = flow.yosys(script, directory)
        if status == 0:
            found = json.loads((directory / ports).read_text())["modules"][top]["ports"]
            (directory / around).write_text(harness(top, design["params"], found))
            status, log = flow.yosys(mapped, directory)
        if status != 0:
            raise RuntimeError(f"{name}, {family}:\n{log}")
        return hashlib.sha256((directory / netlist).read_bytes()).hexdigest()

    known = directory / f"{netlist}.key"
    if not (directory / netlist).exists():
        known.unlink(missing_ok=True)
    return mapping.kept(known, mapping.key(f"{script}; {synthesis}", directory, "requirements.txt"),
                       make)


def place(design, netlist, chip_name, seed, directory):
    """{cells, ram, mhz, path, seconds} of the netlist of this digest, which make_netlist has made,
    or {cells, seconds} if the chip is too small; raises RuntimeError with the log."""
    chip = CHIPS[chip_name]
    name = f"{design['label']}.{chip_name}.{seed}"
    if chip.constraints:
        (directory / "harness.pdc").write_text(chip.constraints)
    command = [*map(str, chip.command), "--json", f"{design['label']}.{chip.family}.netlist.json",
               "--seed", str(seed), "--timing-allow-fail", "--report", f"{name}.report.json"]

    def make():
        status, log, seconds = flow.timed(command, directory)
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

    made_from = mapping.key(" ".join([*command[1:], netlist]), directory, REQUIREMENTS)
    return mapping.kept(directory / f"{name}.result.json", made_from, make)
