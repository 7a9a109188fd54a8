"""Whom a pronoun may stand for, and how likely: agreement, binding, and a weighing of clues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import first_conjunct, role
from augkit.language.coreference.clue_weights import AHEAD, LIKELY, NOBODY, WEIGHTS
from augkit.language.coreference.mentions import Sighting
from augkit.language.coreference.pronoun_context import Standpoint
from augkit.lexicons.demographics.cues import cues
from augkit.lexicons.demographics.person_words import Gender

LATEST = 6
"""So many mentions of a candidate are looked at, the latest ones."""

SPEAKER, ADDRESSEE = "subject of speech above", "object above"
"""Clues for who says what a pronoun stands in, and to whom."""

OFTEN = 3
"""A person mentioned so often may be what the text is about."""


@dataclass(eq=False)
class Candidate:
    """A person in the making: mentions that are surely the same, and what they show together."""

    sightings: list[Sighting] = field(default_factory=list)
    gender: Gender = "unknown"
    plural: bool = False
    sure: bool = False
    doubted: bool = False
    rivals: tuple[Candidate, ...] = ()

    def add(self, seen: Sighting) -> None:
        """Take one more mention in."""
        if not self.sightings:
            self.plural = seen.mention.plural
        if self.gender == "unknown":
            self.gender = seen.mention.gender
        self.sure = self.sure or seen.sure
        self.sightings.append(seen)

    @property
    def last(self) -> Sighting:
        """The latest mention."""
        return self.sightings[-1]


def agrees(seen: Sighting, candidate: Candidate) -> bool:
    """Whether gender and number allow a mention to belong to a candidate."""
    mention = seen.mention
    if "unknown" not in {mention.gender, candidate.gender} and mention.gender != candidate.gender:
        return False
    if mention.kind == "pronoun" and mention.gender == "unknown":  # "they" may be one person
        return candidate.plural or candidate.gender == "unknown"
    return mention.plural == candidate.plural


def is_bound_apart(analysis: Analysis, place: Standpoint, candidate: Candidate) -> bool:
    """Whether grammar forbids a pronoun to stand for a candidate mentioned in its sentence."""
    if place.seen.quoted and _says(analysis, place.seen, candidate):
        return True
    near = _in_sentence(candidate, place)
    if any(other.index in place.apart for other in near):
        return True
    clause = analysis.head(place.seen.token)
    # "the woman she met": the subject of the clause is not the one it is about; "told the woman
    # that she won" and "the best guard ever she was there" are no such clauses
    about = place.seen.token.is_relation("nsubj") and clause.deprel == "acl:relcl"
    about = about and not analysis.children(clause, "mark", "cop")
    if about and any(other.index == clause.head for other in near):
        return True
    if place.possessive:
        return False
    # "Anna and her": two people
    return any(first_conjunct(analysis, other).index == place.top for other in near)


def is_beside_subject(place: Standpoint, candidate: Candidate) -> bool:
    """Whether a candidate is the subject of the clause in which a pronoun hangs on a verb."""
    beside = place.beside
    return beside is not None and any(t.index == beside for t in _in_sentence(candidate, place))


def _says(analysis: Analysis, seen: Sighting, candidate: Candidate) -> bool:
    """Whether a candidate speaks the words in which a pronoun stands: "He left", said John."""
    last = candidate.last
    verb = analysis.head(last.token)
    outside = not last.quoted and last.token.sentence == seen.token.sentence
    speaks = last.token.is_relation("nsubj") and verb.lemma.lower() in cues("verbs", "speech")
    return outside and speaks


def clues(
    analysis: Analysis, place: Standpoint, possible: Sequence[Candidate]
) -> list[tuple[str, ...]]:
    """For each candidate, the latest first, the names of what speaks for or against it."""
    most = max(len(each.sightings) for each in possible)
    return [
        (
            f"rank: {min(rank, 5)}",
            *(["most mentioned"] if len(each.sightings) == most >= OFTEN else []),
            *_salience(analysis, place, each),
            *_marks(place.seen, each),
            *_grammar(place, each),
        )
        for rank, each in enumerate(possible)
    ]


def _salience(analysis: Analysis, place: Standpoint, candidate: Candidate) -> Iterator[str]:
    last = candidate.last
    apart = place.seen.token.sentence - last.token.sentence
    mine, its = place.role, role(analysis, last.token)
    yield f"sentences apart: {min(apart, 4)}"
    yield f"mentions: {min(len(candidate.sightings).bit_length(), 5)}"
    yield f"is a {last.mention.kind}"
    yield f"was {its}"
    yield f"{mine} after {its}"
    if apart <= 1 and last.mention.kind == "pronoun" and its == "subject":
        yield "goes on"


def _marks(seen: Sighting, candidate: Candidate) -> Iterator[str]:
    last = candidate.last
    marks = {
        "gender shown": candidate.gender == seen.mention.gender != "unknown",
        "maybe not a person": not candidate.sure,
        "number differs": seen.mention.plural != candidate.plural,
        "doubted": candidate.doubted,
        "same word": last.mention.kind == "pronoun" and seen.words == last.words,
        "indefinite": last.article == "indefinite",
        "bare noun": last.article == "bare",
        "named": any(s.mention.kind == "name" for s in candidate.sightings[:LATEST]),
        "across quotes": seen.quoted != last.quoted,
    }
    yield from (mark for mark, holds in marks.items() if holds)


def _grammar(place: Standpoint, candidate: Candidate) -> Iterator[str]:
    heads = {other.index for other in _in_sentence(candidate, place)}
    token = place.seen.token
    for level, (verb, who) in enumerate(place.subjects):
        if who is None or who not in heads or who == token.index:
            continue
        if level == 0:
            yield "owner is subject" if place.possessive else "beside its subject"
        else:
            yield SPEAKER if verb.lemma.lower() in cues("verbs", "speech") else "subject above"
        break
    if heads & place.fellows:
        yield "argument of its clause"
    if heads & place.objects:
        yield ADDRESSEE


def _in_sentence(candidate: Candidate, place: Standpoint) -> list[Token]:
    """The latest mentions of a candidate in the sentence of a pronoun."""
    sentence = place.seen.token.sentence
    latest = candidate.sightings[-LATEST:]
    return [seen.token for seen in latest if seen.token.sentence == sentence]


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidates of a pronoun, the likeliest first; ``sure`` where ``best`` is the one.

    Sure and without a best one: it is none of them.
    """

    order: tuple[Candidate, ...]
    best: Candidate | None
    sure: bool


Chooser = Callable[[Sighting, Sequence[Candidate], Sequence[Sequence[str]]], Choice]
"""Decides for a pronoun among candidates, each with its clues."""


def likeliest(
    seen: Sighting, possible: Sequence[Candidate], rows: Sequence[Sequence[str]]
) -> Choice:
    """The candidate that is likely enough, if there is one."""
    shares = probabilities(rows, WEIGHTS[sort_of(seen)])
    *order, last = sorted(range(len(shares)), key=lambda place: -shares[place])
    order = [place for place in (*order, last) if place < len(possible)]
    ranked = tuple(possible[place] for place in order)
    if shares[-1] > shares[order[0]]:
        return Choice(ranked, None, sure=True)
    first, second = (*(shares[place] for place in order), 0.0)[:2]
    ahead = first >= AHEAD * second and not _equally_told([rows[place] for place in order[:2]])
    return Choice(ranked, ranked[0], sure=first >= LIKELY and ahead)


def _equally_told(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the two likeliest are who tells and who is told: "Anna told Mary that she won"."""
    told = [clue for row in rows for clue in row if clue in {SPEAKER, ADDRESSEE}]
    return sorted(told) == sorted([SPEAKER, ADDRESSEE])


def sort_of(seen: Sighting) -> str:
    """Which set of weights serves a pronoun."""
    return "they" if seen.mention.gender == "unknown" else "he or she"


def probabilities(rows: Sequence[Sequence[str]], weights: Mapping[str, float]) -> list[float]:
    """How likely each candidate is, by its clues; last, that it is none of them.

        P(i) = exp(Σ w(clue)) / Z   over the clues of candidate i

    The weights w were fitted on the training part of GUM by ``scripts/fit_coreference.py``.
    """
    scores = [sum(weights.get(clue, 0.0) for clue in row) for row in rows]
    scores.append(weights.get(NOBODY, 0.0))
    top = max(scores)
    shares = [exp(score - top) for score in scores]
    return [share / sum(shares) for share in shares]
