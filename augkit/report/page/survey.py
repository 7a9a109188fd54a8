"""The page of ``augkit shortcuts``: what was found, and the trees where a grammar found it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from augkit.core.errors import DataError
from augkit.core.json_files import load_json_lines
from augkit.core.results import SURVEY_ADVICE, read_survey
from augkit.report.marked import marked_fields
from augkit.report.page.templates import write

_TREES_PER_GROUP = 6
_GROUPS = 40


def write_survey_page(folder: Path, most: int) -> Path:
    """Write the page of a survey; it shows at most ``most`` rows."""
    survey = read_survey(folder)
    if survey is None:
        raise DataError(f"{folder}: no survey in it (survey.json)")
    groups = list(_groups(folder / "features.jsonl"))
    flat = [dict(_flat(row)) for row in survey.rows[:most]]
    header = list(dict.fromkeys(name for row in flat for name in row))  # a column for each value
    cells = [[row.get(name, "") for name in header] for row in flat]
    return write(
        folder,
        "survey.html",
        name=folder.resolve().name,
        about=survey.about,
        warnings=survey.warnings,
        marked=[marked_fields(marked) for marked in survey.marked[:most]],
        groups=groups,
        table=None if groups else {"header": header, "rows": cells},
    )


def _groups(path: Path) -> Iterator[dict[str, Any]]:
    """The groups of subtrees that a grammar found, strongest first, with drawings."""
    if not path.is_file():
        return

    def drawn(group: Mapping[str, Any]) -> dict[str, Any]:
        patterns = group["patterns"][:_TREES_PER_GROUP]
        drawings = [{**pattern, "drawing": draw(pattern["tree"])} for pattern in patterns]
        return {**group, "drawn": drawings}

    yield from islice(load_json_lines(path, drawn, SURVEY_ADVICE), _GROUPS)


def _flat(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from ((f"{key} {name}", inner) for key, inner in _flat(value))
        elif value is not None and not isinstance(value, list):
            yield name, f"{value:.4g}" if isinstance(value, float) else str(value)


_STEP = 34
_LETTER = 7.2
_GAP = 18
_TOP = 16


@dataclass
class _Node:
    """A symbol over its children, or (without children) a word."""

    name: str
    children: list[_Node] = field(default_factory=list)


def draw(bracketed: str) -> dict[str, Any]:
    """Coordinates of ``(11 (12 dorian) (26 vale))``: words, symbols, and branches between them."""
    root = _read(bracketed)
    drawing: dict[str, Any] = {"words": [], "symbols": [], "branches": [], "bracketed": bracketed}
    floor = _TOP + _STEP * _depth(root)
    width, _ = _place(root, 0.0, _TOP, floor, drawing)
    return {**drawing, "width": round(width), "height": floor + 12}


def _read(bracketed: str) -> _Node:
    """The outermost node; a bracket that is never closed ends with the text."""
    top = _Node("")
    open_nodes = [top]
    for opening, closing, word in re.findall(r"\((\S+)|(\))|([^\s()]+)", bracketed):
        if opening:
            node = _Node(opening)
            open_nodes[-1].children.append(node)
            open_nodes.append(node)
        elif closing:
            open_nodes = open_nodes[:-1] if len(open_nodes) > 1 else open_nodes
        else:
            open_nodes[-1].children.append(_Node(word))
    return top.children[0] if len(top.children) == 1 else top


def _depth(node: _Node) -> int:
    return 1 + max(map(_depth, node.children)) if node.children else 0


def _place(
    node: _Node, left: float, y: float, floor: float, drawing: dict[str, Any]
) -> tuple[float, float]:
    """Draw a node and all below it; returns its right end and its middle."""
    if not node.children:
        width = max(1, len(node.name)) * _LETTER + _GAP
        drawing["words"].append((round(left + width / 2, 1), floor, node.name))
        return left + width, left + width / 2
    reach = left
    middles = []
    for child in node.children:
        reach, middle = _place(child, reach, y + _STEP, floor, drawing)
        middles.append((middle, floor - 13 if not child.children else y + _STEP - 12))
    here = (middles[0][0] + middles[-1][0]) / 2
    drawing["symbols"].append((round(here, 1), y, node.name))
    drawing["branches"] += [(round(here, 1), y + 4, round(x, 1), end) for x, end in middles]
    return reach, here
