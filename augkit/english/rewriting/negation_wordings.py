"""Other wordings of a negation and of "only", for the second text of a pair.

- by an antonym: "is dead" for "is not alive", "lacked" for "did not have";
- by another negation or limit: "failed to win" for "did not win", "merely" for "only";
- by a denial: "It is false that Olsen starred in it" for "Olsen did not star in it". The statement
  without its negation is called false, which means the same, whatever the label. The table has so
  many wordings that none of them becomes a giveaway.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise

from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel, validate
from augkit.core.edits import Replacement
from augkit.english.morphology import inflect_verb
from augkit.english.negation import DO_TAGS, negation_pattern, negation_words, remove_not
from augkit.english.rewriting.candidates import Promise, Wording, apply_edits
from augkit.english.rewriting.words import phrases, table, word_list
from augkit.lexicons.label_meanings import relation_of
from augkit.lexicons.load import antonyms, closed_classes
from augkit.text.articles import refit

NEGATION = negation_pattern("determiner", "particle", "adverb", "modal", "only", "exclusive")
_NEGATORS = negation_words("particle", "contraction", "typographic")
_NOT_OR_NEVER = _NEGATORS | negation_words("adverb")
_NOT_LIMITED = frozenset({"and", "that", "which", "who", "born"})
"""Words after "only" that cannot be limited from behind."""
_DATED = re.compile(r"([^,;]*) in (\d{4}[.!]?)")
_BE = frozenset({"is", "was", "are", "were"})
_HAVE = {"has": ("lacks", "is"), "had": ("lacked", "was"), "have": ("lack", "are")}
_NOUNS = frozenset({"NN", "NNS"})
_LONGEST_LIMITED = 8
"""Most words after "only" for which it can be put behind them."""
_OPEN_SCOPE = ("conj", "parataxis", "advcl", "ccomp", "csubj")
"""Clauses that a negation may or may not reach: there a denial is not sure."""
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
_BY_ANTONYM = "antonym"


def pair_wordings(
    analysis: Analysis, label: str | None, allowed: Container[Promise]
) -> list[Wording]:
    """Other wordings of negation; a true text gets no new one."""
    adds_none = relation_of(label) == "entailment"
    before = len(NEGATION.findall(analysis.text))
    wordings = chain(
        antonym_wordings(analysis), negation_wordings(analysis), denial_wordings(analysis)
    )
    return list(
        dict.fromkeys(
            wording
            for wording in wordings
            if wording.promise in allowed
            and wording.text != analysis.text
            and not (adds_none and len(NEGATION.findall(wording.text)) > before)
        )
    )


class AntonymTable(StrictModel):
    """The pairs; see ``antonyms.yaml``."""

    complementary: tuple[tuple[str, str], ...]
    verbs: Mapping[str, tuple[str, ...]]
    lacking: tuple[str, ...]
    appearing: tuple[str, ...]
    unfit: tuple[str, ...]


@cache
def antonym_table() -> AntonymTable:
    """The pairs of ``antonyms.yaml``."""
    return validate(AntonymTable, table("antonyms.yaml"), "antonyms.yaml")


@cache
def complementary_antonyms(word: str) -> tuple[str, ...]:
    """Words that hold wherever this one does not.

    >>> [complementary_antonyms(word) for word in ("alive", "successful", "tall")]
    [('dead',), ('unsuccessful',), ()]
    """
    prefixed = tuple(
        antonym for antonym in antonyms().get(("adjective", word), ()) if _negates(word, antonym)
    )
    listed = (pair[1 - pair.index(word)] for pair in antonym_table().complementary if word in pair)
    return (*listed, *prefixed)


def _negates(word: str, antonym: str) -> bool:
    longer, shorter = sorted((word, antonym), key=len, reverse=True)
    prefixed = any(longer == prefix + shorter for prefix in _PREFIXES)
    return prefixed and not {word, antonym} & set(antonym_table().unfit)


def antonym_wordings(analysis: Analysis) -> Iterator[Wording]:
    """Rewrites by an antonym that mean the same."""
    for token in analysis.tokens:
        if token.text.lower() in _NEGATORS and token.index > 0:
            yield from _antonyms_of_negated(analysis, token)


def _antonyms_of_negated(analysis: Analysis, negator: Token) -> Iterator[Wording]:
    helper = analysis.tokens[negator.index - 1]
    following = analysis.tokens[negator.index + 1 :]
    if not following or analysis.children(following[0], "conj"):
        return
    if helper.text in _BE:
        yield from _quality(analysis, negator, following)
        in_name = following[0].text == "in" and any(t.text[:1].isupper() for t in following[1:2])
        # "was absent from Broken Bridges"; but a country is never "absent from" a continent
        if in_name and helper.text in {"was", "were"}:
            head, tail = analysis.text[: helper.end], analysis.text[following[0].end :]
            yield Wording(f"{head} absent from{tail}", _BY_ANTONYM)
    elif helper.text in DO_TAGS and following[0].upos in {"VERB", "AUX"}:
        yield from _action(analysis, helper, following)
    elif helper.text in {"has", "have"} and following[0].xpos == "VBN":
        verb = following[0]
        lemma = "be" if verb.text.lower() == "been" else _base(verb)
        head, tail = analysis.text[: helper.end], analysis.text[verb.end :]
        yield Wording(f"{head} yet to {lemma}{tail}", _BY_ANTONYM)


def _quality(analysis: Analysis, negator: Token, following: tuple[Token, ...]) -> Iterator[Wording]:
    """Of "is not alive", "is not a stable nation"."""
    article = following[0] if following[0].text in {"a", "an"} else None
    word = following[1] if article and len(following) > 1 else following[0]
    modifiers = analysis.children(word, "advmod", "xcomp")
    if word.upos not in {"ADJ", "ADV"} or any(
        modifier.index != negator.index for modifier in modifiers
    ):
        return
    text = analysis.text
    head = text[: negator.start].rstrip()
    for antonym in complementary_antonyms(word.text):
        phrase = f"{refit(article.text, word.text, antonym)} {antonym}" if article else antonym
        yield Wording(f"{head} {phrase}{text[word.end :]}", _BY_ANTONYM)


def _action(analysis: Analysis, helper: Token, following: tuple[Token, ...]) -> Iterator[Wording]:
    verb, pairs, text = following[0], antonym_table(), analysis.text
    lemma, head = _base(verb), text[: helper.start]
    verbs = pairs.verbs.get(lemma, ())
    if lemma in pairs.lacking and following[1:] and following[1].upos != "NUM":
        verbs = (*verbs, "lack")
    for antonym in verbs:
        form = inflect_verb(antonym, DO_TAGS[helper.text])
        yield Wording(f"{head}{form}{text[verb.end :]}", _BY_ANTONYM)
    named = (
        len(following) > 2 and following[1].text == "in" and following[2].text not in {"a", "an"}
    )
    if lemma in pairs.appearing and named:
        be = {"did": "was", "does": "is", "do": "are"}[helper.text]
        yield Wording(f"{head}{be} absent from{text[following[1].end :]}", _BY_ANTONYM)


def _base(token: Token) -> str:
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
        if token.text.lower() not in _NEGATORS or token.index == 0:
            continue
        helper = analysis.tokens[token.index - 1]
        following = analysis.tokens[token.index + 1 :]
        head, tail = analysis.text[: helper.start], analysis.text[token.end :]
        used_to = [word.text for word in following[:2]] == ["used", "to"]
        if not following or used_to or not helper.text.islower():
            continue
        yield from _negated_otherwise(helper, following[0], head, tail)
        yield from _in_another_year(helper, following[0], head, tail.lstrip())
        subjects = analysis.children(analysis.head(token), "nsubj")
        if len(subjects) == 1 and subjects[0].xpos in {"NN", "NNP"}:
            yield from _wrongly_believed(helper, following[0], head, tail.lstrip())


def _negated_otherwise(helper: Token, after: Token, head: str, tail: str) -> Iterator[Wording]:
    auxiliary = helper.text.lower()
    following = tail.lstrip()
    named = after.text.lower() in {"a", "an", "the"} or after.upos == "ADJ"
    if auxiliary in _BE and named:
        for words in phrases("wrongly_called"):
            yield Wording(f"{head}{auxiliary} {words} {following}", "wrong belief", "stronger")
    voluntary = after.upos == "VERB" and _base(after) not in word_list("involuntary_verbs")
    if auxiliary in {"did", "does"} and voluntary:
        fail = "failed" if auxiliary == "did" else "fails"
        rest = following[len(after.text) :]
        yield Wording(f"{head}{fail} to {_base(after)}{rest}", "other negation")
    elif auxiliary in _BE and after.text.lower() in {"a", "an"}:
        for words in phrases("not_being"):
            yield Wording(f"{head}{auxiliary} {words} {following}", "other negation")


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
    if _base(after) not in word_list("single_events") | word_list("life_events"):
        return  # what was so in another year may have been so in this one
    if helper.text == "did" and after.upos == "VERB":
        verb = inflect_verb(_base(after), "VBD")
    elif helper.text in {"was", "were"} and after.xpos == "VBN":
        verb = f"{helper.text} {after.text}"
    else:
        return
    for year in ("a year other than", "some year other than"):
        yield Wording(f"{head}{verb}{dated[1]} in {year} {dated[2]}", "other negation")


def _wrongly_believed(helper: Token, after: Token, head: str, following: str) -> Iterator[Wording]:
    """From "did not die in 14 AD", "is wrongly said to have died in 14 AD"."""
    auxiliary, rest = helper.text.lower(), following[len(after.text) :]
    if auxiliary == "did" and after.upos == "VERB":
        infinitive = f"to have {inflect_verb(_base(after), 'VBN')}{rest}"
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


def denial_wordings(analysis: Analysis) -> Iterator[Wording]:
    """The text as the denial of the statement that it negates."""
    text, negator = analysis.text, _negator(analysis)
    edits = _affirming_edits(analysis, negator) if negator else ()
    if edits and not text.endswith('."'):  # a full stop inside quotation marks
        statement = _inside_sentence(analysis, apply_edits(text, edits).rstrip(" .!"))
        for frame in table("words.yaml")["denials"]:
            yield Wording(frame.format(statement), "denial")


def _negator(analysis: Analysis) -> Token | None:
    """The one negation of a text that is a single clause without words that need a negation."""
    roots = [token for token in analysis.tokens if token.is_root]
    negators = [token for token in analysis.tokens if token.text.lower() in _NOT_OR_NEVER]
    if (
        len(roots) != 1
        or len(negators) != 1
        or len(analysis.sentences) != 1
        or not negators[0].index
    ):
        return None
    words = {token.text.lower() for token in analysis.tokens}
    of_root = analysis.head(negators[0]).index == roots[0].index
    bound = word_list("bound_to_negation") & words
    if not of_root or bound or analysis.children(roots[0], *_OPEN_SCOPE):
        return None
    return negators[0]


def _affirming_edits(analysis: Analysis, negator: Token) -> Sequence[Replacement]:
    """The edits that affirm; none where the verb does not follow at once."""
    if negator.text == "never":
        return (Replacement(negator.start, negator.end, "ever"),)
    helper, following = analysis.tokens[negator.index - 1], analysis.tokens[negator.index + 1 :]
    if helper.text in DO_TAGS:
        affirmable = bool(following) and following[0].xpos.startswith("VB")
    else:
        affirmable = helper.upos == "AUX" and helper.text in word_list("affirmative_auxiliaries")
    return (remove_not(analysis, negator) or ()) if affirmable else ()


def _inside_sentence(analysis: Analysis, text: str) -> str:
    """The start of a sentence as part of another: names and titles keep their capital."""
    token, head = analysis.tokens[0], analysis.head(analysis.tokens[0])
    first, after = token.text.lower(), analysis.tokens[1:2]
    group = head.xpos in {"NNS", "NNPS"} or head.text.isupper()  # "The KGB", "The Bonus Army men"
    title = any(word.text[:1].isupper() for word in after) and not (first == "the" and group)
    title = title or (token.upos == "ADP" and head.is_relation("nsubj"))
    common = first in closed_classes() and first != "i" and not title
    if token.upos in {"NOUN", "ADJ", "ADV"}:  # "Sea level", "Poorly understood"; "Grease" is a film
        common |= any(
            word.text.islower() and word.upos in {"NOUN", "ADJ", "VERB"} for word in after
        )
    return text[:1].lower() + text[1:] if common else text
