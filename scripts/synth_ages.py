# SPDX-License-Identifier: Apache-2.0
"""Which rows of synth/report.json are of other sources than those of today: the digest beside a row
is not that of its design. Rows that synth/older.json names may be; the report says so of them."""

import json

import flow
import sources

OLDER = flow.ROOT / "synth/older.json"


def older():
    """Names of rows that are known to be of older sources."""
    return set(json.loads(OLDER.read_text())["rows"])


def drop_renewed(report):
    """Takes from older.json the names of rows that are of today's sources, or gone."""
    text = json.loads(OLDER.read_text())
    now, there = designs(), rows(report)
    text["rows"] = [name for name in text["rows"]
                    if name in now and name in there and there[name] != now[name]()]
    OLDER.write_text(json.dumps(text, indent=1) + "\n")


def entries(path, key):
    return json.loads((flow.ROOT / path).read_text())[key]


def designs():
    """{name of a row: a function that gives the digest of its sources today}: NAME of a
    configuration, defaults:MODULE, QUESTION:VALUE; of what is placed NAME CHIP."""
    configurations = entries("rtl/configurations.json", "configurations")
    questions = entries("synth/questions.json", "questions")
    found = {c["name"]: lambda c=c: sources.of_configuration(c) for c in configurations}
    found |= {f"defaults:{name}": lambda name=name: sources.of_module(name)
              for name in sources.modules()}
    placed = {c["name"]: c for c in configurations}
    for question in questions:
        for value in [*question["values"], *([0] if "plain" in question else [])]:
            found[f"{question['name']}:{value}"] = (
                lambda question=question, value=value: sources.of_answer(question, value))
        if "top" in question:
            placed |= {f"{question['name']}:{value}": {
                "top": question["top"], "params": {**question["params"], question["vary"]: value}}
                for value in question["values"]}
    for design in entries("synth/place.json", "designs"):
        what = design if "file" in design else placed[design["name"]]
        found |= {f"{design['name']} {chip}": lambda what=what: sources.of_placed(what)
                  for chip in design["seeds"]}
    return found


def rows(report):
    """{name of a row: the digest beside it}, None without one; of a configuration that of its
    top."""
    found = {}
    for row in report["modules"]:
        name = row["configuration"]
        found[name] = row.get("sources") or found.get(name)
    found |= {f"{row['question']}:{row['value']}": row.get("sources") for row in report["answers"]}
    return found | {f"{row['configuration']} {row['chip']}": row.get("sources")
                    for row in report["placed"]}


def renewal(name):
    """The command that makes a row anew."""
    design, _, chip = name.partition(" ")
    if chip:
        return f"scripts/place --write --chip {chip} {design}"
    return f"scripts/synth --write {design.partition(':')[0]}"


def findings(report):
    """Sentences about rows that are of other sources, and about names in older.json that are not,
    or are no rows."""
    now, known = designs(), older()
    there = rows(report)
    stale = {name for name, digest in there.items() if name in now and digest != now[name]()}
    return [*(f"{name}: its row of synth/report.json is of other sources than there are now; "
              f"{renewal(name)} renews it" for name in sorted(stale - known)),
            *(f"{name}: its design is gone from the lists; {renewal(name)} takes its row away"
              for name in sorted(there.keys() - now.keys())),
            *(f"synth/older.json: {name} is as it is now" if name in there else
              f"synth/older.json: there is no row {name}" for name in sorted(known - stale))]
