"""Find the words of a text that refer to people: pronouns, names, titles and person nouns.

>>> from augkit.language.analysis import load
>>> [analysis] = load().analyse(["Mrs. Jones lost her keys."])
>>> [analysis.text[s.mention.start:s.mention.end] for s in sightings(analysis)]
['Jones', 'Mrs.', 'her']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from augkit.language.analysis import Analysis, Token
from augkit.language.clauses import quoted
from augkit.language.dictionary import known_lemmas
from augkit.lexicons.people import (
    Gender,
    first_names,
    gendered_nouns,
    people_words,
    person_nouns,
    place_names,
    titles,
)

Kind = Literal["pronoun", "relative", "name", "title", "noun", "group"]
Article = Literal["definite", "indefinite", "possessive", "bare"]

PRONOUNS: dict[str, Gender] = {
    **dict.fromkeys(("he", "him", "his", "himself"), "man"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "woman"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves", "themself"), "unknown"),
}
"""Third-person pronouns that refer to people, and the gender each shows."""

RELATIVES = frozenset({"who", "whom", "whose", "that"})
INDEFINITE = frozenset(
    ("someone", "somebody", "anyone", "anybody", "everyone", "everybody", "nobody", "whoever")
)
_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})
_NAME_PARTS = ("flat", "compound")
_LONGEST_NAME = 8
_DESCRIBING = ("amod", "compound", "flat", "conj", "xcomp", "acl", "advcl")
_COUNTING = frozenset("few dozen couple hundred thousand million great many good".split())


@dataclass(frozen=True, slots=True)
class Mention:
    """A word or phrase that refers to a person or to several: ``analysis.text[start:end]``.

    The characters are those one would edit: a pronoun, all words of a name, the head of a noun
    phrase, a title. A ``relative`` is a "who" or "that"; a ``group`` is a coordination such as
    "Anna and her brother", whose members have mentions of their own. ``head`` is the index of the
    head token, and ``gender`` what the form itself shows.
    """

    start: int
    end: int
    head: int
    kind: Kind
    gender: Gender
    plural: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """A mention with what is needed to say who it is.

    ``words`` are those of a name or the lemma of a noun, in lower case; ``sure`` is false for a
    name that may be anything's.
    """

    mention: Mention
    token: Token
    words: tuple[str, ...]
    sure: bool
    article: Article = "definite"
    quoted: bool = False


def sightings(analysis: Analysis) -> list[Sighting]:
    """Every mention of a person in a text, in order; a group comes after its first member."""
    found = [seen for token in analysis.tokens for seen in _at(analysis, token)]
    ends = {seen.mention.head: seen.mention.end for seen in found if seen.mention.kind != "title"}
    relatives = [seen for token in analysis.tokens for seen in _relative(analysis, token, ends)]
    groups = [group for seen in found for group in _group(analysis, seen, ends)]
    marks = quoted(analysis)
    every = [
        replace(seen, quoted=marks[seen.token.index]) for seen in (*found, *relatives, *groups)
    ]
    return sorted(every, key=lambda seen: _place(analysis, seen))


def _place(analysis: Analysis, seen: Sighting) -> tuple[int, int]:
    """Where a mention is met: a title after its name, a group after its first member."""
    if seen.mention.kind == "title":
        name = seen.token if seen.token.head < seen.token.index else analysis.head(seen.token)
        return name.index, 1
    return seen.mention.head, 2 * (seen.mention.kind == "group")


def is_reflexive(token: Token) -> bool:
    """Whether it is "himself", "herself" or "themselves"."""
    return token.text.lower().endswith(("self", "selves"))


def is_possessive(token: Token) -> bool:
    """Whether it is a pronoun before its noun: "her keys", not "saw her"."""
    return token.deprel == "nmod:poss" or token.xpos == "PRP$"


def name_tokens(analysis: Analysis, head: Token) -> tuple[Token, ...]:
    """The words of a name, in order, without its title.

    A name is a run without gaps of words that hang on its head as ``flat`` or ``compound``, or,
    by a mistake that parsers often make, on the word that its head hangs on.
    """
    parts = {head.index}
    for child in analysis.children(head, *_NAME_PARTS):
        if child.upos in {"PROPN", "X", "ADP"} or child.text[:1].isupper():
            parts |= {token.index for token in analysis.subtree(child)}
    for token in analysis.tokens[head.index + 1 : head.index + _LONGEST_NAME]:
        if not _goes_on(analysis, token):
            break
        parts.add(token.index)
    first = last = head.index
    while first - 1 in parts or _joins(analysis, first - 1, parts):
        first -= 1
    while last + 1 in parts or _joins(analysis, last + 1, parts):
        last += 1
    run = analysis.tokens[first : last + 1]
    while len(run) > 1 and is_title(run[0]):
        run = run[1:]
    return run


def _goes_on(analysis: Analysis, token: Token) -> bool:
    """Whether a word and the one before are both names with one role: parts of one name."""
    before = analysis.tokens[token.index - 1] if token.index else token
    return (
        before is not token
        and token.upos == before.upos == "PROPN"
        and (token.head, token.deprel) == (before.head, before.deprel)
        and analysis.text[before.end : token.start].strip(" ") == ""
    )


def is_title(token: Token) -> bool:
    """Whether it is a word such as "Mrs." or "President"."""
    return token.text.lower().rstrip(".") in titles()


def _joins(analysis: Analysis, index: int, parts: set[int]) -> bool:
    """Whether a hyphen stands between two words of a name."""
    inside = 0 < index < len(analysis.tokens) - 1 and analysis.tokens[index].text in {"-", "."}
    return inside and index - 1 in parts and index + 1 in parts


def _at(analysis: Analysis, token: Token) -> Iterator[Sighting]:
    form = token.text.lower()
    if form in PRONOUNS:
        known = PRONOUNS[form] != "unknown"  # "they" may be things
        yield _sighting((token,), token, "pronoun", PRONOUNS[form], sure=known)
    elif form in INDEFINITE and token.upos == "PRON":
        yield _sighting((token,), token, "noun", "unknown")
    elif token.upos == "PROPN":
        yield from _name(analysis, token)
    elif token.upos == "NOUN" and not _is_part(analysis, token):
        yield from _noun(analysis, token)
    elif form in {"male", "female"} and not token.is_relation(*_DESCRIBING):
        yield from _noun(analysis, token)  # "a *female* sitting at a table"


def _is_part(analysis: Analysis, token: Token) -> bool:
    """Whether a noun describes another, and no verb: not in "the *man* photographs a lake"."""
    if not token.is_relation("compound", "amod", "flat"):
        return False
    head = analysis.head(token)
    after = analysis.tokens[head.index + 1 : head.index + 2]
    beside = head.index == token.index + 1 and head.text.endswith("s") and head.text.islower()
    verb = beside and "VERB" in known_lemmas(head.text) and not token.text.endswith("s")
    return not (verb and any(t.upos == "DET" for t in after))


def _relative(analysis: Analysis, token: Token, ends: dict[int, int]) -> Iterator[Sighting]:
    """A relative pronoun that stands for a person: "who" in "the man who left"."""
    if token.text.lower() in RELATIVES and token.upos == "PRON":
        antecedent = relative_antecedent(analysis, token)
        if antecedent is not None and antecedent.index in ends:
            yield _sighting((token,), token, "relative", "unknown")


def relative_antecedent(analysis: Analysis, token: Token) -> Token | None:
    """The noun that a relative pronoun stands for."""
    step = token
    for _ in range(4):
        if step.deprel == "acl:relcl":
            return analysis.head(step)
        step = analysis.head(step)
    return None


def _name(analysis: Analysis, token: Token) -> Iterator[Sighting]:
    head = analysis.head(token)
    if is_title(token) and token.is_relation("nmod", "compound", "flat") and head.upos == "PROPN":
        yield _sighting((token,), token, "title", _title_gender(token))
        return
    described = token.deprel == "flat" and head.upos == "NOUN" and head.index < token.index
    part = token.is_relation(*_NAME_PARTS) and head.upos in {"PROPN", "NOUN"} and not described
    if part and (head.upos == "PROPN" or not _is_full_name(analysis, token)):
        return
    if _goes_on(analysis, token):
        return
    before = [t for t in analysis.children(token, "nmod", "compound") if is_title(t)]
    run = name_tokens(analysis, token)
    if run[0].index > token.index:  # "Mr." heads "Mr. Smith" in some parses
        before.append(token)
        yield _sighting((token,), token, "title", _title_gender(token))
    yield from _named(analysis, token, run, before)


def _is_full_name(analysis: Analysis, token: Token) -> bool:
    """As in "a *Mel Brooks* film": somebody is named, though a thing is told of."""
    run = name_tokens(analysis, token)
    known = len(run) > 1 and run[0].text.lower() in first_names()
    return known and all(part.text.istitle() for part in run)


def _named(
    analysis: Analysis, token: Token, run: tuple[Token, ...], before: Sequence[Token]
) -> Iterator[Sighting]:
    words = tuple(t.text.lower() for t in run)
    lemma = token.lemma.lower()
    noun = len(run) == 1 and (lemma in gendered_nouns() or lemma in person_nouns())
    if noun and (words[0] not in first_names() or is_title(token)):
        yield from _noun(analysis, token)  # "Mom", "President"
        return
    place = len(run) == 1 and words[0] in place_names()
    known = (words[0] in first_names() and not place) or _has_who(analysis, token)
    if before or _may_name_a_person(analysis, run, known=known):
        gender = "unknown" if place and not before else _name_gender(words, before)
        yield _sighting(run, token, "name", gender, sure=known or bool(before))


def _may_name_a_person(analysis: Analysis, run: Sequence[Token], *, known: bool) -> bool:
    words = [token.text.lower() for token in run]
    if words[0] in people_words("no_names") and not (known and _speaks(analysis, run[0])):
        return False
    if known:
        return True
    written_so = run[0].text[:1].isupper() or _is_lower(analysis, run[0])
    return written_so and people_words("organisations").isdisjoint(words)


def _speaks(analysis: Analysis, token: Token) -> bool:
    """As in "*April* told her boss": what only people do."""
    head = analysis.head(token)
    return token.is_relation("nsubj") and head.text.lower() in people_words("deeds")


def _is_lower(analysis: Analysis, token: Token) -> bool:
    """Whether the sentence around a word has no capitals, so that a name need not have any."""
    return analysis.sentences[token.sentence][0].text.islower() and token.text.islower()


def _name_gender(words: Sequence[str], before: Sequence[Token]) -> Gender:
    for title in before:
        if _title_gender(title) != "unknown":
            return _title_gender(title)
    return first_names().get(words[0], "unknown")


def _title_gender(token: Token) -> Gender:
    return titles()[token.text.lower().rstrip(".")]


def _noun(analysis: Analysis, token: Token) -> Iterator[Sighting]:
    lemma = token.lemma.lower()
    gender = gendered_nouns().get(token.text.lower(), gendered_nouns().get(lemma, "unknown"))
    person = gender != "unknown" or lemma in person_nouns()
    single = lemma in people_words("plural_only") and token.morph.get("Number") != "Plur"
    if (single or not person) and not _has_who(analysis, token):
        return
    if gender == "unknown" and _is_speaker(analysis, token):
        return
    plural = token.morph.get("Number") == "Plur" or lemma in people_words("groups")
    if gender != "unknown" and _is_counted_as_one(analysis, token):
        plural = False
    article = _article(analysis, token)
    mention = Mention(token.start, token.end, token.index, "noun", gender, plural)
    yield Sighting(mention, token, (lemma,), sure=True, article=article)


def _is_speaker(analysis: Analysis, token: Token) -> bool:
    """As in "I am a Steve Martin *fan*": whoever speaks is no third person."""
    said = {t.text.lower() for t in analysis.children(token, "nsubj")}
    return bool(analysis.children(token, "cop")) and not said.isdisjoint({"i", "we", "you"})


def _is_counted_as_one(analysis: Analysis, token: Token) -> bool:
    """As in "*A women* does her hair": an article for one, whatever the noun's ending."""
    articles = [child.text.lower() for child in analysis.children(token, "det")]
    before = analysis.tokens[token.index - 1].text.lower() if token.index else ""
    return articles[:1] in (["a"], ["an"]) and before not in _COUNTING


def _has_who(analysis: Analysis, token: Token) -> bool:
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


def _group(analysis: Analysis, first: Sighting, ends: dict[int, int]) -> Iterator[Sighting]:
    """A coordination of people: "Anna and Bob"."""
    others = [c for c in analysis.children(first.token, "conj") if c.index > first.token.index]
    if first.mention.kind == "title" or not others or any(c.index not in ends for c in others):
        return
    words = {child.text.lower() for child in analysis.children(others[-1], "cc")}
    if words & {"and", "&"}:
        start, end = first.mention.start, ends[others[-1].index]
        mention = Mention(start, end, first.token.index, "group", "unknown", plural=True)
        yield Sighting(mention, first.token, (), first.sure)


def _sighting(
    run: tuple[Token, ...], token: Token, kind: Kind, gender: Gender, *, sure: bool = True
) -> Sighting:
    mention = Mention(run[0].start, run[-1].end, token.index, kind, gender, _is_plural(token))
    return Sighting(mention, token, tuple(t.text.lower() for t in run), sure)


def _is_plural(token: Token) -> bool:
    form = token.text.lower()
    if form in PRONOUNS:
        return PRONOUNS[form] == "unknown" and form != "themself"
    return token.morph.get("Number") == "Plur" and token.upos != "PRON"
