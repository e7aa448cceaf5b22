# SPDX-License-Identifier: Apache-2.0
"""What scripts/measured writes: tables, for each its page, its head and its rows, and sessions.

A cell is what a function makes of the JSON of a run. Rows that are `quick` are run again by the
tests.
"""

import statistics

import cited
from measured_entries import Excerpt, Row, Session, Table, at

# muster topo gen
NETWORKS = {
    "random-75-1": "irregular --switches 75 --nodes 256 --ports 8 --connectivity 0.75 --seed 1",
    "random-75-2": "irregular --switches 75 --nodes 256 --ports 8 --connectivity 0.75 --seed 2",
    "random-75-3": "irregular --switches 75 --nodes 256 --ports 8 --connectivity 0.75 --seed 3",
    "mesh-4x4": "mesh --width 4 --height 4",
    "clos64": "clos --leaves 8",
    "clos16": "clos --leaves 1",
    "quaternary-16": "fat-tree --arity 4 --dimension 2",
    "quaternary-64": "fat-tree --arity 4 --dimension 3",
    "quaternary-1024": "fat-tree --arity 4 --dimension 5",
    "octonary-4096": "fat-tree --arity 8 --dimension 4",
}

RUNS, MOVES = "docs/reference/runs.md", "docs/systems/group-moves.md"
GROUPS, TREE = "docs/systems/groups.md", "docs/systems/bsr-tree.md"
PREEMPTING = "docs/systems/preempting-switches.md"
COMPARISON = "docs/systems/comparison.md"
SWITCH = "docs/systems/barrier-switch.md"
README, FIRST = "README.md", "docs/start/first-barrier.md"
SATURATION, PLANNING = "docs/reference/saturation.md", "docs/systems/planning.md"
BASELINES, NIC = "docs/systems/baselines.md", "docs/systems/nic-figures.md"

EVENTS = "docs/systems/nic-events.md"

MEAN, MAX = at("latency_cycles.mean", ".1f"), at("latency_cycles.max")


def groups(spec, number):
    return f" --group {spec}" * number


def spill(label, options):
    start = f"run figure1{groups('random:6', 16)} --barriers 50 {options}"
    return Row((label,), ((start, MEAN),
                          (f"{start} --spill --config sw8s",
                           lambda result: len(result["spill"]["groups"]),
                           at("spill.latency_spilled_cycles.mean", ".1f"),
                           at("spill.latency_others_cycles.mean", ".1f"))))


def chained(algorithm, scheme, members):
    """The step walk and the event unit, without the first ten barriers."""
    def mean(field, form):
        return lambda result: format(statistics.fmean(
            barrier[field] for barrier in result["barriers"][10:]), form)

    def run(profile, more):
        return (f"run quaternary-{16 if members <= 16 else 64} --scheme {scheme} --group "
                f"{','.join(f'n{i}' for i in range(members))} --spread 0 --barriers 60 "
                f"--profile {profile}{more}")

    columns = (("native", mean("latency_cycles", ".1f")), ("elan3", mean("latency_us", ".3f")))
    paper = cited.printed("nic-8a") if members == 8 and scheme != "nic-gather" else ""
    return Row((algorithm, members, paper), tuple(
        (run(profile, more), value) for profile, value in columns for more in ("", " --chained")),
        members <= 16)


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
    command = f"run random-75-1 --group random:{members} --spread 0 --barriers 10 --seed 1 --scheme"
    first = at("barriers.0.latency_cycles")
    ways = at("barriers.0.reduction_cycles"), at("barriers.0.distribution_cycles")
    return Row((members,), ((f"{command} btin", MEAN), (f"{command} unicast", first, *ways, MEAN),
                            (f"{command} multicast", first, *ways, MEAN)))


def nic_large(name, words, profile, members, network, panel, group="all"):
    """Beside the line through the figure's points, and the paper's equation."""
    def model(curve):
        return lambda _: format(cited.of_figure(f"nic-9 {panel}", f"model, {curve}", members),
                                ".2f")
    command = (f"run {network} --scheme nic-dissemination --profile {profile} --spread 0 "
               f"--group {group}")
    return Row((name, words, members), ((command, at("latency_us.mean", ".2f"),
                                         model("our constants"), model("the paper's")),), False)


def packets(result):
    """On the links, for each barrier."""
    return format(result["nic"]["faults"]["packets"] / len(result["barriers"]), ".1f")


def nic_faults(rate, quick):
    command = (f"run clos16 --scheme nic-dissemination --drop {rate} --barriers 1500 --spread 0 "
               "--nic")
    cells = MEAN, MAX, packets
    return Row((rate,), ((f"{command} collective", *cells), (f"{command} direct", *cells)), quick)


def creation(seed):
    cells = [(f"run random-75-{seed} --group all --setup in-band --barriers 2 --config sw8v1 "
              f"--load {load} --seed {seed}", at("setup.groups.0.creation_cycles"))
             for load in (0, 0.3)]
    return Row((seed,), tuple(cells))


def change(label, network, options):
    """What a change of one group takes."""
    start = "changes.groups.0."
    return Row((label,), ((f"run {network} --setup in-band {options}",
                           *(at(start + field) for field in (
                               "registers.rewritten", "registers.kept", "messages",
                               "register_requests", "confirmed_cycles",
                               "first_barrier_cycles"))),))


def late_mean(group):
    """Of barriers 20 and later."""
    def cell(result):
        latencies = [barrier["latency_cycles"] for barrier in result["barriers"]
                     if barrier["group"] == group and barrier["number"] >= 20]
        return format(sum(latencies) / len(latencies), ".1f")
    return cell


def dead_link(label, options):
    """The cells of no dead link are empty, except for the latencies."""
    def of_link(field):
        return lambda result: at(f"changes.links.0.{field}")(result) if options else ""

    def touched(result):
        return ", ".join(f"`{group['group']}`" for group in result["changes"]["groups"]) or "none"
    command = ("run irregular-75 --group random:64 --group random:6 --scheme bsr-2 --barriers 60 "
               f"--load 0.3 --warmup 0 {options}")
    return Row((label,), ((command, touched if options else lambda _: "",
                           *map(of_link, ("words_written", "empty_cycles", "routed_cycles",
                                          "out_cycles")),
                           late_mean("random:64"), late_mean("random:6"), at("detours")),))


def among_data(scheme):
    """Barriers in a row without data, at half and at four fifths of the route bound: the first,
    and mean and longest of the others."""
    def others(result):
        latencies = [barrier["latency_cycles"] for barrier in result["barriers"][1:]]
        return f"{sum(latencies) / len(latencies):.0f}, {max(latencies)}"

    def optional(*fields):
        """Of switches that preempt alone."""
        return lambda result: ", ".join(str(result[field]) for field in fields if field in result)
    command = (f"run random-75-1 --scheme {scheme} --group random:64 --packet-length 32 "
               "--barriers 40 --spread 0 --warmup 10000 --load")
    wait, bound = optional("max_hop_wait_cycles"), optional("bound_hop_wait_cycles")
    return Row((f"`{scheme}`",), (
        (f"{command} 0", at("barriers.0.latency_cycles"), others),
        (f"{command} 0.5", others, optional("preemptions", "padding_flits"), wait),
        (f"{command} 0.8", others, wait, bound)), quick=scheme == "btin")


def out_of_step(path):
    command = f"run clos64 --scheme nic-dissemination --nic {path} --group all --barriers 41"
    return Row((f"`{path}`",), tuple((f"{command} --spread {spread}", at("latency_us.mean", ".2f"))
                                     for spread in (0, 5, 20, 100)), quick=path == "direct")


# That of scripts/demo.
DEMO = "run topologies/figure1.json --group paper --barriers 10 --spread 100 --seed 1"
DEMO_WORDS = "switches", "paper", "latency", "first", "digest"

ENTRIES = (
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
          ("members", "BTIN, mean", "unicast, first", "up", "down", "mean", "multicast, first",
           "up", "down", "mean"),
          tuple(in_a_row(members) for members in (16, 64, 256))),
    Table("nic-large", NIC,
          ("", "A, D", "members", "measured, us", "our line", "the paper's equation"),
          (nic_large("Quadrics, `elan3`", "4, 5", "elan3", 1024, "quaternary-1024", "a"),
           nic_large("Myrinet, `lanai-xp`", "8, 4", "lanai-xp", 1024, "octonary-4096", "b",
                     ",".join(f"n{node}" for node in range(1024))),
           nic_large("Myrinet, `lanai-xp`", "8, 4", "lanai-xp", 4096, "octonary-4096", "b"))),
    Table("nic-faults", NIC,
          ("drop rate", "collective", "longest", "packets", "direct", "longest", "packets"),
          tuple(nic_faults(rate, rate == "1e-2")
                for rate in ("0", "1e-4", "1e-3", "1e-2", "1e-1"))),
    Table("nic-many", NIC,
          ("barriers done", "mean", "longest", "packets", "lost", "checks, million", "violations"),
          (Row((), (("run clos16 --scheme nic-dissemination --nic collective --drop 1e-2 "
                     "--barriers 100000 --spread 0 --seed 1",
                     lambda result: len(result["barriers"]), MEAN, MAX, at("nic.faults.packets"),
                     at("nic.faults.dropped"),
                     lambda result: sum(result["checks"].values()) // 10 ** 6,
                     at("violations")),), False),)),
    Table("creation", GROUPS, ("S", "load 0", "load 0.3"), tuple(map(creation, (1, 2, 3)))),
    Table("changes", GROUPS,
          ("what", "registers rewritten", "kept", "messages", "requests to switches",
           "confirmed, cycles", "first barrier over"),
          (change("a link of the tree dies", "figure1",
                  "--group paper --barriers 30 --kill-link 1:1-3:1@700"),
           change("the root node leaves", "figure1", "--group paper --barriers 10 --leave 3:4@4"),
           change("one of 256 leaves, among data", "random-75-1",
                  "--group all --load 0.3 --leave n5@4 --config sw8v1"))),
    Table("dead-links", TREE,
          ("link", "groups with other ways", "words", "no packet", "new tables", "out",
           "`random:64` afterwards", "`random:6` afterwards", "detours"),
          (dead_link("none", ""),
           *(dead_link(f"`{link}`", f"--kill-link {link}@2000")
             for link in ("4:0-7:0", "13:2-28:0", "2:1-15:0", "11:1-71:0")))),
    Table("among-data", PREEMPTING,
          ("scheme", "first, no data", "others", "load 0.5", "cuts, pads", "wait at a hop",
           "load 0.8", "wait at a hop", "its bound"),
          tuple(map(among_data, ("bsr-1", "bsr-2", "bsr-3", "btin")))),
    Table("out-of-step", COMPARISON,
          ("path", "N = 0", "5", "20", "100"),
          tuple(map(out_of_step, ("collective", "direct", "host")))),
    Table("mesh-throughput", SWITCH, ("flits a queue", "accepted"),
          tuple(Row((depth,), ((f"run mesh-4x4 --barriers 1 --group n0,n1 --load-flits 1.0 "
                                f"--min-cycles 20000 --warmup 2000 --config {switch}",
                                at("data_throughput", ".3f")),))
                for depth, switch in ((4, "sw5v1"), (8, "sw5v1d8")))),
    Table("chained", EVENTS,
          ("algorithm", "members", "printed, us", "walk, cycles", "events, cycles",
           "walk, `elan3`, us", "events, `elan3`, us"),
          tuple(chained(name, scheme, members)
                for name, scheme in (("dissemination", "nic-dissemination"),
                                     ("pairwise exchange", "nic-pairwise"),
                                     ("gather-broadcast", "nic-gather"))
                for members in (2, 4, 8, 16, 64))),
    Session("saturate", SATURATION, "saturate topologies/figure1.json"),
    Session("tree", PLANNING, "tree topologies/figure1.json --group paper"),
    *(entry for page in (README, FIRST) for entry in (
        Excerpt("demo", page, DEMO, DEMO_WORDS),
        Excerpt("demo", page, f"{DEMO} --engine lockstep", ("checks",), "sw8"))),
)
