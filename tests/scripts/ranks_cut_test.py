#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ranks_cut_test.py: what `ranks --cut` says of a division of a network."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import ranks_cut  # noqa: E402


def linked(switches, links):
    adjacent = [[] for _ in range(switches)]
    for a, b in links:
        adjacent[a].append(b)
        adjacent[b].append(a)
    return adjacent


class RanksCutTest(unittest.TestCase):
    def test_a_rank_hears_the_switches_with_a_link_into_its_part(self):
        row = linked(4, [(0, 1), (1, 2), (2, 3)])
        part = ranks_cut.in_a_row(row, 2)
        self.assertEqual(part, [0, 0, 1, 1])
        self.assertEqual(ranks_cut.links_cut(row, part), 100 / 3)
        self.assertEqual(ranks_cut.to_neighbours(row, part, 80, 1.0, 0.5), 41.0)
        three = ranks_cut.in_a_row(linked(3, [(0, 1), (1, 2)]), 3)
        self.assertEqual(ranks_cut.to_neighbours(linked(3, [(0, 1), (1, 2)]), three, 80, 1.0, 0.5),
                         82.0)

    def test_the_largest_part_is_told_in_per_cent_of_the_average(self):
        self.assertEqual(ranks_cut.largest([0, 0, 0, 1], 2), 150)


if __name__ == "__main__":
    unittest.main()
