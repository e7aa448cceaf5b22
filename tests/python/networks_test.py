# SPDX-License-Identifier: Apache-2.0
"""Networks of the Python module are those of `muster topo`; its functions say what the command line
says, of bad input as well: an InputError with its line, or a TypeError; never a crash."""

import copy
import json
import pathlib
import pickle
import re
import tempfile
import unittest

import numpy as np

import command_line
import muster

SIZES = {"irregular": {"switches": 9, "nodes": 20, "seed": 3}, "mesh": {"width": 3, "height": 2},
         "torus": {"width": 3, "height": 3, "depth": 2}, "hypercube": {"dimension": 3},
         "dragonfly": {"groups": 3, "nodes_per_router": 1}, "tree": {"height": 2},
         "fat-tree": {"arity": 2, "dimension": 3}, "clos": {"ports": 8}, "pods": {"ports": 4},
         "complete": {}}


class Refusing(unittest.TestCase):
    def refused(self, text, call, *words, **keywords):
        self.assertRaisesRegex(muster.InputError, text, call, *words, **keywords)


class NetworksTest(Refusing):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_every_generator_makes_what_the_command_line_makes(self):
        self.assertEqual(set(muster.generators()), set(SIZES))
        for name, options in SIZES.items():
            with self.subTest(name):
                words = [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
                _, text, _ = command_line.muster("topo", "gen", name, *words)
                self.assertEqual(muster.generate(name, **options).text(), text)
                self.assertLessEqual(set(options), set(muster.options(name)))

    def test_switches_nodes_and_links_are_those_of_the_file(self):
        network = muster.read(command_line.FIGURE1)
        written = json.loads(command_line.FIGURE1.read_text())
        self.assertEqual([switch.ports for switch in network.switches],
                         [switch["ports"] for switch in written["switches"]])
        self.assertEqual([list(node.at) for node in network.nodes],
                         [node["at"] for node in written["nodes"]])
        self.assertEqual([(list(link.a), list(link.b)) for link in network.links],
                         [(link["a"], link["b"]) for link in written["links"]])
        self.assertEqual(len(network.groups["paper"]), len(written["groups"]["paper"]))
        self.assertEqual(network.name, written["name"])

    def test_a_route_leads_from_port_to_port(self):
        network = muster.read(command_line.FIGURE1)
        peers = {end: other for a, b, _ in network.links for end, other in ((a, b), (b, a))}
        for source, destination in ((0, 25), (7, 3), (4, 4)):
            route = network.route(source, destination)
            self.assertEqual(route[0].switch, network.nodes[source].at.switch)
            self.assertEqual(route[-1], network.nodes[destination].at)
            for port, after in zip(route, route[1:]):
                self.assertEqual(peers[port].switch, after.switch)
        self.refused("^node n26 does not exist; .* n0 to n25$", network.route, 0, 26)

    def test_routes_from_a_switch_are_shortest_to_its_nodes(self):
        network = muster.generate("irregular", switches=20, nodes=20, connectivity=0.8, seed=5)
        hops = [[len(one.route(node, 0)) for node in range(20)] for one in
                (network, network.routed_from(network.nodes[0].at.switch))]
        self.assertTrue(all(b <= a for a, b in zip(*hops)))
        self.assertLess(sum(hops[1]), sum(hops[0]))
        rooted = network.routed_from(3)
        self.assertEqual(pickle.loads(pickle.dumps(rooted)), rooted)
        self.assertNotEqual(rooted, network)
        self.assertTrue(muster.run(rooted, scheme="unicast", barriers=2).ok)
        self.refused("^switch 20 does not exist; .* 0 to 19$", network.routed_from, 20)
        self.refused("levels of its own", muster.generate("clos", ports=8).routed_from, 0)

    def test_a_dict_a_text_and_a_pickle_are_the_same_network(self):
        network = muster.generate("mesh", width=2, height=2)
        self.assertEqual(muster.parse(network.to_dict()), network)
        self.assertEqual(muster.parse(network.text()), network)
        self.assertEqual(pickle.loads(pickle.dumps(network)), network)
        self.assertEqual(copy.deepcopy(network), network)
        self.assertNotEqual(muster.generate("mesh", width=2, height=3), network)
        self.assertNotEqual(network, 3)
        self.assertEqual(len({network, copy.copy(network)}), 1)

    def test_nothing_is_written_if_it_cannot_be_whole(self):
        network = muster.read(command_line.FIGURE1)
        self.refused("the ending says no format", network.save, self.folder / "net.txt")
        self.refused("unknown format 'svg'", network.save, self.folder / "net.json", format="svg")
        self.assertEqual(list(self.folder.iterdir()), [])


class CommandsTest(Refusing):
    def test_a_tree_is_that_of_the_command_line(self):
        words = [command_line.FIGURE1, "--group=random:9", "--seed=4", "--turn"]
        _, text, _ = command_line.muster("tree", *words, "--json=-")
        options = {"group": "random:9", "seed": 4, "turn": True}
        wanted = json.loads(text)
        found = muster.tree(command_line.FIGURE1, **options)
        self.assertEqual(found | {"command": ""}, wanted | {"command": ""})
        found = muster.tree(muster.read(command_line.FIGURE1), **options)
        self.assertEqual(found["edges"], wanted["edges"])
        self.assertIn(str(command_line.FIGURE1), found["command"])
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
        self.refused("^--policy 'none': .*$", muster.esc, policy="none")

    def test_a_report_is_that_of_any_command(self):
        words = ["run", str(command_line.FIGURE1), "--barriers=2"]
        self.assertEqual(command_line.without_own(muster.report(words)),
                         command_line.result_of(*words[1:]))
        self.refused("^--load.*$", muster.report, [*words, "--load=-1"])


def reason(refusal):
    """Without the remedy: a module without RTL knows fewer engines than the program beside it."""
    return re.split("; (?:see|known are) ", refusal)[0]


class BadInputTest(Refusing):
    def setUp(self):
        self.network = muster.read(command_line.FIGURE1)

    def test_the_line_is_that_of_the_command_line(self):
        for keywords, words in [
                ({"group": "n99"}, ["--group", "n99"]),
                ({"group": "a\nb"}, ["--group", "a\nb"]),
                ({"group": ["n1", "n2"]}, ["--group", "n1", "--group", "n2"]),
                ({"scheme": "btn"}, ["--scheme", "btn"]),
                ({"engine": "fpga"}, ["--engine", "fpga"]),
                ({"barriers": 0}, ["--barriers", "0"]),
                ({"barriers": -1}, ["--barriers=-1"]),
                ({"load": -0.5}, ["--load=-0.5"]),
                ({"load": float("nan")}, ["--load", "nan"]),
                ({"load": 0.1, "load_flits": 0.1}, ["--load", "0.1", "--load-flits", "0.1"]),
                ({"config": ""}, ["--config="]),
                ({"turn": True, "scheme": "star"}, ["--turn", "--scheme", "star"]),
                ({"nic": "host"}, ["--nic", "host"]),
                ({"nic": "hots", "scheme": "nic-gather"},
                 ["--nic", "hots", "--scheme", "nic-gather"]),
                ({"arrivals": "none.json"}, ["--arrivals", "none.json"]),
                ({"kill_link": "3:9-0:9@5"}, ["--kill-link", "3:9-0:9@5"])]:
            with self.subTest(words), self.assertRaises(muster.InputError) as raised:
                muster.run(self.network, **keywords)
            refusal = command_line.refusal_of("run", command_line.FIGURE1, *words)
            self.assertEqual(reason(str(raised.exception)), reason(refusal))
            self.assertNotIn("\n", str(raised.exception))

    def test_a_keyword_that_there_is_not_is_refused(self):
        for name in ("lod", "json", "wave", "quiet", "repeat", "help", "FILE", "", "a=b", "-"):
            with self.subTest(name), self.assertRaisesRegex(muster.InputError,
                                                            "has no such option; similar are"):
                muster.run(self.network, **{name: 3})
        self.refused("wdth: mesh has no such option", muster.generate, "mesh", wdth=3)
        self.refused("^'mess': 'muster topo gen' takes no such", muster.generate, "mess")
        self.refused("unknown command 'topo gen mess'", muster.options, "mess")

    def test_flags_are_true_or_false_and_others_are_not(self):
        self.refused("turn: is a flag; give True or False", muster.run, self.network, turn=3)
        self.refused("load: takes a value", muster.run, self.network, load=True)
        plain = muster.run(self.network, turn=False, config=None).digest
        self.assertEqual(plain, muster.run(self.network).digest)
        self.assertNotEqual(plain, muster.run(self.network, turn=np.True_).digest)

    def test_what_is_no_value_is_a_type_error(self):
        for value in ({}, object(), b"5", 1j, [[3]], [True], np.zeros((2, 2))):
            with self.subTest(value), self.assertRaisesRegex(TypeError, "barriers: "):
                muster.run(self.network, barriers=value)
        for group in (3, None, {}, [1.5], [["x", {}]]):
            with self.subTest(group), self.assertRaises((TypeError, muster.InputError)):
                muster.run(self.network, group)
        for keywords, text in [({"stop": 3}, "stop: int is no muster.Stop"),
                               ({"progress": 3}, "progress: int is no function"),
                               ({"arrivals": 3}, "arrivals: give a function"),
                               ({"arrivals": [[0.5]]}, "arrivals: give a function"),
                               ({"arrivals": []}, "arrivals: give a function"),
                               ({"arrivals": [[1], [2, 3]]}, "arrivals: give a function"),
                               ({"arrivals": [1, 2]}, "arrivals: give a function")]:
            with self.subTest(text), self.assertRaisesRegex(TypeError, text):
                muster.run(self.network, **keywords)
        for network in (3, None, b"x", {}):
            with self.subTest(network), self.assertRaisesRegex(TypeError, "path: "):
                muster.run(network)

    def test_text_that_is_no_utf_8_is_refused(self):
        for keywords in ({"group": "\udc00"}, {"scheme": "\udc00"}, {"arrivals": "\udc00"}):
            with self.subTest(keywords), self.assertRaisesRegex(muster.InputError, "UTF-8"):
                muster.run(self.network, **keywords)
        self.refused("UTF-8", muster.read, "\udc00")

    def test_objects_come_from_their_functions_alone(self):
        for kind in (muster.Network, muster.Result):
            for argument in (3, None, "x", muster.Stop()):
                with self.subTest(kind), self.assertRaisesRegex(TypeError, "is made by muster"):
                    kind(argument)


if __name__ == "__main__":
    unittest.main()
