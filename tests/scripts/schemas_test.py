#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schemas in schemas/ refuse what they should: in good JSON of each kind, made by the program
given as the first argument, each field in turn is left out, replaced by one of another type, and
joined by an unknown one."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import flow  # noqa: E402

validate = flow.script("validate")

MUSTER = None
PAPER = f"run {ROOT}/topologies/figure1.json --group paper --barriers 4 --json - "
SIX = " --group random:6" * 8
COMMANDS = {
    "data": PAPER + "--load 0.3 --congestion 3@50 --scheme star --center lowest",
    "preempt": PAPER + "--scheme bsr-1",
    "nic": PAPER + "--scheme nic-gather --drop 0.02 --degree 2",
    "hang": PAPER + "--absent 4:2@1 --max-wait 2000",
    "stopped": PAPER + "--link-retry --kill-switch sw3@50 --max-wait 2000",
    "changes": PAPER + "--setup in-band --spread 400 --leave 0:3@2 --kill-link 1:1-3:1@700",
    "spill": f"run {ROOT}/topologies/figure1.json{SIX} --spill --config sw8 --barriers 2 --json -",
    "repeat": PAPER + "--load 0.3 --repeat 2",
    "saturation": f"saturate {ROOT}/topologies/figure1.json --cycles 10000 --repeat 1 "
                  "--tolerance 0.1 --json -",
    "esc": "esc --pes 16 --mean 200 --sessions 2 --fault bypass:0:1 --json -",
    "info": f"topo info {ROOT}/topologies/figure1.json --json -",
    "tree": f"tree {ROOT}/topologies/figure1.json --group paper --json -",
    "bench": "bench --quick --json -",
}
# Their data lie in a page.
PAGES = {
    "page": f"run {ROOT}/topologies/figure1.json --group paper --barriers 4 --page page.html",
    "esc page": "esc --pes 16 --mean 200 --sessions 1 --page page.html",
}
# Header and row of a sweep of this plan.
PLAN = {"schema": "muster-sweep-plan-1", "network": f"{ROOT}/topologies/figure1.json",
        "options": {"barriers": 2, "absent": "4:2@1", "max-wait": 2000}, "keep": ["cycles"]}
FILES = {"mesh": "topologies/mesh-4x4.json", "network": "topologies/figure1.json",
         "blocks": "rtl/configurations.json", "plan": "docs/how-to/sweep.json",
         "arrivals": "topologies/arrivals/jacobi-8.json"}
# What may be left out, by schema and name; a field of a map may too.
OPTIONAL = {
    "muster-run-1": {"bound_hop_wait_cycles", "links", "faults", "stopped_texts"},
    "muster-topology-1": {"name", "generator", "note", "mesh", "levels", "groups", "latency"},
    "muster-configurations-1": {"quick", "place", "Regs", "Serial"},
    "muster-sweep-plan-1": {"note", "command", "network", "options", "zip", "keep", "from", "step"},
    "muster-arrivals-1": {"name", "note", "bytes"},
    "muster-sweep-2": {"network", "options", "keep"},
}
# Their fields have no fixed names.
MAPS = {"muster-run-1": [("units",), ("checks",)], "muster-repeat-1": [("units",)],
        "muster-esc-1": [("units",), ("checks",)],
        "muster-topology-1": [("groups",)],
        "muster-sweep-plan-1": [("options",), ("network", "options")],
        "muster-sweep-2": [("plan", "options")],
        "muster-sweep-row-2": [("parameters",), ("result",)]}
OTHER = [[["planted"]]]  # nowhere an allowed value, nor is it in a list of lists


def shortened(value):
    """The value with one element in each list of objects or lists."""
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        return [shortened(value[0])]
    return value


def places(value, path=()):
    """The path of each value in a JSON value, of a list those in its first element."""
    parts = value.items() if isinstance(value, dict) else enumerate(value[:1])
    for key, part in parts:
        yield (*path, key)
        if isinstance(part, (dict, list)):
            yield from places(part, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def required(good, path):
    """The value there is a field that may not be left out."""
    name, kind = path[-1], good["schema"]
    return not (isinstance(name, int) or path[:-1] in MAPS.get(kind, ())
                or name in OPTIONAL.get(kind, ()))


class Planted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schemas = validate.Schemas()
        cls.good = {name: json.loads((ROOT / file).read_text()) for name, file in FILES.items()}
        with tempfile.TemporaryDirectory() as folder:
            for name, command in COMMANDS.items():
                out = subprocess.run([MUSTER, *command.split()], cwd=folder, check=False,
                                     capture_output=True)
                assert out.stdout, (command, out.stderr)
                cls.good[name] = shortened(json.loads(out.stdout))
            for name, command in PAGES.items():
                subprocess.run([MUSTER, *command.split()], cwd=folder, check=False,
                               capture_output=True)
                page = (pathlib.Path(folder) / "page.html").read_text()
                cls.good[name] = shortened(validate.page_data(page)[0])
            plan = pathlib.Path(folder) / "plan.json"
            plan.write_text(json.dumps(PLAN))
            subprocess.run([ROOT / "scripts/study", "sweep", plan], cwd=folder, check=False,
                           capture_output=True)
            lines = (pathlib.Path(folder) / "plan.jsonl").read_text().splitlines()
            cls.good |= {"header": json.loads(lines[0]), "row": json.loads(lines[1])}

    def refuses(self, name, path, change):
        """The schema accepts the JSON until change(object, field) has been made."""
        bad = copy.deepcopy(self.good[name])
        change(at(bad, path[:-1]), path[-1])
        with self.subTest(name, path=path):
            self.assertNotEqual(self.schemas.errors(bad), [])

    def refuses_value(self, name, path, value):
        self.refuses(name, path, lambda parent, key: parent.__setitem__(key, value))

    def test_good_json_of_every_kind_is_accepted(self):
        for name, good in self.good.items():
            self.assertEqual(self.schemas.errors(good), [], name)
        self.assertEqual({good["schema"] for good in self.good.values()},
                         set(self.schemas.by_name))

    def test_a_value_of_another_type_is_refused(self):
        for name, good in self.good.items():
            for path in places(good):
                is_list = isinstance(at(good, path), list)
                self.refuses_value(name, path, {"planted": 0} if is_list else OTHER)

    def test_a_field_that_nobody_knows_is_refused(self):
        for name, good in self.good.items():
            for path in [(), *places(good)]:
                if isinstance(at(good, path), dict):
                    self.refuses_value(name, (*path, "planted"), OTHER)

    def test_a_missing_field_is_refused(self):
        for name, good in self.good.items():
            for path in places(good):
                if required(good, path):
                    self.refuses(name, path, lambda parent, key: parent.pop(key))

    def test_what_is_out_of_range_is_refused(self):
        for name, path, value in (
                ("data", ("digest",), "68AA"), ("data", ("end",), "done"),
                ("data", ("cycles",), -1), ("changes", ("cycles",), 2**64 - 5),
                ("data", ("parameters", "config", "ports"), 17),
                ("data", ("parameters", "groups", 0, "members", 0), "n3"),
                ("esc", ("parameters", "policy"), "hot-section"),
                ("esc", ("parameters", "rate_messages_per_pe_cycle"), 1),
                ("network", ("switches", 0, "ports"), 0), ("network", ("nodes",), []),
                ("network", ("links", 0, "a"), [0]), ("network", ("links", 0, "latency"), 256),
                ("tree", ("images", 0, "parent_port"), 16), ("info", ("routing",), "xy"),
                ("blocks", ("configurations", 0, "params", "Ports"), 2),
                ("blocks", ("configurations", 0, "kind"), "nic"),
                ("repeat", ("repeat",), 1), ("repeat", ("runs", 0, "end"), "done"),
                ("saturation", ("verdict",), "perhaps"),
                ("saturation", ("parameters", "tolerance"), 1),
                ("bench", ("measures", 0, "goal", "sense"), "about")):
            self.refuses_value(name, path, value)

    def test_fields_of_preempting_switches_go_together(self):
        for field in ("preemptions", "theorem_2_cycles", "padding_flits", "max_hop_wait_cycles",
                      "barrier_buffer_flits", "data_channels"):
            self.refuses("preempt", (field,), lambda parent, key: parent.pop(key))
            self.refuses_value("data", (field,), self.good["preempt"][field])

    def test_a_file_that_cannot_be_read_is_one_plain_line(self):
        done = subprocess.run([ROOT / "scripts" / "validate", "nowhere.json"], text=True,
                              check=False, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "validate: nowhere.json: No such file or directory\n")


if __name__ == "__main__":
    MUSTER = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
