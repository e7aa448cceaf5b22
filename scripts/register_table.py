# SPDX-License-Identifier: Apache-2.0
"""The register map as a table for the test that reads and writes each field of each block."""

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/registers from rdl/; do not edit.

#include <initializer_list>
#include <string_view>
#include <vector>

#include "support/register_words.hpp"

namespace muster::testing {

/// All that rdl/ says of the registers of a block, which the name says; empty if it says nothing.
inline std::vector<RegisterWord> register_words(std::string_view block) {"""

TAIL = """\
  return {};
}

}  // namespace muster::testing"""


def _text(value):
    return f'"{value or ""}"'


def _field(field):
    flags = [f"k{name.capitalize()}" for name in ("onehot", "nonzero", "settles", "moves")
             if getattr(field, name)]
    return (f'      {{"{field.name}", {field.low}, {field.width}, Access::k{field.access}, '
            f"{field.reset or 0:#x}, {_text(field.kept)}, {_text(field.reads)}, "
            f"{_text(field.below)}, {_text(' '.join(field.needs))}, {field.most or 0}, "
            f"{_text(field.shows)}, {' | '.join(flags) or 0}}},")


def _register(register):
    arrays = ", ".join(f'{{{a.count}, {a.stride}, {_text(a.many)}}}' for a in register.arrays)
    yield (f'      {{"{register.name}", {register.address:#05x}, {{{arrays}}}, '
           f"{_text(' '.join(register.needs))}, {{")
    for field in register.fields:
        yield _field(field)
    yield "      }},"


def lines(blocks):
    yield from HEAD.splitlines()
    for name, block in blocks.items():
        yield f'  if (block == "{name}")'
        yield "    return {"
        for register in block.registers:
            yield from _register(register)
        yield "    };"
    yield from TAIL.splitlines()
