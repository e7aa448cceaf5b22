# SPDX-License-Identifier: Apache-2.0
"""Maps designs to FPGAs: what they take. Results of long jobs are kept in a workspace: a run that
was stopped goes on where it was, and what is made from the same files by the same tools is not made
again."""

import collections
import hashlib
import json
import re
import threading
import time

import flow

SYNTHESIS = {
    "ice40": "synth_ice40 {options} -top {top}",
    "ecp5": "synth_ecp5 {options} -top {top}",
    "xc7": "synth_xilinx -family xc7 -noiopad -noclkbuf -top {top}",
    "nexus": "synth_nexus -family lifcl {options} -top {top}",
}
TARGETS = ("ice40", "ecp5", "xc7")  # of the report
# The report says what a design takes. For depth Yosys makes functions of five to seven inputs for
# an ECP5, two to eight LUTs each: module by module that takes 1.5 times the LUTs of a 4-port switch
# mapped as a whole, and four times those of an 8 x 8 box. scripts/place, which wants speed, leaves
# it that choice.
SMALLEST = {"ice40": "-noflatten", "ecp5": "-noflatten -nowidelut", "xc7": ""}
USUAL = {**SMALLEST, "ecp5": "-noflatten"}
# Parts of a few gates: mapped with the module around them, as in a design without hierarchy.
SMALL = "*above_lowest*"
# Where a path ends.
STATE = "t:SB_DFF* t:TRELLIS_FF t:FD* t:SB_RAM40* t:DP16KD t:RAMB* t:TRELLIS_DPR* t:RAM32* t:RAM64*"
# Columns that a cell counts in, and how often; an iCE40 carry shares the place of its LUT, a
# carry of series 7 that of LUTs which are counted.
CELLS = [
    (r"SB_LUT4|LUT[1-6]", "lut", 1), (r"CCU2C", "lut", 2), (r"TRELLIS_DPR16X4", "lut", 4),
    (r"RAM32M|RAM64M", "lut", 4), (r"RAM(32|64)X1D", "lut", 2), (r"SRL16E|SRLC32E", "lut", 1),
    (r"SB_DFF\w*|TRELLIS_FF|FD[RSCP]E\w*", "ff", 1),
    (r"SB_RAM40\w*|DP16KD|RAMB18E1|RAMB36E1", "ram", 1),
    (r"SB_MAC16|MULT18X18D|DSP48E1", "dsp", 1),
]
_lock = threading.Lock()


def key(script, directory, *versions):
    """A digest of a command and of the sources that it names, as seen in `directory`, with what
    they may include, and of the requirements files that say the versions of its tools."""
    digest = hashlib.sha256(script.encode())
    named = [directory / name for name in re.findall(r"\b(?:rtl|synth)/\S+\.sv\b", script)]
    for path in [*named, *sorted((flow.ROOT / "rtl").glob("*/*.svh")),
                 *(flow.ROOT / "synth" / name for name in versions)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _has(path, made_from):
    """True if there is a result that was made from the same."""
    return path.exists() and json.loads(path.read_text())["key"] == made_from


def kept(path, made_from, make):
    """What make() gives, or what it gave before, as JSON, if it was made from the same."""
    if _has(path, made_from):
        return json.loads(path.read_text())["result"]
    value = make()
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"key": made_from, "result": value}))
    part.replace(path)
    return value


class Progress:
    """Says on the terminal which jobs are done and about how long the rest takes."""

    def __init__(self, script, expected, stream):
        self.script, self.expected, self.stream = script, dict(expected), stream
        self.begun, self.done, self.count = time.monotonic(), 0.0, 0
        self.total = len(self.expected)

    def tell(self, job, what):
        """`job` of `expected` has ended: {job: seconds that it may take}."""
        with _lock:
            self.count += 1
            self.done += self.expected.pop(job)
            spent = time.monotonic() - self.begun
            minutes = spent / max(self.done, 1e-9) * sum(self.expected.values()) / 60
            left = f"; about {minutes:.0f} minutes left" if self.expected else ""
            print(f"{self.script}: {self.count} of {self.total}: {what}{left}", file=self.stream,
                  flush=True)


def module_name(key):
    """`$paramod\\rr_arbiter\\N=32'...0100` is `rr_arbiter N=4`, `$paramod$hash\\fifo` is `fifo`."""
    parts = key.split("\\")
    values = [f" {name}={int(bits, 2)}" for name, bits in
              re.findall(r"(\w+)=\d+'([01]+)", "\\".join(parts[2:]))]
    return parts[1] + "".join(values)


def count(statistics, key):
    """Cells of a module and all its parts, by column."""
    total = collections.Counter()
    for cell, number in statistics[key]["num_cells_by_type"].items():
        # A module without parameters has a backslash in its own name only.
        part = cell if cell in statistics else "\\" + cell
        if part in statistics:
            for column, n in count(statistics, part).items():
                total[column] += n * number
        for pattern, column, weight in CELLS:
            if re.fullmatch(pattern, cell):
                total[column] += weight * number
    return total


def map_design(label, setup, top, target, directory, options=None):
    """{module: columns} of `top` and its parts, and "levels" of the whole: cells on the longest
    path between flip-flops, memories and pins. Raises RuntimeError with the log."""
    options = (options or SMALLEST)[target]
    file = f"{label}.{target}.json"
    # Before mapping: what drives a net twice is quietly resolved there.
    script = (f"{setup}; hierarchy -check -top {top}; rename -top {top}; proc; check -assert; "
              f"setattr -mod -set keep_hierarchy 1 *; setattr -mod -unset keep_hierarchy {SMALL}; "
              "flatten; setattr -mod -unset keep_hierarchy *; "
              f"tee -q -o {file}.log "
              f"{SYNTHESIS[target].format(options=options, top=top)}; "
              f"tee -q -o {file} stat -json; "
              f"flatten; delete {STATE}; tee -q -o {file}.path ltp -noff")

    def make():
        status, log = flow.yosys(script, directory)
        if status != 0:
            raise RuntimeError(f"{label}, {target}:\n{log}")
        return True
    kept(directory / f"{file}.result",
         key(script, directory, "requirements.txt"), make)
    return columns_of(file, top, target, directory)


def columns_of(file, top, target, directory):
    """{module: columns} from what Yosys wrote of a design."""
    statistics = json.loads((directory / file).read_text())["modules"]
    lengths = re.findall(r"length=(\d+)", (directory / f"{file}.path").read_text())
    used = {}
    for key in statistics:
        name = module_name(key)
        while name in used:  # parameters that Yosys does not write out
            name += "'"
        used[name] = count(statistics, key)
    used[top]["levels"] = max((int(n) for n in lengths), default=0)
    if target == "ecp5":
        # Of each module that abc9 has mapped; a flattened design is one.
        depths = re.findall(r"Mapping \(K=\d+\).*lev = +(\d+)",
                            (directory / f"{file}.log").read_text())
        used[top]["abc9"] = max((int(n) for n in depths), default=0)
    return used
