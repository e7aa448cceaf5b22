# SPDX-License-Identifier: Apache-2.0
"""Tables of numbers in pages that no command writes.

A table with two columns of numbers or more stands between the marks of a script (tables.py), or is
of the design, which the head of its first column tells, or a line before it names the test that
holds its numbers: `<!-- numbers of tests/FILE -->`, or of a folder of tests. A number of such a
table that the test does not have is a finding, and so are other tables of numbers.
"""

import re

import flow

NUMBER = re.compile(r"[-+]?\d[\d ,;.%±+-]*(?: ?(?:us|ns|MHz|times))?")
LIST = re.compile(r"(?:\d[\d .]*(?:[,;] |$))+")
DESIGN = ("field", "option", "parameter", "port", "profile", "state")
WRITTEN = re.compile(r"<!-- (?:table|line|session|registers) ")
HELD = re.compile(r"<!-- numbers of (\S+) -->")


def tables_of(text):
    """(number of its first line, line before it, its lines) of each table without marks."""
    written = fenced = False
    before, found = "", []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        fenced ^= line.lstrip().startswith("```")
        written = (written or bool(WRITTEN.match(line))) and line != "<!-- end -->"
        if line.startswith("|") and not written and not fenced:
            found.append(line)
            continue
        if found:
            yield number - len(found), before, found
        before, found = line, []


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def of_numbers(lines):
    """True if more than half of the cells are numbers in two columns or more, without the first."""
    columns = [[cell for cell in column if cell] for column in zip(*map(cells, lines[2:]))]
    return sum(2 * sum(bool(NUMBER.fullmatch(cell)) for cell in column) > len(column)
               for column in columns[1:] if column) > 1


def not_held(path, lines):
    """What is wrong with a table whose numbers a test, or those of a folder, are to have."""
    files = sorted(path.glob("*.cpp")) if path.is_dir() else [path]
    if not files or not all(file.exists() for file in files):
        return [f"no such file: {path.relative_to(flow.ROOT)}"]
    code = " ".join(file.read_text(encoding="utf-8") for file in files).replace("'", "")
    numbers = [number.replace(" ", "") for line in lines[2:] for cell in cells(line)[1:]
               if LIST.fullmatch(cell) for number in re.split("[,;] ", cell)]
    return [f"{path.relative_to(flow.ROOT)} has no {number}" for number in numbers
            if not re.search(rf"(?<![\w.]){re.escape(number)}(?![\w.])", code)]


def findings(pages):
    for page, text in pages:
        for number, before, lines in tables_of(text):
            held = HELD.fullmatch(before)
            for wrong in not_held(flow.ROOT / held[1], lines) if held else []:
                yield f"{page}:{number}: {wrong}"
            head = cells(lines[0])[0]
            if not held and head not in DESIGN and of_numbers(lines):
                yield f"{page}:{number}: a table of numbers that no command writes"
