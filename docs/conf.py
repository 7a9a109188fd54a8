"""How Sphinx makes the site of these pages: ``python scripts/site.py build``.

The pages are plain Markdown, which GitHub shows as well. What only the site needs is added while
a page is read: the navigation, and the addresses of links that leave ``docs/``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent
REPOSITORY = "https://github.com/augkit/augkit"

# Caption: folder, the pages that come first, the pages that come last; the others by name.
NAVIGATION = {
    "Start": ("start", ["tutorial"], ["footguns"]),
    "How-to": ("how-to", ["own-data", "own-llm", "python-api"], ["write-a-plugin"]),
    "Concepts": (
        "concepts",
        ["coba", "coba-pairs", "coba-llm", "panda", "razor", "grammars"],
        ["shortcuts", "attribution", "evaluation", "fairscore", "models", "language"],
    ),
    "Reference": ("reference", ["cli", "methods", "settings", "python"], ["paper-map"]),
    "Results": ("results", ["index"], []),
}
LINK = re.compile(r"\]\((?P<path>(?!\w+:)[^)#\s]+)\)")
ON_THE_SITE = {".md", ".svg", ".png"}

project = "augkit"
author = "The augkit developers"
version = release = re.findall(
    r'__version__ = "(.+)"', (DOCS.parent / "augkit" / "__init__.py").read_text("utf-8")
)[0]
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
    "source_repository": REPOSITORY,
    "source_branch": "main",
    "source_directory": "docs/",
}


def page_names(folder: str, first: list[str], last: list[str]) -> list[str]:
    """The pages of a folder in the order of the navigation."""
    found = {str(page.relative_to(DOCS / folder))[:-3] for page in (DOCS / folder).rglob("*.md")}
    others = sorted(found - {*first, *last})
    return [f"{folder}/{name}" for name in [*first, *others, *last] if name in found]


def toctree(caption: str, pages: list[str]) -> str:
    """One part of the navigation, as Sphinx reads it."""
    options = [":hidden:", ":titlesonly:", f":caption: {caption}"]
    entries = [f"{short_title(page)} <{page}>" for page in pages]
    return "\n".join(["```{toctree}", *options, "", *entries, "```", ""])


def short_title(page: str) -> str:
    """The title of a page up to its colon: what the navigation has room for."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return text.removeprefix("# ").partition("\n")[0].partition(":")[0].replace("`", "")


def complete(_: Sphinx, name: str, source: list[str]) -> None:
    """Add to a page what only the site needs."""
    folder = (DOCS / name).parent
    source[0] = LINK.sub(lambda link: _address(link, folder), source[0])
    if name == "index":
        parts = (toctree(caption, page_names(*rest)) for caption, rest in NAVIGATION.items())
        source[0] += "\n" + "\n".join(parts)


def _address(link: re.Match[str], folder: Path) -> str:
    """A link as it stands, or to GitHub where its file is no part of the site."""
    path = (folder / link["path"]).resolve()
    if DOCS in path.parents and path.suffix in ON_THE_SITE:
        return link[0]
    kind = "tree" if path.is_dir() else "blob"
    return f"]({REPOSITORY}/{kind}/main/{path.relative_to(DOCS.parent).as_posix()})"


def setup(app: Sphinx) -> None:
    """Read every page through ``complete``."""
    app.connect("source-read", complete)
