#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/recorded finds what has changed: a program in the place of muster gives one answer when
the record is written and another when it is compared. It refuses JSON that is not as its schema
says, and schemas with fields that no JSON has."""

import json
import shutil
import unittest

from copied_project import ROOT, InFolder, run

ANSWER = {"schema": "answer-1", "digest": "68aa", "barriers": [{"hops": 40, "seconds": 0.5}],
          "seconds": 1.5}
SCHEMA = """$schema: https://json-schema.org/draft/2020-12/schema
title: An answer
additionalProperties: false
required: [schema, digest]
properties:
  schema: {const: answer-1}
  digest: {type: string}
  barriers:
    items:
      additionalProperties: false
      properties: {hops: {type: integer}, seconds: {type: number}}
  seconds: {type: number}
  nic: {type: [object, 'null']}
"""
ENDING = "0 differ, 0 are not as schemas say\n"


class Recorded(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "commands.txt").write_text(
            "# one run\nmuster run net.json --json -\n\nmuster view x\n")
        (self.folder / "schemas").mkdir()
        shutil.copy(ROOT / "schemas/muster-configurations-1.schema.yaml", self.folder / "schemas")
        (self.folder / "schemas/answer-1.schema.yaml").write_text(SCHEMA)
        self.program({**ANSWER, "nic": None})
        self.assertEqual(self.recorded("--write"), (0, ""))

    def program(self, answer, text="3 lines", status=0):
        """The program in the place of muster: JSON for a run, a text and a file for others. The
        one before it is kept, as the build of the commit before."""
        path = self.folder / "muster"
        if path.exists():
            path.replace(self.folder / "before")
        path.write_text(f"#!/bin/sh\ncase $1 in run) echo '{json.dumps(answer)}';; "
                        f"*) echo '{text}, 0.5 s, end'; echo a > x.csv;; esac\nexit {status}\n")
        path.chmod(0o755)

    def recorded(self, *arguments):
        """(exit status, what it says)"""
        return run(ROOT / "scripts/recorded", "--binary", self.folder / "muster", "--list",
                   self.folder / "commands.txt", "--schemas", self.folder / "schemas", *arguments)

    def tells(self, finding):
        self.finds(finding, self.recorded("--check"))

    def differs(self, finding):
        """The record says that there is a difference, the build before which one."""
        self.tells(" 1 differ")
        self.finds(finding, self.recorded("--against", self.folder / "before"))

    def test_times_and_the_order_of_keys_are_no_difference(self):
        self.program({"seconds": 2.5, "barriers": [{"seconds": 9, "hops": 40}], "digest": "68aa",
                      "nic": None, "schema": "answer-1"})
        self.assertEqual(self.recorded("--check"), (0, f"2 commands, {ENDING}"))

    def test_a_changed_value_is_named(self):
        self.program({**ANSWER, "barriers": [{"hops": 41}]})
        self.tells("muster run net.json --json -\n  status and digest: recorded (0, ")
        self.assertEqual(self.recorded("--check", "--only", "view")[0], 0)

    def test_a_field_more_or_less_is_named(self):
        self.program({**ANSWER, "nic": {}})
        self.differs("/out/nic: before null, now {}")
        self.program({"schema": "answer-1", "digest": "68aa", "nic": {}})
        self.differs('/out/barriers: before [{"hops": 40}], now "(nothing)"')

    def test_a_measured_value_is_no_difference_and_a_count_is_one(self):
        (self.folder / "schemas/answer-1.schema.yaml").write_text(
            "properties: {schema: {const: answer-1}, m: {type: array}}\n")
        answer = {"schema": "answer-1", "m": [{"unit": "ns", "value": 5, "met": True},
                                              {"unit": "cycles/hop", "value": 3, "met": True}]}
        self.program(answer)
        self.assertEqual(self.recorded("--write"), (0, ""))
        answer["m"][0] = {"unit": "ns", "value": 6, "met": False}
        self.program(answer)
        self.assertEqual(self.recorded("--check"), (0, f"2 commands, {ENDING}"))
        answer["m"][1]["value"] = 4
        self.program(answer)
        self.differs("/out/m/1/value: before 3, now 4")

    def not_as_the_schema_says(self, finding, answer):
        """Neither a comparison nor a new record accepts the answer."""
        self.program(answer)
        self.tells(finding)
        self.finds(finding, self.recorded("--write"))

    def test_json_that_is_not_as_its_schema_says_is_named(self):
        good = {**ANSWER, "nic": None}
        self.not_as_the_schema_says("muster run net.json --json -\n"
                                    "  out:1: $: 'digest' is a required property",
                                    {k: v for k, v in good.items() if k != "digest"})
        self.not_as_the_schema_says("out:1: $.barriers[0]: Additional properties are not allowed "
                                    "('hop' was unexpected)", {**good, "barriers": [{"hop": 40}]})
        self.not_as_the_schema_says("out:1: $.digest: 7 is not of type 'string'",
                                    {**good, "digest": 7})
        self.not_as_the_schema_says('out:1: schema: "answer-2" is not one of ',
                                    {**good, "schema": "answer-2"})
        self.not_as_the_schema_says("out:1: schema: null is not one of ", {"digest": "68aa"})

    def test_a_field_of_a_schema_that_no_json_has_is_named(self):
        self.not_as_the_schema_says("answer-1.schema.json: /properties/nic: in no JSON of any",
                                    ANSWER)
        self.assertEqual(self.recorded("--write", "--only", "muster run"), (0, ""))

    def test_a_schema_that_no_command_has_is_named(self):
        (self.folder / "schemas/other-1.schema.yaml").write_text(
            "properties: {schema: {const: other-1}}\n")
        self.tells("other-1.schema.json: /properties/schema: in no JSON of any command")

    def test_a_changed_text_or_status_is_named(self):
        answer = {**ANSWER, "nic": None}
        self.program(answer, text="4 lines")
        self.differs('/out/0: before "3 lines, ? s, end", now "4 lines, ? s, end"')
        self.program(answer, text="4 lines", status=1)
        self.tells("2 commands, 2 differ")

    def test_a_command_that_is_not_recorded_is_an_error(self):
        with (self.folder / "commands.txt").open("a") as file:
            file.write("muster view y\n")
        self.tells("muster view y\n  status and digest: recorded None")


unittest.main()
