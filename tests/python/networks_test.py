# SPDX-License-Identifier: Apache-2.0
"""Networks of the Python module are those of `muster topo`."""

import copy
import json
import pathlib
import pickle
import tempfile
import unittest

import command_line
import muster

SIZES = {"irregular": {"switches": 9, "nodes": 20, "seed": 3}, "mesh": {"width": 3, "height": 2},
         "torus": {"width": 3, "height": 3, "depth": 2}, "hypercube": {"dimension": 3},
         "dragonfly": {"groups": 3, "nodes_per_router": 1}, "tree": {"height": 2},
         "fat-tree": {"arity": 2, "dimension": 3}, "clos": {"ports": 8}, "complete": {}}


class NetworksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

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
        with self.assertRaisesRegex(muster.InputError, "^node n26 does not exist; .* n0 to n25$"):
            network.route(0, 26)

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
        with self.assertRaisesRegex(muster.InputError, "^switch 20 does not exist; .* 0 to 19$"):
            network.routed_from(20)
        with self.assertRaisesRegex(muster.InputError, "levels of its own"):
            muster.generate("clos", ports=8).routed_from(0)

    def test_what_is_saved_is_read_again(self):
        network = muster.read(command_line.FIGURE1)
        for ending in ("json", "graphml"):
            path = self.folder / f"net.{ending}"
            network.save(path)
            self.assertEqual(muster.read(str(path)), network)
        network.save(self.folder / "any", format="anynet")
        self.assertEqual(len(muster.read(self.folder / "any").links), len(network.links))
        self.assertTrue(network.text("dot").startswith("graph"))

    def test_a_dict_a_text_and_a_pickle_are_the_same_network(self):
        network = muster.generate("mesh", width=2, height=2)
        self.assertEqual(muster.parse(network.to_dict()), network)
        self.assertEqual(muster.parse(network.text()), network)
        self.assertEqual(pickle.loads(pickle.dumps(network)), network)
        self.assertEqual(copy.deepcopy(network), network)
        self.assertNotEqual(muster.generate("mesh", width=2, height=3), network)
        self.assertNotEqual(network, 3)
        self.assertEqual(len({network, copy.copy(network)}), 1)

    def test_info_is_what_the_command_line_says(self):
        _, text, _ = command_line.muster("topo", "info", command_line.FIGURE1, "--json", "-")
        said = json.loads(text)
        self.assertEqual(command_line.without_own(muster.read(command_line.FIGURE1).info()),
                         command_line.without_own(said))

    def test_nothing_is_written_if_it_cannot_be_whole(self):
        network = muster.read(command_line.FIGURE1)
        with self.assertRaisesRegex(muster.InputError, "the ending says no format"):
            network.save(self.folder / "net.txt")
        with self.assertRaisesRegex(muster.InputError, "unknown format 'svg'"):
            network.save(self.folder / "net.json", format="svg")
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
