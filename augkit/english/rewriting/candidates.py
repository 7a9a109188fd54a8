"""Candidates: a few edits of a text, the operation that made them, and what it promises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from augkit.core.analysis import Analysis
from augkit.core.edits import Replacement
from augkit.text.articles import fit_articles
from augkit.text.spacing import spaced_like

Promise = Literal["same", "weaker", "other-entity"]
"""What an operation keeps of the meaning: all of it; less is said, so that what was true is true;
everything but the identity of a person, place, thing or number."""
PROMISES: tuple[Promise, ...] = ("same", "weaker", "other-entity")
"""What ``allow`` names, each with those before it."""


class RewriteCandidate(NamedTuple):
    """Edits that do not overlap, in order; the operation's name and promise."""

    edits: tuple[Replacement, ...]
    operation: str
    promise: Promise


def apply_edits(text: str, edits: Iterable[Replacement]) -> str:
    """The edited text; articles before an edit are fitted, and marks are spaced as in the text.

    >>> apply_edits("It is an utterly dull film.", [Replacement(9, 17)])
    'It is a dull film.'
    """
    edited = text
    for edit in reversed(fit_articles(text, edits)):
        after = spaced_like(edit.after, text, edit.start)
        edited = edited[: edit.start] + after + edited[edit.end :]
    return edited


def changed_words(text: str, edits: Iterable[Replacement]) -> int:
    """The size of a change: words that go or come, whichever are more, at least one an edit.

    >>> edits = [Replacement(9, 17), Replacement(22, 26, "movie")]
    >>> changed_words("It is an utterly dull film.", edits)
    2
    """
    sizes = (
        max(len(text[edit.start : edit.end].split()), len(edit.after.split()), 1) for edit in edits
    )
    return sum(sizes)


def without_commas(analysis: Analysis, first: int, last: int) -> tuple[int, int]:
    """``tokens[first:last]`` with the commas that go with them.

    Of a comma on each side one goes, as does one at the start of a sentence or before its end. Both
    go between a subject and its verb: "The film, honestly, is dull."
    """
    tokens = analysis.tokens
    opens = _opens(analysis, first)
    after_comma = not opens and tokens[first - 1].text in _COMMAS
    while last < len(tokens) and tokens[last].text in _COMMAS and (opens or after_comma):
        last += 1
    at_end = last == len(tokens) or tokens[last].text in _ENDS
    before_verb = tokens[last - 1].text in _COMMAS and not at_end and tokens[last].upos in _VERBS
    if after_comma and (at_end or before_verb):
        first -= 1
    return first, last


def removal(analysis: Analysis, first: int, last: int) -> Replacement:
    """The edit that leaves out ``tokens[first:last]`` with a space and the commas they need.

    What begins the sentence then gets the capital of what began it.
    """
    tokens = analysis.tokens
    text = analysis.text
    first, last = without_commas(analysis, first, last)
    if not _opens(analysis, first):
        start = tokens[first].start
        end = tokens[last - 1].end
        if text[start - 1].isspace() and text[end : end + 1].isspace() and last < len(tokens):
            return Replacement(start, tokens[last].start)
        behind_bracket = tokens[first - 1].end == start and tokens[first].text not in _COMMAS
        if behind_bracket and last < len(tokens):
            return Replacement(start, tokens[last].start)
        return Replacement(tokens[first - 1].end, end)
    start = tokens[first].start
    end = tokens[last].start if last < len(tokens) else len(text)
    if last == len(tokens) and first:
        before = tokens[first - 1]
        # With the comma of the name after "Best,".
        start = before.start if before.text in _COMMAS else before.end
    if last < len(tokens) and tokens[first].text[:1].isupper():
        return Replacement(start, end + 1, text[end].upper())
    return Replacement(start, end)


_COMMAS = frozenset({",", "--", "\u2014", "\u2013"})
_VERBS = frozenset({"AUX", "VERB"})
_ENDS = frozenset({".", "!", "?", "...", ";", ":", ")"})


def _opens(analysis: Analysis, first: int) -> bool:
    tokens = analysis.tokens
    return first == 0 or tokens[first - 1].sentence != tokens[first].sentence
