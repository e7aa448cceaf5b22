# SPDX-License-Identifier: Apache-2.0
"""A study of ours: the outcome of every fault (docs/reliability.md). Two groups share a network but
no link: 14 members on Figure 1 of the BTIN paper beside two nodes of switch 2, or 64 of 256 nodes
on 75 switches beside two nodes of a switch outside their tree. All links retry. A fault falls into
one of five phases of the first group's second barrier, as a run without faults times them: a part
dies or is reset, a link flaps (four times for 60 of 200 cycles, or for 400, longer than link ends
wait), frames without a flit are lost (0.1, 0.5, 0.9 or all), or two to four parts fail at once,
with data and lossy links. Every part of Figure 1 fails in each phase, of the large network a
sample. Rates: 60 barriers of the 64 members, data at 0.1 of what fills the busiest channel, while
links lose, corrupt and duplicate a share of frames each; `bare` is without link ends and faults,
`over bare` a mean divided by that. --sessions N: so many parts of Figure 1 of each kind, of four
systems, in two phases."""

import collections

from ._campaign import (SYSTEMS, SHARES, faults_of, large_groups, outcome, phases, rate, reference,
                        refusal)
from .kit import Data, Figure, Study, Table

KINDS = ("masked", "recovered", "reported", "defect")
HEADS = ("network", "system", "fault", "runs", *KINDS, "recovered in, at most", "others late by")
RATES = ("system", "share", "mean", "longest", "over bare", "data accepted")
QUICK = ("BTIN", "BTIN, repeating", "unicast", "NIC, dissemination")
FIGURE_1, LARGE = "Figure 1", "75 switches, 256 nodes"


def measure(study: Study) -> Data:
    few, systems = study.setting.sessions, QUICK if study.setting.sessions else tuple(SYSTEMS)
    outcomes, refused = Table("Outcomes", HEADS, []), Table("Refused", ("system", "why not"), [])
    rates = Table("Rates", RATES, [])
    data = Data("The outcome of every fault, and barriers on links that lose frames",
                tables=[outcomes, refused, rates])
    networks = {FIGURE_1: ["paper", "n5,n6"]} | ({} if few else {LARGE: large_groups()})
    reasons = study.run(refusal, [[study.setting.engine, name] for name in systems])
    refused.rows.extend((name, reason) for name, reason in zip(systems, reasons) if reason)
    tried = [name for name, reason in zip(systems, reasons) if not reason]
    for network, groups in networks.items():
        settings = [{"network": network, "groups": groups, "system": name,
                     "engine": study.setting.engine if network == FIGURE_1 else "golden"}
                    for name in tried]
        items = [{"setting": setting, "fault": fault, "planned": planned}
                 for setting, cycles, planned in zip(settings, study.run(phases, settings),
                                                     study.run(reference, settings))
                 for fault in faults_of(network, cycles, few)]
        rows = collections.defaultdict(list)
        for item, found in zip(items, study.run(outcome, items)):
            rows[network, item["setting"]["system"], item["fault"]["kind"]].append(found)
            if found[0] not in KINDS[:-1]:
                study.violations += 1
                data.notes.append(f"{found[0]}: {item['setting']['system']}, "
                                  f"{item['fault']['kind']}, {item['fault']['options']}: "
                                  f"{found[3]}")
        for key, found in rows.items():
            count = collections.Counter(kind for kind, *_ in found)
            outcomes.rows.append((
                *key, len(found), *(count[kind] for kind in KINDS),
                max((cycles for kind, cycles, *_ in found if kind == "recovered"), default=0),
                max(others for _, _, others, _ in found)))
    if not few:
        rates.rows.extend(rated(study, tried))
    return data


def rated(study: Study, systems: list[str]) -> list[tuple]:
    """Rows of the table of rates."""
    places = [(name, share) for name in systems for share in (None, *SHARES)]
    found = dict(zip(places, study.run(rate, [[*place, large_groups()[0]] for place in places])))
    return [(name, "bare" if share is None else share, one["mean"], one["longest"],
             one["mean"] / found[name, None]["mean"], one["accepted"])
            for (name, share), one in found.items()]


FIGURE = Figure("reliability", "ours", measure, "the outcome of every fault, in every system")
