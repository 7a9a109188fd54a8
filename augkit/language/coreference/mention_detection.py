"""Find the words of a text that refer to people: pronouns, names, titles and person nouns.

>>> from augkit.language.parser import SpacyParser
>>> [analysis] = SpacyParser().parse(["Mrs. Jones lost her keys."])
>>> [analysis.text[s.mention.start:s.mention.end] for s in sightings(analysis)]
['Jones', 'Mrs.', 'her']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import quoted
from augkit.language.coreference.mentions import INDEFINITE, PRONOUNS, Mention, Sighting, sighting
from augkit.language.coreference.name_mentions import person_name
from augkit.language.coreference.noun_mentions import person_noun
from augkit.language.morphology import known_lemmas

_RELATIVES = frozenset({"who", "whom", "whose", "that"})
_DESCRIBING = ("amod", "compound", "flat", "conj", "xcomp", "acl", "advcl")


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


def _at(analysis: Analysis, token: Token) -> Iterator[Sighting]:
    form = token.text.lower()
    if form in PRONOUNS:
        known = PRONOUNS[form] != "unknown"  # "they" may be things
        yield sighting((token,), token, "pronoun", PRONOUNS[form], sure=known)
    elif form in INDEFINITE and token.upos == "PRON":
        yield sighting((token,), token, "noun", "unknown")
    elif token.upos == "PROPN":
        yield from person_name(analysis, token)
    elif token.upos == "NOUN" and not _is_part(analysis, token):
        yield from person_noun(analysis, token)
    elif form in {"male", "female"} and not token.is_relation(*_DESCRIBING):
        yield from person_noun(analysis, token)  # "a *female* sitting at a table"


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
    if token.text.lower() in _RELATIVES and token.upos == "PRON":
        antecedent = relative_antecedent(analysis, token)
        if antecedent is not None and antecedent.index in ends:
            yield sighting((token,), token, "relative", "unknown")


def relative_antecedent(analysis: Analysis, token: Token) -> Token | None:
    """The noun that a relative pronoun stands for."""
    step = token
    for _ in range(4):
        if step.deprel == "acl:relcl":
            return analysis.head(step)
        step = analysis.head(step)
    return None


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
