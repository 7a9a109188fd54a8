"""Litotes: a true statement as the negation of its contrary, "was not born anywhere but in Canada".

Nobody is born in two places or years, and someone who starred in a film did not refuse to. Such
statements follow from the plain ones, keep their words, and have a negation where false texts have
theirs: in the middle of the clause.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.rules.alternatives import Slot, categories, holds, slots
from augkit.augmenters.razor.rules.negation import NEGATORS, base, negate
from augkit.augmenters.razor.rules.paired_text import PairedText, only_root
from augkit.augmenters.razor.rules.word_lists import phrase_list, word_set
from augkit.core.analysis import Analysis, Token
from augkit.language.negation import negation_words

_DENYING = NEGATORS | negation_words("adverb", "determiner", "only", "pronoun", "preposition")
_DIRECTION = re.compile(r"^(?:(?:North|South|East|West|Central)\w*,? )+")
_BE = frozenset({"is", "was"})
_WORD = r"[A-Z](?:[\w'\u2019-]|\.(?!$))*"
_NAME = rf"{_WORD}(?:(?: of| the| de)* {_WORD})*"
_PLACE = re.compile(rf"\bin (?P<what>(?:the )?{_NAME}(?:, {_NAME})?)(?P<stop>\.?)$")
_YEAR = re.compile(r"\bin (?P<what>1\d\d\d|20[0-4]\d)(?P<stop>\.?)$")
_AGENT = re.compile(rf"\bby (?P<what>{_NAME})(?P<stop>\.?)$")
_LONGEST_CALLED = 6
"""Longest predicate that "called" can introduce, in words."""
_HOW = "litotes"


def litotes(pair: PairedText, rng: random.Random) -> Iterator[Rewrite]:
    """Negations that follow from a true text."""
    analysis = pair.analysis
    if any(token.text.lower() in _DENYING for token in analysis.tokens):
        return
    root = only_root(analysis)
    if root is None or analysis.children(root, "parataxis", "advcl"):
        return
    yield from (Rewrite(text, _HOW) for text in _not_only(analysis, root))
    if analysis.children(root, "conj"):
        return
    for text in (
        *_nowhere_else(analysis, root),
        *_by_no_other(pair, root),
        *_nothing_else(pair),
        *_called(analysis, root, rng),
        *_not_refused(analysis, root, rng),
        *_one_of_many(analysis),
    ):
        yield Rewrite(text, _HOW)


def _nowhere_else(analysis: Analysis, root: Token) -> Iterator[str]:
    """For example "was not born outside Canada", "was not released in any year but 1994"."""
    found = _PLACE.search(analysis.text)
    there = bool(analysis.children(root, "cop")) and bool(analysis.children(root, "case"))
    there = there and found is not None and _is_place(found["what"])
    if there or root.lemma.lower() in word_set("place_verbs"):
        yield from _excluded(analysis, _PLACE, phrase_list("anywhere_but"))
    if root.lemma.lower() in word_set("once_verbs") and root.upos == "VERB":
        yield from _excluded(analysis, _YEAR, phrase_list("any_year_but"))


def _is_place(name: str) -> bool:
    """Whether a name is that of a country, state, city or continent, or of a part of one."""
    names = set(phrase_list("continents"))
    for category in ("countries", "states", "cities"):
        names.update(categories()[category].words)
    plain = name.rsplit(", ", 1)[-1].removeprefix("the ")
    return not names.isdisjoint({name, plain, _DIRECTION.sub("", plain)})


def _by_no_other(pair: PairedText, root: Token) -> Iterator[str]:
    """For example "was not directed by anyone but Olsen", if the context names nobody else."""
    found = _AGENT.search(pair.analysis.text)
    if found is None or root.lemma.lower() not in word_set("solo_verbs"):
        return
    alone = re.search(rf"by {re.escape(found['what'])}(?! ?(?:,|and\b|&))", pair.context)
    if alone and " and " not in found["what"]:
        yield from _excluded(pair.analysis, _AGENT, phrase_list("anyone_but"))


def _excluded(
    analysis: Analysis, ending: re.Pattern[str], all_else: tuple[str, ...]
) -> Iterator[str]:
    found, negated = ending.search(analysis.text), negate(analysis)
    if found is None or negated is None or not negated.endswith(found[0]):
        return
    link = next(token for token in analysis.tokens if token.start == found.start())
    named = analysis.head(link)
    # In "a band formed in London" the place belongs to the band, not to the subject.
    if not named.is_root and not analysis.head(named).is_root:
        return
    for words in all_else:
        yield f"{negated[: -len(found[0])]}{words} {found['what']}{found['stop']}"


def _nothing_else(pair: PairedText) -> Iterator[str]:
    """For example "is not anything other than a film", for exclusive categories."""
    for slot in slots(pair.analysis):
        start = _predicate_start(pair.analysis, slot.token)
        if start is None or not holds(pair.context, slot.text) or not _is_exclusive(slot):
            continue
        text = pair.analysis.text
        for words in phrase_list("anything_but"):
            yield f"{text[:start]} {words}{text[start:]}"


def _is_exclusive(slot: Slot) -> bool:
    return slot.category in {"works", "kinds of thing"} and slot.exclusive and not slot.plural


def _called(analysis: Analysis, root: Token, rng: random.Random) -> Iterator[str]:
    """For example "is not wrongly called a band", "is not the only band"."""
    start = _predicate_start(analysis, root)
    if start is None or root.lemma.lower() in word_set("uncalled_persons"):
        return
    text, rest = analysis.text, analysis.text[start:]
    for how in rng.sample(phrase_list("falsely"), 2):
        yield f"{text[:start]} not {how} {rng.choice(phrase_list('called'))}{rest}"
    after = analysis.tokens[root.index + 1 :]
    if not after or after[0].text == ".":
        many = re.sub(r"^ an? ", " ", rest)
        yield f"{text[:start]} not the only{many}"


def _predicate_start(analysis: Analysis, noun: Token) -> int | None:
    """The end of "is" in "is a band", if that is the predicate of the sentence."""
    helpers = analysis.children(noun, "cop")
    if not noun.is_root or noun.xpos not in {"NN", "NNP"} or len(helpers) != 1:
        return None
    be = helpers[0]
    rest = analysis.tokens[be.index + 1 :]
    fits = be.text in _BE and rest[0].text in {"a", "an"} and be.index < noun.index
    return be.end if fits and len(rest) <= _LONGEST_CALLED + 2 else None


def _not_refused(analysis: Analysis, root: Token, rng: random.Random) -> Iterator[str]:
    """For example "did not refuse to star in the film"."""
    subjects = analysis.children(root, "nsubj")
    named = len(subjects) == 1 and subjects[0].upos == "PROPN"
    if not named or root.lemma.lower() not in word_set("refusable_verbs") or root.xpos != "VBD":
        return
    if analysis.children(root, "aux", "cop"):
        return
    text = analysis.text
    for verb in rng.sample(phrase_list("refusing"), 2):
        yield f"{text[: root.start]}did not {verb} to {base(root)}{text[root.end :]}"


def _one_of_many(analysis: Analysis) -> Iterator[str]:
    """For example "is only one of the founders"."""
    found = re.search(r"(?<=(?: is|was) )(?=one of )", analysis.text)
    if found is not None:
        for words in ("only", "just", "but"):
            yield f"{analysis.text[: found.start()]}{words} {analysis.text[found.start() :]}"


def _not_only(analysis: Analysis, root: Token) -> Iterator[str]:
    """From "is an actor and a director", "is not only an actor but also a director"."""
    found = re.search(r"\b(is|was) (an? [^,]+?) and (an? [^,]+)$", analysis.text)
    if found is None or not analysis.children(root, "cop"):
        return
    head = analysis.text[: found.start()]
    yield f"{head}{found[1]} not only {found[2]} but also {found[3]}"
    yield f"{head}{found[1]} not just {found[2]} but also {found[3]}"
