# SPDX-License-Identifier: Apache-2.0
"""examples/python/figure.py prints the latencies that docs/figures/nic-6.json has, with the
paper's beside them, and draws them."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import command_line

SCRIPT = command_line.ROOT / "examples" / "python" / "figure.py"


class FigureTest(unittest.TestCase):
    def test_it_measures_and_draws_the_figure(self):
        measured = json.loads((command_line.ROOT / "docs" / "figures" / "nic-6.json").read_text())
        points = {series["name"]: {int(point["x"]): point["y"] for point in series["points"]}
                  for series in measured["panels"][0]["series"]}
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, SCRIPT, "--quick"], cwd=folder, text=True,
                                  check=True, stdout=subprocess.PIPE)
            picture = (pathlib.Path(folder) / "nic-6.svg").read_text()
        lines = done.stdout.splitlines()
        curves = lines[0].split()[1:]
        for line, members in zip(lines[1:], (2, 8, 16)):
            ours = [float(word) for word in line.split()]
            self.assertEqual(ours, [members, *(round(points[curve][members], 2)
                                               for curve in curves)])
        self.assertEqual([line.split()[-1] for line in lines[-2:]], ["25.72", "3.38"])
        drawn = xml.etree.ElementTree.fromstring(picture)
        lines = drawn.findall("{http://www.w3.org/2000/svg}polyline")
        self.assertEqual([len(line.get("points").split()) for line in lines], [3] * len(curves))


if __name__ == "__main__":
    unittest.main()
