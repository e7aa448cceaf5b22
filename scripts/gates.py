# SPDX-License-Identifier: Apache-2.0
"""A circuit of gates and flip-flops as Yosys writes it (write_json), and two of them
made comparable: flip-flops that share a name become one input and one output of both."""

import collections
import dataclasses

# Pins and the rows of inputs for which the output is 1.
GATES = {"$_NOT_": ("A", "0"), "$_BUF_": ("A", "1"), "$_AND_": ("AB", "11"),
         "$_OR_": ("AB", "1- -1"), "$_XOR_": ("AB", "10 01"), "$_XNOR_": ("AB", "11 00"),
         "$_MUX_": ("ABS", "1-0 -11")}
FLIP_FLOPS = ("$_DFF_P_",)


class Differ(Exception):
    """Why two circuits cannot be compared."""


@dataclasses.dataclass
class Circuit:
    """Bits are numbers, "0", "1" or "x" of the JSON."""

    inputs: dict        # name: bit
    outputs: dict       # name: bit
    flip_flops: list    # (names of Q, bit of D, bit of Q)
    gates: list         # (cover, input bits, output bit)


def numbered(name, bits):
    return [(f"{name}[{i}]", bit) for i, bit in enumerate(bits)]


def read(design):
    """The one module of a design in JSON."""
    (module,) = (m for m in design["modules"].values() if "blackbox" not in m["attributes"])
    ports = {"input": {}, "output": {}}
    for name, port in module["ports"].items():
        ports[port["direction"]].update(numbered(name, port["bits"]))
    names = {}
    for name, net in module["netnames"].items():
        if not net.get("hide_name"):
            for alias, bit in numbered(name, net["bits"]):
                names.setdefault(bit, []).append(alias)
    flip_flops, gates = [], []
    for cell in module["cells"].values():
        pins = {pin: bits[0] for pin, bits in cell["connections"].items() if bits}
        kind = cell["type"]
        if kind in FLIP_FLOPS:
            flip_flops.append((names.get(pins["Q"], []), pins["D"], pins["Q"]))
        elif kind in GATES:
            order, rows = GATES[kind]
            cover = [f"{row} 1" for row in rows.split()]
            gates.append((cover, [pins[pin] for pin in order], pins["Y"]))
        elif kind != "$scopeinfo":
            raise Differ(f"a cell {kind}, no gate or flip-flop")
    return Circuit(ports["input"], ports["output"], flip_flops, gates)


def match(one, other):
    """Names of the flip-flops of both, in the order of their lists: a common one where they share a
    name. What one of the two has alone, as after an optimization, is any value to the proof."""
    for what in ("inputs", "outputs"):
        names = set(getattr(one, what)) ^ set(getattr(other, what))
        if names:
            raise Differ(f"{what}: " + ", ".join(sorted(names)[:9]))
    place = {alias: i for i, (aliases, _, _) in enumerate(other.flip_flops) for alias in aliases}
    mine = [f"one{i}" for i in range(len(one.flip_flops))]
    theirs = [f"other{i}" for i in range(len(other.flip_flops))]
    for number, (aliases, _, _) in enumerate(one.flip_flops):
        shared = collections.Counter(place[alias] for alias in aliases if alias in place)
        for i, _ in shared.most_common(1):  # most names in common
            if not theirs[i].startswith("other"):
                raise Differ(f"flip-flops {aliases[:3]} are not one to one")
            mine[number] = theirs[i] = f"state{number}"
    return mine, theirs


def blif(circuit, names, others):
    """The circuit between its inputs and states and its outputs and next states; `others` are the
    names of the states of the other circuit."""
    def signal(bit):
        return f"n{bit}" if isinstance(bit, int) else f"const_{'1' if bit == '1' else '0'}"

    lines = [".model circuit"]
    lines += [f".inputs {name}" for name in sorted({*circuit.inputs, *names, *others})]
    for name, bit in [*circuit.inputs.items(),
                      *((n, q) for n, (_, _, q) in zip(names, circuit.flip_flops))]:
        lines += [f".names {name} {signal(bit)}", "1 1"]
    shared = set(others)
    for name, bit in [*circuit.outputs.items(),
                      *((f"{n}.next", d) for n, (_, d, _) in zip(names, circuit.flip_flops)
                        if n in shared)]:
        lines += [f".outputs {name}", f".names {signal(bit)} {name}", "1 1"]
    for cover, inputs, output in circuit.gates:
        lines += [f".names {' '.join(signal(bit) for bit in inputs)} {signal(output)}", *cover]
    return "\n".join([*lines, ".names const_0", ".names const_1", "1", ".end", ""])
