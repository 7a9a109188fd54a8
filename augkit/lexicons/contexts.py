"""Contexts in which a word speaks of nobody: sayings, and fields in which it is a term."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from augkit.config import parse_yaml


@cache
def sayings() -> re.Pattern[str]:
    """What finds any of the sayings.

    >>> sayings().search("One man's trash is another man's treasure.").group()
    "One man's trash is another man's"
    """
    return re.compile("|".join(_contexts()["sayings"]), re.IGNORECASE)


@cache
def field_cues() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """Word in lower case → for each field that it is a term of, what finds the cues.

    >>> [cue.search("the mattress is a queen").group() for cue in field_cues()["queens"][1:2]]
    ['mattress']
    """
    found: dict[str, list[re.Pattern[str]]] = defaultdict(list)
    for field in _contexts()["fields"]:
        cues = re.compile(rf"\b(?:{'|'.join(map(re.escape, field['cues']))})\b")
        for word in field["words"]:
            found[word].append(cues)
    return {word: tuple(cues) for word, cues in found.items()}


@cache
def _contexts() -> Mapping[str, Any]:
    text = files("augkit.lexicons").joinpath("data", "contexts.yaml").read_text(encoding="utf-8")
    contexts: Mapping[str, Any] = parse_yaml(text, "contexts.yaml")
    return contexts
