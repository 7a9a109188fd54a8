"""Figures in the text of the pages: is each one among the stored values that its mark names?

A mark stands on the line above a paragraph, a list or a table:

    <!-- figures: coba-imdb, head-to-head -->    values of these results of lab/results.json
    <!-- figures: coba-imdb, paper -->           or of the papers (lab/papers.yaml, docs/paper-map)
    <!-- figures: not stored: WHY -->            nothing is compared, for the reason given

A figure is a number with a decimal point, or one in per cent. It may be rounded, a share may be
shown in per cent, and its sign may be said in words; a difference of two values is not found. What
the code blocks of the page show needs no mark. The README and the pages of ``docs/results`` must
have a mark wherever they have figures. ``python scripts/docs_style.py PAGE`` lists what is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "lab" / "results.json"
PAPERS = (ROOT / "lab" / "papers.yaml", *sorted((ROOT / "docs" / "paper-map").glob("*.yaml")))

MARK = re.compile(r"<!-- figures: (?P<names>.+?) -->")
NOT_STORED = "not stored: "
FENCE = re.compile(r"^ *`{3,}")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
INTERVAL = re.compile(r"\b9[059] % (?:[\w-]+ ){0,3}intervals?\b")
INLINE_CODE = re.compile(r"`[^`]*`")
ADDRESS = re.compile(r"\]\([^)]*\)")
ONLY_A_LINK = re.compile(r"!?\[[^\]]*\]\([^)]*\)")
FIGURE = re.compile(
    # No part of a name (Qwen2.5, GPT-3.5), of a version (0.1.0, Python 3.13) or of a section.
    r"(?<![\w.])(?<![A-Za-z]-)(?<!§)(?<!§ )(?<!Python )"
    r"(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?!\w|\.\d)"
    r"(?P<unit>\s*(?:%|per cent| billion parameters))?"
)
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")


class Block(NamedTuple):
    """A paragraph, list, table or code block of a page, and the names in the mark above it."""

    line: int
    text: str
    is_code: bool
    names: str | None


def figure_faults(page: Path) -> Iterator[str]:
    """Figures that have no mark, and those that are not in the results which their mark names."""
    blocks = list(page_blocks(page.read_text(encoding="utf-8")))
    printed = numbers_in(block.text for block in blocks if block.is_code)
    for block in blocks:
        if block.is_code:
            continue
        figures = [figure for figure in shown_figures(block.text) if not is_among(figure, printed)]
        if block.names is None:
            if figures and needs_marks(page):
                yield f"line {block.line}: figures without a mark: {', '.join(figures)}"
        elif not block.text:
            yield f"line {block.line}: a mark stands on the line above its paragraph, list or table"
        elif not block.names.startswith(NOT_STORED):
            yield from block_faults(block, figures)


def block_faults(block: Block, figures: Iterable[str]) -> Iterator[str]:
    """What is wrong with a block whose mark names stored results."""
    values: list[float] = []
    for name in (block.names or "").split(","):
        if name.strip() == "paper":
            values += paper_values()
        elif name.strip() in stored_results():
            values += result_values(name.strip())
        else:
            yield f"line {block.line}: no result has the name {name.strip()}"
    missing = [figure for figure in figures if not is_among(figure, values)]
    if missing:
        yield f"line {block.line}: not in {block.names}: {', '.join(missing)}"


def needs_marks(page: Path) -> bool:
    """Whether every figure of a page must have a mark."""
    return page == ROOT / "README.md" or page.parent == ROOT / "docs" / "results"


def page_blocks(text: str) -> Iterator[Block]:
    """The blocks of a page, which empty lines and fences separate."""
    fence = ""
    lines: list[str] = []
    names = None
    first = 1
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        opening = FENCE.match(line)
        if fence:
            lines.append(line)
            if line.strip() == fence:
                yield Block(first, "\n".join(lines), is_code=True, names=None)
                fence, lines = "", []
        elif opening or not line.strip():
            if lines or names:
                yield Block(first, "\n".join(lines), is_code=False, names=names)
            lines, names = [], None
            if opening:
                fence, first = opening[0].strip(), number
        elif mark := MARK.fullmatch(line.strip()):
            names, first = mark["names"], number
        else:
            if not lines and names is None:
                first = number
            lines.append(line)


def shown_figures(text: str) -> list[str]:
    """The figures of a paragraph, list or table as they are shown, without headings and code."""
    if ONLY_A_LINK.fullmatch(text.strip()):
        return []
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    plain = ADDRESS.sub("]", INLINE_CODE.sub("", COMMENT.sub("", "\n".join(lines))))
    plain = INTERVAL.sub("an interval", " ".join(plain.split()))
    figures = []
    for match in FIGURE.finditer(plain):
        unit = (match["unit"] or "").strip()
        if unit in {"%", "per cent"} or ("." in match["number"] and not unit):
            figures.append(match["number"])
    return figures


def is_among(figure: str, values: Iterable[float]) -> bool:
    """Whether a figure is one of the values, rounded as it is shown."""
    number = float(figure.replace(",", ""))
    decimals = len(figure.partition(".")[2])
    half = 0.5 * 10**-decimals + 1e-9
    for value in values:
        if abs(value - number) <= half or (value <= 1 and abs(100 * value - number) <= half):
            return True
    return False


@cache
def stored_results() -> Mapping[str, Any]:
    """Name → what was stored of a benchmark."""
    results: Mapping[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))["results"]
    return results


@cache
def result_values(name: str) -> list[float]:
    """Every number in the tables of a result: in cells, in headings and in titles."""
    return numbers_in([json.dumps(stored_results()[name]["tables"], ensure_ascii=False)])


@cache
def paper_values() -> list[float]:
    """Every number that the papers report, as far as we have written them down."""
    return numbers_in(path.read_text(encoding="utf-8") for path in PAPERS if path.exists())


def numbers_in(texts: Iterable[str]) -> list[float]:
    """All numbers of some texts, without their signs."""
    numbers = {match.replace(",", "") for text in texts for match in NUMBER.findall(text)}
    return sorted(float(number) for number in numbers)
