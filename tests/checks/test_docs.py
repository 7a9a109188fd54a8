"""The documentation: links lead somewhere, citations exist, code is code and does what it says."""

import ast
import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMED = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
SOURCES = [*(ROOT / "augkit").rglob("*.py"), *(ROOT / "augkit").rglob("*.yaml"), *PAGES]

FENCE = re.compile(
    r"^(?P<fence>`{3,}) *(?P<kind>[\w-]*)[^\n]*\n(?P<code>.*?)^(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
CITED = re.compile(r"\b[a-z]{3,}(?:19|20)\d\d[a-z]+\b")
ENTRY = re.compile(r"^@\w+\{(\w+),", re.MULTILINE)


def blocks(page, *kinds):
    """The code blocks of these kinds, with the line they begin on."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start("code")) + 1, match["code"])
        for match in FENCE.finditer(text)
        if match["kind"] in kinds
    ]


def prose(page):
    """The page without its code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page):
    """The names under which a page's headings can be linked to."""
    titles = HEADING.findall(prose(page))
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


@NAMED
def test_links_lead_somewhere(page):
    """Every relative link names a file of the repository, and a heading of it where it says so."""
    for link in LINK.findall(prose(page)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: no heading for {link}"


@NAMED
def test_python_blocks_are_python(page):
    """Code marked as Python can be parsed."""
    for line, code in blocks(page, "python"):
        # Empty lines before it make the line of an error that of the page.
        ast.parse("\n" * (line - 1) + code, str(page))


@NAMED
def test_sessions_give_what_they_show(page, monkeypatch, tmp_path):
    """A Python session (a block marked pycon) prints what stands below each line.

    The sessions of a page follow one another: names made in one are there in the next.
    """
    if page.parent.name == "reference":
        pytest.skip("taken from docstrings, whose doctests run with the package")
    monkeypatch.chdir(tmp_path)
    session = "\n".join(code for _, code in blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    printed = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=printed.append)
    assert not runner.failures, "".join(printed)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_citations_exist(source):
    """Every citation key in code, prompts and pages is an entry of references.bib."""
    known = set(ENTRY.findall((ROOT / "docs" / "references.bib").read_text(encoding="utf-8")))
    assert known
    assert set(CITED.findall(source.read_text(encoding="utf-8"))) <= known


def test_entries_stand_once():
    """No two entries of references.bib have one key."""
    keys = ENTRY.findall((ROOT / "docs" / "references.bib").read_text(encoding="utf-8"))
    assert len(keys) == len(set(keys))
