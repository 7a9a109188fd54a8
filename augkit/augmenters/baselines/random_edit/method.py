"""Random edits: the control that separates a classifier's instability from its bias.

A classifier may change its prediction because a demographic reference changed, or because *any*
word did. The control replaces as many words of the same text at random, by words of the same kind
and about the same frequency, and leaves the references alone. What remains of a fairscore above its
control is due to the reference.

Kind and frequency are estimated from the corpus, roughly: closed classes by a list, names by their
capitals, other words by their endings and by powers of two of their counts. An adjective can
therefore replace a noun, so the control is, if anything, the harder edit.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from augkit.augmenters.base import Augmenter
from augkit.augmenters.baselines.random_edit.corpus_words import CorpusWords, fit_corpus_words
from augkit.augmenters.signing import sign
from augkit.core.config import MethodConfig
from augkit.core.edits import apply
from augkit.core.types import Draft, Edit, Example, Outcome, Pair, Rejection
from augkit.text.casing import match_case
from augkit.text.tokens import plain_word_spans, words


class RandomEditConfig(MethodConfig):
    """How many words change."""

    words: int = Field(1, ge=1, description="words replaced per variant")


class RandomEdit(Augmenter[RandomEditConfig]):
    """Replace random words by words of the same kind and frequency; the label is kept."""

    name = "random-edit"
    Config = RandomEditConfig
    learns = CorpusWords

    def prepare(self, examples: Sequence[Example]) -> CorpusWords:
        """Count the words of the corpus."""
        return fit_corpus_words(examples)

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """``copies`` drafts per example that has enough words."""
        for parent in batch:
            spans = _replaceable(parent, self.artifact)
            if len(spans) < self.config.words:
                yield _too_few(parent, len(spans), self.config.words)
                continue
            for copy in range(self.config.copies):
                generator = self.random(parent, copy)
                chosen = generator.sample(spans, self.config.words)
                yield _draft(parent, _edits(chosen, self.artifact, generator), copy)


def matched_control(pair: Pair, vocabulary: CorpusWords, generator: random.Random) -> Outcome:
    """A variant of the pair's original with as many words replaced as the pair's edits changed.

    For each edited word another word of the same field is replaced, the most similar one in kind
    and frequency (random among equals). Words that are reserved in the vocabulary are neither
    replaced nor inserted: reserve those that perturbations edit, so that no control is one.
    ``about`` is the pair's, so that breakdowns of controls and variants match.
    """
    parent = pair.original
    edited = list(_edited_words(pair.provenance.edits))
    spans = _replaceable(parent, vocabulary)
    if not edited:
        return Rejection(parent, "no word was edited", method=RandomEdit.name)
    if len(spans) < len(edited):
        return _too_few(parent, len(spans), len(edited))
    chosen = _most_similar(edited, spans, vocabulary, generator)
    draft = _draft(parent, _edits(chosen, vocabulary, generator), 0, pair)
    return sign(draft, draft.edits or (), RandomEdit.name, pair.provenance.config)


@dataclass(frozen=True, slots=True)
class _WordSpan:
    field: str
    start: int
    word: str


def _replaceable(parent: Example, vocabulary: CorpusWords) -> list[_WordSpan]:
    """Words that may be replaced and have a replacement."""
    found = (
        _WordSpan(name, start, text[start:end])
        for name, text in parent.fields.items()
        for start, end in plain_word_spans(text)
    )
    return [
        span
        for span in found
        if span.word.lower() not in vocabulary.reserved and vocabulary.neighbours(span.word)
    ]


def _edited_words(edits: Iterable[Edit]) -> Iterator[tuple[str, str]]:
    """Field and word for every word that edits removed, or inserted beyond those."""
    for edit in edits:
        before, after = Counter(words(edit.before)), Counter(words(edit.after))
        lost, gained = list((before - after).elements()), list((after - before).elements())
        for word in lost + gained[len(lost) :]:
            yield edit.field, word


def _most_similar(
    edited: Sequence[tuple[str, str]],
    spans: Sequence[_WordSpan],
    vocabulary: CorpusWords,
    generator: random.Random,
) -> list[_WordSpan]:
    """For each edited word a span of its own, as similar to it as those left allow."""
    left = list(spans)
    chosen = []
    for field, word in edited:

        def distance(
            span: _WordSpan, field: str = field, word: str = word
        ) -> tuple[bool, bool, int]:
            other_kind = vocabulary.is_open(span.word) != vocabulary.is_open(word)
            gap = abs(vocabulary.band(span.word) - vocabulary.band(word))
            return span.field != field, other_kind, gap

        least = min(map(distance, left))
        chosen.append(generator.choice([span for span in left if distance(span) == least]))
        left.remove(chosen[-1])
    return chosen


def _edits(
    spans: Sequence[_WordSpan], vocabulary: CorpusWords, generator: random.Random
) -> tuple[Edit, ...]:
    edits = []
    for span in spans:
        after = match_case(_other(span.word, vocabulary, generator), span.word)
        end = span.start + len(span.word)
        edits.append(Edit(span.field, span.start, end, span.word, after))
    return tuple(sorted(edits, key=lambda edit: (edit.field, edit.start)))


def _other(word: str, vocabulary: CorpusWords, generator: random.Random) -> str:
    neighbours = vocabulary.neighbours(word)
    while (other := generator.choice(neighbours)) == word.lower():
        pass
    return other


def _draft(parent: Example, edits: tuple[Edit, ...], copy: int, like: Pair | None = None) -> Draft:
    return Draft(
        parent,
        apply(parent.fields, edits),
        parent.label,
        copy=copy,
        edits=edits,
        about={} if like is None else like.provenance.about,
    )


def _too_few(parent: Example, found: int, needed: int) -> Rejection:
    detail = f"{found} can be replaced, {needed} are needed"
    return Rejection(parent, "too few words", detail, method=RandomEdit.name)
