# SPDX-License-Identifier: Apache-2.0
"""What papers claim, as predicates on measured curves. A claim has one of these:

  below: [A, B]     A < B at each x that both have, or of two values; `by` times B
  above: [A, B]     the other way round
  flat: C           the greatest value is at most `within` above the least
  rises: C          the last value is more than `by` times the first
  falls: C          the first value is more than `by` times the last
  settles: C        from x on it changes by less than a fifth of what it changed before
  saturates: C      past x it grows at least twice as fast as before
  steady: [A, B]    A changes by less than a fifth of what B changes
  earlier: [A, B]   half of A's sum is reached before half of B's

The first five look at the points with x of at least `from`, if they say so. Of two values one is
less than the other if their 95 % intervals do not overlap; if they do, the two are not told apart.
A curve is flat if its means are; it is not flat if the intervals exclude it. The last four compare
means.
"""

import itertools

SETTLED, SATURATED = 0.2, 2.0


def holds(claim, figure, results):
    """True, False, or None where intervals overlap."""
    kind = next(name for name in KINDS if name in claim)
    return KINDS[kind](claim, claim[kind], figure, results)


def is_curve(part):
    return isinstance(part, dict) and "series" in part and "x" not in part


def less(a, b, by=1):
    """a < by * b"""
    if a.high() < by * b.low():
        return True
    return False if a.low() >= by * b.high() else None


def all_of(found):
    """False if any is, else None if any is."""
    found = list(found)
    return False if False in found or not found else None if None in found else True


def below(claim, parts, figure, results):
    by = claim.get("by", 1)
    if not is_curve(parts[0]):
        return less(*(results.value(part, figure) for part in parts), by)
    a, b = (results.of(part, figure) for part in parts)
    return all_of(less(a[x], b[x], by) for x in a if x in b and within(claim, x))


def within(claim, x):
    return claim.get("from", x) <= x


def points(claim, curve, figure, results):
    return [value for x, value in sorted(results.of(curve, figure).items()) if within(claim, x)]


def flat(claim, curve, figure, results):
    values = sorted(points(claim, curve, figure, results))
    most = 1 + claim["within"]
    return True if values[-1].mean <= most * values[0].mean else less(values[-1], values[0], most)


def rises(claim, curve, figure, results):
    values = points(claim, curve, figure, results)
    return less(values[0], values[-1], 1 / claim.get("by", 1))


def falls(claim, curve, figure, results):
    values = points(claim, curve, figure, results)
    return less(values[-1], values[0], 1 / claim.get("by", 1))


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


def steady(_, curves, figure, results):
    def change(curve):
        found = [value.mean for value in results.of(curve, figure).values()]
        return max(found) - min(found)

    return change(curves[0]) < SETTLED * change(curves[1])


def earlier(_, curves, figure, results):
    def half(curve):
        found = sorted(results.of(curve, figure).items())
        sums = list(itertools.accumulate(value.mean for _, value in found))
        return next(x for (x, _), total in zip(found, sums) if total >= sums[-1] / 2)

    return half(curves[0]) < half(curves[1])


KINDS = {"below": below, "flat": flat, "rises": rises, "falls": falls, "settles": settles,
         "saturates": saturates, "steady": steady, "earlier": earlier,
         "above": lambda claim, parts, *rest: below(claim, parts[::-1], *rest)}
