# SPDX-License-Identifier: Apache-2.0
"""Section 5.2, Figure 7: network traffic over the group size. By section 5.1 traffic is the links
traversed by the messages of both phases, node links included: a BTIN barrier takes 2 (edges +
members), a multicast barrier the routes of n - 1 unicasts and the links of its worms. They are
counted in the barriers of Figure 6; one more curve has multicast on shortest paths, those of the
tree, with one worm for all members."""

from . import claims
from ._btin import LARGE, QUEUED, SCHEMES, SMALL, Points, add, name
from .kit import At, Data, Figure, Printed, all_of, of, of_curves, of_each

SHORTEST = "shortest ways and one worm"


def measure(study):
    data = Data("BTIN Figure 7: links traversed in both phases")
    ratios = []
    for system in (SMALL, LARGE):
        points, title = Points(study, system), name(system)
        curves = [points.curve(f"{scheme}, measured", lambda s, w=scheme: s["measured"][w][1])
                  for scheme in (*SCHEMES, QUEUED)]
        curves.append(points.curve(f"multicast, {SHORTEST}", lambda s: s["shortest_hops"]))
        add(data, f"{title} nodes/switches", "traffic (hops)", curves)
        ratios += [
            points.curve(f"{title}, measured",
                         lambda s: s["measured"]["multicast"][1] / s["measured"]["btin"][1]),
            points.curve(f"{title}, {SHORTEST}",
                         lambda s: s["shortest_hops"] / s["measured"]["btin"][1])]
    add(data, "multicast / BTIN", "traffic ratio", ratios)
    return data


WHY = ("The printed ratio does not follow from the paper's definition of traffic, links traversed "
       "by the messages of both phases: an average route would have over 100 links. Counted on "
       "shortest paths with all members in one worm the ratio is smaller still than measured.")

FIGURES = [Figure("btin-7", "btin", measure, "network traffic over the group size", [
    Printed("btin-7a", "Figure 7", "256 nodes, 75 switches, group 256: traffic, multicast / BTIN",
            At("c", "256/75, measured", 256), 46.8, mark="256/75", verdict="not measurable",
            why=WHY),
    Printed("btin-7b", "Figure 7", "1024 nodes, 300 switches, group 256: the same",
            At("c", "1024/300, measured", 256), 88.6, mark="1024/300", verdict="not measurable",
            why=WHY),
    Printed("btin-7c", "Figure 7", "BTIN's traffic is less than multicast's (ours from 8 members "
            "on), and both grow with the group",
            all_of(of_curves(claims.below, "ab", "btin, measured", "multicast, measured", start=8),
                   of_each(claims.rises, "ab", ("btin, measured", "multicast, measured")))),
    Printed("btin-7d", "Figure 7", "the larger network gains more at group 256",
            of(claims.below, At("c", "256/75, measured", 256), At("c", "1024/300, measured", 256)),
            why="As btin-7a. By the definition of section 5.1 the ratio hardly depends on the "
            "network."),
    Printed("btin-7e", "Figure 7",
            "BTIN is more scalable: its traffic grows less from 256/75/256 to 1024/300/1024",
            of(claims.below, *(of(
                claims.ratio, At("b", f"{way}, measured", 1024), At("a", f"{way}, measured", 256))
                for way in ("btin", "multicast"))))])]
