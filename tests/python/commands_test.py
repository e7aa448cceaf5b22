# SPDX-License-Identifier: Apache-2.0
"""Commands as functions of the module say what the command line says."""

import json
import unittest

import command_line
import muster


class CommandsTest(unittest.TestCase):
    def test_a_tree_is_that_of_the_command_line(self):
        words = [command_line.FIGURE1, "--group=random:9", "--seed=4", "--turn"]
        _, text, _ = command_line.muster("tree", *words, "--json=-")
        options = {"group": "random:9", "seed": 4, "turn": True}
        wanted = json.loads(text)
        found = muster.tree(command_line.FIGURE1, **options)
        self.assertEqual(found | {"command": ""}, wanted | {"command": ""})
        found = muster.tree(muster.read(command_line.FIGURE1), **options)
        self.assertEqual(found["edges"], wanted["edges"])
        self.assertNotIn("tmp", found["command"])
        members = [4, 9, 25]
        self.assertEqual(muster.tree(command_line.FIGURE1, members)["group"], "n4,n9,n25")

    def test_sessions_of_a_cube_are_those_of_the_command_line(self):
        options = {"pes": 16, "box": 2, "policy": "hot-section:2", "sessions": 3, "seed": 5,
                   "fault": ["box:3:1", "box:3:2"], "generated": True}
        _, text, _ = command_line.muster("esc", "--pes=16", "--box=2", "--policy=hot-section:2",
                                         "--sessions=3", "--seed=5", "--fault=box:3:1",
                                         "--fault=box:3:2", "--generated", "--json=-")
        own = {"command": "", "seconds": 0}
        found = muster.esc(**options)
        self.assertEqual(found | own, json.loads(text) | own)
        self.assertEqual(sum(found["generated"]["synchronization"]), 3 * 15)
        self.assertNotIn("generated", muster.esc(pes=16, box=2, sessions=1))
        with self.assertRaisesRegex(muster.InputError, "^--policy 'none': .*$"):
            muster.esc(policy="none")

    def test_a_report_is_that_of_any_command(self):
        words = ["run", str(command_line.FIGURE1), "--barriers=2"]
        self.assertEqual(command_line.without_own(muster.report(words)),
                         command_line.result_of(*words[1:]))
        with self.assertRaisesRegex(muster.InputError, "^--load.*$"):
            muster.report([*words, "--load=-1"])

    def test_a_saturation_is_that_of_the_command_line(self):
        words = ["--scheme=tree", "--repeat=1", "--warmup=200", "--cycles=10000", "--tolerance=0.2",
                 "--seed=3"]
        _, text, _ = command_line.muster("saturate", command_line.FIGURE1, *words, "--json=-")
        found = muster.saturate(command_line.FIGURE1, scheme="tree", repeat=1, warmup=200,
                                cycles=10000, tolerance=0.2, seed=3)
        self.assertEqual(found | {"command": ""}, json.loads(text) | {"command": ""})
        with self.assertRaisesRegex(muster.InputError, "^--pattern .none.: unknown name"):
            muster.saturate(command_line.FIGURE1, pattern="none")

    def test_bad_input_is_one_line_with_the_name_of_the_network(self):
        star = muster.parse({"schema": "muster-topology-1", "name": "star", "links": [],
                             "switches": [{"ports": 2}], "nodes": [{"at": [0, 0]}]}, "my network")
        with self.assertRaisesRegex(muster.InputError, "^my network: group .n7.: .*$"):
            muster.tree(star, [7])
        with self.assertRaisesRegex(muster.InputError, "^nothing.json: cannot be read: .*$"):
            muster.tree("nothing.json")


if __name__ == "__main__":
    unittest.main()
