# SPDX-License-Identifier: Apache-2.0
"""What papers claim, as predicates on measured curves and values: True, False, or None where 95 %
intervals overlap, so that the two are not told apart. And sums with values.

A part is a Series, a Point or a number. Curves are compared at each x that both have, from
`start` on."""

import itertools
import math

from .kit import Point, Series

SETTLED = 0.2


def point(value):
    return value if isinstance(value, Point) else Point(None, value)


def difference(a, b):
    """a - b, of independent means."""
    a, b = point(a), point(b)
    exact = a.half_width is None or b.half_width is None
    return Point(None, a.y - b.y, None if exact else math.hypot(a.half_width, b.half_width))


def ratio(a, b):
    """a / b, of independent means, to first order."""
    a, b = point(a), point(b)
    mean = a.y / b.y
    if a.half_width is None or b.half_width is None:
        return Point(None, mean)
    return Point(None, mean, abs(mean) * math.hypot(a.half_width / a.y, b.half_width / b.y))


def least(curve):
    """The x of a curve's least value."""
    return min(_points(curve), key=lambda p: p.y).x


def below(a, b, by=1, start=-math.inf):
    """a < by * b"""
    if not isinstance(a, Series):
        return _less(point(a), point(b), by)
    others = {p.x: p for p in _points(b)}
    return _all(_less(p, others[p.x], by) for p in _points(a, start) if p.x in others)


def flat(curve, within, start=-math.inf):
    """The greatest value is at most `within` above the least."""
    values = sorted(_points(curve, start), key=lambda p: (p.y, p.half_width or 0))
    most = 1 + within
    return True if values[-1].y <= most * values[0].y else _less(values[-1], values[0], most)


def rises(curve, by=1, start=-math.inf):
    """The last value is more than `by` times the first."""
    values = _points(curve, start)
    return _less(values[0], values[-1], 1 / by)


def falls(curve, by=1, start=-math.inf):
    """The first value is more than `by` times the last."""
    values = _points(curve, start)
    return _less(values[-1], values[0], 1 / by)


def settles(curve, start):
    """From `start` on it changes by less than a fifth of what it changed before."""
    values = _points(curve)
    late = [p.y for p in values if p.x >= start]
    return max(late) - min(late) < SETTLED * abs(values[0].y - curve.at(start).y)


def steady(a, b):
    """a changes by less than a fifth of what b changes."""
    return _change(a) < SETTLED * _change(b)


def earlier(a, b):
    """Half of a's sum is reached before half of b's."""
    return _half(a) < _half(b)


def _points(curve, start=-math.inf):
    return sorted(p for p in curve.points if p.y is not None and p.x >= start)


def _less(a, b, by):
    a_half, b_half = a.half_width or 0, b.half_width or 0
    if a.y + a_half < by * (b.y - b_half):
        return True
    return False if a.y - a_half >= by * (b.y + b_half) else None


def _all(found):
    """False if any is, else None if any is."""
    found = list(found)
    return False if False in found or not found else None if None in found else True


def _change(curve):
    values = [p.y for p in _points(curve)]
    return max(values) - min(values)


def _half(curve):
    values = _points(curve)
    sums = list(itertools.accumulate(p.y for p in values))
    return next(p.x for p, total in zip(values, sums) if total >= sums[-1] / 2)
