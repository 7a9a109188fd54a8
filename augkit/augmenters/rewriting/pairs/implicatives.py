"""Implicit negation: "was barred from starring in the film" for "did not star in the film".

Where the context says that something happened, whatever implies that it did not is as false as the
plain negation. Many verbs imply it without words that go with a label.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from augkit.augmenters.rewriting.candidates import Wording
from augkit.augmenters.rewriting.pairs.negations import DO_TAGS, NOT_OR_NEVER, base
from augkit.augmenters.rewriting.words import table
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel, validate
from augkit.language.morphology import agree, inflect_verb

_MOST = 8
"""Phrases drawn for one text."""
_COUNTING = frozenset({"once", "twice"})
"""Someone kept from winning once may have won."""
_BE = {"is": "VBZ", "was": "VBD", "are": "VBP", "were": "VBD"}
_HAVE = frozenset({"has", "have", "had"})
_POLAR = re.compile(r" (?:ever|yet|at all)(?=\W)")
_HOW = "implicit negation"

VerbPhrase = tuple[str, str]
"""A verb, and what follows it."""


class Implicatives(StrictModel):
    """The phrases; see ``implicatives.yaml``."""

    voluntary: tuple[tuple[str, str, str], ...]
    being: tuple[VerbPhrase, ...]
    posing: tuple[VerbPhrase, ...]
    voluntary_verbs: frozenset[str]
    professions: frozenset[str]


@cache
def implicatives() -> Implicatives:
    """The phrases of ``implicatives.yaml``."""
    return validate(Implicatives, table("pairs/implicatives.yaml"), "implicatives.yaml")


@dataclass(frozen=True)
class _NegatedClause:
    """A negated main clause: its subject, the negator, the word before it, and the root."""

    subject: Token
    negator: Token
    helper: Token
    root: Token
    after: Sequence[Token]

    @property
    def at_once(self) -> bool:
        """Whether the root follows the negator."""
        return bool(self.after) and self.after[0] == self.root


def implicit_negations(analysis: Analysis, rng: random.Random) -> Iterator[Wording]:
    """Statements that imply the negation of a false text's main clause."""
    clause = _negated_clause(analysis)
    if clause is not None:
        for text in _rephrased(analysis, clause, rng):
            yield Wording(_POLAR.sub("", text), _HOW)


def _negated_clause(analysis: Analysis) -> _NegatedClause | None:
    """The clause of a text that is a single clause with one negation."""
    roots = [token for token in analysis.tokens if token.is_root]
    root = roots[0] if len(roots) == 1 else None
    found = [token for token in analysis.tokens if token.text.lower() in NOT_OR_NEVER]
    if root is None or len(found) != 1 or not found[0].index or len(analysis.sentences) != 1:
        return None
    negator = found[0]
    subjects = analysis.children(root, "nsubj")
    clauses = analysis.children(root, "conj", "parataxis", "advcl", "ccomp")
    if clauses or len(subjects) != 1 or analysis.head(negator).index != root.index:
        return None
    if subjects[0].index > negator.index or subjects[0].upos == "PRON":
        return None
    if any(token.text.lower() in _COUNTING for token in analysis.tokens):
        return None
    helper = analysis.tokens[negator.index - 1]
    return _NegatedClause(subjects[0], negator, helper, root, analysis.tokens[negator.index + 1 :])


def _rephrased(analysis: Analysis, clause: _NegatedClause, rng: random.Random) -> Iterator[str]:
    root, helper = clause.root, clause.helper.text
    start, tail = analysis.text[: clause.helper.start], analysis.text[root.end :]
    if clause.negator.text == "never" and clause.at_once and root.xpos == "VBD":
        start = analysis.text[: clause.negator.start]
        yield from _inflected(start, tail, _acts(analysis, clause, rng), "VBD")
    elif helper == "did" and clause.at_once and root.xpos in {"VB", "VBP"}:
        yield from _inflected(start, tail, _acts(analysis, clause, rng), "VBD")
    elif helper in _HAVE and clause.at_once and root.xpos == "VBN":
        start = f"{analysis.text[: clause.helper.end]} "
        yield from _inflected(start, tail, _acts(analysis, clause, rng, perfect=True), "VBN")
    elif helper in _BE and clause.after and clause.after[0].text in {"a", "an"}:
        tail = f" {analysis.text[clause.after[0].start :]}"
        yield from _inflected(start, tail, _beings(root, rng), helper)


def _acts(
    analysis: Analysis, clause: _NegatedClause, rng: random.Random, *, perfect: bool = False
) -> list[VerbPhrase]:
    """Phrases that imply that a person did not do something; in the perfect only by choice."""
    lemma, known = base(clause.root), implicatives()
    if clause.subject.upos != "PROPN" or lemma not in known.voluntary_verbs:
        return []
    phrases = known.voluntary
    if perfect or _may_be_plural(analysis, clause):
        phrases = tuple(phrase for phrase in phrases if phrase[0] != "be")
    return [
        (first, f"{rest} {lemma if form == 'base' else inflect_verb(lemma, 'VBG')}".strip())
        for first, rest, form in rng.sample(phrases, min(_MOST, len(phrases)))
    ]


def _may_be_plural(analysis: Analysis, clause: _NegatedClause) -> bool:
    """Whether "was" might not agree: "did" shows no number, and names in -s may have either."""
    last = max(token.index for token in analysis.subtree(clause.subject))
    words = (clause.subject.text, analysis.tokens[last].text)
    several = clause.subject.xpos in {"NNS", "NNPS"} or analysis.children(clause.subject, "conj")
    before = analysis.tokens[clause.helper.index - (clause.helper.text in DO_TAGS)]
    return bool(several) or any(word.endswith("s") for word in (*words, before.text))


def _beings(noun: Token, rng: random.Random) -> list[VerbPhrase]:
    """Phrases for not being something; persons may pretend to be it."""
    known = implicatives()
    if noun.upos not in {"NOUN", "PROPN"}:
        return []
    person = noun.text in known.professions
    phrases = (*known.being, *known.posing) if person else known.being
    return rng.sample(phrases, min(_MOST, len(phrases)))


def _inflected(head: str, tail: str, phrases: Sequence[VerbPhrase], form: str) -> Iterator[str]:
    """The phrases in a form: a Penn tag, or that of a form of "to be"."""
    plural = form in {"are", "were", "VBP"}
    tag = _BE.get(form, form)
    for verb, rest in phrases:
        word = inflect_verb(verb, tag)
        yield f"{head}{agree(word, plural=plural) if verb == 'be' else word} {rest}{tail}"
