"""The works of ``docs/references.bib`` as a page, for ``reference.py``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from unicodedata import normalize
from urllib.parse import quote_plus

from reference_tables import table

BIBLIOGRAPHY = Path(__file__).parent.parent / "docs" / "references.bib"
_ENTRY = re.compile(r"^@\w+\{(?P<key>\w+),\n(?P<body>.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^ +(?P<name>\w+) += \{(?P<value>.*)\},?$", re.MULTILINE)
_ARXIV = re.compile(r"arXiv:(\d{4}\.\d{4,5})")
_ACCENT = "\N{COMBINING ACUTE ACCENT}"


def works_page() -> Iterator[str]:
    """Every work that the pages and the code name by a key."""
    yield "The works that pages and docstrings name by a key, such as `wei2019eda`."
    yield (
        "For BibTeX take [references.bib](../references.bib). A link leads to arXiv where its "
        "number is known, and to a search for the title elsewhere."
    )
    yield table(
        {
            "key": f"`{key}`",
            "authors": authors(work["author"]),
            "year": work["year"],
            "title": f"[{plain(work['title'])}]({address(work)})",
        }
        for key, work in sorted(works(BIBLIOGRAPHY.read_text(encoding="utf-8")).items())
    )


def works(text: str) -> dict[str, dict[str, str]]:
    """Key → fields of every entry, whose fields stand on a line each."""
    return {
        entry["key"]: {field["name"]: field["value"] for field in _FIELD.finditer(entry["body"])}
        for entry in _ENTRY.finditer(text)
    }


def authors(names: str) -> str:
    """Surnames; of more than three, the first.

    >>> authors("Wei, Jason and Zou, Kai"), authors("A, B and C, D and E, F and G, H")
    ('Wei, Zou', 'A et al.')
    """
    surnames = [plain(name.partition(",")[0]) for name in names.split(" and ")]
    return ", ".join(surnames) if len(surnames) <= 3 else f"{surnames[0]} et al."


def address(work: Mapping[str, str]) -> str:
    """Where to find a work."""
    number = work.get("eprint") or "".join(_ARXIV.findall(work.get("journal", "")))
    if number:
        return f"https://arxiv.org/abs/{number}"
    return f"https://www.semanticscholar.org/search?q={quote_plus(plain(work['title']))}"


def plain(text: str) -> str:
    r"""A field without the marks of LaTeX.

    >>> plain(r"{CoBA} by Marasovi{\'c}")
    'CoBA by Marasović'
    """
    accented = re.sub(r"\{\\'(\w)\}", rf"\1{_ACCENT}", text)
    return normalize("NFC", re.sub(r"[{}]", "", accented))
