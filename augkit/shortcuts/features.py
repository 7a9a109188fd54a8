"""The features of labelled texts: counted by label, looked up in a row.

A feature of one field is counted over the different texts of that field with their labels, not over
rows: a claim that stands beside twenty pieces of evidence is one claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.types import Example
from augkit.shortcuts.cues import BOTH, Feature
from augkit.text.features.document_counts import (
    DocumentCounts,
    LabelledTexts,
    feature_counts,
    format_counts,
    length_counts,
    ngram_counts,
    position_counts,
    token_counts,
)
from augkit.text.features.kinds import (
    FIRST_WORD,
    FORM,
    FORMAT,
    LAST_WORD,
    formats,
    forms,
    lowered_words,
)
from augkit.text.features.numbering import label_numbers

LEAST_TEXTS = 10
"""Features in fewer texts are not counted."""
LONGEST = 3
"""Words of the longest n-gram."""
OVERLAP = "overlap"
_LENGTH = re.compile(r"(?P<side>at most|over) (?P<size>\d+) (?P<unit>words|characters)")
_OVERLAP = re.compile(
    r"(?P<side>at most|over) (?P<size>\d+) % of the words of '(?P<of>.+)' in '(?P<inside>.+)'"
)


@dataclass(frozen=True)
class CountedField:
    """The features of one field, or of both together, and how often they occur by label."""

    name: str
    texts: LabelledTexts
    """Different texts with their labels."""
    rows: Ints
    """int[texts], the first row of each."""
    of_rows: Ints
    """int[rows], the text of each."""
    kinds: tuple[DocumentCounts[str], ...]

    @cached_property
    def features(self) -> list[Feature]:
        """All features, kind by kind."""
        return [Feature(self.name, kind.kind, name) for kind in self.kinds for name in kind.names]

    @cached_property
    def counts(self) -> Ints:
        """Documents of each label that hold each: int[features, labels]."""
        import numpy as np

        none = np.empty((0, len(self.texts.totals)), dtype=np.int64)
        return np.concatenate([none, *(kind.counts for kind in self.kinds)])

    def presence(self, numbers: Sequence[int]) -> Any:
        """Mark which texts have which of some features: sparse, 0 or 1 [texts, features]."""
        import numpy as np
        from scipy.sparse import hstack

        wanted = np.zeros(len(self.features), dtype=bool)
        wanted[list(numbers)] = True
        ordered = np.flatnonzero(wanted)
        ends = np.cumsum([0, *(len(kind.names) for kind in self.kinds)])
        parts = [
            kind.only(wanted[start:end]).presence(len(self.texts.labels))
            for kind, start, end in zip(self.kinds, ends, ends[1:], strict=False)
        ]
        together = hstack(parts, format="csc")
        return together[:, np.searchsorted(ordered, list(numbers))]


def count_features(examples: Sequence[Example]) -> list[CountedField]:
    """Count the features of every field, and of two fields those of both together."""
    fields = tuple(examples[0].fields)
    counted = []
    for field in fields:
        texts, rows, of_rows = _different(examples, (field,))
        counted.append(CountedField(field, texts, rows, of_rows, tuple(_of_texts(texts))))
    if len(fields) == 2:
        texts, rows, of_rows = _different(examples, fields)
        kinds = _overlaps([examples[row] for row in rows.tolist()], fields, texts)
        counted.append(CountedField(BOTH, texts, rows, of_rows, tuple(kinds)))
    return counted


def is_amount(kind: str) -> bool:
    """Tell whether features of a kind are bounds of one amount, a length or an overlap."""
    return kind == OVERLAP or kind.startswith("length")


def has_feature(feature: Feature, fields: Mapping[str, str]) -> bool:
    """Tell whether a row has a feature.

    >>> has_feature(Feature("text", "2-gram", "on time"), {"text": "Never on time."})
    True
    """
    return RowText(fields).has(feature)


@dataclass(frozen=True)
class RowText:
    """The fields of a row, read as far as features ask."""

    fields: Mapping[str, str]

    def has(self, feature: Feature) -> bool:
        """Tell whether the row has a feature."""
        if feature.kind == OVERLAP:
            return self._overlaps(feature.name)
        text = self._texts.get(feature.field)
        if text is None:
            text = self._texts[feature.field] = _Text(self.fields.get(feature.field, ""))
        return text.has(feature.kind, feature.name)

    @cached_property
    def _texts(self) -> dict[str, _Text]:
        return {}

    def _overlaps(self, name: str) -> bool:
        match = _OVERLAP.fullmatch(name)
        if match is None:
            return False
        texts = (self.fields.get(match[part], "") for part in ("of", "inside"))
        percent = 100 * _share(*({*lowered_words(text)} for text in texts))
        return (percent <= int(match["size"])) == (match["side"] == "at most")


@dataclass(frozen=True)
class _Text:
    """A text, of which words and formats are found once."""

    text: str

    def has(self, kind: str, name: str) -> bool:
        if kind == FORMAT:
            return name in self._formats
        if kind == FORM:
            return name in self._forms
        if kind.startswith("length"):
            return self._is_within(kind, name)
        if kind == FIRST_WORD:
            return self._words[:1] == [name]
        if kind == LAST_WORD:
            return self._words[-1:] == [name]
        return f" {name} " in self._spaced

    def _is_within(self, kind: str, bound: str) -> bool:
        match = _LENGTH.fullmatch(bound)
        size = len(self._words) if kind.endswith("words") else len(self.text)
        return match is not None and (size <= int(match["size"])) == (match["side"] == "at most")

    @cached_property
    def _words(self) -> list[str]:
        return lowered_words(self.text)

    @cached_property
    def _spaced(self) -> str:
        return f" {' '.join(self._words)} "

    @cached_property
    def _formats(self) -> set[str]:
        return {*formats(self.text)}

    @cached_property
    def _forms(self) -> set[str]:
        return {*forms(self.text)}


def _different(
    examples: Sequence[Example], fields: Sequence[str]
) -> tuple[LabelledTexts, Ints, Ints]:
    """Find the different texts with their labels, the first row of each, and the text of each row.

    All labels are numbered.
    """
    import numpy as np

    numbers: dict[tuple[str, ...], int] = {}
    first: list[int] = []
    of_rows: list[int] = []
    for number, row in enumerate(examples):
        key = (str(row.label), *(row.fields.get(field, "") for field in fields))
        text = numbers.setdefault(key, len(first))
        if text == len(first):
            first.append(number)
        of_rows.append(text)
    rows = np.array(first, dtype=np.int64)
    names, all_labels = label_numbers([str(row.label) for row in examples])
    labels = all_labels[rows]
    texts = ["\n".join(texts) for _, *texts in numbers]
    labelled = LabelledTexts(texts, labels, np.bincount(labels, minlength=len(names)))
    return labelled, rows, np.array(of_rows, dtype=np.int64)


def _of_texts(texts: LabelledTexts) -> Iterator[DocumentCounts[str]]:
    """The features of texts, kind by kind."""
    yield token_counts(texts, LEAST_TEXTS)
    yield from ngram_counts(texts, LEAST_TEXTS, LONGEST)
    yield from position_counts(texts, LEAST_TEXTS)
    yield format_counts(texts, LEAST_TEXTS)
    yield feature_counts(texts, forms, LEAST_TEXTS, FORM)
    for lengths in length_counts(texts):
        yield lengths.only(lengths.counts.sum(axis=1) >= LEAST_TEXTS)


def _overlaps(
    examples: Sequence[Example], fields: tuple[str, ...], texts: LabelledTexts
) -> Iterator[DocumentCounts[str]]:
    """How many words of each field are in the other, up to each tenth of the rows and above."""
    import numpy as np

    words = [[{*lowered_words(row.fields.get(field, ""))} for row in examples] for field in fields]
    for of, inside in ((1, 0), (0, 1)):
        shares = np.array([_share(a, b) for a, b in zip(words[of], words[inside], strict=True)])
        percents: Floats = 100 * shares
        names = []
        counts = []
        for step in np.unique(np.quantile(percents, np.arange(1, 10) / 10).astype(int)).tolist():
            what = f"{step} % of the words of '{fields[of]}' in '{fields[inside]}'"
            for side, held in (("at most", percents <= step), ("over", percents > step)):
                names.append(f"{side} {what}")
                counts.append(_by_label(texts, held))
        kind = DocumentCounts(OVERLAP, names, np.array(counts, dtype=np.int64))
        yield kind.only(kind.counts.sum(axis=1) >= LEAST_TEXTS)


def _by_label(texts: LabelledTexts, held: Flags) -> Ints:
    import numpy as np

    counts: Ints = np.bincount(texts.labels[held], minlength=len(texts.totals))
    return counts


def _share(of: set[str], inside: set[str]) -> float:
    """The share of some words that are among others; none where there are none."""
    return len(of & inside) / len(of) if of else 0.0
