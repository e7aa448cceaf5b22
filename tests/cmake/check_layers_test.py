#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cmake/check_layers.py finds an include against the layers in every form in which a compiler
takes it, and only those. Each test plants one in a small tree."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = {
    "include/muster/core/bank.hpp": "#include <vector>\n",
    "include/muster/run/spec.hpp": '#include "muster/core/bank.hpp"\n#include <fmt/format.h>\n',
    "sim_cpp/core/files.hpp": '#include "muster/core/bank.hpp"\n',
    "sim_cpp/systems/btin/blocks/registers.hpp": '#include "core/files.hpp"\n',
    "sim_cpp/systems/btin/golden/unit.hpp": "#include <memory>\n",
    "sim_cpp/systems/btin/golden/unit.cpp":
        '#include "systems/btin/golden/unit.hpp"\n#include "systems/btin/blocks/registers.hpp"\n',
    "sim_cpp/systems/btin/checkers/order.hpp": '#include "systems/btin/blocks/registers.hpp"\n',
    "sim_cpp/systems/btin/scheme/plan.hpp":
        '#include "muster/run/spec.hpp"\n#include "systems/btin/golden/unit.hpp"\n',
    "verif/models/names.hpp": "#include <string>\n",
    "verif/models/bank.hpp": '#include "models/names.hpp"\n',
    "verif/lockstep/bank.hpp": '#include "models/names.hpp"\n',
    "verif/engines.cpp": '#include "models/bank.hpp"\n#include "lockstep/bank.hpp"\n',
}
CHECKER = "sim_cpp/systems/btin/checkers/order.hpp"
UNIT = "systems/btin/golden/unit.hpp"


def check(planted):
    """What is said of the tree with these files in it; empty if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**TREE, **planted}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run(
            [ROOT / "cmake/check_layers.py", folder],
            check=False, capture_output=True, text=True)
        assert (done.returncode != 0) == ("against the layers" in done.stderr), done.stderr
        return done.stderr


class Layers(unittest.TestCase):
    def refused(self, file, text, reason, verb="includes"):
        with self.subTest(text=text):
            self.assertIn(f"{file} {verb} {reason}\n", check({file: text}))

    def test_a_tree_that_keeps_the_layers_passes(self):
        self.assertEqual(check({}), "")

    def test_every_form_of_an_include_is_read(self):
        for line in (f'#include "{UNIT}"', f"#include <{UNIT}>", f'# include "{UNIT}"',
                     f'#include  "{UNIT}"', f'#include\t"{UNIT}"', f'  #include "{UNIT}"',
                     f'\t#\tinclude <{UNIT}>', f'#include"{UNIT}"', f'#include "{UNIT}"  // why'):
            self.refused(CHECKER, line + "\n", UNIT)

    def test_a_file_beside_or_above_is_read(self):
        self.refused(CHECKER, '#include "../golden/unit.hpp"\n', "../golden/unit.hpp")

    def test_a_chain_of_headers_is_followed(self):
        last = "sim_cpp/systems/btin/scheme/plan.hpp"
        found = check({"sim_cpp/systems/btin/scheme/a.hpp": '#include "b.hpp"\n',
                       "sim_cpp/systems/btin/scheme/b.hpp": '#include "plan.hpp"\n',
                       CHECKER: '#include "systems/btin/scheme/a.hpp"\n'})
        self.assertIn(f"{CHECKER} includes sim_cpp/{UNIT} through {last}\n", found)

    def test_checkers_are_hidden_from_golden_models(self):
        file = "sim_cpp/systems/btin/golden/unit.cpp"
        order = "systems/btin/checkers/order.hpp"
        self.refused(file, f"#include <{order}>\n", order)
        found = check({"sim_cpp/systems/btin/scheme/a.hpp": f'#include "{order}"\n',
                       file: '#include "systems/btin/scheme/a.hpp"\n'})
        self.assertIn(f"{file} includes sim_cpp/{order} through", found)

    def test_a_layer_sees_none_above(self):
        self.refused("sim_cpp/core/files.hpp", "#include <muster/run/spec.hpp>\n",
                     "muster/run/spec.hpp")
        self.refused("sim_cpp/core/files.hpp", f'#  include  "{UNIT}"\n', UNIT)

    def test_fabric_and_run_name_no_feature_of_a_system(self):
        file = "sim_cpp/run/a.cpp"
        for text, name in (("btin::Spec own;", "btin::"), ("if (config_.spill)", "config_.spill"),
                           ("spec.config->groups;", "config->groups")):
            self.refused(file, text + "\n", name, "names")
        self.assertEqual(check({file: "// such as btin::Spec\n"}), "")

    def test_models_and_comparison_are_apart(self):
        self.refused("verif/models/bank.hpp", '#include "lockstep/bank.hpp"\n', "lockstep/bank.hpp")
        self.refused("verif/models/bank.hpp", f'#include "{UNIT}"\n', UNIT)
        self.refused("verif/lockstep/bank.hpp", f'#include "{UNIT}"\n', UNIT)
        self.refused("verif/lockstep/bank.hpp", "#include <models/bank.hpp>\n", "models/bank.hpp")
        self.refused(CHECKER, '#include "models/names.hpp"\n', "models/names.hpp")

    def test_public_headers_see_public_ones_alone(self):
        self.refused("include/muster/core/bank.hpp", "#include <core/files.hpp>\n",
                     "core/files.hpp, which is private")


unittest.main()
