"""What features and cues are called: for people, and in files that outlive a change of the data."""

from __future__ import annotations

from augkit.shortcuts.cues import Cue, Feature
from augkit.shortcuts.features import is_amount
from augkit.text.features.kinds import FIRST_WORD, LAST_WORD


def cue_name(cue: Cue) -> str:
    """Write a cue as people read it: its phrase, its place where it has one, or its format.

    >>> cue = Cue(Feature("text", "last word", "ada"), (), (), "a", 9, 9, 0.5, 1.0, 1.0, 0.3, 0.0)
    >>> cue_name(cue)
    "last word 'ada'"
    """
    if len(cue.phrase) > len(cue.feature.words) > 0:
        return f"'{' '.join(cue.phrase)}'"
    return feature_name(cue.feature)


def feature_name(feature: Feature) -> str:
    """Write a feature as people read it.

    >>> feature_name(Feature("text", "token", "ada")), feature_name(Feature("text", "format", "~"))
    ("'ada'", '~')
    """
    if not feature.words:
        return feature.name
    place = f"{feature.kind} " if feature.kind in {FIRST_WORD, LAST_WORD} else ""
    return f"{place}'{feature.name}'"


def stable_name(feature: Feature) -> str:
    """Name a feature whatever the data: a bound of a length moves with them.

    >>> stable_name(Feature("text", "length in words", "over 12 words"))
    'long length in words'
    """
    if is_amount(feature.kind):
        side = "short" if feature.name.startswith("at most") else "long"
        return f"{side} {feature.kind}"
    return f"{feature.kind}: {feature.name}"
