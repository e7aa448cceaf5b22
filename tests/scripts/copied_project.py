# SPDX-License-Identifier: Apache-2.0
"""What tests of scripts and programs have in common: commands, folders that go away, and projects
with the scripts of this one, in a folder that a test may write to."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("scripts", "synth")]  # for who imports this


def run(*words, cwd=None):
    """(exit status, what it says)"""
    done = subprocess.run([str(word) for word in words], cwd=cwd, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


class OfScripts(unittest.TestCase):
    """What run() gives."""

    def finds(self, finding, status_and_text):
        """The script has failed, and says why."""
        status, said = status_and_text
        self.assertEqual(status, 1, said)
        self.assertIn(finding, said)

    def passes(self, status_and_text):
        status, said = status_and_text
        self.assertEqual(status, 0, said)
        return said


class InFolder(OfScripts):
    """Each test has an empty folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def does(self, *words):
        """What a command in the folder says that must not fail."""
        return self.passes(run(*words, cwd=self.folder))


def copied_scripts(test, *folders):
    """The folder, with `folders` beside scripts/ and the modules of synth/; it goes with the test
    case `test`."""
    project = pathlib.Path(test.enterContext(tempfile.TemporaryDirectory()))
    shutil.copytree(ROOT / "scripts", project / "scripts",
                    ignore=shutil.ignore_patterns("__pycache__"))
    (project / "synth").mkdir()
    for module in (ROOT / "synth").glob("*.py"):
        shutil.copy(module, project / "synth")
    for name in folders:
        (project / name).mkdir(parents=True, exist_ok=True)
    return project
