# SPDX-License-Identifier: Apache-2.0
"""results/: what commands measure, and tables for people. Each topic has NAME.csv, for programs,
and NAME.md, for people; results/README.md lists them with the command, time and machine of the last
run. All is written by commands, nothing by hand.

A topic has one table (`put`), whose rows are the lines of its CSV, or a table a section
(`put_section`): the first column of its CSV is the section, whose first line has the heads.

  results.py < FILE.json     writes a section for a program that is not in Python
"""

import csv
import json
import os
import pathlib
import re
import sys
import time

import flow

FOLDER = flow.ROOT / "results"
LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
LIST = ("file", "what it answers", "command", "minutes", "commit", "machine")
HEAD = f"""{LICENCE}# What commands have measured

Commands write everything in this folder; do not edit. Each row says which command writes a file,
and when it did so last; `+` behind a commit: with changes that were not committed. Rows without
minutes were taken over from pages of earlier commits.
"""
BEGUN = time.monotonic()


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


def rows(name):
    """The lines of a CSV as tuples, without its head; none if there is no such file."""
    return read_csv(name)[1:]


def read_csv(name):
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(map(tuple, csv.reader(file)))


def write_csv(name, lines):
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def put(name, title, about, header, lines):
    """A topic of one table; `about` stands above it in the page."""
    write_csv(name, [header, *lines])
    text = "\n".join([f"{LICENCE}# {title}", "", about, "", *table(header, lines)])
    (FOLDER / f"{name}.md").write_text(text + "\n", encoding="utf-8")


def section(name, title):
    """The rows of a section, a dictionary each."""
    header, *lines = [line[1:] for line in read_csv(name) if line[0] == title] or [()]
    return [dict(zip(header, line)) for line in lines]


def put_section(name, title, about, header, lines):
    """A section of a topic, in place of the one of the same title or behind all others."""
    page = FOLDER / f"{name}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else f"{LICENCE}# {name.title()}\n"
    head, *parts = re.split(r"^## ", text, flags=re.M)
    new = "\n".join([title, "", about, "", *table(header, lines)])
    of = {part.partition("\n")[0]: part.strip("\n") for part in parts} | {title: new}
    kept = [line for line in read_csv(name) if line[0] != title]
    write_csv(name, sorted([*kept, *((title, *line) for line in (header, *lines))],
                           key=lambda line: list(of).index(line[0])))
    page.write_text("\n\n".join([head.strip("\n"), *(f"## {part}" for part in of.values())]) + "\n",
                    encoding="utf-8")


def machine():
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{cpu[1] if cpu else 'unknown processor'}, {os.cpu_count()} cores"


def note(file, answers, command=None):
    """Lists the run of this command that ends now, as it was typed if none is given, in place of
    the row of results/README.md that has the file and what it answers."""
    typed = pathlib.Path(sys.argv[0]).resolve()
    if command is None:
        command = " ".join([str(typed.relative_to(flow.ROOT)), *sys.argv[1:]])
    status, commit = flow.run(["git", "-c", "safe.directory=*", "describe", "--always",
                               "--exclude=*", "--dirty=+"])
    new = (f"[{file}]({file})", answers, f"`{command}`", f"{(time.monotonic() - BEGUN) / 60:.1f}",
           "" if status else commit.strip(), machine())
    path = FOLDER / "README.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    old = [cells(line) for line in text.splitlines() if line.startswith("| [")]
    listed = sorted([*(row for row in old if row[:2] != new[:2]), new])
    path.write_text("\n".join([HEAD, *table(LIST, listed)]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    said = json.load(sys.stdin)
    put_section(*said["section"])
    note(*said["note"])
