# SPDX-License-Identifier: Apache-2.0
"""The synthesis report: tables for a terminal, synth/report.md, .json and .svg."""

import json

import flow
import mapping
import synth_goals
import tables

FAMILIES = {"ice40": "iCE40", "ecp5": "ECP5", "xc7": "Xilinx 7"}
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# What the hardware takes

Written by `scripts/synth`; do not edit. LUTs of iCE40 and ECP5 have 4 inputs, of Xilinx series 7
six; carry chains and LUT RAM are counted as the LUTs they occupy. *Levels* are cells on the longest
path between flip-flops, memories and pins. MHz are those of an HX8K after place and route by
nextpnr-ice40, the median of the seeds {seeds}.

![LUTs over what is varied](report.svg)
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


def placed_table(report):
    return table(("placed on HX8K", f"cells of {mapping.HX8K_CELLS}", "RAM of 32", "MHz",
                  "levels", "% routing", "the critical path runs through"),
                 [(p["configuration"], p["cells"], p["ram"], f"{p['mhz']:.1f}",
                   p["path"]["levels"], p["path"]["routing"],
                   ", ".join(f"`{part}`" for part in p["path"]["through"]))
                  for p in report["placed"]])


def show(report):
    """Prints the tables that are not empty."""
    parts = [module_table(report)] if report["modules"] else []
    parts += [placed_table(report)] if report["placed"] else []
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
        named = question["vary"] == "top"
        script += [f"set title \"{question['title']}\"", f"set xlabel '{question['vary']}'",
                   "set xtics autofreq"]
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


def write(report, directory):
    """The figures first: what is drawn of them can be drawn again."""
    replace(directory / "report.json", json.dumps(report, indent=1) + "\n")
    sections = []
    if goals := synth_goals.rows(report, FAMILIES):
        sections += ["## Goals\n", table(synth_goals.HEADER, goals)]
    if report["placed"]:
        sections += ["## Placed\n", placed_table(report)]
    if report["answers"]:
        sections += ["## Answers\n", answer_tables(report)]
        draw(report, directory)
    if report["modules"]:
        sections += ["## Modules\n\nWith their parts, as mapped module by module.\n",
                     module_table(report)]
    head = HEAD.format(seeds=", ".join(map(str, report["seeds"])))
    replace(directory / "report.md", "\n".join([head, *sections]))


def replace(path, text):
    """Writes a file as a whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)
