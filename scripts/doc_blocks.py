# SPDX-License-Identifier: Apache-2.0
"""The commands of pages: those of code blocks, and code in lines of text.

A code block without a language, or with `sh`, has commands, one a line; `\\` at its end goes on in
the next line. If a line of it begins with `$ `, it is a session: only such lines are commands. What
a program prints, and a drawing, is a block of the language `text`.
"""

import re
import typing

import flow
import link_rules
import text_rules

FENCE = re.compile(r"\s*```(\S*)")
SHELL = ("", "sh")
SETTING = re.compile(r"[A-Z]+=(\"[^\"]*\"|\S*)")
COMMENT = re.compile(r"(?:^|\s+)#.*$")


class Command(typing.NamedTuple):
    """A command of a code block: its line in the page, its text in one line without a comment, and
    the settings of variables that stand before it in its block."""
    page: str
    line: int
    text: str
    settings: tuple = ()

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages():
    """Names of all pages, relative to the root; the changes are history, not instructions."""
    names = (str(path.relative_to(flow.ROOT)) for path in text_rules.project_files()
             if path.suffix == ".md")
    return [name for name in names if name != "CHANGELOG.md"]


def blocks(text):
    """(language, [(number, line)]) of each code block."""
    language = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and language is None:
            language, lines = fence[1], []
        elif fence:
            yield language, lines
            language = None
        elif language is not None:
            lines.append((number, line))


def whole_lines(lines):
    """(number, line) with what `\\` continues, without comments and empty lines."""
    begun, number = "", 0
    for at, line in lines:
        number = number if begun else at
        line = COMMENT.sub("", line).strip()
        begun = f"{begun} {line}".strip()
        if begun.endswith("\\"):
            begun = begun[:-1].rstrip()
        elif begun:
            yield number, begun
            begun = ""


def commands(page):
    """The commands of a page, in their order."""
    found = []
    for language, lines in blocks((flow.ROOT / page).read_text(encoding="utf-8")):
        if language not in SHELL:
            continue
        if any(line.startswith("$ ") for _, line in lines):
            lines = [(number, line[2:]) for number, line in lines if line.startswith("$ ")]
        settings = ()
        for number, line in whole_lines(lines):
            if SETTING.fullmatch(line):
                settings += (line,)
            else:
                found.append(Command(page, number, line, settings))
    return found


def indented(page):
    """(number, line) of lines of text that Markdown takes for code by their indentation, which are
    no commands of a block."""
    for number, line in link_rules.prose(flow.ROOT / page):
        if line.startswith("    ") and not re.match(r"\s*([-*]|\d+\.) ", line):
            yield number, line.strip()


def inline(page):
    """(number, code) of the code in lines of text."""
    for number, line in link_rules.prose(flow.ROOT / page):
        for code in re.findall(r"`([^`]+)`", line):
            yield number, code
