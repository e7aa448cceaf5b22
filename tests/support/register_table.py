#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""register_table.py FILE: writes register_table.hpp, which has all that rdl/ says of each field,
for the tests that read and write them."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import flow  # noqa: E402

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by tests/support/register_table.py from rdl/; do not edit.

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


def quoted(value):
    return f'"{value or ""}"'


def field_line(field):
    flags = [f"k{name.capitalize()}" for name in field.flags]
    return (f'      {{"{field.name}", {field.low}, {field.width}, Access::k{field.access}, '
            f"{field.reset or 0:#x}, {quoted(field.kept)}, {quoted(field.reads)}, "
            f"{quoted(field.below)}, {quoted(' '.join(field.needs))}, {field.most or 0}, "
            f"{quoted(field.shows)}, {' | '.join(flags) or 0}}},")


def register_lines(register):
    arrays = ", ".join(f'{{{a.count}, {a.stride}, {quoted(a.many)}}}' for a in register.arrays)
    yield (f'      {{"{register.name}", {register.address:#05x}, {{{arrays}}}, '
           f"{quoted(' '.join(register.needs))}, {{")
    for field in register.fields:
        yield field_line(field)
    yield "      }},"


def lines(blocks):
    yield from HEAD.splitlines()
    for name, block in blocks.items():
        yield f'  if (block == "{name}")'
        yield "    return {"
        for register in block.registers:
            yield from register_lines(register)
        yield "    };"
    yield from TAIL.splitlines()


if __name__ == "__main__":
    registers = flow.script("registers")
    pathlib.Path(sys.argv[1]).write_text(registers.whole(lines(registers.read())))
