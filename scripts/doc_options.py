# SPDX-License-Identifier: Apache-2.0
"""The commands of pages, those of code blocks and code in lines of text, and which options they may
have.

A code block without a language, or with `sh`, has commands, one a line; `\\` at its end goes on in
the next line. If a line of it begins with `$ `, it is a session: only such lines are commands, and
those behind are what they print, `...` lines that are left out. A drawing is a block of the
language `text`.

Options are those of `muster` as its `--help` says, those of scripts as their sources say.

In lines of text a command may have words in capitals and `...` for what stands there, and an option
may stand alone: it is then one of any subcommand, of any script, or of a program of OTHERS.
"""

import functools
import re
import shlex
import subprocess
import typing

import flow

FENCE = re.compile(r"\s*```(\S*)")
SHELL = ("", "sh")
SETTING = re.compile(r"[A-Z]+=(\"[^\"]*\"|\S*)")
COMMENT = re.compile(r"(?:^|\s+)#.*$")
OPTION = re.compile(r"--[a-z][\w-]*")
PROGRAMS = ("muster", "build/muster", "./build/muster")
SCRIPT = re.compile(r"(?:\./)?scripts/([\w-]+(?:\.py)?)")
# A call of argparse, with the loop over names that it may stand in.
ARGUMENT = re.compile(r"(?:for \w+ in \([^)]*\):\s+\w+\.)?add_argument\([^)]*")
# Scripts that have the options of what they start.
STARTS = {"study": "python/muster/study.py", "figures": "experiments/__main__.py"}
# Of programs that are not of this project.
OTHERS = {
    "cmake": ("--build", "--preset", "--install", "--prefix", "--target", "--component"),
    "ctest": ("--test-dir", "--preset"),
    "fusesoc": ("--target",),
    "mpirun": ("--oversubscribe", "--map-by", "--bind-to", "--hostfile"),
    "pip": ("--config-settings",),
    "nextpnr": ("--router", "--opt-timing", "--placer-heap-timingweight", "--placer-heap-critexp"),
    "verilator": ("--lint-only", "--top-module", "--assert", "--binary", "--timing", "--x-initial",
                  "--trace-fst", "--coverage-line", "--coverage-toggle", "--coverage",
                  "--savable"),
    "peakrdl": ("--vendor", "--library", "--version", "--standard"),
}


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


def words_of(text):
    """The words of a command; of one that no shell would take, such as a part of one, what blanks
    are between."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def is_command(text):
    """Whether it begins like a command of a page."""
    word = text.split()[0]
    return word in PROGRAMS or word in OTHERS or SCRIPT.fullmatch(word) is not None


class Options:
    """Asks a program, once for each subcommand, and the scripts."""

    def __init__(self, program):
        self.program = program
        self.helps = functools.cache(self._help)

    def _help(self, subcommand):
        done = subprocess.run([self.program, *subcommand, "--help"], text=True, check=True,
                              capture_output=True)
        listed = re.search(r"^Subcommands:\n(.*)", done.stdout, re.M | re.S)
        subcommands = re.findall(r"^  ([a-z][\w-]*) ", listed[1], re.M) if listed else []
        options = {}
        for line in done.stdout.splitlines():
            if re.match(r"  -", line):
                head = line.split("   ")[0]
                choices = re.search(r":\{([^}]*)\}", line)
                for name in OPTION.findall(head.split(" Excludes")[0].split(" Needs")[0]):
                    options[name] = choices[1].split(",") if choices else None
        return subcommands, options

    def of_program(self, words, partly):
        """What is wrong with the words behind `muster`; `partly` if they may be unfinished."""
        subcommand, rest = (), list(words)
        while (known := self.helps(subcommand)[0]) and rest and not rest[0].startswith("-"):
            word = rest.pop(0)
            if word not in known:
                name = " ".join(("muster", *subcommand))
                placeholder = partly and not re.fullmatch(r"[a-z][\w-]*", word)
                return [] if placeholder else [f"{name} has no subcommand '{word}'"]
            subcommand += (word,)
        return self.wrong(" ".join(("muster", *subcommand)), self.helps(subcommand)[1], rest)

    @staticmethod
    def wrong(name, options, words):
        """Options that a command does not have, and values that an option does not take."""
        findings = []
        for place, word in enumerate(words):
            option = OPTION.match(word)
            if option and option[0] not in options:
                findings.append(f"{name} has no option {option[0]}")
            elif option and options[option[0]] and place + 1 < len(words):
                value = words[place + 1]
                if re.fullmatch(r"[a-z][\w-]*", value) and value not in options[option[0]]:
                    findings.append(f"{name} {option[0]} takes no '{value}'")
        return findings

    @staticmethod
    @functools.cache
    def script(name):
        """The options of a script, None if there is none."""
        path = flow.ROOT / STARTS.get(name, f"scripts/{name}")
        if not path.is_file():
            return None
        text = path.read_text(encoding="utf-8")
        if "argparse" in text:
            text = " ".join(("--help", *ARGUMENT.findall(text)))
        return dict.fromkeys(OPTION.findall(text))

    @functools.cached_property
    def any(self):
        """The options of all subcommands and scripts."""
        found, rest = set(), [()]
        while rest:
            subcommand = rest.pop()
            subcommands, options = self.helps(subcommand)
            found |= options.keys()
            rest += [(*subcommand, name) for name in subcommands]
        for path in (flow.ROOT / "scripts").iterdir():
            if path.is_file():
                found |= (self.script(path.name) or {}).keys()
        return found.union(*OTHERS.values())

    def of_command(self, text, partly=False):
        """What is wrong with a command, or commands that `&&` joins."""
        findings = []
        for part in re.split(r"\s+&&\s+", text):
            words = words_of(part)
            if words and words[0] in OTHERS and words[0] != "mpirun":  # which starts ours
                findings += self.of_others(words)
                continue
            for place, word in enumerate(words):
                if word in PROGRAMS:
                    findings += self.of_program(words[place + 1:], partly)
                    break
                if script := SCRIPT.fullmatch(word):
                    options = self.script(script[1])
                    findings += ([f"no script {word}"] if options is None else
                                 self.wrong(word, options, words[place + 1:]))
                    break
            else:
                findings += self.of_others(words)
        return findings

    def of_others(self, words):
        """A command of another program, or options alone."""
        named = next((word for word in words if word in OTHERS), None)
        known = OTHERS[named] if named else self.any
        options = [option[0] for option in map(OPTION.match, words) if option]
        who = f"{named} is not" if named else "no command is"
        return [f"{who} known to have {option}" for option in options if option not in known]
