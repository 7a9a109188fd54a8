"""Find the words of a text that refer to people: pronouns, names, titles and person nouns.

>>> from augkit.language.parser import SpacyParser
>>> [analysis] = SpacyParser().parse(["Mrs. Jones lost her keys."])
>>> [analysis.text[s.mention.start:s.mention.end] for s in detect_mentions(analysis)]
['Jones', 'Mrs.', 'her']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import quoted
from augkit.language.coreference.mentions import (
    INDEFINITE,
    PRONOUNS,
    DetectedMention,
    Mention,
    detected_mention,
)
from augkit.language.coreference.person_mentions import person_name, person_noun
from augkit.language.morphology import can_be
from augkit.lexicons.load import word_group

_RELATIVES = word_group("grammar", "personal_relatives")
_DESCRIBING = ("amod", "compound", "flat", "conj", "xcomp", "acl", "advcl")


def detect_mentions(analysis: Analysis) -> list[DetectedMention]:
    """Every mention of a person in a text, in order; a group comes after its first member."""
    found = [one for token in analysis.tokens for one in _at(analysis, token)]
    ends = {one.mention.head: one.mention.end for one in found if one.mention.kind != "title"}
    relatives = [one for token in analysis.tokens for one in _relative(analysis, token, ends)]
    groups = [group for one in found for group in _group(analysis, one, ends)]
    marks = quoted(analysis)
    every = (replace(m, quoted=marks[m.token.index]) for m in (*found, *relatives, *groups))
    return sorted(every, key=lambda one: _order(analysis, one))


def _order(analysis: Analysis, detected: DetectedMention) -> tuple[int, int]:
    """The sort key of a mention: a title follows its name, a group its first member."""
    token = detected.token
    if detected.mention.kind == "title":
        name = token if token.head < token.index else analysis.head(token)
        return name.index, 1
    return detected.mention.head, 2 * (detected.mention.kind == "group")


def _at(analysis: Analysis, token: Token) -> Iterator[DetectedMention]:
    form = token.text.lower()
    if form in PRONOUNS:
        known = PRONOUNS[form] != "unknown"  # "they" may be things
        yield detected_mention((token,), token, "pronoun", PRONOUNS[form], sure=known)
    elif form in INDEFINITE and token.upos == "PRON":
        yield detected_mention((token,), token, "noun", "unknown")
    elif token.upos == "PROPN":
        yield from person_name(analysis, token)
    elif token.upos == "NOUN" and not _is_part(analysis, token):
        yield from person_noun(analysis, token)
    elif form in {"male", "female"} and not token.is_relation(*_DESCRIBING):
        yield from person_noun(analysis, token)  # "a *female* sitting at a table"


def _is_part(analysis: Analysis, token: Token) -> bool:
    """Whether a noun modifies another: not in "the *man* photographs a lake"."""
    if not token.is_relation("compound", "amod", "flat"):
        return False
    head = analysis.head(token)
    after = analysis.tokens[head.index + 1 : head.index + 2]
    beside = head.index == token.index + 1 and head.text.endswith("s") and head.text.islower()
    verb = beside and can_be(head.text, "VERB") and not token.text.endswith("s")
    return not (verb and any(t.upos == "DET" for t in after))


def _relative(analysis: Analysis, token: Token, ends: dict[int, int]) -> Iterator[DetectedMention]:
    """A relative pronoun that stands for a person: "who" in "the man who left"."""
    if token.text.lower() in _RELATIVES and token.upos == "PRON":
        antecedent = relative_antecedent(analysis, token)
        if antecedent is not None and antecedent.index in ends:
            yield detected_mention((token,), token, "relative", "unknown")


def relative_antecedent(analysis: Analysis, token: Token) -> Token | None:
    """The noun that a relative pronoun stands for."""
    step = token
    for _ in range(4):
        if step.deprel == "acl:relcl":
            return analysis.head(step)
        step = analysis.head(step)
    return None


def _group(
    analysis: Analysis, first: DetectedMention, ends: dict[int, int]
) -> Iterator[DetectedMention]:
    """A coordination of people: "Anna and Bob"."""
    others = [c for c in analysis.children(first.token, "conj") if c.index > first.token.index]
    if first.mention.kind == "title" or not others or any(c.index not in ends for c in others):
        return
    words = {child.text.lower() for child in analysis.children(others[-1], "cc")}
    if words & {"and", "&"}:
        start, end = first.mention.start, ends[others[-1].index]
        mention = Mention(start, end, first.token.index, "group", "unknown", plural=True)
        yield DetectedMention(mention, first.token, (), first.sure)
