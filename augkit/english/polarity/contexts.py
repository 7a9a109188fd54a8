"""The context of an evaluative word: what reverses it or makes it unclear, and what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from augkit.core.analysis import Analysis, Token
from augkit.english.clauses import subject
from augkit.english.negation import negation_words
from augkit.lexicons.demographics.person_words import person_nouns
from augkit.lexicons.evaluative import Entry, judged
from augkit.lexicons.load import word_group

NEGATORS = negation_words(
    *"particle contraction typographic informal adverb hardly approximate".split(),
    *"correlative conjunction modal determiner pronoun preposition".split(),
)
_LESSENING = frozenset({"less", "least"})
context_words = partial(word_group, "polarity_contexts")
"""One of the word lists of the rules of polarity, by its name."""
_TRANSPARENT = context_words("transparent_verbs")
_NONFACTIVE = context_words("nonfactive_verbs")
_FIRST_PERSON = frozenset({"i", "we"})
"""Their thinking is an evaluation: "I think it is good", not "they think they are good"."""
_MAX_HEADS = 6
_CONDITIONAL = frozenset({"would", "'d", "\u2019d"})
_EXPERIENCERS = context_words("experiencers")
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})


@dataclass(frozen=True, slots=True)
class PolarityContext:
    """What reverses an evaluative word (``negators``, or "less"), and what makes it unclear."""

    negators: tuple[Token, ...] = ()
    lessening: Token | None = None
    doubts: tuple[str, ...] = ()

    @property
    def is_reversed(self) -> bool:
        """Whether the word with its context means the opposite of the word alone."""
        return (len(self.negators) + (self.lessening is not None)) % 2 == 1


def context_of(analysis: Analysis, token: Token) -> PolarityContext:
    """The context of an evaluative word in its clause."""
    heads = list(_heads(analysis, token))
    near = [*heads, *analysis.children(token, "advmod")]  # "not so good": of "so"
    # A negation precedes the word; in a coordination that of the first part counts.
    children = {t.index: t for head in near for t in analysis.children(head)}
    reaching = [t for n, t in sorted(children.items()) if n < token.index or t.head == token.index]
    negators = [t for t in reaching if _negates(analysis, t)]
    pronouns = [t for t in heads[1:] if t.text.lower() in negation_words("pronoun")]
    negators += [t for t in pronouns if t not in negators]
    lessening = next(
        (t for t in analysis.children(token, "advmod") if t.text.lower() in _LESSENING), None
    )
    doubts = tuple(dict.fromkeys(_doubts(analysis, token, heads)))
    return PolarityContext(tuple(negators), lessening, doubts)


def _heads(analysis: Analysis, token: Token) -> Iterator[Token]:
    """The words up to the predicate of the clause, as far as a negation there has scope."""
    yield token
    for _ in range(_MAX_HEADS):
        head = analysis.head(token)
        if token.is_root:
            return
        carried = head.lemma.lower() in _TRANSPARENT
        if (
            token.is_relation("amod", "advmod", "compound", "flat", "nmod")
            or (token.is_relation("obj", "xcomp", "ccomp", "obl") and carried)
            or (token.is_relation("xcomp") and head.lemma.lower() in _NONFACTIVE)
            or (token.is_relation("nsubj") and bool(analysis.children(head, "expl")))
        ):
            yield head
            token = head
        elif token.is_relation("conj") and not analysis.children(token, "nsubj"):
            token = head
            yield head
        else:
            return


def _negates(analysis: Analysis, token: Token) -> bool:
    if token.text.lower() not in NEGATORS or not token.is_relation(
        "advmod", "det", "case", "cc", "mark", "nsubj", "obj", "amod"
    ):
        return False
    return analysis.word_at(token.index + 1) not in context_words("not_negating_before")


def _doubts(analysis: Analysis, token: Token, heads: list[Token]) -> Iterator[str]:
    if analysis.sentences[token.sentence][-1].text == "?":
        yield "question"
    excess = [t for t in analysis.children(token, "advmod") if t.text.lower() == "too"]
    if any(t.index < token.index for t in excess):  # "great too" has none
        yield "too"
    if _evaluates_clause(analysis, token):
        yield "expletive"
    for head in heads:
        yield from _doubts_above(analysis, token, head)


def _doubts_above(analysis: Analysis, token: Token, head: Token) -> Iterator[str]:
    """What a word between the evaluative word and the predicate makes unclear."""
    auxiliaries = {t.text.lower() for t in analysis.children(head, "aux")}
    if head.lemma.lower() in context_words("evidence_verbs"):
        auxiliaries -= {"can"}
    if auxiliaries & context_words("modals") and any(
        t.index < token.index for t in analysis.children(head, "aux")
    ):
        yield "hypothetical"
    if {t.text.lower() for t in analysis.children(head, "mark")} & context_words("conditions"):
        yield "condition"
    case = {t.text.lower() for t in analysis.children(head, "case")} & {"like", "than"}
    if case and (
        case != {"like"} or analysis.head(head).lemma.lower() not in context_words("seeming_verbs")
    ):
        yield "comparison"
    if head.index != token.index and _is_nonfactive(analysis, head):
        yield "not factive"


def _is_nonfactive(analysis: Analysis, head: Token) -> bool:
    """Whether a verb says that something is wanted or believed, and not by the writer."""
    if head.upos != "VERB" or head.lemma.lower() not in _NONFACTIVE:
        return False
    subjects = {t.text.lower() for t in analysis.children(head, "nsubj")}
    return head.lemma.lower() != "think" or not subjects & _FIRST_PERSON


def _evaluates_clause(analysis: Analysis, token: Token) -> bool:
    """Whether a word evaluates a clause, or a consequence follows: "sad that", "so bad that"."""
    if token.xpos in {"VBD", "VBP", "VBZ"} or not analysis.children(token, "csubj", "ccomp"):
        return False
    about = {t.text.lower() for t in analysis.children(token, "expl", "nsubj", "advmod")}
    return bool(about & {"it", "that", "this", "so"})


def is_evaluative_here(analysis: Analysis, token: Token, entry: Entry) -> bool:
    """Whether an entry is evaluative in its context, by the rules for its part of speech."""
    if entry.kind == "verb":
        return _is_evaluative_verb(analysis, token, entry)
    if entry.kind == "noun":
        return not entry.conditional or is_predicated(analysis, token)
    if entry.kind == "adverb":
        return not entry.conditional
    if entry.aspect == "how one feels":
        about = subject(analysis, token)
        return about is not None and _is_experiencer(analysis, about)
    return not entry.conditional or has_judged_target(analysis, token)


def has_judged_target(analysis: Analysis, token: Token) -> bool:
    """Whether a word modifies, or is predicated of, something that reviews judge."""
    head = analysis.head(token)
    if token.is_relation("amod", "compound", "nmod", "acl") and head.upos in _NOMINAL:
        return is_judged(head)
    if token.is_relation("advmod"):
        return True
    about = subject(analysis, token)
    if about is None:
        # "Boring.", "Great fun!": nothing but the judgement.
        return token.is_root or token.is_relation("conj", "parataxis", "appos")
    return is_judged(about)


def describes_person(analysis: Analysis, token: Token) -> bool:
    """Whether a word describes somebody of the story: "a beautiful girl", not "a great actor"."""
    about = analysis.head(token) if token.is_relation("amod") else subject(analysis, token)
    if about is None or is_judged(about):
        return False
    return about.upos == "NOUN" and about.lemma.lower() in person_nouns()


def is_judged(token: Token) -> bool:
    """Whether a word names something that reviews judge, or stands for it."""
    if token.upos == "PROPN":
        return True  # an actor, a film, a shop
    things = judged().things
    word = token.text.lower()
    return token.lemma.lower() in things or word in things or word in judged().pronouns


def is_predicated(analysis: Analysis, token: Token) -> bool:
    """Whether a noun says what something is: "this is a mess", "what a mess"."""
    if analysis.children(token, "cop"):
        about = subject(analysis, token)
        return about is None or is_judged(about)
    if token.is_root or token.is_relation("appos", "parataxis"):
        return True
    return any(t.text.lower() in {"this", "such", "what"} for t in analysis.children(token, "det"))


def _is_evaluative_verb(analysis: Analysis, token: Token, entry: Entry) -> bool:
    about = subject(analysis, token)
    auxiliaries = {child.text.lower() for child in analysis.children(token, "aux")}
    if entry.aspect == "love":
        if token.lemma.lower() in {"like", "love"} and auxiliaries & _CONDITIONAL:
            return False
        return token.xpos != "VBG" if about is None else _is_experiencer(analysis, about)
    if entry.aspect == "entertain":
        if about is not None and is_judged(about) and not entry.conditional:
            return True
        return any(
            _is_experiencer(analysis, experiencer)
            for experiencer in analysis.children(token, "obj")
        )
    return about is None or is_judged(about)


def _is_experiencer(analysis: Analysis, token: Token) -> bool:
    if token.text.lower() in _EXPERIENCERS:
        return True
    return any(t.text.lower() in {"my", "our"} for t in analysis.children(token, "nmod:poss"))
