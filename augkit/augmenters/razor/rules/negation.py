"""Remove the negation of a clause, or negate it.

"did not win", "is incapable of winning", "has yet to win" and "failed to win" all negate "won";
"only" and "exclusively" exclude everything else. Removing each is an edit of a few words; agreement
and tense follow the auxiliary that goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from augkit.augmenters.razor.rules.paired_text import capitalised, only_root
from augkit.augmenters.razor.rules.word_lists import replacements, word_set
from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import inflect_verb
from augkit.language.negation import negation_words

NEGATORS = negation_words("particle", "contraction", "typographic")
_NOT_OR_NEVER = NEGATORS | negation_words("adverb")
_NOT_NEVER_OR_NO = _NOT_OR_NEVER | negation_words("determiner")
_BE = frozenset({"is", "was", "are", "were", "am", "'s"})
DO_TAGS = {"did": "VBD", "does": "VBZ", "do": "VBP"}
_HAVE = frozenset({"has", "have", "had"})


class Affirmative(NamedTuple):
    """A statement without its negation; ``limiter``: only a word like "only" was removed."""

    text: str
    limiter: bool


class _Edit(NamedTuple):
    start: int
    end: int
    after: str


def remove_negation(analysis: Analysis) -> Affirmative | None:
    """The statement that a text negates or limits, or None where it does neither."""
    for token in analysis.tokens:
        edits = _removal(analysis, token)
        # A capital inside the text is that of a title: "Don't Forget".
        if edits and all(analysis.text[one.start].islower() for one in edits):
            return Affirmative(_apply(analysis, edits, polar=True), limiter=False)
    exclusive = word_set("exclusive_adverbs")
    limits = [token for token in analysis.tokens if token.text.lower() in exclusive]
    negated = any(token.text.lower() in _NOT_OR_NEVER for token in analysis.tokens)
    if limits and not negated and all(token.upos == "ADV" for token in limits):
        edits = [_Edit(token.start, token.end, "") for token in limits]
        return Affirmative(_apply(analysis, edits, polar=True), limiter=True)
    return None


def negate(analysis: Analysis, *, contracted: bool = False) -> str | None:
    """The text with its main clause negated, by "not" after the auxiliary or a form of "do".

    None where the clause is negated already or has a form that is not supported.
    """
    if any(token.text.lower() in _NOT_NEVER_OR_NO for token in analysis.tokens):
        return None
    root = only_root(analysis)
    if root is None or analysis.children(root, "conj", "parataxis"):
        return None
    helpers = [t for t in analysis.children(root, "aux", "cop") if t.text.lower() in _finite()]
    if helpers:
        helper = helpers[0]
        word = "n't" if contracted and helper.text.lower() in word_set("contracting") else " not"
        return _apply(analysis, [_Edit(helper.end, helper.end, word)])
    support = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(root.xpos)
    if root.upos != "VERB" or support is None:
        return None
    word = "n't" if contracted else " not"
    return _apply(analysis, [_Edit(root.start, root.end, f"{support}{word} {base(root)}")])


def _finite() -> frozenset[str]:
    return _BE | _HAVE | word_set("modals")


def base(token: Token) -> str:
    """The bare form of a verb."""
    return inflect_verb(token.lemma.lower(), "VB")


def _removal(analysis: Analysis, token: Token) -> list[_Edit]:
    """The edits that remove the negation that begins at a word; none where none does."""
    word = token.text.lower()
    if word in NEGATORS:
        return _without_negator(analysis, token)
    if word == "never":
        return [_Edit(token.start, token.end, "")]
    if word in {"incapable", "unable"}:
        return _without_inability(analysis, token)
    if word in word_set("failure_verbs"):
        return _without_refusal(analysis, token)
    if word == "yet":
        return _without_yet(analysis, token)
    if word in {"no", "zero"} and _counts_plural(analysis, token):
        return [_Edit(token.start, token.end, "")]
    return []


def _without_negator(analysis: Analysis, token: Token) -> list[_Edit]:
    helper = _at(analysis, token.index - 1)
    auxiliary = helper.text.lower() if helper else ""
    if helper is None or auxiliary not in _finite() | set(DO_TAGS):
        return []
    if auxiliary not in DO_TAGS:
        return [_Edit(token.start, token.end, "")]
    verb = _next_verb(analysis, token.index + 1)
    if verb is None:
        return []
    form = inflect_verb(verb.lemma.lower(), DO_TAGS[auxiliary])
    return [_Edit(helper.start, token.end, ""), _Edit(verb.start, verb.end, form)]


def _without_inability(analysis: Analysis, token: Token) -> list[_Edit]:
    """Of "is incapable of flying", "was unable to fly"."""
    helper, link = _at(analysis, token.index - 1), _at(analysis, token.index + 1)
    verb = _at(analysis, token.index + 2)
    if helper is None or link is None or verb is None or helper.text.lower() not in _BE:
        return []
    expected = "of" if token.text.lower() == "incapable" else "to"
    if link.text.lower() != expected or verb.upos not in {"VERB", "AUX"}:
        return []
    tag = {"is": "VBZ", "was": "VBD", "are": "VBP", "were": "VBD"}.get(helper.text.lower(), "VBZ")
    form = _form_of_be(helper) if _is_be(verb) else inflect_verb(verb.lemma.lower(), tag)
    return [_Edit(helper.start, link.end, ""), _Edit(verb.start, verb.end, form)]


def _without_refusal(analysis: Analysis, token: Token) -> list[_Edit]:
    """Of "failed to win", "refuses to act"."""
    link, verb = _at(analysis, token.index + 1), _at(analysis, token.index + 2)
    if link is None or verb is None or link.text.lower() != "to":
        return []
    if verb.text.lower() == "ever":
        verb = _at(analysis, token.index + 3)
    if verb is None or verb.upos not in {"VERB", "AUX"}:
        return []
    tag = "VBZ" if token.text.lower().endswith("s") else "VBD"
    form = inflect_verb(verb.lemma.lower(), tag)
    return [_Edit(token.start, link.end, ""), _Edit(verb.start, verb.end, form)]


def _without_yet(analysis: Analysis, token: Token) -> list[_Edit]:
    """Of "has yet to win", which becomes "has won"."""
    helper, link = _at(analysis, token.index - 1), _at(analysis, token.index + 1)
    verb = _at(analysis, token.index + 2)
    if helper is None or link is None or verb is None or link.text.lower() != "to":
        return []
    if helper.text.lower() not in _HAVE | {"is", "are"} or verb.upos not in {"VERB", "AUX"}:
        return []
    have = {"is": "has", "are": "have"}.get(helper.text.lower(), helper.text)
    form = inflect_verb("be" if _is_be(verb) else verb.lemma.lower(), "VBN")
    return [
        _Edit(helper.start, helper.end, have),
        _Edit(token.start, link.end, ""),
        _Edit(verb.start, verb.end, form),
    ]


def _counts_plural(analysis: Analysis, token: Token) -> bool:
    """Whether "no" or "zero" counts a plural noun, so that the noun can stand without it."""
    after = analysis.tokens[token.index + 1 : token.index + 4]
    noun = next((one for one in after if one.upos == "NOUN"), None)
    if noun is None or noun.morph.get("Number") != "Plur" or noun.is_relation("nsubj"):
        return False
    if noun.text.lower() == "times":
        return False
    return all(one.upos == "ADJ" for one in after[: noun.index - token.index - 1])


def _is_be(token: Token) -> bool:
    return token.text.lower() in {"be", "being", "been"}


def _form_of_be(helper: Token) -> str:
    return helper.text.lower() if helper.text.lower() in {"is", "was", "are", "were"} else "is"


def _next_verb(analysis: Analysis, index: int) -> Token | None:
    """The verb at an index, or one word later."""
    for position in (index, index + 1):
        token = _at(analysis, position)
        if token is not None and token.upos in {"VERB", "AUX"}:
            return token
    return None


def _at(analysis: Analysis, index: int) -> Token | None:
    return analysis.tokens[index] if 0 <= index < len(analysis.tokens) else None


def _apply(analysis: Analysis, edits: list[_Edit], *, polar: bool = False) -> str:
    """The edited text, with its negative polarity items removed or replaced."""
    if polar:
        edits = [*edits, *_polarity_edits(analysis, edits)]
    text = analysis.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.after + text[edit.end :]
    text = " ".join(text.split())
    for sign in ".,;!?":
        text = text.replace(f" {sign}", sign)
    return capitalised(text) if analysis.text[:1].isupper() else text


def _polarity_edits(analysis: Analysis, edits: list[_Edit]) -> Iterator[_Edit]:
    covered = {offset for edit in edits for offset in range(edit.start, edit.end)}
    items = replacements("polarity_items")
    for token in analysis.tokens:
        word = token.text.lower()
        if word in items and token.start not in covered:
            yield _Edit(token.start, token.end, items[word])
