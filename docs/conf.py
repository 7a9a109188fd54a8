"""Sphinx's settings for the site; ``python scripts/site.py build`` makes the pages it reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent

project = "augkit"
author = "The augkit developers"
version = release = __version__
extensions = ["myst_parser", "sphinx_copybutton"]
myst_heading_anchors = 4  # links to headings work as on GitHub
smartquotes_action = "qe"  # quotes and ellipses; "--" is an option
highlight_language = "none"
copybutton_exclude = ".linenos, .gp, .go"  # a copied session is its commands alone
html_theme = "furo"
html_title = "augkit"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "source_repository": "https://github.com/augkit/augkit",
    "source_branch": "main",
    "source_directory": "docs/",
}


def name_source(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Have the buttons of a page lead to its file in the repository; a generated one has none."""
    suffixes = [suffix for suffix in (".md", ".ipynb") if (DOCS / f"{page}{suffix}").exists()]
    context["page_source_suffix"] = suffixes[0] if suffixes else ""


def setup(app: Sphinx) -> None:
    """Connect what is done for every page."""
    app.connect("html-page-context", name_source)
