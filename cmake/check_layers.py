#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_layers.py ROOT: what may include what of private sources in sim_cpp/, public headers
in include/muster/ and what runs the RTL in verif/. Exit status 1 with all that breaks a rule.

Rules of layers are about what a file names itself: no chain of such includes climbs. What golden
models and checkers, two opinions of one specification, may not see they may not see through other
headers either. fabric/ and run/ name no feature of a system."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
TREES = ("include/muster/", "sim_cpp/", "verif/")
LAYERS = ("core", "topology", "fabric", "run", "systems", "bench", "app")
TOP = LAYERS.index("bench")  # bench and app may include each other
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]*)', re.MULTILINE)
FEATURE = re.compile(r"\b(btin|esc|nic|packets|preempt)::|"
                     r"\b(config|need|kind)\w*(\.|->)(serial|guard|spill|retry|groups)\b")
OTHER = {"golden": "checkers", "checkers": "golden"}
# Only verif/engines.cpp brings golden, RTL and their comparison together: models of the RTL know
# neither of the others, the comparison no model but the names of its blocks.
APART = {
    "verif/models/": re.compile(r"lockstep/|.*/(golden|checkers)/"),
    "verif/networks/": re.compile(r"lockstep/|.*/(golden|checkers)/"),
    "verif/lockstep/": re.compile(r"models/(?!names\.hpp)|.*/(golden|checkers)/"),
    "sim_cpp/": re.compile(r"(models|lockstep|networks)/")}


def inside(path):
    """A path from its tree on."""
    return re.sub(r"^(sim_cpp|verif|include/muster|muster)/", "", path)


def includes(file):
    """(as it is written, from its tree on, the project's file or None) of each include that is not
    of others. A compiler looks beside the file first."""
    for bracket, written in INCLUDE.findall((ROOT / file).read_text()):
        beside = [os.path.normpath(f"{os.path.dirname(file)}/{written}")] * (bracket == '"')
        places = [*beside, *(f"{tree}/{written}" for tree in ("sim_cpp", "include", "verif"))]
        found = next((place for place in places if (ROOT / place).is_file()), None)
        if found or bracket == '"':
            yield written, inside(found or written), found


def climbs(layer, name):
    """True if a file of this layer may not include this one."""
    other = name.partition("/")[0]
    return layer in LAYERS[:TOP] and other in LAYERS[LAYERS.index(layer) + 1:]


def opinion(file):
    """golden or checkers, if the file is of either."""
    return next((part for part in OTHER if f"/{part}/" in file), None)


files = [str(path.relative_to(ROOT)) for tree in TREES
         for path in sorted((ROOT / tree).rglob("*.[ch]pp"))]
of = {file: list(includes(file)) for file in files}
broken = []
for file in files:
    hidden = OTHER.get(opinion(file))
    for written, name, _ in of[file]:
        # What is installed needs nothing that is not.
        if file.startswith(TREES[0]) and not written.startswith("muster/"):
            broken.append(f"{file} includes {written}, which is private")
        if (climbs(inside(file).partition("/")[0], name) or (hidden and f"/{hidden}/" in name)
                or any(file.startswith(tree) and apart.match(name)
                       for tree, apart in APART.items())):
            broken.append(f"{file} includes {written}")
    if inside(file).startswith(("fabric/", "run/")):
        code = re.sub(r"//.*", "", (ROOT / file).read_text())
        broken += [f"{file} names {name[0]}" for name in FEATURE.finditer(code)]
    seen = queue = [found for _, _, found in of[file] if hidden and found]
    while queue:
        header, *queue = queue
        if opinion(header) == hidden:
            continue  # named: by the file itself, above, or by a header, below
        further = [found for _, _, found in of.get(header, ()) if found]
        broken += [f"{file} includes {found} through {header}" for found in further
                   if opinion(found) == hidden]
        queue += [found for found in further if found not in seen]
        seen = seen + further
if broken:
    sys.exit("against the layers:\n  " + "\n  ".join(broken))
