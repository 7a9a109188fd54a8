"""Make verbs agree when a subject turns from *he* or *she* into *they*, or back.

The verbs of a subject are the finite ones of its clause and of the clauses coordinated with it
that have no subject of their own: "She *tries*, *worries* and *has* lost", "so *does* he".
"""

from __future__ import annotations

from collections.abc import Iterator

from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import agree, contracted_has, parts_of_speech
from augkit.lexicons.demographics.cues import VERBS
from augkit.lexicons.load import word_set
from augkit.text.articles import Replacement

_HELPERS = frozenset(
    "is was has does isn't wasn't hasn't doesn't 's are were have do 're 've".split()
)
_THIRD = frozenset("is was has does isn't wasn't hasn't doesn't".split())
_LINKS = frozenset({",", "and", "or", "but", "yet", "nor", "then", "&"})
_NOT = frozenset({"not", "n't", "n\u2019t"})
_PAST = frozenset({"was", "were"})
_SUBJECTS = ("nsubj", "csubj", "expl")
_FAR = 40
"""Coordinated verbs that are looked at, at most."""


def verb_changes(
    analysis: Analysis, subject: Token, end: int, *, to_plural: bool
) -> list[Replacement]:
    """The replacements that make the verbs of a subject plural, or singular again.

    ``end`` is where the subject ends: "she or he" is one that begins at its first token.
    """
    found = {verb.start: verb for verb in _verbs(analysis, subject, end)}
    changes = []
    for verb in found.values():
        after = _agreeing(analysis, verb, plural=to_plural)
        if after is not None and after != verb.text:
            changes.append(Replacement(verb.start, verb.end, after))
    return changes


def _verbs(analysis: Analysis, subject: Token, end: int) -> Iterator[Token]:
    """The finite verbs of a subject, its own first."""
    if _is_joined(analysis, subject, end):
        return  # "she and her brother run"
    helper = _inverted(analysis, subject)
    near = helper or _beside(analysis, end)
    if near is not None:
        yield near
    top = analysis.head(subject) if subject.deprel == "conj" else subject
    clause = analysis.head(top) if top.is_relation(*_SUBJECTS) else None
    if near is not None and (clause is None or clause.index < subject.index):
        clause = analysis.head(near) if near.is_relation("aux", "cop") else near
    if clause is not None:
        yield from _clauses(analysis, clause, subject, first=near)
    if near is not None or clause is not None:
        yield from _listed(analysis, near or clause or subject, subject)


def _listed(analysis: Analysis, verb: Token, subject: Token) -> Iterator[Token]:
    """Further verbs right after a comma or conjunction, where the parse lost what they belong to.

    As in "She owns a bakery, *rents* out two flats and *lends* money"; a new subject ends the list.
    """
    link, bare, after_adverb = False, True, False
    for token in analysis.tokens[max(verb.index, subject.index) + 1 :]:
        lower = token.text.lower()
        if token.sentence != subject.sentence or lower in {";", ":", "who", "which", "that"}:
            return
        if lower in _LINKS:
            link, after_adverb = True, False
        elif (link and token.is_relation(*_SUBJECTS)) or _is_rival(analysis, token):
            return
        elif link and _is_listed_verb(analysis, token, subject, bare=bare or after_adverb):
            yield token
            link, bare = False, True
        elif token.upos == "ADV":
            after_adverb = link
        else:
            link, bare = False, bare and token.upos in {"PART", "ADP"}


def _is_rival(analysis: Analysis, noun: Token) -> bool:
    """Whether another subject has the verbs that follow: "the *dog* runs and hides"."""
    if noun.morph.get("Number") == "Plur" or noun.text.lower() in VERBS.not_third:
        return False
    clause = analysis.head(noun)
    if noun.is_relation(*_SUBJECTS) and clause.index > noun.index:
        return clause.is_relation("root", "conj")
    before, after = analysis.tokens[noun.index - 1], analysis.tokens[noun.index + 1 :][:1]
    phrase = before.upos == "DET" and noun.upos == "NOUN"
    return phrase and any(_may_be_finite(t) and t.text.lower().endswith("s") for t in after)


def _is_listed_verb(analysis: Analysis, token: Token, subject: Token, *, bare: bool) -> bool:
    """Whether a word after a link is a verb; ``bare``: no noun stands since the last one."""
    form = token.text.lower()
    own = [t for t in analysis.children(token, *_SUBJECTS) if t.index > subject.index]
    if own or form in VERBS.no_verbs:
        return False
    after = analysis.tokens[token.index + 1 : token.index + 2]
    if form in _THIRD:
        return not any(t.is_relation(*_SUBJECTS) or t.xpos == "PRP" for t in after)
    if token.xpos == "VBZ" or (form.endswith("s") and parts_of_speech(form) == {"VERB"}):
        return True
    if token.xpos not in {"NNS", "NNPS"} or "VERB" not in parts_of_speech(form):
        return False
    goes_on = any(t.upos in VERBS.after_verbs or t.text.lower() in VERBS.particles for t in after)
    if analysis.tokens[max(0, token.index - 2)].xpos == "NN":  # "at night and *studies* by day"
        goes_on = goes_on or any(t.upos == "ADP" and t.text.lower() != "of" for t in after)
    return bare or goes_on or form.removesuffix("s") in word_set("verbs_first")


def _is_joined(analysis: Analysis, subject: Token, end: int) -> bool:
    others = [c for c in analysis.children(subject, "conj") if c.start >= end]
    linked = any(t.text.lower() in {"and", "&"} for c in others for t in analysis.children(c, "cc"))
    last = analysis.token_at(end - 1) or subject
    adjacent = analysis.tokens[last.index + 1 : last.index + 2]
    if linked and adjacent and adjacent[0].text.lower() in {"and", "&"}:
        return True
    own = analysis.children(subject, "cc")
    return subject.deprel == "conj" and any(t.text.lower() in {"and", "&"} for t in own)


def _inverted(analysis: Analysis, subject: Token) -> Token | None:
    """The helper before a subject: "so *does* he", "*is*n't she", "where *was* he"."""
    index = subject.index - 1
    if index > 0 and analysis.tokens[index].text.lower() in _NOT:
        index -= 1
    token = analysis.tokens[max(0, index)]
    if index < 0 or token.sentence != subject.sentence or token.text.lower() not in _HELPERS:
        return None
    before = analysis.tokens[index - 1] if index else None
    named = before is not None and before.upos in {"NOUN", "PROPN", "PRON"}
    if named and before is not None and not before.text.lower().startswith(("wh", "how")):
        return None  # "the winner is she"
    following = analysis.tokens[subject.index + 1 : subject.index + 2]
    return None if any(t.xpos in {"VBZ", "MD"} for t in following) else token


def _beside(analysis: Analysis, end: int) -> Token | None:
    """The verb right after a subject that ends at ``end``, adverbs and insertions aside."""
    last = analysis.token_at(end - 1)
    following = analysis.tokens[last.index + 1 : last.index + 14] if last is not None else ()
    closing = ""
    for token in following:
        if last is None or token.sentence != last.sentence:
            return None
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


def _clauses(
    analysis: Analysis, head: Token, subject: Token, first: Token | None
) -> Iterator[Token]:
    """The finite verbs of a clause and of those that are coordinated with it."""
    waiting, seen = [head], 0
    while waiting and seen < _FAR:
        clause = waiting.pop(0)
        seen += 1
        finite = _finite(analysis, clause, subject)
        if finite is not None and (first is None or clause is not head):
            yield finite
        waiting += [c for c in analysis.children(clause, "conj") if _shares(analysis, c)]


def _shares(analysis: Analysis, clause: Token) -> bool:
    """Whether a coordinated clause has no subject of its own."""
    return not analysis.children(clause, *_SUBJECTS)


def _finite(analysis: Analysis, clause: Token, subject: Token) -> Token | None:
    """The word of a clause that agrees: its first helper, or the verb itself."""
    helpers = [t for t in analysis.children(clause, "aux", "cop") if t.upos in {"AUX", "VERB"}]
    if analysis.children(clause, "nsubj:outer"):  # "The reason *is* that she does not drive"
        helpers = [t for t in helpers if t.index > subject.index]
    if helpers:
        return helpers[0]
    if clause.xpos in {"VBZ", "VBP"} or clause.text.lower() in _PAST:
        return clause
    noun = clause.xpos in {"NNS", "NNPS"} and "VERB" in parts_of_speech(clause.text.lower())
    bare = not analysis.children(clause, "det", "amod", "nmod:poss", "case", "compound", "nummod")
    before = analysis.tokens[max(0, clause.index - 1)].text.lower()
    return clause if noun and bare and before in {",", "and", "or", "but", "then"} else None


def _agreeing(analysis: Analysis, verb: Token, *, plural: bool) -> str | None:
    """The form that goes with the new subject, or None where the verb has one for all."""
    form = verb.text.lower().replace("\u2019", "'")
    if form in {"'s", "'ve"}:
        has = form == "'ve" or _is_has(analysis, verb)
        return contracted_has(verb.text, plural=plural) if has else agree(verb.text, plural=plural)
    helped = analysis.children(verb, "aux", "mark")
    if any(t.upos == "AUX" or t.text.lower() == "to" for t in helped):
        return None
    if plural:
        return agree(verb.text, plural=True) if form in _HELPERS or form.endswith("s") else None
    return agree(verb.text, plural=False)


def _is_has(analysis: Analysis, verb: Token) -> bool:
    """Whether 's is *has*: a participle follows that is no passive ("she's finished it")."""
    for token in analysis.tokens[verb.index + 1 : verb.index + 6]:
        if token.text.lower() in {"ever", "just"}:
            return True  # "all she's ever wanted"
        if token.upos in {"ADV", "PART"} or token.text.lower() in _NOT:
            continue
        if token.text.lower() in VERBS.never_passive:
            return True
        active = bool(analysis.children(token, "obj", "ccomp", "xcomp"))
        return token.xpos in {"VBN", "VBD"} and active
    return False
