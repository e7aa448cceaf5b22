#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The corners of the parameter ranges of switches, boxes, NICs and link ends.

  corners.py lint             Verilator --lint-only -Wall elaborates them; prints only findings
  corners.py list FILE        writes them in the format of rtl/configurations.json, for the lockstep
                           test

The barrier switch has 16 corners: Ports, Vcs, Depth and Regs at their extremes in all combinations.
The widths are parity bits of these (a Hamming code), so that any three of the seven parameters take
all eight combinations of their extremes; where flits are the narrowest, the most destinations are
those that they can name. Every fifth of these and of the random points is tried with Serial as
well, and every fifth with Guard. The multicast switch, without Regs, has 8 corners, so that any two
parameters take all four combinations. The three preempting switches take turns at 16 corners, a
third of which has 0, 1 and 7 Spares each. The NIC has 8, in which most pairs of its eight
parameters take all four combinations, and the link end has 8 for its seven. Every fourth point of
the link end may lose barrier messages, if its buffer has a place for one. The random points are the
same each time. The box has its extremes and depths that are no multiple of its size, always with
packets of 64 bits.
"""

import argparse
import inspect
import itertools
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import flow  # noqa: E402

SWITCH = "muster_barrier_switch"
MULTICAST = "muster_multicast_switch"
PREEMPT = "muster_bsr_switch"
BOX = "muster_interchange_box"
NIC = "muster_nic_engine"
LINK = "muster_link_end"
# Two rows of ports in the harness, and a port that an entry of the routing table has no bit for.
WIDE = ("wide32", {"Ports": 32, "Vcs": 1, "Depth": 2, "Regs": 2, "FlitW": 16, "GidW": 8,
                   "Dests": 64, "Counters": 1})
# Those that every test run builds: the smallest block of each kind, and sizes at which sloppy index
# arithmetic shows (no powers of two, three virtual channels, the widest flit) that compile quickly.
QUICK = ("wide32", "corner0000", "corner0010", "corner0110", "random00", "random17", "worms000",
         "worms_random0", "preempt0000", "preempt_random0", "box2s1", "box4s3", "nic000",
         "nic_random0", "link000", "link111", "link_random0")
RANDOM_POINTS = 20
USUAL_DESTS = 2048  # of random points at most: larger tables are those of corners
OPCODE_BITS = 5
SERIAL_STEP = 5
GUARD_FIRST = 2  # not those that are serial too
QUEUED_FIRST = 1
GUARD_DEPTH = 2  # with Guard a queue has so many flits at least
MOST_CREDITS = 4
GOLDEN_BITS = {SWITCH: 80, LINK: 64}  # of a flit in golden
NUMBERED_PORTS = 16  # at most, with a spill port or labels
SPILL_OVERHEAD = 7  # bits of a flit with a place, besides the group identifier
RETRY_OVERHEAD = 8  # the same of a flit whose message is repeated
RANDOM_MULTICAST = 4
RANDOM_PREEMPT = 6
BOX_DEPTHS = {2: (1, 7, 64), 4: (1, 3), 8: (1, 5, 64)}  # box4s64 is listed for networks
EVENT_STEP = 3  # of the NICs' points every third has an event unit as well
RANDOM_NICS = 4
LINK_SLOTS = (4, 8, 16, 32)
RANDOM_LINKS = 6
SEED = 1


def with_spill(number, values):
    """Every other point has a spill port, if a place fits into its flits and the harness, whose
    credits are four a port, has room for that of the pockets."""
    fits = (values["FlitW"] >= values["GidW"] + SPILL_OVERHEAD and values["Vcs"] < MOST_CREDITS
            and values["Ports"] <= NUMBERED_PORTS)
    return {**values, "Spill": int(fits and number % 2 == 1)}


def with_retry(number, values):
    """Registers of every fourth point repeat, if their messages fit into its flits."""
    fits = values["FlitW"] >= values["GidW"] + RETRY_OVERHEAD
    return {**values, "Retry": int(fits and number % 4 == 2)}


def with_options(number, values):
    """Registers of every other point that do not repeat know who arrived last. Every third point
    has counters. Of twelve points four have OR and AND alone, and four no data, if none repeats.
    Every twelfth has labels, and another one parity."""
    repeats = values["Retry"] == 1
    return {**values, "Straggler": int(not repeats and number % 4 in (0, 3)),
            "Counters": int(number % 3 == 2), "Ops": 0 if repeats else number // 4 % 3,
            "Labels": int(number % 12 == 4 and values["Ports"] <= NUMBERED_PORTS),
            "Parity": int(number % 12 == 5)}


def counted(points):
    """Every other point has counters."""
    return [(name, {**values, "Counters": (i + 1) % 2}) for i, (name, values) in enumerate(points)]


def named(values):
    """No more destinations than flits can name: all bits but those of the opcode, up to 16."""
    return {**values, "Dests": min(values["Dests"], 1 << min(values["FlitW"] - OPCODE_BITS, 16))}


def ranges_of(top):
    """Those of the module's parameters, with flits that golden has."""
    ranges = dict(flow.module(top).ranges)
    low, high = ranges["FlitW"] if "FlitW" in ranges else (0, 0)
    return {**ranges, "FlitW": (low, min(high, GOLDEN_BITS.get(top, high)))}


def drawn_points(name, top, ends_of, most, count, random_name="{}_random{}"):
    """List of (name, {parameter: value}): all combinations of the extremes of the parameters of
    ends_of(), which says those of all, and `count` random points, with values up to `most`."""
    ranges = ranges_of(top)
    result = []
    for bits in itertools.product((0, 1), repeat=len(inspect.signature(ends_of).parameters)):
        ends = ends_of(*bits)
        result.append((name + "".join(map(str, bits)),
                       {each: ranges[each][end] for each, end in ends.items()}))
    source = random.Random(SEED)
    for i in range(count):
        values = {}
        for each in ends:
            low, high = ranges[each]
            values[each] = source.randint(low, most.get(each, high))
        result.append((random_name.format(name, i), values))
    return result


def switch_ends(ports, vcs, depth, regs):
    return {"Ports": ports, "Vcs": vcs, "Depth": depth, "Regs": regs, "FlitW": ports ^ vcs ^ depth,
            "GidW": ports ^ vcs ^ regs, "Dests": vcs ^ depth ^ regs}


def multicast_ends(ports, vcs, depth):
    return {"Ports": ports, "Vcs": vcs, "Depth": depth, "FlitW": ports ^ vcs ^ depth,
            "GidW": ports ^ vcs, "Dests": vcs ^ depth}


def nic_ends(contexts, steps, conns):
    return {"Contexts": contexts, "Steps": steps, "Conns": conns, "Records": contexts ^ steps,
            "SeqW": contexts ^ conns, "Vcs": steps ^ conns, "Depth": contexts ^ steps ^ conns,
            "FlitW": 1 - (contexts ^ steps ^ conns)}


def switch_points():
    """List of (name, {parameter: value})."""
    return [(name, with_options(i, with_retry(i, with_spill(i, named(values)))))
            for i, (name, values) in enumerate(drawn_points(
                "corner", SWITCH, switch_ends, {"Dests": USUAL_DESTS, "Ports": NUMBERED_PORTS},
                RANDOM_POINTS,
                "random{1:02}"))]


def preempt_points():
    """List of (name, {parameter: value}), the three architectures in turn."""
    drawn = drawn_points("preempt", PREEMPT, switch_ends, {}, RANDOM_PREEMPT)
    return [(name, flow.module(PREEMPT).legal({**values, "Architecture": i % 3 + 1,
                                               "Spares": (0, 1, 7)[i // 3 % 3]},
                                              {"Architecture"}))
            for i, (name, values) in enumerate(counted(drawn))]


def with_lossy(number, values):
    """Messages of every fourth point may be lost, if they take no credit and data leave a place."""
    fits = values["Pocket"] == 0 and values["Slots"] > values["Vcs"] * values["Depth"]
    return {**values, "Lossy": int(fits and number % 4 == 0)}


def link_points():
    """List of (name, {parameter: value}). The credit of a pocket is the last of MOST_CREDITS."""
    ranges = ranges_of(LINK)
    drawn = ("Vcs", "Depth", "FlitW", "Timeout", "Retries")
    result = []
    for vcs, depth, slots in itertools.product((0, 1), repeat=3):
        ends = {"Vcs": vcs, "Depth": depth, "FlitW": vcs ^ slots, "Timeout": depth ^ slots,
                "Retries": vcs ^ depth ^ slots}
        values = {name: ranges[name][end] for name, end in ends.items()}
        result.append((f"link{vcs}{depth}{slots}", {
            **values, "Pocket": vcs ^ depth, "Slots": LINK_SLOTS[-1 if slots else 0]}))
    source = random.Random(SEED)
    for i in range(RANDOM_LINKS):
        values = {name: source.randint(*ranges[name]) for name in drawn}
        result.append((f"link_random{i}", {
            **values, "Pocket": source.randint(0, 1), "Slots": source.choice(LINK_SLOTS)}))
    fitting = [(name, {**values, "Vcs": min(values["Vcs"], MOST_CREDITS - values["Pocket"])})
               for name, values in result]
    return [(name, with_lossy(i, values)) for i, (name, values) in enumerate(fitting)]


def entry(name, top, kind, values):
    """In the format of rtl/configurations.json."""
    return {"name": name, "top": top, "kind": kind, "quick": name in QUICK, "params": values}


def points():
    """Entries in the format of rtl/configurations.json."""
    switches = switch_points()
    entries = [entry(name, SWITCH, "switch", values) for name, values in [*switches, WIDE]]
    entries += [entry(f"serial_{name}", SWITCH, "switch", {
                    **values, "Serial": 1, "Straggler": 0, "Ops": 0, "Labels": 0,
                    "Vcs": min(values["Vcs"], MOST_CREDITS - 1)})
                for name, values in switches[::SERIAL_STEP]]
    entries += [entry(f"queued_{name}", SWITCH, "switch", {
                    **values, "Queued": 1, "Spill": 0, "Retry": 0, "Labels": 0})
                for name, values in switches[QUEUED_FIRST::SERIAL_STEP]]
    entries += [entry(f"guard_{name}", SWITCH, "switch", {
                    **values, "Guard": 1, "Depth": max(values["Depth"], GUARD_DEPTH)})
                for name, values in switches[GUARD_FIRST::SERIAL_STEP]]
    entries += [entry(name, MULTICAST, "switch", values) for name, values in
                counted(drawn_points("worms", MULTICAST, multicast_ends, {}, RANDOM_MULTICAST))]
    entries += [entry(name, PREEMPT, "switch", values) for name, values in preempt_points()]
    nics = drawn_points("nic", NIC, nic_ends, {}, RANDOM_NICS)
    entries += [entry(name, NIC, "nic", values) for name, values in nics]
    entries += [entry(f"event_{name}", NIC, "nic", {**values, "Chained": 1})
                for name, values in nics[::EVENT_STEP]]
    entries += [entry(name, LINK, "link", values) for name, values in link_points()]
    entries += [entry(f"box{size}s{depth}", BOX, "box", {
                    "Size": size, "Depth": depth, "PacketW": 64})
                for size, depths in BOX_DEPTHS.items() for depth in depths]
    return entries


def lint(point):
    """Verilator's messages about a point."""
    status, log = flow.run(flow.elaborate(flow.module(point["top"]), point["params"], "-Wall"))
    return f"{point['name']} {point['params']}:\n{log}" if status else ""


def main():
    parser = argparse.ArgumentParser(description="Corners of the parameter range.")
    actions = parser.add_subparsers(required=True, dest="action")
    actions.add_parser("lint", help="elaborate all of them")
    actions.add_parser("list", help="write their list").add_argument("file")
    arguments = parser.parse_args()

    if arguments.action == "list":
        pathlib.Path(arguments.file).write_text(json.dumps(
            {"schema": "muster-configurations-1", "configurations": points()}, indent=2))
        return 0
    findings = [finding for finding in flow.parallel(lint, points()) if finding]
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
