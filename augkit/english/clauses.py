"""Clauses of a parse: their subjects, explicit or understood; the main clause of a short text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal

from augkit.core.analysis import Analysis, Token
from augkit.lexicons.demographics.cues import VERBS
from augkit.lexicons.load import word_group
from augkit.text.articles import article
from augkit.text.casing import match_case

_RELATIVES = word_group("grammar", "relative_pronouns")
_SUBJECT_CONTROL = word_group("grammar", "subject_control")
_MAX_STEPS = 25
"""The most steps up a parse: real clauses are not so deep, broken parses are."""
Form = Literal["finite", "participle"]
"""Of a predicate: "is walking home", or "walking home" after a noun ("A man walking home")."""
nli_words = partial(word_group, "nli_words")
"""One of the word lists of the rules for pairs, by its name."""
_ENDS_SENTENCE = re.compile(r"[.!?\u2026:;][\"'\u201d\u2019)\]]*$|/?>$|^[\"'\u201d)\]]+$")
"""A mark, or what stands after one: a closing quotation mark, a tag of HTML."""
_QUOTED = re.compile(
    r"""(?:"|\u201c|``)(?:(?!\n\n|<br\b|["\u201c\u201d]|''|``).)*(?:"|\u201d|'')""", re.DOTALL
)
"""A passage between double quotation marks, inside a paragraph."""
_MODIFIERS_AFTER = ("acl", "nmod", "appos", "punct", "conj", "advcl", "parataxis", "obl", "dep")


def subject(analysis: Analysis, verb: Token) -> Token | None:
    """The subject of a clause, explicit or understood: "she" for "go" in "she wanted to go".

    Of a relative clause it is the noun the clause is about; of two subjects before a verb it is
    the nearer one: "one" in "A few people in a bar, one of them is drinking".
    """
    for _ in range(_MAX_STEPS):
        explicit = analysis.children(verb, "nsubj")
        if explicit:
            about = _nearest(analysis, explicit, verb)
            relative = about.text.lower() in _RELATIVES and about.upos == "PRON"
            about_head = relative and verb.deprel == "acl:relcl"
            return analysis.head(verb) if about_head else about
        above = analysis.head(verb)
        if verb.is_relation("acl"):
            return above
        if _is_object_controlled(verb, above):
            objects = analysis.children(above, "obj", "iobj")
            if objects:
                return objects[0]
        if verb.is_root or not verb.is_relation("conj", "xcomp", "advcl", "ccomp", "obl"):
            return None
        verb = above
    return None


def _nearest(analysis: Analysis, subjects: Sequence[Token], verb: Token) -> Token:
    """The last subject before a verb; "and the bear" after another subject is half of it."""
    before = [token for token in subjects if token.index < verb.index]
    for token in reversed(before[1:]):
        start = analysis.subtree(token)[0].index
        joined = analysis.word_at(start - 1) in {"and", "or"} and analysis.word_at(start - 2) != ","
        if not joined:
            return token
    return subjects[0]


def _is_object_controlled(verb: Token, above: Token) -> bool:
    """Whether the object of the verb above is the understood subject: "told *her* to leave"."""
    if verb.is_relation("advcl"):
        return above.lemma.lower() in VERBS.object_control
    return verb.is_relation("xcomp") and above.lemma.lower() not in _SUBJECT_CONTROL


def quoted(analysis: Analysis) -> list[bool]:
    """For every token, whether it stands between double quotation marks of its paragraph.

    A mark that its paragraph does not close quotes nothing.
    """
    ends = {match.start(): match.end() for match in _QUOTED.finditer(analysis.text)}
    inside_quotes: list[bool] = []
    end = 0
    for token in analysis.tokens:
        end = ends.get(token.start, end)
        inside_quotes.append(token.end < end)
    return inside_quotes


def written_sentences(analysis: Analysis) -> list[tuple[Token, ...]]:
    """The sentences of a text as it is written: the parser also breaks where no mark or line ends.

    Of a phrase that it does not understand it makes several: "a whole lot of fun and".
    """
    written: list[tuple[Token, ...]] = []
    for sentence in analysis.sentences:
        before = written[-1] if written else ()
        if not before or _is_ended(analysis, before[-1], sentence[0]):
            written.append(sentence)
        else:
            written[-1] = (*before, *sentence)
    return written


def _is_ended(analysis: Analysis, last: Token, following: Token) -> bool:
    """Whether a mark or a line break ends a sentence with its last word."""
    gap = analysis.text[last.end : following.start]
    return "\n" in gap or "<br" in gap or _ENDS_SENTENCE.search(last.text) is not None


@dataclass(frozen=True, slots=True)
class MainClause:
    """A subject, and the predicate as a run of tokens.

    ``verb`` is the main verb, or the complement of "is": "outside" in "They are outside".
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


def main_clause(analysis: Analysis) -> MainClause | None:
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
) -> MainClause | None:
    helpers = analysis.children(verb, "aux", "cop")
    first = min((verb, *helpers), key=lambda token: token.index)
    if first.index <= subject.index or not (helpers or verb.upos == "VERB"):
        return None
    run = _without_stop(tuple(token for token in sentence if token.index >= first.index))
    form: Form = "finite" if helpers or verb.xpos != "VBG" else "participle"
    return MainClause(subject, verb, run, form) if run and verb in run else None


def _participle(analysis: Analysis, noun: Token) -> MainClause | None:
    for verb in analysis.children(noun, "acl"):
        if verb.xpos not in {"VBG", "VBN"} or verb.index < noun.index:
            continue
        tree = analysis.subtree(verb)
        run = _without_stop(tuple(t for t in tree if t.index >= verb.index))
        if run and [t.index for t in run] == list(range(verb.index, verb.index + len(run))):
            return MainClause(noun, verb, run, "participle")
    return None


def _without_stop(run: tuple[Token, ...]) -> tuple[Token, ...]:
    while run and run[-1].upos in {"PUNCT", "SYM", "X"}:
        run = run[:-1]
    return run


def bare_noun(analysis: Analysis, noun: Token) -> tuple[Token, ...]:
    """A noun with its determiner, number and compound, and what it is of; no other modifiers."""
    words = {noun, *analysis.children(noun, "det", "nummod", "compound", "nmod:poss")}
    words |= {*of_phrase(analysis, noun)}
    return tuple(sorted(words, key=lambda token: token.index))


def plain_noun(analysis: Analysis, noun: Token) -> tuple[Token, ...]:
    """A noun with everything before it, and what it is of."""
    before = [
        token
        for child in analysis.children(noun)
        if child.index < noun.index and not child.is_relation(*_MODIFIERS_AFTER)
        for token in analysis.subtree(child)
    ]
    words = {*before, noun, *of_phrase(analysis, noun)}
    return tuple(sorted(words, key=lambda token: token.index))


def of_phrase(analysis: Analysis, noun: Token) -> tuple[Token, ...]:
    """What a noun is of, without which it may say nothing: "a bunch of kids", "on top of it"."""
    for member in analysis.children(noun, "nmod"):
        cases = analysis.children(member, "case")
        if cases and cases[0].text.lower() == "of" and cases[0].index == noun.index + 1:
            tokens = analysis.tokens[cases[0].index : member.index + 1]
            return (*tokens, *of_phrase(analysis, member))
    return ()


def text_of(analysis: Analysis, tokens: tuple[Token, ...]) -> str:
    """The text of tokens with the spaces between them, gaps as one space; an article fits."""
    text = tokens[0].text if tokens else ""
    for before, token in pairwise(tokens):
        if token.index == before.index + 1:
            text += analysis.text[before.end : token.start]
        else:
            if before.text.lower() in {"a", "an"}:
                text = text[: -len(before.text)] + match_case(article(token.text), before.text)
            text += " "
        text += token.text
    return text


def short_predicate(analysis: Analysis, clause: MainClause) -> tuple[Token, ...]:
    """The predicate up to its object or, where it has none, to its first adverbial."""
    verb = clause.verb
    last = verb.index
    for child in analysis.children(verb, "compound:prt", "advmod", "xcomp"):
        if child.index == last + 1:
            last = child.index
    ends = analysis.children(verb, "obj") or analysis.children(verb, "obl", "advmod", "xcomp")
    for head in [child for child in ends if child.index > verb.index][:1]:
        tail = (*analysis.children(head, "compound", "fixed", "flat"), *of_phrase(analysis, head))
        last = max([last, head.index, *(child.index for child in tail)])
    return tuple(token for token in clause.predicate if token.index <= last)


def is_plural(noun: Token) -> bool:
    """Whether a noun stands in the plural."""
    return noun.morph.get("Number") == "Plur" or noun.xpos in {"NNS", "NNPS"}


def is_plural_subject(analysis: Analysis, noun: Token) -> bool:
    """Whether a subject takes a plural verb."""
    return are_several(noun) or has_conjunct(analysis, noun)


def are_several(noun: Token) -> bool:
    """Whether a noun alone takes a plural verb."""
    return is_plural(noun) or noun.text.lower() in nli_words("plural_words")


def has_conjunct(analysis: Analysis, noun: Token) -> bool:
    """Whether another noun follows with "and" or "or"."""
    return any(child.upos in {"NOUN", "PROPN"} for child in analysis.children(noun, "conj"))
