"""Make verbs agree when a subject turns from *he* or *she* into *they*, or back.

The verbs of a subject are the finite ones of its clause and of the clauses coordinated with it
that have no subject of their own: "She *tries*, *worries* and *has* lost", "so *does* he".
"""

from __future__ import annotations

from collections.abc import Iterator

from augkit.augmenters.panda.pronouns import word_kinds
from augkit.augmenters.panda.writing import Change
from augkit.language.analysis import Analysis, Token
from augkit.text.casing import match_case

_PLURALS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "isnt": "arent"}
_SINGULARS = {"are": "is", "were": "was", "have": "has", "do": "does"}
_WISHES = frozenset({"want", "hope", "need", "think", "plan", "refuse", "ask", "say", "know", "like"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_FAR = 40
"""Coordinated verbs after the subject's own that are looked at, at most."""


def verb_changes(analysis: Analysis, subject: Token, *, to_plural: bool) -> list[Change]:
    """The replacements that make the verbs of a subject plural, or singular again."""
    found: dict[int, Change] = {}
    for verb in _verbs(analysis, subject):
        after = plural_form(analysis, verb) if to_plural else singular_form(analysis, verb)
        if after is not None:
            found[verb.start] = Change(verb.start, verb.end, after)
    return list(found.values())


def plural_form(analysis: Analysis, verb: Token) -> str | None:
    """The form that goes with *they*, or None where the verb has one for all."""
    form = verb.text.lower().replace("\u2019", "'")
    if form in {"'s", "s"} and verb.upos in {"AUX", "VERB"}:
        return verb.text[:-1] + ("ve" if _is_have(analysis, verb) else "re")
    if form in _PLURALS:
        return match_case(_PLURALS[form], verb.text)
    if not form.endswith("s") or form.endswith("ss"):
        return None
    base = _base(form)
    return match_case(base, verb.text) if base and base != form else None


def singular_form(analysis: Analysis, verb: Token) -> str | None:
    """The form that goes with *he* or *she*, or None where the verb has one for all."""
    form = verb.text.lower().replace("\u2019", "'")
    if form in {"'re", "'ve"}:
        return verb.text[:-2] + "s"
    if form in _SINGULARS:
        return match_case(_SINGULARS[form], verb.text)
    if verb.xpos not in {"VBP", "VB"} or "VERB" not in word_kinds(form) or _has_helper(analysis, verb):
        return None
    import lemminflect  # type: ignore[import-untyped]  # it has no stubs

    forms = lemminflect.getInflection(form, "VBZ")
    return match_case(forms[0], verb.text) if forms else None


def _has_helper(analysis: Analysis, verb: Token) -> bool:
    helped = analysis.children(verb, "aux", "mark")
    return any(t.upos == "AUX" or t.text.lower() == "to" for t in helped)


def _base(form: str) -> str | None:
    """The base of a third person singular."""
    import lemminflect

    lemmas = lemminflect.getAllLemmas(form).get("VERB") or lemminflect.getAllLemmasOOV(
        form, "VERB"
    ).get("VERB", ())
    return str(lemmas[0]) if lemmas else None


def _is_have(analysis: Analysis, verb: Token) -> bool:
    """Whether 's is *has*: a participle follows that is no passive ("she's finished it")."""
    following = [t for t in analysis.tokens[verb.index + 1 : verb.index + 6]]
    for token in following:
        if token.upos in {"ADV", "PART"} or token.text.lower() in {"n't", "not"}:
            continue
        if token.text.lower() in {"got", "been", "had", "become", "gone", "done", "taken"}:
            return token.text.lower() not in {"gone", "done"} or bool(
                analysis.children(token, "obj")
            )
        participle = token.xpos in {"VBN", "VBD"}
        return participle and bool(analysis.children(token, "obj", "ccomp", "xcomp"))
    return False


def _verbs(analysis: Analysis, subject: Token) -> Iterator[Token]:
    if any(_is_and(analysis, c) for c in analysis.children(subject, "conj")):
        return  # "she and her brother run": plural before and after
    top = subject
    if subject.deprel == "conj":
        if _is_and(analysis, subject):
            return
        top = analysis.head(subject)  # "neither they nor she has": the nearest one agrees
    elif analysis.children(subject, "conj"):
        return
    if not top.is_relation("nsubj", "csubj", "expl"):
        yield from _beside(analysis, subject)
        return
    head = analysis.head(top)
    rivals = [t for t in analysis.children(head, "nsubj") if t.index > top.index]
    if rivals and rivals[0].index < head.index:
        other = _after_insertion(analysis, head)
        if other is not None:
            head = other
    yield from _clauses(analysis, head, top)


def _is_and(analysis: Analysis, conjunct: Token) -> bool:
    return any(t.text.lower() in {"and", "&"} for t in analysis.children(conjunct, "cc"))


def _beside(analysis: Analysis, subject: Token) -> Iterator[Token]:
    """The finite verb next to a pronoun whose role the parse missed: "so does he", "she sings"."""
    for index in (subject.index + 1, subject.index - 1):
        if 0 <= index < len(analysis.tokens):
            token = analysis.tokens[index]
            if token.xpos in {"VBZ", "VBP"} or token.text.lower() in {"was", "were"}:
                yield token
                return


def _after_insertion(analysis: Analysis, head: Token) -> Token | None:
    """ "She, as anyone knows, writes": the finite verb without a subject after the insertion."""
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
            waiting += [
                c
                for c in analysis.children(clause, "conj")
                if c.lemma.lower() in _WISHES and _shares(analysis, c) and c.xpos == "VBZ"
            ]


def _shares(analysis: Analysis, verb: Token) -> bool:
    """Whether a coordinated clause has no subject of its own."""
    if analysis.children(verb, "nsubj", "expl", "csubj"):
        return False
    if verb.deprel == "parataxis":
        return bool(analysis.children(verb, "aux", "cop")) or verb.xpos in {"VBZ", "VBP"}
    return True


def _finite(analysis: Analysis, verb: Token, subject: Token) -> Token | None:
    """The word of a clause that agrees: its first helper, or the verb itself."""
    helpers = [t for t in analysis.children(verb, "aux", "cop") if t.upos in {"AUX", "VERB"}]
    if helpers:
        return helpers[0]
    if verb.xpos in {"VBZ", "VBP", "VB"} or (verb.xpos == "VBD" and verb.text.lower() in {"was", "were"}):
        return verb
    mistaken = verb.xpos in {"NNS", "NNPS", "NNP", "NN"} and "VERB" in word_kinds(verb.text.lower())
    bare = not analysis.children(verb, "det", "amod", "nmod:poss", "case", "cop")
    if mistaken and bare and (verb.deprel == "conj" or subject.head == verb.index):
        return verb
    return None
