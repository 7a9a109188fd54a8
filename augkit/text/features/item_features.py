"""Features that rank the candidates of an item, and how well each of them finds the winner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from augkit.core.arrays import Floats
from augkit.core.choices import Choice
from augkit.text.features.amounts import FORMAT_AMOUNTS, LENGTHS, Amount, WordAmount
from augkit.text.features.document_counts import (
    DocumentCounts,
    LabelledTexts,
    format_counts,
    ngram_counts,
    position_counts,
    token_counts,
)
from augkit.text.features.kinds import FORMAT, lowered_words
from augkit.text.features.misspelt import misspelt_words
from augkit.text.features.within_items import Items, RankedItems
from augkit.text.same_text import content_digest

PLACE = "winner_place"
_AMOUNTS_TELL = frozenset(
    {"a digit", "a link", "a line break", "a word in capitals", "sign !", "sign ?"}
)
"""Formats whose amount is compared, which tells more than whether there is any."""


_LEAST_MISSPELT = 0.05
"""Of all items: with fewer candidates that have a misspelt word, it is no habit."""


@dataclass(frozen=True)
class ItemTexts:
    """Choices that are decided, and their candidates as tests compare them."""

    choices: Sequence[Choice]
    places_matter: bool
    """Whether the place of a winner is the data's, and not the shape's."""

    @cached_property
    def units(self) -> list[str]:
        """What each item belongs to: its group, else its prompt, else its candidates."""
        return [
            choice.group
            or content_digest([choice.prompt] if choice.prompt else sorted(choice.candidates))
            for choice in self.choices
        ]

    @cached_property
    def items(self) -> Items:
        """All candidates, one item after another."""
        import numpy as np

        numbers = np.repeat(np.arange(len(self.choices)), [len(c.candidates) for c in self.choices])
        won = [n in c.winners for c in self.choices for n in range(len(c.candidates))]
        known: dict[str, int] = {}
        units = [known.setdefault(unit, len(known)) for unit in self.units]
        return Items(numbers, np.array(won, dtype=bool), np.array(units, dtype=np.int64))

    @cached_property
    def labelled(self) -> LabelledTexts:
        """All candidates as texts that lost (0) or won (1)."""
        import numpy as np

        texts = [text for choice in self.choices for text in choice.candidates]
        won = self.items.won.astype(np.int64)
        return LabelledTexts(texts, won, np.bincount(won, minlength=2))

    def amounts(self, name: str, amount: Amount) -> Floats:
        """How much of something each candidate has: float[candidates]."""
        import numpy as np

        words = self.labelled.words
        if name == "words":
            return np.diff(words.ends).astype(np.float64)
        if not isinstance(amount, WordAmount):
            return np.array(list(map(amount, self.labelled.texts)), dtype=np.float64)
        listed = self._listed(amount.words)
        for phrase in amount.phrases:
            listed += self._said(phrase)
        return listed

    @cached_property
    def shared_words(self) -> Floats:
        """The share of a candidate's different words that are in the prompt: float[candidates]."""
        import numpy as np

        words = self.labelled.words
        shares = []
        number = 0
        for choice in self.choices:
            prompt = {words.numbers.get(word) for word in lowered_words(choice.prompt)}
            for _ in choice.candidates:
                ids = {*words.ids[words.ends[number] : words.ends[number + 1]].tolist()}
                shares.append(len(ids & prompt) / len(ids) if ids else 0.0)
                number += 1
        return np.array(shares)

    @cached_property
    def misspelt(self) -> Floats:
        """How many words of a candidate look misspelt: float[candidates]."""
        import numpy as np

        words = self.labelled.words
        counts = np.bincount(words.ids, minlength=len(words.numbers)).tolist()
        return self._listed(misspelt_words(dict(zip(words.names, counts, strict=True))))

    def _listed(self, listed: Iterable[str]) -> Floats:
        """How many words of each candidate are in a list: float[candidates]."""
        import numpy as np

        words = self.labelled.words
        is_listed = np.zeros(len(words.numbers) + 1, dtype=np.int8)
        is_listed[[words.numbers[word] for word in listed if word in words.numbers]] = 1
        sums = np.concatenate([[0], np.cumsum(is_listed[words.ids], dtype=np.int32)])
        return np.diff(sums[words.ends]).astype(np.float64)

    def _said(self, phrase: Sequence[str]) -> Floats:
        """How often each candidate has a phrase: float[candidates]."""
        import numpy as np

        words = self.labelled.words
        texts = len(self.labelled.texts)
        ids = [words.numbers.get(word, -1) for word in phrase]
        if -1 in ids:
            return np.zeros(texts)
        places = np.flatnonzero(words.ids[: max(len(words.ids) - len(ids) + 1, 0)] == ids[0])
        for further, number in enumerate(ids[1:], 1):
            places = places[words.ids[places + further] == number]
        first = words.documents[places]
        last = words.documents[places + len(ids) - 1]
        return np.bincount(first[first == last], minlength=texts).astype(np.float64)

    def least_holders(self, association: float) -> int:
        """A feature that fewer candidates hold cannot reach this association.

        An item in which it varies adds at most 1 - r/k to the sum whose mean is the association,
        and holds it at least once.
        """
        gains = 1 - self.items.winners / self.items.sizes
        return max(1, ceil(association * float(gains.sum()) / float(gains.max())))


@dataclass(frozen=True)
class WeightedItemTexts(ItemTexts):
    """The same where items count more or less."""

    weights: Sequence[float]

    @cached_property
    def items(self) -> Items:
        """All candidates, one item after another, and what each item counts."""
        import numpy as np

        return replace(super().items, weights=np.array(self.weights, dtype=np.float64))


@dataclass(frozen=True)
class ItemFeature:
    """A feature in one direction, and how it ranks the candidates."""

    name: str
    """Without its direction, for ``allow``."""
    phrase: str
    """What the winner does: "has more characters"."""
    ranked: RankedItems


def item_features(
    check: str, rows: ItemTexts, least: int, longest: int = 1
) -> Iterator[ItemFeature]:
    """The features of a check that so many candidates have, each in both directions."""
    if check == PLACE:
        yield from _places(rows)
    elif check == "length":
        yield from _amounts(rows, LENGTHS)
    elif check == "format":
        yield from _amounts(rows, FORMAT_AMOUNTS)
        yield from _directions(rows, "words of the prompt", rows.shared_words)
        if (rows.misspelt > 0).sum() >= max(least, _LEAST_MISSPELT * len(rows.choices)):
            yield from _directions(rows, "words that look misspelt", rows.misspelt)
        counted = format_counts(rows.labelled, least)
        yield from (f for f in _present(rows, counted) if f.name not in _AMOUNTS_TELL)
    elif check == "tokens":
        yield from _present(rows, token_counts(rows.labelled, least))
    else:
        kinds = position_counts(rows.labelled, least)
        if check == "ngrams":
            kinds = ngram_counts(rows.labelled, least, longest)
        for counted in kinds:
            yield from _present(rows, counted)


def _present(rows: ItemTexts, counted: DocumentCounts[str]) -> Iterator[ItemFeature]:
    """Features that a candidate has or lacks."""
    held = counted.presence(len(rows.labelled.texts))
    for name, ranked in zip(counted.names, rows.items.rank_held(held), strict=True):
        if name.startswith("ends with "):
            phrases = (name, name.replace("ends", "does not end", 1))
        else:
            named = name if counted.kind == FORMAT else f"{counted.kind} '{name}'"
            named = f"the {named}" if name.startswith("sign ") and counted.kind == FORMAT else named
            phrases = (f"has {named}", f"lacks {named}")
        for phrase, directed in zip(phrases, ranked, strict=True):
            yield ItemFeature(name, phrase, directed)


def _amounts(rows: ItemTexts, amounts: dict[str, Amount]) -> Iterator[ItemFeature]:
    for name, amount in amounts.items():
        yield from _directions(rows, name, rows.amounts(name, amount))


def _directions(rows: ItemTexts, name: str, values: Floats) -> Iterator[ItemFeature]:
    """An amount in both directions: much of it, and little of it."""
    words = ("more", "fewer") if rows.items.are_pairs else ("the most", "the fewest")
    for word, directed in zip(words, (values, -values), strict=True):
        yield ItemFeature(name, f"has {word} {name}", rows.items.rank(directed))


def _places(rows: ItemTexts) -> Iterator[ItemFeature]:
    """The place of a candidate, where the data and not the shape decides it."""
    import numpy as np

    if not rows.places_matter:
        return
    sizes = rows.items.sizes
    starts = np.cumsum(sizes) - sizes
    places = np.arange(len(rows.items.numbers)) - starts[rows.items.numbers]
    for place in range(int(sizes.max())):
        name = f"place {place + 1}"
        yield ItemFeature(
            name, f"is at {name}", rows.items.rank((places == place).astype(np.float64))
        )
