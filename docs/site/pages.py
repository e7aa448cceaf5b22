# SPDX-License-Identifier: Apache-2.0
"""What the site adds to the Markdown pages: the contents on the left are the lists of links of
docs/README.md, a link to a folder, which no site can show, is plain text, and between the marks of
register tables stand the tables, from rdl/."""

import functools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))
import flow  # noqa: E402
import register_tables  # noqa: E402

REGISTERS = re.compile(r"<!-- registers (.*) -->\n.*\n<!-- end -->\n")
LINK = re.compile(r"\[([^\]]*)\]\(([^()\s]+)\)")
ENTRY = re.compile(r"- \[([^\]]*)\]\(([^()\s#]+\.md)\)")
API = '\n<p><a href="../api/index.html">The public C++ headers</a>, made by Doxygen.</p>\n'
BESIDE = ("/README", "/CONTRIBUTING", "/CHANGELOG")  # pages that the index has no list for


def contents(text):
    """A hidden tree of contents for each part of the index."""
    lines = []
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        caption = part.split("\n", 1)[0]
        lines += ["", "```{toctree}", ":hidden:", f":caption: {caption}", ""]
        lines += [f"{title} <{target}>" for title, target in ENTRY.findall(part)]
        lines += ["```"]
    lines += ["", "```{toctree}", ":hidden:", ":caption: Project", "", *BESIDE, "```", ""]
    return "\n".join(lines)


@functools.cache
def blocks():
    return flow.script("registers").read()


def registers(page, mark):
    """The lines of a register table."""
    which = register_tables.TABLES[page, mark]
    return "".join(f"{line}\n" for line in
                   register_tables.lines(blocks()[mark.split()[0]], which, page))


def read(app, name, source):
    """Changes a page's text as it is read."""
    folder = pathlib.Path(app.srcdir, name).parent
    text = REGISTERS.sub(lambda table: registers(f"{name}.md", table[1]), source[0])
    text = LINK.sub(lambda link: link[1] if (folder / link[2]).is_dir() else link[0], text)
    if name == app.config.root_doc:
        text += API + contents(text)
    source[0] = text


def setup(app):
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
