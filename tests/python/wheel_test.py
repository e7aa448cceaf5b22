# SPDX-License-Identifier: Apache-2.0
"""wheel_test.py PACKAGES: `pip install` of a copy of the project's files into an empty folder, with
the packages in PACKAGES and nothing from a network; the tests pass with what it installed."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = sys.argv.pop()
sys.path.insert(0, str(ROOT / "scripts"))
import flow  # noqa: E402

TESTS = ("networks", "runs", "sweeps", "docs")


def run(*words, **environment):
    done = subprocess.run([sys.executable, *words], text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, **environment})
    return done.returncode, done.stdout


class WheelTest(unittest.TestCase):
    def test_pip_installs_a_module_that_passes_the_tests(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        copy, site = folder / "copy", folder / "site"
        for path in flow.project_files():
            target = copy / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        status, said = run("-m", "pip", "install", "--no-index", "--no-build-isolation",
                           "--no-deps", "--config-settings=build-dir=build",
                           "--target", str(site), str(copy), PYTHONPATH=PACKAGES)
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
