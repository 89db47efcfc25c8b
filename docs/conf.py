"""Settings of the documentation site: `make docs`."""

from __future__ import annotations

from pbem import __version__

project = "Slow games by mail"
author = "The pbem authors"
copyright = author  # noqa: A001 - Sphinx reads this name
version = release = __version__

extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "text"
exclude_patterns = ["pictures"]

html_theme = "furo"
html_title = project
html_copy_source = False
html_show_sourcelink = False
# Browsers fetch no excerpts from file:// addresses.
html_show_search_summary = False
html_show_copyright = False
html_use_index = False
