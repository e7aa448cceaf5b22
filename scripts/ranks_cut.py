# SPDX-License-Identifier: Apache-2.0
"""Where ranks cut a network: the links that lie between the parts of three divisions, and what
messages of a cycle cost with each, for `ranks --cut`."""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import runs
import tables

PAGE = "docs/reference/ranks.md"
PARTS = (2, 4, 8, 16)
NETWORKS = (
    ("irregular, 300 switches", "irregular --switches 300 --nodes 1024"),
    ("irregular, 3000 switches", "irregular --switches 3000 --nodes 10240"),
    ("mesh 32x32", "mesh --width 32 --height 32"))
CUT = ("links cut, %", "parts", "in a row", "grown and refined", "METIS",
       "largest part, grown and refined, %", "METIS, %")
PAPER = ("messages of a cycle, us", "parts", "home", "another rank, in a row",
         "grown and refined", "METIS")


def links_of(file):
    """By switch, the switches that its links lead to."""
    graph = json.loads(file.read_text())
    adjacent = [[] for _ in graph["switches"]]
    for link in graph["links"]:
        a, b = link["a"][0], link["b"][0]
        adjacent[a].append(b)
        adjacent[b].append(a)
    return adjacent


def in_a_row(adjacent, parts):
    """By number, which knows nothing of links."""
    return [((s + 1) * parts - 1) // len(adjacent) for s in range(len(adjacent))]


def refined(build, file, parts):
    """As ranks divide it (sim_cpp/topology/divide.hpp)."""
    done = subprocess.run([build / "rank_parts", file, str(parts)], text=True, check=True,
                          capture_output=True)
    return [int(line) for line in done.stdout.split()]


def metis(adjacent, parts):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "graph"
        lines = [f"{len(adjacent)} {sum(map(len, adjacent)) // 2}"]
        lines += [" ".join(str(w + 1) for w in list_) for list_ in adjacent]
        file.write_text("\n".join(lines) + "\n")
        done = subprocess.run(["gpmetis", "-seed=1", file, str(parts)], text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"ranks: gpmetis: {done.stdout.strip()} {done.stderr.strip()}")
        return [int(line) for line in pathlib.Path(f"{file}.part.{parts}").read_text().split()]


def links_cut(adjacent, part):
    """Share of the links, in per cent."""
    cut = sum(part[v] != part[w] for v, list_ in enumerate(adjacent) for w in list_)
    return 100 * cut / sum(map(len, adjacent))


def largest(part, parts):
    """The most switches of a part, in per cent of the average."""
    return 100 * max(collections.Counter(part).values()) * parts / len(part)


def to_neighbours(adjacent, part, said, start, byte):
    """Microseconds in which the rank that hears most hears its neighbours: a start for each, and of
    each the switches with a link into its part."""
    heard = collections.defaultdict(lambda: collections.defaultdict(set))
    for v, list_ in enumerate(adjacent):
        for w in list_:
            if part[v] != part[w]:
                heard[part[w]][part[v]].add(v)
    return max(len(others) * start + byte * said * sum(map(len, others.values()))
               for others in heard.values())


def measure(build, said):
    """(rows of CUT, rows of PAPER); `said`: bytes that a switch says in a cycle. The costs of an
    exchange are those that stand in the page."""
    if shutil.which("gpmetis") is None:
        print("ranks: --cut compares with gpmetis, which is not here; install the Debian package "
              "metis", file=sys.stderr)
        sys.exit(2)
    work = dict(tables.rows_of(PAGE, "ranks-work"))
    start = float(work["message to another rank, start"])
    byte = float(work["and a kilobyte of it"]) / 1024
    cuts, times = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "network.json"
        for name, generator in NETWORKS:
            runs.muster(build, "topo", "gen", *generator.split(), "--out", file)
            adjacent = links_of(file)
            for parts in PARTS:
                ways = [in_a_row(adjacent, parts), refined(build, file, parts),
                        metis(adjacent, parts)]
                cuts.append((name, parts, *(f"{links_cut(adjacent, part):.1f}" for part in ways),
                             *(f"{largest(part, parts):.1f}" for part in ways[1:])))
                home = (parts - 1) * start + byte * said * len(adjacent) * (parts - 1) / parts
                times.append((name, parts, f"{home:.1f}",
                              *(f"{to_neighbours(adjacent, part, said, start, byte):.1f}"
                                for part in ways)))
    return cuts, times
