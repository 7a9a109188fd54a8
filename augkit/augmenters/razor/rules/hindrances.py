"""Denials of false texts said by what stood in the way: "was barred from starring in the film".

Where the other text says that something is so, whatever implies that it is not is as false as the
plain denial. Much implies it, in words that go with no label, and the words of the statement stay.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from augkit.augmenters.razor.rules.alternatives import kinds
from augkit.augmenters.razor.rules.bundled import bundled
from augkit.augmenters.razor.rules.contrasts import Candidate, Pairing
from augkit.augmenters.razor.rules.denials import NEGATORS, base
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel
from augkit.language.morphology import agree, inflect_verb
from augkit.language.negation import negation_words

_MOST = 8
"""Ways drawn for one text."""
_DENYING = NEGATORS | negation_words("adverb")
_COUNTING = frozenset({"once", "twice"})
"""Who was kept from winning once may have won."""
_DO = {"did": "VBD", "does": "VBZ", "do": "VBP"}
_BE = {"is": "VBZ", "was": "VBD", "are": "VBP", "were": "VBD"}
_HAVE = frozenset({"has", "have", "had"})
_STATES = frozenset(
    "be have know like love contain include involve feature mean belong own need want seem lack "
    "consist exist believe cost fit resemble deserve speak understand comprise exhibit follow die "
    "depict tell affect cause".split()
)
"""What nothing keeps from happening: it does not happen."""
_WILLED = frozenset(
    "star appear act write direct perform play serve work produce record sing host join compete "
    "attend study co-star create release publish tour run lead co-write found marry enter visit "
    "move travel wrestle fight teach train sign paint compose invent vote dance coach present "
    "voice design develop build".split()
)
"""What persons do because they want to."""
_POLAR = re.compile(r" (?:ever|yet|at all)(?=\W)")
_HOW = "kept from being so"

Way = tuple[str, str]
"""A verb, and what follows it."""


class Hindrances(StrictModel):
    """The bundled ways; see ``hindrances.yaml``."""

    willed: tuple[tuple[str, str, str], ...]
    any: tuple[tuple[str, str, str], ...]
    being: tuple[Way, ...]
    posing: tuple[Way, ...]


@cache
def hindrances() -> Hindrances:
    """The ways of ``hindrances.yaml``."""
    return bundled(Hindrances, "hindrances.yaml")


@dataclass(frozen=True)
class _Denial:
    """A main clause that is denied: its subject, the negator, the word before it, and the root."""

    subject: Token
    negator: Token
    helper: Token
    root: Token
    after: Sequence[Token]

    @property
    def at_once(self) -> bool:
        """Whether the root follows the negator."""
        return bool(self.after) and self.after[0] == self.root


def hindered(pair: Pairing, draw: random.Random) -> Iterator[Candidate]:
    """Statements that imply what a text denies in its main clause; for texts that are false."""
    denial = _denial(pair.analysis)
    if denial is not None:
        for text in _said(pair.analysis, denial, draw):
            yield Candidate(_POLAR.sub("", text), _HOW)


def _denial(analysis: Analysis) -> _Denial | None:
    """The denial of a text that is one clause and denies once."""
    roots = [token for token in analysis.tokens if token.is_root]
    found = [token for token in analysis.tokens if token.text.lower() in _DENYING]
    if len(roots) != 1 or len(found) != 1 or not found[0].index or len(analysis.sentences) != 1:
        return None
    root, negator = roots[0], found[0]
    subjects = analysis.children(root, "nsubj")
    clauses = analysis.children(root, "conj", "parataxis", "advcl", "ccomp")
    if clauses or len(subjects) != 1 or analysis.head(negator).index != root.index:
        return None
    if subjects[0].index > negator.index or subjects[0].upos == "PRON":
        return None
    if any(token.text.lower() in _COUNTING for token in analysis.tokens):
        return None
    helper = analysis.tokens[negator.index - 1]
    return _Denial(subjects[0], negator, helper, root, analysis.tokens[negator.index + 1 :])


def _said(analysis: Analysis, denial: _Denial, draw: random.Random) -> Iterator[str]:
    root, helper = denial.root, denial.helper.text
    start, tail = analysis.text[: denial.helper.start], analysis.text[root.end :]
    if denial.negator.text == "never" and denial.at_once and root.xpos in {"VBD", "VBZ"}:
        start = analysis.text[: denial.negator.start]
        ways = _acts(analysis, denial, draw, past=root.xpos == "VBD")
        yield from _told(start, tail, ways, root.xpos)
    elif helper in _DO and denial.at_once and root.xpos in {"VB", "VBP"}:
        ways = _acts(analysis, denial, draw, past=helper == "did")
        yield from _told(start, tail, ways, _DO[helper])
    elif helper in _BE and denial.at_once and root.xpos == "VBN":
        yield from _told(start, tail, _passives(root, draw), helper)
    elif helper in _BE and denial.after and denial.after[0].text in {"a", "an"}:
        tail = f" {analysis.text[denial.after[0].start :]}"
        yield from _told(start, tail, _beings(root, draw), helper)
    elif helper in _HAVE and [token.text for token in denial.after[:1]] == ["been"]:
        ways = _passives(root, draw) if denial.after[1:2] == (root,) else []
        yield from _told(f"{analysis.text[: denial.helper.end]} ", tail, ways, "VBN")
    elif helper in _HAVE and denial.at_once and root.xpos == "VBN":
        ways = _acts(analysis, denial, draw, past=True)
        yield from _told(f"{analysis.text[: denial.helper.end]} ", tail, ways, "VBN")


def _acts(analysis: Analysis, denial: _Denial, draw: random.Random, *, past: bool) -> list[Way]:
    """Ways in which something did not come to be done."""
    lemma, known = base(denial.root), hindrances()
    if lemma in _STATES:
        return []
    person = denial.subject.upos == "PROPN" and lemma in _WILLED
    ways = (*known.any, *known.willed) if person and past else known.any
    if past and denial.helper.text not in _HAVE and _may_be_plural(analysis, denial):
        ways = tuple(way for way in ways if way[0] != "be")
    return [
        (first, f"{rest} {lemma if form == 'base' else inflect_verb(lemma, 'VBG')}".strip())
        for first, rest, form in draw.sample(ways, min(_MOST, len(ways)))
    ]


def _may_be_plural(analysis: Analysis, denial: _Denial) -> bool:
    """Whether "was" might not agree: "did" does not tell, and names in -s may be either."""
    last = max(token.index for token in analysis.subtree(denial.subject))
    words = (denial.subject.text, analysis.tokens[last].text)
    several = denial.subject.xpos in {"NNS", "NNPS"} or analysis.children(denial.subject, "conj")
    before = analysis.tokens[denial.helper.index - (denial.helper.text in _DO)]
    return bool(several) or any(word.endswith("s") for word in (*words, before.text))


def _passives(verb: Token, draw: random.Random) -> list[Way]:
    ways = hindrances().any
    return [
        (first, f"{rest} being {verb.text}")
        for first, rest, _ in draw.sample(ways, min(_MOST, len(ways)))
    ]


def _beings(noun: Token, draw: random.Random) -> list[Way]:
    """Ways of not being something; persons may pretend to be it."""
    known, professions = hindrances(), kinds()["professions"]
    if noun.upos not in {"NOUN", "PROPN"}:
        return []
    person = noun.text in professions.known or noun.text in professions.drawn
    ways = (*known.being, *known.posing) if person else known.being
    return draw.sample(ways, min(_MOST, len(ways)))


def _told(head: str, tail: str, ways: Sequence[Way], form: str) -> Iterator[str]:
    """The ways in a form: a Penn tag, or that of a form of "to be"."""
    plural = form in {"are", "were", "VBP"}
    tag = _BE.get(form, form)
    for verb, rest in ways:
        told = inflect_verb(verb, tag)
        yield f"{head}{agree(told, plural=plural) if verb == 'be' else told} {rest}{tail}"
