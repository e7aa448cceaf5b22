# SPDX-License-Identifier: Apache-2.0
"""The command muster-study: runs of a plan into a file of rows, and pictures of such files."""

import argparse
import collections
import sys
import warnings

from . import InputError, plot, read_rows, sweep
from ._plans import Plan


def main(words: list[str] | None = None) -> int:
    """Exit status: 0, 1 if a run failed, 2 for bad input, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="muster-study", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="sweep | plot")
    one = commands.add_parser("sweep", help="make the runs of a plan; repeat it to go on")
    one.add_argument("plan", help="the plan, JSON")
    one.add_argument("--out", help="file of rows, one JSON object a line; default PLAN.jsonl")
    one.add_argument("--csv", help="the rows as a table, when all are there")
    one.add_argument("--again", action="store_true", help="run failed rows again")
    one.add_argument("--list", action="store_true", help="print the runs, and make none")
    one.set_defaults(call=_sweep)
    two = commands.add_parser("plot", help="draw rows")
    two.add_argument("rows", help="file of rows")
    two.add_argument("--x", required=True, help="column of the horizontal axis: load")
    two.add_argument("--y", required=True, help="column of the vertical axis: latency_us.mean")
    two.add_argument("--by", action="append", default=[], help="a curve for each value; repeatable")
    two.add_argument("--where", help="rows of this condition: \"load > 0 and scheme == 'btin'\"")
    two.add_argument("--facet", help="a panel for each value")
    two.add_argument("--log-x", action="store_true", help="logarithmic axis, base 2")
    two.add_argument("--log-y", action="store_true", help="logarithmic axis, base 10")
    two.add_argument("--out", default="plot.svg", help="FILE.svg, .png or .pdf [plot.svg]")
    two.set_defaults(call=_plot)
    options = parser.parse_args(words)
    try:
        return options.call(options)
    except InputError as error:
        print(f"muster-study: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("muster-study: interrupted; repeat the command to go on", file=sys.stderr)
        return 130


def _sweep(options: argparse.Namespace) -> int:
    plan = Plan(options.plan)
    if options.list:
        for point in plan.points():
            print(point.row, *point.command, *([] if point.network is None else [point.network]),
                  *point.words)
        return 0
    out = options.out or options.plan.removesuffix(".json") + ".jsonl"
    rows = sweep(plan, rows=out, again=options.again)
    if options.csv:
        try:
            rows.to_csv(options.csv, index=False)
        except OSError as error:
            raise InputError(f"{options.csv}: cannot be written: {error.strerror}") from None
    failed = _reasons(rows)
    print(f"{out}: {_counted(len(rows))}" + "".join(f"\n{line}" for line in failed))
    return 1 if failed else 0


def _plot(options: argparse.Namespace) -> int:
    rows = read_rows(options.rows)
    with warnings.catch_warnings(action="ignore"):  # _reasons() says more
        plot(rows, options.x, options.y, by=options.by, where=options.where, facet=options.facet,
             log_x=options.log_x, log_y=options.log_y, out=options.out)
    print(f"{options.out}: of {_counted(len(rows))}", *_reasons(rows), sep="\n")
    return 0


def _counted(rows: int) -> str:
    return f"{rows} row{'' if rows == 1 else 's'}"


def _reasons(rows) -> list[str]:
    """A line for each reason of failed rows, the most frequent first."""
    failed = rows[rows["status"] != 0]
    count = collections.Counter(failed["error"])
    return [f"failed: {_counted(number)}: {reason}"
            for reason, number in count.most_common()]


if __name__ == "__main__":
    sys.exit(main())
