"""The main statement of a short text: whom it is about, and what it says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augkit.core.analysis import Analysis, Token

Form = Literal["finite", "participle"]
"""Of a predicate: "is walking home", or "walking home" after a noun ("A man walking home")."""

_GROUPS = frozenset({"group", "crowd", "lot", "couple", "bunch", "pair", "number", "team", "line"})
"""Nouns that say little without what they are of."""
_MODIFIERS_AFTER = ("acl", "nmod", "appos", "punct", "conj", "advcl", "parataxis", "obl", "dep")


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement: its subject, and the predicate as a run of tokens.

    ``verb`` is the main verb, or what is said with "is": "outside" in "They are outside".
    """

    subject: Token
    verb: Token
    predicate: tuple[Token, ...]
    form: Form

    @property
    def start(self) -> int:
        """Where the predicate starts in the text."""
        return self.predicate[0].start

    @property
    def end(self) -> int:
        """Where the predicate ends in the text."""
        return self.predicate[-1].end


def main_clause(analysis: Analysis) -> Clause | None:
    """The statement of the first sentence, where it has the usual order."""
    if not analysis.sentences:
        return None
    sentence = analysis.sentences[0]
    root = next((token for token in sentence if token.is_root), None)
    if root is None:
        return None
    subjects = analysis.children(root, "nsubj")
    if subjects and subjects[0].upos in {"NOUN", "PROPN", "PRON"}:
        return _finite(analysis, sentence, subjects[0], root)
    if root.upos in {"NOUN", "PROPN"}:
        return _participle(analysis, root)
    return None


def _finite(
    analysis: Analysis, sentence: tuple[Token, ...], subject: Token, verb: Token
) -> Clause | None:
    helpers = analysis.children(verb, "aux", "cop")
    first = min((verb, *helpers), key=lambda token: token.index)
    if first.index <= subject.index or not (helpers or verb.upos == "VERB"):
        return None
    run = _without_stop(tuple(token for token in sentence if token.index >= first.index))
    form: Form = "finite" if helpers or verb.xpos != "VBG" else "participle"
    return Clause(subject, verb, run, form) if run and verb in run else None


def _participle(analysis: Analysis, noun: Token) -> Clause | None:
    for verb in analysis.children(noun, "acl"):
        if verb.xpos not in {"VBG", "VBN"} or verb.index < noun.index:
            continue
        tree = analysis.subtree(verb)
        run = _without_stop(tuple(t for t in tree if t.index >= verb.index))
        if run and [t.index for t in run] == list(range(verb.index, verb.index + len(run))):
            return Clause(noun, verb, run, "participle")
    return None


def _without_stop(run: tuple[Token, ...]) -> tuple[Token, ...]:
    while run and run[-1].upos in {"PUNCT", "SYM", "X"}:
        run = run[:-1]
    return run


def bare_noun(analysis: Analysis, noun: Token) -> tuple[Token, ...]:
    """A noun with its determiner, number and compound, without what describes it."""
    kept = {noun, *analysis.children(noun, "det", "nummod", "compound", "nmod:poss")}
    if noun.lemma.lower() in _GROUPS:
        for member in analysis.children(noun, "nmod")[:1]:
            kept |= {*analysis.children(member, "case"), member}
    return tuple(sorted(kept, key=lambda token: token.index))


def plain_noun(analysis: Analysis, noun: Token) -> tuple[Token, ...]:
    """A noun with all that stands before it."""
    before = [
        each
        for child in analysis.children(noun)
        if child.index < noun.index and not child.is_relation(*_MODIFIERS_AFTER)
        for each in analysis.subtree(child)
    ]
    return tuple(sorted({*before, noun}, key=lambda token: token.index))


def text_of(analysis: Analysis, tokens: tuple[Token, ...]) -> str:
    """The tokens as they stand in the text, spaces as there, gaps as one space."""
    pieces: list[str] = []
    for place, token in enumerate(tokens):
        if place:
            before = tokens[place - 1]
            near = token.index == before.index + 1
            pieces.append(analysis.text[before.end : token.start] if near else " ")
        pieces.append(token.text)
    return "".join(pieces)


def short_predicate(analysis: Analysis, clause: Clause) -> tuple[Token, ...]:
    """The predicate up to its object or, where it has none, to its first adverbial."""
    verb = clause.verb
    last = verb.index
    for child in analysis.children(verb, "compound:prt", "advmod", "xcomp"):
        if child.index == last + 1:
            last = child.index
    ends = analysis.children(verb, "obj") or analysis.children(verb, "obl", "advmod", "xcomp")
    after = [child for child in ends if child.index > verb.index]
    if after:
        head = after[0]
        last = max(last, head.index)
        tail = analysis.children(head, "compound", "fixed", "flat")
        last = max([last, *(child.index for child in tail)])
    return tuple(token for token in clause.predicate if token.index <= last)


def several(analysis: Analysis, noun: Token) -> bool:
    """Whether a subject takes a plural verb."""
    if noun.morph.get("Number") == "Plur" or noun.xpos in {"NNS", "NNPS"}:
        return True
    if noun.text.lower() in {"people", "they", "we", "these", "those"}:
        return True
    return any(child.upos in {"NOUN", "PROPN"} for child in analysis.children(noun, "conj"))
