"""Remove the negation of a clause.

"did not win" negates "won"; "only" and "exclusively" exclude everything else. Removing each is an
edit of a few words; agreement and tense follow the auxiliary that goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from augkit.augmenters.razor.rules.word_lists import listed_words, replacements
from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import inflect_verb
from augkit.language.negation import negation_words

NEGATORS = negation_words("particle", "contraction", "typographic")
NOT_OR_NEVER = NEGATORS | negation_words("adverb")
DO_TAGS = {"did": "VBD", "does": "VBZ", "do": "VBP"}


class Affirmative(NamedTuple):
    """A statement without its negation; ``limiter``: only a word like "only" was removed."""

    text: str
    limiter: bool


class _Edit(NamedTuple):
    start: int
    end: int
    after: str = ""


def affirmative_of(analysis: Analysis) -> Affirmative | None:
    """The statement that a text negates or limits, or None where it does neither."""
    negations = [token for token in analysis.tokens if token.text.lower() in NOT_OR_NEVER]
    for token in negations:
        edits = _removal(analysis, token)
        # A capital inside the text is that of a title: "Don't Forget".
        if edits and all(analysis.text[one.start].islower() for one in edits):
            return Affirmative(_apply(analysis, edits), limiter=False)
    exclusive = listed_words("exclusive_adverbs")
    limits = [token for token in analysis.tokens if token.text.lower() in exclusive]
    if limits and not negations and all(token.upos == "ADV" for token in limits):
        edits = [_Edit(token.start, token.end) for token in limits]
        return Affirmative(_apply(analysis, edits), limiter=True)
    return None


def base(token: Token) -> str:
    """The bare form of a verb."""
    return inflect_verb(token.lemma.lower(), "VB")


def only_root(analysis: Analysis) -> Token | None:
    """The root of a text that has exactly one."""
    roots = [token for token in analysis.tokens if token.is_root]
    return roots[0] if len(roots) == 1 else None


def _removal(analysis: Analysis, negation: Token) -> list[_Edit]:
    """The edits that remove "not" or "never"; none where its auxiliary is not before it."""
    alone = [_Edit(negation.start, negation.end)]
    if negation.text.lower() not in NEGATORS:
        return alone
    helper = analysis.tokens[negation.index - 1] if negation.index else negation
    auxiliary = helper.text.lower()
    if auxiliary in listed_words("auxiliaries"):
        return alone
    after = analysis.tokens[negation.index + 1 : negation.index + 3]
    verb = next((token for token in after if token.upos in {"VERB", "AUX"}), None)
    if auxiliary not in DO_TAGS or verb is None:
        return []
    form = inflect_verb(verb.lemma.lower(), DO_TAGS[auxiliary])
    return [_Edit(helper.start, negation.end), _Edit(verb.start, verb.end, form)]


def _apply(analysis: Analysis, edits: list[_Edit]) -> str:
    """The edited text, with its negative polarity items removed or replaced."""
    text = analysis.text
    for edit in sorted([*edits, *_polarity_edits(analysis, edits)], reverse=True):
        text = text[: edit.start] + edit.after + text[edit.end :]
    text = " ".join(text.split())
    for sign in ".,;!?":
        text = text.replace(f" {sign}", sign)
    return text[:1].upper() + text[1:] if analysis.text[:1].isupper() else text


def _polarity_edits(analysis: Analysis, edits: list[_Edit]) -> Iterator[_Edit]:
    covered = {offset for edit in edits for offset in range(edit.start, edit.end)}
    items = replacements("polarity_items")
    for token in analysis.tokens:
        word = token.text.lower()
        if word in items and token.start not in covered:
            yield _Edit(token.start, token.end, items[word])
