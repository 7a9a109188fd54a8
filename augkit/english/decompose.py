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
from dataclasses import dataclass, replace
from typing import NamedTuple

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Span
from augkit.english.clauses import is_plural_subject, subject
from augkit.english.morphology import can_be
from augkit.english.negation import negation_words
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.load import word_group
from augkit.lexicons.taxonomy import taxonomy

_CLAUSAL_RELATIONS = tuple("root ccomp advcl acl parataxis csubj conj list dep reparandum".split())
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_OUTER = frozenset({"nsubj:outer", "csubj:outer"})
_VERBS = frozenset({"VERB", "AUX"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_JOINING = frozenset("of 's \u2019s ' to into onto toward towards as than per".split())
"""After a noun that is no statement without the rest: "a group of people", "a letter to him"."""
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

    ``implied`` is a word before them that the text leaves out: the "is" of "a man in a hat".
    """

    text: str = ""
    spans: tuple[Span, ...] = ()
    implied: str = ""


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


class _Parts(NamedTuple):
    """The words of a triple, and the form of "be" before its predicate that the text implies."""

    subject: Sequence[Token]
    predicate: Sequence[Token]
    object: Sequence[Token]
    implied: str = ""


def decompose(analysis: Analysis, field: str = "text", first: int = 1) -> tuple[Triple, ...]:
    """The triples of a text, in the order of their predicates; ids count from ``first``."""
    analysis = _with_main_verbs(analysis)
    parts_at: list[tuple[int, _Parts]] = []
    for head in analysis.tokens:
        if _heads_clause(analysis, head):
            parts_at += [(head.index, parts) for parts in _clause(analysis, head)]
        elif _is_stated_apart(analysis, head):
            parts_at.append((head.index, _modifier(analysis, head)))
    subjects = {token.index for _, parts in parts_at for token in parts.subject}
    parts_at = [  # a noun alone says nothing that a triple about it does not say
        (index, parts)
        for index, parts in parts_at
        if parts.subject
        or parts.predicate
        or not subjects.issuperset(t.index for t in parts.object)
    ]
    covered = {t.index for _, parts in parts_at for part in parts[:3] for t in part}
    parts_at += _rest(analysis, covered)
    parts_at.sort(key=lambda pair: pair[0])
    return tuple(
        Triple(
            number,
            _element(analysis, parts.subject),
            _element(analysis, parts.predicate, parts.implied),
            _element(analysis, parts.object),
            field,
            analysis.tokens[index].sentence,
        )
        for number, (index, parts) in enumerate(parts_at, first)
    )


def _with_main_verbs(analysis: Analysis) -> Analysis:
    """The parse with main verbs that the parser took for one more noun of a list.

    "Two women, holding bags, hug" has no verb but the participle between the commas then, and "hug"
    is a conjunct, without "and", of the noun before it.
    """
    corrected = {}
    for verb in analysis.tokens:
        if verb.deprel == "conj" and _is_verb_after_comma(analysis, verb):
            noun = _noun_of_participle(analysis, verb)
            if noun is not None:
                corrected[noun.index] = replace(noun, head=verb.index, deprel="nsubj")
                corrected[verb.index] = replace(verb, head=verb.index, deprel="root", upos="VERB")
    if not corrected:
        return analysis
    return Analysis(analysis.text, tuple(corrected.get(t.index, t) for t in analysis.tokens))


def _noun_of_participle(analysis: Analysis, conjunct: Token) -> Token | None:
    """The root where it is a noun, and the conjunct hangs on it or on a participle after comma."""
    passed = {conjunct.head}
    root = analysis.head(conjunct)
    while not root.is_root:
        root = analysis.head(root)
        passed.add(root.index)
    if root.upos not in {"NOUN", "PROPN"} or analysis.children(root, "cop"):
        return None
    participles = [
        t
        for t in analysis.children(root, "acl")
        if t.index < conjunct.index and analysis.word_at(t.index - 1) == ","
    ]
    inside = conjunct.head == root.index or any(t.index in passed for t in participles)
    return root if participles and inside else None


def _is_verb_after_comma(analysis: Analysis, word: Token) -> bool:
    """Whether a conjunct can be a verb and has nothing that a noun has: "and", an article."""
    return (
        analysis.word_at(word.index - 1) == ","
        and can_be(word.text.lower(), "VERB")
        and not analysis.children(word, "cc", "det", "amod", "compound", "nummod", "case", "nsubj")
    )


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
    """Whether a complement is part of its head's predicate: "wants to see", "is about to see".

    "To leave" of "asked him to leave" is not.
    """
    head = analysis.head(token)
    if head.upos not in _VERBS:
        return token.upos == "VERB" and bool(analysis.children(head, "cop"))
    if analysis.children(head, "obj", "iobj"):
        return False
    return token.upos in _VERBS or bool(analysis.children(token, "cop"))


def _clause(analysis: Analysis, head: Token) -> Iterator[_Parts]:
    about = _about(analysis, head)
    if outer := [t for t in analysis.children(head, "nsubj", "csubj") if t.deprel in _OUTER]:
        yield from _clause_as_predicate(analysis, outer[0], head)
    elif head.upos in _VERBS and not analysis.children(head, "cop"):
        yield from _verbal(analysis, head, about)
    elif analysis.children(head, "cop", "aux", "nsubj"):
        words = _function_words(analysis, head)
        actions = [t for t in analysis.children(head, "xcomp") if _is_merged(analysis, t)]
        for action in actions:
            before = [*words, *_phrase(analysis, head)]
            for parts in _verbal(analysis, action, about):
                yield parts._replace(predicate=[*before, *parts.predicate], implied="")
        if not actions:
            yield _Parts(about, words, _short(_phrase(analysis, head, case=True), words))
        for oblique in analysis.children(head, "obl"):
            complement = [*words, *_phrase(analysis, head)]
            yield _Parts(about, complement, _phrase(analysis, oblique, case=True))
    else:
        yield from _fragment(analysis, head)


def _about(analysis: Analysis, head: Token) -> list[Token]:
    """The subject of a clause with its modifiers; what a fragment states of it is left out."""
    about = _subject_of(analysis, head)
    if about is None or about.index == head.index:
        return []
    words = _phrase(analysis, about)
    if about.is_root and not analysis.children(about, "cop", "nsubj"):
        return _bare(analysis, about, words)
    return words


def _subject_of(analysis: Analysis, head: Token) -> Token | None:
    """The subject, explicit or understood; of a participle the person who does it.

    "A woman walks across the street eating a banana": a parser has the participle describe the noun
    before it, which eats nothing.
    """
    about = subject(analysis, head) or next(_other_subjects(analysis, head), None)
    if about is None or analysis.children(head, "nsubj") or not _is_done_by_people(head):
        return about
    if not head.is_relation("acl", "xcomp", "advcl"):
        return about
    if _is_animate(about) and about.is_relation("conj") and head.is_relation("acl"):
        first = analysis.head(about)
        joint = _is_animate(first) and not analysis.children(first, "acl")
        return first if joint else about
    if about.upos not in {"NOUN", "PROPN"} or _is_animate(about) or _can_move(about):
        return about
    return next((noun for noun in _nouns_above(analysis, about) if _is_animate(noun)), about)


def _is_done_by_people(participle: Token) -> bool:
    if participle.xpos == "VBG":
        return participle.lemma.lower() not in word_group("grammar", "verbs_of_things")
    return participle.text.lower() in word_group("grammar", "participles_of_people")


def _is_animate(noun: Token) -> bool:
    """Whether a word names a person, people or an animal; a name may."""
    if noun.upos in {"PRON", "NUM"} or (noun.upos == "PROPN" and noun.text[:1].isupper()):
        return noun.text.lower() not in word_group("grammar", "pronouns_of_things")
    names = {noun.text.lower(), noun.lemma.lower()}
    return any(is_person_word(n) or taxonomy().holds_of("animal", n, "noun") for n in names)


def _can_move(noun: Token) -> bool:
    return taxonomy().holds_of("vehicle", noun.lemma.lower(), "noun")


def _nouns_above(analysis: Analysis, noun: Token) -> Iterator[Token]:
    """The nouns that a noun modifies, and the subjects of the verbs that it is a complement of."""
    seen = {noun.index}
    while noun.is_relation("nmod", "conj", "obl", "obj") and not noun.is_root:
        above = analysis.head(noun)
        if above.upos in _VERBS:
            above = _subject_of(analysis, above) or above
        if above.index in seen:
            return
        seen.add(above.index)
        noun = above
        yield noun


def _form_of_be(analysis: Analysis, about: Token | None) -> str:
    if about is None:
        return "is"
    word = about.text.lower()
    if word == "i":
        return "am"
    plural = word == "you" or (about.upos == "NUM" and word not in {"one", "1"})
    return "are" if plural or is_plural_subject(analysis, about) else "is"


def _is_stated_apart(analysis: Analysis, token: Token) -> bool:
    """Whether a modifier is a statement: "in a hat" of "a man in a hat", not "of people"."""
    return (
        token.deprel == "nmod"
        and token.index > token.head
        and {token.upos, analysis.head(token).upos} <= _NOMINAL
        and token.text.lower() != "all"
        and any(case.text.lower() not in _JOINING for case in analysis.children(token, "case"))
    )


def _modifier(analysis: Analysis, token: Token) -> _Parts:
    noun = analysis.head(token)
    linking = [
        word
        for case in analysis.children(token, "case")
        for word in (case, *analysis.children(case, "fixed"))
    ]
    be = _form_of_be(analysis, noun)
    return _Parts(_phrase(analysis, noun), linking, _phrase(analysis, token), be)


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
    be = _implied_be(analysis, head, predicate) if about else ""
    if not objects and not obliques:
        yield _Parts(about, predicate, [], be)
    for complement in (*objects, *obliques):
        words = _function_words(analysis, complement) if complement.deprel == "xcomp" else []
        phrase = _short(_phrase(analysis, complement, case=True), words)
        yield _Parts(about, [*predicate, *words], phrase, be)
    for complement in objects or obliques:
        inside = {t.index for t in _phrase(analysis, complement)}
        for conjunct in analysis.children(complement, "conj"):
            if conjunct.index not in inside and not _heads_clause(analysis, conjunct):
                yield _Parts(about, predicate, _phrase(analysis, conjunct), be)


def _implied_be(analysis: Analysis, verb: Token, predicate: Sequence[Token]) -> str:
    """The "is" of "a man eating a banana"; "" where the verb is finite or has an auxiliary."""
    passive = verb.is_relation("acl") and not analysis.children(verb, "obj")
    participles = {"VBG", "VBN"} if passive else {"VBG"}
    helped = any(
        t.upos == "AUX" or t.text.lower() == "to" for t in predicate if t.index < verb.index
    )
    marks = [mark for mark in analysis.children(verb, "mark") if mark.text.lower() != "while"]
    if verb.xpos not in participles or helped or marks:
        return ""
    return _form_of_be(analysis, _subject_of(analysis, verb))


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
    for conjunct in analysis.children(head, "conj"):
        if conjunct in about:
            yield _Parts([], [], _phrase(analysis, conjunct))
            about = [
                t for t in about if t.index < conjunct.index and t not in analysis.subtree(conjunct)
            ]
    bare = _bare(analysis, head, about)
    yield _Parts(bare, [], _short(about, bare), _form_of_be(analysis, head))


def _bare(analysis: Analysis, noun: Token, words: Sequence[Token]) -> list[Token]:
    """The words of a noun phrase without the adjectives of the noun and what hangs on them."""
    qualities = [t for t in analysis.children(noun, "amod") if t in words]
    return _short(words, [t for quality in qualities for t in analysis.subtree(quality)])


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
        about = []
        if not top.is_relation("nsubj"):  # a second subject says nothing about the verb
            about = _short(_phrase(analysis, analysis.head(top)), [*words, *linking])
        covered.update(t.index for t in words)
        modifies = top.is_relation("appos", "amod", "acl") and not linking
        be = _form_of_be(analysis, analysis.head(top)) if modifies else ""
        yield top.index, _Parts(about, linking, words, be)


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
        if _is_stated_apart(analysis, child):
            continue
        more = _whole(analysis, child)
        if more and child.index > head.index and _count(tokens) + _count(more) <= LONGEST:
            tokens += more
    tokens.sort(key=lambda t: t.index)
    while len(tokens) > LONGEST:  # those nearest to the head stay
        first = tokens[0]
        last = tokens[-1]
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
    """A modifier with its preposition or "and", without clauses; nothing where it is one."""
    if head.deprel == "conj" and _heads_clause(analysis, head):
        return []
    apart = {
        token.index
        for part in analysis.subtree(head)
        if part.index != head.index
        and (part.is_relation(*_CLAUSAL) or _is_stated_apart(analysis, part))
        for token in analysis.subtree(part)
    }
    tokens = [t for t in analysis.subtree(head) if t.index not in apart]
    return [t for t in tokens if t.upos != "PUNCT" or t.text in _JOINERS | {","}]


def _count(tokens: Iterable[Token]) -> int:
    return sum(t.upos != "PUNCT" for t in tokens)


def _element(analysis: Analysis, tokens: Sequence[Token], implied: str = "") -> Element:
    """The words as written, with the span of each unbroken run, after what is implied."""
    runs: list[list[Token]] = []
    for token in sorted({t.index: t for t in tokens}.values(), key=lambda t: t.index):
        if runs and runs[-1][-1].index == token.index - 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    spans = tuple(Span(run[0].start, run[-1].end) for run in runs)
    written = " ".join(analysis.text[span.start : span.end] for span in spans)
    return Element(" ".join(f"{implied} {written}".split()), spans, implied)
