#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README.md has few measured numbers, all of them in one section and each as results/ has it; other
pages have none; results/README.md lists every page of results."""

import csv
import re
import subprocess
import sys
import unittest
from unittest import mock

from copied_project import ROOT, InFolder

import results

SECTION, MOST = "## What you get\n", 8


def synthesis(design, family):
    with (results.FOLDER / "synthesis.csv").open(newline="", encoding="utf-8") as file:
        return next(row for row in csv.DictReader(file)
                    if (row["design"], row["family"]) == (design, family))


def latency(members, barriers):
    """Cycles of one group, members that do not work between barriers."""
    cycles = next(row["work 0"] for row in results.section("others", "Latency")
                  if tuple(row.values())[:3] == (members, barriers, "1"))
    return f"{float(cycles.partition(',')[0]):.0f}"


def measured():
    """The numbers of the section, in their order."""
    faults = results.rows("mutations")
    irregular, mesh = "64 of 256, 75 irregular switches", "64 on an 8 x 8 mesh"
    return [latency(irregular, "barrier switches"),
            latency(irregular, "a root that broadcasts and tests"),
            latency(mesh, "barrier switches"), latency(mesh, "`bsg_barrier`"),
            str(sum(int(row[2]) for row in results.rows("proofs")
                    if row[3] == "any number of cycles")),
            *(str(sum(int(row[i]) for row in faults)) for i in (2, 3)),
            synthesis("sw4", "ice40")["lut"]]


class Readme(unittest.TestCase):
    def test_its_numbers_are_those_of_the_results(self):
        section = (ROOT / "README.md").read_text().partition(SECTION)[2].partition("\n## ")[0]
        words = re.sub(r"\]\([^)]*\)|`[^`]*`", "", section)
        numbers = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)", words)
        self.assertEqual(numbers, measured())
        self.assertLessEqual(len(numbers), MOST)

    def test_its_other_lines_have_no_measured_numbers(self):
        before, _, rest = (ROOT / "README.md").read_text().partition(SECTION)
        found = re.findall(r"\d [munk]?s\b|\d M?Hz\b|\d (?:GHz|MHz|LUTs|us|ns|seconds|minutes|%)",
                           before + rest.partition("\n## ")[2])
        self.assertEqual(found, [])


class Pages(unittest.TestCase):
    ALLOWED = {  # of a paper, a parameter, a goal, or of what a chip is
        "docs/systems/retry-registers.md": ["30 LUTs"],
        "docs/systems/planning.md": ["20 ns", "300 ns"],
        "docs/systems/comparison.md": ["225 MHz", "10 ns"],
        "docs/reference/runs.md": ["10 ns", "20 ns", "300 ns"],
        "docs/how-to/board.md": ["12 MHz", "25 MHz"]}

    def test_pages_have_no_measured_numbers(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], text=True, check=True,
                                capture_output=True).stdout.split()
        pages = [name for name in listed
                 if not name.startswith("results/") and name != "README.md"]
        self.assertGreater(len(pages), 40)
        for name in pages:
            text = re.sub(r"^```.*?^```", "", (ROOT / name).read_text(), flags=re.M | re.S)
            found = re.findall(r"\b\d[\d.]* (?:iCE40 )?(?:MHz|LUTs|ns|MB)\b", text)
            with self.subTest(name):
                self.assertLessEqual(set(found), set(self.ALLOWED.get(name, [])))


class List(InFolder):
    def test_the_minutes_are_those_of_a_whole_run(self):
        def note(*words):
            with (mock.patch.object(results, "FOLDER", self.folder),
                  mock.patch.object(sys, "argv", [f"{ROOT}/scripts/prove", *words])):
                results.note("proofs.md", "facts")
            return (self.folder / "README.md").read_text().splitlines()[-1]
        self.assertRegex(note("--write", "one_proof"), r"`scripts/prove --write` \| +\| \w+")
        whole = note("--write")
        self.assertRegex(whole, r"`scripts/prove --write` \| +\d+\.\d \| \w+")
        with mock.patch.object(results, "BEGUN", 0):
            self.assertEqual(note("--write", "one_proof"), whole)
            self.assertNotEqual(note("--write"), whole)

    def test_goals_are_counted_as_they_stand(self):
        (self.folder / "synthesis.md").write_text(
            "\n".join(results.table(("a", ""), [("x", "met"), ("y", "**missed**"), ("z", "")])))
        with mock.patch.object(results, "FOLDER", self.folder):
            self.assertTrue(results.goals().startswith("1 of 2 goals are met"))
        self.assertIn(results.goals(), (results.FOLDER / "README.md").read_text())

    def test_it_names_every_page_and_no_other(self):
        pages = {path.name for path in results.FOLDER.glob("*.md")} - {"README.md"}
        text = (results.FOLDER / "README.md").read_text()
        links = re.findall(r"\]\((\w+\.md)(?:#([\w-]+))?\)", text)
        self.assertEqual({page for page, _ in links}, pages)
        for page, place in links:
            heads = re.findall(r"^## (.*)", (results.FOLDER / page).read_text(), flags=re.M)
            with self.subTest(page=page, place=place):
                self.assertIn(place, ["", *(head.lower().replace(" ", "-") for head in heads)])


unittest.main()
