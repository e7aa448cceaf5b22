# SPDX-License-Identifier: Apache-2.0
"""What scripts share: the modules of rtl/, running tools."""

import argparse
import concurrent.futures
import functools
import importlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "synth"))  # fpga.py and synth_report.py
PACKAGE = "rtl/common/muster_pkg.sv"

# Warnings of Yosys that mean that it has understood something else than we wrote.
FORBIDDEN = ["implicitly declared", "out of bounds", "no driver", "multiple conflicting drivers"]

# Packages of others.
OF_OTHERS = ("synth/python", "page/node_modules")

# Open MPI refuses to start more ranks than cores, or for root, unless it is told.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1"}
# Ranks that share cores let others run while they wait.
MPI_SHARED = MPI | {"OMPI_MCA_btl": "self,vader", "OMPI_MCA_mpi_yield_when_idle": "1"}


def options(about, build=False, **modes):
    """A parser of the command line; --help prints `about`, the docstring of the script. With
    --build, if `build` is true, and with `modes`, {option: what it does}, one of which may be
    given."""
    parser = argparse.ArgumentParser(description=about,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    if build:
        parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", metavar="DIR",
                            help="the build folder (default build)")
    one = parser.add_mutually_exclusive_group() if modes else None
    for name, what in modes.items():
        one.add_argument(f"--{name}", action="store_true", help=what)
    return parser


def project_files():
    """Paths of the tracked files; all there are where the project is no checkout."""
    if (ROOT / ".git").exists():
        listed = must(["git", "-c", "safe.directory=*", "ls-files", "-z"])
        paths = [ROOT / name for name in listed.split("\0") if name]
    else:
        paths = (path for folder in ROOT.iterdir()
                 if not folder.name.startswith(("build", "out"))
                 for path in (folder.rglob("*") if folder.is_dir() else [folder])
                 if not str(path.relative_to(ROOT)).startswith(OF_OTHERS))
    return sorted(path for path in paths if path.is_file())


class Module:
    """A module of rtl/: its name, file (relative to the root), parameters and what these must be.

    The `///` above a parameter P promises its range, `/// ports, 3 to 16`, and by these phrases its
    relations, each up to the end of its sentence:

      a power of two, a power of Size      of another parameter
      2, 4 or 8                            one of these
      Excludes A, B and C                  not with P set while one of them is
      Requires Slots >= Vcs * Depth        an expression of SystemVerilog; `and` between several
    """

    PARAMETER = re.compile(r"((?: *///[^\n]*\n)*) *parameter int unsigned (\w+) = (\d+)")
    BOUND = re.compile(r"\b(?:at least|at most|below|fewer than|more than) (?:the )?([A-Z]\w*)")

    def __init__(self, path):
        self.path = os.path.relpath(path, ROOT)
        self.name = path.stem
        self.text = path.read_text()
        self.ranges, self.defaults, self.relations, self.loose = {}, {}, [], []
        found = [(" ".join(re.sub(r"\s*///", " ", comment).split()), name, int(value))
                 for comment, name, value in self.PARAMETER.findall(self.text.split(") (")[0])]
        self.sized = [name for _, name, _ in found]
        for comment, name, value in found:
            if span := re.search(r"(\d+) to (\d+)\b", comment):
                self.ranges[name] = (int(span[1]), int(span[2]))
                self.defaults[name] = value
            self.relations += relations(name, comment)
            self.loose += [bound[0] for bound in self.BOUND.finditer(comment)
                           if bound[1] in self.sized]
        self.tests = [compile(python(text), text, "eval") for text in self.relations]

    def broken(self, values):
        """The relations that do not hold with these values, and the defaults of the others."""
        names = {**self.defaults, **values, "clog2": lambda n: (n - 1).bit_length(),
                 "power": power, "__builtins__": {}}
        return [text for text, test in zip(self.relations, self.tests) if not eval(test, names)]

    def named(self, relation):
        """The parameters that a relation names, in the order of the header."""
        words = set(re.findall(r"\w+", relation))
        return [name for name in self.ranges if name in words]

    def candidates(self, name):
        """Values of a parameter to try: of many the ends, the default, powers of two and what is
        beside those."""
        low, high = self.ranges[name]
        if high - low < 64:
            return range(low, high + 1)
        powers = {1 << n for n in range(high.bit_length() + 1)}
        near = {power + step for power in powers for step in (-1, 0, 1)}
        return sorted(v for v in {low, high, self.defaults[name], *near} if low <= v <= high)

    def legal(self, values, keep=(), but=""):
        """The values with as few changed as the relations need, except for `but`, by as little, and
        none of `keep`; None if there are none."""
        tried = (self.changed(values, keep, but, n) for n in range(len(self.ranges) + 1))
        return next((found for found in tried if found is not None), None)

    def changed(self, values, keep, but, count):
        """As legal(), with at most `count` changed."""
        broken = [text for text in self.broken(values) if text != but]
        if not broken:
            return values
        full = {**self.defaults, **values}
        for name in self.named(broken[0]) if count else ():
            if name not in keep:
                for value in sorted(self.candidates(name), key=lambda v, n=name: abs(v - full[n])):
                    found = self.changed({**values, name: value}, {*keep, name}, but, count - 1)
                    if found is not None:
                        return found
        return None

    def ends(self):
        """Values of the parameters: all at the least, and all at the greatest; if relations forbid
        that, as far as they allow, once more for each parameter that would not be there."""
        if not self.ranges:
            return []
        results = []
        for end in (0, 1):
            extreme = {name: ends[end] for name, ends in self.ranges.items()}
            nearest = self.legal(extreme)
            moved = [name for name in extreme if nearest[name] != extreme[name]]
            results += [nearest, *(self.legal(extreme, {name}) for name in moved)]
        return [values for at, values in enumerate(results)
                if values is not None and values not in results[:at]]

    def undocumented(self):
        """What the header lacks: sized parameters without a range, and bounds by other parameters
        that are in no phrase above."""
        return ([f"parameter {name} has no range such as `/// ports, 3 to 16`"
                 for name in self.sized if name not in self.ranges]
                + [f"`{text}` is no relation that a test reads: `Requires A >= B`"
                   for text in self.loose])


def relations(name, comment):
    """The relations that the comment of a parameter states, as expressions of SystemVerilog."""
    found = []
    if base := re.search(r"\ba power of (two|[A-Z]\w*)", comment):
        found.append(f"power({name}, {'2' if base[1] == 'two' else base[1]})")
    if listed := re.search(r"\b(\d+(?:, \d+)*) or (\d+)\b", comment):
        values = [*listed[1].split(", "), listed[2]]
        found.append(" || ".join(f"{name} == {value}" for value in values))
    for others in re.findall(r"\bExcludes ([\w, ]+)", comment):
        found += [f"{name} == 0 || {other} == 0" for other in re.findall(r"\b[A-Z]\w*", others)]
    for text in re.findall(r"\bRequires (.+?)(?:\.(?= |$)|;|$)", comment):
        found += text.split(" and ")
    return found


def python(text):
    """An expression of SystemVerilog as one of Python."""
    text = text.replace("||", " or ").replace("&&", " and ").replace("$clog2", "clog2")
    return re.sub(r"!(?!=)", " not ", text).strip()


def power(value, base):
    """True for a power of `base`, and for 0, which a range excludes where it is illegal."""
    while value and value % base == 0 and base > 1:
        value //= base
    return value in (0, 1)


@functools.cache
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


def module(name):
    """The module of this name."""
    return next(m for m in modules() if m.name == name)


def files_of(name):
    """The files of a module and of all its parts."""
    return [*with_parts(module(name).text), module(name).path]


def outside_configurations():
    """Files of the modules that no configuration of rtl/configurations.json has."""
    known = modules()
    tops = {entry["top"] for entry in configurations()}
    inside = {path for m in known if m.name in tops for path in [*with_parts(m.text), m.path]}
    return {m.path for m in known} - inside


def script(name):
    """A script of this folder as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def package(name):
    """A module of a package of synth/requirements-tools.txt."""
    sys.path.insert(0, str(ROOT / "synth/python-tools"))
    try:
        return importlib.import_module(name)
    except ImportError as error:
        return stop(f"{error}; scripts/install-deps installs it")


def muster(build):
    """The program in a build folder."""
    program = build.resolve() / "muster"
    return program if program.exists() else stop(f"{program}: no such program; scripts/build "
                                                 "builds it, --build DIR names another folder")


def configurations():
    """The parameter sets of which models are built."""
    return json.loads((ROOT / "rtl/configurations.json").read_text())["configurations"]


def folders():
    """Folders of rtl/ with sources in them, relative to the root."""
    return sorted({str(p.parent.relative_to(ROOT)) for p in (ROOT / "rtl").glob("*/*.sv*")})


def stop(why):
    """Ends the script for what its user has to fix."""
    complain([why])
    sys.stdout.flush()
    os._exit(2)  # from any thread of parallel()


def end(main):
    """Ends the script with the status that main() gives, or 1 with the text of what went wrong."""
    try:
        sys.exit(main())
    except (OSError, RuntimeError) as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {error}")


def timed(command, cwd=ROOT, stderr=subprocess.STDOUT, **how):
    """Runs a command; gives (exit status, standard output and error together, seconds of processor
    time, MB of memory at most). With `stderr` None errors are not in it, but go to the terminal."""
    try:
        with subprocess.Popen([str(c) for c in command], cwd=cwd, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=stderr, **how) as process:
            log = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    except OSError as error:
        stop(f"cannot run {command[0]}: {error.strerror}; scripts/install-deps installs the tools")
    return process.returncode, log, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def report(findings):
    """Prints what is wrong, a line each; gives the exit status."""
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


def complain(texts):
    """Says on standard error what is wrong; gives the exit status."""
    texts = list(texts)
    for text in texts:
        print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr)
    return 1 if texts else 0


def run(command, cwd=ROOT):
    """Runs a command; gives (exit status, standard output and error together)."""
    return timed(command, cwd)[:2]


def must(command, cwd=ROOT, what=None, **how):
    """What a command prints, as timed(); RuntimeError with the end of that if it fails, and with
    `what`, or the command's name."""
    status, log, *_ = timed(command, cwd, **how)
    if status != 0:
        raise RuntimeError(f"{what or f'{pathlib.Path(command[0]).name} fails'}:\n{log[-3000:]}")
    return log


def replace(path, text):
    """Writes a file as a whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


def settle(files, check, how):
    """Writes what is missing or other of the files {path: text}, and removes one whose text is
    None; with `check` only says of each that it is not as it must be, and `how` it gets so. Gives
    the exit status."""
    wrong = [path for path, text in files.items()
             if text != ((ROOT / path).read_text() if (ROOT / path).exists() else None)]
    for path in wrong if not check else ():
        if files[path] is None:
            (ROOT / path).unlink()
        else:
            (ROOT / path).write_text(files[path])
    return report([f"{path}: not what it is made from; {how}" for path in wrong if check])


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


def yosys(script, cwd, what="Yosys"):
    """The log of a Yosys script in a workspace, where forbidden warnings are errors: as must()."""
    forbid = "".join(f'logger -werror "{warning}"; ' for warning in FORBIDDEN)
    return must([ROOT / "synth/tool.py", "yosys", forbid + script], cwd, what)


def read_rtl(top_files, defines=""):
    """Yosys command that reads the package and `top_files`."""
    include = " ".join(f"-I{folder}" for folder in folders())
    return f"read_verilog -sv {defines} {include} {PACKAGE} {' '.join(top_files)}"


def entry(path, name):
    """The entry of this name in the lists of a file such as rtl/configurations.json; ends the
    script if there is none."""
    for entries in json.loads(path.read_text()).values():
        for each in entries:
            if isinstance(entries, list) and each["name"] == name:
                return each
    return stop(f"{path.relative_to(ROOT)} has no {name}")


def read_sized(top, params, files=None):
    """Yosys commands that read a module with its parts, or `files`, and set its parameters."""
    settings = " ".join(f"-set {name} {value}" for name, value in params.items())
    return [read_rtl(files or files_of(top)),
            *([f"chparam {settings} {top}"] if settings else [])]


def parallel(function, jobs, workers=os.cpu_count()):
    """function(job) for each job on all processors, in the order of the jobs."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
        return list(pool.map(function, jobs))
