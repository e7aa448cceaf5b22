# SPDX-License-Identifier: Apache-2.0
"""What the hardware takes: results/synthesis.csv, a line for each design and family (of a placed
design: chip), and results/synthesis.md, made of it: goals and tables; tables for a terminal.

In memory a row of `modules` (configurations) and `answers` has a dictionary for each family, a row
of `placed` is of one chip. `older` is true of a row that is known to be of earlier sources of its
design: a change of the RTL need not wait until all of it is synthesized again.
"""

import csv
import io
import json
import statistics

import flow
import placing
import sources
import tables

FOLDER = flow.ROOT / "results"
TABLES = ("modules", "answers", "placed")
FAMILIES = {"ice40": "iCE40", "ecp5": "ECP5", "xc7": "Xilinx 7"}
COUNTS = ("lut", "ff", "ram", "dsp", "levels", "abc9")
COLUMNS = ("design", "module", "family", *COUNTS, "cells", "seeds_mhz", "routing", "through",
           "seconds", "sources", "older")
HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# What the hardware takes

Written by `scripts/synth` and, what is placed, by `scripts/place`; do not edit. LUTs of iCE40 and
ECP5 have 4 inputs, of Xilinx series 7 six; carry chains and LUT RAM are counted as the LUTs they
occupy. *Levels* are cells on the longest path between flip-flops, memories and pins. Rows with
`earlier` in the last column are of earlier sources of their design.
"""
PLACED = """\
## Placed

By nextpnr, one clock, no pin constraints; `scripts/place` says how. Cells are logic cells of an
iCE40, LUTs of ECP5 (speed grade 6, the slowest) and Nexus (grade 9), carry chains and LUT RAM
included; RAM is block RAM of 4 kbit (iCE40) and 18 kbit. MHz are the median of the seeds. *Levels*
are those of the critical path, *routing* its share of the delay;
[published routers beside them](../docs/reference/place-and-route.md).
"""
GOALS = ("what was wanted", "goal", "measured", "")
MHZ = [("barrier unit, 4 ports, 4 registers", "unit:4", {"hx8k": 100, "ecp5-25": 200}),
       ("`sw4`, switch of 4 ports", "sw4", {"hx8k": 80, "ecp5-25": 150}),
       ("`sw8`, switch of 8 ports", "sw8", {"hx8k": 60, "ecp5-25": 120}),
       ("`box4s4`, 4 x 4 box", "box4s4", {"hx8k": 85}),
       ("`nic4`, NIC engine", "nic4", {"ecp5-25": 60})]
DEPTHS = [("barrier unit, 8 ports, 4 registers, LUT levels by abc9 on ECP5", "unit", 8, 12),
          ("switch of 8 ports, 4 registers, LUT levels by abc9 on ECP5", "support", 4, 12)]
SUPPORT, FURTHER = 0.60, 0.15
SUPPORTED = [("support5", "5 ports"), ("support", "8 ports")]
LUTS = [("barrier register of 4 ports without data, iCE40", "register", 4, 100),
        ("link end that retries, 2 virtual channels, iCE40", "link", 2, 250)]
SWITCH = ("`sw4`, switch of 4 ports, iCE40", "sw4", 4000)


def goal(what, wanted, measured, unit, at_least=False):
    met = measured >= wanted if at_least else measured <= wanted
    form = "{:.0%}" if unit == "%" else "{:.0f} " + unit
    sign = "at least " if at_least else "at most "
    return (what, sign + form.format(wanted), form.format(measured), "met" if met else "**missed**")


def goal_of_clock(what, wanted, chip, placed):
    """Without a figure if it has not been placed yet, or if it does not fit."""
    what = f"{what}, on {placing.CHIPS[chip].title}"
    if placed and "mhz" in placed:
        return goal(what, wanted, placed["mhz"], "MHz", at_least=True)
    measured = f"does not fit ({placed['cells']} cells)" if placed else "not measured"
    return (what, f"at least {wanted} MHz", measured, "")


def goals(report):
    """A row for each goal."""
    placed = {(p["configuration"], p["chip"]): p for p in report["placed"]}
    answers = {(a["question"], a["value"]): a for a in report["answers"]}
    found = [goal_of_clock(what, wanted, chip, placed.get((name, chip)))
             for what, name, by_chip in MHZ for chip, wanted in by_chip.items()]
    found += [goal(what, wanted, answers[question, value]["ecp5"]["abc9"], "levels")
              for what, question, value, wanted in DEPTHS if (question, value) in answers]
    found += [goal(what, wanted, answers[question, value]["ice40"]["lut"], "LUTs")
              for what, question, value, wanted in LUTS if (question, value) in answers]
    what, name, wanted = SWITCH
    found += [goal(what, wanted, row["ice40"]["lut"], "LUTs") for row in report["modules"]
              if row["configuration"] == name]
    for question, ports in SUPPORTED:
        if not all((question, n) in answers for n in (0, 1, 4)):
            continue
        for target, family in FAMILIES.items():
            plain, one, four = (answers[question, n][target]["lut"] for n in (0, 1, 4))
            found.append(goal(f"barrier support, 4 registers, {ports}, LUTs more, {family}",
                              SUPPORT, four / plain - 1, "%"))
            found.append(goal(f"each further register, {ports}, LUTs more, {family}", FURTHER,
                              (four - one) / 3 / plain, "%"))
    return found


def table(header, rows):
    return "\n".join(tables.table(header, rows)) + "\n"


def age(row):
    return "earlier" if row.get("older") else ""


def sizes(row):
    return [row[target].get(what, 0) for target in FAMILIES if target in row
            for what in ("lut", "ff", "ram", "levels")]


def heads(row):
    return [name for target, family in FAMILIES.items() if target in row
            for name in (f"{family} LUT", "FF", "RAM", "levels")]


def module_table(report):
    return table(["configuration", "module", *heads(report["modules"][0]), ""],
                 [[r["configuration"], r["module"], *sizes(r), age(r)] for r in report["modules"]])


def placed_order(row):
    return (row["configuration"], list(placing.CHIPS).index(row["chip"]))


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
        cells.append((row["configuration"], placing.CHIPS[row["chip"]].title, row["cells"], *speed,
                      age(row)))
    return table(("design", "chip", "cells", "MHz", "of all seeds", "seeds", "RAM", "levels",
                  "% routing", "the critical path runs through", ""), cells)


def show(report):
    """Prints the tables that are not empty."""
    parts = [module_table(report)] if report["modules"] else []
    parts += [answer_tables(report)] if report["answers"] else []
    print("\n".join(parts), end="")


def questions_in(report):
    """(question, its answers by value), as far as the report has any."""
    listed = sources.entries("synth/questions.json", "questions")
    found = [(q, sorted((a for a in report["answers"] if a["question"] == q["name"]),
                        key=lambda a: a["value"])) for q in listed]
    return [(question, answers) for question, answers in found if answers]


def answer_tables(report):
    text = []
    for question, rows in questions_in(report):
        header = [question["vary"], *heads(rows[0])]
        cells = [[a["value"], *sizes(a)] for a in rows]
        if question.get("flat"):
            header.append("LUT levels by abc9, ECP5")
            cells = [[*c, a["ecp5"].get("abc9", 0)] for c, a in zip(cells, rows, strict=True)]
        if "plain" in question:
            header += [f"{family} more" for family in FAMILIES.values()]
            cells = [[*c, *(f"{a[t]['lut'] / rows[0][t]['lut'] - 1:.0%}" for t in FAMILIES)]
                     for c, a in zip(cells, rows, strict=True)]
        cells = [[*c, age(a)] for c, a in zip(cells, rows, strict=True)]
        top = f" (`{question['top']}`)" if "top" in question else ""
        text.append(f"### {question['title']}\n\n{question['note']}{top}\n\n"
                    + table([*header, ""], cells))
    return "\n".join(text)


def lines(report):
    """The lines of the CSV, a dictionary each."""
    named = [(row["configuration"], row) for row in report["modules"]]
    named += [(f"{row['question']}:{row['value']}", row) for row in report["answers"]]
    for design, row in named:
        for family in FAMILIES:
            if family in row:
                yield {"design": design, "module": row.get("module"), "family": family,
                       **row[family], "sources": row.get("sources"), "older": age(row)}
    for row in report["placed"]:
        path = row.get("path", {})
        seeds = " ".join(f"{seed}={mhz}" for seed, mhz in row.get("seeds", {}).items())
        yield {"design": row["configuration"], "family": row["chip"], "ram": row.get("ram"),
               "levels": path.get("levels"), "cells": row["cells"], "seeds_mhz": seeds,
               "routing": path.get("routing"), "through": " ".join(path.get("through", ())),
               "seconds": row["seconds"], "sources": row.get("sources"), "older": age(row)}


def csv_of(report):
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines(report))
    return text.getvalue()


def placed_row(line):
    row = {"configuration": line["design"], "chip": line["family"], "cells": int(line["cells"]),
           "seconds": int(line["seconds"])}
    if line["seeds_mhz"]:
        seeds = dict(part.split("=") for part in line["seeds_mhz"].split())
        row |= {"ram": int(line["ram"]), "seeds": {k: float(mhz) for k, mhz in seeds.items()},
                "path": {"levels": int(line["levels"]), "routing": int(line["routing"]),
                         "through": line["through"].split()}}
        row["mhz"] = statistics.median_high(row["seeds"].values())
    return row


def read():
    """The results as they stand; none if there are none."""
    report = {name: [] for name in TABLES}
    path, mapped = FOLDER / "synthesis.csv", {}
    for line in csv.DictReader(path.read_text().splitlines()) if path.exists() else ():
        design, family = line["design"], line["family"]
        marks = {"sources": line["sources"], **({"older": True} if line["older"] else {})}
        if family not in FAMILIES:
            report["placed"].append(placed_row(line) | marks)
            continue
        if design not in mapped:
            question, _, value = design.partition(":")
            mapped[design] = {**marks, **(
                {"configuration": design, "module": line["module"]} if line["module"] else
                {"question": question, "value": int(value) if value.isdecimal() else value})}
            report["modules" if line["module"] else "answers"].append(mapped[design])
        mapped[design][family] = {what: int(line[what]) for what in COUNTS if line[what]}
    return report


def missing(report):
    """Names of configurations and questions that the report has no rows of, in their order."""
    lists = (("rtl/configurations.json", "configurations", "modules", "configuration"),
             ("synth/questions.json", "questions", "answers", "question"))
    found = []
    for path, key, name, column in lists:
        there = {row[column] for row in report[name]}
        found += [each["name"] for each in sources.entries(path, key) if each["name"] not in there]
    return found


def write(report):
    """The CSV first: the page is made of it."""
    replace(FOLDER / "synthesis.csv", csv_of(report))
    sections = []
    if wanted := goals(report):
        sections += ["## Goals\n", table(GOALS, wanted)]
    if report["placed"]:
        sections += [PLACED, placed_table(report["placed"])]
    if report["answers"]:
        sections += ["## Answers\n", answer_tables(report)]
    if report["modules"]:
        sections += ["## Configurations\n\nMapped module by module; `defaults:` with the default "
                     "parameters.\n", module_table(report)]
    if names := missing(report):
        sections += [f"Not measured yet, `scripts/synth --write NAME`: {', '.join(names)}.\n"]
    replace(FOLDER / "synthesis.md", "\n".join([HEAD, *sections]))


def replace(path, text):
    """Writes a file as a whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


def rows_of(report):
    """{name of a row: the row}: NAME of a configuration, defaults:MODULE, QUESTION:VALUE; of what
    is placed NAME CHIP."""
    return {**{row["configuration"]: row for row in report["modules"]},
            **{f"{row['question']}:{row['value']}": row for row in report["answers"]},
            **{f"{row['configuration']} {row['chip']}": row for row in report["placed"]}}


def mark_older(report):
    """Marks the rows that are of other sources than those of today, and no others."""
    now = sources.designs()
    for name, row in rows_of(report).items():
        row["older"] = name in now and row["sources"] != now[name]()


def findings(report):
    """Sentences about rows that are of other sources and are not marked, or marked and are not."""
    now, found = sources.designs(), []
    for name, row in sorted(rows_of(report).items()):
        where = f"results/synthesis.csv: {name}"
        if name not in now:
            found.append(f"{where}: its design is gone from the lists; {sources.renewal(name)} "
                         "takes its row away")
        elif (stale := row["sources"] != now[name]()) and not row.get("older"):
            found.append(f"{where}: its row is of other sources than there are now; "
                         f"{sources.renewal(name)} renews it, scripts/synth --older marks it")
        elif row.get("older") and not stale:
            found.append(f"{where}: is as it is now; scripts/synth --older takes the mark away")
    return found
