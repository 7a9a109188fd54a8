"""Mentions that are names with their titles ("Mr. Rob Marshall") or nouns ("the doctor")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from augkit.core.analysis import Analysis, Token
from augkit.language.coreference.mentions import (
    Article,
    DetectedMention,
    Mention,
    detected_mention,
)
from augkit.lexicons.demographics.cues import PEOPLE
from augkit.lexicons.demographics.person_words import (
    Gender,
    gendered_nouns,
    name_genders,
    person_nouns,
    place_names,
    titles,
)
from augkit.lexicons.load import word_group

_DEFINITE = word_group("grammar", "definite_determiners")
_COUNTING = word_group("grammar", "counting_nouns")
_NAME_PARTS = ("flat", "compound")
_LONGEST_NAME = 8


def person_name(analysis: Analysis, token: Token) -> Iterator[DetectedMention]:
    """The mention of the bearer that a word of a name heads, and that of the title before it."""
    head = analysis.head(token)
    if _is_title(token) and token.is_relation("nmod", "compound", "flat") and head.upos == "PROPN":
        yield detected_mention((token,), token, "title", _title_gender(token))
        return
    described = token.deprel == "flat" and head.upos == "NOUN" and head.index < token.index
    part = token.is_relation(*_NAME_PARTS) and head.upos in {"PROPN", "NOUN"} and not described
    if part and (head.upos == "PROPN" or not _is_full_name(analysis, token)):
        return
    if _continues_name(analysis, token):
        return
    before = [t for t in analysis.children(token, "nmod", "compound") if _is_title(t)]
    run = _name_tokens(analysis, token)
    if run[0].index > token.index:  # "Mr." heads "Mr. Smith" in some parses
        before.append(token)
        yield detected_mention((token,), token, "title", _title_gender(token))
    yield from _named(analysis, token, run, before)


def _is_full_name(analysis: Analysis, token: Token) -> bool:
    """Whether a name inside another noun phrase is a full one: "a *Mel Brooks* film"."""
    run = _name_tokens(analysis, token)
    known = len(run) > 1 and run[0].text.lower() in name_genders()
    return known and all(part.text.istitle() for part in run)


def _named(
    analysis: Analysis, token: Token, run: tuple[Token, ...], before: Sequence[Token]
) -> Iterator[DetectedMention]:
    words = tuple(t.text.lower() for t in run)
    lemma = token.lemma.lower()
    noun = len(run) == 1 and (lemma in gendered_nouns() or lemma in person_nouns())
    if noun and (words[0] not in name_genders() or _is_title(token)):
        yield from person_noun(analysis, token)  # "Mom", "President"
        return
    is_place = len(run) == 1 and words[0] in place_names()
    known = (words[0] in name_genders() and not is_place) or _has_who_clause(analysis, token)
    if before or _may_name_a_person(analysis, run, known=known):
        gender = "unknown" if is_place and not before else _name_gender(words, before)
        yield detected_mention(run, token, "name", gender, sure=known or bool(before))


def _may_name_a_person(analysis: Analysis, run: Sequence[Token], *, known: bool) -> bool:
    words = [token.text.lower() for token in run]
    if words[0] in PEOPLE.no_names and not (known and _is_human_subject(analysis, run[0])):
        return False
    if known:
        return True
    written_so = run[0].text[:1].isupper() or _is_lower_case(analysis, run[0])
    return written_so and PEOPLE.organisations.isdisjoint(words)


def _is_human_subject(analysis: Analysis, token: Token) -> bool:
    """Whether a word is the subject of what only people do: "*April* told her boss"."""
    head = analysis.head(token)
    return token.is_relation("nsubj") and head.text.lower() in PEOPLE.deeds


def _is_lower_case(analysis: Analysis, token: Token) -> bool:
    """Whether the sentence around a word has no capitals, so that a name need not have any."""
    return analysis.sentences[token.sentence][0].text.islower() and token.text.islower()


def _name_gender(words: Sequence[str], before: Sequence[Token]) -> Gender:
    for title in before:
        if _title_gender(title) != "unknown":
            return _title_gender(title)
    return name_genders().get(words[0], "unknown")


def _title_gender(token: Token) -> Gender:
    return titles()[token.text.lower().rstrip(".")]


def _is_title(token: Token) -> bool:
    """Whether it is a word such as "Mrs." or "President"."""
    return token.text.lower().rstrip(".") in titles()


def _name_tokens(analysis: Analysis, head: Token) -> tuple[Token, ...]:
    """The words of a name, in order, without its title.

    A name is a run without gaps of words that hang on its head as ``flat`` or ``compound``, or,
    by a mistake that parsers often make, on the word that its head hangs on.
    """
    parts = {head.index}
    for child in analysis.children(head, *_NAME_PARTS):
        if child.upos in {"PROPN", "X", "ADP"} or child.text[:1].isupper():
            parts |= {token.index for token in analysis.subtree(child)}
    for token in analysis.tokens[head.index + 1 : head.index + _LONGEST_NAME]:
        if not _continues_name(analysis, token):
            break
        parts.add(token.index)
    first = last = head.index
    while first - 1 in parts or _is_inner_hyphen(analysis, first - 1, parts):
        first -= 1
    while last + 1 in parts or _is_inner_hyphen(analysis, last + 1, parts):
        last += 1
    run = analysis.tokens[first : last + 1]
    while len(run) > 1 and _is_title(run[0]):
        run = run[1:]
    return run


def _continues_name(analysis: Analysis, token: Token) -> bool:
    """Whether a word and the one before are both names with one role: parts of one name."""
    before = analysis.tokens[token.index - 1] if token.index else token
    return (
        before is not token
        and token.upos == before.upos == "PROPN"
        and (token.head, token.deprel) == (before.head, before.deprel)
        and analysis.text[before.end : token.start].strip(" ") == ""
    )


def _is_inner_hyphen(analysis: Analysis, index: int, parts: set[int]) -> bool:
    """Whether a hyphen stands between two words of a name."""
    inside = 0 < index < len(analysis.tokens) - 1 and analysis.tokens[index].text in {"-", "."}
    return inside and index - 1 in parts and index + 1 in parts


def person_noun(analysis: Analysis, token: Token) -> Iterator[DetectedMention]:
    """The mention that a noun heads, if it refers to people."""
    lemma = token.lemma.lower()
    gender = gendered_nouns().get(token.text.lower(), gendered_nouns().get(lemma, "unknown"))
    person = gender != "unknown" or lemma in person_nouns()
    single = lemma in PEOPLE.plural_only and token.morph.get("Number") != "Plur"
    if (single or not person) and not _has_who_clause(analysis, token):
        return
    if gender == "unknown" and _is_speaker(analysis, token):
        return
    plural = token.morph.get("Number") == "Plur" or lemma in PEOPLE.groups
    if gender != "unknown" and _has_singular_article(analysis, token):
        plural = False
    article = _article(analysis, token)
    mention = Mention(token.start, token.end, token.index, "noun", gender, plural)
    yield DetectedMention(mention, token, (lemma,), sure=True, article=article)


def _is_speaker(analysis: Analysis, token: Token) -> bool:
    """Whether a noun describes the speaker or addressee: "I am a Steve Martin *fan*"."""
    said = {t.text.lower() for t in analysis.children(token, "nsubj")}
    return bool(analysis.children(token, "cop")) and not said.isdisjoint({"i", "we", "you"})


def _has_singular_article(analysis: Analysis, token: Token) -> bool:
    """Whether a/an stands before it, whatever the noun's ending: "*A women* does her hair"."""
    articles = [child.text.lower() for child in analysis.children(token, "det")]
    before = analysis.tokens[token.index - 1].text.lower() if token.index else ""
    return articles[:1] in (["a"], ["an"]) and before not in _COUNTING


def _has_who_clause(analysis: Analysis, token: Token) -> bool:
    """Whether a relative clause with "who" follows: "the Joneses, *who* left"."""
    return any(
        part.text.lower() in {"who", "whom"}
        for clause in analysis.children(token, "acl:relcl")
        for part in analysis.children(clause)
    )


def _article(analysis: Analysis, token: Token) -> Article:
    if analysis.children(token, "nmod:poss"):
        return "possessive"
    words = {child.text.lower() for child in analysis.children(token, "det")}
    if words & _DEFINITE:
        return "definite"
    return "indefinite" if words or analysis.children(token, "nummod") else "bare"
