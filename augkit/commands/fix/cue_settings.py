"""How a method for labelled rows is told the cues: by the setting that takes words or pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from augkit.commands.fix.cues import Cue
from augkit.core.config import MethodConfig
from augkit.core.types import Example
from augkit.lexicons.demographics.names import first_names
from augkit.text.tokens import words

_FEWEST_ROWS = 5
"""Rows of other labels with a name, for it to be a counterpart: one in no row is a new cue."""


def cue_options(
    config: type[MethodConfig], examples: Sequence[Example], cues: Sequence[Cue]
) -> dict[str, Any] | None:
    """The settings that tell a method the cues; none where it has none, None where it cannot be."""
    fields = config.model_fields
    cue_words = list(dict.fromkeys(word for cue in cues for word in cue.words))
    by_setting: Mapping[str, Any] = {
        "spurious_words": cue_words,
        "phrases": [" ".join(cue.phrase) for cue in cues if len(cue.phrase) > 1],
        "words": cue_words,
        "pairs": name_pairs(examples, cues),
    }
    for setting, value in by_setting.items():
        is_list = setting in fields and isinstance(fields[setting].default, tuple)
        if is_list:
            return {setting: value} if value else None
    return {}


def name_pairs(examples: Sequence[Example], cues: Sequence[Cue]) -> list[list[str]]:
    """Names of cues, each with a first name that is common with other labels."""
    pairs: list[list[str]] = []
    taken = {word for cue in cues for word in cue.words}
    for cue in cues:
        first = next((word for word in cue.words if word in first_names()), None)
        if not cue.is_name or first is None:
            continue
        common: Counter[str] = Counter()
        for row in examples:
            if not cue.goes_with(row.label):
                names = {word for word in words(row.fields[cue.field]) if word[:1].isupper()}
                common.update(word for word in names if _is_first_name(word, taken))
        for name, count in common.most_common(1):
            if count >= _FEWEST_ROWS:
                taken.add(name.lower())
                pairs.append([first_names()[first].text, name])
    return pairs


def _is_first_name(word: str, taken: set[str]) -> bool:
    """Whether a word is a first name and nothing else, and not that of a cue."""
    name = first_names().get(word.lower())
    return name is not None and not name.also and word.lower() not in taken
