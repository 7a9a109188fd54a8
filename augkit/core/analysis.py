"""A text as a parser reads it: words with their spans, lemmas, tags, heads and sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign of a text: ``text == analysis.text[start:end]``.

    ``head`` is the index of the word it hangs on; the root of a sentence is its own head.
    ``morph`` holds features such as ``{"Number": "Plur"}``.
    """

    index: int
    start: int
    end: int
    text: str
    lemma: str
    upos: str
    xpos: str
    morph: Mapping[str, str] = field(hash=False)
    head: int
    deprel: str
    sentence: int

    @property
    def is_root(self) -> bool:
        """Whether it hangs on nothing."""
        return self.head == self.index

    def is_relation(self, *relations: str) -> bool:
        """Whether its relation is one of these or a subtype: "nsubj" covers "nsubj:pass"."""
        return self.deprel in relations or self.deprel.partition(":")[0] in relations


@dataclass(frozen=True)
class Analysis:
    """A text and its tokens, in order; white space and ``<br />`` tags are in no token."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def sentences(self) -> tuple[tuple[Token, ...], ...]:
        """The tokens of each sentence; ``token.sentence`` is an index into it."""
        return tuple(
            tuple(run) for _, run in groupby(self.tokens, key=lambda token: token.sentence)
        )

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What rules worked out about the text, by name, so that they do it once."""
        return {}

    @cached_property
    def _children(self) -> tuple[tuple[Token, ...], ...]:
        children: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if not token.is_root:
                children[token.head].append(token)
        return tuple(tuple(tokens) for tokens in children)

    def children(self, token: Token, *relations: str) -> tuple[Token, ...]:
        """The tokens that hang directly on one, in order; only those of ``relations`` if given."""
        children = self._children[token.index]
        if not relations or not children:
            return children
        return tuple([t for t in children if t.is_relation(*relations)])

    def head(self, token: Token) -> Token:
        """The token it hangs on; the root itself for a root."""
        return self.tokens[token.head]

    def subtree(self, token: Token) -> tuple[Token, ...]:
        """A token and all that hangs on it, directly or not, in order."""
        tokens: list[Token] = []
        waiting = [token]
        while waiting:
            tokens.append(waiting.pop())
            waiting += self._children[tokens[-1].index]
        return tuple(sorted(tokens, key=lambda token_of_tree: token_of_tree.index))

    def word_at(self, index: int) -> str:
        """The lower-case word of the token at an index; "" outside the text."""
        return self.tokens[index].text.lower() if 0 <= index < len(self.tokens) else ""

    def token_at(self, offset: int) -> Token | None:
        """The token that covers a character of the text, if one does."""
        index = bisect_right(self.tokens, offset, key=lambda token: token.start) - 1
        if index >= 0 and offset < self.tokens[index].end:
            return self.tokens[index]
        return None
