# SPDX-License-Identifier: Apache-2.0
"""The register map as tables of pages, for the site (docs/site/pages.py)."""

import os
import posixpath
import re

HEADER = "| address | register | bits | field | access | reset | meaning |"


def _guarded(register):
    return "Guard" in register.needs


def _retry(register):
    return "Retry" in register.needs or any("Retry" in f.needs for f in register.fields)


# Page and name of the table, which begins with its block, and which of its registers.
TABLES = {
    ("docs/reference/registers.md", "barrier_switch"): lambda r: not _guarded(r),
    ("docs/reference/registers.md", "barrier_switch with Guard"): _guarded,
    ("docs/systems/retry-registers.md", "barrier_switch with Retry"): _retry,
    ("docs/systems/many-groups.md", "group_window"): None,
    ("docs/systems/preempting-switches.md", "preempting_switch"): None,
    ("docs/systems/baselines.md", "unit_switch"): None,
    ("docs/systems/retry-link.md", "link_end"): None,
    ("docs/systems/nic-engine.md", "nic_engine"): None,
    ("docs/systems/nic-engine.md", "nic_events"): None,
    ("docs/systems/wrappers.md", "endpoint"): None,
    ("docs/systems/nic-link.md", "nic_engine connections"): lambda r: r.path[0] == "connections",
    ("docs/systems/nic-engine.md", "nic_engine lists"): lambda r: r.path[0] == "lists",
}


def _links(text, page):
    """Paths from the root of the project as links from a page."""
    def turn(match):
        path, anchor = match[1], match[2] or ""
        if path == page:
            return f"[{anchor[1:].replace('-', ' ')}]({anchor})"
        way = posixpath.relpath(path, os.path.dirname(page))
        return f"[{posixpath.basename(path)}]({way}{anchor})"
    return re.sub(r"(docs/[\w/-]+\.md)(#[\w-]+)?", turn, text)


def _address(register):
    terms = [f"0x{register.address:03X}".replace("X", "x")]
    for array in register.arrays:
        terms.append(f"{array.stride if array.stride > 1 else ''}{array.letter}")
    return " + ".join(terms)


def _sentence(*parts):
    """Parts that are sentences or clauses, joined."""
    parts = [part.rstrip(".") for part in parts if part]
    return ". ".join(part[:1].upper() + part[1:] if i else part for i, part in enumerate(parts))


def _needs(needs):
    if not needs:
        return ""
    said = [f"without `{name[1:]}`" if name.startswith("!") else f"with `{name}`"
            for name in needs]
    return "only " + " and ".join(said) + ", else it reads 0"


def _values(field):
    return ", ".join(f"{v.value} {v.name.replace('_', ' ')}" + (f" ({v.desc})" if v.desc else "")
                     for v in field.values)


def _reset(field):
    if field.reads is not None:
        return f"`{field.reads}`"
    if field.reset is None:
        return ""
    return str(field.reset) if field.reset < 1 << 8 else f"{field.reset:#x}"


def _meaning(field):
    kept = f"low `{field.kept}` bits are kept" if field.kept and "W" in field.access else ""
    desc = field.desc + (": " if field.desc and _values(field) else "") + _values(field)
    return _sentence(desc, kept, _needs(field.needs))


ACCESS = {"RC": "R, cleared", "R1": "R, 1 clears"}


def rows(block, wanted, page):
    for register in block.registers if block.name in ("link_end", "endpoint") else block.own:
        if wanted is not None and not wanted(register):
            continue
        many = "".join(f", {a.letter} < {f'`{a.many}`' if a.many else a.count}"
                       for a in register.arrays)
        text = _sentence(register.desc, _needs(register.needs))
        yield (_address(register), f"`{'.'.join(register.path)}`{many}", "", "", "", "",
               _links(text, page))
        for field in register.fields:
            yield ("", "", field.bits, f"`{field.name}`",
                   ACCESS.get(field.access, field.access), _reset(field),
                   _links(_meaning(field), page))


def lines(block, wanted, page):
    yield HEADER
    yield re.sub("[^|]+", " --- ", HEADER)
    for row in rows(block, wanted, page):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
