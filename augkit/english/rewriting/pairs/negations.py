"""Other wordings of negation and of "only"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from augkit.core.analysis import Analysis, Token
from augkit.english.morphology import inflect_verb
from augkit.english.negation import negation_words
from augkit.english.rewriting.candidates import Wording
from augkit.english.rewriting.words import phrases, word_list
from augkit.lexicons.demographics.person_words import name_genders

NEGATORS = negation_words("particle", "contraction", "typographic")
NOT_OR_NEVER = NEGATORS | negation_words("adverb")
_NOT_LIMITED = frozenset({"and", "that", "which", "who", "born"})
"""Words after "only" that cannot be limited from behind."""
_DATED = re.compile(r"([^,;]*) in (\d{4}[.!]?)")
_BE = frozenset({"is", "was", "are", "were"})
_HAVE = {"has": ("lacks", "is"), "had": ("lacked", "was"), "have": ("lack", "are")}
_NOUNS = frozenset({"NN", "NNS"})
_LONGEST_LIMITED = 8
"""Most words after "only" for which it can be put behind them."""


def base(token: Token) -> str:
    """The bare form of a verb."""
    return inflect_verb(token.lemma.lower(), "VB")


def negation_wordings(analysis: Analysis) -> Iterator[Wording]:
    """Other wordings of a text."""
    yield from _other_negations(analysis)
    yield from _without(analysis)
    yield from _other_exclusives(analysis)


def _other_negations(analysis: Analysis) -> Iterator[Wording]:
    """For example "failed to win" for "did not win", "lacks" for "does not have"."""
    for token in analysis.tokens:
        if token.text.lower() not in NEGATORS or token.index == 0:
            continue
        helper = analysis.tokens[token.index - 1]
        rest = analysis.tokens[token.index + 1 :]
        head, tail = analysis.text[: helper.start], analysis.text[token.end :]
        used_to = [one.text for one in rest[:2]] == ["used", "to"]
        if not rest or used_to or not helper.text.islower():
            continue
        yield from _negated_otherwise(helper, rest[0], head, tail)
        yield from _in_another_year(helper, rest[0], head, tail.lstrip())
        subjects = analysis.children(analysis.head(token), "nsubj")
        if len(subjects) == 1 and subjects[0].xpos in {"NN", "NNP"}:
            yield from _wrongly_believed(helper, rest[0], head, tail.lstrip())


def _negated_otherwise(helper: Token, after: Token, head: str, tail: str) -> Iterator[Wording]:
    auxiliary = helper.text.lower()
    following = tail.lstrip()
    named = after.text.lower() in {"a", "an", "the"} or after.upos == "ADJ"
    if auxiliary in _BE and named:
        for words in phrases("wrongly_called"):
            yield Wording(f"{head}{auxiliary} {words} {following}", "wrong belief", "stronger")
    voluntary = after.upos == "VERB" and base(after) not in word_list("involuntary_verbs")
    if auxiliary in {"did", "does"} and voluntary:
        fail = "failed" if auxiliary == "did" else "fails"
        rest = following[len(after.text) :]
        yield Wording(f"{head}{fail} to {base(after)}{rest}", "other negation")
        if base(after) == "have" and not _is_number(rest):
            lack = "lacked" if auxiliary == "did" else "lacks"
            yield Wording(f"{head}{lack}{rest}", "other negation")
    elif auxiliary in {"is", "was", "are", "were"} and after.text.lower() in {"a", "an"}:
        for words in phrases("not_being"):
            yield Wording(f"{head}{auxiliary} {words} {following}", "other negation")
    elif auxiliary in {"is", "was"} and _made_by_one(head, after) and " by " in following:
        start, _, end = following.partition(" by ")
        for other in ("somebody", "someone"):
            text = f"{head}{auxiliary} {start} by {other} other than {end}"
            yield Wording(text, "other negation")


def _without(analysis: Analysis) -> Iterator[Wording]:
    """From "has no trademark", "lacks any trademark" and "is without any trademark"."""
    for verb, no in pairwise(analysis.tokens):
        if verb.text not in _HAVE or no.text != "no" or analysis.head(no).xpos not in _NOUNS:
            continue
        if analysis.tokens[no.index + 1].text.lower() in {"other", "more", "longer"}:
            continue
        head, rest = analysis.text[: verb.start], analysis.text[no.end :]
        lack, be = _HAVE[verb.text]
        for words in (f"{lack} any", f"{be} without any", f"{be} without"):
            if words.endswith("any") or analysis.head(no).xpos == "NNS":
                yield Wording(f"{head}{words}{rest}", "other negation")


def _in_another_year(helper: Token, after: Token, head: str, following: str) -> Iterator[Wording]:
    """From "did not open in 1994", "opened in a year other than 1994"."""
    dated = _DATED.fullmatch(following[len(after.text) :])
    if not dated:
        return
    if base(after) not in word_list("single_events") | word_list("life_events"):
        return  # what was so in another year may have been so in this one
    if helper.text == "did" and after.upos == "VERB":
        verb = inflect_verb(base(after), "VBD")
    elif helper.text in {"was", "were"} and after.xpos == "VBN":
        verb = f"{helper.text} {after.text}"
    else:
        return
    for year in ("a year other than", "some year other than"):
        yield Wording(f"{head}{verb}{dated[1]} in {year} {dated[2]}", "other negation")


def _is_number(text: str) -> bool:
    return re.match(rf"\s*(?:\d|(?:{'|'.join(phrases('numbers')[:9])})\b)", text) is not None


def _made_by_one(subject: str, verb: Token) -> bool:
    """Whether the subject is a work: a person may be directed by many."""
    first = subject.split(maxsplit=1)[0].lower() if subject.strip() else ""
    return base(verb) in word_list("solo_verbs") and first not in name_genders()


def _wrongly_believed(helper: Token, after: Token, head: str, following: str) -> Iterator[Wording]:
    """From "did not die in 14 AD", "is wrongly said to have died in 14 AD"."""
    auxiliary, rest = helper.text.lower(), following[len(after.text) :]
    if auxiliary == "did" and after.upos == "VERB":
        infinitive = f"to have {inflect_verb(base(after), 'VBN')}{rest}"
    elif auxiliary == "has" and after.xpos == "VBN":
        infinitive = f"to have {following}"
    elif auxiliary == "was" and after.xpos == "VBN":
        infinitive = f"to have been {following}"
    elif auxiliary == "does" and after.upos == "VERB":
        infinitive = f"to {following}"
    else:
        return
    for how in phrases("wrongly_believed"):
        yield Wording(f"{head}is {how} {infinitive}", "wrong belief", "stronger")


def _other_exclusives(analysis: Analysis) -> Iterator[Wording]:
    """From "only a plumber", "merely a plumber"."""
    exclusives, fixing = word_list("exclusives"), {"ever", *word_list("exclusives")}
    for token in analysis.tokens[:-1]:
        after = analysis.tokens[token.index + 1]
        before = analysis.tokens[token.index - 1].text.lower()
        fixed = after.upos in {"PUNCT", "PROPN"} or after.text.lower() in fixing
        # "Rio's only sequel": an adjective, whatever its tag.
        fixed = fixed or before in word_list("determiners_before_only")
        fixed = fixed or after.lemma in word_list("life_events")  # "was only born in 1991"
        if token.text in exclusives and token.upos == "ADV" and not fixed:
            thing = after.text.lower() in {"a", "an"}
            things = (*phrases("only_before_things"), *phrases("only_things"))
            for word in things if thing and before in _BE else phrases("only_before_all"):
                text = analysis.text[: token.start] + word + analysis.text[token.end :]
                yield Wording(text, "other exclusive")
            yield from _limited_behind(analysis, token)


def _limited_behind(analysis: Analysis, limiter: Token) -> Iterator[Wording]:
    """From "was only made by Lucas", "was made by Lucas alone"."""
    text = analysis.text
    rest = text[limiter.end :].rstrip()
    stop = rest[-1:] if rest[-1:] in ".!" else ""
    whole = text[: limiter.start] + rest.lstrip()[: len(rest.lstrip()) - len(stop)]
    words = [token.text.lower() for token in analysis.tokens[limiter.index + 1 :]]
    if len(words) > _LONGEST_LIMITED or not _NOT_LIMITED.isdisjoint(words):
        return
    endings: tuple[str, ...] = ()
    by_doing = any(token.xpos == "VBG" for token in analysis.tokens)  # "by using lights alone"
    if "by" in words and any(token.xpos == "VBN" for token in analysis.tokens) and not by_doing:
        endings = (" alone", " and nobody else")
    elif words[0] in {"a", "an"}:
        endings = (" and nothing else", " and nothing more")
    elif re.search(r"\w in [A-Z]", rest):
        endings = (" and nowhere else",)
    for ending in endings:
        yield Wording(f"{whole}{ending}{stop}", "other exclusive")
