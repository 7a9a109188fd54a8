"""The grammatical context of a pronoun, computed once for all its candidate antecedents."""

from __future__ import annotations

from dataclasses import dataclass

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import (
    Role,
    arguments,
    clauses_above,
    first_conjunct,
    phrases_around,
    predicate,
    role,
    subject,
)
from augkit.language.coreference.mentions import DetectedMention, is_possessive

_CLAUSES = 4
"""How many clauses around a pronoun count."""


@dataclass(frozen=True, slots=True)
class PronounContext:
    """A pronoun and its grammatical surroundings; other words are given by index.

    ``excluded`` are words that it cannot refer to, ``clause_objects`` the objects of its clause,
    ``outer_objects`` those of the clause above, and ``subjects`` the clauses around it, innermost
    first, each with its subject. ``conjunct`` is the head of its coordination.
    """

    pronoun: DetectedMention
    role: Role
    possessive: bool
    conjunct: int
    excluded: frozenset[int]
    clause_objects: frozenset[int]
    outer_objects: frozenset[int]
    subjects: tuple[tuple[Token, int | None], ...]

    @property
    def beside(self) -> int | None:
        """The subject of its clause, if the pronoun is an oblique there: "near her"."""
        prepositional = self.role == "oblique" and not self.possessive
        return self.subjects[0][1] if prepositional and self.subjects else None


def pronoun_context(analysis: Analysis, pronoun: DetectedMention) -> PronounContext:
    """The context of a pronoun."""
    token = pronoun.token
    clauses = clauses_above(analysis, token)[:_CLAUSES]
    own = analysis.children(predicate(analysis, token), "obj", "iobj", "obl")
    above = [o for verb in clauses[1:2] for o in analysis.children(verb, "obj", "iobj")]
    return PronounContext(
        pronoun=pronoun,
        role=role(analysis, token),
        possessive=is_possessive(token),
        conjunct=first_conjunct(analysis, token).index,
        excluded=phrases_around(analysis, token) | _other_arguments(analysis, token),
        clause_objects=frozenset(word.index for word in own),
        outer_objects=frozenset(word.index for word in above),
        subjects=tuple((verb, _index(subject(analysis, verb))) for verb in clauses),
    )


def _other_arguments(analysis: Analysis, token: Token) -> frozenset[int]:
    """The other arguments of a verb, to which its subject or object cannot refer."""
    top = first_conjunct(analysis, token)
    if is_possessive(token) or role(analysis, top) not in {"subject", "object"}:
        return frozenset()
    others = arguments(analysis, analysis.head(top))
    return frozenset(word.index for word in others if word.index != top.index)


def _index(token: Token | None) -> int | None:
    return None if token is None else token.index
