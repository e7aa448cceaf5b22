# SPDX-License-Identifier: Apache-2.0
"""Measures figures of the papers and studies of our own, on all cores; a run that was stopped goes
on. With --write their drawings and values go to results/figures, and the ledger is written."""

import argparse
import signal
import sys

import results

from . import kit, ledger, stored

COMMAND = "scripts/figures"


def main() -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ID", help="figures, or a paper for all of its")
    parser.add_argument("-j", type=int, help="processes; by default one a core")
    parser.add_argument("--sessions", type=int, help="networks or sessions a point")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="golden", help="golden, rtl or lockstep")
    parser.add_argument("--write", action="store_true", help="write results/")
    parser.add_argument("--list", action="store_true", help="list the figures, and measure none")
    options = parser.parse_args()
    known, names, status = kit.figures(), set(options.names), 0
    if options.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as other programs end that write to `head`
        for figure in known:
            print(f"{figure.id:16}{figure.about}")
        return 0
    for name in names.difference(*((figure.id, figure.paper) for figure in known)):
        ids = ", ".join(figure.id for figure in known)
        print(f"experiments: no figure or paper '{name}'; there are {ids}", file=sys.stderr)
        return 2
    figures = [figure for figure in known if not names or {figure.id, figure.paper} & names]
    with kit.Study(options.seed, options.sessions, options.engine, options.j) as study:
        for figure in figures:
            study.violations, study.warnings = 0, []
            try:
                data = figure.measure(study)
                print(f"{figure.id}: {data.title}", *data.notes, *study.warnings, sep="\n  ")
                if study.violations:
                    raise RuntimeError(f"{study.violations} violations")
                if options.write:
                    stored.write(figure, data)
                    if data.tables:
                        results.note(f"{figure.id}.md", figure.about,
                                     f"{COMMAND} {figure.id} --write",
                                     study.whole and len(figures) == 1)
            except RuntimeError as error:
                print(f"{figure.id}: {error}", file=sys.stderr)
                status = 1
    wrong = []
    if options.write:
        wrong = ledger.write(known)
        for file, answers in (("reproduction.md", "what the papers print beside what we measure"),
                              ("figures/", "drawings and values of the figures")):
            results.note(file, answers, f"{COMMAND} --write",
                         study.whole and len(figures) == len(known))
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else status


if __name__ == "__main__":
    sys.exit(main())
