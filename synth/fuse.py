#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FuseSoC, from the Python packages that requirements-fusesoc.txt pins and scripts/install-deps
installs here. Arguments are FuseSoC's."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python-fusesoc"))
try:
    from fusesoc.main import main
except ImportError as error:
    sys.exit(f"fuse.py: {error}; run scripts/install-deps")
sys.exit(main())
