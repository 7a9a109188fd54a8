"""Mirror: the same content with the style swapped, so that the loser has what winners have.

Of the features that rules can add and take away without a change of content, those that tell
winners apart are mirrored: in a variant of a pair the winner loses them and the loser gets them.
Length is none of them: what makes a text shorter or longer changes what it says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from augkit.augmenters.base import Augmenter
from augkit.augmenters.choices.balance import covering_weights
from augkit.augmenters.choices.style_rules import style_rules
from augkit.core.choices import Choice, candidate_fields, choice_of
from augkit.core.config import MethodConfig
from augkit.core.errors import UnknownName
from augkit.core.json_files import JsonArtifact
from augkit.core.protocols import Artifact
from augkit.core.types import Example, Variant, refused
from augkit.text import markdown
from augkit.text.features.amounts import FORMAT_AMOUNTS, Amount
from augkit.text.features.within_items import signed_sums_p

_ALPHA = 0.05
_MARKDOWN = ("list items", "bold phrases", "headings")
_OPENING = "Sure! Here is the answer:\n\n"
_CLOSING = "\n\nI hope this helps!"
_HEADING = "Answer"
_STOP_AT_END = re.compile(r"(?<![.!?])\.\s*\Z")


@dataclass(frozen=True)
class MirroredFeature:
    """A feature that rules add and take away without a change of content."""

    amount: Amount
    add: Callable[[str], str]
    take: Callable[[str], str]


def _by_rule(name: str) -> Callable[[str], str]:
    return lambda text: style_rules()[name].apply((text,))[0]


def _changed_by(change: Callable[[str], str]) -> Amount:
    """1 for a text that a rule would change: it holds what the rule takes away."""
    return lambda text: float(change(text) != text)


FEATURES: dict[str, MirroredFeature] = {
    "list items": MirroredFeature(
        FORMAT_AMOUNTS["list items"],
        markdown.with_bullets,
        lambda text: markdown.without_numbering(markdown.without_bullets(text)),
    ),
    "bold phrases": MirroredFeature(
        FORMAT_AMOUNTS["bold phrases"], markdown.with_bold, markdown.without_emphasis
    ),
    "headings": MirroredFeature(
        FORMAT_AMOUNTS["headings"],
        lambda text: markdown.with_heading(text, _HEADING),
        markdown.without_headings,
    ),
    "openings": MirroredFeature(
        _changed_by(_by_rule("openings")), lambda text: _OPENING + text, _by_rule("openings")
    ),
    "closings": MirroredFeature(
        _changed_by(_by_rule("closings")),
        lambda text: text.rstrip() + _CLOSING,
        _by_rule("closings"),
    ),
    "full stop at the end": MirroredFeature(
        lambda text: float(bool(_STOP_AT_END.search(text))),
        lambda text: f"{text.rstrip()}." if text.rstrip()[-1:].isalnum() else text,
        lambda text: _STOP_AT_END.sub("", text),
    ),
    "space at the end": MirroredFeature(
        lambda text: float(text != text.rstrip()), lambda text: text + "\n", str.rstrip
    ),
}
"""In the order in which they are changed: headings come after lists, openings after headings."""


class MirrorConfig(MethodConfig):
    """What is mirrored, and in how many of the pairs."""

    features: tuple[str, ...] = Field(
        (), description="features to mirror, as [list items, openings]; empty: the significant ones"
    )
    pairs: Literal["balance", "all", "every"] = Field(
        "balance",
        description="balance: until winners and losers have a feature as often; all: every pair "
        "whose winner has it; every: each pair, though neither has it (lists, bold, headings)",
    )


@dataclass(frozen=True)
class MirrorPlan(JsonArtifact):
    """Which features are mirrored, and in which share of the pairs of each pattern.

    A pattern has a sign for each feature: + where the winner has more of it, - where the loser has.
    """

    file = "mirror.json"
    features: tuple[str, ...]
    shares: Mapping[str, float]


class Mirror(Augmenter[MirrorConfig]):
    """Give the loser of a pair what winners have more of, and take it from the winner.

    The winner stays the winner: only Markdown, openings, closings and marks at the end change.
    """

    name = "mirror"
    Config = MirrorConfig
    reads = "choices"
    learns = MirrorPlan

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Find the features that tell winners apart, and the pairs to mirror."""
        for name in self.config.features:
            if name not in FEATURES:
                raise UnknownName("feature that rules can mirror", name, FEATURES)
        if self.config.pairs == "every":
            return MirrorPlan(self.config.features or _MARKDOWN, {})
        pairs = [choice for choice in map(choice_of, examples) if choice.is_pair]
        names = self.config.features or tuple(FEATURES)
        signs = {name: [_sign(name, choice) for choice in pairs] for name in names}
        if not self.config.features:
            names = tuple(name for name in names if _is_significant(signs[name], len(names)))
        shown = [
            "".join(_shown(signs[name][number]) for name in names) for number in range(len(pairs))
        ]
        return MirrorPlan(names, self._shares(Counter(shown), [sum(signs[name]) for name in names]))

    def _shares(self, patterns: Counter[str], sums: Sequence[int]) -> dict[str, float]:
        import numpy as np

        mirrored = [pattern for pattern in patterns if _sides_with(pattern, sums)]
        if self.config.pairs == "all" or not mirrored:
            return dict.fromkeys(mirrored, 1.0)
        counts = np.array([patterns[pattern] for pattern in mirrored], dtype=np.float64)
        # In a variant every feature is on the other side.
        variants = np.array([[-_value(sign) for sign in pattern] for pattern in mirrored])
        weights = covering_weights(counts[:, np.newaxis] * variants, np.array(sums, dtype=float))
        return {pattern: float(w) for pattern, w in zip(mirrored, weights, strict=True)}

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """One variant for the pairs that are drawn."""
        plan: MirrorPlan = self.artifact
        for row in batch:
            choice = choice_of(row)
            if not choice.is_pair:
                yield refused(row, "not a pair with a winner")
                continue
            if self.config.pairs == "every":
                yield self._mirrored(row, choice, "+" * len(plan.features))
                continue
            pattern = "".join(_shown(_sign(name, choice)) for name in plan.features)
            share = plan.shares.get(pattern, 0.0)
            if not share:
                yield refused(row, "the winner has none of the features")
            elif self.random(row).random() >= share:
                yield refused(row, "not drawn: the features are even without it")
            else:
                yield self._mirrored(row, choice, pattern)

    def _mirrored(self, row: Example, choice: Choice, pattern: str) -> Variant:
        plan: MirrorPlan = self.artifact
        winner = choice.winners[0]
        texts = list(choice.candidates)
        swapped = [n for n, sign in zip(plan.features, pattern, strict=True) if sign != "0"]
        for name in swapped:
            feature = FEATURES[name]
            wins = self.config.pairs == "every" or _sign(name, choice) > 0
            more, less = (winner, 1 - winner) if wins else (1 - winner, winner)
            texts[more] = feature.take(texts[more])
            texts[less] = feature.add(texts[less])
        after = Choice(tuple(texts), choice.winners)
        for name, sign in zip(plan.features, pattern, strict=True):
            if sign != "0" and _sign(name, after) * _value(sign) >= 0:
                return refused(row, "style is not swapped", f"{name}: {texts[winner]}"[:200])
        fields = {**row.fields, **candidate_fields(texts)}
        return Variant(row, fields, row.label, about={"mirrored": ", ".join(swapped)})


def _sides_with(pattern: str, sums: Sequence[int]) -> bool:
    """Whether a pair of this pattern has a feature on the side on which most pairs have it."""
    return any(_value(s) * total > 0 for s, total in zip(pattern, sums, strict=True))


def _sign(name: str, choice: Choice) -> int:
    """1: the winner has more of the feature; -1: the loser has."""
    winner = choice.winners[0]
    loser = 1 - choice.winners[0]
    amount = FEATURES[name].amount
    first = amount(choice.candidates[winner])
    second = amount(choice.candidates[loser])
    return (first > second) - (first < second)


def _is_significant(signs: Sequence[int], tests: int) -> bool:
    """The exact sign test in both directions, corrected for all features."""
    p = min(signed_sums_p(signs), signed_sums_p([-sign for sign in signs]))
    return 2 * tests * p <= _ALPHA


def _shown(sign: int) -> str:
    return "-0+"[sign + 1]


def _value(sign: str) -> int:
    return "-0+".index(sign) - 1
