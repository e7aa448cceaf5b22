# SPDX-License-Identifier: Apache-2.0
"""Which options the commands of pages may have: those of `muster` as its `--help` says, those of
scripts as their sources say.

In lines of text a command may have words in capitals and `...` for what stands there, and an option
may stand alone: it is then one of any subcommand, of any script, or of a program of OTHERS.
"""

import functools
import re
import shlex
import subprocess

import flow

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
                  "--trace-fst", "--coverage-line", "--coverage-toggle"),
}


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
