"""Word n-grams as features: the vocabulary, and how often and where each text has its terms.

A text of several fields (premise and hypothesis) has a feature space per field, so that a word of
the hypothesis is not the same feature as that word in the premise, and one space of all fields
together. No n-gram reaches from one field into the next.

Of a pair a space of cross features can be added (``CrossVocabulary``): a word of the first text
with a word of the second, and whether a word of the second is in the first at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple

from augkit.core.arrays import Floats, Ints
from augkit.core.contributions import Contributions
from augkit.core.errors import DataError
from augkit.core.types import Example

FieldTexts = Mapping[str, Sequence[str]]
"""Field → the texts of all rows."""

_TOKEN = re.compile(r"\b\w\w+\b")
"""Two word characters or more: what scikit-learn counts by default."""


class CountedToken(NamedTuple):
    """A token as it is counted, in lower case, and its span in the original text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True)
class NgramVocabulary:
    """The n-grams of some fields, sorted; models that differ only in weights share it."""

    fields: tuple[str, ...]
    terms: tuple[str, ...]
    ngrams: int

    def count(self, texts: FieldTexts) -> Any:
        """N-grams counted field by field and added up: sparse int[rows, terms]."""
        import numpy as np

        tokens = _number_words(texts, self.fields, self.tree.words)
        placed = list(self.tree.find(tokens))
        rows = np.concatenate([tokens.rows[first] for first, _ in placed])
        columns = np.concatenate([column for _, column in placed])
        shape = len(texts[self.fields[0]]), len(self.terms)
        return _count(rows, columns, shape)[0]

    def record(self) -> dict[str, Any]:
        """As plain values; ``of`` reads them."""
        return {"fields": self.fields, "terms": self.terms}

    @classmethod
    def of(cls, record: Mapping[str, Any], ngrams: int) -> NgramVocabulary:
        """The vocabulary of a saved record."""
        kind = CrossVocabulary if record.get("cross") else NgramVocabulary
        return kind(tuple(record["fields"]), tuple(record["terms"]), ngrams)

    @property
    def lengths(self) -> Ints:
        """The number of words of each n-gram: int[terms]."""
        import numpy as np

        return np.array([term.count(" ") + 1 for term in self.terms])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """N-gram → its column."""
        return {term: number for number, term in enumerate(self.terms)}

    @cached_property
    def tree(self) -> NgramTree:
        """The n-grams in a form that finds them in numbered words."""
        return NgramTree.of(self.terms, self.ngrams)


class WordTokens(NamedTuple):
    """Words of several texts, one text after another: int[tokens] each.

    ``words`` are numbers, -1 for a word that has none; ``texts`` is another number for each text.
    """

    words: Ints
    rows: Ints
    texts: Ints


def _number_words(
    texts: FieldTexts, fields: Sequence[str], words: dict[str, int], *, grows: bool = False
) -> WordTokens:
    """The words of all texts by their numbers; with ``grows`` new words get the next numbers."""
    import numpy as np

    several = [_TOKEN.findall(text.lower()) for field in fields for text in texts[field]]
    all_words = chain.from_iterable(several)
    if grows:
        new = [word for word in dict.fromkeys(all_words) if word not in words]
        words.update(zip(new, range(len(words), len(words) + len(new)), strict=True))
        all_words = chain.from_iterable(several)
    numbers = np.fromiter(map(words.get, all_words, repeat(-1)), dtype=np.int64)
    home = np.repeat(np.arange(len(several)), list(map(len, several)))
    return WordTokens(numbers, home % max(1, len(texts[fields[0]])), home)


@dataclass(frozen=True)
class NgramTree:
    """N-grams as a tree of words: each level adds a word to the nodes of the level before.

    ``levels`` has for each length the sorted keys of its nodes, node before * words + word, and
    the column of each node, -1 where it is only the beginning of longer n-grams.
    """

    words: dict[str, int]
    levels: tuple[tuple[Ints, Ints], ...]

    @classmethod
    def of(cls, terms: Sequence[str], longest: int) -> NgramTree:
        """The tree of n-grams that have spaces between their words."""
        import numpy as np

        split = [term.split(" ") for term in terms]
        words: dict[str, int] = {}
        for term in split:
            for word in term:
                words.setdefault(word, len(words))
        sizes = np.array([len(term) for term in split], dtype=np.int64)
        node = np.zeros(len(terms), dtype=np.int64)
        levels = []
        for size in range(1, longest + 1):
            long = np.flatnonzero(sizes >= size)
            last = np.fromiter((words[split[n][size - 1]] for n in long.tolist()), dtype=np.int64)
            keys, node[long] = np.unique(node[long] * len(words) + last, return_inverse=True)
            columns = np.full(len(keys), -1, dtype=np.int64)
            ends = np.flatnonzero(sizes == size)
            columns[node[ends]] = ends
            levels.append((keys, columns))
        return cls(words, tuple(levels))

    def find(self, tokens: WordTokens) -> Iterator[tuple[Ints, Ints]]:
        """For each length the first tokens of the n-grams of that length, and their columns."""
        import numpy as np

        first = np.flatnonzero(tokens.words >= 0)
        node = np.zeros(len(first), dtype=np.int64)
        for size, (keys, columns) in enumerate(self.levels):
            first, node, last = _longer(tokens, first, node, size)
            key = node * len(self.words) + last
            place = np.searchsorted(keys, key)
            inside = np.flatnonzero((last >= 0) & (place < len(keys)))
            hits = inside[keys[place[inside]] == key[inside]]
            first = first[hits]
            node = place[hits]
            is_term = columns[node] >= 0
            yield first[is_term], columns[node][is_term]


def _longer(tokens: WordTokens, first: Ints, node: Ints, size: int) -> tuple[Ints, Ints, Ints]:
    """Those n-grams of ``size`` words that have a next word in their text, and that word."""
    import numpy as np

    inside = np.flatnonzero(first + size < len(tokens.words))
    same = tokens.texts[first[inside]] == tokens.texts[first[inside] + size]
    chosen = inside[same]
    return first[chosen], node[chosen], tokens.words[first[chosen] + size]


_BETWEEN = "\t"
_SHARED = "="
_UNSTATED = "!"
"""Between the two words of a cross feature; and where a word is in both texts or in one alone."""


class CrossVocabulary(NgramVocabulary):
    r"""Features of two texts together, by their words.

    For each word w of the second text: "=" and "=\tw" if the first text has it, otherwise "!",
    "!\tw" and "v\tw" for each word v of the first text that the second has not.
    """

    def record(self) -> dict[str, Any]:
        """As plain values; ``NgramVocabulary.of`` reads them."""
        return {**super().record(), "cross": True}

    def count(self, texts: FieldTexts) -> Any:
        """The features of each pair, counted: sparse int[rows, terms]."""
        import numpy as np

        first, second = (texts[name] for name in self.fields)
        numbers = self.numbers
        rows = []
        columns = []
        for row, pair in enumerate(zip(first, second, strict=True)):
            for term, _ in cross_terms(*([t.word for t in tokens_of(text)] for text in pair)):
                if term in numbers:
                    rows.append(row)
                    columns.append(numbers[term])
        shape = (len(first), len(self.terms))
        return _count(np.array(rows, np.int64), np.array(columns, np.int64), shape)[0]

    @property
    def lengths(self) -> Ints:
        """Such a feature counts with n-grams of any length."""
        import numpy as np

        return np.ones(len(self.terms), dtype=np.int64)


def cross_terms(
    first: Sequence[str], second: Sequence[str]
) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    r"""The cross features of two texts, each with its words: (which text, which word).

    >>> [term.replace("\t", " ") for term, _ in cross_terms(["dog", "runs"], ["dog", "sleeps"])]
    ['=', '= dog', '!', '! sleeps', 'runs sleeps']
    """
    places: dict[str, int] = {}
    for number, word in enumerate(first):
        places.setdefault(word, number)
    alone = {word: place for word, place in places.items() if word not in set(second)}
    for number, word in enumerate(second):
        if word in places:
            both = ((0, places[word]), (1, number))
            yield _SHARED, both
            yield f"{_SHARED}{_BETWEEN}{word}", both
            continue
        yield _UNSTATED, ((1, number),)
        yield f"{_UNSTATED}{_BETWEEN}{word}", ((1, number),)
        for rival, place in alone.items():
            yield f"{rival}{_BETWEEN}{word}", ((0, place), (1, number))


def fit_cross(texts: FieldTexts, fields: tuple[str, ...], min_df: int) -> tuple[Any, Any] | None:
    """The cross features in at least ``min_df`` rows, and their counts."""
    frequency: Counter[str] = Counter()
    for pair in zip(*(texts[name] for name in fields), strict=True):
        words = ([token.word for token in tokens_of(text)] for text in pair)
        frequency.update({term for term, _ in cross_terms(*words)})
    terms = tuple(sorted(term for term, count in frequency.items() if count >= min_df))
    vocabulary = CrossVocabulary(fields, terms, 1)
    return (vocabulary, vocabulary.count(texts)) if terms else None


def fit_ngrams(
    texts: FieldTexts, fields: tuple[str, ...], ngrams: int, min_df: int
) -> tuple[NgramVocabulary, Any] | None:
    """The n-grams in at least ``min_df`` rows, and their counts; None where there is none."""
    import numpy as np

    words: dict[str, int] = {}
    tokens = _number_words(texts, fields, words, grows=True)
    names = list(words)
    spelled = [""]
    terms = list[str]()
    placed = []
    first = np.arange(len(tokens.words))
    node = np.zeros(len(first), dtype=np.int64)
    for size in range(ngrams):
        first, node, last = _longer(tokens, first, node, size)
        first, node, keys = _frequent(tokens.rows[first], first, node * len(names) + last, min_df)
        before, after = np.divmod(keys, max(1, len(names)))
        pairs = zip(before.tolist(), after.tolist(), strict=True)
        spelled = [
            f"{spelled[start]} {names[word]}" if size else names[word] for start, word in pairs
        ]
        placed.append((tokens.rows[first], node + len(terms)))
        terms += spelled
    if not terms:
        return None
    rows, numbers = (np.concatenate(parts) for parts in zip(*placed, strict=True))
    order = sorted(range(len(terms)), key=terms.__getitem__)
    columns = np.empty(len(terms), dtype=np.int64)
    columns[order] = np.arange(len(terms))
    vocabulary = NgramVocabulary(fields, tuple(terms[number] for number in order), ngrams)
    shape = len(texts[fields[0]]), len(terms)
    return vocabulary, _count(rows, columns[numbers], shape)[0]


def _frequent(rows: Ints, first: Ints, keys: Ints, least: int) -> tuple[Ints, Ints, Ints]:
    """The n-grams in so many rows: where they begin, their numbers, and the keys by number.

    An n-gram is as rare as its rarest part: what is left out here is not looked at again.
    """
    import numpy as np

    different, number = np.unique(keys, return_inverse=True)
    height = int(rows.max(initial=0)) + 1
    in_rows = np.unique(number * height + rows) // height
    is_frequent = np.bincount(in_rows, minlength=len(different)) >= least
    chosen = np.flatnonzero(is_frequent[number])
    renumbered = np.cumsum(is_frequent) - 1
    return first[chosen], renumbered[number[chosen]], different[is_frequent]


@dataclass(frozen=True)
class NgramCounts:
    """Rows whose n-grams are counted: the vocabularies and, for each, the counts."""

    fields: tuple[str, ...]
    vocabularies: tuple[NgramVocabulary, ...]
    counts: tuple[Any, ...]

    def rows(self, indices: Ints) -> NgramCounts:
        """Some of the rows."""
        return NgramCounts(
            self.fields, self.vocabularies, tuple(counts[indices] for counts in self.counts)
        )

    def only(self, columns: Sequence[Ints], ngrams: int) -> NgramCounts:
        """Some of the terms of each vocabulary, none longer than ``ngrams``."""
        vocabularies = tuple(
            replace(vocabulary, terms=tuple(vocabulary.terms[n] for n in chosen), ngrams=ngrams)
            for vocabulary, chosen in zip(self.vocabularies, columns, strict=True)
        )
        chosen_counts = tuple(
            counts[:, chosen] for counts, chosen in zip(self.counts, columns, strict=True)
        )
        return NgramCounts(self.fields, vocabularies, chosen_counts)


def count_ngrams(
    examples: Sequence[Example], ngrams: int, min_df: int, *, cross: bool = False
) -> NgramCounts:
    """Count the n-grams of rows that have the fields of the first; at least one must be left.

    With ``cross`` the cross features of pairs too.
    """
    fields = tuple(examples[0].fields)
    texts = texts_by_field(examples, fields)
    groups = field_groups(fields)
    fitted = [counted for group in groups if (counted := fit_ngrams(texts, group, ngrams, min_df))]
    if cross and len(fields) == 2 and (crossed := fit_cross(texts, fields, min_df)):
        fitted.append(crossed)
    if not fitted:
        raise DataError(
            f"no word or n-gram occurs in {min_df} or more of the {len(examples)} rows, so "
            "there is nothing to train on. Give more rows, or set min_df to 1"
        )
    vocabularies, counts = zip(*fitted, strict=True)
    return NgramCounts(fields, vocabularies, counts)


def row_frequency(counts: Any) -> Ints:
    """In how many rows each term occurs: int[terms]."""
    import numpy as np

    return np.bincount(counts.indices, minlength=counts.shape[1])


def field_groups(fields: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The fields of each feature space: every field alone, then all together.

    >>> field_groups(("text",)), field_groups(("premise", "hypothesis"))
    ([('text',)], [('premise',), ('hypothesis',), ('premise', 'hypothesis')])
    """
    return [fields] if len(fields) == 1 else [*((name,) for name in fields), fields]


def texts_by_field(examples: Sequence[Example], fields: Sequence[str]) -> dict[str, list[str]]:
    """The texts of each field, one a row; every row must have these fields and no others."""
    for row in examples:
        if set(row.fields) != set(fields):
            raise DataError(
                f"this classifier reads {', '.join(fields)}, and a row has "
                f"{', '.join(row.fields)}: train and test must have the same text fields"
            )
    return {name: [row.fields[name] for row in examples] for name in fields}


def tokens_of(text: str) -> list[CountedToken]:
    """The tokens that are counted, with their spans in the original text.

    >>> [token.word for token in tokens_of("It's a GOOD one.")]
    ['it', 'good', 'one']
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return [CountedToken(match.group(), *match.span()) for match in _TOKEN.finditer(lowered)]
    # A letter such as the dotted capital I becomes two in lower case: offsets are mapped back.
    offset = [index for index, char in enumerate(text) for _ in char.lower()]
    return [
        CountedToken(match.group(), offset[match.start()], offset[match.end() - 1] + 1)
        for match in _TOKEN.finditer(lowered)
    ]


@dataclass(frozen=True)
class Tokenised:
    """The tokens of all fields of all rows, one after another.

    ``spans`` is int[tokens, 4]: row, number of its field, start and end in its text.
    """

    fields: tuple[str, ...]
    rows: int
    words: list[str]
    spans: Ints

    def numbered(self, words: Mapping[str, int], fields: Sequence[int]) -> WordTokens:
        """The words by their numbers; those of other fields have none."""
        import numpy as np

        numbers = np.fromiter(map(words.get, self.words, repeat(-1)), dtype=np.int64)
        rows = self.spans[:, 0]
        numbers_of_fields = self.spans[:, 1]
        if len(fields) < len(self.fields):
            numbers[~np.isin(numbers_of_fields, fields)] = -1
        return WordTokens(numbers, rows, rows * len(self.fields) + numbers_of_fields)


@dataclass(frozen=True)
class Occurrences:
    """Every n-gram of one vocabulary: ``rows``, ``columns`` and ``entry`` are int[occurrences].

    ``entry`` is the index of its count in the sparse ``counts`` (int[rows, terms]); ``parts``
    (int[parts, 2]) are the tokens it is made of: occurrence, token.
    """

    rows: Ints
    columns: Ints
    parts: Ints
    counts: Any
    entry: Ints


def tokenise(examples: Sequence[Example], fields: tuple[str, ...]) -> Tokenised:
    """Read the tokens of every field of every row."""
    import numpy as np

    texts = texts_by_field(examples, fields)
    words: list[str] = []
    spans: list[tuple[int, int, int, int]] = []
    for number, field in enumerate(fields):
        for row, text in enumerate(texts[field]):
            for word, start, end in tokens_of(text):
                words.append(word)
                spans.append((row, number, start, end))
    return Tokenised(fields, len(examples), words, np.array(spans, dtype=np.int64).reshape(-1, 4))


def find_ngrams(tokenised: Tokenised, vocabulary: NgramVocabulary) -> Occurrences:
    """Look up the n-grams of a vocabulary in the fields that it is counted in."""
    import numpy as np

    if isinstance(vocabulary, CrossVocabulary):
        return _find_cross(tokenised, vocabulary)
    fields = [number for number, name in enumerate(tokenised.fields) if name in vocabulary.fields]
    by_length = list(vocabulary.tree.find(tokenised.numbered(vocabulary.tree.words, fields)))
    lengths = range(1, vocabulary.ngrams + 1)
    first, column = (np.concatenate(several) for several in zip(*by_length, strict=True))
    size = np.repeat(lengths, [len(firsts) for firsts, _ in by_length])
    rows = tokenised.spans[first, 0]
    counts, entry = _count(rows, column, (tokenised.rows, len(vocabulary.terms)))
    occurrence = np.repeat(np.arange(len(first)), size)
    step = np.arange(len(occurrence)) - np.repeat(np.cumsum(size) - size, size)
    parts = np.column_stack([occurrence, first[occurrence] + step])
    return Occurrences(rows, column, parts, counts, entry)


def _find_cross(tokenised: Tokenised, vocabulary: CrossVocabulary) -> Occurrences:
    import numpy as np

    numbers = vocabulary.numbers
    fields = [tokenised.fields.index(f) for f in vocabulary.fields]
    tokens: dict[tuple[int, int], list[int]] = {}
    for token, (row, field, _, _) in enumerate(tokenised.spans.tolist()):
        tokens.setdefault((row, field), []).append(token)
    rows: list[int] = []
    columns: list[int] = []
    parts: list[tuple[int, int]] = []
    for row in range(tokenised.rows):
        pair = [tokens.get((row, field), []) for field in fields]
        for term, places in cross_terms(*([tokenised.words[t] for t in text] for text in pair)):
            if term in numbers:
                parts += [(len(rows), pair[text][number]) for text, number in places]
                rows.append(row)
                columns.append(numbers[term])
    row_of = np.array(rows, np.int64)
    column = np.array(columns, np.int64)
    counts, entry = _count(row_of, column, (tokenised.rows, len(vocabulary.terms)))
    return Occurrences(row_of, column, np.array(parts, np.int64).reshape(-1, 2), counts, entry)


def gather_contributions(
    tokenised: Tokenised, occurrences: Sequence[Occurrences], scores: Floats, bias: Floats
) -> Contributions:
    """The n-grams of all vocabularies, one after another, with their scores."""
    import numpy as np

    parts = []
    offset = 0
    for in_space in occurrences:
        parts.append(in_space.parts + np.array([offset, 0]))
        offset += len(in_space.rows)
    return Contributions(tokenised.fields, tokenised.spans, scores, np.concatenate(parts), bias)


def _count(rows: Ints, columns: Ints, shape: tuple[int, int]) -> tuple[Any, Ints]:
    """Counts as a sparse matrix, and for each occurrence the index of its count in the data."""
    import numpy as np
    from scipy.sparse import csr_array

    keys, entry, counts = np.unique(
        rows * shape[1] + columns, return_inverse=True, return_counts=True
    )
    starts = np.searchsorted(keys, np.arange(shape[0] + 1) * shape[1])
    # Numbers of 32 bits where they do: the only ones that scikit-learn takes.
    places = np.int32 if max(len(keys), *shape) < 2**31 else np.int64
    indices = (keys % max(1, shape[1])).astype(places), starts.astype(places)
    return csr_array((counts, *indices), shape=shape), entry.astype(np.int64)
