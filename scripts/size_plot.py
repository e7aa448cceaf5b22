# SPDX-License-Identifier: Apache-2.0
"""The picture of large networks: time and memory of a run over the nodes of its network."""

import collections
import pathlib
import subprocess
import tempfile

# Marks of gnuplot, told apart without colour.
POINTS = {"btin": 7, "unicast": 5, "bsr-2": 9, "nic-dissemination": 13}
PANELS = (("processor time of the command, s", 6), ("memory, MB", 7))


def draw(file, rows):
    """`rows`: of the table, texts: network, switches, nodes, scheme, latency, cycles, s, MB."""
    by_scheme = collections.defaultdict(list)
    for row in rows:
        by_scheme[row[3]].append(row)
    text = ""
    for number, found in enumerate(by_scheme.values()):
        points = sorted((int(row[2]), row[6], row[7]) for row in found)
        text += f"$points{number} << EOD\n"
        text += "".join(f"{nodes} {seconds} {memory}\n" for nodes, seconds, memory in points)
        text += "EOD\n"
    text += f"""set terminal svg size 900,420 noenhanced font 'sans,11' background 'white'
set output '{file}'
set multiplot layout 1,2
set logscale xy
set grid back linecolor '#dddddd'
set xlabel 'nodes of the network, all in one group'
set xtics (256, 1024, 4096, 16384, 65536)
set xrange [200:90000]
set key left top
"""
    for label, column in PANELS:
        curves = ", ".join(f"$points{number} using 1:{column - 4} with points pointtype "
                           f"{POINTS[scheme]} pointsize 0.9 title '{scheme}'"
                           for number, scheme in enumerate(by_scheme))
        text += f"set ylabel '{label}'\nplot {curves}\n"
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "size.gp"
        script.write_text(text)
        subprocess.run(["gnuplot", script], check=True)
