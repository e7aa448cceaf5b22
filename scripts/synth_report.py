# SPDX-License-Identifier: Apache-2.0
"""The synthesis report: tables for a terminal, synth/report.md, .json and .svg."""

import json

import chips
import flow
import synth_ages
import synth_goals
import tables

FOLDER = flow.ROOT / "synth"
TABLES = ("modules", "answers", "placed")
FAMILIES = {"ice40": "iCE40", "ecp5": "ECP5", "xc7": "Xilinx 7"}
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# What the hardware takes

Written by `scripts/synth` and, what is placed, by `scripts/place`; do not edit. LUTs of iCE40 and
ECP5 have 4 inputs, of Xilinx series 7 six; carry chains and LUT RAM are counted as the LUTs they
occupy. *Levels* are cells on the longest
path between flip-flops, memories and pins.

![LUTs over what is varied](report.svg)
"""
PLACED = """\
## Placed

By nextpnr, one clock, no pin constraints; `scripts/place` says how. Cells are logic cells of an
iCE40, LUTs of ECP5 (speed grade 6, the slowest) and Nexus (grade 9), carry chains and LUT RAM
included; RAM is block RAM of 4 kbit (iCE40) and 18 kbit. MHz are the median of the seeds. *Levels*
are those of the critical path, *routing* its share of the delay;
[published routers beside them](../docs/reference/place-and-route.md).
"""


def table(header, rows):
    return "\n".join(tables.table(header, rows)) + "\n"


def columns_of(row):
    return [row[t].get(c, 0) for t in FAMILIES if t in row for c in ("lut", "ff", "ram")]


def module_table(report):
    header = ["configuration", "module"]
    for target, family in FAMILIES.items():
        if target in report["modules"][0]:
            header += [f"{family} LUT", "FF", "RAM"]
    return table(header, [[r["configuration"], r["module"], *columns_of(r)]
                          for r in report["modules"]])


def placed_order(row):
    return (row["configuration"], list(chips.CHIPS).index(row["chip"]))


def placed_table(rows):
    """One table of all chips. Without a figure: what does not fit."""
    cells = []
    for row in rows:
        speed = ("does not fit", *[""] * 6)
        if "mhz" in row:
            seeds = row["seeds"].values()
            speed = (f"{row['mhz']:.1f}", f"{min(seeds):.0f} to {max(seeds):.0f}", len(seeds),
                     row["ram"], row["path"]["levels"], row["path"]["routing"],
                     ", ".join(f"`{part}`" for part in row["path"]["through"]))
        cells.append((row["configuration"], chips.CHIPS[row["chip"]].title, row["cells"], *speed))
    return table(("design", "chip", "cells", "MHz", "of all seeds", "seeds", "RAM", "levels",
                  "% routing", "the critical path runs through"), cells)


def show(report):
    """Prints the tables that are not empty."""
    parts = [module_table(report)] if report["modules"] else []
    parts += [answer_tables(report)] if report["answers"] else []
    print("\n".join(parts), end="")


def questions_in(report):
    """(question, its answers by value), as far as the report has any."""
    listed = json.loads((flow.ROOT / "synth" / "questions.json").read_text())["questions"]
    found = [(q, sorted((a for a in report["answers"] if a["question"] == q["name"]),
                        key=lambda a: a["value"])) for q in listed]
    return [(question, answers) for question, answers in found if answers]


def answer_tables(report):
    text = []
    for question, rows in questions_in(report):
        header = [question["vary"]]
        for family in FAMILIES.values():
            header += [f"{family} LUT", "FF", "RAM", "levels"]
        cells = [[a["value"]] + [a[t].get(c, 0) for t in FAMILIES
                                 for c in ("lut", "ff", "ram", "levels")] for a in rows]
        if question.get("flat"):
            header.append("LUT levels by abc9, ECP5")
            cells = [[*c, a["ecp5"].get("abc9", 0)] for c, a in zip(cells, rows, strict=True)]
        if "plain" in question:
            header += [f"{family} more" for family in FAMILIES.values()]
            cells = [[*c, *(f"{a[t]['lut'] / rows[0][t]['lut'] - 1:.0%}" for t in FAMILIES)]
                     for c, a in zip(cells, rows, strict=True)]
        top = f" (`{question['top']}`)" if "top" in question else ""
        text.append(f"### {question['title']}\n\n{question['note']}{top}\n\n"
                    + table(header, cells))
    return "\n".join(text)


def draw(report, directory):
    """LUTs (iCE40) by what each question varies, one panel each; raises RuntimeError."""
    listed = questions_in(report)
    rows = (len(listed) + 1) // 2
    script = [f"set terminal svg size 900,{260 * rows} noenhanced font 'sans,11' "
              "background 'white'",
              "set output 'report.svg'", f"set multiplot layout {rows},2",
              "set grid; set yrange [0:*]; set key bottom right; set ylabel 'LUTs'"]
    for question, answers in listed:
        named = question["vary"] in ("top", "edit")
        turned = "rotate by 20 right" if question["vary"] == "edit" else "norotate"
        script += [f"set title \"{question['title']}\"", f"set xlabel '{question['vary']}'",
                   f"set xtics autofreq {turned}"]
        for target in FAMILIES:
            script += [f"${question['name']}_{target} << END",
                       *[f"{a['value']} {a[target].get('lut', 0)}" for a in answers], "END"]
        script.append("plot " + ", ".join(
            f"${question['name']}_{target} using {'0:2:xtic(1)' if named else '1:2'} "
            f"with {'points' if named else 'linespoints'} title '{family}'"
            for target, family in FAMILIES.items()))
    (directory / "report.gnuplot").write_text("\n".join([*script, "unset multiplot", ""]))
    status, log = flow.run(["gnuplot", "report.gnuplot"], directory)
    (directory / "report.gnuplot").unlink()
    if status != 0:
        raise RuntimeError(f"gnuplot:\n{log}")


def read():
    """The report as it stands; an empty one if there is none."""
    path = FOLDER / "report.json"
    report = json.loads(path.read_text()) if path.exists() else {}
    return {"schema": "muster-synthesis-2", **{name: report.get(name, []) for name in TABLES}}


def missing(report):
    """Names of configurations and questions that the report has no rows of, in their order."""
    lists = (("rtl/configurations.json", "configurations", "modules", "configuration"),
             ("synth/questions.json", "questions", "answers", "question"))
    found = []
    for path, key, name, column in lists:
        there = {row[column] for row in report[name]}
        found += [each["name"] for each in json.loads((flow.ROOT / path).read_text())[key]
                  if each["name"] not in there]
    return found


def write(report):
    """The figures first: what is drawn of them can be drawn again."""
    ordered = {"schema": report["schema"], **{name: report[name] for name in TABLES}}
    replace(FOLDER / "report.json", json.dumps(ordered, indent=1) + "\n")
    sections = []
    if older := sorted(synth_ages.older()):
        sections += ["Rows that were made of earlier sources of their design, by `scripts/synth "
                     f"--check`: {', '.join(older)}.\n"]
    if goals := synth_goals.rows(report, FAMILIES):
        sections += ["## Goals\n", table(synth_goals.HEADER, goals)]
    if report["placed"]:
        sections += [PLACED, placed_table(report["placed"])]
    if report["answers"]:
        sections += ["## Answers\n", answer_tables(report)]
        draw(report, FOLDER)
    if report["modules"]:
        sections += ["## Modules\n\nWith their parts, as mapped module by module.\n",
                     module_table(report)]
    if names := missing(report):
        sections += [f"Not measured yet, `scripts/synth --write NAME`: {', '.join(names)}.\n"]
    replace(FOLDER / "report.md", "\n".join([HEAD, *sections]))


def replace(path, text):
    """Writes a file as a whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)
