"""Parses of texts in a file, so that what was parsed for fitting is not parsed again for the rows.

The file has two lines of JSON, the names of lemmas, tags, features and relations and the keys of
the texts, and then a line a text: columns of numbers, one number a token. A text is decoded when it
is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from augkit.core.analysis import Analysis, Token
from augkit.core.protocols import Parser
from augkit.core.types import digest
from augkit.english.parser import features

_MOST_TOKENS = 1_000_000
"""Tokens stored at most: some 40 MB."""


@dataclass(frozen=True)
class StoredParses:
    """Encoded parses by the digest of their text."""

    names: Sequence[str] = ()
    lines: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, analyses: Iterable[Analysis]) -> StoredParses:
        """The first of these, as many as have room."""
        numbers: dict[str, int] = {}
        lines: dict[str, bytes] = {}
        total = 0
        for analysis in analyses:
            total += len(analysis.tokens)
            if total > _MOST_TOKENS:
                break
            lines[digest(analysis.text)] = orjson.dumps(_columns(analysis, numbers))
        return cls(tuple(numbers), lines)

    def get(self, text: str) -> Analysis | None:
        """The parse of a text, if it is there."""
        line = self.lines.get(digest(text))
        if line is None:
            return None
        names = self.names
        tokens = [
            Token(
                index=index,
                start=start,
                end=end,
                text=text[start:end],
                lemma=names[lemma],
                upos=names[upos],
                xpos=names[xpos],
                morph=features(names[morph]),
                head=head,
                deprel=names[deprel],
                sentence=sentence,
            )
            for index, (start, end, head, sentence, lemma, upos, xpos, morph, deprel) in enumerate(
                zip(*orjson.loads(line), strict=True)
            )
        ]
        return Analysis(text, tuple(tokens))

    def save(self, path: Path) -> None:
        """Write the file."""
        head = [list(self.names), list(self.lines)]
        path.write_bytes(b"\n".join([*map(orjson.dumps, head), *self.lines.values()]))

    @classmethod
    def load(cls, path: Path) -> StoredParses:
        """Read the file; no parses where there is none."""
        if not path.exists():
            return cls()
        names, keys, *lines = path.read_bytes().split(b"\n")
        return cls(orjson.loads(names), dict(zip(orjson.loads(keys), lines, strict=True)))


def _columns(analysis: Analysis, numbers: dict[str, int]) -> list[list[int]]:
    """The columns of a text; new names get the next numbers."""
    tokens = analysis.tokens
    places = [[getattr(t, name) for t in tokens] for name in ("start", "end", "head", "sentence")]
    named = [[getattr(t, name) for t in tokens] for name in ("lemma", "upos", "xpos")]
    named.append(["|".join(map("=".join, t.morph.items())) for t in tokens])
    named.append([t.deprel for t in tokens])
    return places + [[numbers.setdefault(n, len(numbers)) for n in column] for column in named]


@dataclass(frozen=True)
class StoredFirst:
    """A parser that takes a stored parse where there is one."""

    stored: StoredParses
    parser: Parser

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text, in order."""
        ready = [self.stored.get(text) for text in texts]
        pairs = zip(texts, ready, strict=True)
        new = iter(self.parser.parse([text for text, analysis in pairs if analysis is None]))
        return [next(new) if analysis is None else analysis for analysis in ready]
