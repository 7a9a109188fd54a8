"""A bracketed tree as a drawing: words in a row, symbols above the words they cover."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_STEP, _LETTER, _GAP, _TOP = 34, 7.2, 18, 16


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
    reach, middles = left, []
    for child in node.children:
        reach, middle = _place(child, reach, y + _STEP, floor, drawing)
        middles.append((middle, floor - 13 if not child.children else y + _STEP - 12))
    here = (middles[0][0] + middles[-1][0]) / 2
    drawing["symbols"].append((round(here, 1), y, node.name))
    drawing["branches"] += [(round(here, 1), y + 4, round(x, 1), end) for x, end in middles]
    return reach, here
