#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/recorded finds what has changed: a program in the place of muster gives one answer when
the record is written and another when it is compared."""

import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANSWER = {"digest": "68aa", "barriers": [{"hops": 40, "seconds": 0.5}], "seconds": 1.5}


class Recorded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "commands.txt").write_text(
            "# one run\nmuster run \\\n  net.json --json -\nmuster figure x\n")
        self.program(ANSWER)
        self.assertEqual(self.recorded("--write"), (0, ""))

    def program(self, answer, text="3 lines", status=0):
        """The program in the place of muster: JSON for a run, a text and a file for a figure."""
        path = self.folder / "muster"
        path.write_text(f"#!/bin/sh\ncase $1 in run) echo '{json.dumps(answer)}';; "
                        f"*) echo '{text}, 0.5 s, end'; echo a > x.csv;; esac\nexit {status}\n")
        path.chmod(0o755)

    def recorded(self, *arguments):
        """(exit status, what it says)"""
        result = subprocess.run(
            [ROOT / "scripts/recorded", "--binary", self.folder / "muster", "--list",
             self.folder / "commands.txt", *arguments], text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.returncode, result.stdout

    def finds(self, finding, *arguments):
        status, said = self.recorded("--check", *arguments)
        self.assertEqual(status, 1, said)
        self.assertIn(finding, said)

    def test_times_and_the_order_of_keys_are_no_difference(self):
        self.program({"seconds": 2.5, "barriers": [{"seconds": 9, "hops": 40}], "digest": "68aa"})
        self.assertEqual(self.recorded("--check"), (0, "2 commands, 0 differ from the record\n"))

    def test_a_changed_value_is_named(self):
        self.program({**ANSWER, "barriers": [{"hops": 41}]})
        self.finds("muster run net.json --json -\n"
                   "  /out/barriers/0/hops: recorded 40, found 41\n")
        self.assertEqual(self.recorded("--check", "--only", "figure")[0], 0)

    def test_a_field_more_or_less_is_named(self):
        self.program({**ANSWER, "nic": None})
        self.finds('/out/nic: recorded "(nothing)", found null')
        self.program({"digest": "68aa"})
        self.finds('/out/barriers: recorded [{"hops": 40}], found "(nothing)"')

    def test_a_changed_text_or_status_is_named(self):
        self.program(ANSWER, text="4 lines")
        self.finds('/out/0: recorded "3 lines, ? s, end", found "4 lines, ? s, end"')
        self.program(ANSWER, status=1)
        self.finds("/status: recorded 0, found 1")

    def test_a_command_that_is_not_recorded_or_not_in_the_list_is_an_error(self):
        (self.folder / "commands.txt").write_text("muster run net.json\nmuster figure x\n")
        self.finds("2 commands, 2 differ from the record")


if __name__ == "__main__":
    unittest.main()
