# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python module have in common: the command line to compare with."""

import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["MUSTER"]  # set by ctest
FIGURE1 = ROOT / "topologies" / "figure1.json"
# Of a result, what depends on who asked and on the machine.
OWN = ("command", "seconds", "switch_cycles_per_second")


def muster(*words, folder=None):
    """(exit status, standard output, standard error)"""
    done = subprocess.run([PROGRAM, *(str(word) for word in words)], text=True, check=False,
                          capture_output=True, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def result_of(*words):
    _, out, _ = muster("run", *words, "--json", "-")
    return without_own(json.loads(out))


def without_own(result):
    return {name: value for name, value in result.items() if name not in OWN}


def refusal_of(*words):
    """The line of bad input, without the program's name."""
    status, _, error = muster(*words)
    assert status == 2, error
    return error.removeprefix("muster: ").rstrip("\n")
