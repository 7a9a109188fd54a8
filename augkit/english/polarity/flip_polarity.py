"""Flip the polarity of a text: ratings, phrases, negations, words.

A changed span is closed to later changes; everything else stays letter for letter. The functions
for leftovers find what may keep the old polarity after that.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter, is_
from random import Random
from typing import TypeVar

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import HasSpan, Replacement, Span, overlap
from augkit.english.negation import negation_words, remove_negation, with_apostrophes
from augkit.english.polarity.antonyms import ClassCounts, WordChoice
from augkit.english.polarity.contexts import NEGATORS, context_words, describes_person
from augkit.english.polarity.judgements import Judgement, judgements, possible_judgements
from augkit.english.polarity.ratings import flip_rating, ratings
from augkit.lexicons.evaluative import RUN, Evaluative, Phrase, Phrases, Polarity, opposite
from augkit.lexicons.load import valences
from augkit.text.articles import refit
from augkit.text.casing import match_case
from augkit.text.spacing import spaced_like

A = TypeVar("A")

_START = attrgetter("start")
_IMPLICATIVE = context_words("implicative_verbs")
_IMPLICIT = negation_words("implicit", "preposition", "adverb", "hardly", "modal", "particle")
_NEGATIVE = re.compile(rf"(?:.*\b)?(?:{'|'.join(_IMPLICIT)})|.*n'?t\b", re.IGNORECASE)
_NEEDS_NEGATION = re.compile(
    r"[^.!?;,:]{0,60}?\b"
    r"(?:any|anything|(?<!\bto )any(?:one|body)|either|whatsoever|even|at\s+all)\b",
    re.IGNORECASE,
)
"""What may follow a negative phrase, and not its opposite: "fails to offer anything".

"Recommend it to anyone" is said in praise too.
"""
_STRONG = 2.0
"""Valence from which a word outside the evaluative lexicon may still show the polarity."""
_COMPARATIVES = frozenset({"JJR", "RBR"})
_COMPARED = 1.0
"""The same of a comparative, which the lexicon mostly leaves alone: "the company was better"."""
_EVALUATIVE_POS = frozenset({"ADJ", "ADV", "INTJ"})
"""Nouns and verbs with a valence mostly belong to the story."""
_CONTENT_POS = _EVALUATIVE_POS | {"NOUN", "VERB"}
_FAINT = 1.0
"""Valence from which a word makes a sentence doubtful."""
_FAINT_STORY = 1.5
"""The same of a noun or verb, which may belong to the story."""
_MAX_VALENCE = 4.0
_LISTED_SHARE = 0.75
"""Share of the texts with an evaluative word that have its polarity, before any is seen."""
_MIN_SHARE = 0.6
"""Share of the texts with a word that have a polarity, from which it makes a sentence doubtful."""
_NEGATIVE_WORDS = (
    NEGATORS | negation_words("quantifier", "only") | context_words("further_negative_words")
)


@dataclass(frozen=True, slots=True)
class PolarityFlip:
    """What was changed in a text, and what still contradicts the change."""

    changes: tuple[Replacement, ...]
    kept: tuple[Judgement, ...]
    """Evaluative words that had the new polarity before."""
    left: tuple[Span, ...]
    """Words and phrases of the old polarity that could not be changed."""
    of_persons: tuple[Judgement, ...]
    """Changed words that describe somebody, who may belong to the story."""


@dataclass
class _EditBuffer:
    """The changes so far and the spans they closed."""

    text: str
    changes: list[Replacement] = field(default_factory=list)
    closed: list[HasSpan] = field(default_factory=list)

    def is_free(self, span: HasSpan) -> bool:
        return not any(overlap(span, closed) for closed in self.closed)

    def add(self, *changes: Replacement) -> bool:
        if not all(map(self.is_free, changes)):
            return False
        for change in changes:
            self.closed.append(change)
            if self.text[change.start : change.end] != change.after:
                self.changes.append(change)
        return True


def flip_polarity(
    analysis: Analysis,
    polarity: Polarity,
    lexicon: Evaluative,
    choice: WordChoice,
    rng: Random,
) -> PolarityFlip:
    """Change a text of polarity ``polarity`` so that it has the opposite one."""
    buffer = _EditBuffer(analysis.text)
    for rating in ratings(analysis.text):
        if rating.polarity == polarity:
            buffer.add(Replacement(rating.start, rating.end, flip_rating(rating, rng)))
    left = _flip_phrases(lexicon.of_polarity(polarity), choice, buffer, rng)
    # Of the other polarity as a whole, whatever its words are: "I have seen worse".
    opposed_phrases = phrase_spans(analysis.text, lexicon, opposite(polarity))
    opposed = []
    of_persons = []
    listed = judgements if choice.heeds_doubts else possible_judgements
    for judgement in listed(analysis, lexicon):
        is_story_noun = judgement.entry.kind == "noun" and not judgement.is_clear
        if is_story_noun or not buffer.is_free(judgement.span):
            continue
        if judgement.polarity != polarity:
            opposed.append(judgement)
        elif any(overlap(judgement.span, phrase) for phrase in opposed_phrases):
            continue
        elif not _is_flipped_above(analysis, judgement, buffer):
            changes = _word_changes(analysis, judgement, choice, buffer, rng)
            if changes is None or not buffer.add(*changes):
                left.append(judgement.span)
            elif describes_person(analysis, judgement.last):
                of_persons.append(judgement)
    sorted_changes = sorted(buffer.changes, key=lambda change: change.start)
    fitted = tuple(_with_articles(analysis.text, sorted_changes))
    return PolarityFlip(fitted, tuple(opposed), tuple(left), tuple(of_persons))


def _flip_phrases(
    phrases: Phrases, choice: WordChoice, buffer: _EditBuffer, rng: Random
) -> list[Span]:
    """Flip the stock phrases that are to be edited; the spans of the others."""
    left = []
    for phrase, match in found_phrases(buffer.text, phrases):
        span = Span(*match.span())
        if choice.takes_phrase(phrase):
            _flip_phrase(phrase, match, buffer, rng)
        elif buffer.is_free(span):
            left.append(span)
            buffer.closed.append(span)  # its words judge nothing alone: "a waste of time"
    return left


def _word_changes(
    analysis: Analysis, judgement: Judgement, choice: WordChoice, buffer: _EditBuffer, rng: Random
) -> list[Replacement] | None:
    """The changes that flip a word; None where it is not to be edited, or none is right."""
    if not choice.may_edit(analysis, judgement):
        return None
    used = frozenset(change.after.lower() for change in buffer.changes[-2:])
    return _flip_word(analysis, judgement, choice, rng, used)


def may_flip(
    text: str, polarity: Polarity, lexicon: Evaluative, lemmas_of: Callable[[str], frozenset[str]]
) -> bool:
    """Whether ``flip_polarity`` can change anything, whatever the parse; much faster than that.

    ``lemmas_of`` gives all lemmas that the parser may find for a lower-case form.
    """
    lowered = text.lower()
    runs = dict.fromkeys(RUN.findall(lowered))
    if not lexicon.letters.isdisjoint(runs) or ratings(text):
        return True
    # The parser's exceptions are words with signs too.
    forms = runs | dict.fromkeys(lowered.split())
    if not all(lexicon.letters_of_lemmas.isdisjoint(lemmas_of(form)) for form in forms):
        return True
    return bool(found_phrases(text, lexicon.of_polarity(polarity)))


def _is_flipped_above(analysis: Analysis, judgement: Judgement, buffer: _EditBuffer) -> bool:
    """Whether a change of its head flipped it already: "manages to amuse" → "fails to amuse"."""
    token = judgement.last
    while not token.is_root:
        above = analysis.head(token)
        is_closed = not buffer.is_free(above)
        if token.is_relation("xcomp") and is_closed and above.lemma.lower() in _IMPLICATIVE:
            return True
        token = above
    return False


def phrase_spans(text: str, lexicon: Evaluative, polarity: Polarity) -> list[Span]:
    """The spans of stock phrases of a polarity, overlapping ones included."""
    return [Span(*match.span()) for _, match in found_phrases(text, lexicon.of_polarity(polarity))]


@lru_cache(maxsize=512)  # a text is searched once for its words and once for every draw
def found_phrases(text: str, phrases: Phrases) -> tuple[tuple[Phrase, re.Match[str]], ...]:
    """The stock phrases of a text that no negation precedes, overlapping ones included."""
    text = with_apostrophes(text)
    return tuple(
        (phrase, match)
        for phrase, match in phrases.find(text)
        if not _is_negated(text, match.start())
    )


def _flip_phrase(phrase: Phrase, match: re.Match[str], buffer: _EditBuffer, rng: Random) -> None:
    start, end = match.span()
    if _NEGATIVE.match(match[0]) and _NEEDS_NEGATION.match(buffer.text, end):
        return
    if buffer.is_free(Span(start, end)):
        written = match.expand(rng.choice(phrase.opposites))
        text = buffer.text
        before = text[:start].rstrip()
        at_start = not before or before[-1] in ".!?:>"
        cased = _cased_like(written, text[start:end], at_start=at_start)
        cased = cased.lower() if text.islower() else cased
        buffer.add(Replacement(start, end, spaced_like(cased, text, start)))


def _is_negated(text: str, start: int) -> bool:
    """Whether a negation directly precedes a phrase."""
    before = text[max(0, start - 25) : start].lower().replace("\u2019", "'").split()[-2:]
    return any(word in NEGATORS or word.endswith("n't") for word in before)


def _cased_like(written: str, replaced: str, *, at_start: bool) -> str:
    if replaced.isupper():
        return written.upper()
    if replaced[:1].isupper() and (at_start or written[:1] == written[:1].lower()):
        return match_case(written, "Aa")
    return written


def _flip_word(
    analysis: Analysis,
    judgement: Judgement,
    choice: WordChoice,
    rng: Random,
    used: frozenset[str],
) -> list[Replacement] | None:
    """The changes that flip one evaluative word; None where none is surely right."""
    context = judgement.context
    token = judgement.last
    if token.lemma.lower() in _IMPLICATIVE and analysis.children(token, "xcomp"):
        return None  # a phrase would have flipped it where that is right
    if context.doubts and choice.heeds_doubts:
        return None
    if "too" in context.doubts and not context.negators:
        return None  # too much of anything is blamed: "too perfect"
    if len(context.negators) > 1:
        return None
    if context.lessening is not None:
        token = context.lessening
        written = {"less": "more", "least": "most"}[token.text.lower()]
        return [Replacement(token.start, token.end, match_case(written, token.text))]
    if context.negators:
        changes = remove_negation(analysis, context.negators[0], judgement.last)
        if changes is not None:
            return changes
    word = choice.word(analysis, judgement, rng, used)
    return None if word is None else [Replacement(*judgement.span, word)]


def _with_articles(text: str, changes: Sequence[Replacement]) -> Iterable[Replacement]:
    """The changes, with "a" and "an" before them made to fit."""
    for index, change in enumerate(changes):
        previous = changes[index - 1].end if index else 0
        head = text[previous : change.start]
        words = head.split(" ")
        worded = change.after and not change.after[0].isdigit()  # a rating keeps its article
        if len(words) >= 2 and not words[-1] and words[-2].lower() in {"a", "an"} and worded:
            current = words[-2]
            fitted = refit(current, text[change.start : change.end], change.after)
            if fitted != current:
                start = change.start - len(current) - 1
                yield Replacement(start, change.end, f"{fitted} {change.after}")
                continue
        yield change


def leftover_words(
    analysis: Analysis, polarity: Polarity, changes: Sequence[Replacement]
) -> Iterator[Span]:
    """Words of a polarity, by their valence, that no change touched."""
    strong = _once(analysis, f"strong {polarity}", lambda: _strong_words(analysis, polarity))
    yield from _untouched(analysis, strong, changes)


def _strong_words(analysis: Analysis, polarity: Polarity) -> Iterator[Token]:
    sign = 1 if polarity == "positive" else -1
    for token in analysis.tokens:
        least = _COMPARED if token.xpos in _COMPARATIVES else _STRONG
        if token.upos not in _EVALUATIVE_POS:
            continue
        word = token.text.lower()
        is_empty = token.upos == "ADV" and word in context_words("empty_adverbs")
        if not is_empty and sign * valences().get(word, 0.0) >= least:
            yield token


def doubtful_words(
    analysis: Analysis,
    polarity: Polarity,
    changes: Sequence[Replacement],
    lexicon: Evaluative,
    counts: ClassCounts,
) -> Iterator[Span]:
    """Words that no change touched and that may well have a polarity: "every prize it won".

    The lexicon has them, whatever the parse says, or they have a valence; and the texts of the
    corpus do not contradict it: "novel" is pleasant to VADER, and stands in praise and blame.
    """
    doubtful = _once(
        analysis,
        f"doubtful {polarity}",
        lambda: _doubtful(analysis, polarity, lexicon, counts),
        lexicon,
        counts,
    )
    yield from _untouched(analysis, doubtful, changes)


def _doubtful(
    analysis: Analysis, polarity: Polarity, lexicon: Evaluative, counts: ClassCounts
) -> Iterator[Token]:
    sign = 1 if polarity == "positive" else -1
    for token in analysis.tokens:
        if token.upos not in _CONTENT_POS:
            continue
        word = token.text.lower()
        valence = sign * valences().get(word, 0.0)
        if lexicon.words.get(word) == polarity:
            prior = _LISTED_SHARE
        elif valence >= (_FAINT if token.upos in _EVALUATIVE_POS else _FAINT_STORY):
            prior = 0.5 + valence / (2 * _MAX_VALENCE)
        else:
            continue
        if counts.share(word, polarity, prior) >= _MIN_SHARE:
            yield token


def leftover_negations(analysis: Analysis, changes: Sequence[Replacement]) -> Iterator[Span]:
    """Words such as "no" and "why" that stay: criticism often needs no negative word."""
    negations = _once(
        analysis,
        "negative words",
        lambda: (token for token in analysis.tokens if token.text.lower() in _NEGATIVE_WORDS),
    )
    yield from _untouched(analysis, negations, changes)


def coordinated_words(analysis: Analysis, changes: Sequence[Replacement]) -> Iterator[Span]:
    """Words next to a changed one that stay and may share its old polarity.

    Coordinated adjectives ("scattered and dull") and manner adverbs before it ("risibly bad").
    """
    neighbours = _once(analysis, "neighbours", lambda: _neighbours(analysis))
    touched = _touched(analysis, changes)
    for token, near in neighbours:
        if token.index not in touched and not touched.isdisjoint(near):
            yield Span(token.start, token.end)


def _neighbours(analysis: Analysis) -> Iterator[tuple[Token, tuple[int, ...]]]:
    """The words that may share the polarity of others, with the indices of those adjectives."""
    for token in analysis.tokens:
        near: list[Token] = []
        if token.upos == "ADJ":
            near = [t for t in analysis.children(token, "conj") if _is_coordinated(analysis, t)]
            near += [analysis.head(token)] if _is_coordinated(analysis, token) else []
        elif token.head == token.index + 1 and _is_manner_adverb(token):
            near = [analysis.head(token)]
        adjectives = tuple(neighbour.index for neighbour in near if neighbour.upos == "ADJ")
        if adjectives:
            yield token, adjectives


def _is_coordinated(analysis: Analysis, token: Token) -> bool:
    """Whether it is a further adjective, and not the predicate of a clause of its own."""
    return token.is_relation("conj") and not analysis.children(token, "nsubj")


def _is_manner_adverb(token: Token) -> bool:
    word = token.text.lower()
    return word.endswith("ly") and len(word) > 4 and word not in context_words("degree_adverbs")


def _once(
    analysis: Analysis, name: str, listed: Callable[[], Iterable[A]], *inputs: object
) -> tuple[A, ...]:
    """What a text is searched for, whatever is drawn: once for an analysis and these inputs."""
    made_with, items = analysis.memo.get(name, ((), None))
    if items is None or not all(map(is_, made_with, inputs)):
        items = tuple(listed())
        analysis.memo[name] = inputs, items
    kept: tuple[A, ...] = items
    return kept


def _untouched(
    analysis: Analysis, tokens: Iterable[Token], changes: Sequence[Replacement]
) -> Iterator[Span]:
    """The spans of those words that no change touched."""
    touched = _touched(analysis, changes)
    return (Span(token.start, token.end) for token in tokens if token.index not in touched)


def _touched(analysis: Analysis, changes: Sequence[Replacement]) -> set[int]:
    """The indices of the words that some change overlaps."""
    tokens = analysis.tokens
    touched = set()
    for change in changes:
        first = bisect_right(tokens, change.start, key=_START) - 1
        for token in tokens[max(0, first) :]:
            if token.start >= change.end:
                break
            if overlap(change, token):
                touched.add(token.index)
    return touched
