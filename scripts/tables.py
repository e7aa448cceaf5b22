# SPDX-License-Identifier: Apache-2.0
"""Tables for people, on the terminal and in pages of the project.

A page marks the place of a table that a command writes: a line `<!-- table NAME -->`, the table, a
line `<!-- end -->`.
"""

import re

import flow

MARK = re.compile(r"^<!-- (table [^>]*?) -->$", re.MULTILINE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def table(header, rows):
    """The lines of a table, and valid Markdown: numbers to the right."""
    rows = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(len(r[i]) for r in [list(header), *rows]) for i in range(len(header))]

    def is_number(text):
        return re.fullmatch(r"[\d.]+", text) is not None

    def line(cells):
        padded = [c.rjust(w) if is_number(c) else c.ljust(w) for c, w in zip(cells, widths)]
        return "| " + " | ".join(padded) + " |"

    dashes = "|" + "|".join("-" * (w + 2) for w in widths) + "|"
    return [line(header), dashes, *(line(row) for row in rows)]


def show(header, rows):
    print("\n".join(table(header, rows)))


def place(page, mark):
    """(path, text before the place in a page, its lines, text after it); the page is a path from
    the root of the project."""
    path = flow.ROOT / page
    begin, end = f"<!-- {mark} -->\n", "<!-- end -->\n"
    before, found, rest = path.read_text().partition(begin)
    lines, ended, after = rest.partition(end)
    if not (found and ended):
        raise RuntimeError(f"{page}: no place for the {mark}")
    return path, before + begin, lines.splitlines(), end + after


def cells(line):
    """The cells of a line of a table."""
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])


def rows_of(page, name):
    """The rows of the table that stands in a page, without header; none if there is none."""
    return [cells(line) for line in place(page, f"table {name}")[2][2:]]


def number(page, name, *cells):
    """The number in the column that is named last, of the row that has all other cells; the first
    number of the cell, or behind `#2` the second. Backticks of cells are left out."""
    text = (flow.ROOT / page).read_text(encoding="utf-8")
    mark = one([m for m in MARK.findall(text)
                if re.fullmatch(rf"table {re.escape(name)}(?: x=\S*)?", m)],
               f"tables {name} in {page}")
    lines = [[cell.strip().replace("`", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
             for line in place(page, mark)[2]]
    *wanted, column = cells
    column, _, at = column.partition(" #")
    head = one([i for i, cell in enumerate(lines[0]) if cell == column], f"columns '{column}'")
    row = one([row for row in lines[2:] if all(cell in row for cell in wanted)],
              f"rows {'; '.join(wanted)} in the table {name}")
    return float(NUMBER.findall(row[head])[int(at or 1) - 1])


def one(found, what):
    """The only thing that was found."""
    if len(found) != 1:
        raise RuntimeError(f"{len(found)} {what}")
    return found[0]


def put_lines(page, mark, lines):
    path, before, _, after = place(page, mark)
    path.write_text(before + "".join(f"{line}\n" for line in lines) + after)


def put(page, name, header, rows):
    """Writes the table into its place in a page."""
    put_lines(page, f"table {name}", table(header, rows))
