"""Step 2, identify: the principal and the spurious words of an example (W_p and W_s)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from pydantic import BaseModel

from augkit.attribution.ensemble import Voting, vote_words
from augkit.attribution.majority_vote import Vote
from augkit.augmenters.coba.artifact import TextsArtifact
from augkit.augmenters.coba.config import PairVoteSettings, VoteSettings
from augkit.augmenters.llm_requests import SamplingParams, prompt_request, unusable_answer
from augkit.core.analysis import Analysis
from augkit.core.edits import Span, overlap
from augkit.core.model_types import Reply
from augkit.core.protocols import LLM, Finder, Parser, Target
from augkit.core.types import FREE, Cost, Example, Variant
from augkit.english.polarity.flip_polarity import phrase_spans
from augkit.english.polarity.judgements import judgements
from augkit.lexicons.evaluative import Polarity
from augkit.lexicons.load import valences
from augkit.models.ensembles.crossfit import CrossFitted
from augkit.text.tokens import folded_words, word_spans

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

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The principal and spurious words of each example."""
        ...


def distinct_words(*texts: str) -> frozenset[str]:
    """All words of some texts, case-folded."""
    return frozenset(word for text in texts for word in folded_words(text))


@dataclass(frozen=True)
class GivenWords:
    """Only the user's words are known, as spurious ones: for pairs and for style."""

    spurious: Sequence[str] = ()

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The same words for each example."""
        words = distinct_words(*self.spurious)
        return [Words(spurious=words, required=words) for _ in parents]


class WordsAnswer(BaseModel):
    """The answer of a model that identifies words."""

    principal: list[str]
    spurious: list[str]


@dataclass(frozen=True)
class LLMIdentifier:
    """A language model names both kinds of words (an ablation of the paper)."""

    llm: LLM
    params: SamplingParams
    labels: Sequence[str]
    top_k: int
    spurious_words: Sequence[str] = ()
    """The user's own."""

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The principal and spurious words of each example."""
        requests = [
            prompt_request(
                "coba/identify",
                WordsAnswer,
                self.params,
                None,
                fields=dict(parent.fields),
                label=str(parent.label),
                labels=list(self.labels),
                most=self.top_k,
            )
            for parent in parents
        ]
        required = distinct_words(*self.spurious_words)
        return [
            read_words(parent, reply, required)
            for parent, reply in zip(parents, self.llm.generate(requests), strict=True)
        ]


def read_words(parent: Example, reply: Reply, required: frozenset[str]) -> Words | Variant:
    """The words of an answer that occur in the example; the user's words are spurious."""
    if not isinstance(reply.answer, WordsAnswer):
        return unusable_answer(parent, "identify", reply)
    present = distinct_words(*parent.fields.values())
    principal = distinct_words(*reply.answer.principal) & present
    spurious = distinct_words(*reply.answer.spurious) & present
    required_here = required & present
    spurious = (spurious - principal) | required_here
    return Words(principal - required, spurious, reply.cost, required_here)


@dataclass(frozen=True)
class VoteIdentifier:
    """The vote of an ensemble alone (the paper's rule): of texts, or of pairs."""

    ensemble: CrossFitted
    settings: PairVoteSettings
    spurious_words: Sequence[str] = ()
    """The user's own."""

    def votes(self, parents: Sequence[Example]) -> list[Vote]:
        """The vote on each example, for its gold label."""
        settings = self.settings
        voting = Voting(settings.top_k, settings.vote, settings.attribution, self.spurious_words)
        return vote_words(self.ensemble, parents, voting)

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The principal and spurious words of each example."""
        required = distinct_words(*self.spurious_words)
        return [
            Words(frozenset(vote.principal), frozenset(vote.spurious), required=required)
            for vote in self.votes(parents)
        ]


@dataclass(frozen=True)
class EnsembleIdentifier:
    """The vote of the ensemble, with the evaluative lexicon where there is one for the task."""

    parser: Parser
    fitted: TextsArtifact
    settings: VoteSettings
    spurious_words: Sequence[str] = ()
    """The user's own."""

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The principal and spurious words of each example, for its gold label."""
        voters = VoteIdentifier(self.fitted.ensemble, self.settings, self.spurious_words)
        if self.settings.principal == "vote":
            voted = voters.identify(parents)
            if self.settings.preset is not None:
                return voted
            return [self._spared(*row) for row in zip(parents, voted, strict=True)]
        votes = voters.votes(parents)
        analyses = self.parser.parse([next(iter(parent.fields.values())) for parent in parents])
        return [
            self._by_lexicon(parent, vote, analysis)
            for parent, vote, analysis in zip(parents, votes, analyses, strict=True)
        ]

    def _spared(self, parent: Example, words: Words | Variant) -> Words | Variant:
        """The words with the shortcuts of the dataset among those that stay.

        A planted word that every classifier uses is voted principal, and would be edited away.
        """
        if isinstance(words, Variant):
            return words
        shortcuts = self.fitted.shortcuts_of(str(parent.label))
        present = distinct_words(*parent.fields.values()).intersection(shortcuts)
        spurious = words.spurious | present
        return replace(
            words, principal=words.principal - present, spurious=spurious, preferred=present
        )

    def _by_lexicon(self, parent: Example, vote: Vote, analysis: Analysis) -> Words:
        """Evaluative words are principal; of the others all that a classifier named is spurious.

        So are the shortcuts of the dataset for its label, named or not.
        """
        required = distinct_words(*self.spurious_words)
        side = self.fitted.polarity.get(str(parent.label))
        evaluative = frozenset(self._evaluative(analysis, side) if side is not None else ())
        named = frozenset((*vote.principal, *vote.spurious)) - evaluative
        agreed = named.intersection(vote.principal, _content_words(analysis))
        shortcuts = self.fitted.shortcuts_of(str(parent.label))
        preferred = distinct_words(analysis.text).intersection(shortcuts) - evaluative
        spurious = named | required | preferred
        return Words(evaluative - required, spurious, FREE, required, preferred, agreed)

    def _evaluative(self, analysis: Analysis, side: Polarity) -> Iterable[str]:
        text = analysis.text
        for judgement in judgements(analysis, self.fitted.lexicon):
            if judgement.polarity == side:
                for negator in judgement.context.negators:
                    # The words that a token is in: "didn't" for its "n't", as classifiers read it.
                    for word in map(Span._make, word_spans(text)):
                        if overlap(word, negator):
                            yield text[slice(*word)].casefold()
                yield from distinct_words(text[slice(*judgement.span)])
        for span in phrase_spans(text, self.fitted.lexicon, side):
            yield from distinct_words(text[slice(*span)])


@dataclass(frozen=True)
class FinderIdentifier:
    """Words that a finder's targets cover are spurious, unless they are principal.

    They join the spurious words of another identifier, or with ``replace`` take their place;
    ``spurious_words``, the user's own, stay in any case. Words that the finder itself calls
    principal, as ``attribution`` does, are principal.
    """

    finder: Finder
    identifier: Identifier
    spurious_words: Sequence[str] = ()
    replace: bool = False

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The words of each example."""
        identified: list[Words | Variant] = []
        inner = self.identifier.identify(parents)
        for parent, words, targets in zip(parents, inner, self.finder.find(parents), strict=True):
            if isinstance(words, Variant):
                identified.append(words)
                continue
            user_words = distinct_words(*self.spurious_words)
            voted = covered_words(parent, [target for target in targets if target.principal])
            principal = words.principal | (voted - user_words)
            shortcuts = [target for target in targets if not target.principal]
            covered = covered_words(parent, shortcuts) - principal
            spurious = words.spurious - principal
            required = words.required - principal
            if self.replace:
                spurious = required = user_words
            identified.append(
                Words(
                    principal,
                    spurious | covered,
                    words.cost,
                    required | covered,
                    words.preferred & spurious,
                    words.agreed & spurious,
                )
            )
        return identified


def covered_words(parent: Example, targets: Iterable[Target]) -> frozenset[str]:
    """The words of an example in which targets lie, case-folded."""
    return distinct_words(*(parent.fields[t.field][t.start : t.end] for t in targets))


@dataclass(frozen=True)
class ContentWords:
    """Of the spurious words only those that a language model can be asked to keep.

    These are nouns, names and numbers without a valence, at most ``most``: those that every variant
    must keep, then the first of the text. Any rewriting changes function words, and adjectives and
    verbs may carry the label. ``spurious_words``, the user's own, stay in any case, and so do the
    shortcuts of the dataset.
    """

    identifier: Identifier
    parser: Parser
    most: int
    spurious_words: Sequence[str] = ()

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The words of each example."""
        identified: list[Words | Variant] = []
        for parent, words in zip(parents, self.identifier.identify(parents), strict=True):
            if isinstance(words, Variant) or not words.spurious:
                identified.append(words)
                continue
            analyses = self.parser.parse(list(parent.fields.values()))
            content = dict.fromkeys(w for analysis in analyses for w in _content_words(analysis))
            listed = [w for w in content if w in words.spurious and w not in words.principal]
            listed.sort(key=lambda word: word not in words.required | words.preferred)
            always = distinct_words(*self.spurious_words) | words.preferred
            stay = frozenset(listed[: self.most]) | (always & words.spurious)
            identified.append(words.without(words.spurious - stay))
        return identified


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
        self._prefetched: dict[str, Words | Variant] = {}
        self._lock = Lock()

    def prefetch(self, parents: Sequence[Example]) -> None:
        """Find the words of rows that are needed once each; other threads wait meanwhile."""
        with self._lock:
            identified = self._identifier.identify(parents)
            ids = [parent.id for parent in parents]
            self._prefetched.update(zip(ids, identified, strict=True))
            for oldest in list(self._prefetched)[:-_MAX_PREFETCHED]:
                del self._prefetched[oldest]

    def identify(self, parents: Sequence[Example]) -> list[Words | Variant]:
        """The words of each example; what was prefetched is handed out once."""
        with self._lock:
            ready = [self._prefetched.pop(parent.id, None) for parent in parents]
            new = [parent for parent, words in zip(parents, ready, strict=True) if words is None]
            identified = iter(self._identifier.identify(new) if new else ())
        return [next(identified) if words is None else words for words in ready]
