#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc_commands_test.py PROGRAM: scripts/doc-commands runs the commands of pages and finds those
that are wrong. In a project of one page; PROGRAM is `muster`."""

import pathlib
import sys
import unittest

import copied_project

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
LIST = '''
empty = ["docs/empty.md"]
files = {"mine.txt" = "mine.txt"}
left = []
[long]
"build/muster bench" = "touch short"
[instead]
[tested]
"the test that installs" = ["./install-it"]
'''
LISTED = "```\nbuild/muster bench\n./install-it\n```\n"
MESH = "build/muster topo gen mesh --width 2 --height 2 --out net.json"


class DocCommands(copied_project.OfScripts):
    def setUp(self):
        self.project = copied_project.copied_scripts(self, "docs", "tests", "build", "synth")
        (self.project / "tests/page_commands.toml").write_text(LIST)
        (self.project / "mine.txt").write_text("mine")
        (self.project / "synth/python-tools").symlink_to(copied_project.ROOT / "synth/python-tools")
        (self.project / "tests/CMakeLists.txt").write_text("the test that installs")
        (self.project / "build/muster").symlink_to(PROGRAM)

    def page(self, text, listed=LISTED):
        (self.project / "docs/page.md").write_text(text + "\n" + listed)

    def block(self, *lines, language=""):
        self.page("\n".join((f"```{language}", *lines, "```")))

    def says(self, *arguments):
        return copied_project.run(self.project / "scripts/doc-commands", *arguments)

    def tells(self, *findings):
        said = self.says()
        for finding in findings:
            self.finds(finding, said)

    def test_commands_of_a_page_find_the_files_of_those_before(self):
        self.block(MESH, "build/muster topo info net.json   # what it is", "test -s mine.txt")
        self.assertEqual(self.passes(self.says()), "4 commands run\n")

    def test_a_command_that_fails_is_told_with_its_line_and_what_it_says(self):
        self.block("true", "build/muster topo info net.json")
        self.tells("docs/page.md:3: build/muster topo info net.json", "status 2",
                   "net.json: cannot")

    def test_what_a_session_shows_is_what_its_commands_print(self):
        self.block("$ seq 1 9", "2", "...", "5", "$ echo one  # a comment", "one")
        self.assertEqual(self.passes(self.says()), "3 commands run\n")
        self.block("$ seq 1 9", "5", "12", "$ true", "one")
        self.tells("docs/page.md:2: seq 1 9\n  does not print: 12",
                   "docs/page.md:5: true\n  does not print: one")

    def test_a_form_of_no_command_and_of_no_test_is_found(self):
        self.page("", "```\nbuild/muster bench\n```\n")
        self.tells("in no page: ./install-it")
        (self.project / "tests/CMakeLists.txt").write_text("")
        self.tells("in no CMakeLists.txt of tests/: the test that installs")


unittest.main()
