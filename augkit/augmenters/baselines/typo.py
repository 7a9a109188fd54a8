"""``typo``: spelling noise, to train or test a classifier on text as people type it.

Every change is recorded, and the same row gets the same typos in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from math import hypot
from typing import Literal

from pydantic import Field, field_validator

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.fields import chosen_fields
from augkit.core.config import ChangedFields, MethodConfig
from augkit.core.edits import apply
from augkit.core.protocols import Tools
from augkit.core.types import Example, Variant, new_edit, new_variant, refused
from augkit.lexicons.load import data_yaml
from augkit.text.hash_random import HashRandom
from augkit.text.tokens import PlainWords

Kind = Literal["keyboard", "transpose", "omit", "double", "ocr", "case", "space"]
Change = tuple[int, int, str]
"""Start, end and what stands there instead."""
Noise = Callable[[str, int, int, HashRandom], Change | None]
"""Text, span of a word, random numbers → a change; None where this kind cannot change the word."""

_NEIGHBOUR = 1.26
"""Greatest distance of two neighbouring keys, in key widths."""


class TypoConfig(MethodConfig):
    """How many words get a typo, and of which kinds."""

    share: float = Field(0.1, gt=0, le=1, description="share of the words that get a typo")
    kinds: tuple[Kind, ...] = Field(
        ("keyboard", "transpose", "omit", "double", "ocr", "case", "space"),
        min_length=1,
        description="keyboard (a neighbouring key), transpose, omit, double (letters), ocr "
        "(characters that scanners confuse), case, space",
    )
    keyboard: str = Field("qwerty", description="qwerty, qwertz or azerty")
    fields: ChangedFields = ()

    @field_validator("keyboard")
    @classmethod
    def _is_known(cls, keyboard: str) -> str:
        if keyboard not in keyboards():
            raise ValueError(f"unknown keyboard. Known: {', '.join(keyboards())}")
        return keyboard


class Typo(Augmenter[TypoConfig]):
    """Misspell some words as keyboards, scanners and people do; the label is kept.

    max(1, ⌊share · n⌋) of the n plain words of a field get a typo. Numbers, addresses,
    mentions, tags and words with apostrophes or hyphens are left alone.
    """

    name = "typo"
    Config = TypoConfig
    traits = Traits(in_kind=True)

    def __init__(self, config: TypoConfig, tools: Tools | None = None) -> None:
        """Read the tables once."""
        super().__init__(config, tools)
        noise_of = noise_kinds(config.keyboard)
        self._noise = [noise_of[kind] for kind in config.kinds]
        self._key = (str(config.seed), self.name)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """``copies`` drafts per example."""
        for parent in batch:
            names = chosen_fields(parent.fields, self.config.fields)
            plain = [(name, PlainWords(parent.fields[name])) for name in names]
            plain = [(name, words) for name, words in plain if words.words]
            if not plain:
                yield refused(parent, "no plain word")
                continue
            rng = HashRandom(parent.id, *self._key)
            for copy in range(self.config.copies):
                yield self._variant(parent, plain, copy, rng)

    def _variant(
        self,
        parent: Example,
        plain: Sequence[tuple[str, PlainWords]],
        copy: int,
        rng: HashRandom,
    ) -> Variant:
        edits = []
        for name, words in plain:
            text = parent.fields[name]
            edits += [
                new_edit(name, start, end, text[start:end], after)
                for start, end, after in self._changes(text, words, rng)
            ]
        if not edits:
            return refused(parent, "nothing to change", "no word allows these kinds", copy)
        fields = apply(parent.fields, edits)
        return new_variant(parent, fields, parent.label, "kept", copy, tuple(edits))

    def _changes(self, text: str, words: PlainWords, rng: HashRandom) -> list[Change]:
        """The typos of a field, in order; none touches another."""
        count = int(self.config.share * len(words.words)) or 1
        changes = []
        for index in sorted(rng.sample(range(len(words.words)), count)):
            start, end = words.span(index)
            for number in rng.sample(range(len(self._noise)), len(self._noise)):
                if change := self._noise[number](text, start, end, rng):
                    changes.append(change)
                    break
        return changes


def noise_kinds(keyboard: str = "qwerty") -> dict[str, Noise]:
    """Every kind of noise by its name."""
    return {
        "keyboard": partial(_neighbour_key, neighbours(keyboard)),
        "transpose": _transposed,
        "omit": _omitted,
        "double": _doubled,
        "ocr": _misread,
        "case": _recased,
        "space": _spaced,
    }


def keyboards() -> list[str]:
    """The names of the known keyboards."""
    return sorted(_tables()["keyboards"])


@cache
def neighbours(keyboard: str) -> Mapping[str, str]:
    """Each letter of a keyboard with those on the keys around it.

    >>> neighbours("qwerty")["g"]
    'fhtbvy'
    """
    keys = {
        letter: (offset + column, row)
        for row, (offset, letters) in enumerate(_tables()["keyboards"][keyboard])
        for column, letter in enumerate(letters)
    }
    near: dict[str, list[tuple[float, str]]] = {letter: [] for letter in keys}
    for first, second in product(keys, repeat=2):
        (x1, y1), (x2, y2) = keys[first], keys[second]
        distance = hypot(x1 - x2, y1 - y2)
        if 0 < distance <= _NEIGHBOUR:
            near[first].append((distance, second))
    return {letter: "".join(around for _, around in sorted(near[letter])) for letter in keys}


@cache
def _tables() -> Mapping[str, dict[str, list[tuple[float, str]]]]:
    tables: Mapping[str, dict[str, list[tuple[float, str]]]] = data_yaml("typos.yaml")
    return tables


@cache
def _misreadings() -> tuple[tuple[str, str], ...]:
    return tuple((before, after) for before, after in data_yaml("typos.yaml")["ocr"])


def _neighbour_key(
    table: Mapping[str, str], text: str, start: int, end: int, rng: HashRandom
) -> Change | None:
    typed = [at for at in range(start, end) if text[at].lower() in table]
    if not typed:
        return None
    at = rng.pick(typed)
    key = rng.pick(table[text[at].lower()])
    return at, at + 1, key.upper() if text[at].isupper() else key


def _transposed(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    """Two letters in the wrong order; the first letter stays, people seldom miss it."""
    first = start + 1 if end - start > 2 else start
    places = [at for at in range(first, end - 1) if text[at] != text[at + 1]]
    if not places:
        return None
    at = rng.pick(places)
    return at, at + 2, text[at + 1] + text[at]


def _omitted(_text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    if end - start < 3:
        return None
    at = rng.pick(range(start + 1, end))
    return at, at + 1, ""


def _doubled(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    at = rng.pick(range(start, end))
    return at, at + 1, text[at] * 2


def _misread(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    misreadings = [
        (at, at + len(before), after)
        for before, after in _misreadings()
        if (at := text.find(before, start, end)) >= 0
    ]
    return rng.pick(misreadings) if misreadings else None


def _recased(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    """The first letter in the other case, or the whole word as with the caps-lock key.

    A text that is all in one case has no capitals to get wrong.
    """
    if text.islower() or text.isupper():
        return None
    word = text[start:end]
    if rng.below(2) and len(word) > 1:
        swapped = word.swapcase()
        return (start, end, swapped) if swapped != word and len(swapped) == len(word) else None
    first = word[0].swapcase()
    return (start, start + 1, first) if first != word[0] else None


def _spaced(text: str, start: int, end: int, rng: HashRandom) -> Change | None:
    """A space inside the word, or none after it."""
    joins = text[end : end + 1] == " " and text[end + 1 : end + 2].isalpha()
    if joins and rng.below(2):
        return end, end + 1, ""
    if end - start < 4:
        return (end, end + 1, "") if joins else None
    at = rng.pick(range(start + 1, end))
    return at, at, " "
