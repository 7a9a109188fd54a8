"""Which antecedents a pronoun may have: agreement, binding, and a log-linear model of clues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import exp

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import first_conjunct, role
from augkit.language.coreference.mentions import DetectedMention
from augkit.language.coreference.pronoun_context import PronounContext
from augkit.lexicons.demographics.cues import VERBS
from augkit.lexicons.demographics.person_words import Gender
from augkit.lexicons.load import data_yaml

NO_ANTECEDENT = "no antecedent"
"""The clue of the answer that none of the candidates is the antecedent."""

_LATEST = 6
"""How many mentions of a cluster are compared: the latest ones."""
_TOPIC = 3
"""A person mentioned so often may be the topic of the text."""
_SPEAKER, _ADDRESSEE = "subject of speech above", "object above"


@dataclass(eq=False)
class Cluster:
    """Mentions of one person found so far, and what they show together.

    An ``unresolved`` cluster holds a pronoun whose antecedent is uncertain; ``alternatives`` are
    the clusters it may belong to, the likeliest first.
    """

    mentions: list[DetectedMention] = field(default_factory=list)
    gender: Gender = "unknown"
    plural: bool = False
    sure: bool = False
    unresolved: bool = False
    alternatives: tuple[Cluster, ...] = ()

    def add(self, detected: DetectedMention) -> None:
        """Add a mention."""
        if not self.mentions:
            self.plural = detected.mention.plural
        if self.gender == "unknown":
            self.gender = detected.mention.gender
        self.sure = self.sure or detected.sure
        self.mentions.append(detected)

    @property
    def last(self) -> DetectedMention:
        """The latest mention."""
        return self.mentions[-1]


def agrees(detected: DetectedMention, cluster: Cluster) -> bool:
    """Whether gender and number allow a mention to belong to a cluster."""
    mention = detected.mention
    if "unknown" not in {mention.gender, cluster.gender} and mention.gender != cluster.gender:
        return False
    if mention.kind == "pronoun" and mention.gender == "unknown":  # "they" may be one person
        return cluster.plural or cluster.gender == "unknown"
    return mention.plural == cluster.plural


def violates_binding(analysis: Analysis, context: PronounContext, cluster: Cluster) -> bool:
    """Whether binding or quotation keeps a pronoun from referring to a cluster."""
    if context.pronoun.quoted and _says(analysis, context.pronoun, cluster):
        return True
    near = _in_sentence(cluster, context)
    if any(other.index in context.excluded for other in near):
        return True
    clause = analysis.head(context.pronoun.token)
    # "the woman she met": the subject of the clause is not the one it is about; "told the woman
    # that she won" and "the best guard ever she was there" are no such clauses
    about = context.pronoun.token.is_relation("nsubj") and clause.deprel == "acl:relcl"
    about = about and not analysis.children(clause, "mark", "cop")
    if about and any(other.index == clause.head for other in near):
        return True
    if context.possessive:
        return False
    # "Anna and her": two people
    return any(first_conjunct(analysis, other).index == context.conjunct for other in near)


def is_subject_of_oblique(context: PronounContext, cluster: Cluster) -> bool:
    """Whether a cluster is the subject of the clause in which a pronoun is an oblique."""
    beside = context.beside
    return beside is not None and any(t.index == beside for t in _in_sentence(cluster, context))


def _says(analysis: Analysis, detected: DetectedMention, cluster: Cluster) -> bool:
    """Whether a cluster speaks the quotation that holds a pronoun: "He left", said John."""
    last = cluster.last
    verb = analysis.head(last.token)
    outside = not last.quoted and last.token.sentence == detected.token.sentence
    speaks = last.token.is_relation("nsubj") and verb.lemma.lower() in VERBS.speech
    return outside and speaks


def clues(
    analysis: Analysis, context: PronounContext, possible: Sequence[Cluster]
) -> list[tuple[str, ...]]:
    """The names of the clues for and against each candidate, the latest candidate first."""
    most = max(len(each.mentions) for each in possible)
    return [
        (
            f"rank: {min(rank, 5)}",
            *(["most mentioned"] if len(each.mentions) == most >= _TOPIC else []),
            *_salience(analysis, context, each),
            *_features(context.pronoun, each),
            *_grammar(context, each),
        )
        for rank, each in enumerate(possible)
    ]


def _salience(analysis: Analysis, context: PronounContext, cluster: Cluster) -> Iterator[str]:
    last = cluster.last
    apart = context.pronoun.token.sentence - last.token.sentence
    mine, its = context.role, role(analysis, last.token)
    yield f"sentences apart: {min(apart, 4)}"
    yield f"mentions: {min(len(cluster.mentions).bit_length(), 5)}"
    yield f"is a {last.mention.kind}"
    yield f"was {its}"
    yield f"{mine} after {its}"
    if apart <= 1 and last.mention.kind == "pronoun" and its == "subject":
        yield "continuing subject"


def _features(detected: DetectedMention, cluster: Cluster) -> Iterator[str]:
    last = cluster.last
    features = {
        "gender shown": cluster.gender == detected.mention.gender != "unknown",
        "maybe not a person": not cluster.sure,
        "number differs": detected.mention.plural != cluster.plural,
        "unresolved": cluster.unresolved,
        "same word": last.mention.kind == "pronoun" and detected.words == last.words,
        "indefinite": last.article == "indefinite",
        "bare noun": last.article == "bare",
        "named": any(s.mention.kind == "name" for s in cluster.mentions[:_LATEST]),
        "across quotes": detected.quoted != last.quoted,
    }
    yield from (name for name, holds in features.items() if holds)


def _grammar(context: PronounContext, cluster: Cluster) -> Iterator[str]:
    heads = {other.index for other in _in_sentence(cluster, context)}
    token = context.pronoun.token
    for level, (verb, subject) in enumerate(context.subjects):
        if subject is None or subject not in heads or subject == token.index:
            continue
        if level == 0:
            yield "owner is subject" if context.possessive else "beside its subject"
        else:
            yield _SPEAKER if verb.lemma.lower() in VERBS.speech else "subject above"
        break
    if heads & context.clause_objects:
        yield "argument of its clause"
    if heads & context.outer_objects:
        yield _ADDRESSEE


def _in_sentence(cluster: Cluster, context: PronounContext) -> list[Token]:
    """The latest mentions of a cluster in the sentence of a pronoun."""
    sentence = context.pronoun.token.sentence
    latest = cluster.mentions[-_LATEST:]
    return [detected.token for detected in latest if detected.token.sentence == sentence]


@dataclass(frozen=True, slots=True)
class AntecedentChoice:
    """The candidates of a pronoun, the likeliest first; ``sure`` if ``best`` is certain enough.

    Sure without a best one means that none of them is the antecedent.
    """

    order: tuple[Cluster, ...]
    best: Cluster | None
    sure: bool


AntecedentChooser = Callable[
    [DetectedMention, Sequence[Cluster], Sequence[Sequence[str]]], AntecedentChoice
]
"""Chooses the antecedent of a pronoun among candidates, given the clues of each."""


@dataclass
class ClueWeights:
    """Weights of the clues by kind of pronoun, and the thresholds of a decision."""

    min_probability: float
    min_ratio: float
    weights: dict[str, dict[str, float]]


@cache
def clue_weights() -> ClueWeights:
    """The fitted weights: ``data/clue_weights.yaml``."""
    return ClueWeights(**data_yaml("clue_weights.yaml"))


def choose_antecedent(
    pronoun: DetectedMention, possible: Sequence[Cluster], rows: Sequence[Sequence[str]]
) -> AntecedentChoice:
    """The likeliest antecedent, sure if it is likely enough and clearly ahead of the next."""
    fitted = clue_weights()
    shares = antecedent_probabilities(rows, fitted.weights[weights_name(pronoun)])
    order = [i for i in sorted(range(len(shares)), key=lambda i: -shares[i]) if i < len(possible)]
    ranked = tuple(possible[index] for index in order)
    if shares[-1] > shares[order[0]]:
        return AntecedentChoice(ranked, None, sure=True)
    first, second = (*(shares[index] for index in order), 0.0)[:2]
    ahead = first >= fitted.min_ratio * second
    ahead = ahead and not _are_speaker_and_addressee([rows[index] for index in order[:2]])
    return AntecedentChoice(ranked, ranked[0], sure=first >= fitted.min_probability and ahead)


def _are_speaker_and_addressee(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the two likeliest talk to one another: "Anna told Mary that she won"."""
    roles = [clue for row in rows for clue in row if clue in {_SPEAKER, _ADDRESSEE}]
    return sorted(roles) == sorted([_SPEAKER, _ADDRESSEE])


def weights_name(pronoun: DetectedMention) -> str:
    """Which set of weights serves a pronoun."""
    return "they" if pronoun.mention.gender == "unknown" else "he or she"


def antecedent_probabilities(
    rows: Sequence[Sequence[str]], weights: Mapping[str, float]
) -> list[float]:
    """The probability of each candidate, by its clues; last, that none is the antecedent.

        P(i) = exp(Σ w(clue)) / Z   over the clues of candidate i

    The weights w were fitted on the training part of GUM by ``scripts/fit_coreference.py``.
    """
    scores = [sum(weights.get(clue, 0.0) for clue in row) for row in rows]
    scores.append(weights.get(NO_ANTECEDENT, 0.0))
    top = max(scores)
    shares = [exp(score - top) for score in scores]
    return [share / sum(shares) for share in shares]
