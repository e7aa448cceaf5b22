# SPDX-License-Identifier: Apache-2.0
"""`muster`, for the scripts that measure with it."""

import pathlib
import subprocess
import sys


def muster(build, *arguments):
    """Standard output of a command; ends the script if it fails."""
    result = subprocess.run([build / "muster", *arguments], text=True, capture_output=True,
                            check=False)
    if result.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: muster {' '.join(map(str, arguments))}: "
                 f"{result.stderr.strip()}")
    return result.stdout
