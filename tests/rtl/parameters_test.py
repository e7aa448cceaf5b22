#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the headers of rtl/ say of parameters is what elaboration accepts.

For each range, and each relation in a phrase of scripts/flow.py, a module is elaborated one step
outside, which must be refused with an error that names the parameter, and at the last legal value,
which must not be. So a new parameter without a check, or with another range, fails here.
"""

import functools
import itertools
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "synth/python")]
import flow  # noqa: E402
import pyslang  # noqa: E402
from pyslang import ast, parsing, syntax  # noqa: E402

ERROR = "$error encountered: "  # what slang says before the text of one

PLANTED = """\
module sample #(
  /// bits, 2 to 8
  parameter int unsigned N = 4,
  /// words, 2 to 64, a power of two. Requires Words >= N
  parameter int unsigned Words = 8
) ();
  if (N < 2 || N > 8) begin : gen_bad_n
    $error("sample: N must be 2 to 8");
  end
  if (Words > 64 || (Words & (Words - 1)) != 0 || Words < N) begin : gen_bad_words
    $error("sample: Words must be a power of two, N to 64");
  end
endmodule
"""
# What is changed in it, and the findings.
FAULTS = {
    (" || N > 8", ""): ["sample accepts N=9 Words=16"],
    ("N < 2", "N < 1"): ["sample accepts N=1"],
    ("N > 8", "N > 7"): ["sample refuses N=8: sample: N must be 2 to 8"],
    (" || Words < N", ""): ["sample accepts Words=1",
                            "sample accepts Words=4 N=5, against Words >= N"],
    (" || (Words & (Words - 1)) != 0", ""): [
        "sample accepts Words=7, against power(Words, 2)"],
    ("$error(\"sample: N must", "$error(\"sample: it must"): [
        "sample N=1: no error names N", "sample N=9 Words=16: no error names N"],
}


class Elaborator:
    """slang, with all sources of rtl/ read once."""

    def __init__(self, *paths):
        self.sources = pyslang.SourceManager()
        self.options = pyslang.Bag()
        preprocessor = parsing.PreprocessorOptions()
        preprocessor.additionalIncludePaths = [str(flow.ROOT / each) for each in flow.folders()]
        self.options.preprocessorOptions = preprocessor
        self.trees = {path: self.read(ROOT / path)
                      for path in [flow.PACKAGE, *(m.path for m in flow.modules()), *paths]}

    @functools.cache
    def parts(self, module):
        return [flow.PACKAGE, module.path, *flow.with_parts(module.text)]

    def read(self, path):
        return syntax.SyntaxTree.fromFile(str(path), self.sources, self.options)

    def errors(self, module, values):
        """Errors of a module with these values of its parameters."""
        options = ast.CompilationOptions()
        options.topModules = {module.name}
        options.paramOverrides = [f"{name}={value}" for name, value in values.items()]
        bag = pyslang.Bag()
        bag.compilationOptions = options
        compilation = ast.Compilation(bag)
        for path in self.parts(module):
            compilation.addSyntaxTree(self.trees[path])
        engine = pyslang.DiagnosticEngine(self.sources)
        return [engine.formatMessage(found)
                for found in compilation.getSemanticDiagnostics() if found.isError()]


def breaking(module, relation):
    """(legal values, illegal ones) one step of one parameter apart, for each that the relation
    names those nearest to the defaults: the illegal ones break this relation alone. If no step
    does that, illegal ones without the legal."""
    names = module.named(relation)
    found = [pair for name in names if (pair := step(module, relation, name, names))]
    if found:
        return found
    every = (module.legal(dict(zip(names, choice)), names, but=relation)
             for choice in itertools.product(*(module.candidates(name) for name in names)))
    return [(None, one) for one in every if one and module.broken(one) == [relation]][:1]


def step(module, relation, name, names):
    others = [other for other in names if other != name]
    near = [sorted(module.candidates(other), key=lambda v, o=other: abs(v - module.defaults[o]))
            for other in others]
    for choice in itertools.product(*near):
        rest = dict(zip(others, choice))
        holds = [(value, relation not in module.broken({**rest, name: value}))
                 for value in module.candidates(name)]
        ends = [(a, b) if x else (b, a)
                for (a, x), (b, y) in itertools.pairwise(holds) if x != y]
        for inside, outside in sorted(ends, key=lambda pair: abs(pair[0] - module.defaults[name])):
            legal = module.legal({**rest, name: inside}, names)
            if legal and module.broken({**legal, name: outside}) == [relation]:
                return legal, {**legal, name: outside}
    return None


def shown(module, values):
    changed = {name: value for name, value in values.items() if value != module.defaults[name]}
    return " ".join([f"{name}={value}" for name, value in (changed or values).items()])


def refused(elaborator, module, values, names, why=""):
    """What is wrong if these values are not refused by an error that has one of the names."""
    errors = elaborator.errors(module, values)
    if not errors:
        return [f"{module.name} accepts {shown(module, values)}{why}"]
    named = re.compile(rf"{re.escape(ERROR)}.*\b({'|'.join(names)})\b")
    if not any(map(named.search, errors)):
        return [f"{module.name} {shown(module, values)}: no error names {' or '.join(names)}"]
    return []


def accepted(elaborator, module, values):
    return [f"{module.name} refuses {shown(module, values)}: {error.removeprefix(ERROR)}"
            for error in elaborator.errors(module, values)[:1]]


def findings(elaborator, module):
    found = list(module.undocumented())
    for name, (low, high) in module.ranges.items():
        for value in (low - 1, high + 1):
            if value >= 0:
                outside = module.legal({name: value}, {name}) or {name: value}
                found += refused(elaborator, module, outside, [name])
        for value in (low, high):
            if legal := module.legal({name: value}, {name}):
                found += accepted(elaborator, module, legal)
            else:
                found.append(f"{module.name}: relations forbid {name}={value}")
    for relation in module.relations:
        pairs = breaking(module, relation)
        if not pairs:
            found.append(f"{module.name}: no value breaks {relation} alone")
        for legal, illegal in pairs:
            found += accepted(elaborator, module, legal or {})
            found += refused(elaborator, module, illegal, module.named(relation),
                             f", against {relation}")
    return found


class ParametersTest(unittest.TestCase):
    def test_headers_say_what_elaboration_accepts(self):
        elaborator = Elaborator()
        modules = flow.modules()
        self.assertGreater(len(modules), 100)
        found = sum((findings(elaborator, module) for module in modules), [])
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_a_check_that_is_missing_is_found(self):
        for (old, new), expected in {("", ""): [], **FAULTS}.items():
            with self.subTest(new=new, old=old), tempfile.TemporaryDirectory() as directory:
                self.assertTrue(old in PLANTED)
                path = pathlib.Path(directory) / "sample.sv"
                path.write_text(PLANTED.replace(old, new, 1))
                module = flow.Module(path)
                self.assertEqual(findings(Elaborator(module.path), module), expected)


unittest.main()
