# SPDX-License-Identifier: Apache-2.0
"""What scripts/lint asks of links and paths of files; this file alone: python3 link_rules.py

A link without a scheme names a file or folder of the project, relative to its page; an anchor names
a heading of a page, spelt as GitHub spells it.

A path in backticks in a page (the text of a link is none), or in a comment of the C++ or
SystemVerilog sources, that begins with a folder of FOLDERS names a file or folder below the
project's root or below a folder that the text is in. A part of it in capitals (NAME, KIND, X)
stands for any name.
"""

import re
import sys

import flow
import text_rules

LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)|^\[[^\]]+\]:\s*(\S+)")
FOLDERS = ("cmake", "docs", "examples", "include", "rtl", "schemas", "scripts", "sim_cpp", "synth",
           "tests", "topologies", "verif")
PATH = re.compile(rf"(?<![\w/.-])(?:{'|'.join(FOLDERS)})/[\w./-]*")
PLACEHOLDER = re.compile(r"(?<![A-Za-z])(?:NAME|KIND|X)(?![A-Za-z])")
# Pages that scripts/site makes; it checks the links to them.
OF_THE_SITE = ("docs/reference/command-line.md", "docs/reference/json.md")
SOURCES = (".cpp", ".hpp", ".sv", ".svh")
HEADING = re.compile(r"#{1,6}\s+(.*)")


def prose(path):
    """(number, text) of the lines outside code blocks."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path):
    """What `#...` may name in a page; a heading that stands there again gets a number."""
    seen, found = {}, set()
    for _, line in prose(path):
        if heading := HEADING.fullmatch(line):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            found.add(f"{slug}-{seen[slug]}" if slug in seen else slug)
            seen[slug] = seen.get(slug, 0) + 1
    return found


def check_link(page, target):
    """What is wrong with a link; empty if nothing."""
    if re.match(r"\w+:", target):
        return ""
    name, _, anchor = target.partition("#")
    goal = (page.parent / name).resolve() if name else page
    if goal in [flow.ROOT / made for made in OF_THE_SITE]:
        return ""
    if not goal.is_relative_to(flow.ROOT) or not goal.exists():
        return "no such file"
    if anchor and (goal.suffix != ".md" or anchor not in anchors(goal)):
        return "no such heading"
    return ""


def check_paths(path, number, text):
    """The paths in a piece of text that name nothing."""
    findings = []
    for name in PATH.findall(text):
        name = name.rstrip(".-/")
        folders = [f for f in path.parents if f.is_relative_to(flow.ROOT)]
        if not PLACEHOLDER.search(name) and not any((f / name).exists() for f in folders):
            findings.append(f"{path.relative_to(flow.ROOT)}:{number}: no such file: {name}")
    return findings


def check_source(path):
    findings = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        findings += check_paths(path, number, line.partition("//")[2])
    return findings


def check_page(page):
    findings = []
    for number, line in prose(page):
        for match in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            target = match[1] or match[2]
            if wrong := check_link(page, target):
                findings.append(f"{page.relative_to(flow.ROOT)}:{number}: {wrong}: {target}")
        for quoted in re.findall(r"(?<!\[)`([^`]*)`", line):
            if quoted.startswith(FOLDERS):
                findings += check_paths(page, number, quoted)
    return findings


def check_files():
    files = text_rules.project_files()
    findings = sum((check_page(path) for path in files if path.suffix == ".md"), [])
    return findings + sum((check_source(path) for path in files if path.suffix in SOURCES), [])


if __name__ == "__main__":
    broken = check_files()
    print("\n".join(broken), end="\n" if broken else "")
    sys.exit(1 if broken else 0)
