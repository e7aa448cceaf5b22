# SPDX-License-Identifier: Apache-2.0
"""What lint, prove and synth share: the modules of rtl/, running tools."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "rtl/common/muster_pkg.sv"

# For a netlist that Verilator reads: bits of one vector that depend on one another are a loop to
# Verilator 5.006, which does not always settle.
SINGLE_BITS = ["splitnets", "opt_clean -purge"]

# Warnings of Yosys that mean that it has understood something else than we wrote.
FORBIDDEN = ["implicitly declared", "out of bounds", "no driver", "multiple conflicting drivers"]


class Module:
    """A module of rtl/: its name, file (relative to the root) and parameter ranges.

    The ranges are those that the header promises: `/// ports, 3 to 16` above
    `parameter int unsigned Ports = 8`; and so are parameters that exclude values of others,
    `/// 0 to 1. Excludes Spill and Groups`, but not the least ones.
    """

    PARAMETER = re.compile(r"///[^\n]*?(\d+) to (\d+)\b[^\n]*\n(?:\s*///[^\n]*\n)*"
                           r"\s*parameter int unsigned (\w+) = (\d+)")
    EXCLUDES = re.compile(r"///[^\n]*\bExcludes ([\w, ]+)\n\s*parameter int unsigned (\w+)")

    def __init__(self, path):
        self.path = str(path.relative_to(ROOT))
        self.name = path.stem
        self.text = path.read_text()
        found = self.PARAMETER.findall(self.text)
        self.ranges = {name: (int(low), int(high)) for low, high, name, _ in found}
        self.defaults = {name: int(value) for _, _, name, value in found}
        self.excludes = {name: re.findall(r"\b[A-Z]\w*", others)
                         for others, name in self.EXCLUDES.findall(self.text)}

    def ends(self):
        """Values of the parameters: all at the least, and all at the greatest, twice if one of them
        excludes others: without it, and with those at the least."""
        if not self.ranges:
            return []
        least, greatest = ({name: ends[end] for name, ends in self.ranges.items()}
                           for end in (0, 1))
        results = [least, greatest | {name: 0 for name in self.excludes}]
        if self.excludes:
            others = {other: least[other] for names in self.excludes.values() for other in names}
            results.append(greatest | others)
        return results

    def documented(self):
        """True if every sized parameter has a range."""
        header = self.text.split(") (")[0]
        sized = re.findall(r"^\s*parameter int unsigned (\w+)", header, re.M)
        return set(sized) == set(self.ranges)


def modules(where="rtl/*"):
    """All modules of rtl/, or of other folders, by file name."""
    paths = sorted(ROOT.glob(f"{where}/*.sv"))
    return [Module(p) for p in paths if str(p.relative_to(ROOT)) != PACKAGE]


def with_parts(text, *others):
    """Files of the modules that `text` instantiates, of those that they instantiate, and so on:
    modules of rtl/ and of the other folders."""
    found, rest = {}, [text]
    known = sum((modules(folder) for folder in others), modules())
    while rest:
        words = set(re.findall(r"^\s*(\w+) (?:#\(|\w+ \()", rest.pop(), re.M))
        for module in known:
            if module.name in words and module.name not in found:
                found[module.name] = module.path
                rest.append(module.text)
    return sorted(found.values())


def outside_configurations():
    """Files of the modules that no configuration of rtl/configurations.json has."""
    listed = json.loads((ROOT / "rtl/configurations.json").read_text())["configurations"]
    known = modules()
    tops = {entry["top"] for entry in listed}
    inside = {path for m in known if m.name in tops for path in [*with_parts(m.text), m.path]}
    return {m.path for m in known} - inside


def folders():
    """Folders of rtl/ with sources in them, relative to the root."""
    return sorted({str(p.parent.relative_to(ROOT)) for p in (ROOT / "rtl").glob("*/*.sv*")})


def stop(why):
    """Ends the script for what its user has to fix."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {why}", file=sys.stderr)
    sys.stdout.flush()
    os._exit(2)  # from any thread of parallel()


def run(command, cwd=ROOT):
    """Runs a command; gives (exit status, standard output and error together)."""
    try:
        result = subprocess.run([str(c) for c in command], cwd=cwd, text=True, check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    except OSError as error:
        stop(f"cannot run {command[0]}: {error.strerror}; scripts/install-deps installs the tools")
    return result.returncode, result.stdout


def says(command, word):
    """Runs a command until it prints a line with `word`; True if it does."""
    with subprocess.Popen([str(c) for c in command], cwd=ROOT, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        found = any(word in line for line in process.stdout)
        process.kill()
    return found


def timed(command, cwd):
    """Runs a command; gives (exit status, log, seconds of processor time)."""
    try:
        with subprocess.Popen(command, cwd=cwd, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors="replace") as process:
            log = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    except OSError as error:
        stop(f"cannot run {command[0]}: {error.strerror}; scripts/install-deps installs the tools")
    return process.returncode, log, used.ru_utime + used.ru_stime


def workspace(directory):
    """Makes `directory` a place to run Yosys in: it sees the sources under their own names, those
    of this checkout, whatever checkout used it before."""
    directory = pathlib.Path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in ("rtl", "verif", "synth"):
            link = directory / name
            if link.is_symlink() and link.resolve() != (ROOT / name).resolve():
                link.unlink()
            if not link.is_symlink():
                link.symlink_to(ROOT / name)
    except OSError as error:
        stop(f"cannot use {directory} to work in: {error.strerror}")
    return directory


def elaborate(module, values, *options):
    """Verilator's command that looks at a module with these values of its parameters; without the
    script that it has around it, which takes most of the time of small modules."""
    settings = [f"-G{name}={value}" for name, value in values.items()]
    return ["verilator_bin", "--lint-only", "-sv", "--top-module", module.name, *options, *settings,
            *(f"-I{folder}" for folder in folders()), PACKAGE, module.path]


def yosys(script, cwd):
    """Runs a Yosys script in a workspace; gives (exit status, end of the log).

    Forbidden warnings are errors.
    """
    forbid = "".join(f'logger -werror "{warning}"; ' for warning in FORBIDDEN)
    status, log = run([ROOT / "synth" / "yosys.py", forbid + script], cwd)
    return status, log[-3000:]


def read_rtl(top_files, defines=""):
    """Yosys command that reads the package and `top_files`."""
    include = " ".join(f"-I{folder}" for folder in folders())
    return f"read_verilog -sv {defines} {include} {PACKAGE} {' '.join(top_files)}"


def entry(path, name):
    """The entry of this name in a list such as rtl/configurations.json; ends the script if there
    is none."""
    (entries,) = (v for v in json.loads(path.read_text()).values() if isinstance(v, list))
    for each in entries:
        if each["name"] == name:
            return each
    return stop(f"{path.relative_to(ROOT)} has no {name}")


def read_configuration(configuration):
    """Yosys commands that read the RTL of a configuration and set its parameters."""
    top = next(m for m in modules() if m.name == configuration["top"])
    settings = " ".join(f"-set {k} {v}" for k, v in configuration["params"].items())
    return [read_rtl([*with_parts(top.text), top.path]), f"chparam {settings} {top.name}"]


def parallel(function, jobs):
    """function(job) for each job on all processors, in the order of the jobs."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(function, jobs))
