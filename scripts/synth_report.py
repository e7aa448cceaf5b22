# SPDX-License-Identifier: Apache-2.0
"""What the hardware takes: results/synthesis.csv, a line for each design and family (of a placed
design: chip), and results/synthesis.md, made of it: goals and tables; tables for a terminal.

In memory a row of `modules` (configurations) and `answers` has a dictionary for each family, a row
of `placed` is of one chip. `older` is true of a row that is known to be of earlier sources of its
design: a change of the RTL need not wait until all of it is synthesized again.

Of its sources and of what it sets a row has a digest. Comments and white space are none of it, nor
what a design does not use of the package: a row is old when its hardware is another one, and not
when a register elsewhere gets a name.
"""

import csv
import functools
import hashlib
import io
import json
import pathlib
import re
import statistics

import flow
import placing
import results

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
# A line comment, a block comment, or a string, which may have either in it.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*")', re.DOTALL)
INCLUDE = re.compile(r'^\s*`include "(\w+\.svh)"', re.MULTILINE)
ITEM = re.compile(r"(?:localparam|typedef)\b(?:\{[^{}]*\}|[^;{])*;|function\b.*?\bendfunction",
                  re.DOTALL)
PART = re.compile(r"^\s*(\w+) (?:#\(|\w+ \()", re.MULTILINE)
NAMES = ("name", "title", "note", "values")  # of a question: not of the design that answers it


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
    return "\n".join(results.table(header, rows)) + "\n"


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
    listed = entries("synth/questions.json", "questions")
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
        found += [each["name"] for each in entries(path, key) if each["name"] not in there]
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
    now = designs()
    for name, row in rows_of(report).items():
        row["older"] = name in now and row["sources"] != now[name]()


def findings(report):
    """Sentences about rows that are of other sources and are not marked, or marked and are not."""
    now, found = designs(), []
    for name, row in sorted(rows_of(report).items()):
        where = f"results/synthesis.csv: {name}"
        if name not in now:
            found.append(f"{where}: its design is gone from the lists; {renewal(name)} "
                         "takes its row away")
        elif (stale := row["sources"] != now[name]()) and not row.get("older"):
            found.append(f"{where}: its row is of other sources than there are now; "
                         f"{renewal(name)} renews it, scripts/synth --older marks it")
        elif row.get("older") and not stale:
            found.append(f"{where}: is as it is now; scripts/synth --older takes the mark away")
    return found


# Sources

def code(text):
    """The text without comments, each white space a blank."""
    return " ".join(COMMENT.sub(lambda found: found[1] or " ", text).split())


def words(text):
    return set(re.findall(r"\w+", text))


@functools.cache
def package():
    """[(names, text)] of what the package declares."""
    body = code((flow.ROOT / flow.PACKAGE).read_text()).partition("package muster_pkg;")[2]
    items = [found[0] for found in ITEM.finditer(body)]
    if left := re.findall(r"\w+", ITEM.sub("", body).partition("endpackage")[0]):
        raise RuntimeError(f"{flow.PACKAGE}: {left[0]} is in no declaration that is known")
    return [(declared(item), item) for item in items]


def declared(item):
    """The name that an item of the package declares."""
    if item.startswith("localparam"):
        return item.partition("=")[0].split()[-1]
    if item.startswith("typedef"):
        return re.findall(r"\w+", item)[-1]
    return re.findall(r"(\w+)\s*(?:\(|;)", item)[0]


def used(text):
    """The items of the package that a text uses, and what these use, in their order."""
    wanted, known = words(text), dict(package())
    found, rest = set(), [name for name in known if name in wanted]
    while rest:
        name = rest.pop()
        if name not in found:
            found.add(name)
            rest += words(known[name]) & known.keys() - found
    return [item for name, item in package() if name in found]


@functools.cache
def modules(file=""):
    """{name: (text, parts that it instantiates)} of rtl/, and of a file."""
    texts = {module.name: module.text for module in flow.modules()}
    if file:
        texts[pathlib.Path(file).stem] = (flow.ROOT / file).read_text()
    return {name: (text, sorted(set(PART.findall(text)) & texts.keys()))
            for name, text in texts.items()}


@functools.cache
def of_hierarchy(top, file=""):
    """The texts of a module, its parts, what they include and what they use of the package."""
    known = modules(file)
    names, rest = set(), [top]
    while rest:
        names.add(name := rest.pop())
        rest += set(known[name][1]) - names
    texts = [known[name][0] for name in sorted(names)]
    included = sorted({name for text in texts for name in INCLUDE.findall(text)})
    headers = [next((flow.ROOT / "rtl").glob(f"*/{name}")).read_text() for name in included]
    codes = [code(text) for text in [*texts, *headers]]
    return [*codes, *used(" ".join(codes))]


def digest(top, setting, file=""):
    """Of a design: its sources, and what is set of it, anything that JSON has."""
    return hashlib.sha256(json.dumps([of_hierarchy(top, file), setting], sort_keys=True)
                          .encode()).hexdigest()[:16]


def of_configuration(entry):
    return digest(entry["top"], entry["params"])


def of_placed(design):
    """Of a design of scripts/place {top, params}, or of one of a file {file, dests}."""
    if "file" not in design:
        return of_configuration(design)
    return digest(pathlib.Path(design["file"]).stem, {"dests": design["dests"]}, design["file"])


def of_module(name):
    """Of a module with its default parameters."""
    return digest(name, {})


def of_answer(question, value):
    """Of a question, with one of its values; 0 may be the plain design beside the others."""
    if value not in question["values"]:
        return digest(question["plain"]["top"], question["plain"])
    setting = {key: part for key, part in question.items() if key not in (*NAMES, "plain")}
    if question["vary"] == "edit":
        setting["edits"] = [question["edits"][name] for name in value.split("+")]
    top = value if question["vary"] == "top" else question["top"]
    return digest(top, [setting, value])


def entries(path, key):
    return json.loads((flow.ROOT / path).read_text())[key]


def designs():
    """{name of a row: a function that gives the digest of its sources today}: NAME of a
    configuration, defaults:MODULE, QUESTION:VALUE; of what is placed NAME CHIP."""
    configurations = entries("rtl/configurations.json", "configurations")
    questions = entries("synth/questions.json", "questions")
    found = {c["name"]: lambda c=c: of_configuration(c) for c in configurations}
    found |= {f"defaults:{name}": lambda name=name: of_module(name) for name in modules()}
    placed = {c["name"]: c for c in configurations}
    for question in questions:
        for value in [*question["values"], *([0] if "plain" in question else [])]:
            found[f"{question['name']}:{value}"] = (
                lambda question=question, value=value: of_answer(question, value))
        if "top" in question:
            placed |= {f"{question['name']}:{value}": {
                "top": question["top"], "params": {**question["params"], question["vary"]: value}}
                for value in question["values"]}
    for design in entries("synth/place.json", "designs"):
        what = design if "file" in design else placed[design["name"]]
        found |= {f"{design['name']} {chip}": lambda what=what: of_placed(what)
                  for chip in design["seeds"]}
    return found


def renewal(name):
    """The command that makes a row anew."""
    design, _, chip = name.partition(" ")
    if chip:
        return f"scripts/place --write --chip {chip} {design}"
    return f"scripts/synth --write {design.partition(':')[0]}"


def row_of_seeds(design, chip_name, by_seed):
    """A row of the report from the results of all seeds: that of the median of MHz, and the MHz of
    each seed."""
    found = {"configuration": design["name"], "chip": chip_name,
             "sources": of_placed(design)}
    seconds = round(sum(each["seconds"] for each in by_seed.values()))
    if any("mhz" not in each for each in by_seed.values()):
        cells = max(each["cells"] for each in by_seed.values())
        return {**found, "cells": cells, "seconds": seconds}
    median = sorted(by_seed.values(), key=lambda each: each["mhz"])[len(by_seed) // 2]
    return {**found, **{key: median[key] for key in ("cells", "ram", "mhz")},
            "seeds": {str(seed): each["mhz"] for seed, each in sorted(by_seed.items())},
            "seconds": seconds, "path": median["path"]}
