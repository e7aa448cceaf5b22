# SPDX-License-Identifier: Apache-2.0
"""What scripts/lint asks of every file of the project, whatever is in it.

  - the licence identifier stands in its first lines, if the format has comments
  - a line of code has at most 100 columns
"""

import flow

LICENCE = "SPDX-License-Identifier: Apache-2.0"
LICENCE_WITHIN = 5  # lines
COLUMNS = 100
WITHOUT_COMMENTS = (".json", ".jsonl", ".anynet")
PROSE = (".md",)
# Where nothing is the project's: what builds and runs leave behind.
NOT_OURS = ("build", "out")
OF_OTHERS = ("synth/python", "page/node_modules")
# A text of others, inputs of the fuzz test, what scripts and graphviz make.
AS_THEY_ARE = ("LICENSE", "tests/fuzz/corpus/", "docs/pictures/", "results/", "page/dist/",
               "tests/recorded/commands.txt")


def project_files():
    """Paths of the tracked files; all there are where the project is no checkout."""
    if (flow.ROOT / ".git").exists():
        command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
        status, listed = flow.run(command)
        if status != 0:
            raise RuntimeError(f"git ls-files: {listed}")
        paths = [flow.ROOT / name for name in listed.split("\0") if name]
    else:
        paths = (path for folder in flow.ROOT.iterdir()
                 if not folder.name.startswith(NOT_OURS)
                 for path in (folder.rglob("*") if folder.is_dir() else [folder])
                 if not str(path.relative_to(flow.ROOT)).startswith(OF_OTHERS))
    return sorted(path for path in paths if path.is_file())


def check_text(name, text):
    lines = text.split("\n")
    findings = []
    if not name.endswith(WITHOUT_COMMENTS):
        if not any(LICENCE in line for line in lines[:LICENCE_WITHIN]):
            findings.append(f"{name}: no '{LICENCE}' in its first lines")
        if not name.endswith(PROSE):
            findings += [f"{name}:{number}: {len(line)} columns, at most {COLUMNS}"
                         for number, line in enumerate(lines, 1) if len(line) > COLUMNS]
    return findings


def check_files():
    findings = []
    for path in project_files():
        name = str(path.relative_to(flow.ROOT))
        if not name.startswith(AS_THEY_ARE):
            findings += check_text(name, path.read_text(encoding="utf-8"))
    return findings
