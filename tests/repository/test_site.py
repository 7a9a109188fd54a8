"""The site of the documentation: it builds without a warning, and no link in it is dead."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from site_pages import generated_names

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GENERATED = generated_names()


LINK = re.compile(r'<(?:a|img|link|script)\b[^>]*\b(?:href|src)="([^"]+)"')
ID = re.compile(r'\bid="([^"]+)"')


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The built site. A warning of the build is an error; the gallery is in ``test_gallery.py``."""
    built = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, ROOT / "scripts" / "site.py", "build", "--no-gallery"]
    done = subprocess.run([*command, "--out", built], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


def test_the_pages_and_their_links_are_there(folder):
    """Each page of ``docs`` is one of the site and on its first page; links name files and ids."""
    pages = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    links = {path: set(map(unescape, LINK.findall(text))) for path, text in pages.items()}
    ids = {path: set(ID.findall(text)) for path, text in pages.items()}
    written = [path for path in (ROOT / "docs").rglob("*") if path.suffix in {".md", ".ipynb"}]
    names = [path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in written]
    expected = {folder / f"{name}.html" for name in [*names, *GENERATED]}
    assert pages.keys() - expected == {folder / "genindex.html", folder / "search.html"}
    first = folder / "index.html"
    linked = {(folder / urlsplit(link).path).resolve() for link in links[first]}
    assert expected - linked == {first}
    dead = []
    for page, addresses in links.items():
        for address in addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            known = ids.get(target, {parts.fragment})
            if not target.exists() or parts.fragment not in {"", *known}:
                dead.append((page.name, address))
    assert dead == []


def test_llms_txt_lists_the_pages(folder):
    """Language models find every page of the navigation, each with a sentence about it."""
    text = (folder / "llms.txt").read_text(encoding="utf-8")
    entries = re.findall(
        r"^- \[(.+?)\]\(https://[\w./-]+?/augkit/([\w./-]+)\): (.+)$", text, re.MULTILINE
    )
    addresses = {address for _, address, _ in entries}
    assert {f"{name}.html" for name in GENERATED} <= addresses
    assert all((folder / address).is_file() for address in addresses)
    assert min(len(about) for *_, about in entries) > 10
