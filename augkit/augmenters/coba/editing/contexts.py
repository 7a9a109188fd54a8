"""What stands around a judging word: a negation that turns it, or what makes it doubtful."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from augkit.core.analysis import Analysis, Token
from augkit.language.negation import negation_words

NEGATORS = negation_words(
    *"particle contraction typographic informal adverb hardly approximate".split(),
    *"correlative conjunction modal determiner pronoun preposition".split(),
)
_LESSENING = frozenset({"less", "least"})
_CARRYING = frozenset(
    "be have find make seem look feel sound get think believe say see offer contain provide become "
    "do consider call appear need want expect prove give deliver bring turn".split()
)
"""Verbs whose negation reaches what follows: "didn't find it funny", "has no good jokes"."""
_UNREAL = frozenset({"could", "should", "would", "might", "may", "'d", "\u2019d", "must", "can"})
_WISHED = frozenset(
    "try attempt want hope expect wish suppose pretend intend need fail aim strive promise claim "
    "struggle think strain".split()
)
_TELLING = frozenset({"see", "say", "find", "tell"})
"""Verbs whose "can" leaves nothing open: "one can see that it is brilliant"."""
_SEEMING = frozenset({"seem", "feel", "look", "sound", "come", "play"})
"""Verbs after which "like" says what something is."""
_FIRST = frozenset({"i", "we"})
"""Whose thinking is a judgement: "I think it is good", not "they think they are good"."""
_DENYING = frozenset({("far", "from"), ("anything", "but"), ("nowhere", "near")})
_CONDITIONS = frozenset({"if", "unless", "whether", "until", "though", "although", "despite"})
_FARTHEST = 6


@dataclass(frozen=True, slots=True)
class Context:
    """What turns a judgement (``negators``, or "less"), and what makes it doubtful."""

    negators: tuple[Token, ...] = ()
    lessening: Token | None = None
    doubts: tuple[str, ...] = ()

    @property
    def turns(self) -> bool:
        """Whether it says the opposite of the word alone."""
        return (len(self.negators) + (self.lessening is not None)) % 2 == 1


def context_of(analysis: Analysis, token: Token) -> Context:
    """The context of a judging word in its clause."""
    heads = list(_heads(analysis, token))
    near = [*heads, *analysis.children(token, "advmod")]  # "not so good": of "so"
    children = {t.index: t for head in near for t in analysis.children(head) if _reaches(t, token)}
    negators = tuple(
        t for t in sorted(children.values(), key=lambda t: t.index) if _negates(analysis, t)
    )
    negators += tuple(
        t for t in heads[1:] if t.text.lower() in negation_words("pronoun") and t not in negators
    )
    lessening = next(
        (t for t in analysis.children(token, "advmod") if t.text.lower() in _LESSENING), None
    )
    doubts = tuple(dict.fromkeys(_doubts(analysis, token, heads)))
    return Context(negators, lessening, doubts)


def _heads(analysis: Analysis, token: Token) -> Iterator[Token]:
    """The words up to the predicate of the clause, as far as a negation there reaches the word."""
    yield token
    for _ in range(_FARTHEST):
        head = analysis.head(token)
        if token.is_root:
            return
        carried = head.lemma.lower() in _CARRYING or head.upos == "AUX"
        if (
            token.is_relation("amod", "advmod", "compound", "flat", "nmod")
            or (token.is_relation("obj", "xcomp", "ccomp", "obl", "attr") and carried)
            or (token.is_relation("xcomp") and head.lemma.lower() in _WISHED)
            or (token.is_relation("nsubj") and bool(analysis.children(head, "expl")))
        ):
            yield head
            token = head
        elif token.is_relation("conj") and not analysis.children(token, "nsubj"):
            token = head
            yield head
        else:
            return


def _reaches(child: Token, token: Token) -> bool:
    """Negations stand before what they negate; of a coordination the first part's reaches on."""
    return child.index < token.index or child.head == token.index


def _negates(analysis: Analysis, token: Token) -> bool:
    small = token.text.lower()
    if small not in NEGATORS or not token.is_relation(
        "advmod", "det", "case", "cc", "aux", "mark", "nsubj", "obj", "amod"
    ):
        return False
    after = (
        analysis.tokens[token.index + 1].text.lower()
        if token.index + 1 < len(analysis.tokens)
        else ""
    )
    return after not in {"only", "just", "doubt", "wonder", "matter", "other", "until", "to"}


def _doubts(analysis: Analysis, token: Token, heads: list[Token]) -> Iterator[str]:
    sentence = (
        analysis.sentences[token.sentence] if token.sentence < len(analysis.sentences) else ()
    )
    if sentence and sentence[-1].text == "?":
        yield "question"
    before = [t.text.lower() for t in analysis.tokens[max(0, token.index - 4) : token.index]]
    if too_before(analysis, token) is not None:
        yield "too"
    if _is_said_of_clause(analysis, token):
        yield "expletive"
    if {"supposedly", "supposed"} & set(before) or _DENYING & set(pairwise(before)):
        yield "far from"
    for head in heads:
        yield from _doubts_above(analysis, token, head)


def _doubts_above(analysis: Analysis, token: Token, head: Token) -> Iterator[str]:
    """What a word on the way up to the predicate makes doubtful."""
    small = {t.text.lower() for t in analysis.children(head, "aux")}
    if head.lemma.lower() in _TELLING:
        small -= {"can"}
    if small & _UNREAL and any(t.index < token.index for t in analysis.children(head, "aux")):
        yield "unreal"
    if {t.text.lower() for t in analysis.children(head, "mark")} & _CONDITIONS:
        yield "condition"
    case = {t.text.lower() for t in analysis.children(head, "case")} & {"like", "than"}
    if case and (case != {"like"} or analysis.head(head).lemma.lower() not in _SEEMING):
        yield "comparison"
    if head.index != token.index and _is_wished(analysis, head):
        yield "wished"


def _is_wished(analysis: Analysis, head: Token) -> bool:
    """Whether a verb says that something is wanted or believed, and not by the writer."""
    if head.upos != "VERB" or head.lemma.lower() not in _WISHED:
        return False
    who = {t.text.lower() for t in analysis.children(head, "nsubj")}
    return head.lemma.lower() != "think" or not who & _FIRST


def too_before(analysis: Analysis, token: Token) -> Token | None:
    """The "too" that stands before a word and means an excess; "great too" has none."""
    excess = (t for t in analysis.children(token, "advmod") if t.text.lower() == "too")
    return next((t for t in excess if t.index < token.index), None)


def _is_said_of_clause(analysis: Analysis, token: Token) -> bool:
    """Whether a clause is judged, or told as the consequence: "it is sad that", "so bad that"."""
    if token.xpos in {"VBD", "VBP", "VBZ"} or not analysis.children(token, "csubj", "ccomp"):
        return False
    about = {t.text.lower() for t in analysis.children(token, "expl", "nsubj", "advmod")}
    return bool(about & {"it", "that", "this", "so"})
