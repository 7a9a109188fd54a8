"""From a dependency parse to triples: one or more for each clause, modifier and fragment.

>>> from augkit.english.parser import SpacyParser
>>> [analysis] = SpacyParser().parse(["The cast was superb and I loved the ending."])
>>> for triple in decompose(analysis):
...     print(" | ".join(element.text for element in triple.elements))
The cast | was | superb
I | loved | the ending
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Span
from augkit.english.clauses import subject
from augkit.english.negation import negation_words

_CLAUSAL_RELATIONS = tuple("root ccomp advcl acl parataxis csubj conj list dep reparandum".split())
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_OUTER = frozenset({"nsubj:outer", "csubj:outer"})
_VERBS = frozenset({"VERB", "AUX"})
LONGEST = 12
"""The most words of an element."""
_CORE = frozenset(
    "det amod compound nummod nmod:poss flat fixed advmod goeswith cc:preconj nmod:unmarked "
    "obl:unmarked case punct".split()
)
_CLAUSAL = ("acl", "advcl", "ccomp", "csubj", "parataxis", "appos", "nsubj", "cop", "aux", "mark")
_JOINERS = frozenset({"-", "/", "'", "\u2019", "&"})
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Element:
    """A subject, predicate or object: its words, and their spans in the source text.

    ``spans`` is empty for an implicit element: the "is" of an apposition.
    """

    text: str = ""
    spans: tuple[Span, ...] = ()


NONE = Element()
"""No object: "She laughed"."""


@dataclass(frozen=True, slots=True)
class Triple:
    """One statement of a text. ``id`` counts from 1 within an example, over all its fields."""

    id: int
    subject: Element
    predicate: Element
    object: Element = NONE
    field: str = "text"
    sentence: int = 0

    @property
    def elements(self) -> tuple[Element, Element, Element]:
        """Subject, predicate, object."""
        return self.subject, self.predicate, self.object

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of its words, in order."""
        return tuple(sorted({span for element in self.elements for span in element.spans}))


_IMPLICIT_IS = Element("is")


class _Parts(NamedTuple):
    """The words of a triple."""

    subject: Sequence[Token]
    predicate: Sequence[Token]
    object: Sequence[Token]
    is_explicit: bool = True


def decompose(analysis: Analysis, field: str = "text", first: int = 1) -> tuple[Triple, ...]:
    """The triples of a text, in the order of their predicates; ids count from ``first``."""
    parts_at: list[tuple[int, _Parts]] = []
    covered: set[int] = set()
    for head in analysis.tokens:
        if _heads_clause(analysis, head):
            parts_at += [(head.index, parts) for parts in _clause(analysis, head)]
    for _, parts in parts_at:
        covered.update(token.index for part in parts[:3] for token in part)
    parts_at += _rest(analysis, covered)
    parts_at.sort(key=lambda pair: pair[0])
    triples = []
    for number, (index, parts) in enumerate(parts_at, first):
        about, predicate, object_ = (
            _element(analysis, tokens) if tokens else NONE for tokens in parts[:3]
        )
        predicate = predicate if parts.is_explicit else _IMPLICIT_IS
        sentence = analysis.tokens[index].sentence
        triples.append(Triple(number, about, predicate, object_, field, sentence))
    return tuple(triples)


def _heads_clause(analysis: Analysis, token: Token) -> bool:
    if token.upos == "PUNCT" or token.is_relation("aux", "cop"):
        return False
    if token.is_root or analysis.children(token, "cop", "aux", "nsubj", "csubj"):
        return not (token.deprel == "xcomp" and _is_merged(analysis, token))
    if token.deprel == "xcomp":
        return token.upos == "VERB" and not _is_merged(analysis, token)
    if token.upos not in _VERBS:
        return False
    return token.is_relation(*_CLAUSAL_RELATIONS)


def _is_merged(analysis: Analysis, token: Token) -> bool:
    """Whether a verb is part of its head's predicate: "wants to see", not "asked him to leave"."""
    head = analysis.head(token)
    if token.upos not in _VERBS or head.upos not in _VERBS:
        return False
    return not analysis.children(head, "obj", "iobj")


def _clause(analysis: Analysis, head: Token) -> Iterator[_Parts]:
    subject_word = subject(analysis, head) or next(_other_subjects(analysis, head), None)
    about = (
        _phrase(analysis, subject_word)
        if subject_word is not None and subject_word.index != head.index
        else []
    )
    if outer := [t for t in analysis.children(head, "nsubj", "csubj") if t.deprel in _OUTER]:
        yield from _clause_as_predicate(analysis, outer[0], head)
    elif head.upos in _VERBS and not analysis.children(head, "cop"):
        yield from _verbal(analysis, head, about)
    elif analysis.children(head, "cop", "aux", "nsubj"):
        words = _function_words(analysis, head)
        yield _Parts(about, words, _short(_phrase(analysis, head, case=True), words))
        for oblique in analysis.children(head, "obl"):
            linking = analysis.children(oblique, "case")
            yield _Parts(_phrase(analysis, head), linking, _phrase(analysis, oblique))
    else:
        yield from _fragment(analysis, head)


def _other_subjects(analysis: Analysis, head: Token) -> Iterator[Token]:
    """Expletives, and subjects attached to an auxiliary: "The studio should have hidden it"."""
    yield from analysis.children(head, "expl")
    for verb in analysis.children(head, "aux"):
        yield from analysis.children(verb, "nsubj")


def _verbal(analysis: Analysis, head: Token, about: Sequence[Token]) -> Iterator[_Parts]:
    verbs = list(_verbs(analysis, head))
    predicate = [t for verb in verbs for t in (verb, *_function_words(analysis, verb))]
    predicate = sorted({t.index: t for t in predicate}.values(), key=lambda t: t.index)[:LONGEST]
    objects = [
        o
        for verb in verbs
        for o in analysis.children(verb, "obj", "iobj", "xcomp")
        if o not in verbs
    ]
    objects = [o for o in objects if not (o.upos == "VERB" and o.deprel == "xcomp")]
    obliques = [o for verb in verbs for o in analysis.children(verb, "obl")]
    for complement in [*objects, *(obliques if not objects else ())][:1] or [None]:
        yield _Parts(
            about, predicate, _phrase(analysis, complement, case=True) if complement else []
        )
    further = (objects[1:], obliques) if objects else (obliques[1:],)
    for complement in (o for tokens in further for o in tokens):
        yield _Parts(about, predicate, _phrase(analysis, complement, case=True))
    for complement in objects or obliques:
        inside = {t.index for t in _phrase(analysis, complement)}
        for conjunct in analysis.children(complement, "conj"):
            if conjunct.index not in inside and not _heads_clause(analysis, conjunct):
                yield _Parts(about, predicate, _phrase(analysis, conjunct))


def _clause_as_predicate(analysis: Analysis, outer: Token, head: Token) -> Iterator[_Parts]:
    """Both clauses of "the problem is that it lacks focus", which have one head."""
    inner = [t for t in analysis.children(head, "nsubj", "csubj") if t.deprel not in _OUTER]
    clause = list(_verbal(analysis, head, _phrase(analysis, inner[0]) if inner else []))
    words = {t.index: t for part in clause[0][:3] for t in part}
    inside = [words[index] for index in sorted(words)][:LONGEST]
    yield _Parts(_phrase(analysis, outer), analysis.children(head, "cop"), inside)
    yield from clause


def _verbs(analysis: Analysis, head: Token) -> Iterator[Token]:
    """The verb and those merged with it: wants, to see."""
    yield head
    for child in analysis.children(head, "xcomp")[:1]:
        if child.upos in _VERBS and _is_merged(analysis, child):
            yield from _verbs(analysis, child)


def _function_words(analysis: Analysis, head: Token) -> list[Token]:
    """Auxiliaries, copula, "not", particles, "to" and the adverbs of a predicate."""
    helping = analysis.children(head, "aux")
    words = [*helping, *analysis.children(head, "compound:prt")]
    words += [t for verb in helping for t in analysis.children(verb, "aux")]
    if not any(t.deprel in _OUTER for t in analysis.children(head)):
        words += analysis.children(head, "cop")
    words += [t for t in analysis.children(head, "mark") if t.text.lower() == "to"]
    if head.upos in _VERBS:
        for adverb in analysis.children(head, "advmod"):
            words += [adverb, *analysis.children(adverb, "advmod")]
    else:
        words += [
            t
            for t in analysis.children(head, "advmod")
            if t.text.lower() in negation_words("particle", "contraction", "adverb")
        ]
    return words


def _fragment(analysis: Analysis, head: Token) -> Iterator[_Parts]:
    """Text without a verb: "A gripping film" is (film, is, gripping); "Boring" an object alone."""
    about = _phrase(analysis, head)
    qualities = [t for t in analysis.children(head, "amod") if t in about]
    if head.upos not in {"NOUN", "PROPN", "PRON"} or not qualities:
        yield _Parts([], [], about)
        return
    inside = {t.index for quality in qualities for t in analysis.subtree(quality)}
    for conjunct in analysis.children(head, "conj"):
        if conjunct in about:
            yield _Parts([], [], _phrase(analysis, conjunct))
            about = [
                t for t in about if t.index < conjunct.index and t not in analysis.subtree(conjunct)
            ]
    bare = [t for t in about if t.index not in inside]
    qualified = [t for t in about if t.index in inside]
    yield _Parts(bare, [], qualified, is_explicit=False)


def _rest(analysis: Analysis, covered: set[int]) -> Iterator[tuple[int, _Parts]]:
    """Triples for the content words that no clause covers: modifiers, asides, long lists."""
    for token in analysis.tokens:
        if token.index in covered or token.upos not in _CONTENT:
            continue
        top = token
        while (
            not top.is_root
            and analysis.head(top).index not in covered
            and analysis.head(top).upos in _CONTENT
        ):
            top = analysis.head(top)
        words = _phrase(analysis, top)
        if token not in words:
            words = _phrase(analysis, token)
        linking = [t for t in analysis.children(top, "case", "mark", "cc") if t not in words]
        about = _short(_phrase(analysis, analysis.head(top)), [*words, *linking])
        covered.update(t.index for t in words)
        modifies = top.is_relation("appos", "amod", "acl")
        yield top.index, _Parts(about, linking, words, is_explicit=bool(linking) or not modifies)


def _short(tokens: Sequence[Token], without: Sequence[Token]) -> list[Token]:
    taken = {t.index for t in without}
    return [t for t in tokens if t.index not in taken]


def _phrase(analysis: Analysis, head: Token, *, case: bool = False) -> list[Token]:
    """A noun, adjective or adverb with what modifies it, in order; clauses are left out.

    "The cast of the film", not "the cast that I had never heard of": at most ``LONGEST`` words.
    With ``case`` the preposition before it is part of it.
    """
    tokens = _core(analysis, head, 0, case=case)
    for child in analysis.children(head, "nmod", "conj"):
        more = _whole(analysis, child)
        if more and child.index > head.index and _count(tokens) + _count(more) <= LONGEST:
            tokens += more
    tokens.sort(key=lambda t: t.index)
    while len(tokens) > LONGEST:  # those nearest to the head stay
        first, last = tokens[0], tokens[-1]
        tokens = tokens[1:] if head.index - first.index > last.index - head.index else tokens[:-1]
    return tokens


def _core(analysis: Analysis, head: Token, depth: int, *, case: bool = False) -> list[Token]:
    tokens = [head]
    if depth >= _DEEPEST:
        return tokens
    for child in analysis.children(head):
        if child.deprel == "case" and not (case or child.index > head.index):
            continue
        if child.deprel == "punct" and not _joins(analysis, child):
            continue
        if child.deprel in _CORE or child.is_relation("det", "compound"):
            tokens += _core(analysis, child, depth + 1)
            tokens += [
                token
                for conjunct in analysis.children(child, "conj")
                if child.is_relation("amod")
                for token in (
                    *analysis.children(conjunct, "cc"),
                    *_core(analysis, conjunct, depth + 1),
                )
            ]
    return tokens


def _joins(analysis: Analysis, sign: Token) -> bool:
    """Whether a sign makes one word of two: the hyphen of "foot-dragging"."""
    around = analysis.text[max(0, sign.start - 1) : sign.end + 1]
    return sign.text in _JOINERS and " " not in around


def _whole(analysis: Analysis, head: Token) -> list[Token]:
    """A modifier with its preposition or "and"; nothing where a clause is inside."""
    tokens = analysis.subtree(head)
    if any(t.is_relation(*_CLAUSAL) for t in tokens if t.index != head.index):
        return []
    return [t for t in tokens if t.upos != "PUNCT" or t.text in _JOINERS | {","}]


def _count(tokens: Iterable[Token]) -> int:
    return sum(t.upos != "PUNCT" for t in tokens)


def _element(analysis: Analysis, tokens: Sequence[Token]) -> Element:
    """The words as written, with the span of each unbroken run."""
    runs: list[list[Token]] = []
    for token in sorted({t.index: t for t in tokens}.values(), key=lambda t: t.index):
        if runs and runs[-1][-1].index == token.index - 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    spans = tuple(Span(run[0].start, run[-1].end) for run in runs)
    written = " ".join(analysis.text[span.start : span.end] for span in spans)
    return Element(" ".join(written.split()), spans)
