# SPDX-License-Identifier: Apache-2.0
"""Topics of scripts/measure that run golden on networks: their size, the data that they carry, and
our barriers beside those of others.

The others' figures stand here, measured once with the same traffic and the same mapping
(scripts/mapping.py, flattened); nothing of them is in this project.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import flow
import synth_report


def muster(build, *arguments):
    """Standard output of a command, its processor time in seconds, its largest memory in MB; ends
    the script if it fails."""
    command = [str(word) for word in (build / "muster", *arguments)]
    with tempfile.TemporaryFile() as out:
        with subprocess.Popen(command, stdout=out) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"measure: {' '.join(command)}: exit status {process.returncode}")
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


# Size

LARGE = """\
By `scripts/measure networks`: two barriers of all nodes, golden alone, all checkers, one thread.
Latency of the second; processor time and memory of the whole command, reading and checking the
network included. Golden has the up\\*/down\\* routes, and on meshes X-Y; no RTL has run at these
sizes but where [performance.md](../docs/reference/performance.md#large-networks) says so."""
FEW, MANY = ("btin", "unicast"), ("btin", "unicast", "bsr-2", "nic-dissemination")
# (name, muster topo gen, schemes)
BY_SIZE = (
    ("complete", "complete --switches 16", MANY),
    ("mesh 16x16", "mesh --width 16 --height 16", MANY),
    ("mesh 32x32", "mesh --width 32 --height 32", MANY),
    ("irregular, 8 ports", "irregular --switches 1200 --nodes 1200", MANY),
    ("mesh 64x64", "mesh --width 64 --height 64", MANY),
    ("torus 64x64", "torus --width 64 --height 64", FEW),
    ("8-ary fat tree, 4 levels", "fat-tree --arity 8 --dimension 4", MANY),
    ("mesh 128x128", "mesh --width 128 --height 128", FEW),
    ("mesh 128x128, 4 nodes each", "mesh --width 128 --height 128 --nodes-per-switch 4", FEW),
    ("8-ary fat tree, 5 levels", "fat-tree --arity 8 --dimension 5", ("btin",)),
    ("mesh 256x256", "mesh --width 256 --height 256", ("btin",)),
    ("torus 256x256", "torus --width 256 --height 256", ("btin",)),
)


def networks(arguments):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "network.json"
        for name, generator, schemes in BY_SIZE:
            muster(arguments.build, "topo", "gen", *generator.split(), "--out", file)
            network = json.loads(file.read_text())
            for scheme in schemes:
                text, seconds, memory = muster(
                    arguments.build, "run", file, "--group", "all", "--barriers", 2, "--scheme",
                    scheme, "--json", "-")
                result = json.loads(text)
                rows.append((name, len(network["switches"]), len(network["nodes"]), scheme,
                             result["barriers"][-1]["latency_cycles"], result["cycles"],
                             f"{seconds:.1f}", f"{memory:.0f}"))
    yield ("Large networks", LARGE, ("network", "switches", "nodes", "scheme", "latency, cycles",
                                     "cycles run", "CPU, s", "memory, MB"), rows)


# Data

SATURATION = """\
By `scripts/measure data`, golden: load that `muster saturate` finds sustained and the next one
that is not, as shares of the load at which the busiest channel is full
([saturation.md](../docs/reference/saturation.md))."""
WARM = """\
By `scripts/measure data`, golden: mean latency of a packet, cycles, in 4000 cycles behind a
warm-up of W cycles, over 20 seeds, with 95 % intervals
([runs.md](../docs/reference/runs.md#background-data)). Loads are about half and nine tenths of the
saturation."""
VCS = """\
By `scripts/measure data`, golden: 64 of 256 members on 75 irregular switches, 40 barriers, load
0.6, five runs; with 95 % intervals. Channels decide comparisons beside data, so a run gives every
scheme the same ones ([runs.md](../docs/reference/runs.md))."""
READY = {"Figure 1": "figure1", "8 x 8 mesh": "mesh-8x8", "75 switches": "irregular-75"}
SWITCHES = {"barrier, 1 virtual channel (`--config sw8v1`)": ("--config", "sw8v1"),
            "barrier, 2 virtual channels": (),
            "preempting I, 2 (`--scheme bsr-1`)": ("--scheme", "bsr-1"),
            "multicast, 2, one of them for worms (`--scheme multicast`)": ("--scheme", "multicast")}
# About half and nine tenths of the saturation, as `--load` has it.
LOADS = {"Figure 1": (0.48, 0.86), "8 x 8 mesh": (0.31, 0.56), "75 switches": (0.40, 0.72)}
WARMUPS, CYCLES, SEEDS = (0, 500, 1000, 2000, 4000, 8000), 4000, 20
CHANNELS = (("`btin`", "1 (`--config sw8v1`)", ("--scheme", "btin", "--config", "sw8v1")),
            ("`btin`", "2", ("--scheme", "btin")),
            ("`unicast`", "1 (`--config sw8v1`)", ("--scheme", "unicast", "--config", "sw8v1")),
            ("`unicast`", "2", ("--scheme", "unicast")),
            ("`bsr-1`", "2", ("--scheme", "bsr-1")))


def result(build, command, network, *options):
    return json.loads(muster(build, command, flow.ROOT / f"topologies/{READY[network]}.json",
                             *options, "--threads", 1, "--json", "-")[0])


def saturation(build, network, options):
    out = result(build, "saturate", network, *options)
    low, high = (out[f"{end}_flits_per_node_cycle"] / out["route_bound_flits_per_node_cycle"]
                 for end in ("sustained", "unsustained"))
    return f"{low:.3f} to {high:.3f}"


def settled(build, network, load, warmup):
    out = result(build, "run", network, "--group", "n0,n1", "--barriers", 1, "--load", load,
                 "--warmup", warmup, "--min-cycles", warmup + CYCLES, "--repeat", SEEDS)
    return with_interval(out["data"]["packet_latency_mean_cycles"])


def channels(build, options):
    out = result(build, "run", "75 switches", "--group", "random:64", "--barriers", 40, "--load",
                 0.6, "--repeat", 5, *options)
    return (with_interval(out["latency_cycles"]["mean"]),
            with_interval(out["data"]["packet_latency_mean_cycles"]),
            f"{sum(run['saturated'] for run in out['runs'])} of {len(out['runs'])}")


def with_interval(mean):
    return f"{mean['mean']:.1f} +- {mean['half_width']:.1f}"


def data(arguments):
    build = arguments.build
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bounds = [(switch, [pool.submit(saturation, build, network, options) for network in READY])
                  for switch, options in SWITCHES.items()]
        warm = [(network, load, [pool.submit(settled, build, network, load, warmup)
                                 for warmup in WARMUPS])
                for network, loads in LOADS.items() for load in loads]
        vcs = [(scheme, number, pool.submit(channels, build, options))
               for scheme, number, options in CHANNELS]
    yield ("Saturation", SATURATION, ("switches", *READY),
           [(switch, *(cell.result() for cell in cells)) for switch, cells in bounds])
    yield ("Warm-up", WARM, ("network", "load", "W = 0", *map(str, WARMUPS[1:])),
           [(network, f"{load:.2f}", *(cell.result() for cell in cells))
            for network, load, cells in warm])
    yield ("Virtual channels", VCS, ("scheme", "channels", "barrier latency, mean",
                                     "packet latency, mean", "runs saturated"),
           [(scheme, number, *cells.result()) for scheme, number, cells in vcs])


# Barriers of others

TAKES = """\
By `scripts/measure hardware`: flattened, mapped by the same tools. FlooNoC's routers have 5 ports
and links of 64 bits of data, in two networks; our switch has 8 ports, or as many as its row says,
and links of 16 bits. What was built of the others, with which parameters: [other
barriers](../docs/systems/other-barriers.md#sources)."""
LATENCY = """\
By `scripts/measure barriers`: cycles from the last arrival to the last release, mean and longest
of 200 barriers, by the range of the members' work between them. Ours on golden, under all
checkers."""
TIMES = ("members", "barriers by", "groups", "work 0", "0 to 10", "0 to 100")
HARDWARE = ("what", "groups", "iCE40 LUT", "FF", "ECP5 LUT", "Xilinx 7 LUT", "levels iCE40")
FAMILIES = ("ice40", "ecp5", "xc7")
SPREADS = (0, 10, 100)
BARRIERS = 200

MESH, UNIT = "64 on an 8 x 8 mesh", "8 in one place"
IRREGULAR = "64 of 256, 75 irregular switches"
FAT_TREE = "64 on a quaternary fat tree"
# As Quadrics' library has it, on our switches (docs/systems/nic-broadcast.md).
BROADCAST = ("a root that broadcasts and tests", 1, "--scheme nic-broadcast")

# Others: repository, commit and parameters stand in docs/systems/other-barriers.md.
# Latency in cycles, mean and longest of 200 barriers for each of SPREADS.
OTHER_TIMES = {
    MESH: [("`bsg_barrier`", 1, "18.0, 18", "17.0, 18", "15.6, 18")],
    UNIT: [("PULP, `hw_barrier_unit`", 1, "1.0, 1", "1.0, 1", "1.0, 1"),
           ("Snitch, `snitch_barrier`", 1, "1.0, 1", "1.0, 1", "1.0, 1")],
}
# LUTs and flip-flops on iCE40, LUTs on ECP5 and series 7, levels on iCE40.
OTHER_HARDWARE = (
    ("`bsg_barrier`, a node of 4 links", 1, 28, 7, 51, 17, 4),
    ("`bsg_barrier`, all 64 of an 8 x 8 mesh", 1, 1538, 416, 2021, 1019, 4),
    ("`bsg_barrier`, the same, its tree fixed", 1, 60, 136, 56, 48, 2),
    ("PULP, `hw_barrier_unit`, 8 cores", 1, 128, 31, 145, 86, 5),
    ("Snitch, `snitch_barrier`, 8 cores", 1, 13, 8, 26, 9, 3),
    ("FlooNoC, narrow routers, 5 ports, no collectives", 0, 5690, 2590, 7473, 5686, 14),
    ("FlooNoC, the same with barriers", "any", 14540, 2615, 18770, 13878, 17),
)

# Ours: (members, muster topo gen, members for muster run, [(what, groups, options)]).
NETWORKS = (
    (MESH, "mesh --width 8 --height 8", "all",
     [("barrier switches", 1, ""), ("barrier switches, sum of 6 bits", 1, "--op sum"),
      ("barrier switches", 4, ""),
      ("barrier switches, beside data, load 0.8", 1, "--load 0.8 --warmup 0 --config sw5v1")]),
    (UNIT, "tree --arity 1 --height 0 --nodes-per-leaf 8", "all",
     [("a barrier switch", 1, ""), ("a barrier switch, sum of 6 bits", 1, "--op sum"),
      ("a barrier switch", 4, "")]),
    (IRREGULAR, "irregular --seed 1", "random:64", [("barrier switches", 1, ""), BROADCAST]),
    (FAT_TREE, "fat-tree --arity 4 --dimension 3", "all", [("barrier switches", 1, ""), BROADCAST]),
)


def latency(build, file, members, groups, options, spread):
    """Mean and longest in cycles, from the last arrival to the last release."""
    turn = () if "--scheme" in options else ("--turn",)
    text = muster(build, "run", file, *turn, "--barriers", BARRIERS, "--spread", spread,
                  *["--group", members] * groups, *options.split(), "--json", "-")[0]
    cycles = json.loads(text)["latency_cycles"]
    return f"{cycles['mean']:.1f}, {cycles['max']}"


def barriers(arguments):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "network.json"
        for name, generator, members, ours in NETWORKS:
            rows += [(name, *row) for row in OTHER_TIMES.get(name, ())]
            muster(arguments.build, "topo", "gen", *generator.split(), "--out", file)
            rows += [(name, what, groups,
                      *(latency(arguments.build, file, members, groups, options, spread)
                        for spread in SPREADS)) for what, groups, options in ours]
    yield "Latency of other barriers", LATENCY, TIMES, rows


def hardware(_):
    answers = {(a["question"], a["value"]): a for a in synth_report.read()["answers"]}

    def row(what, groups, used):
        ice40, ecp5, xc7 = (used[family] for family in FAMILIES)
        return (what, groups, ice40["lut"], ice40["ff"], ecp5["lut"], xc7["lut"],
                ice40.get("levels", ""))

    rows = list(OTHER_HARDWARE)
    rows += [row(f"barrier unit, {ports} ports, 6 bits of data, OR", 1, answers["one", ports])
             for ports in (5, 8)]
    rows += [row(f"barrier unit, {ports} ports, 6 bits, all operations", 4, answers["unit", ports])
             for ports in (4, 8)]
    for groups in (1, 4):  # data path and all, less the data path
        more = {f: {c: answers["support", groups][f][c] - answers["support", 0][f][c]
                    for c in ("lut", "ff")} for f in FAMILIES}
        rows.append(row("all that barriers add to a switch, 8 ports, 6 bits, OR", groups, more))
    rows.append(row("that switch without barriers", 0, answers["support", 0]))
    yield "Hardware of other barriers", TAKES, HARDWARE, rows
