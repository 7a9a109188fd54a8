"""Which word of the opposite polarity replaces an evaluative word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random

from augkit.english.morphology import inflect
from augkit.english.polarity.judgements import Judgement
from augkit.lexicons.evaluative import Evaluative, Polarity, opposite
from augkit.text.casing import match_case

_MIN_WEIGHT = 0.3
"""Weight of a word that the corpus does not use, beside a document's 1."""
_INFLECTED = frozenset("VB VBP VBD VBG VBN VBZ NN NNP NNS".split())
_VOWELS = re.compile("[aeiouy]+")


@dataclass(frozen=True)
class ClassCounts:
    """In how many documents of each polarity a word occurs in the corpus."""

    counts: Mapping[Polarity, Mapping[str, int]]

    def weight(self, word: str, polarity: Polarity) -> float:
        """How typical a word is of a polarity: its documents less half of the others."""
        here, there = (
            self.counts.get(side, {}).get(word, 0) for side in (polarity, opposite(polarity))
        )
        return max(_MIN_WEIGHT, here - there / 2)


def draw_antonym(
    judgement: Judgement,
    lexicon: Evaluative,
    counts: ClassCounts,
    rng: Random,
    used: AbstractSet[str] = frozenset(),
) -> str | None:
    """A word of the opposite polarity in the same form and casing; None where there is none.

    Words ``used`` just before are taken only where there is no other: "great, great acting".
    """
    choices = _choices(judgement, lexicon)
    choices = [word for word in choices if word not in used] or choices
    if not choices:
        return None
    polarity = opposite(judgement.entry.polarity)
    weights = [counts.weight(word, polarity) ** 0.5 for word in choices]
    word = rng.choices(choices, weights)[0].replace("_", " ")
    form = _form(word, judgement)
    return None if form is None else match_case(form, judgement.token.text)


def _choices(judgement: Judgement, lexicon: Evaluative) -> Sequence[str]:
    entry = judgement.entry
    choices: Sequence[str] = entry.opposites
    if judgement.is_compared:
        choices = [word for word in choices if not _has_er_comparative(word)]
    if judgement.of_judged:
        return choices
    # What describes a person or thing of the story takes only words that fit everything.
    fits = [word for word in choices if not lexicon.entries[entry.kind, word].conditional]
    return fits or choices


def _has_er_comparative(word: str) -> bool:
    """Whether a word is compared by its ending, and "more" before it is wrong: dull, silly."""
    groups = len(_VOWELS.findall(word.removesuffix("e")))
    return groups == 1 or (groups == 2 and word.endswith("y"))


def _form(word: str, judgement: Judgement) -> str | None:
    if judgement.entry.kind == "verb":
        tag = judgement.last.xpos
        return inflect(word, tag) if tag in _INFLECTED else None
    if judgement.entry.kind == "noun" and judgement.last.xpos in {"NNS", "NNPS"}:
        return inflect(word, "NNS")
    return word
