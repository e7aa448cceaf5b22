#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cmake/MusterBlocks.cmake reads of every module of rtl/ the parameters and ranges that
scripts/flow.py does."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import flow  # noqa: E402

SCRIPT = """cmake_minimum_required(VERSION 3.25)
include(%s/cmake/MusterBlocks.cmake)
file(GLOB files %s/rtl/*/*.sv)
foreach(file ${files})
  muster_module_parameters(${file} found)
  cmake_path(GET file STEM module)
  foreach(setting ${found})
    string(REGEX REPLACE "=.*" "" name ${setting})
    message("${module} ${name} ${least_${name}} ${most_${name}}")
    unset(least_${name})
    unset(most_${name})
  endforeach()
endforeach()
""" % (ROOT, ROOT)


class BlocksTest(unittest.TestCase):
    def test_ranges_are_those_of_the_headers(self):
        with tempfile.NamedTemporaryFile("w", suffix=".cmake") as script:
            script.write(SCRIPT)
            script.flush()
            done = subprocess.run(["cmake", "-P", script.name], text=True, check=True,
                                  capture_output=True)
        expected = sorted(f"{module.name} {name} {least} {most}" for module in flow.modules()
                          for name, (least, most) in module.ranges.items())
        self.assertGreater(len(expected), 100)
        self.assertEqual(sorted(done.stderr.splitlines()), expected)


unittest.main()
