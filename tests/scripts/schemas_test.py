#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schemas refuse what they do not name, and their references lead somewhere; scripts/recorded
checks that results are as they say."""

import json
import unittest

from copied_project import ROOT, InFolder, run

import flow

validate = flow.script("validate")
NETWORK = json.loads((ROOT / "topologies/figure1.json").read_text())


def references(schema):
    """All of a schema."""
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"]
    for part in schema.values() if isinstance(schema, dict) else (
            schema if isinstance(schema, list) else ()):
        yield from references(part)


class Schemas(InFolder):
    def test_a_value_has_what_its_schema_names_and_nothing_else(self):
        schemas = validate.Schemas()
        self.assertEqual(schemas.errors(NETWORK), [])
        link = {**NETWORK["links"][0], "colour": "red"}
        for wrong in ({"other": 1}, {"schema": "muster-nothing-1"}, {"schema": 1},
                      {"switches": "many"}, {"links": [link]}, {"links": [{}]}):
            with self.subTest(wrong):
                self.assertNotEqual(schemas.errors({**NETWORK, **wrong}), [])
        self.assertNotEqual(schemas.errors({"schema": NETWORK["schema"]}), [])
        self.assertNotEqual(schemas.errors([]), [])

    def test_fields_of_preempting_switches_go_together(self):
        rules = dict(validate.schemas())["muster-run-1.schema.json"]["dependentRequired"]
        for field in ("preemptions", "theorem_2_cycles", "padding_flits", "max_hop_wait_cycles",
                      "barrier_buffer_flits", "data_channels"):
            self.assertIn(field, {"preemptions", *rules["preemptions"]})
            self.assertIn(field, rules)

    def test_every_reference_leads_somewhere(self):
        made = dict(validate.schemas())
        for file, schema in made.items():
            for reference in references(schema):
                target, _, part = reference.partition("#/$defs/")
                self.assertTrue(not part or part in made[target or file]["$defs"],
                                (file, reference))

    def test_a_field_that_no_value_has_is_told(self):
        schemas = validate.Schemas()
        unseen = schemas.unseen()
        schemas.errors(NETWORK)
        self.assertIn("muster-topology-1.schema.json: /properties/links", unseen)
        self.assertNotIn("muster-topology-1.schema.json: /properties/links", schemas.unseen())

    def test_the_json_that_is_written_is_that_of_the_schemas(self):
        self.does(ROOT / "scripts/validate", "--write", self.folder)
        for name, schema in validate.schemas():
            self.assertEqual(json.loads((self.folder / name).read_text()), schema)

    def test_a_file_that_cannot_be_read_is_one_plain_line(self):
        self.assertEqual(run(ROOT / "scripts/validate", "nowhere.json"),
                         (2, "validate: nowhere.json: No such file or directory\n"))


unittest.main()
