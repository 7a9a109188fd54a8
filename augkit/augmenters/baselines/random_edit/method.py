"""Random edits: the control that tells a classifier's instability from its bias.

A classifier may change its answer because a demographic reference changed, or because *any* word
did. The control replaces as many words of the same text at random, by words of the same kind and
about the same frequency, and leaves the references alone. What remains of a fairscore above its
control is due to the reference.

Kind and frequency are learnt from the corpus and rough: closed classes by a list, names by their
capitals, other words by their endings and by powers of two of their counts. An adjective can
therefore take a noun's place, so the control is, if anything, the harder edit to withstand.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from augkit.augmenters.base import Augmenter, sign
from augkit.augmenters.baselines.random_edit.vocabulary import Vocabulary, learn_vocabulary
from augkit.core.config import MethodConfig
from augkit.core.types import Draft, Edit, Example, Outcome, Pair, Rejection
from augkit.text.casing import match_case
from augkit.text.diff import apply
from augkit.text.tokens import plain_word_spans, words


class RandomEditConfig(MethodConfig):
    """How many words change."""

    words: int = Field(1, ge=1, description="words replaced per variant")


class RandomEdit(Augmenter[RandomEditConfig]):
    """Replace random words by words of the same kind and frequency; the label is kept."""

    name = "random-edit"
    Config = RandomEditConfig
    learns = Vocabulary

    def prepare(self, examples: Sequence[Example]) -> Vocabulary:
        """Count the words of the corpus."""
        return learn_vocabulary(examples)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """``copies`` drafts per example that has enough words."""
        for parent in batch:
            places = _places(parent, self.artifact)
            if len(places) < self.config.words:
                yield _too_few(parent, len(places), self.config.words)
                continue
            for copy in range(self.config.copies):
                generator = self.random(parent, copy)
                chosen = generator.sample(places, self.config.words)
                yield _draft(parent, _edits(chosen, self.artifact, generator), copy)


def matched_control(pair: Pair, vocabulary: Vocabulary, generator: random.Random) -> Outcome:
    """A variant of the pair's original with as many words replaced as the pair's edits changed.

    For each edited word another word of the same field is replaced, the one most like it in kind
    and frequency (drawn among equals). Words that are reserved in the vocabulary are neither
    replaced nor brought in: reserve those that perturbations edit, so that no control is one.
    ``about`` is the pair's, so that a control can be broken down like what it is the control of.
    """
    parent = pair.original
    edited = list(_edited_words(pair.provenance.edits))
    places = _places(parent, vocabulary)
    if not edited:
        return Rejection(parent, "no word was edited", method=RandomEdit.name)
    if len(places) < len(edited):
        return _too_few(parent, len(places), len(edited))
    chosen = _most_alike(edited, places, vocabulary, generator)
    draft = _draft(parent, _edits(chosen, vocabulary, generator), 0, pair)
    return sign(draft, draft.edits or (), RandomEdit.name, pair.provenance.config)


@dataclass(frozen=True, slots=True)
class _Place:
    field: str
    start: int
    word: str


def _places(parent: Example, vocabulary: Vocabulary) -> list[_Place]:
    """Words that may be replaced and have something to be replaced by."""
    found = (
        _Place(name, start, text[start:end])
        for name, text in parent.fields.items()
        for start, end in plain_word_spans(text)
    )
    return [
        place
        for place in found
        if place.word.lower() not in vocabulary.reserved and vocabulary.neighbours(place.word)
    ]


def _edited_words(edits: Iterable[Edit]) -> Iterator[tuple[str, str]]:
    """Field and word for every word that edits took away, or brought in beyond those."""
    for edit in edits:
        before, after = Counter(words(edit.before)), Counter(words(edit.after))
        lost, gained = list((before - after).elements()), list((after - before).elements())
        for word in lost + gained[len(lost) :]:
            yield edit.field, word


def _most_alike(
    edited: Sequence[tuple[str, str]],
    places: Sequence[_Place],
    vocabulary: Vocabulary,
    generator: random.Random,
) -> list[_Place]:
    """For each edited word a place of its own, as like it as those left allow."""
    left = list(places)
    chosen = []
    for field, word in edited:

        def unlike(place: _Place, field: str = field, word: str = word) -> tuple[bool, bool, int]:
            other_kind = vocabulary.is_open(place.word) != vocabulary.is_open(word)
            distance = abs(vocabulary.band(place.word) - vocabulary.band(word))
            return place.field != field, other_kind, distance

        least = min(map(unlike, left))
        chosen.append(generator.choice([place for place in left if unlike(place) == least]))
        left.remove(chosen[-1])
    return chosen


def _edits(
    places: Sequence[_Place], vocabulary: Vocabulary, generator: random.Random
) -> tuple[Edit, ...]:
    edits = []
    for place in places:
        after = match_case(_other(place.word, vocabulary, generator), place.word)
        end = place.start + len(place.word)
        edits.append(Edit(place.field, place.start, end, place.word, after))
    return tuple(sorted(edits, key=lambda edit: (edit.field, edit.start)))


def _other(word: str, vocabulary: Vocabulary, generator: random.Random) -> str:
    neighbours = vocabulary.neighbours(word)
    while (drawn := generator.choice(neighbours)) == word.lower():
        pass
    return drawn


def _draft(parent: Example, edits: tuple[Edit, ...], copy: int, like: Pair | None = None) -> Draft:
    return Draft(
        parent,
        apply(parent.fields, edits),
        parent.label,
        copy=copy,
        edits=edits,
        about={} if like is None else like.provenance.about,
    )


def _too_few(parent: Example, there: int, wanted: int) -> Rejection:
    detail = f"{there} can be replaced, {wanted} should be"
    return Rejection(parent, "too few words", detail, method=RandomEdit.name)
