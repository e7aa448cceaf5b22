# SPDX-License-Identifier: Apache-2.0
"""Rows of muster.sweep are those of `muster sweep`."""

import json
import pathlib
import tempfile
import unittest

import numpy as np

import command_line
import muster

PLAN = {"schema": "muster-sweep-plan-1",
        "network": [str(command_line.FIGURE1),
                    {"generate": "irregular", "options": {"switches": 6, "nodes": 12, "seed": 4}},
                    {"generate": "mesh", "options": {"width": 0}}],
        "options": {"scheme": ["btin", "star"], "load": [0, 0.2], "barriers": 5}}
FAILING = {"schema": "muster-sweep-plan-1", "network": str(command_line.FIGURE1),
           "options": {"barriers": 2, "absent": "4:2@1", "max-wait": [2000, 3000], "seed": [1, 2],
                       "scheme": ["btin", "nic-gather"]},
           "keep": ["cycles", "latency_us.mean", "violation_texts"]}


class SweepsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def rows_of(self, plan):
        """Of the command line, without what the machine makes of them."""
        (self.folder / "plan.json").write_text(json.dumps(plan))
        (self.folder / "plan.jsonl").unlink(missing_ok=True)
        command_line.muster("sweep", "plan.json", folder=self.folder)
        lines = (self.folder / "plan.jsonl").read_text().splitlines()
        return [self.own(json.loads(line)) for line in lines[1:]]

    @staticmethod
    def own(row):
        return {name: value for name, value in row.items() if name not in ("machine", "seconds")}

    def test_rows_are_those_of_the_command_line(self):
        plan = {**PLAN, "network": PLAN["network"][:2]}
        for plan in (plan, FAILING):
            sweep = muster.sweep(plan)
            self.assertEqual([self.own(row) for row in sweep.rows], self.rows_of(plan))
        self.assertEqual(sweep.failed, 8)

    def test_a_file_is_a_plan_with_the_names_of_its_folder(self):
        (self.folder / "net.json").write_text(command_line.FIGURE1.read_text())
        recording = command_line.ROOT / "topologies" / "arrivals" / "jacobi-8.json"
        (self.folder / "mine.json").write_text(recording.read_text())
        plan = {"schema": "muster-sweep-plan-1", "network": "net.json",
                "options": {"group": "random:8", "arrivals": "mine.json", "seed": [1, 2]}}
        rows = self.rows_of(plan)
        self.assertEqual([self.own(row) for row in muster.sweep(self.folder / "plan.json").rows],
                         rows)
        self.assertEqual([row["status"] for row in rows], [0, 0])

    def test_columns_are_arrays_of_the_fields(self):
        sweep = muster.sweep({**PLAN, "network": PLAN["network"][:2]}, jobs=1)
        columns = sweep.columns
        self.assertEqual(columns["row"].tolist(), list(range(8)))
        self.assertEqual(columns["parameters.scheme"].tolist(),
                         ["btin", "btin", "star", "star"] * 2)
        self.assertEqual(columns["parameters.load"].dtype, np.float64)
        self.assertEqual(columns["result.saturated"].dtype, np.bool_)
        np.testing.assert_array_equal(columns["result.latency_us.mean"],
                                      [row["result"]["latency_us"]["mean"] for row in sweep.rows])
        # Without data it has no such field.
        throughput = columns["result.data_throughput"]
        np.testing.assert_array_equal(np.isnan(throughput), columns["parameters.load"] == 0)

    def test_numbers_of_numpy_are_numbers_of_a_plan(self):
        options = {"load": np.linspace(0, 0.2, 2), "seed": np.arange(1, 3), "barriers": np.int64(2)}
        sweep = muster.sweep({"schema": "muster-sweep-plan-1", "network": str(command_line.FIGURE1),
                              "options": options})
        self.assertEqual(sweep.columns["parameters.load"].tolist(), [0, 0, 0.2, 0.2])

    def test_a_plan_that_cannot_be_run_is_refused_as_by_the_command_line(self):
        for change in ({"options": {"lod": 1}}, {"schema": "x"}, {"network": "none.json"},
                       {"options": {"load": "x"}}, {"network": PLAN["network"]},
                       {"zip": [["scheme"]]}):
            plan = {**PLAN, "network": str(command_line.FIGURE1), **change}
            (self.folder / "plan.json").write_text(json.dumps(plan))
            path = str(self.folder / "plan.json")
            with self.subTest(change), self.assertRaises(muster.InputError) as raised:
                muster.sweep(path)
            self.assertEqual(str(raised.exception), command_line.refusal_of("sweep", path))

    def test_other_commands_are_left_to_the_command_line(self):
        with self.assertRaisesRegex(muster.InputError, 'command: only "run"'):
            muster.sweep({"schema": "muster-sweep-plan-1", "command": "esc",
                          "options": {"pes": [16, 64]}})

    def test_a_field_that_no_row_has_ends_the_sweep(self):
        with self.assertRaisesRegex(muster.InputError, "row 0 has no field 'cycels'; similar"):
            muster.sweep({**FAILING, "keep": ["cycels"], "options": {"barriers": 2}})


if __name__ == "__main__":
    unittest.main()
