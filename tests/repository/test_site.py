"""The site of the documentation: it builds without a warning, and no link in it is dead."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


class Names(HTMLParser):
    """What a page links to, and the ids under which its own parts can be linked to."""

    def __init__(self):
        """Nothing was read yet."""
        super().__init__()
        self.links, self.ids = [], set()

    def handle_starttag(self, tag, attributes):
        """Keep the addresses and ids of a tag."""
        given = dict(attributes)
        self.ids.add(given.get("id"))
        self.links += [given[key] for key in ("href", "src") if given.get(key)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site: every page with its links and ids. A warning of the build is an error."""
    folder = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, ROOT / "scripts" / "site.py", "build", "--out", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = {}
    for path in folder.rglob("*.html"):
        pages[path] = Names()
        pages[path].feed(path.read_text(encoding="utf-8"))
    return pages


def test_every_page_is_on_the_site(site):
    """Each page of ``docs`` became one, and the first leads to all of them."""
    built = {path for path in site if path.name not in {"genindex.html", "search.html"}}
    sources = [path for path in (ROOT / "docs").rglob("*") if path.suffix in {".md", ".ipynb"}]
    assert len(built) == len(sources)
    first = next(path for path in built if path.name == "index.html" and path.parent.name == "html")
    linked = {(first.parent / urlsplit(link).path).resolve() for link in site[first].links}
    assert built - linked == {first}


def test_links_and_anchors_exist(site):
    """Every link that stays on the site names a file of it, and an id where it says so."""
    dead = []
    for page, names in site.items():
        for link in names.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            known = site[target].ids if target in site else {parts.fragment}
            if not target.exists() or parts.fragment not in {"", *known}:
                dead.append((page.name, link))
    assert dead == []


def test_llms_txt_lists_the_pages(site):
    """Language models find every page of the navigation, each with a sentence about it."""
    first = next(path for path in site if (path.parent / "llms.txt").is_file())
    text = (first.parent / "llms.txt").read_text(encoding="utf-8")
    entries = re.findall(
        r"^- \[(.+?)\]\(https://[\w./-]+?/augkit/([\w./-]+)\): (.+)$", text, re.MULTILINE
    )
    assert len(entries) > 60
    assert all((first.parent / address).is_file() for _, address, _ in entries)
    assert min(len(about) for *_, about in entries) > 10
