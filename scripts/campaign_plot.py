# SPDX-License-Identifier: Apache-2.0
"""The picture of docs/reliability.md: outcomes by system and fault, and barriers among losses."""

import collections
import pathlib
import subprocess
import tempfile

COLOURS = {"masked": "#4a7fb5", "recovered": "#8fc48f", "reported": "#f0c36d", "defect": "#c0392b"}
LETTERS = "font 'sans,11'"


def shares(rows, kinds):
    """By system and fault, of all networks together: the shares of outcomes, percent."""
    sums = collections.OrderedDict()
    for _, system, fault, runs, *counts in rows:
        found = sums.setdefault((system, fault), [0] * (1 + len(kinds)))
        for i, count in enumerate((runs, *counts[:len(kinds)])):
            found[i] += count
    for (system, fault), (runs, *counts) in sums.items():
        yield f"{system}: {fault}", [100 * count / runs for count in counts]


def block(name, lines):
    return f"${name} << EOD\n" + "\n".join(lines) + "\nEOD\n"


def script(file, rows, rates, kinds):
    """What gnuplot draws: bars above, lines below."""
    bars = list(shares(rows, kinds))
    text = block("bars", (f"\"{name}\" " + " ".join(f"{part:.2f}" for part in parts)
                          for name, parts in bars))
    systems = list(dict.fromkeys(row[0] for row in rates))
    for i, system in enumerate(systems):
        text += block(f"rate{i}", (f"{share} {later}" for name, share, _, later, _ in rates
                                   if name == system and share not in ("bare", "0")))
    height = 120 + 13 * len(bars)
    text += f"""set terminal svg size 900,{height + 380} noenhanced {LETTERS} background 'white'
set output '{file}'
set multiplot
set size 1,{height / (height + 380):.4f}
set origin 0,{380 / (height + 380):.4f}
set title 'What comes of a fault, percent of runs'
set style fill solid noborder
set xrange [0:100]
set xlabel 'percent of runs'
set yrange [{len(bars) - 0.5}:-0.5]
set lmargin 52
set key outside top center horizontal
set tics nomirror
"""
    text += "set ytics (" + ", ".join(f"'{name}' {i}" for i, (name, _) in enumerate(bars)) + ")\n"
    parts = []
    for i, kind in enumerate(kinds):
        before = "+".join(["0", *(f"${c + 2}" for c in range(i))])
        parts.append(f"$bars using ({before}):($0-0.4):({before}):({before}+${i + 2}):($0-0.4):"
                     f"($0+0.4) with boxxyerror linecolor '{COLOURS[kind]}' title '{kind}'")
    text += "plot " + ", ".join(parts) + "\n"
    text += f"""set size 1,{360 / (height + 380):.4f}
set origin 0,0
set title 'Mean time of a barrier by that on bare links: 75 switches, 64 members, data at 0.1'
set lmargin 8
set xrange [5e-7:0.1]
set yrange [*:*]
set logscale xy
set ytics autofreq
set format x '%.0e'
set xlabel 'share of frames lost, corrupted and duplicated, each'
set ylabel 'times as long'
set key top left vertical
plot """
    return text + ", ".join(f"$rate{i} using 1:2 with linespoints title '{system}'"
                            for i, system in enumerate(systems)) + "\nunset multiplot\n"


def draw(path, rows, rates, kinds):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "picture.gnuplot"
        file.write_text(script(path, rows, rates, kinds))
        subprocess.run(["gnuplot", file], check=True)
