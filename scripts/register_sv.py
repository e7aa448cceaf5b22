# SPDX-License-Identifier: Apache-2.0
"""The register map in rtl/common/muster_pkg.sv: addresses, constants, and a packed struct of each
word with more than one field."""

import register_source
from register_source import camel

# Of addresses and of types.
PREFIXES = {"barrier_switch": ("Reg", ""), "group_window": ("RegWindow", "window_"),
            "preempting_switch": ("Reg", "bsr_"), "link_end": ("LinkReg", "link_"),
            "nic_engine": ("NicReg", "nic_"), "nic_events": ("NicReg", "nic_"),
            "endpoint": ("EndpointReg", "endpoint_")}
# Lists of values that the RTL names.
ENUMS = ("kind", "refusal")


def struct(name, register):
    """Gaps are fields `spare`, with the number of their lowest bit."""
    members, above = [], 32
    for field in register.fields:
        if field.high + 1 < above:
            members.append((above - field.high - 1, f"spare_{field.high + 1}"))
        members.append((field.width, field.name))
        above = field.low
    if above > 0:
        members.append((above, "spare_0"))
    yield "  typedef struct packed {"
    for width, member in members:
        kind = "logic" if width == 1 else f"logic [{width - 1}:0]"
        yield f"    {kind:<12} {member};"
    yield f"  }} {name}_t;"


def block(source, seen):
    prefix, types = PREFIXES[source.name]
    addresses, constants, structs = [], [], []
    for register in source.own():
        name = prefix + camel(register.name)
        for level, array in enumerate(register.arrays):
            file = prefix + camel("_".join(register.path[:level + 1]))
            if len(register.path) > level + 1 and file not in seen:
                seen[file] = register.address
                addresses.append(f"  localparam logic [11:0] {file} = 12'h{register.address:03X};")
        if seen.setdefault(name, register.address) != register.address:
            raise RuntimeError(f"two addresses for {name}")
        line = f"  localparam logic [11:0] {name} = 12'h{register.address:03X};"
        if line not in addresses:
            addresses.append(line)
        for field in register.fields:
            if field.constant and field.reset is not None and field.name != "kind":
                constants.append(f"  localparam logic [{field.width - 1}:0] "
                                 f"{name}{camel(field.name)} = {field.width}'h{field.reset:X};")
        if register.reset != 0:
            constants.append(f"  localparam logic [31:0] {name}Reset = 32'h{register.reset:08X};")
        shape = (register.name, tuple((f.name, f.low) for f in register.fields))
        if (len(register.fields) > 1 or register.fields[0].low > 0) and shape not in seen:
            seen[shape] = types + register.name
            structs += ["", *struct(types + register.name, register)]
    yield ""
    yield f"  // {source.title}: rdl/{source.name}.rdl."
    yield from addresses
    yield from constants
    yield from structs


def lines(blocks):
    for name, width, members in register_source.enums(blocks["barrier_switch"].registers):
        if name in ENUMS:
            yield ""
            for member in members:
                yield (f"  localparam logic [{width - 1}:0] {camel(name)}{camel(member.name)} = "
                       f"{width}'d{member.value};")
    seen = {}
    for name in PREFIXES:
        yield from block(blocks[name], seen)
    yield ""
