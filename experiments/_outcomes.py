# SPDX-License-Identifier: Apache-2.0
"""What has come of a fault (docs/reliability.md, Outcomes): [kind, cycles, others, text]. Cycles
are those by which the latest barrier was late, or that a recovery took; others, those by which a
barrier of a group that lost nothing was late."""

from ._faults import KILLING


def latencies(out: dict) -> dict[str, list[int]]:
    found = {}
    for barrier in out["barriers"]:
        found.setdefault(barrier["group"], []).append(barrier["latency_cycles"])
    return found


def judge(out: dict, planned: dict, fault: dict, graph: dict, alone: bool) -> list:
    """`out`: the run's JSON. `planned`: latencies without the fault. `alone`: groups that have lost
    nothing must have these, if there are no data."""
    if out["violations"] or out["end"] not in ("complete", "groups stopped"):
        text = " ".join(out["violation_texts"])
        down = " down: " in text and any(name in text for name in ends_of(fault["culprits"]))
        return ["reported" if down else "defect", 0, 0, text or out["end"]]
    wrong = wrong_recovery(out, fault, graph)
    if wrong:
        return ["defect", 0, 0, wrong]
    hit = {group["group"]: group for group in out["faults"]["groups_hit"]}
    found, kind, cycles, others, text = latencies(out), "masked", 0, 0, ""
    for group, times in planned.items():
        loss, ours = hit.get(group), found.get(group, [])
        if loss and loss["culprit"] not in fault["culprits"]:
            return ["defect", 0, 0, f"'{group}' blames {loss['culprit']}"]
        if loss and loss["status"] == "stopped":
            kind, text = "reported", f"{loss['culprit']} stops '{group}'"
            continue
        recovered = loss and loss["status"] == "recovered"
        if not recovered and len(ours) != len(times):
            return ["defect", 0, 0, f"'{group}' lacks barriers, and nothing is said of it"]
        late = 0 if recovered else max(a - b for a, b in zip(ours, times))
        if fault["culprits"] and not (loss or fault["everywhere"] or fault["loaded"]):
            others = max(others, late)
            if alone and ours != times:
                return ["defect", 0, 0, f"'{group}' has lost nothing and is disturbed"]
        else:
            cycles = max(cycles, late)
    for again in out["faults"]["recovered"]:
        if again["recovered_in_cycle"] is not None:
            cycles = max(cycles, again["cycles_to_detect"] + again["cycles_to_recover"])
    return ["recovered" if kind == "masked" and cycles > 0 else kind, cycles, others, text]


def wrong_recovery(out: dict, fault: dict, graph: dict) -> str | None:
    """What a recovery may not be: a member is lost that is connected with one that is not, a time
    is longer than the run, or more barriers have failed than recoveries lost members."""
    part = parts_left(graph, {name.partition("@")[0] for option in KILLING
                              for name in fault["options"].get(option, ())})
    names = {f"{node['at'][0]}:{node['at'][1]}": f"n{n}" for n, node in enumerate(graph["nodes"])}
    failed, lost = {}, {}
    for again in out["faults"]["recovered"]:
        lost.setdefault(again["group"], set()).update(again["members_lost"])
        failed[again["group"]] = failed.get(again["group"], 0) + bool(again["members_lost"])
    for group in out["parameters"]["groups"]:
        gone = lost.get(group["name"], set())
        kept = {part[names[at]] for at in group["members"] if names[at] not in gone}
        if any(part[node] in kept for node in gone):
            return f"'{group['name']}' has lost members that are not cut off: {', '.join(gone)}"
    for barrier in out["barriers"]:
        failed[barrier["group"]] = failed.get(barrier["group"], 0) - barrier.get("failed", False)
        times = ("latency_cycles", "reduction_cycles", "distribution_cycles")
        if any(barrier[time] > out["cycles"] for time in times):
            return f"barrier {barrier['number']} of '{barrier['group']}' takes longer than the run"
    more = any(count < 0 for count in failed.values())
    return "a barrier has failed without a recovery" if more else None


def parts_left(graph: dict, dead: set[str]) -> dict:
    """For each node a number, equal for those that are connected; one that is cut off is alone."""
    part = {f"sw{s}": s for s in range(len(graph["switches"]))}
    for link in graph["links"]:
        a, b = link["a"], link["b"]
        ends = f"sw{a[0]}", f"sw{b[0]}"
        if f"{a[0]}:{a[1]}-{b[0]}:{b[1]}" not in dead and not dead.intersection(ends):
            old, new = (part[end] for end in ends)
            part.update({name: new for name, number in part.items() if number == old})
    found = {}
    for n, node in enumerate(graph["nodes"]):
        home, port = f"sw{node['at'][0]}", f"{node['at'][0]}:{node['at'][1]}"
        alone = dead.intersection((home, f"n{n}", f"{port}-n{n}"))
        found[f"n{n}"] = f"n{n}" if alone else part[home]
    return found


def ends_of(links: list[str]):
    """A link end is named by its channel, in either direction."""
    for link in links:
        a, _, b = link.partition("-")
        yield from (f"{a} -> {b}", f"{b} -> {a}")
