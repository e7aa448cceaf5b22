#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Yosys, from the Python package that requirements.txt pins and scripts/install-deps installs here.

  yosys.py [--slang] COMMANDS

Runs the commands in the working directory. The log is the standard output; exit status 1 if a
command fails. --slang: that of requirements-slang.txt, which has read_slang.
"""

import pathlib
import sys

FOLDER = "python-slang" if sys.argv[1] == "--slang" else "python"
sys.path.insert(0, str(pathlib.Path(__file__).parent / FOLDER))
try:
    from pyosys import libyosys
except ImportError as error:
    sys.exit(f"yosys.py: {error}; run scripts/install-deps")

libyosys.run_pass(sys.argv[-1])
