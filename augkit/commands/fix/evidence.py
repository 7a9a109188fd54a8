"""Is a cue a shortcut, or may it belong to the label? General evidence, never a list of cues.

What decides depends on what the labels are about. How two texts relate cannot follow from a word of
one of them. An opinion follows from words that judge, not from names and nouns; what a text is
about follows from content words, not from a person's name, a number or a sign.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal
from unicodedata import category

from augkit.commands.check.associations import holds
from augkit.commands.check.rows import CheckedRows
from augkit.commands.fix.cues import Cue
from augkit.core.analysis import Analysis, Token
from augkit.core.options import BETWEEN
from augkit.core.protocols import Parser
from augkit.core.types import Example
from augkit.datasets.columns import PAIRS
from augkit.english.english import not_english
from augkit.english.parser import SpacyParser
from augkit.english.polarity.label_polarity import find_order, label_polarity
from augkit.english.rewriting.targets import is_evidence
from augkit.lexicons.demographics.names import first_names, surnames
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.lexicons.label_meanings import polarity_of_name, relation_of
from augkit.lexicons.label_order import LabelOrder
from augkit.lexicons.load import closed_classes
from augkit.text.features.kinds import FIRST_WORD, FORMAT, LAST_WORD, ngram_kind
from augkit.text.tokens import word_spans

Subject = Literal["relation", "opinion", "content"]
"""What the labels are about: how two texts relate, what a text thinks, what it is about."""

_PARSED = 40
"""Texts of a cue that are parsed: its words have the same tags in most of them."""
_LANGUAGE_TEXTS = 60
_FIXED = 0.8
"""Share of a cue's rows in which the words around it are the same: a fixed phrase."""
_LONGEST_NAME = 12
"""Words of a phrase that is shown whole."""
_AUXILIARY = ("be-", "do-", "have-")
"""Classes of the forms of be, do and have: a phrase with one is no noun."""
_SHORTEST_WORD = 3
"""Letters of a label that is a word."""
_NEARLY_ALL = 0.9
"""Share of a word's rows that a phrase with it is in, for the phrase to stand for both."""
_FIXED_WORDS = 4
"""Words of a phrase that writers hardly repeat by chance."""
_SHARE_OF_NAMES = 1 / 3
"""Of the words of a cue that names a person: "best regards, Ada"."""
_CLOSING_WORDS = 2
"""Words of a phrase that opens or closes texts as a sentence or line of its own."""
_OF_ONESELF = frozenset({"i", "we"})
"""Words that begin sentences in which writers speak of themselves, whatever their place."""
SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+[\"'\u201d\u2019)]*|\n|$)\s*")
SIGNS_AND_SPACE = " \t\n.!?:,;-\u2013\u2014|/\"')"


@dataclass(frozen=True)
class TaskOfLabels:
    """What the labels of a dataset are about, and whether its texts are English."""

    subject: Subject
    is_english: bool
    order: LabelOrder | None = None

    @property
    def can_tell(self) -> bool:
        """Whether it can be told what is an opinion: by parts of speech, or by what labels say."""
        return self.is_english or self.subject == "relation"


def read_task(examples: Sequence[Example]) -> TaskOfLabels:
    """What the labels are about, by their names and by the words of their texts."""
    labels = sorted({str(row.label) for row in examples})
    texts = [" ".join(row.fields.values()) for row in examples[:_LANGUAGE_TEXTS]]
    foreign = sum(bool(not_english(text)) for text in texts)
    is_english = 2 * foreign < max(1, len(texts))
    fields = tuple(examples[0].fields)
    if len(fields) == 2 and (_is_pair(fields) or any(map(relation_of, labels))):
        return TaskOfLabels("relation", is_english)
    order = find_order(examples) if len(fields) == 1 else None
    named = order is not None or any(map(polarity_of_name, labels)) or all(map(_is_code, labels))
    reads_opinions = is_english and len(fields) == 1 and named
    if reads_opinions and label_polarity(labels, examples, bundled_lexicon(), order):
        return TaskOfLabels("opinion", is_english, order)
    return TaskOfLabels("content", is_english, order)


def _is_code(label: str) -> bool:
    """Whether a label is no word: what it means is read from the texts.

    >>> _is_code("1"), _is_code("B"), _is_code("spam")
    (True, True, False)
    """
    return not label.isalpha() or len(label) < _SHORTEST_WORD


def _is_pair(fields: tuple[str, ...]) -> bool:
    """Whether two fields have the names of a pair, in either order."""
    return any(set(fields) == set(pair) for pair in PAIRS)


def judge_cues(cues: Sequence[Cue], rows: CheckedRows, task: TaskOfLabels) -> list[Cue]:
    """The cues, each with whether it is likely a shortcut, and why."""
    parser = SpacyParser()
    return [_judged(cue, rows, task, parser) for cue in cues]


def _judged(cue: Cue, rows: CheckedRows, task: TaskOfLabels, parser: Parser) -> Cue:
    texts = [text for text in rows.columns[cue.field].texts if cue.is_in(text)]
    cue = replace(_led_by_phrase(cue), formula=fixed_phrase(cue, texts))
    texts = [text for text in texts if cue.is_in(text)]
    is_read = bool(cue.words) and task.is_english
    analyses = list(parser.parse(list(texts[:_PARSED]))) if is_read else []
    tag = _usual_tag(cue, analyses)
    is_name = bool(cue.words) and (tag == "PROPN" or _is_person(cue, texts))
    is_likely, reason = _verdict(cue, texts, task, tag, analyses)
    cue = replace(cue, is_likely=is_likely, reason=reason, is_name=is_name)
    return _named_by_formula(cue, texts)


def _led_by_phrase(cue: Cue) -> Cue:
    """The cue, where it is a word, led by the longest phrase with it in nearly all its rows.

    "sent from my" says more than "sent", which is in other sentences, too. A name stays.
    """
    first = cue.first
    if len(first.words) != 1 or first.name in first_names() or first.name in surnames():
        return cue
    phrases = [
        feature
        for feature in cue.features
        if len(feature.words) > 1
        and first.name in feature.words
        and feature.rows >= _NEARLY_ALL * first.rows
    ]
    if not phrases:
        return cue
    lead = max(phrases, key=lambda feature: (len(feature.words), feature.phi))
    others = [feature for feature in cue.features if feature is not lead]
    return replace(cue, features=(lead, *others))


def _named_by_formula(cue: Cue, texts: Sequence[str]) -> Cue:
    """The cue, named by the words around it where all its texts have them: they say more."""
    first = cue.first
    formula = grown(first.words, texts, 1.0)
    positional = first.kind in {FIRST_WORD, LAST_WORD}
    if positional or not len(first.words) < len(formula) <= _LONGEST_NAME:
        return cue
    kind, name = ngram_kind(len(formula)), " ".join(formula)
    if not all(holds(kind, name, text) for text in texts):
        return cue
    return replace(cue, features=(replace(first, kind=kind, name=name), *cue.features))


def _verdict(
    cue: Cue,
    texts: Sequence[str],
    task: TaskOfLabels,
    tag: str,
    analyses: Sequence[Analysis],
) -> tuple[bool, str]:
    """Whether it is likely a shortcut, and the reason in words: the first that holds."""
    is_formula = len(cue.formula) >= _FIXED_WORDS
    is_statement = is_formula and _is_statement(cue.formula, analyses)
    is_closing = (
        len(cue.formula) >= _CLOSING_WORDS
        and cue.formula[0] not in _OF_ONESELF
        and is_set_apart(cue, texts)
    )
    alone = f"a word of '{cue.field}' alone cannot say how the two texts relate"
    is_opinion, is_relation = task.subject == "opinion", task.subject == "relation"
    judging = [word for word in cue.formula if not word.isdigit()] if is_opinion else []
    phrase = " ".join(judging if is_formula else ())
    has_verb = any(closed_classes().get(word, "").startswith(_AUXILIARY) for word in cue.phrase)
    is_amount = bool(cue.sign) and all(category(character) == "Sc" for character in cue.sign)
    reasons = (
        (cue.first.kind.startswith("length"), True, "the length of a text; no method changes it"),
        (is_amount, is_relation, alone if is_relation else "a sign of amounts, which are content"),
        (cue.first.kind == FORMAT, True, "the form of a text, not what it says"),
        (is_relation, True, alone),
        (not task.is_english, False, "the texts are not English, so its meaning is not known"),
        (_is_person(cue, texts), True, "the name of a person"),
        (_is_mention(cue, texts), True, "a mention or hashtag"),
        (is_closing and not is_opinion, True, "the same sentence at an end of the texts"),
        (is_evidence(f"{cue.first.name} {phrase}"), False, "it judges, negates or compares"),
        (is_closing and is_formula, True, "the same sentence at an end of the texts"),
        (_is_number(cue, tag), True, "a number"),
        (is_statement, False, "a statement, which may be what the label is about"),
        (is_opinion and tag == "PROPN", True, "a name"),
        (is_opinion and tag == "NOUN" and not has_verb, True, "a noun, which is no opinion"),
        (is_grammar(cue), False, "a word of grammar, which may come with what is said"),
        (is_opinion, False, "an adjective, verb or adverb, which may be an opinion"),
    )
    for is_so, is_likely, reason in reasons:
        if is_so:
            return is_likely, reason
    return False, "a word of content, which may be what the label is about"


def is_set_apart(cue: Cue, texts: Sequence[str]) -> bool:
    """Whether its formula is the first or last sentence or line of most texts that have it."""
    parts = [
        (part, part == text) for text in texts for part in text.split(BETWEEN) if cue.is_in(part)
    ]
    apart = sum(
        _begins_or_ends(cue.formula, part) and not (is_whole and len(unit_spans(part)) == 1)
        for part, is_whole in parts
    )
    return apart > _FIXED * len(parts)


def _begins_or_ends(formula: tuple[str, ...], text: str) -> bool:
    """Whether the first or the last sentences or lines of a text are the formula.

    >>> _begins_or_ends(("best", "ada"), "Hello. It is late. Best, Ada")
    True
    """
    units = [tuple(spanned_words(text[start:end])) for start, end in unit_spans(text)]
    return any(
        formula == tuple(word for unit in part for word in unit)
        for number in range(len(units))
        for part in (units[: number + 1], units[number:])
        if sum(map(len, part)) == len(formula)
    )


def unit_spans(text: str) -> list[tuple[int, int]]:
    """Where the sentences and lines of a text are that have more than signs in them."""
    return [
        match.span() for match in SENTENCE.finditer(text) if match.group().strip(SIGNS_AND_SPACE)
    ]


def _is_mention(cue: Cue, texts: Sequence[str]) -> bool:
    """Whether it is mostly written behind "@" or "#"."""
    size = len(cue.first.words)
    signs = [
        text[word_spans(text)[first][0] - 1 : word_spans(text)[first][0]]
        for text in (texts[:_PARSED] if size else ())
        for first in islice(phrase_places(cue.first.words, spanned_words(text)), 1)
    ]
    return bool(signs) and sum(sign in {"@", "#"} for sign in signs) > _FIXED * len(signs)


def _is_number(cue: Cue, tag: str) -> bool:
    """Whether it is written in digits; "one" may be a pronoun."""
    digits = [word for word in cue.words if word[:1].isdigit()]
    return bool(digits) and (tag == "NUM" or len(digits) == len(cue.words))


def _is_statement(formula: tuple[str, ...], analyses: Sequence[Analysis]) -> bool:
    """Whether a phrase says something of somebody, as "I want my money back" does.

    A signature, as "purchased at Harbour Street", has no subject.
    """
    with_formula = with_subject = 0
    for analysis in analyses:
        for start in islice(phrase_places(formula, spanned_words(analysis.text)), 1):
            spans = word_spans(analysis.text)[start : start + len(formula)]
            inside = {t.index for t in analysis.tokens if _within(t, spans[0][0], spans[-1][1])}
            with_formula += 1
            with_subject += any(
                analysis.tokens[i].is_relation("nsubj") and analysis.tokens[i].head in inside
                for i in inside
            )
    return 2 * with_subject > with_formula


def _within(token: Token, start: int, end: int) -> bool:
    return start <= token.start and token.end <= end


def is_grammar(cue: Cue) -> bool:
    """Whether all words of a cue are of closed classes, which only grammar needs."""
    return all(word in closed_classes() for word in cue.first.words)


def _is_person(cue: Cue, texts: Sequence[str]) -> bool:
    """Whether some of its words are first names or surnames, and written with a capital."""
    named = [word for word in cue.words if word in first_names() or word in surnames()]
    share = _SHARE_OF_NAMES * len(cue.words)
    if not any(word in first_names() for word in named) or len(named) < share:
        return False
    written = [
        text[start:end]
        for text in texts[:_PARSED]
        for start, end in word_spans(text)
        if text[start:end].lower() in named
    ]
    return sum(word[:1].isupper() for word in written) > _FIXED * len(written)


def _usual_tag(cue: Cue, analyses: Sequence[Analysis]) -> str:
    """The part of speech that its last word of content has most often: the head of a phrase."""
    last = [word for word in cue.phrase if word in cue.words][-1:]
    votes: Counter[str] = Counter()
    for analysis in analyses:
        votes.update(token.upos for token in analysis.tokens if token.text.lower() in last)
    return votes.most_common(1)[0][0] if votes else ""


def fixed_phrase(cue: Cue, texts: Sequence[str]) -> tuple[str, ...]:
    """The longest run of words around a cue that is the same in most of the texts that have it."""
    return grown(cue.phrase, texts, _FIXED)


def grown(phrase: tuple[str, ...], texts: Sequence[str], share: float) -> tuple[str, ...]:
    """A phrase with the words around it that are the same in such a share of the texts.

    It does not go beyond a paragraph, or a message of a chat.

    >>> grown(("by",), ["Sent by Ada.", "Sent by Ada now.", "Bought by Ada."], 1.0)
    ('by', 'ada')
    """
    sequences = [spanned_words(part) for text in texts for part in text.split(BETWEEN)]
    while phrase:
        neighbours: Counter[tuple[str, bool]] = Counter()
        for words in sequences:
            for start in islice(phrase_places(phrase, words), 1):
                if start > 0:
                    neighbours[words[start - 1], True] += 1
                if start + len(phrase) < len(words):
                    neighbours[words[start + len(phrase)], False] += 1
        if not neighbours:
            return phrase
        (word, is_before), count = neighbours.most_common(1)[0]
        if count < share * len(texts):
            return phrase
        phrase = (word, *phrase) if is_before else (*phrase, word)
    return phrase


def spanned_words(text: str) -> list[str]:
    """The words of ``word_spans`` in lower case."""
    return [text[start:end].lower() for start, end in word_spans(text)]


def phrase_places(phrase: tuple[str, ...], words: Sequence[str]) -> Iterator[int]:
    """Where a phrase begins in the words of a text, one after the end of the other.

    >>> [list(phrase_places(phrase, ["so", "so", "so", "far"])) for phrase in (("so", "so"), ())]
    [[0], []]
    """
    place = 0
    while phrase and place <= len(words) - len(phrase):
        is_here = tuple(words[place : place + len(phrase)]) == phrase
        if is_here:
            yield place
        place += len(phrase) if is_here else 1
