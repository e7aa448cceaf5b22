# SPDX-License-Identifier: Apache-2.0
"""What a row of synth/report.json was made of: a digest of the sources of its design and of what it
sets. Comments and white space are none of it, nor what a design does not use of the package: a
row is old when its hardware is another one, and not when a register elsewhere gets a name."""

import functools
import hashlib
import json
import re

import flow

# A line comment, a block comment, or a string, which may have either in it.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\])*")', re.DOTALL)
INCLUDE = re.compile(r'^\s*`include "(\w+\.svh)"', re.MULTILINE)
ITEM = re.compile(r"(?:localparam|typedef enum|typedef struct packed|typedef)\b"
                  r"(?:\{[^{}]*\}|[^;{])*;|function\b.*?\bendfunction", re.DOTALL)
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
def modules():
    """{name: (text, parts that it instantiates)} of rtl/."""
    texts = {module.name: module.text for module in flow.modules()}
    return {name: (text, sorted(set(PART.findall(text)) & texts.keys()))
            for name, text in texts.items()}


@functools.cache
def of_hierarchy(top):
    """The texts of a module, its parts, what they include and what they use of the package."""
    names, rest = set(), [top]
    while rest:
        names.add(name := rest.pop())
        rest += set(modules()[name][1]) - names
    texts = [modules()[name][0] for name in sorted(names)]
    included = sorted({name for text in texts for name in INCLUDE.findall(text)})
    headers = [next((flow.ROOT / "rtl").glob(f"*/{name}")).read_text() for name in included]
    codes = [code(text) for text in [*texts, *headers]]
    return [*codes, *used(" ".join(codes))]


def digest(top, setting):
    """Of a design: its sources, and what is set of it, anything that JSON has."""
    return hashlib.sha256(json.dumps([of_hierarchy(top), setting], sort_keys=True)
                          .encode()).hexdigest()[:16]


def of_configuration(entry):
    return digest(entry["top"], entry["params"])


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
