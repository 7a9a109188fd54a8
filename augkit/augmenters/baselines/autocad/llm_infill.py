"""Gaps filled by a language model: whole phrases that carry the label, numbered in the text.

The answer has exactly one filling for each number, so that nothing else can change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from augkit.augmenters.baselines.autocad.infill import InfillJob
from augkit.augmenters.llm_requests import SamplingParams, prompt_request
from augkit.core.analysis import Analysis, Token
from augkit.core.edits import Span
from augkit.core.model_types import Request
from augkit.english.morphology import function_words
from augkit.english.polarity.judgements import judgements
from augkit.lexicons.evaluative import bundled_lexicon
from augkit.lexicons.label_meanings import polarity_of_name, task_family
from augkit.prompts.answers import limit_tokens, named_texts

_CONTENT = frozenset({"ADJ", "ADV", "NOUN", "VERB", "INTJ", "NUM", "PROPN"})
_MODIFIERS = frozenset({"advmod", "neg", "compound"})
# It is looked for from the beginning of a word only: from each letter would take its square.
_WORD_START = re.compile(r"(?<![\w'\u2019-])[\w'\u2019-]+$")
_WORD_END = re.compile(r"[\w'\u2019-]*\w")
MOST_GAPS = 4
"""Gaps of a text, at most."""
_PER_GAP = 24
"""Characters that a filling may have more than the words it replaces."""


def ranked_words(lists: Sequence[Sequence[str]]) -> list[str]:
    """The words that most classifiers name, the strongest first.

    >>> ranked_words([["dull", "film"], ["dull", "plot"], ["film", "dull"]])
    ['dull', 'film']
    """
    ranks: dict[str, list[int]] = {}
    for words in lists:
        for rank, word in enumerate(words):
            ranks.setdefault(word, []).append(rank)
    named = [word for word, several in ranks.items() if 2 * len(several) > len(lists)]
    return sorted(named, key=lambda word: (sum(ranks[word]) / len(ranks[word]), word))


def principal_words(analysis: Analysis, label: str | None, ranked: list[str]) -> list[str]:
    """The words that carry the label: evaluative ones where it is positive or negative.

    For other labels the words that the classifiers name, which in a small corpus say little.
    """
    polarity = polarity_of_name(str(label))
    if polarity is None:
        return ranked
    return [
        judgement.token.text.casefold()
        for judgement in judgements(analysis, bundled_lexicon())
        if judgement.polarity == polarity
    ]


def rationale_phrases(analysis: Analysis, ranked: Iterable[str]) -> list[Span]:
    """The phrases around the strongest content words: with their modifiers and negations.

    Function words carry no label; a gap there makes a text that nobody can read.
    """
    by_word: dict[str, list[Token]] = {}
    for token in analysis.tokens:
        word = token.text.casefold()
        if token.upos in _CONTENT and len(word) > 1 and word not in function_words():
            by_word.setdefault(word, []).append(token)
    spans: list[tuple[int, int]] = []
    for token in (token for word in ranked for token in by_word.get(word, ())):
        spans = _merged([*spans, _phrase(analysis, token)])
        if len(spans) == MOST_GAPS:
            break
    tokens = analysis.tokens
    return [
        _whole_words(analysis.text, tokens[first].start, tokens[last].end) for first, last in spans
    ]


def _whole_words(text: str, start: int, end: int) -> Span:
    """The span without parts of words: "low" of "low-key", "n't good" of "isn't good"."""
    before = _WORD_START.search(text[:start])
    after = _WORD_END.match(text, end)
    return Span(before.start() if before else start, after.end() if after else end)


def _phrase(analysis: Analysis, token: Token) -> tuple[int, int]:
    """The indices of the first and last word: "not very good", "gives up"."""
    tokens = analysis.tokens
    first = token.index
    last = token.index
    while first and tokens[first - 1].head in range(first, last + 1):
        before = tokens[first - 1]
        modifies = before.is_relation(*_MODIFIERS) and before.upos != "PUNCT"
        if not modifies and before.lemma.casefold() not in {"no", "not", "never"}:
            break
        first -= 1
    for after in tokens[last + 1 : last + 2]:
        if after.head == token.index and after.deprel in {"compound:prt", "advmod"}:
            last += after.upos == "ADP"
    return first, last


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order; those that touch are one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def gap_names(text: str, gaps: Sequence[Span]) -> tuple[str, ...]:
    """How the prompt and the answer name the gaps.

    >>> gap_names("a dull film", [Span(2, 6)])
    ('1 dull',)
    """
    return tuple(f"{number} {text[start:end]}" for number, (start, end) in enumerate(gaps, 1))


def infill_request(job: InfillJob, config: SamplingParams) -> Request:
    """Ask for words in the numbered gaps that take the text from its label to another one."""
    fields = job.parent.fields
    names = gap_names(job.text, job.gaps)
    marked = ""
    last = 0
    for (start, end), name in zip(job.gaps, names, strict=True):
        marked += f"{job.text[last:start]}[{name}]"
        last = end
    request = prompt_request(
        "autocad/infill",
        named_texts(names),
        config,
        job.rng.randrange(2**31),
        task_family([job.parent.label, job.target], fields),
        text=marked + job.text[last:],
        others={name: text for name, text in fields.items() if name != job.field},
        label=job.parent.label,
        target=job.target,
    )
    return limit_tokens(request, [f'"{name}": {name}' + " " * _PER_GAP for name in names])
