# SPDX-License-Identifier: Apache-2.0
"""The tables that scripts/measured writes: for each its page, its head and its rows.

A cell is what a function makes of the JSON of a run. Rows that are `quick` are run again by the
tests.
"""

from measured_rows import Row, Table, at

# muster topo gen
NETWORKS = {"random-75": "irregular --switches 75 --nodes 256 --ports 8 --connectivity 0.75 --seed 1"}

RUNS, MOVES = "docs/reference/runs.md", "docs/systems/group-moves.md"
BASELINES = "docs/systems/baselines.md"

MEAN, MAX = at("latency_cycles.mean", ".1f"), at("latency_cycles.max")


def groups(spec, number):
    return f" --group {spec}" * number


def spill(label, options, quick=True):
    start = f"run figure1{groups('random:6', 16)} --barriers 50 {options}"
    return Row((label,), ((start, MEAN),
                          (f"{start} --spill --config sw8s",
                           lambda result: len(result["spill"]["groups"]),
                           at("spill.latency_spilled_cycles.mean", ".1f"),
                           at("spill.latency_others_cycles.mean", ".1f"))), quick)


def waits(network, name, load):
    """The longest wait of a packet, its bound, and how much of W step it was, by which the bound
    is so many times."""
    times = 8 if load <= 0.4 else 20000
    return Row((name, load), ((f"run {network} --group random:64 --barriers 20 --min-cycles 20000 "
                               f"--load {load}", at("waits.longest_packet_cycles"),
                               at("waits.packet_bound_cycles"),
                               lambda result: format(
                                   result["waits"]["longest_packet_cycles"] * times /
                                   result["waits"]["packet_bound_cycles"], ".2f"),
                               lambda result: "yes" if result["saturated"] else "no"),))


def span(move_to, field):
    """The least and the greatest of all moves in one direction."""
    def cell(result):
        values = [move[field] for move in moves(result, move_to)]
        return f"{min(values)} to {max(values)}" if values else ""
    return cell


def moves(result, to):
    """None without --evict-after."""
    return [move for move in result["spill"].get("moves", []) if move["to"] == to]


def evicting(label, options):
    command = (f"run figure1{groups('random:6', 7)} --spill --config sw8 --setup in-band "
               f"--spread 3000 --barriers 30 {options}")
    cells = [cell for to in ("memory", "register")
             for cell in (lambda result, to=to: len(moves(result, to)),
                          span(to, "confirmed_cycles"), span(to, "messages"))]
    return Row((label,), ((command, *cells,
                           lambda result: result["spill"].get("moves_refused", 0), MEAN),))


def in_a_row(members):
    """Ten barriers in a row by the baselines of BTIN: of the first, way up and way down."""
    command = f"run random-75 --group random:{members} --spread 0 --barriers 10 --seed 1 --scheme"
    first = at("barriers.0.latency_cycles")
    ways = at("barriers.0.reduction_cycles"), at("barriers.0.distribution_cycles")
    return Row((members,), ((f"{command} btin", MEAN), (f"{command} unicast", first, *ways, MEAN),
                            (f"{command} multicast", first, *ways, MEAN)))


TABLES = (
    Table("spill", RUNS,
          ("members work", "registers for all", "4 registers: groups spilled", "mean of these",
           "of the others"),
          (spill("not at all (`--spread 0`)", "--spread 0"),
           spill("not at all, among data (`--spread 0 --load 0.2`)", "--spread 0 --load 0.2"),
           spill("0 to 4000 cycles (`--spread 4000`)", "--spread 4000"))),
    Table("waits", RUNS,
          ("network", "load", "longest wait, cycles", "bound", "longest by W step", "saturated"),
          tuple(waits(network, name, load)
                for network, name in (("mesh-8x8", "8 x 8 mesh"), ("irregular-75", "75 switches"))
                for load in (0.2, 0.4, 0.6, 0.8, 1.0, 1.5))),
    Table("moves", MOVES,
          ("N", "moves out", "cycles each", "messages", "moves back", "cycles each", "messages",
           "refused", "barrier, mean"),
          (evicting("never", ""), *(evicting(n, f"--evict-after {n}") for n in (3000, 1000, 300)))),
    Table("in-a-row", BASELINES,
          ("members", "BTIN, mean", "unicast, first", "up", "down", "mean", "multicast, first", "up",
           "down", "mean"),
          tuple(in_a_row(members) for members in (16, 64, 256))),
)
