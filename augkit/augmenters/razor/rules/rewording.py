"""Saying the same in other words: synonyms, the order of phrases, the passive, ways to deny."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from augkit.augmenters.razor.rules.alternatives import kinds
from augkit.augmenters.razor.rules.contrasts import Candidate
from augkit.augmenters.razor.rules.denials import BY_ONE, LIMITERS, NEGATORS, base
from augkit.augmenters.razor.rules.limits import lowered, other_limits
from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import agree, inflect_verb
from augkit.lexicons.demographics.person_words import first_names
from augkit.lexicons.load import synonyms
from augkit.text.articles import refit
from augkit.text.casing import match_case

_LONGEST_MOVED = 5
"""Words of a phrase that can change its place."""
_PRONOUNS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "who": "whom"}
_NUMBER = re.compile(r"\s*(?:\d|(?:two|three|four|five|six|seven|eight|nine|ten)\b)")
_YEAR = re.compile(r"\d{4}(?!\d)")
_UNWILLED = frozenset("die exist end occur happen".split())
"""What nobody fails to do."""
_NOT_BEING = (
    "anything but",
    "far from being",
    "something other than",
    "wrongly described as",
    "mistakenly called",
    "falsely said to be",
)
_OPEN = frozenset({"NOUN", "ADJ", "ADV"})
"""Verbs are left out: a synonym of a verb seldom takes the same objects."""
_FRONTED = frozenset({"in", "on", "during", "since", "after", "before", "at"})


def reworded(analysis: Analysis, avoid: Sequence[str], draw: random.Random) -> Iterator[Candidate]:
    """Other wordings of a text; ``avoid`` are words that give its label away, the worst first."""
    yield from _other_denials(analysis)
    yield from other_limits(analysis)
    yield from _without_synonyms_of(analysis, avoid, draw)
    yield from _moved(analysis)
    yield from _other_voice(analysis)


def _without_synonyms_of(
    analysis: Analysis, avoid: Sequence[str], draw: random.Random
) -> Iterator[Candidate]:
    """One of the words that give the label away, exchanged for a synonym."""
    known = synonyms()
    ranked = {word: place for place, word in enumerate(avoid)}
    fit = [t for t in analysis.tokens if t.upos in _OPEN and t.text in known and t.text in ranked]
    fit.sort(key=lambda token: (ranked[token.text], token.index))
    for token in (one for one in fit if not _enclosed(analysis.text, one)):
        word = draw.choice(list(known[token.text]))
        yield Candidate(_exchanged(analysis, token, word), "a synonym")


def _enclosed(text: str, token: Token) -> bool:
    """Whether a word stands in brackets or quotation marks: it may be part of a name."""
    before = text[: token.start]
    return before.count("(") > before.count(")") or before.count('"') % 2 == 1


def _exchanged(analysis: Analysis, token: Token, word: str) -> str:
    text = analysis.text
    before = analysis.tokens[token.index - 1] if token.index else None
    if before is not None and before.text.lower() in {"a", "an"}:
        fitted = refit(before.text, token.text, word)
        head = text[: before.start] + fitted + text[before.end : token.start]
        return head + word + text[token.end :]
    return text[: token.start] + match_case(word, token.text) + text[token.end :]


def _other_denials(analysis: Analysis) -> Iterator[Candidate]:
    """As "failed to win" for "did not win", "lacks" for "does not have"."""
    for token in analysis.tokens:
        if token.text.lower() not in NEGATORS or token.index == 0:
            continue
        helper = analysis.tokens[token.index - 1]
        rest = analysis.tokens[token.index + 1 :]
        head, tail = analysis.text[: helper.start], analysis.text[token.end :]
        if not rest or not helper.text.islower():
            continue
        yield from _denied_otherwise(helper, rest[0], head, tail)
        subjects = analysis.children(analysis.head(token), "nsubj")
        if len(subjects) == 1 and subjects[0].xpos in {"NN", "NNP"}:
            yield from _said_wrongly(helper, rest[0], head, tail.lstrip())


def _denied_otherwise(helper: Token, after: Token, head: str, tail: str) -> Iterator[Candidate]:
    small = helper.text.lower()
    following = tail.lstrip()
    if small in {"did", "does"} and after.upos == "VERB" and base(after) not in _UNWILLED:
        fail = "failed" if small == "did" else "fails"
        rest = following[len(after.text) :]
        yield Candidate(f"{head}{fail} to {base(after)}{rest}", "another denial")
        if base(after) == "have" and not _NUMBER.match(rest):
            lack = "lacked" if small == "did" else "lacks"
            yield Candidate(f"{head}{lack}{rest}", "another denial")
    elif small in {"is", "was", "are", "were"} and after.text.lower() in {"a", "an"}:
        for words in _NOT_BEING:
            yield Candidate(f"{head}{small} {words} {following}", "another denial")
    elif small in {"is", "was"} and _made_by_one(head, after) and " by " in following:
        start, _, end = following.partition(" by ")
        for other in ("somebody", "someone"):
            text = f"{head}{small} {start} by {other} other than {end}"
            yield Candidate(text, "another denial")


def _made_by_one(subject: str, verb: Token) -> bool:
    """Whether a work is spoken of: a person may be directed by many."""
    first = subject.split(maxsplit=1)[0].lower() if subject.strip() else ""
    return base(verb) in BY_ONE and first not in first_names()


def _said_wrongly(helper: Token, after: Token, head: str, following: str) -> Iterator[Candidate]:
    """As "did not die in 14 AD" as "is wrongly said to have died in 14 AD"."""
    small, rest = helper.text.lower(), following[len(after.text) :]
    if small == "did" and after.upos == "VERB":
        said = f"to have {inflect_verb(base(after), 'VBN')}{rest}"
    elif small == "has" and after.xpos == "VBN":
        said = f"to have {following}"
    elif small == "was" and after.xpos == "VBN":
        said = f"to have been {following}"
    elif small == "does" and after.upos == "VERB":
        said = f"to {following}"
    else:
        return
    for how in ("wrongly said", "falsely believed", "mistakenly thought"):
        yield Candidate(f"{head}is {how} {said}", "another denial")


def _moved(analysis: Analysis) -> Iterator[Candidate]:
    """A date at the end goes to the front, or the other way round."""
    text = analysis.text.rstrip()
    stop = text[-1:] if text[-1:] in ".!?" else ""
    root = next((token for token in analysis.tokens if token.is_root), None)
    if root is None or len(analysis.sentences) != 1 or analysis.children(root, "conj"):
        return
    # "Was only released in 1994": the date is what is limited.
    if any(token.text.lower() in LIMITERS for token in analysis.tokens):
        return
    for phrase in analysis.children(root, "obl"):
        words = analysis.subtree(phrase)
        first, last = words[0], words[-1]
        whole_phrase = last.index - first.index + 1 == len(words)
        if first.text.lower() not in _FRONTED or not whole_phrase or not _is_time(words):
            continue
        subject = any(one.index > last.index for one in analysis.children(root, "nsubj"))
        past = root.xpos in {"VBD", "VBN"}
        if len(words) > _LONGEST_MOVED or not past or (first.index == 0 and not subject):
            continue
        whole = analysis.text[first.start : last.end].rstrip(", ")
        if last.end == len(text) - len(stop) and first.index > root.index and first.text.islower():
            rest = text[: first.start].rstrip()
            yield Candidate(f"{_capital(whole)}, {lowered(analysis, rest)}{stop}", "moved")
        elif first.index == 0:
            rest = text[last.end : len(text) - len(stop)].lstrip(", ")
            yield Candidate(f"{_capital(rest)} {_small(whole)}{stop}", "moved")


def _is_time(words: Sequence[Token]) -> bool:
    months = kinds()["months"].drawn
    return any(_YEAR.match(word.text) or word.text in months for word in words)


def _other_voice(analysis: Analysis) -> Iterator[Candidate]:
    """As "Glen directs the film" as "the film is directed by Glen", and back."""
    root = next((token for token in analysis.tokens if token.is_root), None)
    if root is None or root.upos != "VERB" or len(analysis.sentences) != 1:
        return
    plain = not analysis.children(root, "aux", "conj", "iobj", "ccomp", "xcomp", "advmod", "expl")
    subjects, objects = analysis.children(root, "nsubj"), analysis.children(root, "obj")
    if plain and len(subjects) == len(objects) == 1 and root.xpos in {"VBD", "VBZ"}:
        text = _passive(analysis, root, subjects[0], objects[0])
        if text:
            yield Candidate(text, "the passive")


def _passive(analysis: Analysis, verb: Token, subject: Token, patient: Token) -> str | None:
    doer, done = _phrase(analysis, subject), _phrase(analysis, patient)
    in_row = doer[1].index + 1 == verb.index and verb.index + 1 == done[0].index
    pronouns = any(word.upos == "PRON" for word in analysis.subtree(patient))
    none = patient.text.lower() == "zero" or any(
        word.text.lower() in {"zero", "no"} for word in analysis.subtree(patient)
    )
    if "," in analysis.text[: doer[1].end]:
        return None
    if not in_row or doer[0].index != 0 or pronouns or none or verb.lemma not in _PASSIVE:
        return None
    text = analysis.text
    who = text[doer[0].start : doer[1].end]
    who = _PRONOUNS.get(who.lower(), lowered(analysis, who))
    whom = text[done[0].start : done[1].end]
    several = patient.xpos in {"NNS", "NNPS"} or patient.morph.get("Number") == "Plur"
    plural = several or bool(analysis.children(patient, "conj"))
    helper = agree("was" if verb.xpos == "VBD" else "is", plural=plural)
    stop = text[done[1].end :].strip()
    participle = inflect_verb(verb.lemma.lower(), "VBN")
    if stop not in {"", ".", "!"}:
        return None
    if who.endswith("."):
        stop = ""
    return f"{_capital(whom)} {helper} {participle} by {who}{stop}"


_PASSIVE = frozenset(
    "acquire adapt announce arrange attack broadcast build buy capture chase choose clean "
    "compose conquer control cook create defeat design destroy develop direct discover "
    "discuss drive edit establish film finish form found help host influence inspire "
    "introduce invent kick kill launch lead manage nominate paint perform photograph plan "
    "play portray prepare present produce publish pull purchase push read record reject "
    "release repair ride sell sign sing surround throw train voice wash watch win write".split()
)
"""Verbs whose passive is idiomatic with almost any object."""


def _phrase(analysis: Analysis, head: Token) -> tuple[Token, Token]:
    words = analysis.subtree(head)
    return words[0], words[-1]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
