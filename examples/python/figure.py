#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 6 of the paper on NIC barriers, from Python: consecutive barriers of 2 to 16 members on a
Myrinet crossbar with cards LANai 9.1, walked by the NIC or by its host. Prints a table, with what
the paper prints beside it, and draws nic-6.svg. `--quick` measures three numbers of members."""

import argparse
import math

import muster

WARM_UP, COUNTED = 5, 20  # barriers
CURVES = {"NIC-DS": ("nic-dissemination", "collective"), "NIC-PE": ("nic-pairwise", "collective"),
          "host-DS": ("nic-dissemination", "host"), "host-PE": ("nic-pairwise", "host"),
          "host-GB": ("nic-gather", "host")}
MOST = 16  # members, the paper's cluster


def measure(members):
    """Mean latency in microseconds, [curve][number of members]."""
    crossbar = muster.generate("clos", ports=16, leaves=1)
    points = [(curve, n) for curve in CURVES for n in members]
    results = muster.run_many(
        {"network": crossbar, "group": range(n), "profile": "lanai9", "scheme": CURVES[curve][0],
         "nic": CURVES[curve][1], "spread": 0, "barriers": WARM_UP + COUNTED}
        for curve, n in points)
    means = {curve: {} for curve in CURVES}
    for (curve, n), result in zip(points, results):
        if not result.ok:
            raise SystemExit(f"{curve}, {n} members: {result.violation_texts[0]}")
        means[curve][n] = result.latencies_us[WARM_UP:].mean()
    return means


def table(means, members):
    lines = ["members " + "".join(f"{curve:>9}" for curve in means)]
    lines += [f"{n:7} " + "".join(f"{means[curve][n]:9.2f}" for curve in means) for n in members]
    nic, host = means["NIC-DS"][MOST], means["host-DS"][MOST]
    printed, factor = muster.printed("nic-6a"), muster.printed("nic-6b")
    lines += ["", f"{MOST} members           ours    paper",
              f"NIC-DS, us      {nic:8.2f} {printed:8.2f}",
              f"host-DS / NIC-DS{host / nic:8.2f} {factor:8.2f}"]
    return "\n".join(lines)


def drawing(means, members):
    """A picture of 480 x 320: members to the right, microseconds up, the paper's value a ring."""
    top = math.ceil(max(max(curve.values()) for curve in means.values()) / 20) * 20

    def at(n, us):
        return f"{50 + 300 * (n - members[0]) / (members[-1] - members[0]):.1f}", \
            f"{270 - 240 * us / top:.1f}"

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320" '
             'font-family="sans-serif" font-size="12">', '<rect width="480" height="320" '
             'fill="white"/>', '<path d="M50 30V270H350" fill="none" stroke="black"/>']
    for us in range(0, top + 1, 20):
        parts.append(f'<text x="45" y="{at(2, us)[1]}" text-anchor="end">{us}</text>')
    for n in members:
        parts.append(f'<text x="{at(n, 0)[0]}" y="286" text-anchor="middle">{n}</text>')
    parts.append('<text x="200" y="308" text-anchor="middle">members</text>'
                 '<text x="10" y="20">latency (us)</text>')
    colours = ("#1b6ca8", "#d1495b", "#2e8b57", "#8a5ec2", "#b8860b")
    for number, (curve, colour) in enumerate(zip(means, colours)):
        line = " ".join(",".join(at(n, means[curve][n])) for n in members)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="365" y="{50 + 18 * number}" fill="{colour}">{curve}</text>')
    x, y = at(MOST, muster.printed("nic-6a"))
    parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="black"/>'
                 '<text x="365" y="150">o paper, NIC</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="2, 8 and 16 members")
    options.add_argument("--out", default="nic-6.svg", help="the picture")
    typed = options.parse_args()
    members = [2, 8, MOST] if typed.quick else list(range(2, MOST + 1))
    means = measure(members)
    print(table(means, members))
    with open(typed.out, "w", encoding="utf-8") as file:
        file.write(drawing(means, members))


if __name__ == "__main__":
    main()
