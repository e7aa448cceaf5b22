# SPDX-License-Identifier: Apache-2.0
"""What scripts/measured writes. A table has rows, and a row the commands of `muster` that give its
cells; a session is a command with all that it prints, an excerpt has some lines of that.

Each has `mark`, its place in its page, None if it needs none; `write`, and `old`, the lines that
its page lacks or has and should not."""

import json
import typing

import flow
import runs
import tables


class Row(typing.NamedTuple):
    labels: tuple
    cells: tuple  # (command, functions of its JSON, one a cell) each
    quick: bool = True


class Table(typing.NamedTuple):
    name: str
    page: str
    header: tuple
    rows: tuple

    @property
    def mark(self):
        return f"table measured {self.name}"

    def write(self, commands):
        tables.put(self.page, f"measured {self.name}", self.header,
                   [made(row, commands) for row in self.rows])

    def old(self, commands):
        """Of its quick rows, and all if head or labels are others."""
        lines = tables.place(self.page, self.mark)[2]
        there = tables.rows_of(self.page, f"measured {self.name}")
        labels = [tuple(map(str, row.labels)) for row in self.rows]
        same = [row[:len(label)] for row, label in zip(there, labels)] == labels
        if not same or len(there) != len(labels) or heads(lines[:1]) != [*self.header]:
            return ["head and first columns as listed"]
        now = [made(row, commands) for row in self.rows if row.quick]
        return [" | ".join(row) for row in now if row not in there]


class Session(typing.NamedTuple):
    """Of a command that is quick."""
    name: str
    page: str
    command: str

    @property
    def mark(self):
        return f"session {self.name}"

    def lines(self, commands):
        return ["```", f"$ muster {self.command}", *commands.printed(self.command), "```"]

    def write(self, commands):
        tables.put_lines(self.page, self.mark, self.lines(commands))

    def old(self, commands):
        there = tables.place(self.page, self.mark)[2]
        return [line for line in self.lines(commands) if line not in there]


class Excerpt(typing.NamedTuple):
    """Lines of a page that begin with these words: the last ones that the command prints. What
    needs a model of the RTL is left out where that is not built."""
    name: str
    page: str
    command: str
    words: tuple
    model: str = ""

    mark = None

    def pairs(self, commands):
        """(line of the page, what it should be)"""
        if self.model and not (commands.build / f"models/{self.model}.so").exists():
            return
        last = {line.split()[0]: line for line in commands.printed(self.command) if line.strip()}
        for line in (flow.ROOT / self.page).read_text(encoding="utf-8").splitlines():
            if line.startswith(tuple(f"{word} " for word in self.words)):
                yield line, last[line.split()[0]]

    def write(self, commands):
        path = flow.ROOT / self.page
        now = dict(self.pairs(commands))
        path.write_text("".join(f"{now.get(line, line)}\n" for line in
                                path.read_text(encoding="utf-8").splitlines()), encoding="utf-8")

    def old(self, commands):
        return [line for line, now in self.pairs(commands) if line != now]


class Runs:
    """The JSON of commands, each run once. The second word of a command names a network: one that
    `networks` has, as the words of `muster topo gen`, or a file of topologies/."""

    def __init__(self, build, folder, networks):
        self.build, self.folder, self.networks = build, folder, networks
        self.done, self.files = {}, {}

    def file(self, network):
        if network not in self.networks:
            return flow.ROOT / f"topologies/{network}.json"
        if network not in self.files:
            self.files[network] = self.folder / f"{network}.json"
            runs.muster(self.build, "topo", "gen", *self.networks[network].split(), "--out",
                        self.files[network])
        return self.files[network]

    def result(self, command):
        if command not in self.done:
            subcommand, network, *options = command.split()
            self.done[command] = json.loads(runs.muster(
                self.build, subcommand, self.file(network), *options, "--json", "-"))
        return self.done[command]

    def printed(self, command):
        """The lines that a command prints, in the root of the project."""
        words = [flow.ROOT / word if word.startswith("topologies/") else word
                 for word in command.split()]
        return runs.muster(self.build, *words).rstrip().splitlines()


def heads(lines):
    return [cell.strip() for line in lines for cell in line.split("|")[1:-1]]


def made(row, commands):
    """The cells of a row, as text, like those of tables.rows_of."""
    values = [function(commands.result(command)) for command, *functions in row.cells
              for function in functions]
    return tuple(str(cell) for cell in (*row.labels, *values))


def at(path, form=""):
    """What stands at a dotted path, in a format."""
    def cell(result):
        for name in path.split("."):
            result = result[int(name)] if isinstance(result, list) else result[name]
        return format(result, form)
    return cell
