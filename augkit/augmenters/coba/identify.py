"""Step 2, identify: the principal and the spurious words of an example (W_p and W_s)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from pydantic import BaseModel

from augkit.attribution.ensemble import vote_words
from augkit.attribution.majority_vote import Vote
from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.requests import build_request, unusable_answer
from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Span, overlap
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Finder, Parser
from augkit.core.types import FREE, Cost, Example, Rejection
from augkit.english.polarity.flip_polarity import phrase_spans
from augkit.english.polarity.judgements import judgements
from augkit.lexicons.evaluative import Polarity
from augkit.lexicons.load import valences
from augkit.text.tokens import word_spans
from augkit.text.tokens import words as words_of

_MAX_PREFETCHED = 1024
"""Rows kept: one that a thread identified before its batch was done is never collected."""


_CONTENT = frozenset({"NOUN", "PROPN", "NUM"})


@dataclass(frozen=True, slots=True)
class Words:
    """The important words of an example, case-folded: W_p and W_s of the paper."""

    principal: frozenset[str] = frozenset()
    spurious: frozenset[str] = frozenset()
    cost: Cost = FREE
    required: frozenset[str] = frozenset()
    """The spurious words that every variant must keep: of the user or a finder."""
    preferred: frozenset[str] = frozenset()
    """The shortcuts of the dataset: variants that keep them come first."""
    agreed: frozenset[str] = frozenset()
    """The spurious nouns, names and numbers that most classifiers named."""

    @property
    def shortcuts(self) -> frozenset[str]:
        """The spurious words that most likely are shortcuts: no judge decides by them."""
        return self.required | self.preferred | self.agreed

    def without(self, words: frozenset[str]) -> Words:
        """The same without some spurious words."""
        kinds = ("spurious", "required", "preferred", "agreed")
        return replace(self, **{kind: getattr(self, kind) - words for kind in kinds})


class Identifier(Protocol):
    """Text and gold label → W_p and W_s."""

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The principal and spurious words of each example."""
        ...


@dataclass(frozen=True)
class GivenWords:
    """Only the user's words are known, as spurious ones: for pairs and for style."""

    spurious: Sequence[str] = ()

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The same words for each example."""
        given = _folded(self.spurious)
        return [Words(spurious=given, required=given) for _ in parents]


@dataclass(frozen=True)
class EnsembleIdentifier:
    """The vote of the ensemble, with the evaluative lexicon where there is one for the task."""

    parser: Parser
    fitted: TextsArtifact
    config: CobaConfig

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The principal and spurious words of each example, for its gold label."""
        config, given = self.config, _folded(self.config.spurious_words)
        votes = vote_words(
            self.fitted.ensemble, parents, config.top_k, config.vote, config.spurious_words
        )
        if config.principal == "vote":
            kinds = [(frozenset(vote.principal), frozenset(vote.spurious)) for vote in votes]
            return [Words(*both, required=given) for both in kinds]
        analyses = self.parser.parse([next(iter(one.fields.values())) for one in parents])
        return [
            self._by_lexicon(parent, vote, analysis)
            for parent, vote, analysis in zip(parents, votes, analyses, strict=True)
        ]

    def _by_lexicon(self, parent: Example, vote: Vote, analysis: Analysis) -> Words:
        """Evaluative words are principal; of the others all that a classifier named is spurious.

        So are the shortcuts of the dataset for its label, named or not.
        """
        given = _folded(self.config.spurious_words)
        side = self.fitted.polarity.get(str(parent.label))
        evaluative = frozenset(self._evaluative(analysis, side) if side is not None else ())
        agreed, others = (frozenset(v) - evaluative for v in (vote.principal, vote.spurious))
        content = agreed & frozenset(_content_words(analysis))
        known = self.fitted.shortcuts_of(str(parent.label))
        own = frozenset(_folded_words(analysis.text)).intersection(known) - evaluative
        spurious = agreed | others | given | own
        return Words(evaluative - given, spurious, FREE, given, own, content)

    def _evaluative(self, analysis: Analysis, side: Polarity) -> Iterable[str]:
        for judgement in judgements(analysis, self.fitted.lexicon):
            if judgement.polarity == side:
                for negator in judgement.context.negators:
                    yield from _words_at(analysis.text, negator)
                yield from _folded_words(analysis.text[slice(*judgement.span)])
        for span in phrase_spans(analysis.text, self.fitted.lexicon, side):
            yield from _folded_words(analysis.text[slice(*span)])


@dataclass(frozen=True)
class FinderIdentifier:
    """Words that a finder's targets cover are spurious, unless they are principal.

    They join the spurious words of another identifier, or with ``replace`` take their place;
    ``given``, the user's own words, stay in any case.
    """

    finder: Finder
    identifier: Identifier
    given: Sequence[str] = ()
    replace: bool = False

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The words of each example."""
        found: list[Words | Rejection] = []
        inner = self.identifier.identify(parents)
        for parent, words, targets in zip(parents, inner, self.finder.find(parents), strict=True):
            if isinstance(words, Rejection):
                found.append(words)
                continue
            covered = {
                word
                for target in targets
                for word in _folded_words(parent.fields[target.field][target.start : target.end])
            }
            given = _folded(self.given)
            others, kept = (given, given) if self.replace else (words.spurious, words.required)
            covered -= words.principal
            spurious, required = others | covered, kept | covered
            preferred, agreed = words.preferred & others, words.agreed & others
            found.append(Words(words.principal, spurious, words.cost, required, preferred, agreed))
        return found


@dataclass(frozen=True)
class ContentWords:
    """Of the spurious words only those that a language model can be asked to keep.

    These are nouns, names and numbers without a valence, at most ``most``: those that every variant
    must keep, then the first of the text. Any rewriting changes function words, and adjectives and
    verbs may carry the label. ``given``, the user's own words, stay in any case.
    """

    identifier: Identifier
    parser: Parser
    most: int
    given: Sequence[str] = ()

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The words of each example."""
        found: list[Words | Rejection] = []
        for parent, words in zip(parents, self.identifier.identify(parents), strict=True):
            if isinstance(words, Rejection) or not words.spurious:
                found.append(words)
                continue
            analyses = self.parser.parse(list(parent.fields.values()))
            content = dict.fromkeys(word for one in analyses for word in _content_words(one))
            kept = [w for w in content if w in words.spurious and w not in words.principal]
            kept.sort(key=lambda word: word not in words.required | words.preferred)
            kept_words = frozenset(kept[: self.most]) | (_folded(self.given) & words.spurious)
            found.append(words.without(words.spurious - kept_words))
        return found


def _content_words(analysis: Analysis) -> Iterable[str]:
    for token in analysis.tokens:
        if token.upos in _CONTENT and token.text.lower() not in valences():
            yield token.text.casefold()


class PrefetchingIdentifier:
    """Identifies many rows at once for threads that ask for them one by one.

    A run with a language model gives each thread one row, and identifying rows one by one takes
    several times as long as a batch.
    """

    def __init__(self, identifier: Identifier) -> None:
        """Use ``identifier``, from one thread at a time."""
        self._identifier = identifier
        self._known: dict[str, Words | Rejection] = {}
        self._lock = Lock()

    def prefetch(self, parents: Sequence[Example]) -> None:
        """Find the words of rows that are needed once each; other threads wait meanwhile."""
        with self._lock:
            found = self._identifier.identify(parents)
            self._known.update((p.id, words) for p, words in zip(parents, found, strict=True))
            for old in list(self._known)[:-_MAX_PREFETCHED]:
                del self._known[old]

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The words of each example; what was prefetched is handed out once."""
        with self._lock:
            known = [self._known.pop(parent.id, None) for parent in parents]
            new = [p for p, words in zip(parents, known, strict=True) if words is None]
            found = iter(self._identifier.identify(new) if new else ())
        return [next(found) if words is None else words for words in known]


class WordsAnswer(BaseModel):
    """The answer of a model that identifies words."""

    principal: list[str]
    spurious: list[str]


@dataclass(frozen=True)
class LLMIdentifier:
    """A language model names both kinds of words (an ablation of the paper)."""

    llm: LLM
    config: CobaConfig
    labels: Sequence[str]

    def identify(self, parents: Sequence[Example]) -> list[Words | Rejection]:
        """The principal and spurious words of each example."""
        requests = [identify_request(parent, self.labels, self.config) for parent in parents]
        given = _folded(self.config.spurious_words)
        return [
            read_words(parent, reply, given)
            for parent, reply in zip(parents, self.llm.generate(requests), strict=True)
        ]


def identify_request(parent: Example, labels: Sequence[str], config: CobaConfig) -> Request:
    """Ask for the words of one example."""
    return build_request(
        "coba/identify",
        WordsAnswer,
        config,
        fields=dict(parent.fields),
        label=str(parent.label),
        labels=list(labels),
        most=config.top_k,
    )


def read_words(parent: Example, reply: Reply, given: frozenset[str]) -> Words | Rejection:
    """The words of an answer that occur in the example; the user's words are spurious."""
    if not isinstance(reply.answer, WordsAnswer):
        return unusable_answer(parent, "identify", reply)
    present = {word for text in parent.fields.values() for word in _folded_words(text)}
    principal, spurious = (
        frozenset(word for phrase in listed for word in _folded_words(phrase)) & present
        for listed in (reply.answer.principal, reply.answer.spurious)
    )
    own = given & present
    return Words(principal - given, (spurious - principal) | own, reply.cost, own)


def _words_at(text: str, token: Token) -> Iterable[str]:
    """The words that a token is in: "didn't" for its "n't", as the classifiers read it."""
    spans = [Span(*span) for span in word_spans(text)]
    return (text[slice(*span)].casefold() for span in spans if overlap(span, token))


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for phrase in words for word in _folded_words(phrase))


def _folded_words(text: str) -> Iterable[str]:
    return (word.casefold() for word in words_of(text))
