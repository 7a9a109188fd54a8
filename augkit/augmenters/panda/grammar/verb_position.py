"""What the place of a word tells where a parse is wrong: the verb beside a pronoun, a subject.

After "he" or "she" the next word, adverbs and insertions aside, is the verb: in "Every Friday she
*buys* bread" and "He neither *smokes* nor drinks" no other word can be.
"""

from __future__ import annotations

from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import parts_of_speech
from augkit.lexicons.demographics.cues import VERBS

AUXILIARIES = frozenset({"is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"})
LINKS = frozenset(
    {",", ";", "and", "or", "but", "yet", "nor", "&", "then", "\u2014", "\u2013", "-", "so"}
)
INSERTING = frozenset({",", "\u2014", "\u2013", "--", "(", "-"})
_CLOSING = {"(": ")"}
_INSIDE = 12
"""Words that an insertion between subject and verb has, at most."""


def may_be_third_person(form: str) -> bool:
    """Whether a form can be a verb of the third person: "buys" can, "bus" and "this" cannot.

    >>> [may_be_third_person(form) for form in ("buys", "was", "this", "pass")]
    [True, True, False, False]
    """
    if form in AUXILIARIES:
        return True
    third = form.endswith("s") and not form.endswith(("ss", "us")) and form not in VERBS.no_verbs
    return third and "VERB" in parts_of_speech(form)


def verb_beside(analysis: Analysis, end: int) -> Token | None:
    """The verb of the third person right after a subject that ends at ``end``."""
    subject = analysis.token_at(end - 1)
    if subject is None:
        return None
    index = _past_adverbs(analysis, subject.index + 1, subject.sentence)
    token = _at(analysis, index, subject.sentence)
    if token is not None and token.text in INSERTING:
        token = _after_insertion(analysis, token)
    return token if token is not None and may_be_third_person(token.text.lower()) else None


def _at(analysis: Analysis, index: int, sentence: int) -> Token | None:
    if index >= len(analysis.tokens) or analysis.tokens[index].sentence != sentence:
        return None
    return analysis.tokens[index]


def _past_adverbs(analysis: Analysis, index: int, sentence: int) -> int:
    while (token := _at(analysis, index, sentence)) is not None:
        if token.upos != "ADV" and token.text.lower() not in VERBS.besides:
            break
        index += 1
    return index


def _after_insertion(analysis: Analysis, opening: Token) -> Token | None:
    """The word after the sign that closes an insertion."""
    closing = _CLOSING.get(opening.text, opening.text)
    for index in range(opening.index + 1, opening.index + _INSIDE):
        token = _at(analysis, index, opening.sentence)
        if token is None:
            return None
        if token.text == closing:
            after = _past_adverbs(analysis, index + 1, opening.sentence)
            return _at(analysis, after, opening.sentence)
    return None


def has_subject_beside(analysis: Analysis, verb: Token) -> bool:
    """Whether a noun phrase after a conjunction stands before a verb, or after its helper.

    As in "... and *his cousin* plays", "nor was *I*": that is its subject, whatever the parse says.
    """
    helpers = analysis.children(verb, "aux", "cop")
    finite = helpers[0] if helpers and helpers[0].index < verb.index else verb
    index = finite.index - 1
    while index > 0 and analysis.tokens[index].upos == "ADV":
        if analysis.tokens[index].text.lower() in VERBS.inverted:
            break
        index -= 1
    if index <= 0:
        return False
    before = analysis.tokens[index]
    if before.text.lower() in VERBS.inverted:
        after = analysis.tokens[finite.index + 1 : finite.index + 2]
        return any(t.upos in VERBS.nominal | {"DET"} for t in after)
    return before.upos in VERBS.nominal and _opens_phrase(analysis, before)


def _opens_phrase(analysis: Analysis, noun: Token) -> bool:
    """Whether nothing but a noun phrase stands between a conjunction and its noun."""
    index = noun.index
    while index > 0 and analysis.tokens[index].upos in VERBS.in_phrase:
        index -= 1
    before = analysis.tokens[index]
    return before.upos == "CCONJ" and before.sentence == noun.sentence
