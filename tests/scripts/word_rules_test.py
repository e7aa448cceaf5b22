#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/word_rules.py finds each phrase of its list in prose, comments and messages, and leaves
names in code alone."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import word_rules  # noqa: E402

PLANTED = {"without hope": "without an answer", "planted": "placed"}


class WordRules(unittest.TestCase):
    def setUp(self):
        listed = word_rules.RULES
        word_rules.RULES = word_rules.rules(PLANTED)
        self.addCleanup(setattr, word_rules, "RULES", listed)

    def found(self, text):
        return word_rules.check_words("page.md", text)

    def test_a_phrase_is_found_with_its_line_and_what_to_say(self):
        self.assertEqual(self.found("It waits.\nIt asks without hope.\n"),
                         ["page.md:2: 'without hope'; say: without an answer"])

    def test_a_phrase_is_found_in_any_case_and_in_the_order_of_lines(self):
        lines = [said.split(":")[1] for said in self.found("Planted. \n\nWithout Hope\nplanted!")]
        self.assertEqual(lines, ["1", "3", "4"])

    def test_a_phrase_is_found_across_the_end_of_a_line(self):
        for text in ("It asks without\nhope.", "  // It asks without\n  // hope.",
                     "/// It asks without\n/// hope.", "x = 1;  ///< without\n  ///< hope",
                     "# without\n# hope", "/* without\n * hope */",
                     'fail("asks without "\n     "hope")'):
            with self.subTest(text):
                self.assertEqual(len(self.found(text)), 1)

    def test_longer_words_and_names_in_code_are_left_alone(self):
        for text in ("replanted", "planted_q", "faults.planted", "planted()", "double planted = 0;",
                     "$planted", "std::planted", "without hopes", "without\n\nhope",
                     "planted-error"):
            with self.subTest(text):
                self.assertEqual(self.found(text), [])

    def test_each_phrase_of_the_list_is_found(self):
        word_rules.RULES = word_rules.rules(word_rules.WORDS)
        for phrase, instead in word_rules.WORDS.items():
            with self.subTest(phrase):
                self.assertIn(f"page.md:1: '{phrase}'; say: {instead}",
                              self.found(f"A flit {phrase}, or none."))

    def test_no_suggestion_has_a_phrase_of_the_list(self):
        word_rules.RULES = word_rules.rules(word_rules.WORDS)
        for phrase, instead in word_rules.WORDS.items():
            with self.subTest(phrase):
                self.assertEqual(self.found(instead), [])


if __name__ == "__main__":
    unittest.main()
