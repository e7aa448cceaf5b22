# SPDX-License-Identifier: Apache-2.0
"""The power of a switch of standard cells, estimated from the toggles of recorded runs: what a cell
takes inside by the liberty file, and the charge of the pins that it drives. The netlist runs behind
muster_clock_gate as a model in lockstep with golden, so it does what the RTL does."""

import bisect
import collections
import functools
import json
import re

import flow
import fpga

RUN = ("run topologies/ring.anynet --group all --seed 1 --engine lockstep --no-skip "
       "--wave-only sw1")
RUNS = {"idle": "--barriers 1 --warmup 2000", "barriers": "--barriers 200 --spread 0",
        "load 0.3": "--barriers 1 --warmup 2000 --load 0.3"}
FIRST, CYCLES, NS = 100, 1800, 10  # cycles that count, and of how many ns
PARTS = ("clock", "registers", "gates")
SLEW = 0.24  # ns, of all nets
GROUP = re.compile(r'(\w+)\s*\(([^)]*)\)\s*([{;])|(\w+)\s*:\s*"?([^;"]*)"?\s*;|\}')
WAKE = ("rx_valid_i", "tx_credit_i", "reg_valid_i")


@functools.cache
def library():
    """A group of the liberty file is its attributes and, by kind, lists of groups."""
    stack = [{}]
    text = re.sub(r"/\*.*?\*/", "", fpga.LIBERTY.read_text(), flags=re.DOTALL)
    for kind, name, opens, key, value in GROUP.findall(text):
        if opens == "{":
            stack.append({"name": name})
            stack[-2].setdefault(kind, []).append(stack[-1])
        elif kind or key:
            stack[-1][kind or key] = name or value
        else:
            stack.pop()
    return stack[0]["library"][0]


@functools.cache
def pins(cell):
    """{pin: its group} of a cell, and its own group."""
    (found,) = (each for each in library()["cell"] if each["name"] == cell)
    return {pin["name"]: pin for pin in found["pin"]}, found


def between(axis, values, at):
    """The value at a point of an axis; beyond its ends that of the end."""
    at = min(max(at, axis[0]), axis[-1])
    i = min(bisect.bisect(axis, at), len(axis) - 1)
    share = (at - axis[i - 1]) / (axis[i] - axis[i - 1])
    return values[i - 1] + (values[i] - values[i - 1]) * share


@functools.cache
def energy(cell, pin, load):
    """pJ that a cell takes inside when a pin toggles: the mean of rise and fall, and of the inputs
    that make an output toggle."""
    found = []
    for group in pins(cell)[0][pin].get("internal_power", []):
        for table in group["rise_power"] + group["fall_power"]:
            *loads, slews, values = (list(map(float, re.findall(r"[-\d.e]+", table[key])))
                                     for key in ("index_1", "index_2", "values") if key in table)
            row = [between(slews, values[at:at + len(slews)], SLEW)
                   for at in range(0, len(values), len(slews))]
            found.append(between(loads[0], row, load) if loads else row[0])
    return sum(found) / max(1, len(found))


def power(cells, toggles, edges, cycles):
    """mW by part of cells [(type, {pin: net})] whose nets toggled so often, and whose clock so
    often, in so many cycles. What leaks is of the gates."""
    loads = collections.Counter()
    for cell, nets in cells:
        for pin, net in nets.items():
            loads[net] += float(pins(cell)[0][pin]["capacitance"])
    total = dict.fromkeys(PARTS, 0.0)  # pJ
    half = float(library()["nom_voltage"]) ** 2 / 2
    for cell, nets in cells:
        of, itself = pins(cell)
        total["gates"] += float(itself["cell_leakage_power"]) * cycles * NS / 1e6
        for pin, net in nets.items():
            part, times, load = "registers" if "ff" in itself else "gates", toggles[net], 0
            if of[pin].get("clock"):
                part, times, load = "clock", edges, float(of[pin]["capacitance"])
            elif of[pin]["direction"] == "output":
                load = loads[net]
            total[part] += times * (energy(cell, pin, round(load, 3)) + half * load)
    return {part: found / cycles / NS for part, found in total.items()}


def netlist(file, directory):
    """The netlist's ports {name: {index: (net, direction)}} and cells [(type, {pin: net})]; and
    writes the cells' Verilog."""
    flow.yosys(
        f"read_verilog {file}.v; write_json {file}.nets; delete; read_liberty -ignore_miss_func "
        f"{fpga.LIBERTY}; write_verilog -noattr {file}.cells.v", directory)
    top = json.loads((directory / f"{file}.nets").read_text())["modules"]["top"]
    ports = collections.defaultdict(dict)
    for name, port in top["ports"].items():
        base, index = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", name).groups()
        ports[base][int(index or 0)] = wire(port["bits"]), port["direction"]
    return ports, [(cell["type"], {pin: wire(bits) for pin, bits in cell["connections"].items()})
                   for cell in top["cells"].values()]


def wire(bits):
    return f"n{bits[0]}" if isinstance(bits[0], int) else f"1'b{bits[0]}"


def model(top, ports, cells):
    """The Verilog of the cells as a module with the ports of `top`, with its tables and a gate for
    its clock."""
    width = {name: max(bits) + 1 for name, bits in ports.items()}
    heads, lines, tables = [], [], []
    for name, bits in ports.items():
        if name.startswith("tables."):
            nets = (bits.get(i, ("1'b0",))[0] for i in reversed(range(width[name])))
            tables.append(f".\\{name.removeprefix('tables.')} ({{{', '.join(nets)}}})")
            continue
        heads.append(f"{bits[0][1]} [{width[name] - 1}:0] {name}")
        for i, (net, direction) in bits.items() if name != "clk_i" else ():
            sides = (net, f"{name}[{i}]") if direction == "input" else (f"{name}[{i}]", net)
            lines.append("assign {} = {};".format(*sides))
    nets = {net for bits in ports.values() for net, _ in bits.values()}
    nets |= {net for _, of in cells for net in of.values()}
    return "\n".join([
        f"module {top} ({', '.join(heads)});",
        *(f"wire {net};" for net in sorted(nets) if net[0] == "n"),
        f"muster_clock_gate #({sum(width[name] for name in WAKE)}) gate (clk_i, rst_ni, "
        f"quiescent_o, {{{', '.join(WAKE)}}}, {ports['clk_i'][0][0]});", *lines,
        *([f"tables tables ({', '.join(tables)});"] if tables else []),
        *(f"{cell} c{i} ({', '.join(f'.{pin}({net})' for pin, net in of.items())});"
          for i, (cell, of) in enumerate(cells)), "endmodule"])


def counted(vcd):
    """{net: how often it changes} in the cycles that count, and how many edges of the clock, in the
    middle of cycles, the gate passes in them."""
    codes, found, state, now, edges = {}, collections.Counter(), {}, 0, 0
    for line in vcd.splitlines():
        if line.startswith("$var"):
            codes[line.split()[4]] = line.split()[3]
        elif line.startswith("#"):
            before, now = now, int(line[1:]) / NS - FIRST
            passed = [int(min(max(time, 0), CYCLES) + 0.5) for time in (before, now)]
            if state.get("quiescent_o") == "0" or any("1" in state.get(name, "") for name in WAKE):
                edges += passed[1] - passed[0]
        elif line[:1] in ("0", "1", "b"):
            value, code = line.split() if line[0] == "b" else (line[0], line[1:])
            found[code] += 0 <= now < CYCLES
            state |= {name: value for name in (*WAKE, "quiescent_o") if code == codes.get(name)}
    return collections.Counter({name: found[code] for name, code in codes.items()
                                if re.fullmatch(r"n\d+", name)}), edges


def rows(entry, file, build, directory):
    """For each of RUNS of an entry of rtl/configurations.json: its name, mW of the parts and of
    all, the percentage of edges of the clock that the gate passes, and mW behind it."""
    build, directory = build.resolve(), directory.resolve()
    ports, cells = netlist(file, directory)
    config, folder = f"{entry['name']}cells", directory / "models"
    texts = [(directory / f"{file}.{what}.v").read_text() for what in ("tables", "cells")]
    text = "\n".join([model(entry["top"], ports, cells), "/* verilator tracing_off */", *texts,
                      flow.module("muster_clock_gate").text])
    verilog = build / f"models/{config}.v"
    if not verilog.exists() or verilog.read_text() != text:
        flow.replace(verilog, text)
    status, log = flow.script("model").build(build, config, {**entry, "name": config})
    if status != 0:
        raise RuntimeError(f"model {config}:\n{log[-3000:]}")
    # It stands for that of the RTL where MUSTER_MODELS names its folder.
    folder.mkdir(exist_ok=True)
    for kind in ("json", "so"):
        (build / f"models/{config}.{kind}").replace(folder / f"{config}.{kind}")
    for name, options in RUNS.items():
        wave = directory / f"{file}.fst"
        flow.must(["env", f"MUSTER_MODELS={folder}", build / "muster",
                   *f"{RUN} {options} --config {config} --wave".split(), wave], what=name)
        toggles, edges = counted(flow.must(["fst2vcd", wave], what=name))
        if unseen := {net for _, of in cells for net in of.values()} - {"1'b0", "1'b1", *toggles}:
            raise RuntimeError(f"{wave}: nothing of {len(unseen)} nets, {min(unseen)} among them")
        free, gated = (power(cells, toggles, 2 * passed, CYCLES) for passed in (CYCLES, edges))
        yield (name, *(round(free[part], 3) for part in PARTS), round(sum(free.values()), 3),
               round(100 * edges / CYCLES), round(sum(gated.values()), 3))
