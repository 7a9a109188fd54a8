"""The documentation: links lead somewhere, citations exist, code is code and does what it says."""

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
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
MARKED = re.compile(
    r"^<!-- (?P<what>file|prints): (?P<argument>.+?) -->\n```[\w-]*\n(?P<code>.*?)^```$",
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


@NAMED
def test_commands_print_what_is_shown(page, tmp_path):
    """A command named above a block prints that block, in a folder with the page's own files.

    ``<!-- file: NAME -->`` makes the block below it a file, ``<!-- prints: COMMAND -->`` compares.
    """
    text = page.read_text(encoding="utf-8")
    for mark in MARKED.finditer(text):
        if mark["what"] == "file":
            (tmp_path / mark["argument"]).write_text(mark["code"], encoding="utf-8")
        else:
            assert printed(mark["argument"], tmp_path) == comparable(mark["code"])


def printed(command, folder):
    """What a command prints on both channels, with the programs of this environment."""
    here = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{here}:{os.environ['PATH']}", "COLUMNS": "100"}
    done = subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return comparable(done.stdout + done.stderr)


def comparable(text):
    """The lines, without spaces at their ends, without the time and the lines of a slow run."""
    timeless = re.sub(r"\d+\.\d s\b", "TIME", text)
    timeless = re.sub(r"^[\d,]+ of [\d,]+ rows\n", "", timeless, flags=re.MULTILINE)
    return [line.rstrip() for line in timeless.strip().splitlines()]


def test_citations_exist():
    """Every citation key in code, prompts and pages is an entry of references.bib."""
    known = set(ENTRY.findall((ROOT / "docs" / "references.bib").read_text(encoding="utf-8")))
    cited = {path: set(CITED.findall(path.read_text(encoding="utf-8"))) for path in SOURCES}
    assert any(cited.values())
    assert not {str(path): keys - known for path, keys in cited.items() if keys - known}


def test_entries_stand_once():
    """No two entries of references.bib have one key."""
    keys = ENTRY.findall((ROOT / "docs" / "references.bib").read_text(encoding="utf-8"))
    assert len(keys) == len(set(keys))
