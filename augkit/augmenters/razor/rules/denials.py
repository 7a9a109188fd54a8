"""Taking a denial out of a clause, and putting one in.

"did not win", "is incapable of winning", "has yet to win" and "failed to win" all deny "won";
"only" and "exclusively" deny everything else. Each way back to the plain statement is an edit of a
few words; agreement and tense follow the auxiliary that goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import inflect_verb
from augkit.language.negation import negation_words

NEGATORS = negation_words("particle", "contraction", "typographic")
_NOT_OR_NEVER = NEGATORS | negation_words("adverb")
_NOT_NEVER_OR_NO = _NOT_OR_NEVER | negation_words("determiner")
LIMITERS = frozenset("only exclusively solely merely just entirely purely strictly".split())
BY_ONE = frozenset("direct compose paint design discover sing narrate".split())
"""What one person usually does alone."""
_BE = frozenset({"is", "was", "are", "were", "am", "'s"})
_DO = {"did": "VBD", "does": "VBZ", "do": "VBP"}
_HAVE = frozenset({"has", "have", "had"})
_MODALS = frozenset("will would can could may might shall should must".split())
_REFUSING = frozenset({"failed", "fails", "refused", "refuses", "declined", "declines"})
_POLAR = {"any": "", "ever": "", "anything": "something", "anyone": "someone", "yet": ""}


class Plain(NamedTuple):
    """A statement without its denial; ``limiter`` says that only a limit was taken out."""

    text: str
    limiter: bool


class _Change(NamedTuple):
    start: int
    end: int
    after: str


def affirmed(analysis: Analysis) -> Plain | None:
    """The statement that a text denies or limits, or None where it does neither."""
    for token in analysis.tokens:
        changes = _undone(analysis, token)
        # A capital inside the text is that of a title: "Don't Forget".
        if changes and all(analysis.text[one.start].islower() for one in changes):
            return Plain(_applied(analysis, changes, polar=True), limiter=False)
    limits = [token for token in analysis.tokens if token.text.lower() in LIMITERS]
    denies = any(token.text.lower() in _NOT_OR_NEVER for token in analysis.tokens)
    if limits and not denies and all(token.upos == "ADV" for token in limits):
        changes = [_Change(token.start, token.end, "") for token in limits]
        return Plain(_applied(analysis, changes, polar=True), limiter=True)
    return None


def denied(analysis: Analysis, *, contracted: bool = False) -> str | None:
    """The text with its main clause denied: "not" after the auxiliary, or with "did", "does", "do".

    None where the clause is denied already or is not of a kind that is understood.
    """
    if any(token.text.lower() in _NOT_NEVER_OR_NO for token in analysis.tokens):
        return None
    root = next((token for token in analysis.tokens if token.is_root), None)
    if root is None or sum(token.is_root for token in analysis.tokens) != 1:
        return None
    if analysis.children(root, "conj", "parataxis"):
        return None
    helpers = [t for t in analysis.children(root, "aux", "cop") if t.text.lower() in _FINITE]
    if helpers:
        helper = helpers[0]
        word = "n't" if contracted and helper.text.lower() in _CONTRACTING else " not"
        return _applied(analysis, [_Change(helper.end, helper.end, word)])
    support = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(root.xpos)
    if root.upos != "VERB" or support is None:
        return None
    word = "n't" if contracted else " not"
    return _applied(analysis, [_Change(root.start, root.end, f"{support}{word} {base(root)}")])


_FINITE = _BE | _HAVE | _MODALS
_CONTRACTING = frozenset({"is", "was", "are", "were", "has", "have", "had", "would", "could"})


def base(token: Token) -> str:
    """The bare form of a verb."""
    return inflect_verb(token.lemma.lower(), "VB")


def _undone(analysis: Analysis, token: Token) -> list[_Change]:
    """The edits that take out the denial that begins at a word; none where none does."""
    small = token.text.lower()
    if small in NEGATORS:
        return _without_negator(analysis, token)
    if small == "never":
        return [_Change(token.start, token.end, "")]
    if small in {"incapable", "unable"}:
        return _without_inability(analysis, token)
    if small in _REFUSING:
        return _without_refusal(analysis, token)
    if small == "yet":
        return _still_to_come(analysis, token)
    if small in {"no", "zero"} and _counts_plural(analysis, token):
        return [_Change(token.start, token.end, "")]
    return []


def _without_negator(analysis: Analysis, token: Token) -> list[_Change]:
    helper = _at(analysis, token.index - 1)
    small = helper.text.lower() if helper else ""
    if helper is None or small not in _FINITE | set(_DO):
        return []
    if small not in _DO:
        return [_Change(token.start, token.end, "")]
    verb = _next_verb(analysis, token.index + 1)
    if verb is None:
        return []
    form = inflect_verb(verb.lemma.lower(), _DO[small])
    return [_Change(helper.start, token.end, ""), _Change(verb.start, verb.end, form)]


def _without_inability(analysis: Analysis, token: Token) -> list[_Change]:
    """As "is incapable of flying", "was unable to fly"."""
    helper, link = _at(analysis, token.index - 1), _at(analysis, token.index + 1)
    verb = _at(analysis, token.index + 2)
    if helper is None or link is None or verb is None or helper.text.lower() not in _BE:
        return []
    wanted = "of" if token.text.lower() == "incapable" else "to"
    if link.text.lower() != wanted or verb.upos not in {"VERB", "AUX"}:
        return []
    tag = {"is": "VBZ", "was": "VBD", "are": "VBP", "were": "VBD"}.get(helper.text.lower(), "VBZ")
    form = _be_like(helper) if _is_be(verb) else inflect_verb(verb.lemma.lower(), tag)
    return [_Change(helper.start, link.end, ""), _Change(verb.start, verb.end, form)]


def _without_refusal(analysis: Analysis, token: Token) -> list[_Change]:
    """As "failed to win", "refuses to act"."""
    link, verb = _at(analysis, token.index + 1), _at(analysis, token.index + 2)
    if link is None or verb is None or link.text.lower() != "to":
        return []
    if verb.text.lower() == "ever":
        verb = _at(analysis, token.index + 3)
    if verb is None or verb.upos not in {"VERB", "AUX"}:
        return []
    tag = "VBZ" if token.text.lower().endswith("s") else "VBD"
    form = inflect_verb(verb.lemma.lower(), tag)
    return [_Change(token.start, link.end, ""), _Change(verb.start, verb.end, form)]


def _still_to_come(analysis: Analysis, token: Token) -> list[_Change]:
    """As "has yet to win" becomes "has won"."""
    helper, link = _at(analysis, token.index - 1), _at(analysis, token.index + 1)
    verb = _at(analysis, token.index + 2)
    if helper is None or link is None or verb is None or link.text.lower() != "to":
        return []
    if helper.text.lower() not in _HAVE | {"is", "are"} or verb.upos not in {"VERB", "AUX"}:
        return []
    have = {"is": "has", "are": "have"}.get(helper.text.lower(), helper.text)
    form = inflect_verb("be" if _is_be(verb) else verb.lemma.lower(), "VBN")
    return [
        _Change(helper.start, helper.end, have),
        _Change(token.start, link.end, ""),
        _Change(verb.start, verb.end, form),
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


def _be_like(helper: Token) -> str:
    return helper.text.lower() if helper.text.lower() in {"is", "was", "are", "were"} else "is"


def _next_verb(analysis: Analysis, place: int) -> Token | None:
    """The verb from a place on, at most one adverb later."""
    for index in (place, place + 1):
        token = _at(analysis, index)
        if token is not None and token.upos in {"VERB", "AUX"}:
            return token
    return None


def _at(analysis: Analysis, index: int) -> Token | None:
    return analysis.tokens[index] if 0 <= index < len(analysis.tokens) else None


def _applied(analysis: Analysis, changes: list[_Change], *, polar: bool = False) -> str:
    """The text after the changes, with words that need a denial gone or exchanged."""
    if polar:
        changes = [*changes, *_polar_changes(analysis, changes)]
    text = analysis.text
    for change in sorted(changes, reverse=True):
        text = text[: change.start] + change.after + text[change.end :]
    text = " ".join(text.split())
    for sign in ".,;!?":
        text = text.replace(f" {sign}", sign)
    return text[:1].upper() + text[1:] if analysis.text[:1].isupper() else text


def _polar_changes(analysis: Analysis, changes: list[_Change]) -> Iterator[_Change]:
    covered = {place for change in changes for place in range(change.start, change.end)}
    for token in analysis.tokens:
        small = token.text.lower()
        if small in _POLAR and token.start not in covered:
            yield _Change(token.start, token.end, _POLAR[small])
