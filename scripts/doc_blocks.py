# SPDX-License-Identifier: Apache-2.0
"""The commands of pages: those of code blocks, and code in lines of text.

A code block without a language, or with `sh`, has commands, one a line; `\\` at its end goes on in
the next line. If a line of it begins with `$ `, it is a session: only such lines are commands, and
those behind are what they print, `...` lines that are left out. A drawing is a block of the
language `text`.
"""

import re
import typing

import flow

FENCE = re.compile(r"\s*```(\S*)")
SHELL = ("", "sh")
SETTING = re.compile(r"[A-Z]+=(\"[^\"]*\"|\S*)")
COMMENT = re.compile(r"(?:^|\s+)#.*$")


class Command(typing.NamedTuple):
    """A command of a code block: its line in the page, its text in one line without a comment, the
    settings of variables that stand before it in its block, and lines that it prints."""
    page: str
    line: int
    text: str
    settings: tuple = ()
    prints: tuple = ()

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages():
    """Names of all pages, relative to the root; the changes are history, not instructions."""
    names = (str(path.relative_to(flow.ROOT)) for path in flow.project_files()
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


def answers_of(lines):
    """By the number of a command of a session, the lines that it prints."""
    found, last = {}, None
    for number, line in lines:
        if line.startswith("$ "):
            last = number
        elif last and line.strip() and line != "...":
            found[last] = (*found.get(last, ()), line)
    return found


def commands(page):
    """The commands of a page, in their order."""
    found = []
    for language, lines in blocks((flow.ROOT / page).read_text(encoding="utf-8")):
        if language not in SHELL:
            continue
        answers = {}
        if any(line.startswith("$ ") for _, line in lines):
            answers = answers_of(lines)
            lines = [(number, line[2:]) for number, line in lines if line.startswith("$ ")]
        settings = ()
        for number, line in whole_lines(lines):
            if SETTING.fullmatch(line):
                settings += (line,)
            else:
                found.append(Command(page, number, line, settings, answers.get(number, ())))
    return found


def prose(path):
    """(number, text) of the lines outside code blocks."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def indented(page):
    """(number, line) of lines of text that Markdown takes for code by their indentation, which are
    no commands of a block."""
    for number, line in prose(flow.ROOT / page):
        if line.startswith("    ") and not re.match(r"\s*([-*]|\d+\.) ", line):
            yield number, line.strip()


def inline(page):
    """(number, code) of the code in lines of text."""
    for number, line in prose(flow.ROOT / page):
        for code in re.findall(r"`([^`]+)`", line):
            yield number, code
