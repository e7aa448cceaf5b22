# SPDX-License-Identifier: Apache-2.0
"""What papers claim, as predicates on measured curves. A claim has one of these:

  below: [A, B]     A < B at each x that both have, or of two values; `by` times B
  above: [A, B]     the other way round
  flat: C           the greatest value is at most `within` above the least
  rises: C          the last value is more than `by` times the first
  falls: C          the first value is more than `by` times the last
  settles: C        from x on it changes by less than a fifth of what it changed before
  saturates: C      past x it grows at least twice as fast as before
  earlier: [A, B]   half of A's sum is reached before half of B's

The first five look at the points with x of at least `from` and at most `to`, if they say so.
"""

import itertools

SETTLED, SATURATED = 0.2, 2.0


def holds(claim, figure, results):
    kind = next(name for name in KINDS if name in claim)
    return KINDS[kind](claim, claim[kind], figure, results)


def is_curve(part):
    return isinstance(part, dict) and "series" in part and "x" not in part


def below(claim, parts, figure, results):
    by = claim.get("by", 1)
    if not is_curve(parts[0]):
        a, b = (results.value(part, figure).mean for part in parts)
        return a < by * b
    a, b = (results.of(part, figure) for part in parts)
    common = [x for x in a if x in b and within(claim, x)]
    return bool(common) and all(a[x].mean < by * b[x].mean for x in common)


def within(claim, x):
    return claim.get("from", x) <= x


def means(claim, curve, figure, results):
    return [value.mean for x, value in sorted(results.of(curve, figure).items())
            if within(claim, x)]


def flat(claim, curve, figure, results):
    values = means(claim, curve, figure, results)
    return max(values) <= (1 + claim["within"]) * min(values)


def rises(claim, curve, figure, results):
    values = means(claim, curve, figure, results)
    return values[-1] > claim.get("by", 1) * values[0]


def falls(claim, curve, figure, results):
    values = means(claim, curve, figure, results)
    return values[0] > claim.get("by", 1) * values[-1]


def settles(claim, curve, figure, results):
    found = results.of(curve, figure)
    late = [value.mean for x, value in found.items() if x >= claim["from"]]
    return max(late) - min(late) < SETTLED * abs(found[min(found)].mean - found[claim["from"]].mean)


def saturates(claim, curve, figure, results):
    found = results.of(curve, figure)
    first, past, last = min(found), claim["past"], max(found)

    def slope(a, b):
        return (found[b].mean - found[a].mean) / (b - a)

    return slope(past, last) >= SATURATED * slope(first, past)


def earlier(_, curves, figure, results):
    def half(curve):
        found = sorted(results.of(curve, figure).items())
        sums = list(itertools.accumulate(value.mean for _, value in found))
        return next(x for (x, _), total in zip(found, sums) if total >= sums[-1] / 2)

    return half(curves[0]) < half(curves[1])


KINDS = {"below": below, "flat": flat, "rises": rises, "falls": falls, "settles": settles,
         "saturates": saturates, "earlier": earlier,
         "above": lambda claim, parts, *rest: below(claim, parts[::-1], *rest)}
