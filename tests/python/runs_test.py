# SPDX-License-Identifier: Apache-2.0
"""Runs of the Python module say what the command line says."""

import gc
import threading
import unittest

import numpy as np

import command_line
import muster

# Keywords of a run, and the same typed.
RUNS = [
    ({"group": "paper", "barriers": 5}, "--group paper --barriers 5"),
    ({"group": ["random:4", "random:5"], "scheme": "btin", "load": 0.3, "seed": 7, "turn": True,
      "op": "max"}, "--group random:4 --group random:5 --load 0.3 --seed 7 --turn --op max"),
    ({"group": "paper", "scheme": "nic-gather", "nic": "host", "degree": 2, "drop": 0.02},
     "--group paper --scheme nic-gather --nic host --degree 2 --drop 0.02"),
    ({"group": range(12), "scheme": "bsr-2", "load_flits": 0.01, "packet_length": 16},
     "--group n0,n1,n2,n3,n4,n5,n6,n7,n8,n9,n10,n11 --scheme bsr-2 --load-flits 0.01 "
     "--packet-length 16"),
    ({"scheme": "multicast", "profile": "btin", "spread": 0, "no_checkers": True},
     "--scheme multicast --profile btin --spread 0 --no-checkers"),
    ({"group": "paper", "link_retry": True, "link_drop": 0.01, "barriers": 3,
      "kill_node": ["n8@500"]},
     "--group paper --link-retry --link-drop 0.01 --barriers 3 --kill-node n8@500"),
]


class RunsTest(unittest.TestCase):
    def test_results_are_the_json_of_the_command_line(self):
        network = muster.read(command_line.FIGURE1)
        for keywords, words in RUNS:
            with self.subTest(words):
                result = muster.run(network, **keywords)
                self.assertTrue(result.command.endswith(words.split()[-1]), result.command)
                self.assertEqual(command_line.without_own(result.to_dict()),
                                 command_line.result_of(command_line.FIGURE1, *words.split()))

    def test_a_hop_is_that_of_the_profile_with_these_cycles(self):
        runs = [muster.run(command_line.FIGURE1, "paper", scheme="bsr-1", barriers=3, **words)
                for words in ({"profile": "ts-100-tb-16"}, {"profile": "ts-100", "hop": 16},
                              {"profile": "ts-100", "hop": 5}, {"profile": "ts-100"})]
        digests = [result.digest for result in runs]
        self.assertEqual([digests[0]] * 2 + [digests[3]] * 2, digests)
        self.assertEqual(runs[1].parameters["profile"]["pipe_cycles"], 11)
        self.assertNotEqual(digests[0], digests[3])

    def test_bus_and_passes_of_a_nic_are_those_of_the_profile_with_these_cycles(self):
        xp, same, old, slower, elan = (
            muster.run(command_line.FIGURE1, "paper", scheme="nic-pairwise", barriers=3, **words)
            for words in ({"profile": "lanai-xp"}, {"profile": "lanai-xp", "pass_cycles": 384},
                          {"profile": "lanai9"}, {"profile": "lanai9", "bus_cycles": 442},
                          {"profile": "elan3", "pass_cycles": 9}))
        self.assertEqual([same.digest, slower.digest], [xp.digest] * 2)
        self.assertNotEqual(old.digest, xp.digest)
        self.assertEqual(elan.parameters["profile"]["nic_pass_cycles"], 9)
        self.assertEqual(elan.parameters["nic"]["launch_pass_cycles"], 0)

    def test_the_command_of_a_result_makes_it_again(self):
        network = muster.generate("irregular", switches=6, nodes=12, seed=5)
        command = muster.run(network, scheme="star", load=0.1).command
        self.assertEqual(command, "muster topo gen irregular --switches=6 --nodes=12 --seed=5 "
                                  "--out irregular.json && muster run irregular.json --group=all "
                                  "--scheme=star --load=0.1")

    def test_attributes_and_columns_are_the_fields_of_the_json(self):
        result = muster.run(command_line.FIGURE1, "paper", load=0.2, barriers=30)
        written = result.to_dict()
        self.assertEqual(result.digest, written["digest"])
        self.assertEqual(result.latency_us, written["latency_us"])
        self.assertEqual(result.parameters, written["parameters"])
        for field in ("latency_cycles", "reduction_cycles", "exit_skew_cycles", "hops", "number"):
            np.testing.assert_array_equal(result.columns[field],
                                          [barrier[field] for barrier in written["barriers"]])
        np.testing.assert_allclose(result.latencies_us,
                                   [barrier["latency_us"] for barrier in written["barriers"]])
        self.assertAlmostEqual(result.latencies_cycles.mean(), written["latency_cycles"]["mean"])
        self.assertTrue(result.ok)
        self.assertIn("digest", str(result))
        self.assertIn("digest", dir(result))
        with self.assertRaisesRegex(AttributeError, "no field 'digset'"):
            result.digset  # noqa: B018

    def test_a_failed_run_has_its_result(self):
        result = muster.run(command_line.FIGURE1, "paper", absent="4:2@1", max_wait=2000)
        self.assertFalse(result.ok)
        self.assertEqual(result.end, "hang")
        self.assertIn("4:2", result.violation_texts[0])
        self.assertEqual(command_line.without_own(result.to_dict()),
                         command_line.result_of(command_line.FIGURE1, "--group", "paper",
                                                "--absent", "4:2@1", "--max-wait", "2000"))

    def test_a_run_whose_groups_stopped_is_not_ok(self):
        keywords = {"barriers": 20, "link_retry": True, "kill_switch": "sw3@200"}
        result = muster.run(command_line.FIGURE1, "paper", max_wait=2000, **keywords)
        self.assertFalse(result.ok)
        self.assertEqual((result.end, result.violation_texts), ("groups stopped", []))
        self.assertIn("with --retry its survivors continue", result.stopped_texts[0])
        self.assertTrue(muster.run(command_line.FIGURE1, "paper", retry=True, **keywords).ok)

    def test_arrays_and_results_live_without_what_they_are_of(self):
        network = muster.generate("mesh", width=3, height=3)
        result = muster.run(network, barriers=50)
        expected = [barrier["latency_cycles"] for barrier in result.barriers]
        del network
        gc.collect()
        self.assertEqual(result.to_dict()["parameters"]["network"], "mesh-3x3")
        latencies = result.latencies_cycles
        del result
        gc.collect()
        muster.run(muster.generate("mesh", width=4, height=4), barriers=50)
        self.assertEqual(latencies.tolist(), expected)
        with self.assertRaises(ValueError):
            latencies[0] = 0

    def test_threads_share_a_network_and_get_the_same(self):
        network = muster.generate("irregular", switches=12, nodes=30)
        alone = muster.run(network, load=0.2, barriers=30).digest
        found = []

        def work():
            for _ in range(3):
                found.append(muster.run(network, load=0.2, barriers=30).digest)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [alone] * 12)

    def test_many_runs_come_in_their_order(self):
        network = muster.generate("mesh", width=3, height=3)
        seen = []
        results = muster.run_many(({"network": network, "load": load, "seed": seed}
                                   for load in (0, 0.2) for seed in (1, 2, 3)), jobs=3,
                                  progress=lambda done, count: seen.append((done, count)))
        self.assertEqual([result.seed for result in results], [1, 2, 3] * 2)
        self.assertEqual([result.digest for result in results],
                         [muster.run(network, load=load, seed=seed).digest
                          for load in (0, 0.2) for seed in (1, 2, 3)])
        self.assertEqual(seen, [(done, 6) for done in range(1, 7)])

    def test_of_many_runs_the_first_that_is_wrong_is_named(self):
        network = muster.generate("mesh", width=3, height=3)
        rows = [{"network": network, "barriers": barriers} for barriers in (3, 0, 4, -1)]
        with self.assertRaisesRegex(muster.InputError, "'0' is not a whole number"):
            muster.run_many(rows)


if __name__ == "__main__":
    unittest.main()
