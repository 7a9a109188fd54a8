"""Grammars: one parse tree with the subtree that gives the label away, and its label shares."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from drawings.runs import finished, rows
from drawings.svg import MARGIN, WIDTH, Picture

_SETTINGS = {
    "symbols": 8,
    "leaves": 10,
    "width": 32,
    "epochs": 8,
    "restarts": 2,
    "batch_size": 16,
    "learning_rate": 0.005,
    "min_count": 1,
    "device": "cpu",
}
_PHRASE = "at night"
_WORDS = 7
_LEVEL = 24


class Node(NamedTuple):
    """A node of a parse tree: its symbol, and its children or its word."""

    symbol: str
    children: tuple[Node, ...] = ()
    word: str = ""


def collect() -> dict[str, Any]:
    """Induce a grammar from texts with planted phrases; keep one tree and the phrase's shares."""
    sys.path.append(str(Path(__file__).parents[2]))
    from lab.planted_phrases import LABELS, Planting, plant  # noqa: PLC0415

    planted = plant(4000, Planting(fragments=0.3), seed=0)
    texts = list(zip(planted.sentences, (LABELS[y] for y in planted.labels.tolist()), strict=True))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "planted.jsonl"
        lines = [json.dumps({"text": text, "label": label}) for text, label in texts]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        with finished(_command(str(file))) as found:
            return shown(found, texts)


def _command(file: str) -> str:
    """What finds the phrases in a file of texts."""
    settings = " ".join(f"--set {name}={value}" for name, value in _SETTINGS.items())
    return f"augkit shortcuts {file} --by grammar --set seed=0 {settings}"


def shown(found: Path, texts: list[tuple[str, str]]) -> dict[str, Any]:
    """A tree of a found folder that has the phrase, the phrase's shares, and those of its words."""
    groups = rows(found / "features.jsonl")[:2]
    patterns = [one for group in groups for one in group["patterns"]]
    phrase = next(one for one in patterns if one["pattern"] == _PHRASE)
    trees = (found / "trees.txt").read_text(encoding="utf-8").splitlines()
    spelled = [line.split("\t")[1] for line in trees]
    tree = next(it for it in spelled if phrase["tree"] in it and it.count(" ") >= _WORDS * 2)
    return {
        "command": _command("planted.jsonl"),
        "tree": tree,
        "phrase": phrase["tree"],
        "groups": [_group(group) for group in groups],
        "words": {word: _counts(texts, word) for word in _PHRASE.split()},
    }


def _group(group: dict[str, Any]) -> dict[str, Any]:
    """The patterns of a group, and the labels of the held-out texts that have one."""
    names = [one["pattern"] for one in group["patterns"]]
    return {"patterns": names, "held_out": group["held_out_counts"]}


def _counts(texts: list[tuple[str, str]], word: str) -> dict[str, int]:
    """How often texts with a word have each label."""
    return dict(sorted(Counter(label for text, label in texts if word in text.split()).items()))


def draw(data: dict[str, Any]) -> str:
    """The tree above its words, then a bar for each word and one for the phrase."""
    tree, phrase = parsed(data["tree"]), parsed(data["phrase"])
    words = " ".join(leaves(phrase))
    shares = {word: _shares(counts) for word, counts in data["words"].items()}
    groups = {" · ".join(it["patterns"]): _shares(it["held_out"]) for it in data["groups"]}
    picture = Picture(
        "A grammar finds phrases that give the label away",
        f"The parse tree of “{' '.join(leaves(tree))}” with the subtree “{words}”. "
        + " ".join(f"Of texts with “{it}” {_spoken(some)}." for it, some in shares.items())
        + " "
        + " ".join(f"Of held-out texts with {it} {_spoken(some)}." for it, some in groups.items()),
    )
    picture.heading("A text, parsed by the induced grammar")
    _draw_tree(picture, tree, phrase)
    picture.arrow("count every subtree with the labels")
    picture.heading("What a word says about the label")
    for word, some in shares.items():
        picture.shares(word, some)
    picture.space(6)
    picture.heading("What the subtrees say, on held-out texts")
    for patterns, some in groups.items():
        picture.paragraph([(patterns, "principal")])
        picture.shares("", some)
    return picture.svg()


def parsed(text: str) -> Node:
    """A tree written as ``(0 (3 the) (2 ...))``."""
    tokens = re.findall(r"[()]|[^\s()]+", text)

    def read(index: int) -> tuple[Node, int]:
        symbol, index = tokens[index + 1], index + 2
        if tokens[index] != "(":
            return Node(symbol, word=tokens[index]), index + 2
        children = []
        while tokens[index] == "(":
            child, index = read(index)
            children.append(child)
        return Node(symbol, tuple(children)), index + 1

    return read(0)[0]


def leaves(node: Node) -> list[str]:
    """The words below a node."""
    return [node.word] if node.word else [word for it in node.children for word in leaves(it)]


def _height(node: Node) -> int:
    return 1 + max((_height(child) for child in node.children), default=0)


def _draw_tree(picture: Picture, tree: Node, marked: Node) -> None:
    """Every node at the middle of its words, as high as the tree below it."""
    step = (WIDTH - 2 * MARGIN) / len(leaves(tree))
    bottom = picture.y + _LEVEL * _height(tree) + 6

    def draw_node(node: Node, first: int, strong: bool) -> tuple[float, float]:
        strong = strong or node == marked
        y = bottom - _LEVEL * _height(node)
        if node.word:
            x = MARGIN + step * (first + 0.5)
            kind = "principal" if strong else ""
            picture.text(x, bottom, [(node.word, kind)], "middle")
            return x, bottom - 14
        ends = []
        for child in node.children:
            ends.append(draw_node(child, first, strong))
            first += len(leaves(child))
        x = sum(end[0] for end in ends) / len(ends)
        for end in ends:
            picture.line(x, y, *end, "strong" if strong else "line")
        return x, y

    draw_node(tree, 0, strong=False)
    picture.y = bottom + 8


def _shares(counts: dict[str, int]) -> list[tuple[str, float]]:
    total = sum(counts.values())
    return [(label, count / total) for label, count in counts.items()]


def _spoken(shares: list[tuple[str, float]]) -> str:
    return ", ".join(f"{share:.0%} are {label}" for label, share in shares)
