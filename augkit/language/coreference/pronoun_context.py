"""Where a pronoun stands in its sentence, worked out once for all its candidates."""

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
from augkit.language.coreference.mentions import Sighting, is_possessive

CLAUSES = 4
"""So many clauses around a pronoun are looked at."""


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A pronoun and what is around it; other words are given by index.

    ``apart`` are words that it cannot stand for, ``fellows`` objects of its clause, ``objects``
    those of the clause above, and ``subjects`` the clauses around it, innermost first, with theirs.
    """

    seen: Sighting
    role: Role
    possessive: bool
    top: int
    apart: frozenset[int]
    fellows: frozenset[int]
    objects: frozenset[int]
    subjects: tuple[tuple[Token, int | None], ...]

    @property
    def beside(self) -> int | None:
        """The subject beside which it hangs on a verb with a preposition: "near her"."""
        prepositional = self.role == "oblique" and not self.possessive
        return self.subjects[0][1] if prepositional and self.subjects else None


def standpoint(analysis: Analysis, seen: Sighting) -> Standpoint:
    """The standpoint of a pronoun."""
    token = seen.token
    clauses = clauses_above(analysis, token)[:CLAUSES]
    own = analysis.children(predicate(analysis, token), "obj", "iobj", "obl")
    above = [o for verb in clauses[1:2] for o in analysis.children(verb, "obj", "iobj")]
    return Standpoint(
        seen=seen,
        role=role(analysis, token),
        possessive=is_possessive(token),
        top=first_conjunct(analysis, token).index,
        apart=phrases_around(analysis, token) | _fellow_arguments(analysis, token),
        fellows=frozenset(word.index for word in own),
        objects=frozenset(word.index for word in above),
        subjects=tuple((verb, _index(subject(analysis, verb))) for verb in clauses),
    )


def _fellow_arguments(analysis: Analysis, token: Token) -> frozenset[int]:
    """The other arguments of a verb, whom its subject or object cannot be."""
    top = first_conjunct(analysis, token)
    if is_possessive(token) or role(analysis, top) not in {"subject", "object"}:
        return frozenset()
    fellows = arguments(analysis, analysis.head(top))
    return frozenset(word.index for word in fellows if word.index != top.index)


def _index(token: Token | None) -> int | None:
    return None if token is None else token.index
