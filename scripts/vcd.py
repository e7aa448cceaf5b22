# SPDX-License-Identifier: Apache-2.0
"""Values of signals in a waveform, cycle by cycle: FST as Muster writes it, read by fst2vcd (of
GTKWave)."""

import re
import subprocess

CYCLE, EDGE = 10, 5  # time steps of a cycle, and when its rising edge is
VAR = re.compile(r"\$var \S+ (\d+) (\S+) (\S+).* \$end")


def paths(lines):
    """{code: [paths]} from the header, which it consumes."""
    found, scope = {}, []
    for line in lines:
        if line.startswith("$scope"):
            scope.append(line.split()[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif match := VAR.match(line):
            found.setdefault(match[2], []).append(".".join([*scope, match[3]]))
        elif line.startswith("$enddefinitions"):
            return found
    raise RuntimeError("no end of the waveform's header")


def number(text):
    """A value without X; X counts as 0."""
    return int(re.sub("[^01]", "0", text), 2)


def read(path, wanted):
    """{signal: [value in cycle 0, in cycle 1, ...]} of the signals `wanted`, by their paths. A
    cycle has CYCLE time steps; what is seen is what the flip-flops see at the edge in its middle.
    """
    text = subprocess.run(["fst2vcd", path], text=True, capture_output=True, check=True).stdout
    lines = iter(text.splitlines())
    names = paths(lines)
    known = {name for found in names.values() for name in found}
    if missing := set(wanted) - known:
        raise RuntimeError(f"{path} has no signal {min(missing)}")
    of = {code: [n for n in found if n in wanted] for code, found in names.items()}
    now = dict.fromkeys(wanted, 0)
    values = {name: [] for name in wanted}
    for line in lines:
        if line[0] == "#":
            while len(next(iter(values.values()))) * CYCLE + EDGE <= int(line[1:]):
                for name, seen in values.items():
                    seen.append(now[name])
        elif line[0] in "01xzb":
            value, code = line[1:].split() if line[0] == "b" else (line[0], line[1:])
            for name in of[code]:
                now[name] = number(value)
    return values
