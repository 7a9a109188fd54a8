"""Is a cue a shortcut, or may it belong to the label? General evidence, never a list of cues.

What decides depends on what the labels are about. How two texts relate cannot follow from a word of
one of them. An opinion follows from words that judge, not from names and nouns; what a text is
about follows from content words, not from a person's name, a number or a sign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from augkit.commands.check.rows import CheckedRows
from augkit.commands.fix.cues import Cue
from augkit.core.protocols import Parser
from augkit.core.types import Example
from augkit.english.english import not_english
from augkit.english.parser import SpacyParser
from augkit.english.polarity.label_polarity import find_order, label_polarity
from augkit.english.rewriting.targets import is_evidence
from augkit.lexicons.demographics.names import first_names, surnames
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.lexicons.label_meanings import relation_of
from augkit.lexicons.load import closed_classes
from augkit.text.features.kinds import FORMAT
from augkit.text.tokens import word_spans

Subject = Literal["relation", "opinion", "content"]
"""What the labels are about: how two texts relate, what a text thinks, what it is about."""

_PARSED = 40
"""Texts of a cue that are parsed: its words have the same tags in most of them."""
_LANGUAGE_TEXTS = 60
_FIXED = 0.8
"""Share of a cue's rows in which the words around it are the same: a fixed phrase."""
_FIXED_WORDS = 4
"""Words of a phrase that writers hardly repeat by chance."""


@dataclass(frozen=True)
class TaskOfLabels:
    """What the labels of a dataset are about, and whether its texts are English."""

    subject: Subject
    is_english: bool


def read_task(examples: Sequence[Example]) -> TaskOfLabels:
    """What the labels are about, by their names and by the words of their texts."""
    labels = sorted({str(row.label) for row in examples})
    texts = [" ".join(row.fields.values()) for row in examples[:_LANGUAGE_TEXTS]]
    foreign = sum(bool(not_english(text)) for text in texts)
    is_english = 2 * foreign < max(1, len(texts))
    if len(examples[0].fields) == 2 and any(map(relation_of, labels)):
        return TaskOfLabels("relation", is_english)
    if is_english and len(examples[0].fields) == 1:
        order = find_order(examples)
        if label_polarity(labels, examples, bundled_lexicon(), order):
            return TaskOfLabels("opinion", is_english)
    return TaskOfLabels("content", is_english)


def judge_cues(
    cues: Sequence[Cue], rows: CheckedRows, task: TaskOfLabels, parser: Parser | None = None
) -> list[Cue]:
    """The cues, each with whether it is likely a shortcut, and why."""
    parser = parser or SpacyParser()
    return [_judged(cue, rows, task, parser) for cue in cues]


def _judged(cue: Cue, rows: CheckedRows, task: TaskOfLabels, parser: Parser) -> Cue:
    texts = [text for text in rows.columns[cue.field].texts if cue.is_in(text)]
    cue = replace(cue, formula=fixed_phrase(cue, texts))
    tag = _usual_tag(cue, texts, parser) if cue.words and task.is_english else ""
    is_name = bool(cue.words) and (tag == "PROPN" or _is_person(cue, texts))
    is_likely, reason = _verdict(cue, texts, task, tag)
    return replace(cue, is_likely=is_likely, reason=reason, is_name=is_name)


def _verdict(cue: Cue, texts: Sequence[str], task: TaskOfLabels, tag: str) -> tuple[bool, str]:
    """Whether it is likely a shortcut, and the reason in words: the first that holds."""
    alone = f"a word of '{cue.field}' alone cannot say how the two texts relate"
    is_opinion = task.subject == "opinion"
    reasons = (
        (cue.first.kind.startswith("length"), True, "the length of a text"),
        (cue.first.kind == FORMAT, True, "the form of a text, not what it says"),
        (task.subject == "relation", True, alone),
        (is_evidence(cue.first.name), False, "it judges, negates or compares"),
        (_is_person(cue, texts), True, "the name of a person"),
        (tag == "NUM" or all(w[:1].isdigit() for w in cue.words), True, "a number"),
        (len(cue.formula) >= _FIXED_WORDS, True, "a phrase that is always the same"),
        (is_opinion and tag == "PROPN", True, "a name"),
        (is_opinion and tag == "NOUN", True, "a noun, which is no opinion"),
        (is_grammar(cue), False, "a word of grammar, which may come with what is said"),
        (is_opinion, False, "an adjective, verb or adverb, which may be an opinion"),
    )
    for holds, is_likely, reason in reasons:
        if holds:
            return is_likely, reason
    return False, "a word of content, which may be what the label is about"


def is_grammar(cue: Cue) -> bool:
    """Whether all words of a cue are of closed classes, which only grammar needs."""
    return all(word in closed_classes() for word in cue.first.words)


def _is_person(cue: Cue, texts: Sequence[str]) -> bool:
    """Whether its words are first names or surnames, and written with a capital."""
    named = [word for word in cue.words if word in first_names() or word in surnames()]
    if not any(word in first_names() for word in named) or 2 * len(named) < len(cue.words):
        return False
    written = [
        text[start:end]
        for text in texts[:_PARSED]
        for start, end in word_spans(text)
        if text[start:end].lower() in named
    ]
    return sum(word[:1].isupper() for word in written) > _FIXED * len(written)


def _usual_tag(cue: Cue, texts: Sequence[str], parser: Parser) -> str:
    """The part of speech that its last word of content has most often: the head of a phrase."""
    last = [word for word in cue.phrase if word in cue.words][-1:]
    votes: Counter[str] = Counter()
    for analysis in parser.parse(list(texts[:_PARSED])):
        votes.update(token.upos for token in analysis.tokens if token.text.lower() in last)
    return votes.most_common(1)[0][0] if votes else ""


def fixed_phrase(cue: Cue, texts: Sequence[str]) -> tuple[str, ...]:
    """The longest run of words around a cue that is the same in most of the texts that have it."""
    phrase = cue.phrase
    sequences = [_lowered(text) for text in texts]
    while phrase:
        neighbours: Counter[tuple[str, bool]] = Counter()
        for words in sequences:
            start = _place(words, phrase)
            if start is not None:
                if start > 0:
                    neighbours[words[start - 1], True] += 1
                if start + len(phrase) < len(words):
                    neighbours[words[start + len(phrase)], False] += 1
        if not neighbours:
            return phrase
        (word, is_before), count = neighbours.most_common(1)[0]
        if count < _FIXED * len(texts):
            return phrase
        phrase = (word, *phrase) if is_before else (*phrase, word)
    return phrase


def _lowered(text: str) -> list[str]:
    return [text[start:end].lower() for start, end in word_spans(text)]


def _place(words: Sequence[str], phrase: Sequence[str]) -> int | None:
    """Where a run of words begins in others."""
    size = len(phrase)
    places = (
        n for n in range(len(words) - size + 1) if tuple(words[n : n + size]) == tuple(phrase)
    )
    return next(places, None)
