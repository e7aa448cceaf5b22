# SPDX-License-Identifier: Apache-2.0
"""The ladder of results/synthesis.md: what each step of a design's history has brought, in LUTs,
MHz and time of simulation. synth/designs.json names the commits; what was measured of one is kept
in results/ladder.csv, for a commit does not change."""

import shutil
import statistics
import subprocess

import flow
import fpga
import results

COLUMNS = ("design", "commit", "lut", "hx8k", "ecp5-25", "time")
SEEDS = range(1, 6)
HEADER = ("step", "commit", "iCE40 LUT", "HX8K MHz", "ECP5-25 MHz", "a cycle takes")
ABOUT = """\
## The ladder

Steps of the RTL, each as the commit that made it, by `scripts/synth --ladder`: LUTs of an iCE40,
median MHz of five seeds, and how long a cycle of a Verilated switch takes under random packets, as
a share of the first line, all of one run.
"""


def tree(commit, directory):
    """A workspace that sees rtl/ as it was."""
    folder, part = directory / commit, directory / f"{commit}.part"
    if not folder.exists():
        archive = subprocess.run(["git", "-C", flow.ROOT, "-c", "safe.directory=*", "archive",
                                  commit, "rtl"], check=False, capture_output=True)
        if archive.returncode != 0:
            flow.stop(f"{commit}: {archive.stderr.decode().strip()}")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        subprocess.run(["tar", "x", "-C", part], input=archive.stdout, check=True)
        (part / "synth").symlink_to(flow.ROOT / "synth")
        part.rename(folder)
    return folder


def mapped(design, folder):
    """LUTs on an iCE40, and the MHz of the seeds on both chips."""
    # All but boards; which of them a design has, `hierarchy` finds.
    files = sorted(str(path.relative_to(folder)) for path in folder.glob("rtl/*/*.sv")
                   if path.parent.name != "board" and path.stem != "muster_pkg")
    setup = "; ".join(flow.read_sized(design["top"], design["params"], files))
    row = {"lut": fpga.map_design(design["label"], setup, design["top"], "ice40", folder)["lut"]}
    for chip in ("hx8k", "ecp5-25"):
        family = fpga.CHIPS[chip].family
        netlist = fpga.make_netlist({**design, "files": files}, family, folder)
        found = []
        for seed in SEEDS:
            mhz = fpga.place(design, netlist, chip, seed, folder).get("mhz")
            if mhz is None:
                found.clear()
                break
            found.append(f"{seed}={mhz}")
        row[chip] = " ".join(found)
    return row


def program(design, folder):
    """Of the block, Verilated as models are, in the loop of switch_time.cpp."""
    name, home = f"V{design['label']}", flow.ROOT / "verif/models/switch_time.cpp"
    params = design["params"]
    vcs, vc_bits = params.get("Vcs", 1), max(1, (params.get("Vcs", 1) - 1).bit_length())
    extra = design["top"] == "muster_bsr_switch"  # the credit of the barrier buffer
    define = {"MODEL": name, "HEADER": f'\\"{name}.h\\"', "PORTS": params.get("Ports", 1),
              "ROOT_HEADER": f'\\"{name}___024root.h\\"', "VCS": vcs, "BACK": vcs + extra,
              "VC_BITS": vc_bits}
    flags = " ".join([*(f"-D{key}={value}" for key, value in define.items()), "-std=c++20",
                      *(f"-I{flow.ROOT / tree}" for tree in ("verif", "sim_cpp", "include"))])
    out = folder / f"{name}.dir"
    flow.must(
        ["verilator", "--cc", "--exe", "--build", "-sv", "--no-timing", "--assert", "-O3",
         "--x-assign", "unique", "--x-initial", "unique", "--output-split", "0", "-Wno-fatal",
         "--prefix", name, "--Mdir", out, "--top-module", design["top"],
         *(f"-G{key}={value}" for key, value in params.items()),
         *(f"-I{path}" for path in sorted(folder.glob("rtl/*")) if path.is_dir()),
         "-MAKEFLAGS", "OPT_FAST=-O2", "-CFLAGS", f"-O2 {flags}", "rtl/common/muster_pkg.sv",
         next(folder.glob(f"rtl/*/{design['top']}.sv")), home], folder,
        f"{design['label']} at {folder.name}")
    return out / name


def timed(programs, rounds=5):
    """The best time of each by that of the first, run in turn."""
    best = [1e9] * len(programs)
    for _ in range(rounds):
        for i, each in enumerate(programs):
            best[i] = min(best[i], float(subprocess.run([each], check=True, text=True,
                                                        capture_output=True).stdout))
    return [f"{time / best[0]:.2f}" for time in best]


def rows():
    """{(design, commit): {column: text}}"""
    _, *lines = results.read_csv("ladder") or [COLUMNS]
    return {line[:2]: dict(zip(COLUMNS, line)) for line in lines}


def measure(ladders, designs, directory):
    """Measures what results/ladder.csv does not have of these ladders, and writes each of them.
    Times, of switches alone, are those of one run: all are measured again if a step is new."""
    known = rows()
    for ladder in ladders:
        name = ladder["design"]
        design = {**designs[name], "label": name, "name": name}
        steps = {(name, step["commit"]): tree(step["commit"], directory)
                 for step in ladder["steps"]}
        for key in [key for key in steps if key not in known]:
            known[key] = {**dict(zip(COLUMNS, key)), "time": "", **mapped(design, steps[key])}
            write(known)
        if "Ports" in design["params"] and not all(known[key]["time"] for key in steps):
            times = timed([program(design, folder) for folder in steps.values()])
            for key, time in zip(steps, times):
                known[key]["time"] = time
            write(known)


def write(known):
    results.write_csv("ladder", [COLUMNS, *([row[column] for column in COLUMNS]
                                            for row in known.values())])


def clocks(seeds):
    """{seed: MHz}; none of what does not fit."""
    return {seed: float(mhz) for seed, mhz in (part.split("=") for part in seeds.split())}


def median(seeds):
    found = clocks(seeds).values()
    return f"{statistics.median_high(found):.1f}" if found else "does not fit"


def section(ladders):
    """Of the page; nothing if nothing has been measured."""
    known, tables = rows(), []
    for ladder in ladders:
        lines = [(step["step"], f"`{step['commit']}`", row["lut"], median(row["hx8k"]),
                  median(row["ecp5-25"]), row["time"])
                 for step in ladder["steps"]
                 if (row := known.get((ladder["design"], step["commit"])))]
        if lines:
            tables += ["", f"### {ladder['design']}", "", *results.table(HEADER, lines)]
    return "\n".join([ABOUT[:-1], *tables]) + "\n" if tables else ""
