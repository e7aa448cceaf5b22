# SPDX-License-Identifier: Apache-2.0
"""What a table of scripts/measured is made of: rows, for each the commands of `muster` that give
its cells."""

import json
import typing

import flow
import runs


class Row(typing.NamedTuple):
    labels: tuple
    cells: tuple  # (command, functions of its JSON, one a cell) each
    quick: bool = True


class Table(typing.NamedTuple):
    name: str
    page: str
    header: tuple
    rows: tuple


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
