# SPDX-License-Identifier: Apache-2.0
"""Holds a bitstream of an ECP5, read back by ecpunpack, to the design that nextpnr-ecp5 wrote:
every LUT, every register and every switch between wires that it configures is the design's.

Project Trellis knows switches that are on when no bit is set; a bitstream does not show those. So a
switch of the design may be missing, if the bitstream never shows one of its kind (from which wire
to which, in which kind of tile) and turns on no other into the same wire.
"""

import collections
import itertools
import json
import re

# Clocks that nextpnr parks, in tiles that the design does not use.
PARKED = re.compile(r"G_DCS\dCLK\d|JECLK\d")
SIDES = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}


class Mismatch(RuntimeError):
    """The bitstream is not the design."""


def wire(name):
    """(columns right, rows down, name) of a wire of a tile: `E1_H02E0001` is one to the right."""
    found = re.fullmatch(r"((?:[NSEW]\d+)+)_(.+)", name)
    if not found:
        return (0, 0, name)
    steps = [(SIDES[side], int(n)) for side, n in re.findall(r"([NSEW])(\d+)", found[1])]
    return (sum(s[0] * n for s, n in steps), sum(s[1] * n for s, n in steps), found[2])


def node(name):
    """A wire as nextpnr names it, `-1_0_H02E0001`. The place of a global wire is ignored."""
    right, down, rest = re.fullmatch(r"(-?\d+)_(-?\d+)_(.+)", name).groups()
    return (0, 0, rest) if rest.startswith("G_") else (int(right), int(down), rest)


class Tiles:
    """What a configuration says, by (column, row)."""

    def __init__(self, text):
        self.arcs, self.words = collections.defaultdict(set), collections.defaultdict(dict)
        self.settings = collections.defaultdict(dict)
        self.slices = set()
        for line in text.splitlines():
            what, _, rest = line.partition(" ")
            if what == ".tile":
                row, column = map(int, re.search(r"R(\d+)C(\d+)", rest).groups())
                at = (column, row)
                if rest.endswith(":PLC2"):
                    self.slices.add(at)
            elif what == "arc:":
                sink, source = rest.split()
                self.arcs[at].add((wire(source), wire(sink)))
            elif what == "word:":
                self.words[at].update([rest.split()])
            elif what == "enum:":
                self.settings[at].update([rest.split()])


def switches(module):
    """{(column, row): {(source, sink)}} that the nets of the design go through."""
    found = collections.defaultdict(set)
    for net in module["netnames"].values():
        for name in net["attributes"].get("ROUTING", "").split(";")[1::3]:
            if name:
                column, row, ends = re.fullmatch(r"X(\d+)/Y(\d+)/(.+)", name).groups()
                found[int(column), int(row)].add(tuple(map(node, ends.split("->"))))
    return found


def carries(module):
    """(column, row, wire) of the outputs F of carry chains: the mode of their slice has the bits of
    the switch into that wire."""
    found = set()
    for cell in module["cells"].values():
        if cell["parameters"].get("MODE") == "CCU2":
            column, row, place = re.fullmatch(r"X(\d+)/Y(\d+)/SLICE(.+)",
                                              cell["attributes"]["NEXTPNR_BEL"]).groups()
            found.add((int(column), int(row), f"F{2 * 'ABCD'.index(place[0]) + int(place[-1])}"))
    return found


def check_routing(design, tiles):
    """The number of switches that the bitstream shows; raises Mismatch."""
    shown = 0
    kinds = {(pair, at in tiles.slices) for at, pairs in tiles.arcs.items() for pair in pairs}
    for at, pairs in tiles.arcs.items():
        if extra := pairs - design[at]:
            raise Mismatch(f"X{at[0]}/Y{at[1]}: the bitstream connects {sorted(extra)[0]}, "
                           "the design does not")
        shown += len(pairs)
    for at, pairs in design.items():
        sinks = {sink for _, sink in tiles.arcs[at]}
        for pair in pairs - tiles.arcs[at]:
            if pair[1] in sinks or (pair, at in tiles.slices) in kinds:
                raise Mismatch(f"X{at[0]}/Y{at[1]}: the bitstream does not connect {pair}")
    return shown


def same_function(initial, found, pins):
    """True if LUT `found` is `initial` with its input p at the pin pins[p] of the chip, two inputs
    at one pin if they are of the same net; other inputs of both read 1."""
    def value(bits, inputs):
        return bits[15 - sum(1 << "ABCD".index(pin) for pin, one in inputs.items() if one)]
    used = sorted(set(pins.values()))
    for ones in itertools.product((0, 1), repeat=len(used)):
        outside = dict.fromkeys("ABCD", 1) | dict(zip(used, ones, strict=True))
        inside = {pin: outside[pins[pin]] if pin in pins else 1 for pin in "ABCD"}
        if value(initial, inside) != value(found, outside):
            return False
    return True


def check_cell(cell, name, design, tiles):
    """True if it is a LUT or a register, and is as the bitstream says; raises Mismatch."""
    column, row, place = re.fullmatch(r"X(\d+)/Y(\d+)/(.+)", cell["attributes"]["NEXTPNR_BEL"]
                                      ).groups()
    at, parameters = (int(column), int(row)), cell["parameters"]
    if cell["type"] == "TRELLIS_COMB" and "MODE" not in parameters:
        half = 2 * "ABCD".index(place[5]) + int(place[-1])
        # The router may give the inputs of a LUT to other pins: a step `B0` to `C0_SLICE`.
        pins = {sink[2][0]: source[2][0] for source, sink in design[at]
                if re.fullmatch(rf"[ABCD]{half}_SLICE", sink[2])}
        used = {pin for pin in "ABCD" if cell["connections"].get(pin)}
        word = tiles.words[at].get(f"{place}.INIT", "1" * 16)
        if used != pins.keys() or not same_function(parameters["INITVAL"], word, pins):
            raise Mismatch(f"{name}: the LUT is {word}, not {parameters['INITVAL']}")
        return True
    if cell["type"] == "TRELLIS_FF":
        register = place.replace("FF", "REG")
        for key, absent in (("REGSET", "SET"), ("SD", "1")):
            said = tiles.settings[at].get(f"{register}.{key}", absent)
            if said != parameters[key].strip():
                raise Mismatch(f"{name}: {key} is {said}, not {parameters[key]}")
        return True
    return False


def check(design, config):
    """(LUTs and registers, switches between wires) that were compared; raises Mismatch."""
    (module,) = json.loads(design.read_text())["modules"].values()
    tiles = Tiles(config.read_text())
    routed, carry = switches(module), carries(module)
    cells = sum(check_cell(cell, name, routed, tiles) for name, cell in module["cells"].items())
    for some in (routed, tiles.arcs):
        for at, pairs in some.items():
            some[at] = {pair for pair in pairs if not PARKED.fullmatch(pair[1][2])
                        and (*at, pair[1][2]) not in carry}
    return cells, check_routing(routed, tiles)
