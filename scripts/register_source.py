# SPDX-License-Identifier: Apache-2.0
"""The registers of all blocks, as rdl/ describes them."""

import dataclasses
import sys

import flow

sys.path.insert(0, str(flow.ROOT / "synth/python-rdl"))

BLOCKS = ("barrier_switch", "group_window", "multicast_switch", "preempting_switch", "unit_switch",
          "link_end", "nic_engine", "nic_events", "endpoint")
# What rdl/switch_words.rdl has of every switch: names and types of the barrier switch stand for it.
COMMON = ("identity", "sizes", "widths", "no_route_drops", "hold", "routes")


@dataclasses.dataclass
class Field:
    name: str
    high: int
    low: int
    access: str  # "R", "W", "RW", "RC": a write of any value clears it, or "R1": a 1 does
    constant: bool
    reset: int | None  # None: a parameter says it, or the field is only written
    desc: str
    encode: type | None
    kept: str | None = None
    reads: str | None = None
    needs: tuple = ()
    below: str | None = None
    most: int | None = None
    shows: str | None = None
    onehot: bool = False
    nonzero: bool = False
    settles: bool = False
    moves: bool = False

    @property
    def width(self):
        return self.high - self.low + 1

    @property
    def bits(self):
        return f"{self.high}..{self.low}" if self.high > self.low else str(self.low)


@dataclasses.dataclass
class Array:
    count: int
    stride: int
    many: str | None
    letter: str


@dataclasses.dataclass
class Register:
    path: tuple  # of names: of its file, if it is in one, and its own
    address: int  # of a word; the first one of arrays
    arrays: list
    desc: str
    needs: tuple
    fields: list

    @property
    def name(self):
        return "_".join(self.path)

    @property
    def reset(self):
        """Of what can be written."""
        return sum((f.reset or 0) << f.low for f in self.fields if f.access == "RW")


@dataclasses.dataclass
class Block:
    name: str
    title: str
    registers: list

    def own(self):
        """Those that are not of every switch."""
        if self.name == "barrier_switch":
            return self.registers
        common = {"link_end": ("identity",), "nic_engine": (),
                  "endpoint": ("identity",)}.get(self.name, COMMON)
        return [r for r in self.registers if r.name not in common]


def _desc(node):
    """On one line, whatever the lines of the file."""
    return " ".join((node.get_property("desc") or "").split())


def _parts(text):
    return tuple(part.strip() for part in text.split(",")) if text else ()


def _field(node):
    def ask(name):
        return node.get_property(name, default=None)

    readable, writable = node.is_sw_readable, node.is_sw_writable
    access = ("R" * readable + "W" * writable if ask("onwrite") is None
              else {"wclr": "RC", "woclr": "R1"}[ask("onwrite").name])
    reset = ask("reset")
    return Field(node.inst_name, node.high, node.low, access, ask("hw").name == "na", reset,
                 _desc(node), ask("encode"), ask("kept"), ask("reads"), _parts(ask("needs")),
                 ask("below"), ask("most"), ask("shows"),
                 *(ask(name) is True for name in ("onehot", "nonzero", "settles", "moves")))


def _array(node):
    if not node.is_array:
        return []
    return [Array(node.array_dimensions[0], node.array_stride // 4,
                  node.get_property("many", default=None), node.get_property("letter"))]


def _registers(node, path, address, arrays):
    from systemrdl.node import RegNode
    for child in node.children(unroll=False):
        at = address + child.raw_address_offset // 4
        unnamed = child.get_property("unnamed", default=False)
        here = path if unnamed else path + (child.inst_name,)
        found = arrays + _array(child)
        if isinstance(child, RegNode):
            fields = sorted((_field(f) for f in child.fields()), key=lambda f: -f.low)
            needs = _parts(child.get_property("needs", default=None))
            yield Register(here, at, found, _desc(child), needs, fields)
        else:
            yield from _registers(child, here, at, found)


def elaborated():
    """(name, top) of all blocks."""
    try:
        import systemrdl
    except ImportError:
        raise RuntimeError("no compiler of SystemRDL in synth/python-rdl; "
                           "scripts/install-deps installs it") from None
    for name in BLOCKS:
        compiler = systemrdl.RDLCompiler()
        try:
            compiler.compile_file(str(flow.ROOT / f"rdl/{name}.rdl"),
                                  incl_search_paths=[str(flow.ROOT / "rdl")])
            yield name, compiler.elaborate(name).top
        except systemrdl.RDLCompileError as error:  # the compiler has said where
            raise RuntimeError(f"rdl/{name}.rdl: {error}") from None


def read():
    """All blocks by name."""
    return {name: Block(name, top.get_property("name"), list(_registers(top, (), 0, [])))
            for name, top in elaborated()}


@dataclasses.dataclass
class Value:
    name: str
    value: int
    desc: str


def values(field):
    """What the values of a field are called; empty if they are not."""
    return [Value(v.name, v.value, " ".join((v.rdl_desc or "").split()))
            for v in field.encode or ()]


def enums(registers):
    """Lists of values that fields of these registers have, each once: (name, width, values)."""
    found = {}
    for register in registers:
        for field in register.fields:
            if field.encode is not None:
                found[field.encode.type_name] = (field.encode.type_name, field.width, values(field))
    return list(found.values())


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
