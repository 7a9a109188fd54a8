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
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from pydantic import Field

from augkit.augmenters.base import Augmenter
from augkit.augmenters.checks import sign
from augkit.core.config import MethodConfig
from augkit.core.edits import Edit, apply
from augkit.core.json_files import JsonArtifact
from augkit.core.types import Example, Outcome, Pair, Variant, refused
from augkit.lexicons.demographics.find_references import finder_for
from augkit.lexicons.demographics.person_words import gendered_nouns
from augkit.lexicons.load import closed_classes
from augkit.text.casing import match_case
from augkit.text.tokens import plain_word_spans, words

_ENDINGS = ("ly", "ing", "ed", "s")
"""Endings that roughly show the form of open-class words."""
_SENTENCE_ENDS = frozenset('.!?:"\u201c(')


@dataclass(frozen=True)
class CorpusWords(JsonArtifact):
    """Word counts of a corpus.

    Words are lower-cased. ``names`` are those that always have a capital inside a sentence;
    ``reserved`` ones are counted, but neither replaced nor inserted.
    """

    file = "vocabulary.json"
    counts: Mapping[str, int]
    names: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()

    def kind(self, word: str) -> str:
        """The kind of word that may replace it: its closed class, a name, or its form.

        >>> [CorpusWords({}).kind(word) for word in ("With", "slowly", "film")]
        ['preposition', 'latin -ly', 'latin']
        """
        folded = word.lower()
        if folded in self.names:
            return f"{_script(folded)} name"
        return closed_classes().get(folded) or _form(folded)

    def is_open(self, word: str) -> bool:
        """Whether a word is of no closed class and no name."""
        folded = word.lower()
        return folded not in self.names and folded not in closed_classes()

    def band(self, word: str) -> int:
        """How frequent a word is: ⌊log₂ count⌋; an unseen word is as frequent as one seen once."""
        return max(1, self.counts.get(word.lower(), 1)).bit_length() - 1

    def neighbours(self, word: str) -> Sequence[str]:
        """Words of the kind in the band of ``word``, or in the nearest band that has another one.

        Empty where the corpus has no other word of the kind. The word itself may be among them.
        """
        bands = self._bands.get(self.kind(word), {})
        word_band = self.band(word)
        usable = (band for band, words in bands.items() if set(words[:2]) - {word.lower()})
        nearest = min(usable, key=lambda band: (abs(band - word_band), band), default=None)
        return () if nearest is None else bands[nearest]

    def without(self, words: Iterable[str]) -> CorpusWords:
        """The same vocabulary with these words reserved."""
        folded = frozenset(word.lower() for word in words)
        return replace(self, reserved=self.reserved | folded)

    @cached_property
    def _bands(self) -> dict[str, dict[int, list[str]]]:
        by_kind: dict[str, dict[int, list[str]]] = {}
        for word in sorted(self.counts):
            if word not in self.reserved:
                bands = by_kind.setdefault(self.kind(word), {})
                bands.setdefault(self.band(word), []).append(word)
        return by_kind


def fit_corpus_words(examples: Iterable[Example]) -> CorpusWords:
    """Count the plain words of all texts, and find the names.

    >>> from augkit.core.types import example, refused
    >>> fit_corpus_words([example("We saw Anna. Anna saw the film.")]).names
    frozenset({'anna'})
    """
    counts: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for row in examples:
        for text in row.fields.values():
            for start, end in plain_word_spans(text):
                word = text[start:end]
                folded = word.lower()
                counts[folded] += 1
                before = text[max(0, start - 3) : start].rstrip()
                if before and before[-1] not in _SENTENCE_ENDS:
                    inside[folded] += 1
                    capital[folded] += word[0].isupper() and not word[1:].isupper()
    # "I" and other one-letter words have a capital for other reasons.
    names = {word for word in capital if len(word) > 1 and capital[word] == inside[word]}
    return CorpusWords(dict(counts), frozenset(names))


class RandomEditConfig(MethodConfig):
    """How many words change."""

    words: int = Field(1, ge=1, description="words replaced per variant")


class RandomEdit(Augmenter[RandomEditConfig]):
    """Replace random words by words of the same kind and frequency; the label is kept."""

    name = "random-edit"
    Config = RandomEditConfig
    learns = CorpusWords

    def prepare(self, examples: Sequence[Example]) -> CorpusWords:
        """Count the words of the corpus; those that say a gender stay as they are."""
        vocabulary = fit_corpus_words(examples)
        return vocabulary.without(filter(_says_gender, vocabulary.counts))

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
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


def _says_gender(word: str) -> bool:
    is_pronoun = word in closed_classes() and bool(finder_for("gender").find(word))
    return is_pronoun or word in gendered_nouns()


def matched_control(pair: Pair, vocabulary: CorpusWords, generator: random.Random) -> Outcome:
    """A variant of the pair's original with as many words replaced as the pair's edits changed.

    For each edited word another word of the same field is replaced, the most similar one in kind
    and frequency (random among equals). Words that are reserved in the vocabulary are neither
    replaced nor inserted: reserve those that perturbations edit, so that no control is one.
    ``about`` is the pair's, so that breakdowns of controls and variants match.
    """
    parent = pair.original
    edited: list[tuple[str, str]] = []  # every word that was removed, or inserted beyond those
    for edit in pair.provenance.edits:
        before = Counter(words(edit.before))
        after = Counter(words(edit.after))
        lost = list((before - after).elements())
        gained = list((after - before).elements())
        edited += [(edit.field, word) for word in lost + gained[len(lost) :]]
    spans = _replaceable(parent, vocabulary)
    if not edited:
        return refused(parent, "no word was edited", method=RandomEdit.name)
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
    spans = (
        _WordSpan(name, start, text[start:end])
        for name, text in parent.fields.items()
        for start, end in plain_word_spans(text)
    )
    return [
        span
        for span in spans
        if span.word.lower() not in vocabulary.reserved and vocabulary.neighbours(span.word)
    ]


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
        neighbours = vocabulary.neighbours(span.word)
        while (replacement := generator.choice(neighbours)) == span.word.lower():
            pass
        after = match_case(replacement, span.word)
        end = span.start + len(span.word)
        edits.append(Edit(span.field, span.start, end, span.word, after))
    return tuple(sorted(edits, key=lambda edit: (edit.field, edit.start)))


def _draft(
    parent: Example, edits: tuple[Edit, ...], copy: int, like: Pair | None = None
) -> Variant:
    return Variant(
        parent,
        apply(parent.fields, edits),
        parent.label,
        copy=copy,
        edits=edits,
        about={} if like is None else like.provenance.about,
    )


def _too_few(parent: Example, usable: int, needed: int) -> Variant:
    detail = f"{usable} can be replaced, {needed} are needed"
    return refused(parent, "too few words", detail, method=RandomEdit.name)


@lru_cache(maxsize=1 << 16)
def _form(word: str) -> str:
    ending = next((f" -{end}" for end in _ENDINGS if word.endswith(end) and len(word) > 4), "")
    return f"{_script(word)}{ending}"


def _script(word: str) -> str:
    """The alphabet of a word, so that none is replaced by a word of another one."""
    return unicodedata.name(word[0], "unnamed").partition(" ")[0].lower()
