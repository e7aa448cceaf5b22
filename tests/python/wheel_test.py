# SPDX-License-Identifier: Apache-2.0
"""wheel_test.py PACKAGES [BUILD]: `pip install` of a copy of the project's files into an empty
folder, with the packages in PACKAGES and nothing from a network; the tests pass with what it
installed. With BUILD it takes the module from this build folder."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = sys.argv.pop() if len(sys.argv) > 2 else ""
PACKAGES = sys.argv.pop()
sys.path.insert(0, str(ROOT / "scripts"))
import flow  # noqa: E402

TESTS = ("networks", "runs", "sweeps", "docs")


def run(*words, **environment):
    done = subprocess.run([sys.executable, *words], text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, **environment})
    return done.returncode, done.stdout


def copy_of_project(folder):
    copy = folder / "copy"
    for path in flow.project_files():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return copy


def pip_install(site, copy, *settings):
    return run("-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps",
               *(f"--config-settings={setting}" for setting in settings), "--target", str(site),
               str(copy), PYTHONPATH=PACKAGES)


class WheelTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.copy, self.site = copy_of_project(self.folder), self.folder / "site"

    @unittest.skipUnless(BUILD, "compiles all")
    def test_pip_takes_a_built_module_in_seconds(self):
        start = time.process_time() + sum(os.times()[2:4])
        status, said = pip_install(self.site, self.copy, f"cmake.define.MUSTER_BUILT={BUILD}")
        self.assertEqual(status, 0, said)
        self.assertLess(time.process_time() + sum(os.times()[2:4]) - start, 60, said)
        status, said = run("-c", "import muster; print(muster.engines(), muster.run("
                           "muster.generate('mesh', width=2, height=2), barriers=2).ok)",
                           PYTHONPATH=f"{self.site}:{PACKAGES}")
        self.assertIn("golden", said)
        self.assertIn("True", said)

    @unittest.skipIf(BUILD, "is the other")
    def test_pip_installs_a_module_that_passes_the_tests(self):
        copy, site = self.copy, self.site
        status, said = pip_install(site, copy, "build-dir=build")
        self.assertEqual(status, 0, said)
        version = re.search(r"project\(muster VERSION ([0-9.]+)",
                            (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertTrue((site / f"muster-{version}.dist-info").is_dir())
        self.assertEqual({path.name for path in site.iterdir()},
                         {"bin", "muster", f"muster-{version}.dist-info"})
        self.assertEqual([path.name for path in (site / "bin").iterdir()], ["muster-study"])
        shutil.rmtree(copy)
        for test in TESTS:
            with self.subTest(test):
                status, said = run(str(ROOT / "tests" / "python" / f"{test}_test.py"),
                                   PYTHONPATH=f"{site}:{PACKAGES}")
                self.assertEqual(status, 0, said)


if __name__ == "__main__":
    unittest.main()
