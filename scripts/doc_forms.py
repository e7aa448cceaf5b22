# SPDX-License-Identifier: Apache-2.0
"""Commands of pages that scripts/doc-commands does not run as they stand in the default form, and
the files that pages expect their reader to have.

A command is run as it stands unless it is here, with the reason and what has its place:
`instead`, a command that is run, or `test`, words of a CMakeLists.txt of tests/ that name the test
which runs it in another form; or neither, if it is of others. With `soak` the soak form runs the
command itself.
"""

import json
import typing


class Form(typing.NamedTuple):
    """A command as it stands in pages, and what is done with it."""
    command: str
    why: str
    instead: str = ""
    test: str = ""
    soak: bool = False


WHOLE = "takes minutes"
INSTALLS = "installs packages and builds"
STOPS = "the group has lost a member, and stops"
BUILDS = "builds, which a test must not do beside other tests"
OTHERS = "a program of others, from the network"
SELECTS = "the regression runs these tests; here they are counted"
PLACING = "coverage, mutate, board, place and the baseline of synth say what is wrong"
FUSESOC = "manifests: FuseSoC and Verilator take blocks into an empty folder"
MESH_TB = ('--timing --assert -F "$MUSTER"/rtl/muster.f muster_mesh.sv '
           '"$MUSTER"/examples/mesh_top/mesh_tb.sv --top-module mesh_tb')
MODEL = "scripts/model builds a model of any size"
PRESET = "cmake --list-presets=build | grep -q default"


def counted(tests):
    """That ctest has such tests."""
    return f"ctest --test-dir build -N {tests} | grep -q 'Total Tests: [1-9]'"


FORMS = (
    Form("./scripts/demo", INSTALLS,
         "build/muster run topologies/figure1.json --group paper --engine lockstep --barriers 10 "
         "--spread 100 --seed 1"),
    Form("./scripts/build", INSTALLS, PRESET),
    Form("./scripts/test", SELECTS, counted("-LE soak")),
    Form("./scripts/test -R lockstep", SELECTS, counted("-R lockstep")),
    Form("./scripts/test -L soak", SELECTS, counted("-L soak")),
    Form("./scripts/lint", WHOLE, test="lint and synth fail on planted errors"),
    Form("ctest --test-dir build -R btin_golden", SELECTS, counted("-R btin_golden")),
    Form('ctest --test-dir build -R "random traffic"', SELECTS, counted('-R "random traffic"')),
    Form("ctest --test-dir build -R netlist", SELECTS, counted("-R netlist")),
    Form("cmake --preset default && cmake --build --preset default", BUILDS, PRESET),
    Form("cmake --build build --target model_sw8", BUILDS,
         "cmake --build build --target model_sw8 -- -n"),
    Form("cmake --build build --target model_sw8v1", BUILDS,
         "cmake --build build --target model_sw8v1 -- -n"),
    Form("cmake --install build --prefix DIR", BUILDS, test="examples: install the package"),
    Form("cmake -S . -B build -DCMAKE_PREFIX_PATH=DIR && cmake --build build", BUILDS,
         test="muster_example(own_system)"),
    Form("build/own_system run ring.json --scheme token-ring --engine lockstep --config ring4",
         BUILDS, test="muster_example(own_system)"),
    Form("cmake -S examples/mpi_arrivals -B recorder && cmake --build recorder", BUILDS,
         test="muster_example(mpi_arrivals)"),
    Form("mpirun -n 8 -x LD_PRELOAD=recorder/librecord_arrivals.so -x MUSTER_ARRIVALS=mine.json "
         "./my_program", "the reader's program", test="muster_example(mpi_arrivals)"),
    Form("pip install .", BUILDS, test="python: pip install of a clean copy (soak)"),
    Form("scripts/model my6 barrier_switch Ports=6 Vcs=2", BUILDS, test=MODEL),
    Form("build/muster run topologies/figure1.json --scheme btin --group all --engine lockstep "
         "--config my6", "needs the model of the line before", test=MODEL),
    Form("scripts/model mesh8192 barrier_switch Ports=5 FlitW=18 Dests=8192", BUILDS, test=MODEL),
    Form("scripts/model fat8192 barrier_switch Ports=16 Vcs=1 FlitW=18 Dests=8192", BUILDS,
         test=MODEL),
    Form("muster run mesh.json --group all --barriers 2 --load-flits 0.01 --engine lockstep "
         "--config mesh8192", "needs a model that is built for it",
         "muster run mesh.json --group all --barriers 1 --spread 0"),
    Form("muster run tree.json --group all --barriers 2 --warmup 200 --load-flits 0.01 "
         "--engine lockstep --config fat8192", "needs a model that is built for it",
         "muster run tree.json --group all --barriers 1 --spread 0"),
    *(Form(command, "takes FuseSoC", test=FUSESOC) for command in (
        "fusesoc library add my_soc .", "fusesoc run --target=lint muster",
        "fusesoc run --target=sim muster", "fusesoc run --target=lint my_soc",
        "fusesoc run --target=sim my_soc")),
    Form(f"verilator --binary {MESH_TB}", "FuseSoC compiles it in a test",
         f"verilator --lint-only {MESH_TB}"),
    Form("obj_dir/Vmesh_tb", "FuseSoC compiles it in a test", test=FUSESOC),
    Form("git clone https://github.com/booksim/booksim2", OTHERS),
    Form("make -C booksim2/src", OTHERS),
    Form("scripts/measure booksim --booksim booksim2/src/booksim", OTHERS,
         "scripts/measure --help"),
    Form("scripts/place sw4", WHOLE, test=PLACING),
    Form("scripts/place --chip ecp5-25 sw4 nic4", WHOLE, test=PLACING),
    Form("scripts/place --write", WHOLE, test=PLACING),
    Form("gtkwave out/groups.gtkw", "a window", "test -s out/groups.gtkw"),
    Form("gtkwave out/cuts.gtkw", "a window", "test -s out/cuts.gtkw"),
    Form("build/muster run net.json --group all --link-retry --kill-switch sw3@500", STOPS,
         "build/muster run net.json --group all --link-retry --kill-switch sw3@500 || test $? = 1"),
    Form("build/muster run net.json --group all --link-retry --cut-link n5@500", STOPS,
         "build/muster run net.json --group all --link-retry --cut-link n5@500 || test $? = 1"),
    Form("build/muster esc --pes 256 --rate 0.5 --policy hot-section:4", WHOLE,
         "build/muster esc --pes 256 --rate 0.5 --policy hot-section:4 --sessions 2", soak=True),
    Form("scripts/figures btin-6", WHOLE, "scripts/figures btin-6 --sessions 1", soak=True),
    Form("build/muster saturate net.json", WHOLE,
         "build/muster saturate net.json --cycles 10000 --repeat 1", soak=True),
    Form("build/muster bench", WHOLE, "build/muster bench --help", soak=True),
    Form("mpirun -n 8 build/muster run net.json --engine rtl --group all", "so many processes",
         "mpirun -n 2 build/muster run net.json --engine rtl --group all", soak=True),
    Form("mpirun -n 8 build/muster run big.json --group all --engine rtl --load 0.5 "
         "--json result.json", "so many processes",
         "mpirun -n 2 build/muster run big.json --group all --load 0.5 --barriers 1", soak=True),
)

# What a page's reader has: files of this text.
RECORDING = json.dumps({"schema": "muster-arrivals-1", "ranks": 8, "calls": [
    {"call": "MPI_Barrier", "work_ns": [(7 * rank + call) % 11 * 100 for rank in range(8)]}
    for call in range(100)]})
READERS = {
    "docs/how-to/arrivals.md": {"mine.json": RECORDING},
    "docs/reference/commands.md": {"mine.json": RECORDING},
}
# Pages whose reader begins with an empty folder.
EMPTY = ("docs/how-to/own-soc.md",)
