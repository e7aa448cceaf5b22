#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""partition_test.py: parts of a network are equal and few links lie between them."""

import collections
import pathlib
import random
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import partition  # noqa: E402
import ranks_cut  # noqa: E402


def linked(switches, links):
    adjacent = [[] for _ in range(switches)]
    for a, b in links:
        adjacent[a].append(b)
        adjacent[b].append(a)
    return adjacent


def mesh(size):
    links = [(s, s + 1) for s in range(size * size) if (s + 1) % size]
    return linked(size * size, links + [(s, s + size) for s in range(size * (size - 1))])


def cut(adjacent, part):
    return sum(part[v] != part[w] for v, list_ in enumerate(adjacent) for w in list_) // 2


class PartitionTest(unittest.TestCase):
    def test_clusters_joined_by_single_links_are_the_parts(self):
        rng = random.Random(3)
        names = list(range(40))  # of switches, shuffled: a row by number cuts everything
        rng.shuffle(names)
        links = [(names[10 * c + i], names[10 * c + j])
                 for c in range(4) for i in range(10) for j in range(i)]
        links += [(names[10 * c], names[10 * ((c + 1) % 4) + 1]) for c in range(4)]
        adjacent = linked(40, links)
        part = partition.divide(adjacent, 4)
        self.assertEqual(cut(adjacent, part), 4)
        self.assertGreater(cut(adjacent, ranks_cut.in_a_row(adjacent, 4)), 50)

    def test_halves_of_a_mesh_are_cut_straight(self):
        self.assertEqual(cut(mesh(12), partition.divide(mesh(12), 2)), 12)

    def test_refining_a_half_gains_the_links_it_says_and_much_of_a_random_network(self):
        before = after = 0
        for seed in range(10):
            rng = random.Random(seed)
            links = [rng.sample(range(60), 2) for _ in range(150)]
            adjacent, members = linked(60, links), set(range(60))
            half = set(rng.sample(range(60), 30))
            first = cut(adjacent, [v in half for v in range(60)])
            gained = partition.refined(adjacent, members, half, 30, rng)
            self.assertEqual(len(half), 30)
            self.assertEqual(first - cut(adjacent, [v in half for v in range(60)]), gained)
            before, after = before + first, after + first - gained
        self.assertLess(after, 0.7 * before)

    def test_parts_have_equally_many_switches(self):
        for parts in (2, 3, 5, 8, 16):
            with self.subTest(parts=parts):
                sizes = collections.Counter(partition.divide(mesh(10), parts)).values()
                self.assertEqual(len(sizes), parts)
                self.assertLessEqual(max(sizes) - min(sizes), 2)

    def test_switches_that_nothing_joins_are_divided_too(self):
        self.assertEqual(sorted(partition.divide(linked(4, []), 2)), [0, 0, 1, 1])

    def test_parallel_links_count_each(self):
        adjacent = linked(4, [(0, 2), (0, 2), (1, 3), (1, 3), (0, 1), (2, 3)])
        part = partition.divide(adjacent, 2)
        self.assertEqual(cut(adjacent, part), 2)
        self.assertEqual(part[0], part[2])

    def test_a_rank_hears_the_switches_with_a_link_into_its_part(self):
        row = linked(4, [(0, 1), (1, 2), (2, 3)])
        part = ranks_cut.in_a_row(row, 2)
        self.assertEqual(part, [0, 0, 1, 1])
        self.assertEqual(ranks_cut.links_cut(row, part), 100 / 3)
        self.assertEqual(ranks_cut.to_neighbours(row, part, 80, 1.0, 0.5), 41.0)
        three = ranks_cut.in_a_row(linked(3, [(0, 1), (1, 2)]), 3)
        self.assertEqual(ranks_cut.to_neighbours(linked(3, [(0, 1), (1, 2)]), three, 80, 1.0, 0.5),
                         82.0)


if __name__ == "__main__":
    unittest.main()
