"""Negation: its words, of which every caller selects some, and how one is removed.

The words are in ``lexicons/data/negation.yaml``. What is left without a negation gets the verb form
that fits: "didn't work" → "worked".
"""

from __future__ import annotations

import re
from functools import cache, partial

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Replacement
from augkit.english.morphology import inflect
from augkit.lexicons.load import word_group
from augkit.text.casing import match_case

_CONTRACTED = "|".join(sorted(word_group("negation", "contracted")))
_SPACED = rf"(?<![\w'\u2019-])(?:{_CONTRACTED})n(?-i: t)(?![\w'\u2019-])"
"""A contraction with a space for its apostrophe; "Don T." is a name."""
_SPACED_PATTERN = re.compile(_SPACED, re.IGNORECASE)
_context_words = partial(word_group, "polarity_contexts")
DO_TAGS = {"did": "VBD", "does": "VBZ", "do": "VBP"}
"""Forms of "do" before "not", and the tag of the verb that takes their place."""
_AUXILIARIES = {"ca": "can", "wo": "will", "sha": "shall"}
"""An auxiliary before n't, and without it."""
_AFFIRMATIVE = {"never": "always", "without": "with", "nothing": "something"}
_TAILS = tuple(tuple(phrase.split("_")) for phrase in sorted(_context_words("negation_tails")))


@cache
def negation_words(*groups: str) -> frozenset[str]:
    """The lower-case words of the named groups of the table.

    >>> sorted(negation_words("particle", "contraction", "adverb"))
    ['n t', "n't", 'never', 'not']
    """
    listed = (word for group in groups for word in word_group("negation", group))
    return frozenset(word.replace("_", " ") for word in listed)


@cache
def negation_pattern(*groups: str) -> re.Pattern[str]:
    """A pattern that finds the words of the groups, in any casing, and the contraction "n't".

    >>> texts = ("It isn't.", "it isn t .", "NOT!", "knots")
    >>> [bool(negation_pattern("particle").search(text)) for text in texts]
    [True, True, True, False]
    """
    words = "|".join(sorted(negation_words(*groups)))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)|n['\u2019]t(?!\w)|{_SPACED}", re.IGNORECASE)


def with_apostrophes(text: str) -> str:
    """The text with the apostrophes of "didn t" and the like, which tokenised files may lack.

    Every offset stays: an apostrophe takes the place of a space.

    >>> with_apostrophes("i didn t ask Don T. for it")
    "i didn't ask Don T. for it"
    """
    return _SPACED_PATTERN.sub(lambda match: f"{match[0][:-2]}'t", text) if "n t" in text else text


def remove_not(
    analysis: Analysis, negator: Token, last: Token | None = None
) -> list[Replacement] | None:
    """The replacements that remove "not" or "n't", and what follows it up to ``last``.

    After "do" the verb takes over tense and person: "did not work" → "worked". None where that verb
    is not clear.
    """
    before = analysis.word_at(negator.index - 1)
    if before in DO_TAGS:
        return _remove_do(analysis, analysis.tokens[negator.index - 1], negator)
    changes = []
    if before in _AUXILIARIES:
        auxiliary = analysis.tokens[negator.index - 1]
        full = match_case(_AUXILIARIES[before], auxiliary.text)
        changes.append(Replacement(auxiliary.start, auxiliary.end, full))
    return [*changes, _removed(analysis, negator.start, (last or negator).end)]


def _remove_do(analysis: Analysis, auxiliary: Token, negator: Token) -> list[Replacement] | None:
    verb = analysis.head(negator)
    if not verb.xpos.startswith("VB") or verb.index < negator.index:
        return None
    # It is the base form, whatever the tagger says: "did not found a school".
    form = inflect(verb.text.lower(), DO_TAGS.get(auxiliary.text.lower(), "VBP"))
    if form is None:
        return None
    follows = analysis.tokens[negator.index + 1]
    if follows.text.lower() in _context_words("not_degrees"):
        follows = verb
    cut = Replacement(auxiliary.start, follows.start, "")
    written = match_case(form, auxiliary.text) if follows == verb else form
    return [cut, Replacement(verb.start, verb.end, written)]


def _removed(analysis: Analysis, start: int, end: int) -> Replacement:
    """A span goes with the space before it, or, at a sentence's start, after it."""
    text = analysis.text
    if start and text[start - 1] == " ":
        return Replacement(start - 1, end, "")
    is_joined = start > 0 and analysis.token_at(start - 1) is not None
    return Replacement(start, end + (text[end : end + 1] == " " and not is_joined), "")


def remove_negation(analysis: Analysis, negator: Token, word: Token) -> list[Replacement] | None:
    """The replacements that remove ``negator`` from before an evaluative ``word``.

    None where none is right.
    """
    following = analysis.tokens[negator.index + 1 : word.index + 8]
    if any(t.text.lower() == "one" for t in following if t.index < word.index):
        return None  # "not one good scene"
    needing = _context_words("negative_polarity")
    if any(t.text.lower() in needing for t in following if t.sentence == word.sentence):
        return None
    form = negator.text.lower().replace("\u2019", "'")
    if form in negation_words("particle", "contraction", "informal"):
        changes = _remove_not_and_degree(analysis, negator)
    elif form in _AFFIRMATIVE:
        after = match_case(_AFFIRMATIVE[form], negator.text)
        changes = [Replacement(negator.start, negator.end, after)]
    elif form == "no":
        changes = _replace_no(analysis, negator)
    else:
        return None
    return None if changes is None else changes + _tails(analysis, word)


def _remove_not_and_degree(analysis: Analysis, negator: Token) -> list[Replacement] | None:
    """Of "not that good" → "very good", "not even good" → "good"."""
    following = analysis.word_at(negator.index + 1)
    after_do = analysis.word_at(negator.index - 1) in DO_TAGS
    if after_do or following not in _context_words("not_degrees"):
        return remove_not(analysis, negator)
    if following == "even":
        return remove_not(analysis, negator, analysis.tokens[negator.index + 1])
    is_double = following == "all" and analysis.word_at(negator.index + 2) in {"that", "so"}
    first = negator.index + 1
    last = negator.index + 1 + is_double
    very = Replacement(analysis.tokens[first].start, analysis.tokens[last].end, "very")
    return [*(remove_not(analysis, negator) or ()), very]


def _replace_no(analysis: Analysis, negator: Token) -> list[Replacement] | None:
    head = analysis.head(negator)
    if head.index < negator.index:
        return None
    written = "some" if analysis.children(head, "amod") else "real"
    if head.morph.get("Number") == "Plur":
        written = "many"
    return [Replacement(negator.start, negator.end, match_case(written, negator.text))]


def _tails(analysis: Analysis, word: Token) -> list[Replacement]:
    """A phrase that only goes with a negation is removed with it: "at all"."""
    for index in range(word.index + 1, min(word.index + 7, len(analysis.tokens))):
        for tail in _TAILS:
            run = analysis.tokens[index : index + len(tail)]
            if tuple(t.text.lower() for t in run) == tail and run[-1].sentence == word.sentence:
                return [_removed(analysis, run[0].start, run[-1].end)]
    return []
