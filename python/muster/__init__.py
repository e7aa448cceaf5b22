# SPDX-License-Identifier: Apache-2.0
"""Hardware barrier synchronization: plan, run and measure it on your network.

    import muster

    network = muster.generate("mesh", width=4, height=4)
    result = muster.run(network, scheme="btin", barriers=20, load=0.2)
    print(result.latency_cycles["mean"], result.latencies_us)

Runs have the options of the command line, `muster run`, as keywords; muster.options() lists them.
Bad input raises InputError, with the line that the command line prints."""

import atexit as _atexit

from ._core import InputError, InternalError, Stop, __version__, end_all as _end_all
from ._commands import compare, esc, report, saturate, tree
from ._networks import (Link, Network, Node, Port, Switch, generate, generators, parse, read)
from ._results import Result
from ._runs import engines, options, run, run_many
from ._plots import choose, over_seeds, plot
from ._sweeps import read_rows, sweep

# Threads that still run are daemons; they would ask for an interpreter that is gone.
_atexit.register(_end_all)

for _public in (InputError, InternalError, Stop):
    _public.__module__ = "muster"

__all__ = ["InputError", "InternalError", "Link", "Network", "Node", "Port", "Result", "Stop",
           "Switch", "__version__", "choose", "compare", "engines", "esc", "generate",
           "generators", "options", "over_seeds", "parse", "plot", "read", "read_rows", "report",
           "run", "run_many", "saturate", "sweep", "tree"]
