"""True statements said by denying their contrary: "was not born anywhere but in Canada".

Nobody is born in two places or in two years, and who starred in a film did not refuse to. Such
statements follow from the plain ones, keep their words, and hold a denial where false texts have
theirs: in the middle of the clause.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from augkit.augmenters.razor.rules.alternatives import Slot, holds, kinds, slots
from augkit.augmenters.razor.rules.contrasts import ONCE, Candidate, Pairing
from augkit.augmenters.razor.rules.denials import BY_ONE, NEGATORS, base, denied
from augkit.core.analysis import Analysis, Token
from augkit.language.negation import negation_words

_DENYING = NEGATORS | negation_words("adverb", "determiner", "only", "pronoun", "preposition")
_PLACED = frozenset("bear locate situate base headquarter".split())
_WILLED = frozenset(
    "star appear act write direct perform play serve work produce record sing host join compete "
    "attend study co-star create release publish tour run lead co-write found marry".split()
)
"""What one can refuse to do."""
_CONTINENTS = ("Europe", "Asia", "Africa", "America", "Australia", "Antarctica")
_DIRECTION = re.compile(r"^(?:(?:North|South|East|West|Central)\w*,? )+")
_BE = frozenset({"is", "was"})
_WORD = r"[A-Z](?:[\w'\u2019-]|\.(?!$))*"
_NAME = rf"{_WORD}(?:(?: of| the| de)* {_WORD})*"
_PLACE = re.compile(rf"\bin (?P<what>(?:the )?{_NAME}(?:, {_NAME})?)(?P<stop>\.?)$")
_YEAR = re.compile(r"\bin (?P<what>1\d\d\d|20[0-4]\d)(?P<stop>\.?)$")
_AGENT = re.compile(rf"\bby (?P<what>{_NAME})(?P<stop>\.?)$")
_ANYWHERE = (
    "anywhere but in",
    "anywhere other than in",
    "anywhere except in",
    "outside",
    "outside of",
    "anywhere outside",
)
_ANY_YEAR = ("in any year but", "in any year other than", "in any other year than")
_ANYONE = ("by anyone but", "by anyone other than", "by anybody but", "by anybody except")
_ANYTHING = ("not anything other than", "nothing other than", "nothing else but")
_CALLED = ("called", "described as", "regarded as", "classed as", "considered")
_FALSELY = ("wrongly", "falsely", "mistakenly", "incorrectly")
_FAILED = ("refuse", "decline")
_LONGEST_CALLED = 6
"""Words after "is" that can be called something."""
_ANYBODY = frozenset("person man woman child boy girl human".split())
"""Nobody is called one of these, rightly or wrongly."""
_HOW = "its contrary denied"


def understated(pair: Pairing, draw: random.Random) -> Iterator[Candidate]:
    """Denials that follow from a text, for texts that are true."""
    analysis = pair.analysis
    if any(token.text.lower() in _DENYING for token in analysis.tokens):
        return
    roots = [token for token in analysis.tokens if token.is_root]
    if len(roots) != 1 or analysis.children(roots[0], "parataxis", "advcl"):
        return
    yield from (Candidate(text, _HOW) for text in _not_only(analysis, roots[0]))
    if analysis.children(roots[0], "conj"):
        return
    for text in (
        *_nowhere_else(analysis, roots[0]),
        *_by_no_other(pair, roots[0]),
        *_nothing_else(pair),
        *_called(analysis, roots[0], draw),
        *_not_refused(analysis, roots[0], draw),
        *_one_of_many(analysis),
    ):
        yield Candidate(text, _HOW)


def _nowhere_else(analysis: Analysis, root: Token) -> Iterator[str]:
    """As "was not born outside Canada", "was not released in any year but 1994"."""
    found = _PLACE.search(analysis.text)
    there = bool(analysis.children(root, "cop")) and bool(analysis.children(root, "case"))
    if root.lemma.lower() in _PLACED or (there and found and _is_place(found["what"])):
        yield from _excluded(analysis, _PLACE, _ANYWHERE)
    if root.lemma.lower() in ONCE and root.upos == "VERB":
        yield from _excluded(analysis, _YEAR, _ANY_YEAR)


def _is_place(name: str) -> bool:
    """Whether a name is that of a country, a state, a city or a continent, or of a part of one."""
    known = (kinds()[kind] for kind in ("countries", "states", "cities"))
    names = {*_CONTINENTS, *(one for kind in known for one in (*kind.known, *kind.drawn))}
    plain = name.rsplit(", ", 1)[-1].removeprefix("the ")
    return not names.isdisjoint({name, plain, _DIRECTION.sub("", plain)})


def _by_no_other(pair: Pairing, root: Token) -> Iterator[str]:
    """As "was not directed by anyone but Olsen", where the other text names nobody beside."""
    found = _AGENT.search(pair.analysis.text)
    if found is None or root.lemma.lower() not in BY_ONE:
        return
    alone = re.search(rf"by {re.escape(found['what'])}(?! ?(?:,|and\b|&))", pair.context)
    if alone and " and " not in found["what"]:
        yield from _excluded(pair.analysis, _AGENT, _ANYONE)


def _excluded(
    analysis: Analysis, ending: re.Pattern[str], all_else: tuple[str, ...]
) -> Iterator[str]:
    found, negated = ending.search(analysis.text), denied(analysis)
    if found is None or negated is None or not negated.endswith(found[0]):
        return
    link = next(token for token in analysis.tokens if token.start == found.start())
    named = analysis.head(link)
    # In "a band formed in London" it is the band that is placed, not what has it.
    if not named.is_root and not analysis.head(named).is_root:
        return
    for words in all_else:
        yield f"{negated[: -len(found[0])]}{words} {found['what']}{found['stop']}"


def _nothing_else(pair: Pairing) -> Iterator[str]:
    """As "is not anything other than a film", of what rules each other out."""
    for slot in slots(pair.analysis):
        start = _said_to_be(pair.analysis, slot.token)
        if start is None or not holds(pair.context, slot.text) or not _is_exclusive(slot):
            continue
        text = pair.analysis.text
        for words in _ANYTHING:
            yield f"{text[:start]} {words}{text[start:]}"


def _is_exclusive(slot: Slot) -> bool:
    return slot.kind in {"works", "kinds of thing"} and slot.exclusive and not slot.plural


def _called(analysis: Analysis, root: Token, draw: random.Random) -> Iterator[str]:
    """As "is not wrongly called a band", and "is not the only band" of what is one of many."""
    start = _said_to_be(analysis, root)
    if start is None or root.lemma.lower() in _ANYBODY:
        return
    text, rest = analysis.text, analysis.text[start:]
    for how in draw.sample(_FALSELY, 2):
        yield f"{text[:start]} not {how} {draw.choice(_CALLED)}{rest}"
    after = analysis.tokens[root.index + 1 :]
    if not after or after[0].text == ".":
        many = re.sub(r"^ an? ", " ", rest)
        yield f"{text[:start]} not the only{many}"


def _said_to_be(analysis: Analysis, noun: Token) -> int | None:
    """Where "is" ends in "is a band", if the sentence says that of its subject."""
    helpers = analysis.children(noun, "cop")
    if not noun.is_root or noun.xpos not in {"NN", "NNP"} or len(helpers) != 1:
        return None
    be = helpers[0]
    rest = analysis.tokens[be.index + 1 :]
    fits = be.text in _BE and rest[0].text in {"a", "an"} and be.index < noun.index
    return be.end if fits and len(rest) <= _LONGEST_CALLED + 2 else None


def _not_refused(analysis: Analysis, root: Token, draw: random.Random) -> Iterator[str]:
    """As "did not refuse to star in the film"."""
    subjects = analysis.children(root, "nsubj")
    named = len(subjects) == 1 and subjects[0].upos == "PROPN"
    if not named or root.lemma.lower() not in _WILLED or root.xpos != "VBD":
        return
    if analysis.children(root, "aux", "cop"):
        return
    text = analysis.text
    for verb in draw.sample(_FAILED, 2):
        yield f"{text[: root.start]}did not {verb} to {base(root)}{text[root.end :]}"


def _one_of_many(analysis: Analysis) -> Iterator[str]:
    """As "is only one of the founders"."""
    found = re.search(r"(?<=(?: is|was) )(?=one of )", analysis.text)
    if found is not None:
        for words in ("only", "just", "but"):
            yield f"{analysis.text[: found.start()]}{words} {analysis.text[found.start() :]}"


def _not_only(analysis: Analysis, root: Token) -> Iterator[str]:
    """As "is not only an actor but also a director", said as "is an actor and a director"."""
    found = re.search(r"\b(is|was) (an? [^,]+?) and (an? [^,]+)$", analysis.text)
    if found is None or not analysis.children(root, "cop"):
        return
    head = analysis.text[: found.start()]
    yield f"{head}{found[1]} not only {found[2]} but also {found[3]}"
    yield f"{head}{found[1]} not just {found[2]} but also {found[3]}"
