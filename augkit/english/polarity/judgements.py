"""The evaluative words of a text with their polarity in context.

A negation reverses the polarity ("not funny"). In a question, a condition or a comparison it is
unclear: such a word is never edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Span
from augkit.english.clauses import quoted
from augkit.english.polarity.contexts import (
    PolarityContext,
    context_of,
    context_words,
    has_judged_target,
    is_evaluative_here,
)
from augkit.lexicons.evaluative import Entry, Evaluative, Kind, Polarity, judged, opposite

_KINDS: dict[str, Kind] = {
    "JJ": "adjective",
    "JJR": "comparative",
    "JJS": "superlative",
    "RB": "adverb",
    "RBR": "comparative",
    "RBS": "superlative",
}
_ALL_IN_MARKS = re.compile(r'(?:^|(?<=[.!?]))\s*(["\u201c][^"\u201c\u201d]*["\u201d])\s*$')
"""A text in quotation marks, or the rest of it from a new sentence on."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An evaluative word from ``token`` to ``last``; ``polarity`` is its polarity in context."""

    token: Token
    last: Token
    entry: Entry
    polarity: Polarity
    context: PolarityContext
    of_judged: bool
    """Whether its opinion target is something that reviews judge."""
    is_compared: bool
    """Whether "more" or "most" stands before it."""
    is_clear: bool
    """Whether it judges here, by the rules for its part of speech."""

    @property
    def span(self) -> Span:
        """Where it stands in the text."""
        return Span(self.token.start, self.last.end)


def judgements(analysis: Analysis, lexicon: Evaluative) -> list[Judgement]:
    """The evaluative words of a text that judge where they stand, in order."""
    return [judged for judged in possible_judgements(analysis, lexicon) if judged.is_clear]


def possible_judgements(analysis: Analysis, lexicon: Evaluative) -> list[Judgement]:
    """All evaluative words of a text, in order; worked out once for an analysis and a lexicon."""
    of_lexicon, judged = analysis.memo.get("judgements", (None, []))
    if of_lexicon is not lexicon:
        judged = _judgements(analysis, lexicon)
        analysis.memo["judgements"] = lexicon, judged
    return list(judged)


def _judgements(analysis: Analysis, lexicon: Evaluative) -> list[Judgement]:
    around = _ALL_IN_MARKS.search(analysis.text)  # marks around all that is said quote nothing
    unquoted_from = around.start(1) if around else len(analysis.text)
    in_quotes = quoted(analysis)
    judged = []
    end = -1
    for token in analysis.tokens:
        is_quoted = in_quotes[token.index] and token.start < unquoted_from
        if token.index <= end or is_quoted:
            continue
        compound = _compound(analysis, token, lexicon)
        hit = compound or _single(analysis, token, lexicon)
        if hit is None:
            continue
        entry, last = hit
        end = last.index
        context = context_of(analysis, last)
        polarity = opposite(entry.polarity) if context.is_reversed else entry.polarity
        of_judged = has_judged_target(analysis, last)
        is_compared = analysis.word_at(token.index - 1) in {"more", "most"}
        is_clear = compound is not None or is_evaluative_here(analysis, token, entry)
        judged.append(
            Judgement(token, last, entry, polarity, context, of_judged, is_compared, is_clear)
        )
    return judged


def _single(analysis: Analysis, token: Token, lexicon: Evaluative) -> tuple[Entry, Token] | None:
    if _is_named(analysis, token):
        return None
    if not _is_free(analysis, token):
        return None
    found = [lexicon.find(kind, word) for kind, word in _readings(analysis, token)]
    entries = [entry for entry in found if entry is not None]
    clear = [entry for entry in entries if is_evaluative_here(analysis, token, entry)]
    first = next(iter(clear or entries), None)
    return None if first is None else (first, token)


def _readings(analysis: Analysis, token: Token) -> Iterator[tuple[Kind, str]]:
    """The parts of speech a word may be looked up as, the likeliest first."""
    word = token.text.lower()
    if token.upos == "VERB" and token.xpos != "JJ":
        if token.is_relation("amod"):
            yield "adjective", word  # "a disappointing film", which no verb would do
        yield "verb", token.lemma.lower()
        if token.xpos in {"VBG", "VBN"} and not analysis.children(token, "obj", "xcomp"):
            yield "adjective", word
    elif token.upos == "NOUN" and token.xpos not in {"JJ", "JJS"}:
        if not token.is_relation("compound"):  # "crap effects" are no "crap"
            yield "noun", token.lemma.lower()
        if not analysis.children(token, "amod", "det", "nmod:poss"):
            yield "adjective", word
    elif token.upos in {"PROPN", "INTJ", "X"}:
        # A sign of emphasis, or the first word of a sentence, that the tagger took for a name.
        yield "adjective", word
        yield "adverb", word
    elif token.xpos in _KINDS:
        yield _KINDS[token.xpos], word
    elif token.upos == "ADJ":
        yield "adjective", word


def _compound(analysis: Analysis, token: Token, lexicon: Evaluative) -> tuple[Entry, Token] | None:
    """A hyphenated entry, which comes in pieces: "mind", "-", "numbing"."""
    tokens = analysis.tokens
    last = token.index
    while last + 2 < len(tokens) and tokens[last + 1].text == "-":
        if analysis.text[tokens[last].end : tokens[last + 2].start] != "-":
            break  # spaces around it
        last += 2
    if last == token.index:
        return None
    entry = lexicon.compounds.get(analysis.text[token.start : tokens[last].end].lower())
    return (entry, tokens[last]) if entry else None


def _is_named(analysis: Analysis, token: Token) -> bool:
    """Whether a capital letter inside a sentence makes it part of a title: "Bad Boys"."""
    text = token.text
    if not text[:1].isupper() or (text.isupper() and len(text) > 2):
        return False
    following = analysis.tokens[token.index + 1 : token.index + 2]
    starts = token.index == 0 or analysis.tokens[token.index - 1].sentence != token.sentence
    before = analysis.tokens[token.index - 1].text if token.index else ""
    if starts or before in {".", "!", "?", ":", "...", "-", '"', "(", ")", ";"}:
        return bool(following) and following[0].text[:1].isupper() and following[0].text != "I"
    return True


def _is_free(analysis: Analysis, token: Token) -> bool:
    """Whether a word is not part of an idiom: "as well", "well known", "a good deal"."""
    word = token.text.lower()
    after = analysis.word_at(token.index + 1)
    if word == "original":
        # "The original series" is the first one; "an original idea" is praise.
        head = analysis.head(token)
        determiners = {t.text.lower() for t in analysis.children(head, "det")}
        if token.deprel == "amod" and not determiners & {"a", "an", "very"}:
            return False
    if word == "better":
        return after == "than"
    if (
        word == "best"
        and token.index > 1
        and analysis.tokens[token.index - 2].lemma.lower() in {"do", "try"}
    ):
        return False  # "does his best"
    if word == "well":
        verbal = analysis.head(token).upos in {"VERB", "ADJ", "AUX"} and token.deprel == "advmod"
        index = token.index - 1
        while analysis.word_at(index) in context_words("well_degrees"):
            index -= 1
        not_praise = analysis.word_at(index) in context_words("well_not_praise_after")
        if not verbal or not_praise or after == ",":
            return False
    return after not in judged().before.get(word, ())
