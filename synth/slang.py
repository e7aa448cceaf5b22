#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""slang, from the Python package that requirements.txt pins and scripts/install-deps installs here.

Each line of the standard input is a command line of slang: its findings go to the standard error.
Exit status 1 if one has any.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "python"))
try:
    from pyslang import driver
except ImportError as error:
    sys.exit(f"slang.py: {error}; run scripts/install-deps")


def elaborates(line):
    """True if slang reports nothing for this command line."""
    slang = driver.Driver()
    slang.addStandardArgs()
    if not (slang.parseCommandLine(f"slang {line}") and slang.processOptions()):
        return False
    parsed = slang.parseAllSources()
    compilation = slang.createCompilation()
    slang.reportCompilation(compilation, True)
    slang.runAnalysis(compilation)
    return slang.reportDiagnostics(True) and parsed


sys.exit(0 if all([elaborates(line) for line in sys.stdin.read().splitlines()]) else 1)
