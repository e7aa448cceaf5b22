# SPDX-License-Identifier: Apache-2.0
"""Tables for people, on the terminal and in pages."""

import re


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


def cells(line):
    """The cells of a line of a table."""
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
