"""Features that rank the candidates of an item, and how well each of them finds the winner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import ceil

from augkit.core.arrays import Floats
from augkit.core.choices import Choice
from augkit.text.features.amounts import FORMAT_AMOUNTS, LENGTHS, Amount, shared_with
from augkit.text.features.document_counts import (
    DocumentCounts,
    LabelledTexts,
    format_counts,
    ngram_counts,
    position_counts,
    presence,
    token_counts,
)
from augkit.text.features.kinds import FIRST_WORD, FORMAT, LAST_WORD, TOKEN, formats, lowered_words
from augkit.text.features.numbering import number_texts
from augkit.text.features.within_items import Items, RankedItems
from augkit.text.same_text import content_digest

PLACE = "winner_place"


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

    def least_holders(self, association: float) -> int:
        """A feature that fewer candidates hold cannot reach this association.

        An item in which it varies adds at most 1 - r/k to the sum whose mean is the association,
        and holds it at least once.
        """
        gains = 1 - self.items.winners / self.items.sizes
        return max(1, ceil(association * float(gains.sum()) / float(gains.max())))


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
        shared = [shared_with(c.prompt, text) for c in rows.choices for text in c.candidates]
        yield from _both(rows, "words of the prompt", shared, is_amount=True)
        yield from _present(rows, format_counts(rows.labelled, least))
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
    kind = counted.kind
    numbered = number_texts(rows.labelled.texts, partial(_features_of, kind))
    held = presence(numbered, counted.names).tocsc()
    for column, name in enumerate(counted.names):
        named = "" if kind == FORMAT else kind
        values = held[:, [column]].toarray().ravel()
        yield from _both(rows, name, values, is_amount=False, kind=named)


def _features_of(kind: str, text: str) -> list[str]:
    """The features of one kind in a text.

    >>> _features_of("2-gram", "On the road."), _features_of("last word", "On the road.")
    (['on the', 'the road'], ['road'])
    """
    if kind == FORMAT:
        return list(formats(text))
    words = lowered_words(text)
    if kind in {FIRST_WORD, LAST_WORD}:
        return words[:1] if kind == FIRST_WORD else words[-1:]
    size = 1 if kind == TOKEN else int(kind.partition("-")[0])
    return [" ".join(words[n : n + size]) for n in range(len(words) - size + 1)]


def _amounts(rows: ItemTexts, amounts: dict[str, Amount]) -> Iterator[ItemFeature]:
    for name, amount in amounts.items():
        values = [amount(text) for text in rows.labelled.texts]
        yield from _both(rows, name, values, is_amount=True)


def _both(
    rows: ItemTexts,
    name: str,
    values: Sequence[float] | Floats,
    *,
    is_amount: bool,
    kind: str = "",
) -> Iterator[ItemFeature]:
    """A feature in both directions: much of it, and little of it."""
    import numpy as np

    array: Floats = np.array(values, dtype=np.float64)
    named = f"{kind} '{name}'" if kind else name
    if name.startswith("ends with "):
        phrases = (name, name.replace("ends", "does not end", 1))
    elif not is_amount:
        phrases = (f"has {named}", f"lacks {named}")
    elif rows.items.are_pairs:
        phrases = (f"has more {name}", f"has fewer {name}")
    else:
        phrases = (f"has the most {name}", f"has the fewest {name}")
    for phrase, directed in zip(phrases, (array, -array), strict=True):
        yield ItemFeature(name, phrase, rows.items.rank(directed))


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
