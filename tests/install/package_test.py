#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""package_test.py PREFIX COMPILER: the package installed in PREFIX has public headers only, each of
which can be included alone, and CMake says in one line what is wrong with a request."""

import json
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from copied_project import ROOT, InFolder, run  # noqa: E402

PREFIX = pathlib.Path(sys.argv[1])
COMPILER = sys.argv[2]
del sys.argv[1:]
INCLUDE = PREFIX / "include"
HEADERS = sorted(INCLUDE.rglob("*.hpp"))
HAS_VERIF = (INCLUDE / "muster" / "verif.hpp").exists()
REQUEST = "find_package(muster 0.2 REQUIRED COMPONENTS {})\n"


def configure(folder, text):
    """(exit status, what CMake says) of a project in this folder with these lines."""
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n" + text)
    (folder / "ring.sv").write_text(
        "module ring #(parameter int unsigned Ports = 4) (input wire clk_i);\nendmodule\n")
    status, said = run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja",
                       f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DCMAKE_CXX_COMPILER={COMPILER}")
    return status, re.sub(r"\s+", " ", said)


class PackageTest(InFolder):
    def refused(self, text, why):
        """The project with these lines is refused for this reason."""
        with self.subTest(text):
            status, said = configure(self.folder, REQUEST.format("verif") + text)
            self.assertNotEqual(status, 0, said)
            self.assertIn(why, said)

    def test_the_program_runs_where_it_is_installed(self):
        self.does(PREFIX / "bin" / "muster", "--version")

    def test_the_schemas_lie_beside_it(self):
        installed = {path.name: json.loads(path.read_text())["title"]
                     for path in (PREFIX / "share" / "muster" / "schemas").iterdir()}
        made = json.loads(subprocess.check_output([PREFIX / "bin" / "muster", "schema"]))
        self.assertEqual(set(installed), {
            *(path.with_suffix(".json").name for path in (ROOT / "schemas").iterdir()),
            *(f"{name}.schema.json" for name in made)})

    def test_the_profiles_lie_beside_it(self):
        self.assertEqual({path.name for path in (PREFIX / "share/muster/profiles").iterdir()},
                         {path.name for path in (ROOT / "profiles").iterdir()})

    def test_every_header_can_be_included_alone(self):
        self.assertGreater(len(HEADERS), 40)
        for header in [*INCLUDE.glob("muster/*.hpp"), *INCLUDE.glob("muster/systems/*.hpp")]:
            with self.subTest(header.name):
                name = header.relative_to(INCLUDE)
                self.does(COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                          "-I", INCLUDE, "-include", name, "-x", "c++", "/dev/null")

    def test_headers_need_nothing_that_is_not_installed(self):
        for header in HEADERS:
            for included in re.findall(r'^#include "([^"]+)"', header.read_text(), re.M):
                self.assertTrue((INCLUDE / included).exists(), f"{header} includes {included}")

    def test_the_documents_that_headers_name_lie_beside_them(self):
        for header in HEADERS:
            for page in re.findall(r"docs/[a-z/-]+\.md", header.read_text()):
                self.assertTrue((PREFIX / "share" / "doc" / "muster" / page).exists(),
                                f"{header} names {page}")

    @unittest.skipUnless(HAS_VERIF, "built without Verilator")
    def test_lists_for_other_tools_lie_beside_the_files_that_they_name(self):
        installed = PREFIX / "share" / "muster"
        for name, least in (("muster.core", 10), ("Bender.yml", 140)):
            text = (installed / name).read_text()
            self.assertEqual(text, (ROOT / name).read_text())
            named = re.findall(r"\b(?:rtl|sw|examples)/[\w/.]+", text)
            self.assertGreater(len(named), least)
            for path in named:
                self.assertTrue((installed / path).exists(), f"{name} names {path}")
        for pattern in ("rtl/*.f", "rtl/*/*.core", "rdl/*.rdl", "rtl/*/constraints/*",
                        "examples/own_soc/*"):
            for path in ROOT.glob(pattern):
                copy = installed / path.relative_to(ROOT)
                self.assertEqual(copy.read_text(), path.read_text())

    @unittest.skipUnless(HAS_VERIF, "built without Verilator")
    def test_fusesoc_takes_blocks_of_the_package(self):
        fusesoc = ROOT / "synth/tool.py", "fusesoc"
        self.does(*fusesoc, "library", "add", "muster", PREFIX / "share" / "muster")
        self.does(*fusesoc, "run", "--target=muster_link_cdc", "muster::wrap")

    @unittest.skipUnless(HAS_VERIF, "built without Verilator")
    def test_a_time_scale_and_options_of_verilator_are_accepted(self):
        (self.folder / "timed.sv").write_text(
            "`timescale 1ns/1ps\n"
            "module timed (input wire logic clk_i, input wire logic [3:0] req_i,\n"
            "              output logic [3:0] grant_o);\n"
            "  muster_rr_arbiter #(.N(4)) one (\n"
            "    .clk_i, .rst_ni(`ON), .req_i, .take_i(`ON), .grant_o);\n"
            "endmodule\n")
        status, said = configure(
            self.folder, REQUEST.format("verif") +
            "muster_verilate_switch(TARGET timed TOP timed RTL timed.sv OPTIMIZE -O0\n"
            "                       VERILATOR_ARGS -Wall -DON=1'b1 --no-timing\n"
            "                                      --trace-depth 1 TRACE)\n")
        self.assertEqual(status, 0, said)
        self.does("cmake", "--build", self.folder / "build", "-j", 2)

    def test_headers_name_no_private_file(self):
        for header in HEADERS:
            self.assertNotRegex(header.read_text(), r"sim_cpp/|systems/X")

    def test_without_components_there_is_all_that_can_be_used(self):
        status, said = configure(
            self.folder, "find_package(muster 0.2 REQUIRED)\n"
            "if(NOT TARGET muster::core)\n  message(FATAL_ERROR core)\nendif()\n"
            "message(STATUS verif=${muster_verif_FOUND})\n")
        self.assertEqual(status, 0, said)
        self.assertIn("verif=TRUE" if HAS_VERIF else "verif=FALSE", said)

    def test_a_component_that_there_is_not_is_refused(self):
        status, said = configure(self.folder, REQUEST.format("core magic"))
        self.assertNotEqual(status, 0)
        self.assertIn("there is no component 'magic'; there are: core, verif", said)

    @unittest.skipUnless(HAS_VERIF, "built without Verilator")
    def test_a_mistake_in_a_model_is_refused_in_one_line(self):
        for call, why in [
                ("ring4 TOPP ring", "muster_add_model(ring4): no argument 'TOPP'; there are: TOP,"),
                ("ring4 RTL ring.sv", "muster_add_model(ring4): TOP is missing"),
                ("Ring TOP ring RTL ring.sv", "'Ring' is no name of a model"),
                ("ring4 TOP rong RTL ring.sv", "TOP: no module 'rong'"),
                ("ring4 TOP ring RTL rung.sv", "rung.sv"),
                ("ring4 TOP ring RTL ring.sv PARAMETERS Port=4",
                 "ring has no parameter 'Port'; there are: Ports"),
                ("ring4 TOP ring RTL ring.sv PARAMETERS Ports=x", "'Ports=x' is not NAME=NUMBER"),
                ("ring4 TOP ring RTL ring.sv VERILATOR_ARGS --timing",
                 "VERILATOR_ARGS: --timing needs another runtime")]:
            self.refused(f"muster_add_model({call})\n", why)

    @unittest.skipUnless(HAS_VERIF, "built without Verilator")
    def test_a_mistake_in_a_network_is_refused_in_one_line(self):
        for call, why in [
                ("TARGET n PORTS 6", "no argument 'PORTS'; there are: TARGET, NETWORK, CONFIG, "
                 "GROUPS, ROOT, OPTIMIZE, TRACE, VERILATOR_ARGS"),
                ("TARGET 4n NETWORK net.json", "TARGET: '4n' is no name of a class"),
                ("TARGET n", "muster_verilate_network(n): NETWORK is missing"),
                ("TARGET n NETWORK net.json VERILATOR_ARGS --savable",
                 "VERILATOR_ARGS: --savable needs another runtime")]:
            self.refused(f"add_custom_target(taken)\nmuster_verilate_network({call})\n", why)
        self.refused("muster_network_model(n)\n", "muster_network_model(n): no class of this name")

    @unittest.skipUnless(HAS_VERIF, "built without Verilator")
    def test_a_mistake_in_a_switch_is_refused_in_one_line(self):
        for call, why in [
                ("TARGET s TOP muster_barrier_switch PORTS 6",
                 "no argument 'PORTS'; there are: TARGET,"),
                ("TOP muster_barrier_switch", "TARGET: '' is no name of a class"),
                ("TARGET taken TOP muster_barrier_switch",
                 "(taken): TARGET: there is one of this name"),
                ("TARGET s", "muster_verilate_switch(s): TOP is missing"),
                ("TARGET s TOP barrier_swich",
                 "no block 'barrier_swich'; there are: muster_apb_registers,"),
                ("TARGET s TOP muster_barrier_switch PARAMETERS Port=4",
                 "muster_barrier_switch has no parameter 'Port'; there are: Ports, Vcs, Depth,"),
                ("TARGET s TOP muster_barrier_switch PARAMETERS Ports=33",
                 "PARAMETERS: Ports=33 is out of range: Ports of muster_barrier_switch is 3 to 32"),
                ("TARGET s TOP muster_barrier_switch PARAMETERS Vcs=1 Vcs=2",
                 "'Vcs' is given twice"),
                *((f"TARGET s TOP muster_barrier_switch VERILATOR_ARGS -Wall {option}",
                   f"muster_verilate_switch(s): VERILATOR_ARGS: {option} needs another runtime of "
                   "Verilator; for waveforms give TRACE")
                  for option in ("--timing", "--binary", "--trace", "-trace-fst", "--savable",
                                 "--coverage", "--coverage-line"))]:
            self.refused(f"add_custom_target(taken)\nmuster_verilate_switch({call})\n", why)

    @unittest.skipUnless(HAS_VERIF, "built without Verilator")
    def test_every_block_is_there(self):
        lists = sorted(path.stem for path in (PREFIX / "share/muster/rtl").glob("*.f"))
        self.assertIn("muster_barrier_switch", lists)
        calls = "".join(f"muster_verilate_switch(TARGET v_{top} TOP {top})\n"
                        for top in lists if top != "muster")
        status, said = configure(self.folder, REQUEST.format("verif") + calls)
        self.assertEqual(status, 0, said)


unittest.main()
