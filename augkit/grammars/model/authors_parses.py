"""Parses that the paper's authors published, or that their code wrote.

Their ``train.tsv`` has the columns ``sentence`` (or ``sentence1`` and ``sentence2``) and ``tree``;
``predictions.NAME.json`` is a list of ``{"e": {"text": ...}, "tree": ...}``, or of pairs with
``"e": {"a": {"text": ...}, "b": {"text": ...}}``. A tree is brackets:

    (9 (14 (82 a/a) (32 dog/cat)) (50 playing/))

A leaf of a pair is cut at its "/", which may be a word itself; an empty side is the empty word.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.grammars.model.corpus import (
    UNKNOWN,
    GrammarCorpus,
    LeftOut,
    TextUnit,
    TextWord,
    WordVocabulary,
)
from augkit.grammars.trees import ABSENT, Trees

_PIECE = re.compile(r"[()]|[^\s()]+")
_PAIR = re.compile(r"(/|[^/]*)/(/|[^/]*)")

Leaf = tuple[str, str]
"""A word, and for pairs the word beside it; "" is the empty word."""


def is_parse_file(path: Path) -> bool:
    """Whether a file of trees is in the authors' format, by its name."""
    return path.suffix in {".tsv", ".json"}


def read_parses(
    path: Path, examples: Sequence[Example]
) -> tuple[GrammarCorpus, WordVocabulary, Trees]:
    """The examples that have a tree in a file, by their texts; the words are the trees' leaves."""
    brackets = _read_file(path)
    fields = tuple(examples[0].fields)
    rows: list[Example] = []
    units: list[TextUnit] = []
    left_out: list[LeftOut] = []
    parses: list[WordTree] = []
    for row in examples:
        text = brackets.get(_key(row.fields.values()), "")
        tree = parse_brackets(text, paired=len(fields) == 2)
        if tree is None:
            reason = "tree cannot be read" if text else "no tree in the file"
            left_out.append(LeftOut(row.id, reason, text))
            continue
        # Where the words are in the text, the file does not say.
        columns = list(zip(*tree.leaves, strict=True))[: len(fields)]
        sides = ([TextWord(word, 0, 0) for word in column if word] for column in columns)
        units.append(TextUnit(len(rows), tuple(sides)))
        rows.append(row)
        parses.append(tree)
    if not rows:
        raise DataError(
            f"{path}: none of its {len(brackets):,} trees is of one of the {len(examples):,} rows. "
            "They are found by their texts: give the same file as --dataset"
        )
    words = {word for tree in parses for leaf in tree.leaves for word in leaf}
    vocabulary = WordVocabulary((UNKNOWN, *sorted(words - {UNKNOWN, ""})))
    trees = Trees.join([tree.numbered(n, vocabulary) for n, tree in enumerate(parses)])
    return GrammarCorpus(rows, fields, units, left_out), vocabulary, trees


def _read_file(path: Path) -> dict[tuple[str, ...], str]:
    """The tree of every text, or pair of texts."""
    try:
        if path.suffix == ".json":
            records = json.loads(path.read_text(encoding="utf-8"))
            return {
                _key(
                    [record["e"][side]["text"] for side in "ab"]
                    if "a" in record["e"]
                    else [record["e"]["text"]]
                ): record["tree"]
                for record in records
            }
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file, delimiter="\t"))
        names = ("sentence1", "sentence2") if "sentence1" in lines[0] else ("sentence",)
        return {_key(line[name] for name in names): line["tree"] for line in lines}
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        csv.Error,
    ) as error:
        raise DataError(f"{path}: cannot be read as parses of the authors: {error!r}") from error


def _key(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(" ".join(text.split()) for text in texts)


@dataclass(frozen=True)
class WordTree:
    """The nodes of one tree in post-order; those that are no leaves have no words."""

    label: list[int] = field(default_factory=list)
    children: list[tuple[int, int]] = field(default_factory=list)
    words: list[Leaf | None] = field(default_factory=list)

    @property
    def leaves(self) -> list[Leaf]:
        """The leaves in order."""
        return [leaf for leaf in self.words if leaf is not None]

    def numbered(self, document: int, vocabulary: WordVocabulary) -> Trees:
        """The tree with the numbers of its words."""
        import numpy as np

        sides = []
        for side in range(2):
            words = [leaf[side] if leaf else "" for leaf in self.words]
            absent = np.array([not word for word in words])
            sides.append(np.where(absent, ABSENT, vocabulary.encode(words)).astype(np.int32))
        left, right = np.array(self.children, np.int32).T
        doc = np.full(len(self.label), document, np.int32)
        return Trees(np.array(self.label, np.int32), left, right, sides[0], sides[1], doc)


def parse_brackets(text: str, *, paired: bool) -> WordTree | None:
    """The nodes of a tree; None for what is no binary tree of at least two leaves.

    >>> parse_brackets("(9 (14 a/a) (32 dog/))", paired=True).leaves
    [('a', 'a'), ('dog', '')]
    """
    tree = WordTree()
    open_nodes: list[list[str | int]] = []
    pieces = _PIECE.findall(text)
    for index, piece in enumerate(pieces):
        if piece == "(":
            open_nodes.append([])
        elif not open_nodes:
            return None
        elif piece != ")":
            open_nodes[-1].append(piece)
        else:
            node = _close(tree, open_nodes.pop(), paired)
            if node is None or bool(open_nodes) == (index == len(pieces) - 1):
                return None
            if open_nodes:
                open_nodes[-1].append(node)
    return tree if len(tree.leaves) > 1 and not open_nodes else None


def _close(tree: WordTree, node: Sequence[str | int], paired: bool) -> int | None:
    """Append a node that is complete; None where it is neither a leaf nor has two children."""
    match node:
        case [str(label), str(word)] if label.isdecimal():
            match = _PAIR.fullmatch(word) if paired else None
            if paired and match is None:
                return None
            tree.words.append((match[1], match[2]) if match else (word, ""))
            tree.children.append((ABSENT, ABSENT))
        case [str(label), int(left), int(right)] if label.isdecimal():
            tree.words.append(None)
            tree.children.append((left, right))
        case _:
            return None
    tree.label.append(int(label))
    return len(tree.label) - 1
