"""Make verbs agree when a subject turns from *he* or *she* into *they*, or back.

The verbs of a subject are the finite ones of its clause and of the clauses coordinated with it
that have no subject of their own: "She *tries*, *worries* and *has* lost", "so *does* he".
"""

from __future__ import annotations

from collections.abc import Iterator

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.morphology import agree, contracted_has, parts_of_speech
from augkit.lexicons.demographics.cues import VERBS

_THIRD = frozenset("is was has does isn't wasn't hasn't doesn't".split())
_HELPERS = _THIRD | set("'s are were have do 're 've".split())
_LINKS = frozenset({",", "and", "or", "but", "yet", "nor", "then", "&"})
_NOT = frozenset({"not", "n't", "n\u2019t"})
_SUBJECTS = ("nsubj", "csubj", "expl")


def verb_changes(
    analysis: Analysis, subject: Token, end: int, *, to_plural: bool
) -> list[Replacement]:
    """The replacements that make the verbs of a subject plural, or singular again.

    ``end`` is where the subject ends: "she or he" is one that begins at its first token.
    """
    verbs = {verb.start: verb for verb in _verbs(analysis, subject, end)}
    changes = []
    for verb in verbs.values():
        after = _agreeing(analysis, verb, plural=to_plural)
        if after is not None and after != verb.text:
            changes.append(Replacement(verb.start, verb.end, after))
    return changes


def _verbs(analysis: Analysis, subject: Token, end: int) -> Iterator[Token]:
    """The finite verbs of a subject, its own first."""
    near = _inverted(analysis, subject) or _beside(analysis, end)
    top = analysis.head(subject) if subject.deprel == "conj" else subject
    clause = analysis.head(top) if top.is_relation(*_SUBJECTS) else None
    if near is not None:
        yield near
    if clause is not None:
        yield from _clauses(analysis, clause, subject, near)
    yield from _listed(analysis, near or clause or subject, subject)


def _clauses(
    analysis: Analysis, head: Token, subject: Token, near: Token | None
) -> Iterator[Token]:
    """The finite verbs of a clause, unless one is ``near``, and of those coordinated with it."""
    waiting = [head]
    bare = False
    while waiting:
        clause = waiting.pop(0)
        finite = _finite(analysis, clause, subject)
        if clause is head:
            bare = finite is head or near is head
        elif bare and finite is None and clause.xpos == "VB":
            finite = clause  # "they lose, *swear* and *start* again"
        if finite is not None and (near is None or clause is not head):
            yield finite
        coordinated = analysis.children(clause, "conj")
        waiting += [c for c in coordinated if not analysis.children(c, *_SUBJECTS)]


def _finite(analysis: Analysis, clause: Token, subject: Token) -> Token | None:
    """The word of a clause that agrees: its first helper, or the verb itself."""
    helpers = list(analysis.children(clause, "aux", "cop"))
    if analysis.children(clause, "nsubj:outer"):  # "The reason *is* that she does not drive"
        helpers = [t for t in helpers if t.index > subject.index]
    if helpers:
        return helpers[0]
    agrees = clause.xpos in {"VBZ", "VBP"} or clause.text.lower() in {"was", "were"}
    return clause if agrees else None


def _listed(analysis: Analysis, verb: Token, subject: Token) -> Iterator[Token]:
    """Further verbs right after a comma or conjunction, where the parse lost what they belong to.

    As in "She owns a bakery, *rents* out two flats and *lends* money"; a new subject ends the list.
    """
    link = False
    bare = True
    after_adverb = False
    for token in analysis.tokens[max(verb.index, subject.index) + 1 :]:
        lower = token.text.lower()
        if token.sentence != subject.sentence or lower in {";", ":", "who", "which", "that"}:
            return
        if lower in _LINKS:
            link = True
            after_adverb = False
        elif token.is_relation(*_SUBJECTS):
            return
        elif link and _is_listed_verb(analysis, token, subject, bare=bare or after_adverb):
            yield token
            link = False
            bare = True
        elif token.upos == "ADV":
            after_adverb = link
        else:
            link = False
            bare = bare and token.upos in {"PART", "ADP"}


def _is_listed_verb(analysis: Analysis, token: Token, subject: Token, *, bare: bool) -> bool:
    """Whether a word after a link is a verb; ``bare``: no noun stands since the last one."""
    form = token.text.lower()
    if token.xpos == "VBZ" or form in _THIRD:
        return all(t.index <= subject.index for t in analysis.children(token, *_SUBJECTS))
    if token.xpos not in {"NNS", "NNPS"} or "VERB" not in parts_of_speech(form):
        return False
    if _is_described(analysis, token):
        return False
    after = analysis.tokens[token.index + 1 : token.index + 2]
    return bare or any(t.upos in VERBS.after_verbs and t.text.lower() != "of" for t in after)


def _is_described(analysis: Analysis, token: Token) -> bool:
    """Whether a word is a noun with an adjective or an article: "disapproving *looks*"."""
    before = analysis.tokens[token.index - 1]
    described = analysis.children(token, "amod", "det", "nummod")
    return before.upos in {"ADJ", "DET", "NUM"} or bool(described)


def _inverted(analysis: Analysis, subject: Token) -> Token | None:
    """The helper before a subject: "so *does* he", "*is*n't she", "where *was* he"."""
    index = subject.index - 1
    if index > 0 and analysis.tokens[index].text.lower() in _NOT:
        index -= 1
    token = analysis.tokens[max(0, index)]
    if index < 0 or token.sentence != subject.sentence or token.text.lower() not in _HELPERS:
        return None
    before = analysis.tokens[index - 1] if index else token
    named = before.upos in {"NOUN", "PROPN", "PRON"} and not before.xpos.startswith("W")
    following = analysis.tokens[subject.index + 1 : subject.index + 2]
    return None if named or any(t.xpos in {"VBZ", "MD"} for t in following) else token


def _beside(analysis: Analysis, end: int) -> Token | None:
    """The verb right after a subject that ends at ``end``, adverbs and insertions aside."""
    last = analysis.token_at(end - 1)
    following = analysis.tokens[last.index + 1 : last.index + 14] if last is not None else ()
    closing = ""
    for token in following:
        if closing:
            closing = "" if token.text == closing else closing
        elif token.text in {",", "(", "\u2014", "\u2013", "--", "-"}:
            closing = {"(": ")"}.get(token.text, token.text)
        elif token.upos not in {"ADV", "CCONJ"} and token.text.lower() not in VERBS.besides:
            return token if _may_be_finite(token) else None
    return None


def _may_be_finite(token: Token) -> bool:
    form = token.text.lower().replace("\u2019", "'")
    if form in _HELPERS or token.xpos in {"VBZ", "VBP"}:
        return True
    third = form.endswith("s") and not form.endswith(("ss", "us")) and form not in VERBS.no_verbs
    return third and "VERB" in parts_of_speech(form)


def _agreeing(analysis: Analysis, verb: Token, *, plural: bool) -> str | None:
    """The form that goes with the new subject, or None where the verb has one for all."""
    form = verb.text.lower().replace("\u2019", "'")
    if form == "'ve" or (form == "'s" and _is_has(analysis, verb)):
        return contracted_has(verb.text, plural=plural)
    if plural and form not in _HELPERS and not form.endswith("s"):
        return None
    return agree(verb.text, plural=plural)


def _is_has(analysis: Analysis, verb: Token) -> bool:
    """Whether 's is *has*: a participle follows that is no passive ("she's finished it")."""
    for token in analysis.tokens[verb.index + 1 : verb.index + 6]:
        if token.upos in {"ADV", "PART"}:
            continue
        active = bool(analysis.children(token, "obj", "ccomp", "xcomp"))
        perfect = token.xpos in {"VBN", "VBD"} and active
        return perfect or token.text.lower() in VERBS.never_passive
    return False
