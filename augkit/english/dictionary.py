"""lemminflect, with tables that read a word when it is asked for.

lemminflect reads all of its 120,000 lines before the first word, and imports spaCy to add two
attributes to its tokens, which nothing here uses. Both take longer than the words of a short run.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import Any

from augkit.core.light_imports import import_lemminflect


@cache
def lemminflect() -> Any:
    """The package; its dictionaries are replaced by tables that know the same words."""
    package = import_lemminflect()
    lemmatizer = package.Lemmatizer()
    inflections = package.Inflections()
    if not hasattr(lemmatizer, "lemma_dict"):
        lemmatizer.lemma_dict = _Table(lemmatizer.lemma_lu_fn, _lemmas)
    if not hasattr(inflections, "infl_dict"):
        from lemminflect.codecs.InflectionLUCodec import (  # type: ignore[import-untyped]
            InflectionLUCodec,
        )

        table = _Table(inflections.infl_lu_fn, _forms)
        table.update(InflectionLUCodec.updateForAuxMod({}))
        inflections.infl_dict = table
    return package


class _Table(dict[str, Any]):
    """The words of a file of sorted lines, WORD,CATEGORY,FORMS; a word is read once."""

    def __init__(self, path: str, read: Any) -> None:
        super().__init__()
        text = gzip.decompress(Path(path).read_bytes()).decode("utf-8")
        self._lines = sorted(text.splitlines())
        self._read = read

    def get(self, word: str, default: Any = None) -> Any:
        """What lemminflect asks of its dictionary."""
        if word not in self:
            content: dict[str, Any] = {}
            start = f"{word},"
            for number in range(bisect_left(self._lines, start), len(self._lines)):
                if not self._lines[number].startswith(start):
                    break
                content.update(self._read(self._lines[number]))
            self[word] = content
        return self[word] or default


def _lemmas(line: str) -> dict[str, Any]:
    from lemminflect.codecs.LemmaLUCodec import (  # type: ignore[import-untyped]
        LemmaLUCodec,
    )
    from lemminflect.core.LexicalUtils import categoryToUPos  # type: ignore[import-untyped]

    _, category, forms = LemmaLUCodec.fromString(line)
    return {categoryToUPos(category): forms}


def _forms(line: str) -> dict[str, Any]:
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec

    forms: dict[str, Any] = InflectionLUCodec.fromString(line)[2]
    return forms
