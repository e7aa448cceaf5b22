# SPDX-License-Identifier: Apache-2.0
"""Verilog of what nextpnr-ecp5 has placed and routed, from the design that its --write writes:
cells as they are configured, and nets, for simulation with synth/ecp5_cells.v.

A pin without a net reads 1, as on the chip, except for the reset of a register, which is off; a
parameter PINMUX makes it a constant or inverts it.
"""

import json


class Refused(RuntimeError):
    """The netlist has something that there is no model of."""


class Cell:
    def __init__(self, name, found):
        self.name, self.type = name, found["type"]
        self.parameters = {key: value.strip() for key, value in found["parameters"].items()}
        self.bits, self.bel = found["connections"], found["attributes"]["NEXTPNR_BEL"]

    def parameter(self, key, default, *allowed):
        value = self.parameters.get(key, default)
        if allowed and value not in allowed:
            raise Refused(f"{self.name}: {self.type} with {key} {value}")
        return value

    def net(self, pin, absent="1'b1"):
        bits = self.bits.get(pin, [])
        if not bits:
            return absent
        return f"n{bits[0]}" if isinstance(bits[0], int) else f"1'b{bits[0]}"

    def pin(self, pin, absent="1'b1"):
        """What is at an input behind its multiplexer."""
        chosen = self.parameters.get(f"{pin}MUX", pin)
        if chosen in ("0", "1"):
            return f"1'b{chosen}"
        if chosen == "INV":
            return f"~{self.net(pin, absent)}"
        if chosen != pin:
            raise Refused(f"{self.name}: {self.type} with {pin}MUX {chosen}")
        return self.net(pin, absent)

    def instance(self, number, module, inputs, outputs, settings=""):
        pins = [f".{pin}({value})" for pin, value in inputs.items()]
        pins += [f".{pin}({self.net(pin)})" for pin in outputs if self.bits.get(pin)]
        return f"  {module} {settings}c{number} ({', '.join(pins)});  // {self.bel}"


def comb(cell, number):
    mode = cell.parameter("MODE", "LOGIC", "LOGIC", "CCU2", "DPRAM")
    inputs = {"INIT": f"16'b{cell.parameter('INITVAL', '0' * 16)}",
              **{pin: cell.pin(pin) for pin in "ABCD"}}
    if mode == "LOGIC":
        upper = cell.bel.rpartition(".")[2] == "K1"
        inputs |= {"UPPER": f"1'b{int(upper)}", **{pin: cell.pin(pin) for pin in
                                                  ("M", "F1", "FXA", "FXB")}}
        return cell.instance(number, "ECP5_LOGIC", inputs, ("F", "OFX"))
    if mode == "CCU2":
        inject = cell.parameter("CCU2_INJECT1", "NO", "NO", "YES") == "YES"
        inputs |= {"INJECT": f"1'b{int(inject)}", "FCI": cell.pin("FCI")}
        return cell.instance(number, "ECP5_CARRY", inputs, ("F", "FCO"))
    # The address of a RAM goes to the inputs of the LUT in this order.
    inputs |= {"D": cell.pin("A"), "C": cell.pin("C"), "B": cell.pin("B"), "A": cell.pin("D")}
    inputs |= {pin: cell.pin(pin) for pin in ("WCK", "WRE", "WD", "WAD0", "WAD1", "WAD2", "WAD3")}
    return cell.instance(number, "ECP5_DPRAM", inputs, ("F",))


def flip_flop(cell, number):
    cell.parameter("SRMODE", "LSR_OVER_CE", "LSR_OVER_CE")
    cell.parameter("LSRMODE", "LSR", "LSR")
    set_to = cell.parameter("REGSET", "RESET", "RESET", "SET") == "SET"
    data = "DI" if cell.parameter("SD", "0", "0", "1") == "1" else "M"
    inputs = {"SET": f"1'b{int(set_to)}", "CLK": cell.pin("CLK"), "CE": cell.pin("CE"),
              "LSR": cell.pin("LSR", "1'b0"), "D": cell.net(data)}
    return cell.instance(number, "ECP5_FF", inputs, ("Q",))


def block_ram(cell, number):
    width = {int(cell.parameter(f"DATA_WIDTH_{port}", ""), 2) for port in "AB"}
    if len(width) != 1:
        raise Refused(f"{cell.name}: block RAM with ports of different width")
    if any("1" in value for key, value in cell.parameters.items() if key.startswith("INITVAL")):
        raise Refused(f"{cell.name}: block RAM with contents")
    inputs = {}
    for port in "AB":
        cell.parameter(f"REGMODE_{port}", "NOREG", "NOREG")
        cell.parameter(f"CSDECODE_{port}", "0b000", "0b000")
        off = [cell.pin(f"RST{port}"), *(cell.pin(f"CS{port}{k}") for k in range(3))]
        if set(off) - {"1'b0", "~1'b1"}:
            raise Refused(f"{cell.name}: block RAM with a reset or a chip select")
        before = cell.parameter(f"WRITEMODE_{port}", "NORMAL", "NORMAL", "READBEFOREWRITE")
        inputs |= {f"{pin}{port}": cell.pin(f"{pin}{port}") for pin in ("CLK", "CE", "WE")}
        inputs |= {f"BEFORE{port}": f"1'b{int(before == 'READBEFOREWRITE')}"}
        for pin, bits in (("AD", 14), ("DI", 18)):
            inputs[pin + port] = "{" + ", ".join(
                cell.pin(f"{pin}{port}{k}") for k in reversed(range(bits))) + "}"
        inputs[f"DO{port}"] = "{" + ", ".join(
            cell.net(f"DO{port}{k}", f"c{number}_{port}{k}") for k in reversed(range(18))) + "}"
    unused = [f"c{number}_{port}{k}" for port in "AB" for k in range(18)
              if not cell.bits.get(f"DO{port}{k}")]
    declared = f"  wire {', '.join(unused)};\n" if unused else ""
    return declared + cell.instance(number, "ECP5_BLOCK_RAM", inputs, (), f"#(.W({width.pop()})) ")


def pad(cell, _):
    if cell.parameter("DIR", "INPUT", "INPUT", "OUTPUT") == "INPUT":
        return f"  assign {cell.net('O')} = {cell.net('B')};  // {cell.bel}"
    if cell.bits.get("T"):
        raise Refused(f"{cell.name}: an output that can be off")
    return f"  assign {cell.net('B')} = {cell.pin('I')};  // {cell.bel}"


def clock_buffer(cell, _):
    return f"  assign {cell.net('CLKO')} = {cell.net('CLKI')};  // {cell.bel}"


CELLS = {"TRELLIS_COMB": comb, "TRELLIS_FF": flip_flop, "DP16KD": block_ram, "TRELLIS_IO": pad,
         "DCCA": clock_buffer}


def write(design, path, top):
    """Writes a module `top`; raises Refused."""
    (module,) = json.loads(design.read_text())["modules"].values()
    lines, ports, nets = [], [], set()
    for name, port in module["ports"].items():
        width = f"[{len(port['bits']) - 1}:0] " if len(port["bits"]) > 1 else ""
        ports.append(f"  {port['direction']} {width}{name}")
        for at, bit in enumerate(port["bits"]):
            outer = f"{name}[{at}]" if width else name
            sides = (f"n{bit}", outer) if port["direction"] == "input" else (outer, f"n{bit}")
            lines.append(f"  assign {sides[0]} = {sides[1]};")
    cells = [Cell(*item) for item in module["cells"].items()]
    for number, cell in enumerate(cells):
        if cell.type not in CELLS:
            raise Refused(f"{cell.name}: a {cell.type}")
        lines.append(CELLS[cell.type](cell, number))
    for bits in (*(c.bits.values() for c in cells), [p["bits"] for p in module["ports"].values()]):
        nets.update(bit for each in bits for bit in each if isinstance(bit, int))
    text = [f"module {top} (", ",\n".join(ports), ");",
            *(f"  wire n{bit};" for bit in sorted(nets)), *lines, "endmodule", ""]
    path.write_text("\n".join(text))
