# SPDX-License-Identifier: Apache-2.0
"""What scripts/measured writes. A table has rows, and a row the commands of `muster` that give its
cells; a session is a command with all that it prints."""

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

    def lines(self, commands):
        return tables.table(self.header, [made(row, commands) for row in self.rows])

    def old(self, commands):
        """Its quick rows that do not stand in its page, as text."""
        there = tables.rows_of(self.page, f"measured {self.name}")
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

    def old(self, commands):
        there = tables.place(self.page, self.mark)[2]
        return [line for line in self.lines(commands) if line not in there]


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
