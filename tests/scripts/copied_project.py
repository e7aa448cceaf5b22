# SPDX-License-Identifier: Apache-2.0
"""A project for tests of scripts: the scripts of this one, in a folder that a test may write to."""

import pathlib
import shutil
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def copied_scripts(test, *folders):
    """The folder, with empty `folders` beside scripts/; it goes with the test case `test`."""
    temporary = tempfile.TemporaryDirectory()
    test.addCleanup(temporary.cleanup)
    project = pathlib.Path(temporary.name)
    shutil.copytree(ROOT / "scripts", project / "scripts",
                    ignore=shutil.ignore_patterns("__pycache__"))
    for name in folders:
        (project / name).mkdir(parents=True)
    return project
