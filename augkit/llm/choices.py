"""Answers that are one of a few short strings: read from a text, weighed by log-probabilities."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, create_model

SPARE_TOKENS = 4
"""Tokens beside the choice itself: quotes, a full stop, the end of the answer."""

_AROUND = " \t\r\n\"'`*_()[]<>{}.,:;!-"
"""Characters that may stand before or after a choice."""
_INTRODUCED = re.compile(r"(?:\banswer|\bchoice|\boption|\bis|:)\s*(\S+)\s*\Z", re.IGNORECASE)


class Position(NamedTuple):
    """A token of an answer, and the log-probabilities of what could have stood in its place."""

    token: str
    alternatives: Mapping[str, float]


def read_choice(choices: Sequence[str], text: str) -> str | None:
    """The choice that a text states; None where it states none.

    >>> read_choice(("A", "B"), "**B**."), read_choice(("A", "B"), "A: it is good")
    ('B', 'A')
    >>> read_choice(("A", "B"), "A good film")
    """
    lines = text.strip().splitlines() or [""]
    introduced = _INTRODUCED.search(lines[-1])
    stated = [text, re.split(r"[:.,;)\n]", text.strip(_AROUND), maxsplit=1)[0]]
    stated += [introduced.group(1)] if introduced else []
    for same in (str, str.casefold):
        choice_of = {
            same(choice.strip(_AROUND)): choice for choice in reversed(choices)
        }  # the first of two that differ in case only
        for statement in stated:
            if (choice := choice_of.get(same(statement.strip(_AROUND)))) is not None:
                return choice
    return None


def choice_tokens(choices: Sequence[str]) -> int:
    """The most tokens that an answer needs: no tokenizer makes more than there are bytes."""
    return max(len(choice.encode("utf-8", "replace")) for choice in choices) + SPARE_TOKENS


@lru_cache(maxsize=256)
def choice_model(choices: tuple[str, ...]) -> type[BaseModel]:
    """A model with one field, ``choice``, for servers that answer in JSON."""
    options: Any = Literal[choices]
    return create_model("Choice", choice=(options, ...))


def choice_probabilities(choices: Sequence[str], positions: Sequence[Position]) -> dict[str, float]:
    """The probability of each choice, normalised over all; empty where they are unknown.

    The answer is followed until one of its tokens leaves a single choice. An alternative token
    that leaves a single choice gives its probability to it, times that of the tokens before.
    """
    mass = dict.fromkeys(choices, 0.0)
    done = ""
    reached = 1.0
    for token, alternatives in positions:
        fits = _fitting(choices, done + token)
        if not fits:
            # Text before the answer, as "Answer:" or the beginning of a JSON object.
            mass = dict.fromkeys(choices, 0.0)
            done = ""
            reached = 1.0
            continue
        for alternative, log_probability in alternatives.items():
            if len(left := _fitting(choices, done + alternative)) == 1:
                mass[left[0]] += reached * math.exp(min(0.0, log_probability))
        if len(fits) == 1:
            break
        done += token
        reached *= math.exp(min(0.0, alternatives.get(token, 0.0)))
    else:
        mass |= {choice: reached for choice in choices if choice == done.strip(_AROUND)}
    total = sum(mass.values())
    return {choice: share / total for choice, share in mass.items()} if total > 0 else {}


def _fitting(choices: Sequence[str], beginning: str) -> list[str]:
    """The choices that an answer with this beginning can still state; all for an empty one."""
    stated = beginning.lstrip(_AROUND)
    if not stated:
        return list(choices) if not beginning.strip() else []
    return [
        choice
        for choice in choices
        if choice.startswith(stated)
        or (stated.startswith(choice) and not stated[len(choice)].isalnum())
    ]
