"""Make verbs agree when a subject turns from *he* or *she* into *they*, or back.

The verbs of a subject are the finite ones of its clause and of the clauses coordinated with it
that have no subject of their own: "She *tries*, *worries* and *has* lost", "so *does* he".
"""

from __future__ import annotations

from collections.abc import Iterator

from augkit.augmenters.panda.grammar.coordination import coordinated
from augkit.augmenters.panda.grammar.verb_position import (
    AUXILIARIES,
    INSERTING,
    LINKS,
    has_subject_beside,
    verb_beside,
)
from augkit.core.analysis import Analysis, Token
from augkit.language.morphology import agree, contracted_has, parts_of_speech
from augkit.language.negation import negation_words
from augkit.lexicons.demographics.cues import VERBS
from augkit.text.articles import Replacement

_NOT = negation_words("particle", "contraction", "typographic")
_FAR = 40
"""Coordinated verbs after the subject's own that are looked at, at most."""


def verb_changes(
    analysis: Analysis, subject: Token, end: int, *, to_plural: bool
) -> list[Replacement]:
    """The replacements that make the verbs of a subject plural, or singular again.

    ``end`` is where the subject ends: "she or he" is one that begins at its first token.
    """
    found: dict[int, Replacement] = {}
    verbs = list(_verbs(analysis, subject, end))
    if to_plural and verbs:
        verbs += coordinated(analysis, subject, verbs)
    for verb in verbs:
        after = _agreeing(analysis, verb, plural=to_plural)
        if after is not None and after != verb.text:
            found[verb.start] = Replacement(verb.start, verb.end, after)
    return list(found.values())


def _agreeing(analysis: Analysis, verb: Token, *, plural: bool) -> str | None:
    """The form that goes with the new subject, or None where the verb has one for all."""
    form = verb.text.lower().replace("\u2019", "'")
    if form in {"'s", "'ve"}:
        has = form == "'ve" or _is_have(analysis, verb)
        return contracted_has(verb.text, plural=plural) if has else agree(verb.text, plural=plural)
    if plural and (form in VERBS.helpers or form in AUXILIARIES):
        return agree(verb.text, plural=True)
    if not plural and (form in VERBS.helpers or verb.xpos in {"VBP", "VB"}):
        return None if _has_helper(analysis, verb) else agree(verb.text, plural=False)
    if not plural or "VERB" not in parts_of_speech(form) or not form.endswith("s"):
        return None
    return agree(verb.text, plural=True)


def _has_helper(analysis: Analysis, verb: Token) -> bool:
    helped = analysis.children(verb, "aux", "mark")
    return any(t.upos == "AUX" or t.text.lower() == "to" for t in helped)


def _is_have(analysis: Analysis, verb: Token) -> bool:
    """Whether 's is *has*: a participle follows that is no passive ("she's finished it")."""
    following = analysis.tokens[verb.index + 1 : verb.index + 6]
    for token in following:
        if token.upos in {"ADV", "PART"} or token.text.lower() in _NOT:
            continue
        if token.text.lower() in {"got", "been", "had", "become", "taken"}:
            return True
        if token.text.lower() in {"gone", "done"}:
            return _goes_on(analysis, token)
        after = analysis.tokens[token.index + 1 : token.index + 2]
        if token.text.lower() in VERBS.never_passive:
            apart = token.text.lower() == "left" and after  # "she's left alone"
            by = token.text.lower() == "moved" and after and after[0].text.lower() == "by"
            return not (by or (apart and after[0].text.lower() in VERBS.left_by_others))
        if token.text.lower() in VERBS.same_in_past:  # "she's let us down"
            return any(t.upos in {"PRON", "DET"} for t in after)
        participle = token.xpos in {"VBN", "VBD"}
        with_object = bool(analysis.children(token, "obj", "ccomp", "xcomp"))
        in_question = analysis.tokens[max(0, verb.index - 2)].text.lower() == "what"
        named = in_question or any(t.upos == "PROPN" for t in after)
        if named and token.text.lower() in {"called", "named"}:
            return False  # "what she's called", "she's called Ann"
        return participle and (with_object or _has_gap(analysis, verb, token))
    return False


def _has_gap(analysis: Analysis, verb: Token, participle: Token) -> bool:
    """As in "all he's ever *wanted*", "what she's *built*": the object stands before it all."""
    if participle.text.lower() in VERBS.said_to_be:
        return False
    between = {t.text.lower() for t in analysis.tokens[verb.index + 1 : participle.index]}
    before = analysis.tokens[max(0, verb.index - 2)].text.lower()
    return "ever" in between or (before in VERBS.objects_first and verb.index > 1)


def _goes_on(analysis: Analysis, participle: Token) -> bool:
    """As in "she's gone home" and "she's done it", not "she's gone" and "she's done with it"."""
    if participle.text.lower() == "done":
        return bool(analysis.children(participle, "obj"))
    after = analysis.tokens[participle.index + 1 : participle.index + 2]
    return any(t.text[0].isalnum() and t.text.lower() not in VERBS.after_gone for t in after)


def _verbs(analysis: Analysis, subject: Token, end: int) -> Iterator[Token]:
    others = [c for c in analysis.children(subject, "conj") if c.start >= end]
    inserted = analysis.tokens[subject.index + 1 : subject.index + 2]
    near = verb_beside(analysis, end) if others else None
    if near is not None and (near in others or (inserted and inserted[0].text in INSERTING)):
        others = []  # "she, at sixty, smiles and reads", "she neither smokes nor drinks"
    if others or (subject.deprel == "conj" and _is_and(analysis, subject)):
        return  # "she and her brother run", "neither she nor her lawyers have"
    if (relative := _relative(analysis, subject)) is not None:
        yield from _with_relative(analysis, relative)
        return
    helper = _inverted(analysis, subject, end)
    if helper is not None:
        yield helper
    elif (near := verb_beside(analysis, end)) is not None:
        yield near
        yield from _clauses(analysis, _clause_of(analysis, near), subject)
        return
    top = analysis.head(subject) if subject.deprel == "conj" else subject
    head = analysis.head(top) if top.is_relation("nsubj", "csubj", "expl") else None
    if head is not None and (rival := _between(analysis, top, head)) is not None:
        head = None if helper is not None else _after_insertion(analysis, rival)
    elif helper is None and (head is None or _finite(analysis, head, top) is None):
        head = _next_verb(analysis, subject)
    if head is not None:
        yield from _clauses(analysis, head, top)


def _clause_of(analysis: Analysis, verb: Token) -> Token:
    """The word that heads the clause of a verb or helper."""
    return analysis.head(verb) if verb.is_relation("aux", "cop") else verb


def _relative(analysis: Analysis, subject: Token) -> Token | None:
    """The "who" of a clause about a pronoun: "she who laughs", "she, who had never sailed,"."""
    following = [*analysis.tokens[subject.index + 1 : subject.index + 3]]
    if following and following[0].text == ",":
        following = [t for t in following[1:] if t.text.lower() == "who"]
    relative = following[0] if following else None
    if relative is None or relative.text.lower() not in {"who", "that"}:
        return None
    return relative if relative.upos in {"PRON", "SCONJ"} else None


def _with_relative(analysis: Analysis, relative: Token) -> Iterator[Token]:
    """As in "She who *laughs* last *laughs* best": the next two finite verbs."""
    following = analysis.tokens[relative.index + 1 : relative.index + 20]
    finite = [t for t in following if t.sentence == relative.sentence and t.xpos in VERBS.finite]
    opening = analysis.tokens[max(0, relative.index - 3)].text.lower()
    yield from finite[:1] if opening == "it" else finite[:2]  # "it is he who pays" has one


def _between(analysis: Analysis, subject: Token, head: Token) -> Token | None:
    """The head, if a second subject stands between it and the first one, and no apposition."""
    finite = _finite(analysis, head, subject)
    commas = [analysis.tokens[subject.index + 1].text]
    commas += [analysis.tokens[finite.index - 1].text] if finite is not None else []
    if commas == [",", ","]:
        return None  # "She, my oldest friend, is leaving"
    rivals = [t for t in analysis.children(head, "nsubj") if t.index > subject.index]
    return head if rivals and rivals[0].index < head.index else None


def _inverted(analysis: Analysis, subject: Token, end: int) -> Token | None:
    """The helper before a subject: "so *does* he", "*is*n't she", "where *was* he"."""
    index = subject.index - 1
    if index > 0 and analysis.tokens[index].text.lower() in _NOT:
        index -= 1
    if index < 0 or analysis.tokens[index].sentence != subject.sentence:
        return None
    token = analysis.tokens[index]
    if token.text.lower() not in VERBS.helpers:
        return None
    before = analysis.tokens[index - 1] if index else token
    is_wh = before.text.lower().startswith(("wh", "how"))
    if before.upos in {"NOUN", "PROPN", "PRON", "NUM"} and index and not is_wh:
        return None  # "the winner is she"
    following = analysis.token_at(end + 1)
    finite = following is not None and following.xpos in {"VBZ", "VBP", "MD"}
    return None if finite and following is not None and following.start <= end + 1 else token


def _next_verb(analysis: Analysis, subject: Token) -> Token | None:
    """The clause of the next finite verb, where the parse did not find the subject's own."""
    for token in analysis.tokens[subject.index + 1 : subject.index + 12]:
        if token.sentence != subject.sentence or token.upos in {"CCONJ", "SCONJ"}:
            if token.text.lower() not in {"if", "and", "or", "as", "while", "though", "when"}:
                return None
            continue
        if token.xpos in {"VBZ", "VBP", "VBD", "MD"}:
            verb = token if token.upos == "VERB" else analysis.head(token)
            apart = analysis.tokens[subject.index + 1].text == analysis.tokens[token.index - 1].text
            inserted = apart and analysis.tokens[token.index - 1].text in {",", "\u2014", "\u2013"}
            free = not analysis.children(verb, "nsubj") or verb is token
            return verb if free or inserted else None
    return None


def _is_and(analysis: Analysis, conjunct: Token) -> bool:
    return any(t.text.lower() in {"and", "&"} for t in analysis.children(conjunct, "cc"))


def _after_insertion(analysis: Analysis, head: Token) -> Token | None:
    """As in "She, as anyone knows, writes": the verb without a subject after the insertion."""
    for token in analysis.sentences[head.sentence]:
        if token.index > head.index and token.xpos in {"VBZ", "VBP"}:
            verb = token if token.upos == "VERB" else analysis.head(token)
            if not analysis.children(verb, "nsubj"):
                return verb
    return None


def _clauses(analysis: Analysis, head: Token, subject: Token) -> Iterator[Token]:
    waiting = [head]
    seen = 0
    while waiting and seen < _FAR:
        verb = waiting.pop(0)
        seen += 1
        finite = _finite(analysis, verb, subject)
        if finite is not None:
            yield finite
        waiting += [c for c in analysis.children(verb, "conj", "parataxis") if _shares(analysis, c)]
        for clause in analysis.children(verb, "ccomp"):
            others = (c for c in analysis.children(clause, "conj") if c.xpos == "VBZ")
            wishes = (c for c in others if c.lemma.lower() in VERBS.wishes)
            waiting += [c for c in wishes if _shares(analysis, c)]


def _shares(analysis: Analysis, verb: Token) -> bool:
    """Whether a coordinated clause has no subject of its own."""
    if analysis.children(verb, "nsubj", "expl", "csubj") or has_subject_beside(analysis, verb):
        return False
    if verb.deprel == "parataxis":
        return bool(analysis.children(verb, "aux", "cop")) or verb.xpos in {"VBZ", "VBP"}
    return True


def _finite(analysis: Analysis, verb: Token, subject: Token) -> Token | None:
    """The word of a clause that agrees: its first helper, or the verb itself."""
    helpers = [t for t in analysis.children(verb, "aux", "cop") if t.upos in {"AUX", "VERB"}]
    if analysis.children(verb, "nsubj:outer"):  # "The reason *is* that she does not drive"
        helpers = [t for t in helpers if t.index > subject.index]
    if helpers:
        return helpers[0]
    if verb.xpos in {"VBZ", "VBP", "VB"} or (
        verb.xpos == "VBD" and verb.text.lower() in {"was", "were"}
    ):
        return verb
    mistaken = verb.xpos in {"NNS", "NNPS", "NNP", "NN"} and "VERB" in parts_of_speech(
        verb.text.lower()
    )
    bare = not analysis.children(verb, "det", "amod", "nmod:poss", "case", "cop", "compound")
    before = analysis.tokens[max(0, verb.index - 1)]
    linked = verb.deprel == "conj" and (before.text.lower() in LINKS or before.upos == "ADV")
    if mistaken and bare and (linked or subject.head == verb.index):
        return verb
    return None
