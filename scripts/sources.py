# SPDX-License-Identifier: Apache-2.0
"""What a row of results/synthesis.csv was made of: a digest of the sources of its design and of
what it sets. Comments and white space are none of it, nor what a design does not use of the
package: a row is old when its hardware is another one, and not when a register elsewhere gets a
name."""

import functools
import hashlib
import json
import pathlib
import re

import flow

# A line comment, a block comment, or a string, which may have either in it.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*")', re.DOTALL)
INCLUDE = re.compile(r'^\s*`include "(\w+\.svh)"', re.MULTILINE)
ITEM = re.compile(r"(?:localparam|typedef)\b(?:\{[^{}]*\}|[^;{])*;|function\b.*?\bendfunction",
                  re.DOTALL)
PART = re.compile(r"^\s*(\w+) (?:#\(|\w+ \()", re.MULTILINE)
NAMES = ("name", "title", "note", "values")  # of a question: not of the design that answers it


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
        raise RuntimeError(f"{flow.PACKAGE}: {left[0]} is in no declaration that sources.py knows")
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
