"""Cues of choices: what winners have more of, with the features that belong together as one.

The features are those of ``augkit check`` on choices, with its tests. "characters", "words" and
"sentences" say the same of the same items: they are one cue, and the strongest stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from augkit.augmenters.choices.style_rules import style_rules
from augkit.commands.check.choice_features import tested_features
from augkit.commands.check.choice_rows import CheckedChoices
from augkit.commands.check.contract import CheckContract
from augkit.commands.fix.parts import in_quotes
from augkit.core.arrays import Ints
from augkit.core.errors import ConfigError, did_you_mean
from augkit.text.features.amounts import FORMAT_AMOUNTS, WordAmount
from augkit.text.features.item_features import PLACE, ItemFeature, ItemTexts, item_features

_SAME_ITEMS = 0.8
"""Features that say the same of this share of their items are one cue."""
_LONGEST = 3
_OF_THE_PROMPT = "words of the prompt"


@dataclass(frozen=True)
class WinnerFeature:
    """What winners have more of, or less, and how often."""

    check: str
    name: str
    """As ``augkit check`` names it, without its direction."""
    phrase: str
    """What the winner does: "has more characters"."""
    association: float
    """Over all items: how far a rule that goes by it alone gets from chance (0) to 1."""
    share: float
    """Of the items that differ in it: how often the winner has it."""
    items: int
    """The items that differ in it."""

    @property
    def noun(self) -> str:
        """The same as a noun: "more characters"."""
        return self.phrase.removeprefix("has ").removeprefix("is at ")

    @property
    def kind(self) -> str:
        """What it is of: a form, a word or a place. Features of two kinds are two cues."""
        return {"length": "form", "format": "form", PLACE: "place"}.get(self.check, "word")


@dataclass(frozen=True)
class ChoiceCue:
    """Features that belong together, the strongest first, and whether they are a shortcut."""

    features: tuple[WinnerFeature, ...]
    is_likely: bool = False
    reason: str = ""
    is_usable = True
    is_stuck = False
    points_to = "the winner"

    @property
    def first(self) -> WinnerFeature:
        """The strongest feature, which stands for the cue."""
        return self.features[0]

    @property
    def name(self) -> str:
        """What ``--cue`` takes."""
        return self.first.name

    @property
    def title(self) -> str:
        """The cue in words, as in a sentence."""
        return in_quotes(self.first.noun)

    @property
    def also(self) -> tuple[str, ...]:
        """Its further features."""
        return tuple(feature.noun for feature in self.features[1:])

    @property
    def counts(self) -> str:
        """How often the winner has it, where the candidates differ."""
        return f"{self.first.share:.0%} of {self.first.items:,} items that differ"

    @property
    def strength(self) -> float:
        """Its association with the winner, over all items."""
        return self.first.association

    @property
    def note(self) -> str:
        """What a reward model cannot show about it; "" where it can show everything."""
        if self.first.kind != "place":
            return ""
        return (
            "A reward model reads one candidate at a time and cannot see its place; a model that "
            "reads all of them together can. The method positions evens the places out"
        )

    def signs(self, rows: ItemTexts) -> Ints:
        """For each item 1 where it points to the winner, -1 where to a loser, else 0."""
        import numpy as np

        signs = np.zeros(len(rows.choices), dtype=np.int64)
        if not rows.choices:
            return signs
        for feature in item_features(self.first.check, rows, 1, _LONGEST):
            if _undirected(feature.phrase) == _undirected(self.first.phrase):
                ranked = feature.ranked
                signs[ranked.varying[ranked.won == ranked.top]] = 1
                signs[ranked.varying[ranked.won == 0]] = -1
                return signs
        return signs

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "cue": self.name,
            "kind": self.first.check,
            "phrase": self.first.phrase,
            "also": list(self.also),
            "association": self.strength,
            "share": self.first.share,
            "items": self.first.items,
            "likely_shortcut": self.is_likely,
            "reason": self.reason,
        }


def _undirected(phrase: str) -> str:
    """A phrase of pairs as one of several candidates: "the most" is "more" of more than two."""
    return phrase.replace("has the most ", "has more ").replace("has the fewest ", "has fewer ")


def find_choice_cues(rows: CheckedChoices) -> list[ChoiceCue]:
    """What fails the checks of ``augkit check``, in groups; what finds most winners first."""
    contract = CheckContract()
    alpha = contract.alpha_of_choices(places_matter=rows.places_matter)
    tested, _ = rows.compared
    failing = [
        (check, feature)
        for check, section in contract.choice_associations.items()
        for feature, _ in tested_features(check, tested, section).failing(alpha)
    ]
    failing.sort(key=lambda pair: (-pair[1].ranked.association, pair[1].phrase))
    groups: list[tuple[ItemFeature, list[WinnerFeature]]] = []
    for check, feature in failing:
        described = _winner_feature(check, feature)
        together = (
            members
            for strongest, members in groups
            if members[0].kind == described.kind
            and _agree(strongest, feature, same_check=members[0].check == check)
        )
        members = next(together, None)
        if members is None:
            groups.append((feature, [described]))
        else:
            members.append(described)
    return [_judged(ChoiceCue(tuple(members))) for _, members in groups]


def _winner_feature(check: str, feature: ItemFeature) -> WinnerFeature:
    ranked = feature.ranked
    figures = (ranked.association, ranked.share, len(ranked.varying))
    return WinnerFeature(check, feature.name, feature.phrase, *figures)


def _agree(first: ItemFeature, feature: ItemFeature, *, same_check: bool) -> bool:
    """Whether two features say the same of most items; of one check, of most of the fewer ones."""
    sides = [
        set(zip(f.ranked.varying.tolist(), (f.ranked.won > 0).tolist(), strict=True))
        for f in (first, feature)
    ]
    sizes = sorted(map(len, sides))
    least = sizes[0] if same_check else sizes[1]
    return len(sides[0] & sides[1]) >= _SAME_ITEMS * least


def _judged(cue: ChoiceCue) -> ChoiceCue:
    """The cue, with whether it is likely a shortcut, and why."""
    check, name = cue.first.check, cue.first.name
    is_said = name == _OF_THE_PROMPT or isinstance(FORMAT_AMOUNTS.get(name), WordAmount)
    reasons = {
        "length": (True, "the length of an answer, which says nothing by itself"),
        PLACE: (True, "the place of an answer, not what it says"),
        "format": (True, "the form of an answer, not what it says"),
    }
    is_likely, reason = reasons.get(check, (False, "a word, which better answers may need"))
    if is_said:
        is_likely, reason = False, "what an answer says, which may make it better"
    elif _is_opening_or_closing(name):
        is_likely, reason = True, "an opening or closing, which answers nothing"
    return replace(cue, is_likely=is_likely, reason=reason)


def _is_opening_or_closing(phrase: str) -> bool:
    """Whether ``normalise`` takes a phrase away where it begins or ends an answer.

    >>> _is_opening_or_closing("great question"), _is_opening_or_closing("the answer")
    (True, False)
    """
    answer = "It is so."
    ends = (("openings", f"{phrase}! {answer}"), ("closings", f"{answer} {phrase}."))
    return any(style_rules()[rule].apply((text,))[0] == answer for rule, text in ends)


def named_choice_cues(
    rows: CheckedChoices, cues: Sequence[ChoiceCue], names: Sequence[str]
) -> list[ChoiceCue]:
    """The cues that the user names: one that was found, or any length, format or place.

    Raises ``ConfigError`` where no feature has the name, or where it says nothing of the winner.
    """
    chosen: list[ChoiceCue] = []
    for name in names:
        written = name.strip().lower()
        found = (_named_first(cue, written) for cue in cues)
        cue = next(filter(None, found), None) or _measured_cue(rows, name, cues)
        if cue not in chosen:
            chosen.append(cue)
    return chosen


def _named_first(cue: ChoiceCue, written: str) -> ChoiceCue | None:
    """The cue, led by its feature of that name, noun or phrase; None where it has none."""
    named = [feature for feature in cue.features if written in _names(feature)]
    others = (feature for feature in cue.features if feature not in named)
    return replace(cue, features=(*named, *others)) if named else None


def _names(feature: WinnerFeature) -> set[str]:
    """What a user may call a feature."""
    sign = feature.name.removeprefix("sign ")
    return {name.lower() for name in (feature.name, feature.noun, feature.phrase, sign)}


def _measured_cue(rows: CheckedChoices, name: str, cues: Sequence[ChoiceCue]) -> ChoiceCue:
    """A feature that no check names, in the direction in which it finds more winners."""
    tested, _ = rows.compared
    directions = [
        (check, feature)
        for check in ("length", "format", PLACE)
        for feature in item_features(check, tested, 1, _LONGEST)
        if name.strip().lower() in {feature.name.lower(), feature.phrase.lower()}
    ]
    if not directions:
        listed = [feature.name for cue in cues for feature in cue.features]
        raise ConfigError(
            f"--cue {name}: no candidates differ in it in {rows.source}."
            f"{did_you_mean(name, listed)} Of choices a cue is a length, a format, a place or a "
            f"word that augkit check finds: {', '.join(listed[:8]) or 'none here'}"
        )
    check, feature = max(directions, key=lambda pair: pair[1].ranked.association)
    if feature.ranked.association <= 0:
        raise ConfigError(f"--cue {name}: it does not go with the winner: there is nothing to fix")
    cue = ChoiceCue((_winner_feature(check, feature),))
    return replace(cue, is_likely=True, reason="you named it")
