# SPDX-License-Identifier: Apache-2.0
"""Runs of scripts/campaign, and what has come of a fault (docs/reliability.md, Outcomes)."""

import dataclasses
import functools
import json
import subprocess

import campaign_faults

WARMUP = 300    # cycles until the first arrival at the earliest; links are up by then
BARRIERS = 6    # of each group, the second of which is hit
SPREAD = 60     # cycles that members work between barriers, at most
PATIENCE = 8000  # cycles without an event until a group is given up; a new routing takes 3000
SECONDS = 100   # that a run may take


@dataclasses.dataclass(frozen=True)
class Setting:
    """A system on a network: options of all runs, the groups, of which the first is hit in a phase
    of its second barrier, if its messages take no place from other groups' (`alone`), and the
    cycles that a group may wait."""
    system: str
    network: str
    file: str
    groups: tuple
    options: tuple
    alone: bool = True
    patience: int = PATIENCE

    def command(self, groups=None):
        chosen = [word for group in groups or self.groups for word in ("--group", group)]
        return ("run", self.file, *chosen, "--warmup", WARMUP, "--spread", SPREAD, "--max-wait",
                self.patience, *self.options)


@dataclasses.dataclass
class Outcome:
    """`kind`: masked, recovered, reported, refused or defect. `cycles`: that the latest barrier was
    late, or a recovery took. `others`: that a barrier of a group which lost nothing was late."""
    kind: str
    cycles: int = 0
    others: int = 0
    text: str = ""


class Muster:
    """The program, and the engine of the campaign's runs."""

    def __init__(self, build, engine):
        self.program, self.engine = build / "muster", engine

    def run(self, command):
        """(exit status, result or None, what it says)"""
        words = [self.program, *map(str, command), "--json", "-"]
        if command[0] == "run":
            words += ["--engine", self.engine]
        try:
            done = subprocess.run(words, text=True, capture_output=True, check=False,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None, None, f"no end within {SECONDS} s"
        out = json.loads(done.stdout) if done.stdout else None
        return done.returncode, out, done.stderr.strip()

    def good(self, command):
        status, out, text = self.run(command)
        if status != 0:
            raise RuntimeError(f"muster {' '.join(map(str, command))}: {text} "
                               f"{out and out['violation_texts']}")
        return out

    @functools.lru_cache(maxsize=None)
    def reference(self, setting, links=("--link-retry",)):
        """Latencies by group and barrier of the run without faults."""
        return latencies(self.good((*setting.command(), "--barriers", BARRIERS, *links)))

    @functools.lru_cache(maxsize=None)
    def phases(self, setting):
        """A cycle in each phase, by its name: of the second barrier of the first group."""
        def ends(barriers):
            out = self.good((*setting.command(setting.groups[:1]), "--link-retry", "--barriers",
                             barriers))
            return out["cycles"] - out["drain_cycles"], out["barriers"][-1]

        before, _ = ends(1)
        end, barrier = ends(2)
        arrived = end - barrier["latency_cycles"]
        turn = arrived + barrier["reduction_cycles"]
        return {"before the first arrival": WARMUP - 40,
                "reduction": arrived + barrier["reduction_cycles"] // 2,
                "turn": turn,
                "distribution": turn + barrier["distribution_cycles"] // 2,
                "between two barriers": before + 1}


def latencies(out):
    found = {}
    for barrier in out["barriers"]:
        found.setdefault(barrier["group"], []).append(barrier["latency_cycles"])
    return found


def lateness(barriers, planned):
    """The most cycles by which a barrier of a group took longer than planned; None if some are
    missing."""
    if len(barriers) != len(planned):
        return None
    return max(a - b for a, b in zip(barriers, planned))


def judge(ended, reference, fault, file, alone):
    """`ended`: as Muster.run gives it. `file`: of the network. `alone`: groups that have lost
    nothing must have the latencies of the run without faults, if there are no data."""
    status, out, text = ended
    if status == 2:
        return Outcome("refused", text=text)
    if status not in (0, 1) or out is None:
        return Outcome("defect", text=text or f"exit status {status}")
    if status == 1 and out["end"] != "groups stopped":
        text = " ".join(out["violation_texts"])
        down = " down: " in text and any(name in text for name in ends_of(fault.culprits))
        return Outcome("reported" if down else "defect", text=text)
    found = latencies(out)
    wrong = wrong_recovery(out, fault, file)
    if wrong:
        return Outcome("defect", text=wrong)
    hit = {g["group"]: g for g in out["faults"]["groups_hit"]}
    outcome = Outcome("masked")
    for group, planned in reference.items():
        loss = hit.get(group)
        if loss and loss["culprit"] not in fault.culprits:
            return Outcome("defect", text=f"'{group}' blames {loss['culprit']}")
        if loss and loss["status"] == "stopped":
            outcome.kind, outcome.text = "reported", f"{loss['culprit']} stops '{group}'"
            continue
        late = lateness(found.get(group, []), planned)
        if loss and loss["status"] == "recovered":
            late = 0
        if late is None:
            return Outcome("defect", text=f"'{group}' lacks barriers, and nothing is said of it")
        if fault.culprits and not (loss or fault.everywhere or fault.loaded):
            outcome.others = max(outcome.others, late)
            if alone and found[group] != planned:
                return Outcome("defect", text=f"'{group}' has lost nothing and is disturbed")
        else:
            outcome.cycles = max(outcome.cycles, late)
    for again in out["faults"]["recovered"]:
        if again["recovered_in_cycle"] is not None:
            outcome.cycles = max(outcome.cycles,
                                 again["cycles_to_detect"] + again["cycles_to_recover"])
    if outcome.kind == "masked" and outcome.cycles > 0:
        outcome.kind = "recovered"
    return outcome


def wrong_recovery(out, fault, file):
    """What a recovery may not be, or nothing: a member is lost that is connected with one that is
    not, a time is longer than the run, or more barriers have failed than recoveries lost
    members."""
    names = campaign_faults.node_names(file)
    part = campaign_faults.parts_left(file, fault.dead())
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
    if any(rest < 0 for rest in failed.values()):
        return "a barrier has failed without a recovery"
    return None


def ends_of(links):
    """A link end is named by its channel, in either direction."""
    for link in links:
        a, _, b = link.partition("-")
        yield from (f"{a} -> {b}", f"{b} -> {a}")
