# SPDX-License-Identifier: Apache-2.0
"""results/: what commands measure. Each topic is a page, NAME.md, whose tables commands read
again; results/README.md lists them with the command, time and machine of the last run. All is
written by commands, nothing by hand. A topic has one table (`put`) or a table a section
(`put_section`).

  results.py NAME            prints the tables of a page as CSV, with the section before each line
  results.py < FILE.json     writes a section for a program that is not in Python
"""

import csv
import json
import os
import pathlib
import re
import signal
import sys
import time

import flow

FOLDER = flow.ROOT / "results"
LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
LIST = ("file", "what it answers", "command", "minutes", "commit", "machine")
ABOUT_LIST = """\
Commands write everything in this folder; do not edit. Each row says which command writes a file;
`python3 scripts/results.py NAME` prints the tables of NAME.md as CSV. The commit is that of its
last run, of the whole command or of a part; `+` behind it: with changes that were not committed.
Minutes and machine are those of the last whole run that took nothing from runs before; rows without
have had none since this list was begun."""
BEGUN = time.monotonic()


def plain(header, rows):
    """The lines of a Markdown table."""
    return [f"| {' | '.join(map(str, row))} |" for row in (header, ["---"] * len(header), *rows)]


def table(header, rows):
    """The same with columns that a terminal shows, numbers to the right."""
    rows = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *rows)]

    def line(cells):
        return "| " + " | ".join(
            cell.rjust(width) if re.fullmatch(r"[\d.]+", cell) else cell.ljust(width)
            for cell, width in zip(cells, widths)) + " |"

    dashes = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [line(header), dashes, *map(line, rows)]


def show(*tables):
    """Prints tables (header, rows), those that have rows."""
    print("\n\n".join("\n".join(table(*each)) for each in tables if each[1]))


def tables(name):
    """The tables of a page by section, "" for one above all; each its lines as tuples, the heads
    first. None if there is no such page."""
    path, title, found = FOLDER / f"{name}.md", "", {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("## "):
            title = line[3:]
        elif line.startswith("| ") and not line.startswith("| ---"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found.setdefault(title, []).append(
                tuple(cell.strip().replace("\\|", "|") for cell in cells))
    return found


def rows(name):
    """The lines of a topic of one table, without its head."""
    return tables(name).get("", [()])[1:]


def section(name, title):
    """The rows of a section, a dictionary each."""
    header, *lines = tables(name).get(title, [()])
    return [dict(zip(header, line)) for line in lines]


def read_csv(name):
    """The lines of a CSV as tuples; none if there is no such file."""
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(map(tuple, csv.reader(file)))


def write_csv(name, lines):
    path = FOLDER / f"{name}.csv"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def merged(old, new, order, width=1):
    """Rows with new ones in place of those of the same key, the first `width` cells; those of the
    keys in `order`, in this order."""
    found = {row[:width]: row for row in [*old, *(tuple(map(str, row)) for row in new)]}
    return [found[key] for key in order if key in found]


def write_page(name, title, *lines):
    FOLDER.mkdir(exist_ok=True)
    text = "\n".join([f"{LICENCE}# {title}", "", *lines]) + "\n"
    (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")


def put(name, title, about, header, lines, answers):
    """A topic of one table, and its row in the list; `about` stands above it in the page."""
    write_page(name, title, about, "", *table(header, lines))
    note(f"{name}.md", answers)


def put_section(name, title, about, header, lines):
    """A section of a topic, in place of the one of the same title or behind all others. Returns
    its address."""
    page = FOLDER / f"{name}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else f"{LICENCE}# {name.title()}\n"
    head, *parts = re.split(r"^## ", text, flags=re.M)
    new = "\n".join([title, "", about, "", *table(header, lines)])
    of = {part.partition("\n")[0]: part.strip("\n") for part in parts} | {title: new}
    page.write_text("\n\n".join([head.strip("\n"), *(f"## {part}" for part in of.values())]) + "\n",
                    encoding="utf-8")
    return f"{name}.md#{title.lower().replace(' ', '-')}"


def goals():
    """How many goals are met of those of speed and hardware."""
    text = "".join(path.read_text(encoding="utf-8") for name in ("performance", "synthesis")
                   if (path := FOLDER / f"{name}.md").exists())
    met, missed = (len(re.findall(rf"\| {re.escape(word)} +\|", text))
                   for word in ("met", "**missed**"))
    return (f"{met} of {met + missed} goals are met: of [speed](performance.md#speed), beside "
            "[BookSim2](performance.md#booksim2-beside-golden), of "
            "[ranks](performance.md#two-ranks) and of [hardware](synthesis.md#goals). What does "
            "not fit its chip is missed.")


def note(file, answers, command=None, whole=None):
    """Lists the run that ends now, in place of the row of results/README.md that has the file and
    what it answers. The command is this script with --write if none is given, and the run is whole
    if it was typed so."""
    typed = " ".join([os.path.relpath(sys.argv[0], flow.ROOT), *sys.argv[1:]])
    command = command or f"{typed.partition(' ')[0]} --write"
    whole = typed == command if whole is None else whole
    status, commit = flow.run(["git", "-c", "safe.directory=*", "describe", "--always",
                               "--exclude=*", "--dirty=+"])
    listed = {row[:2]: row for row in rows("README")}
    key = (f"[{file}]({file})", answers)
    minutes, _, on = listed.get(key, ("",) * 6)[3:]
    if whole:
        cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
        minutes = f"{(time.monotonic() - BEGUN) / 60:.1f}"
        on = f"{cpu[1] if cpu else 'unknown processor'}, {os.cpu_count()} cores"
    listed[key] = (*key, f"`{command}`", minutes, "" if status else commit.strip(), on)
    write_page("README", "What commands have measured", ABOUT_LIST, "",
               goals(), "", *table(LIST, sorted(listed.values())))


if __name__ == "__main__":
    if sys.argv[1:]:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as other programs end that write to `head`
        csv.writer(sys.stdout, lineterminator="\n").writerows(
            (title, *line) for title, lines in tables(sys.argv[1]).items() for line in lines)
        sys.exit()
    said = json.load(sys.stdin)
    note(put_section(*said["section"]), *said["note"], whole=True)
