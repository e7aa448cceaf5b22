# SPDX-License-Identifier: Apache-2.0
"""The register map in the headers of sim_cpp/ that the host's side uses."""

import register_source
from register_source import camel

# Header, and the lists of values that it has. Of `kind` it has the block's own, as kKind: which
# other blocks there are is no business of a header.
HEADERS = {"barrier_switch": ("sim_cpp/fabric/register_map.hpp", ("refusal",)),
           "group_window": ("sim_cpp/fabric/register_window.hpp", ()),
           "link_end": ("sim_cpp/fabric/link_registers.hpp", ("kind", "link_state", "link_reason")),
           "nic_engine": ("sim_cpp/systems/nic/blocks/nic_registers.hpp", ("kind",)),
           "nic_events": ("sim_cpp/systems/nic/blocks/nic_event_registers.hpp", ()),
           "preempting_switch": ("sim_cpp/systems/preempt/blocks/preempt_registers.hpp", ()),
           "unit_switch": ("sim_cpp/systems/packets/blocks/unit_registers.hpp", ())}


def lines(source, wanted):
    if "kind" in wanted:
        fields = next(r for r in source.registers if r.name == "identity").fields
        kind = next(field for field in fields if field.name == "kind")
        yield f"inline constexpr std::uint32_t kKind = {int(kind.reset)};"
    for name, width, members in register_source.enums(source.own()):
        if name in wanted and name != "kind":
            yield f"enum class {camel(name)} : std::uint32_t {{"
            for member in members:
                yield f"  k{camel(member.name)} = {member.value},"
            yield "};"
    for register in source.own():
        name = f"k{camel(register.name)}"
        yield f"inline constexpr std::uint32_t {name} = {register.address:#05x};"
        for array in register.arrays:
            if array.stride > 1:
                file = f"k{camel(register.path[0])}Words"
                line = f"inline constexpr std::uint32_t {file} = {array.stride};"
                if register.address % array.stride == 0:
                    yield line
        for field in register.fields:
            if field.constant and field.reset is not None and field.name != "kind":
                yield (f"inline constexpr std::uint32_t {name}{camel(field.name)}Value = "
                       f"{field.reset:#x};")
            yield (f"inline constexpr fabric::RegisterField {name}{camel(field.name)}{{"
                   f"{field.low}, {field.width}}};")
        if register.reset != 0:
            yield f"inline constexpr std::uint32_t {name}Reset = {register.reset:#010x};"
