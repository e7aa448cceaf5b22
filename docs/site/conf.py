# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: Sphinx reads the Markdown pages as they are. scripts/site builds it.

The source folder is the project's root, so that links between pages lead where they lead in the
tree. A link to a file that is no page becomes a download.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

project = "Muster"
author = "the authors of Muster"
extensions = ["myst_parser", "pages"]
root_doc = "docs/README"
include_patterns = ["*.md", "docs/**", "rtl/*.md", "results/*.md",
                    "topologies/*.md", "examples/own_system/*.md"]
myst_heading_anchors = 5  # spelt as GitHub spells them
pygments_style = "friendly"

html_theme = "furo"
html_title = "Muster"
html_copy_source = False
html_show_sphinx = False
