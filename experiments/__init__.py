# SPDX-License-Identifier: Apache-2.0
"""Measurements of Muster: the figures and tables of the papers and studies of our own, one module
each, on top of the Python module. `scripts/figures` makes them."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "scripts"))  # results.py writes results/
