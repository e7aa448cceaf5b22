# SPDX-License-Identifier: Apache-2.0
"""docs_test.py [--write]: the Python code of docs/how-to/python.md, compare.md and of the tutorial
runs, in a folder with the project's files and block after block, and each block prints what the
block of text behind it says. With --write the pages are made so."""

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
import unittest

import command_line
import muster

DOCS = command_line.ROOT / "docs"
PAGE = DOCS / "how-to/python.md"
PAGES = (PAGE, DOCS / "how-to/compare.md", DOCS / "start/tutorial.md")
BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```text\n.*?^```\n", re.M | re.S)


def run_page(text):
    """The page with what its code prints."""
    names = {}
    folder = tempfile.mkdtemp()
    os.symlink(command_line.ROOT / "topologies", os.path.join(folder, "topologies"))
    os.chdir(folder)

    def with_output(block):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(block[1], "page", "exec"), names)  # noqa: S102
        return f"```python\n{block[1]}```\n\n```text\n{printed.getvalue()}```\n"

    try:
        return BLOCK.sub(with_output, text)
    finally:
        shutil.rmtree(folder)


class DocsTest(unittest.TestCase):
    def test_the_code_prints_what_the_pages_say(self):
        for page, blocks in zip(PAGES, (9, 2, 1)):
            text = page.read_text(encoding="utf-8")
            self.assertGreaterEqual(len(BLOCK.findall(text)), blocks)
            self.assertEqual(len(BLOCK.findall(text)), text.count("```python"))
            self.assertEqual(run_page(text), text)

    def test_the_page_names_everything_that_is_public(self):
        text = PAGE.read_text(encoding="utf-8")
        for name in muster.__all__:
            if not name.startswith("_"):
                self.assertIn(name, text)
                self.assertTrue(getattr(muster, name).__doc__, name)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for name in PAGES:
            name.write_text(run_page(name.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
