#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A table of schemas/ refuses what it should: of each type that a table may have, some values are
accepted and others are not. scripts/recorded accepts the JSON of the program by the tables that
there are."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import flow  # noqa: E402

tables, validate = flow.script("schemas"), flow.script("validate")

# A type, values that are of it, and values that are not.
TYPES = (
    ("flag", [True], [0, "true", None]),
    ("text", ["", "a"], [1, None]),
    ("word", ["a"], ["", 1]),
    ("int 3..16", [3, 16], [2, 17, 3.5, "3", None]),
    ("int ..4", [-5, 4], [5]),
    ("real >0..0.5", [0.1, 0.5], [0, 0.6, "0.1"]),
    ("real 0..<1", [0, 0.9], [1, -0.1]),
    ("/^[0-9a-f]{4}$/", ["68aa"], ["68AA", "68aaa", 68]),
    ('"up" | "down" | null', ["up", None], ["left", 0]),
    ("2 | 4", [2, 4], [3, "2"]),
    ('"muster-1"', ["muster-1"], ["muster-2", None]),
    ("list of int", [[], [1, 1]], [["a"], 1, {}]),
    ("list+ of int", [[1]], [[]]),
    ("set+ of text", [["a", "b"]], [["a", "a"], []]),
    ("set of text", [[]], [["a", "a"]]),
    ("2 of int 0..", [[0, 1]], [[0], [0, 1, 2], [0, -1]]),
    ("list 1..2 of flag", [[True]], [[], [True] * 3]),
    ("map of int", [{}, {"a": 1}], [{"a": "b"}, []]),
    ("word or null", ["a", None], ["", 0]),
    ("@#place or null", [[0, 1], None], [[0], 0]),
    ("list of @#place", [[[0, 1]]], [[0, 1]]),
    ('json {"type": ["object", "null"]}', [{}, None], [[], 0]),
)
TABLE = """# SPDX-License-Identifier: Apache-2.0
title A result
# of a run; the docs
# say more

schema "answer-1"
value {}
def place 2 of int  # switch, port
"""
NESTED = """# SPDX-License-Identifier: Apache-2.0
title A network
schema "network-1"
name? text  # of the file
ends? list of object  # of links
  at int  # its
      # port
  + {"not": {"required":
      ["at", "far"]}}
  far? int
"""


class Tables(unittest.TestCase):
    def check(self, table, good, bad):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "answer.fields").write_text(table)
            schemas = validate.Schemas(pathlib.Path(folder))
        for value in good:
            self.assertEqual(schemas.errors(value), [], table)
        for value in bad:
            self.assertNotEqual(schemas.errors(value), [], (table, value))

    def test_each_type_accepts_its_values_and_no_others(self):
        for kind, good, bad in TYPES:
            with self.subTest(kind):
                self.check(TABLE.format(kind), [{"schema": "answer-1", "value": v} for v in good],
                           [{"schema": "answer-1", "value": v} for v in bad])

    def test_an_object_has_all_fields_of_its_table_but_those_that_may_be_absent_and_no_others(self):
        def with_ends(ends):
            return {"schema": "network-1", "ends": ends}

        self.check(NESTED, [{"schema": "network-1"}, {"schema": "network-1", "name": "a"},
                            with_ends([]), with_ends([{"at": 1}])],
                   [{"name": "a"}, {"schema": "network-1", "other": 1}, with_ends([{}]),
                    with_ends([{"at": 1, "other": 1}]), with_ends([{"at": 1, "far": 2}])])

    def test_titles_and_sentences_are_those_of_the_table(self):
        made = tables.schema(NESTED)
        self.assertEqual(made["title"], "A network")
        ends = made["properties"]["ends"]
        self.assertEqual(ends["description"], "of links")
        self.assertEqual(ends["items"]["properties"]["at"]["description"], "its port")

    def test_fields_of_preempting_switches_go_together(self):
        rules = dict(tables.all_schemas())["muster-run-1.schema.json"]["dependentRequired"]
        for field in ("preemptions", "theorem_2_cycles", "padding_flits", "max_hop_wait_cycles",
                      "barrier_buffer_flits", "data_channels"):
            self.assertIn(field, {"preemptions", *rules["preemptions"]})
            self.assertIn(field, rules)

    def test_every_table_can_be_read_and_its_references_lead_somewhere(self):
        made = dict(tables.all_schemas())
        for file, schema in made.items():
            for reference in references(schema):
                target, _, part = reference.partition("#/$defs/")
                other = made[target or file]
                self.assertTrue(not part or part in other["$defs"], (file, reference))

    def test_a_file_that_cannot_be_read_is_one_plain_line(self):
        done = subprocess.run([ROOT / "scripts" / "validate", "nowhere.json"], text=True,
                              check=False, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "validate: nowhere.json: No such file or directory\n")


def references(schema):
    """All of a schema."""
    parts = schema.values() if isinstance(schema, dict) else (
        schema if isinstance(schema, list) else ())
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"]
    for part in parts:
        yield from references(part)


if __name__ == "__main__":
    unittest.main()
