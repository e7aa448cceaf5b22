# SPDX-License-Identifier: Apache-2.0
"""What scripts/lint asks of the links in Markdown pages; this file alone: python3 link_rules.py

A link without a scheme names a file or folder of the project, relative to its page; an anchor names
a heading of a page, spelt as GitHub spells it.
"""

import re
import sys

import flow
import text_rules

LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)|^\[[^\]]+\]:\s*(\S+)")
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
    if not goal.is_relative_to(flow.ROOT) or not goal.exists():
        return "no such file"
    if anchor and (goal.suffix != ".md" or anchor not in anchors(goal)):
        return "no such heading"
    return ""


def check_page(page):
    findings = []
    for number, line in prose(page):
        for match in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            target = match[1] or match[2]
            if wrong := check_link(page, target):
                findings.append(f"{page.relative_to(flow.ROOT)}:{number}: {wrong}: {target}")
    return findings


def check_files():
    pages = (path for path in text_rules.project_files() if path.suffix == ".md")
    return sum((check_page(page) for page in pages), [])


if __name__ == "__main__":
    broken = check_files()
    print("\n".join(broken), end="\n" if broken else "")
    sys.exit(1 if broken else 0)
