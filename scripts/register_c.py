# SPDX-License-Identifier: Apache-2.0
"""The register map as a header of plain C99: sw/muster_registers.h."""

import re

import register_source

PREFIXES = {"barrier_switch": "SWITCH", "group_window": "WINDOW", "preempting_switch": "BSR",
            "unit_switch": "UNIT", "link_end": "LINK", "nic_engine": "NIC",
            "nic_events": "NIC", "endpoint": "ENDPOINT"}

HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Written by scripts/registers from rdl/; do not edit. The prose is docs/reference/registers.md.
 *
 * Addresses are those of 32-bit words; on a bus of bytes they are to be multiplied by 4. Of a field
 * F there are F_MASK, in place, and F_SHIFT: MUSTER_GET(F, word) reads it out of a word,
 * MUSTER_PUT(F, value) is a word with the value in it. */
#ifndef MUSTER_REGISTERS_H
#define MUSTER_REGISTERS_H

#include <stdint.h>

#define MUSTER_GET(field, word) ((field##_MASK & (uint32_t)(word)) >> field##_SHIFT)
#define MUSTER_PUT(field, value) (field##_MASK & ((uint32_t)(value) << field##_SHIFT))
"""


def plain(text):
    """The first sentence of a description, without Markdown and the pages in brackets."""
    text = re.sub(r"\s*\(docs/[^)]*\)", "", text).replace("`", "").replace("*", "")
    return re.split(r"\. (?=[A-Z])", text)[0]


def comment(text, before=""):
    """A line, or none."""
    text = plain(text)
    return [f"/* {before}{text} */"] if text else []


def address(register):
    words = f"{register.address:#05x}u"
    if not register.arrays:
        return "", words
    letters = [a.letter for a in register.arrays]
    terms = [words]
    for array in register.arrays:
        index = f"(uint32_t)({array.letter})"
        terms.append(index if array.stride == 1 else f"{array.stride}u * {index}")
    return f"({', '.join(letters)})", f"({' + '.join(terms)})"


def values(prefix, listed):
    for name, _, members in listed:
        yield f"\n/* {name.replace('_', ' ')} */"
        for member in members:
            yield from comment(member.desc)
            yield f"#define {prefix}_{name.upper()}_{member.name.upper()} {member.value}u"


def block(source):
    prefix = f"MUSTER_{PREFIXES[source.name]}"
    yield f"\n/* ---- {source.title}: rdl/{source.name}.rdl ---- */"
    for register in source.own():
        name = f"{prefix}_{register.name.upper()}"
        letters, where = address(register)
        yield f"\n/* {plain(register.desc)} */" if register.desc else ""
        yield f"#define {name}{letters} {where}"
        for field in register.fields:
            mask = ((1 << field.width) - 1) << field.low
            full = f"{name}_{field.name.upper()}"
            yield from comment(field.desc, f"{field.bits}: ")
            yield f"#define {full}_MASK {mask:#010x}u"
            yield f"#define {full}_SHIFT {field.low}"
            if field.constant and field.reset is not None:
                yield f"#define {full}_VALUE {field.reset:#x}u"


def lines(blocks):
    kinds = []
    rest = []
    for name, source in blocks.items():
        if name not in PREFIXES:
            continue
        listed = register_source.enums(source.own())
        kinds = kinds or [e for e in listed if e[0] == "kind"]
        own = [e for e in listed if e[0] not in ("kind", *(seen[0] for seen in rest))]
        rest += own
    yield from HEAD.splitlines()
    yield from values("MUSTER", kinds + rest)
    for name in PREFIXES:
        yield from block(blocks[name])
    yield ""
    yield "#endif"
