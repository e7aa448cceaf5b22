# SPDX-License-Identifier: Apache-2.0
"""Divides the switches of a network into parts of equal size with few links between them.

Recursive bisection: one half is grown link by link from a random switch, always by the one with
most links into it; then the moves of Fiduccia and Mattheyses (DAC 1982) refine it, each switch once
a pass and the best state of the pass kept, until a pass gains nothing. The best of TRIES is taken.
"""

import heapq
import random

TRIES = 8
SLACK = 0.007  # of a half, by which it may be larger: 3 % over four bisections


def outside_less_inside(v, adjacent, half, members):
    """Cut links of a switch less its links into its own half."""
    return sum(1 if (w in half) != (v in half) else -1 for w in adjacent[v] if w in members)


def grown(adjacent, members, size, rng):
    """`size` of the switches, a connected half unless what is left around it is too small."""
    order, half, links = sorted(members), set(), dict.fromkeys(members, 0)
    heap = []
    while len(half) < size:
        v = heapq.heappop(heap)[2] if heap else rng.choice([v for v in order if v not in half])
        if v in half:
            continue
        half.add(v)
        for w in adjacent[v]:
            if w in members and w not in half:
                links[w] += 1
                heapq.heappush(heap, (-links[w], rng.random(), w))
    return half


def refined(adjacent, members, half, size, rng):
    """One pass over a half, which it changes; links gained."""
    slack = int(SLACK * min(size, len(members) - size))
    gains = {v: outside_less_inside(v, adjacent, half, members) for v in sorted(members)}
    heaps = ([], [])  # of switches outside and inside, with those that have changed since
    for v, gain in gains.items():
        heapq.heappush(heaps[v in half], (-gain, rng.random(), v))
    moved, gained, best, kept = [], 0, 0, 0
    while True:
        for heap in heaps:
            while heap and (heap[0][2] not in gains or -heap[0][0] != gains[heap[0][2]]):
                heapq.heappop(heap)
        possible = [heap[0] for inside, heap in enumerate(heaps)
                    if heap and abs(len(half) + (-1 if inside else 1) - size) <= max(slack, 1)]
        if not possible:
            break
        v = min(possible)[2]
        gained += gains.pop(v)
        half ^= {v}
        moved.append(v)
        for w in adjacent[v]:
            if w in gains:
                gains[w] = outside_less_inside(w, adjacent, half, members)
                heapq.heappush(heaps[w in half], (-gains[w], rng.random(), w))
        if gained > best and abs(len(half) - size) <= slack:
            best, kept = gained, len(moved)
    half ^= set(moved[kept:])
    return best


def halves(adjacent, members, size, rng):
    """(links cut, a half of `size` switches or a few more or less)."""
    half = grown(adjacent, members, size, rng)
    while refined(adjacent, members, half, size, rng) > 0:
        pass
    cut = sum(w in members and w not in half for v in half for w in adjacent[v])
    return cut, sorted(half)


def divide(adjacent, parts, seed=1):
    """The part of each switch; `adjacent`: by switch, the switches that its links lead to."""
    rng, part = random.Random(seed), [0] * len(adjacent)

    def split(members, first, count):
        if count == 1:
            for v in members:
                part[v] = first
            return
        size = round(len(members) * (count // 2) / count)
        half = set(min(halves(adjacent, members, size, rng) for _ in range(TRIES))[1])
        split(half, first, count // 2)
        split(members - half, first + count // 2, count - count // 2)

    split(set(range(len(adjacent))), 0, parts)
    return part
