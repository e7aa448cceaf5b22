# SPDX-License-Identifier: Apache-2.0
"""The Python code of docs/how-to/python.md runs, from the project's folder and block after block,
and each block that a block of text follows prints that."""

import contextlib
import io
import os
import re
import unittest

import command_line
import muster

PAGE = command_line.ROOT / "docs" / "how-to" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n^```text\n(.*?)^```\n)?", re.M | re.S)


class DocsTest(unittest.TestCase):
    def test_the_code_prints_what_the_page_says(self):
        os.chdir(command_line.ROOT)
        names = {}
        blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
        self.assertGreater(len(blocks), 5)
        for code, expected in blocks:
            with self.subTest(code), contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102
                self.assertEqual(printed.getvalue(), expected)

    def test_the_page_names_everything_that_is_public(self):
        text = PAGE.read_text(encoding="utf-8")
        for name in muster.__all__:
            if not name.startswith("_"):
                self.assertIn(name, text)
                self.assertTrue(getattr(muster, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
