# SPDX-License-Identifier: Apache-2.0
"""What Yosys makes of the sources of a design before it maps it: cells and wires, without comments,
names of constants and types, and what nothing uses. Two designs of one digest are mapped alike."""

import hashlib
import re

import flow

# Of what is read, the attributes that mapping looks at.
KEPT = ("ram_style", "rom_style", "keep", "keep_hierarchy")
ATTRIBUTE = re.compile(r"^ *attribute \\(\w+) .*\n", re.MULTILINE)


def digest(label, setup, top, directory):
    """Of a design, whose commands `setup` has; takes seconds. Raises RuntimeError with the log."""
    file = f"{label.replace('/', '-')}.elaborated.il"
    status, log = flow.yosys(
        f"{setup}; hierarchy -check -top {top}; rename -top {top}; proc; opt_expr; "
        f"opt_clean -purge; rename -enumerate; write_rtlil {file}", directory)
    if status != 0:
        raise RuntimeError(f"{label}:\n{log}")
    path = directory / file
    text = path.read_text()
    path.unlink()
    text = ATTRIBUTE.sub(lambda line: line[0] if line[1] in KEPT else "", text)
    text = re.sub(r"^(?:#.*|autoidx \d+)\n", "", text, flags=re.MULTILINE)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
