# SPDX-License-Identifier: Apache-2.0
"""The faults of experiments/reliability.py, in each phase of a barrier or drawn by seed, and what
has come of them. A fault is a dict: kind, phase, the options of run() that make it, the culprits
that may be blamed for what comes of it (none of a fault that links must make good), `everywhere` if
all groups have to tolerate it, `loaded` with data, which delay barriers."""

import random

FLAPS, FLAP, PERIOD = 4, 60, 200   # a link that flaps: so many times, cycles, from one to the next
TOO_LONG = 400                     # cycles of a flap that link ends do not outlast
JAMS = (0.1, 0.5, 0.9, 1)          # shares of frames without a flit
NOISE = {"link_drop": 1e-3, "link_corrupt": 1e-3, "link_duplicate": 1e-3}
LOAD = {"load": 0.1, "min_cycles": 6000}
KILLING = ("cut_link", "kill_switch", "kill_node")


def fault(kind, phase, options, culprits=(), everywhere=False, loaded=False) -> dict:
    return {"kind": kind, "phase": phase, "options": options, "culprits": list(culprits),
            "everywhere": everywhere, "loaded": loaded}


def parts_of(graph: dict) -> tuple[list, list, list]:
    """Names of links, switches and nodes, as results have them; `graph` is a Network.to_dict()."""
    def port(end):
        return f"{end[0]}:{end[1]}"

    return ([f"{port(link['a'])}-{port(link['b'])}" for link in graph["links"]] +
            [f"{port(node['at'])}-n{n}" for n, node in enumerate(graph["nodes"])],
            [f"sw{s}" for s in range(len(graph["switches"]))],
            [f"n{n}" for n in range(len(graph["nodes"]))])


def sample(parts, count: int, seed) -> tuple:
    """So many of each kind."""
    draw = random.Random(seed)
    return tuple(sorted(draw.sample(names, min(count, len(names)))) for names in parts)


def single(parts, phases: dict):
    """Every part dies, and every switch is reset, in each phase."""
    links, switches, nodes = parts
    for phase, cycle in phases.items():
        for kind, names, option in (("link dies", links, "cut_link"),
                                    ("switch dies", switches, "kill_switch"),
                                    ("node dies", nodes, "kill_node"),
                                    ("switch is reset", switches, "reset_switch")):
            for name in names:
                yield fault(kind, phase, {option: [f"{name}@{cycle}"]}, (name,))


def flapping(parts, phases: dict):
    """Every link flaps from each phase on; one flap is longer than link ends wait."""
    for phase, cycle in phases.items():
        for link in parts[0]:
            yield fault("link flaps", phase, {
                "flap": [f"{link}@{cycle + i * PERIOD}+{FLAP}" for i in range(FLAPS)]})
            yield fault("link flaps for too long", phase, {"flap": [f"{link}@{cycle}+{TOO_LONG}"]},
                        (link,))


def jamming(parts):
    for share in JAMS:
        yield fault("acknowledgements jammed", "all the time", {"ack_drop": share}, parts[0],
                    everywhere=True)


def several(parts, phases: dict, count: int, seed):
    """Two to four parts at any time, with data, on links that lose, corrupt and double."""
    draw = random.Random(seed)
    last = 2 * max(phases.values())
    for _ in range(count):
        chosen = {}
        for _ in range(draw.randint(2, 4)):
            option, names = draw.choice(tuple(zip(KILLING, parts)))
            chosen[draw.choice(names)] = option
        options = {}
        for name, option in chosen.items():
            options.setdefault(option, []).append(f"{name}@{draw.randint(0, last)}")
        yield fault("several at once", "any time", options | NOISE | LOAD, chosen, loaded=True)


def latencies(out: dict) -> dict[str, list[int]]:
    found = {}
    for barrier in out["barriers"]:
        found.setdefault(barrier["group"], []).append(barrier["latency_cycles"])
    return found


def judge(out: dict, planned: dict, fault: dict, graph: dict, alone: bool) -> list:
    """The outcome (docs/reliability.md, Outcomes) as [kind, cycles, others, text]. Cycles are those
    by which the latest barrier was late, or that a recovery took; others, those by which a barrier
    of a group that lost nothing was late. `out`: the run's JSON. `planned`: latencies without the
    fault. `alone`: groups that have lost nothing must have these, if there are no data."""
    if out["violations"] or out["end"] not in ("complete", "groups stopped"):
        text = " ".join(out["violation_texts"])
        down = " down: " in text and any(  # a link end is named by its channel, in a direction
            f"{a} -> {b}" in text or f"{b} -> {a}" in text
            for a, b in (link.partition("-")[::2] for link in fault["culprits"]))
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
