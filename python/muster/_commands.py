# SPDX-License-Identifier: Apache-2.0
"""Commands whose result is their JSON, as functions."""

import json
import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._networks import Network
from ._words import groups_of, output_of, path_of, words_of

if TYPE_CHECKING:
    import pandas


def tree(network: Network | str | os.PathLike, group: Any = "all", **options: Any
         ) -> dict[str, Any]:
    """The barrier tree of a group, as `muster tree --json` has it: root, edges, height, hops, and
    the registers of its switches. Options are those of the command: seed=2, root="sw3", turn=True.

    tree(network, "random:16", seed=2)["height"]"""
    return on_network("tree", network, {"group": groups_of(group), **options})


def saturate(network: Network | str | os.PathLike, **options: Any) -> dict[str, Any]:
    """The load at which data saturate a network, as `muster saturate --json` has it: the verdict,
    the greatest load that is sustained and the least that is not, and the probes of the search.
    Options are those of the command: scheme="bsr-1", pattern="reverse", cycles=50_000.

    saturate(network, scheme="bsr-1", pattern="reverse", repeat=1)"""
    return on_network("saturate", network, options)


def compare(network: Network | str | os.PathLike, group: Any = "all", **options: Any
            ) -> "pandas.DataFrame":
    """Every scheme on a network, as `muster compare` has it: a row for each scheme and load, with
    scheme, load, mean_cycles, mean_us, p99_cycles, hops, failed, messages, saturated, saturation
    (share of the route bound), config, k_luts (ECP5, thousands, all switches and NICs), survives. A
    scheme that cannot run here has one row, with status 2 and the reason in `error`. Options are
    those of the command: load=[0, 0.3], profile="own.json", barriers=100, no_saturation=True.

    frame = compare(network, "random:64", load=[0, 0.2, 0.4])
    plot(frame, "load", "mean_us", by=["scheme"], out="compare.svg")"""
    import pandas
    found = on_network("compare", network, {"group": groups_of(group), **options})
    bound = found["parameters"]["route_bound_flits_per_node_cycle"]
    rows = []
    for scheme in found["schemes"]:
        row = {"scheme": scheme["scheme"], "status": 2 if scheme["unsupported"] else 0,
               "error": scheme["unsupported"] or None}
        if scheme["unsupported"]:
            rows.append(row)
            continue
        luts = [block["count"] * block["luts"].get("ecp5", float("nan")) / 1000
                for block in scheme["hardware"]]
        at = scheme["saturation"]
        ends = at and (at["sustained_flits_per_node_cycle"], at["unsustained_flits_per_node_cycle"])
        row |= {"config": scheme["hardware"][0]["config"], "messages": scheme["messages"],
                "saturation": ends and (float("inf") if ends[1] is None else sum(ends) / 2 / bound),
                "k_luts": sum(luts), "survives": ", ".join(scheme["survives"])}
        rows += [{**row, **load, "status": 1 if load["trouble"] else 0,
                  "error": load["trouble"] or None} for load in scheme["loads"]]
    frame = pandas.DataFrame(rows).drop(columns="trouble", errors="ignore")
    frame.attrs["parameters"] = ["scheme", "load"]
    return frame


def esc(**options: Any) -> dict[str, Any]:
    """Sessions of an Extra Stage Cube, as `muster esc --json` has them. Options are those of the
    command: pes=64, policy="hot-section:4", rate=0.5, sessions=20, fault=["box:2:1"].

    esc(policy="bypass", sessions=5)["mu_syn"]["mean"]"""
    return report(["esc", *words_of(options)])


def on_network(command: str, network: Network | str | os.PathLike, options: dict[str, Any]
               ) -> dict[str, Any]:
    """The JSON of a command that reads a network."""
    if not isinstance(network, Network):
        return report([command, path_of("network", network), *words_of(options)])
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "network.json")
        network.save(path)
        return report([command, path, *words_of(options)], (path, network._core.label))


def report(words: Sequence[str], renamed: tuple[str, str] = ("", "")) -> dict[str, Any]:
    """The JSON of a command of the program, by its words: report(["run", "net.json",
    "--trace=trace.json"]). `renamed` replaces the name of a file in what it says."""
    return json.loads(output_of([*words, "--json=-"], renamed))
