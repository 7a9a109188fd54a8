"""Words that an ensemble holds important, as targets for any rewriter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.attribution.ensemble import Ensemble, VoteBy, important_words, vote_weights
from augkit.attribution.majority_vote import vote
from augkit.attribution.methods import Method
from augkit.core.types import Example, Target
from augkit.text.tokens import word_spans

PRINCIPAL = "principal word"
SPURIOUS = "spurious word"


@dataclass(frozen=True)
class AttributionFinder:
    """Marks principal and spurious words; satisfies ``protocols.Finder``.

    K ``words`` are taken of each classifier, which vote ``by`` majority or by their held-out
    accuracy; ``spurious`` words are the user's. The strength of a target is the share of the
    classifiers that name its word.
    """

    ensemble: Ensemble
    words: int = 5
    by: VoteBy = "majority"
    spurious: tuple[str, ...] = ()
    method: Method = "auto"

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        """Every place of every important word, the strongest first; labels must be known."""
        lists = important_words(self.ensemble, examples, self.words, self.method)
        return [self._targets(row, named) for row, named in zip(examples, lists, strict=True)]

    def _targets(self, example: Example, lists: Sequence[Sequence[str]]) -> list[Target]:
        voted = vote(lists, vote_weights(self.ensemble, self.by), self.spurious)
        reasons = dict.fromkeys(voted.principal, PRINCIPAL) | dict.fromkeys(
            voted.spurious, SPURIOUS
        )
        targets = []
        for field, text in example.fields.items():
            for start, end in word_spans(text):
                word = text[start:end].casefold()
                if word in reasons:
                    share = sum(word in words for words in lists) / len(lists)
                    targets.append(Target(field, start, end, reasons[word], share))
        return sorted(targets, key=lambda one: (-one.strength, one.field, one.start))
