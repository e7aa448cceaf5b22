# SPDX-License-Identifier: Apache-2.0
"""What the hardware takes: results/synthesis.csv, a line for each design and family (of a placed
design: chip), and results/synthesis.md, made of it: goals and tables; tables for a terminal.

A row in memory is a line of the CSV, without what is empty there. Its design is NAME of a
configuration, defaults:MODULE (these two have a module), or QUESTION:VALUE.

Of its sources and of what it sets a row has a digest, without comments and white space. A row of
other sources than today's is `earlier`, so a change of the RTL need not wait until all of it is
synthesized again.
"""

import csv
import functools
import hashlib
import io
import json
import re
import statistics
import subprocess

import flow
import fpga
import ladder
import power
import results

BUILD = flow.ROOT / "build"  # has the program that exports networks
FAMILIES = {"ice40": "iCE40", "ecp5": "ECP5", "xc7": "Xilinx 7", fpga.ASIC: "osu018"}
COLUMNS = ("design", "module", "family", "lut", "ff", "ram", "dsp", "levels", "abc9", "kge",
           "logic_kge", "ns", "cells", "seeds_mhz", "routing", "through", "seconds", "sources",
           "older")
TEXTS = ("design", "module", "family", "seeds_mhz", "through", "sources", "older")
HEAD = """\
Written by `scripts/synth` and, what is placed, by `scripts/synth --place`; do not edit. LUTs of
iCE40 and ECP5 have 4 inputs, of Xilinx series 7 six; carry chains and LUT RAM are counted as the
LUTs they occupy. *Levels* are cells on the longest path between flip-flops, memories and pins. Area
in standard cells of 0.18 um is in thousands of gates (a NAND of two inputs), with tables as
flip-flops and without tables; *ns* is the longest path without them at an ideal clock
([how](../docs/reference/place-and-route.md#area-in-gate-equivalents)). Rows with `earlier` in the
last column are of earlier sources of their design, for all families or those that it names.
"""
PLACED = """\
## Placed

By nextpnr, one clock, no pin constraints; `scripts/synth` says how. Cells are logic cells of an
iCE40, LUTs of ECP5 (speed grade 6, the slowest) and Nexus (grade 9), carry chains and LUT RAM
included; RAM is block RAM of 4 kbit (iCE40) and 18 kbit. MHz are the median of the seeds. *Levels*
are those of the critical path, *routing* its share of the delay;
[published routers beside them](../docs/reference/place-and-route.md).
"""
POWERED = "sw4"
POWER = ("run", *power.PARTS, "all", "edges, %", "all with a gate", "sources")
ABOUT_POWER = f"""\
## Power

mW of `{POWERED}` in standard cells at 100 MHz, from the toggles of a run: its clock, registers and
gates, and all; how many edges of the clock `muster_clock_gate` passes, and all with it
([how](../docs/reference/place-and-route.md#power)).
"""
GOALS = ("what was wanted", "goal", "measured", "")
MHZ = [("barrier unit, 4 ports, 4 registers", "unit:4", {"hx8k": 100, "ecp5-25": 150}),
       ("`sw4`, switch of 4 ports", "sw4", {"hx8k": 85, "ecp5-25": 130}),
       ("`sw8`, switch of 8 ports", "sw8", {"ecp5-25": 90}),
       ("`bsr1k4`, preempting switch of 4 ports", "bsr1k4", {"hx8k": 45, "ecp5-25": 60}),
       ("`box4s4`, 4 x 4 box", "box4s4", {"hx8k": 85}),
       ("link end that retries, 2 virtual channels", "link:2", {"hx8k": 75}),
       ("`nic4`, NIC engine", "nic4", {"ecp5-25": 60})]
DEPTH, ICE40 = ("ecp5", "abc9", "levels"), ("ice40", "lut", "LUTs")
SIZES = [("barrier unit, 8 ports, 4 registers, LUT levels by abc9 on ECP5", "unit:8", DEPTH, 12),
         ("switch of 8 ports, 4 registers, LUT levels by abc9 on ECP5", "support:4", DEPTH, 12),
         ("barrier register of 4 ports without data, iCE40", "register:4", ICE40, 100),
         ("link end that retries, 2 virtual channels, iCE40", "link:2", ICE40, 450),
         ("`sw4`, switch of 4 ports, iCE40", "sw4", ICE40, 3600),
         ("`sw4w80`, the same with flits of 80 bits, iCE40", "sw4w80", ICE40, 8000),
         ("`nic`, NIC engine of 16 connections, iCE40", "nic", ICE40, 4000)]
FURTHER = 0.15
SUPPORTED = [("support5", "5 ports", 0.50), ("support", "8 ports", 0.60)]
# A line comment, a block comment, or a string, which may have either in it.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*")', re.DOTALL)
NAMES = ("name", "title", "note", "values")  # of a question: not of the design that answers it


def columns(family):
    """Names in a row, and heads in a table."""
    return ({"kge": "kGE", "logic_kge": "without tables", "ns": "ns"} if family == fpga.ASIC else
            {"lut": f"{FAMILIES[family]} LUT", "ff": "FF", "ram": "RAM", "levels": "levels"})


def size(row):
    return row.get("logic_kge") or row["lut"]


def by_design(rows):
    """{design: {family or chip: row}}"""
    found = {}
    for row in rows:
        found.setdefault(row["design"], {})[row["family"]] = row
    return found


def mhz(row):
    """{seed: MHz} of a placed row; none of one that does not fit."""
    return ladder.clocks(row.get("seeds_mhz", ""))


# The page

def goal(what, wanted, measured, unit, of, at_least=False):
    """`of`: the rows that say it."""
    met = measured >= wanted if at_least else measured <= wanted
    form = "{:.0%}" if unit == "%" else "{:.0f} " + unit
    sign = "at least " if at_least else "at most "
    older = ", earlier" if any(row.get("older") for row in of) else ""
    return (what, sign + form.format(wanted), form.format(measured) + older,
            "met" if met else "**missed**")


def goals(rows):
    """A row for each goal; without a figure of what has not been placed yet, or does not fit."""
    found = by_design(rows)
    for what, name, by_chip in MHZ:
        for chip, wanted in by_chip.items():
            label, row = f"{what}, on {fpga.CHIPS[chip].title}", found.get(name, {}).get(chip)
            if row and mhz(row):
                yield goal(label, wanted, statistics.median_high(mhz(row).values()), "MHz", [row],
                           at_least=True)
            else:
                yield (label, f"at least {wanted} MHz",
                       f"does not fit ({row['cells']} cells)" if row else "not measured",
                       "**missed**" if row else "")
    for what, name, (family, column, unit), wanted in SIZES:
        if family in found.get(name, {}):
            row = found[name][family]
            yield goal(what, wanted, row[column], unit, [row])
    for question, ports, most in SUPPORTED:
        for family, title in FAMILIES.items():
            if all(family in found.get(f"{question}:{n}", {}) for n in (0, 1, 4)):
                of = [found[f"{question}:{n}"][family] for n in (0, 1, 4)]
                plain, one, four = map(size, of)
                yield goal(f"barrier support, 4 registers, {ports}, area more, {title}", most,
                           four / plain - 1, "%", of)
                yield goal(f"each further register, {ports}, area more, {title}", FURTHER,
                           (four - one) / 3 / plain, "%", of)


def table(header, rows):
    return "\n".join(results.table(header, rows)) + "\n"


def sized_table(first, designs, more=lambda families: {}):
    """A table of designs [(cells of the columns `first`, {family: row})], with the columns that
    `more` gives of one."""
    used = [f for f in FAMILIES if any(f in families for _, families in designs)]
    rows = []
    for cells, families in designs:
        counts = (families[family].get(what, 0) if family in families else ""
                  for family in used for what in columns(family))
        marked = [FAMILIES[family] for family in used if families.get(family, {}).get("older")]
        rows.append([*cells, *counts, *more(families).values(),
                     "earlier" if len(marked) == len(families) else ", ".join(marked)])
    heads = (head for family in used for head in columns(family).values())
    return table([*first, *heads, *more(designs[0][1]), ""], rows)


def module_table(rows):
    return sized_table(("configuration", "module"), [
        ((design, next(iter(families.values()))["module"]), families)
        for design, families in by_design(rows).items()])


def value_of(design):
    """Of QUESTION:VALUE, a number if it is one."""
    value = design.partition(":")[2]
    return int(value) if value.isdecimal() else value


def answer_tables(rows):
    """Of each question that the rows answer."""
    found = by_design(rows)
    for question in listed("questions"):
        mine = sorted(((value_of(design), families) for design, families in found.items()
                       if design.partition(":")[0] == question["name"]), key=lambda each: each[0])
        if not mine:
            continue

        def more(families, question=question, plain=mine[0][1]):
            cells = {}
            if question.get("flat") and "ecp5" in families:
                cells["LUT levels by abc9, ECP5"] = families["ecp5"].get("abc9", 0)
            if "plain" in question:
                cells |= {f"{FAMILIES[family]} more": f"{size(row) / size(plain[family]) - 1:.0%}"
                          for family, row in families.items()}
            return cells
        top = f" (`{question['top']}`)" if "top" in question else ""
        yield (f"### {question['title']}\n\n{question['note']}{top}\n\n"
               + sized_table([question["vary"]], [([value], f) for value, f in mine], more))


def placed_table(rows):
    """One table of all chips. Without a figure: what does not fit."""
    cells = []
    for row in rows:
        speed = ("does not fit", *[""] * 6)
        if clocks := mhz(row).values():
            through = ", ".join(f"`{part}`" for part in row.get("through", "").split())
            speed = (f"{statistics.median_high(clocks):.1f}", f"{min(clocks):.0f} to "
                     f"{max(clocks):.0f}", len(clocks), row["ram"], row["levels"], row["routing"],
                     through)
        cells.append((row["design"], fpga.CHIPS[row["family"]].title, row["cells"], *speed,
                      row.get("older", "")))
    return table(("design", "chip", "cells", "MHz", "of all seeds", "seeds", "RAM", "levels",
                  "% routing", "the critical path runs through", ""), cells)


def power_table(lines):
    now = digest(*designs()[POWERED])
    return table((*POWER[:-1], ""), [(*line, "" if sources == now else "earlier")
                                     for *line, sources in lines])


def split(rows):
    """Rows of configurations, of answers, and of what is placed."""
    return ([row for row in rows if "module" in row],
            [row for row in rows if "module" not in row and row["family"] in FAMILIES],
            [row for row in rows if row["family"] not in FAMILIES])


def tables(rows):
    """For a terminal."""
    modules, answers, placed = split(rows)
    return "\n".join([*([module_table(modules)] if modules else []), *answer_tables(answers),
                      *([placed_table(placed)] if placed else [])])


# The files

def csv_of(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read():
    """The rows as they stand; none if there are none."""
    names, *lines = results.read_csv("synthesis") or [()]
    return [{name: text if name in TEXTS else json.loads(text)
             for name, text in zip(names, line) if text} for line in lines]


def write(new):
    """Puts rows in place of those of the same names, and all rows of old sources and no others are
    marked. The CSV first: the page is made of it."""
    now = designs()
    replaced = set(map(group_of, new))
    others = [row for row in read() if name_of(row) in now and group_of(row) not in replaced]
    rows = [{**row, "older": "earlier" if row.get("sources") != digest(*now[name_of(row)]) else ""}
            for row in [*others, *new]]
    order = [*FAMILIES, *fpga.CHIPS]
    rows.sort(key=lambda row: (group_of(row)[0], row["design"], order.index(row["family"])))
    modules, answers, placed = split(rows)
    flow.replace(results.FOLDER / "synthesis.csv", csv_of([*modules, *answers, *placed]))
    sections = ["## Goals\n", table(GOALS, list(goals(rows)))]
    if placed:
        sections += [PLACED, placed_table(placed)]
    if steps := ladder.section(listed("ladder")):
        sections += [steps]
    if answers:
        sections += ["## Answers\n", *answer_tables(answers)]
    if modules:
        sections += ["## Configurations\n\nMapped module by module; `defaults:` with the default "
                     "parameters.\n", module_table(modules)]
    if lines := results.read_csv("power")[1:]:
        sections += [ABOUT_POWER, power_table(lines)]
    results.write_page("synthesis", "What the hardware takes", "\n".join([HEAD, *sections])[:-1])


def group_of(row):
    """What is written at once: a question, configuration or placed design, and a family or chip."""
    design, family = row["design"], row["family"]
    return design.partition(":")[0] if family in FAMILIES else design, family


def name_of(row):
    """Of its design in designs()."""
    return row["design"] + ("" if row["family"] in FAMILIES else f" {row['family']}")


def findings():
    """Sentences about rows that are of other sources and are not marked, or marked and are not."""
    now = designs()
    for name, row in sorted({name_of(row): row for row in read()}.items()):
        where, older = f"results/synthesis.csv: {name}", bool(row.get("older"))
        design, _, chip = name.partition(" ")
        renewal = (f"scripts/synth --place --write --chip {chip} {design}" if chip else
                   f"scripts/synth --write {design.partition(':')[0]}")
        if name not in now:
            yield f"{where}: its design is gone from the lists; scripts/synth --older takes it away"
        elif (row.get("sources") != digest(*now[name])) == older:
            continue
        elif older:
            yield f"{where}: is as it is now; scripts/synth --older takes the mark away"
        else:
            yield (f"{where}: its row is of other sources than there are now; {renewal} renews it, "
                   "scripts/synth --older marks it")


# Sources

def code(text):
    """The text without comments, each white space a blank."""
    return " ".join(COMMENT.sub(lambda found: found[1] or " ", text).split())


@functools.cache
def sources(top, export):
    """The texts of a module, or of an exported one, of its parts, of the package and of all that
    may be included."""
    if not top:
        return []
    text = exported(export) if export else flow.module(top).text
    paths = [flow.PACKAGE, *flow.with_parts(text), *sorted((flow.ROOT / "rtl").glob("*/*.svh"))]
    return [code(text), *(code((flow.ROOT / path).read_text()) for path in paths)]


def digest(top, setting, export=""):
    """Of a design: its sources, and what is set of it, anything that JSON has."""
    return hashlib.sha256(json.dumps([sources(top, export), setting], sort_keys=True)
                          .encode()).hexdigest()[:16]


# Designs

def listed(kind):
    """The configurations, the questions, or what is placed."""
    path = "rtl/configurations.json" if kind == "configurations" else "synth/designs.json"
    found = json.loads((flow.ROOT / path).read_text())
    return found[kind] + (found.get("mapped", []) if kind == "configurations" else [])


@functools.cache
def exported(options):
    """The module that `muster topo export` writes by these options."""
    program = BUILD.resolve() / "muster"
    if not program.exists():
        flow.stop(f"{program}: no such program, which exports a network; scripts/build builds it")
    command = [program, "topo", "export", *options.split(), "--format", "verilog", "--out", "-"]
    done = subprocess.run(command, cwd=flow.ROOT, text=True, check=False, capture_output=True)
    if done.returncode != 0:
        flow.stop(f"muster topo export {options}: {done.stderr}")
    return done.stdout


def placed_designs():
    """What is placed, with what it is: {name, label, seeds, top, params}, and of a network that is
    exported {export, dests}."""
    known = {c["name"]: (c["top"], c["params"]) for c in listed("configurations")}
    known |= {f"{q['name']}:{value}": (q["top"], {**q["params"], q["vary"]: value})
              for q in listed("questions") if "top" in q for value in q["values"]}
    for design in listed("placed"):
        name = design["name"]
        if "export" in design:
            known[name] = (re.search(r"--module (\w+)", design["export"])[1], {})
        if name not in known or not design["seeds"].keys() <= fpga.CHIPS.keys():
            flow.stop(f"synth/designs.json: {name}: no such design, or no such chip")
        top, params = known[name]
        yield {**design, "label": name.replace(":", "-"), "top": top, "params": params}


def designs():
    """{name of a row: what its digest is of today}; of what is placed NAME CHIP."""
    found = {c["name"]: (c["top"], c["params"]) for c in listed("configurations")}
    found |= {f"defaults:{module.name}": (module.name, {}) for module in flow.modules()}
    for question in listed("questions"):
        name = question["name"]
        for value in question["values"]:
            setting = {key: part for key, part in question.items() if key not in (*NAMES, "plain")}
            top = value if question["vary"] == "top" else question["top"]
            found[f"{name}:{value}"] = ("" if "read" in question else top, [setting, value])
        if plain := question.get("plain"):
            found[f"{name}:0"] = (plain["top"], plain)
    for design in placed_designs():
        made_of = (design["top"], design["params"])
        if "export" in design:
            made_of = (design["top"], {"dests": design["dests"]}, design["export"])
        found |= {f"{design['name']} {chip}": made_of for chip in design["seeds"]}
    return found
