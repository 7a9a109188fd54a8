"""A reward model of the user's: any function that scores a text, or a prompt and a text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.core.arrays import Floats
from augkit.core.errors import ConfigError, DataError

if TYPE_CHECKING:
    from augkit.core.choices import Choice

_SPEC = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


@dataclass(frozen=True)
class FunctionReward:
    """Calls ``function`` for every candidate, with its prompt where it takes two arguments."""

    function: Callable[..., Any]
    name: str
    reads_prompt: bool

    @property
    def config(self) -> dict[str, str]:
        """Its name."""
        return {"kind": "function", "name": self.name}

    def scores(self, choices: Sequence[Choice]) -> Floats:
        """What the function returns for each candidate: float[candidates]."""
        import numpy as np

        return np.array(
            [self._score(choice.prompt, text) for choice in choices for text in choice.candidates],
            dtype=np.float64,
        )

    def _score(self, prompt: str, text: str) -> float:
        returned = self.function(prompt, text) if self.reads_prompt else self.function(text)
        try:
            score = float(returned)
        except (TypeError, ValueError):
            score = float("nan")
        if not isfinite(score):
            raise DataError(
                f"{self.name} returned {returned!r} for '{text[:60]}': a reward model returns a "
                "finite number for each text"
            )
        return score


def is_function_spec(spec: str) -> bool:
    """Whether it has the form ``module:function``.

    >>> is_function_spec("rewards:score"), is_function_spec("openai:gpt-4o-mini")
    (True, False)
    """
    return _SPEC.fullmatch(spec) is not None


def function_reward(function: str | Callable[..., Any]) -> FunctionReward:
    """A function, or the one that ``module:function`` names, also in the current folder."""
    name = function if isinstance(function, str) else getattr(function, "__name__", "function")
    loaded = _load(function) if isinstance(function, str) else function
    try:
        taken = [
            parameter
            for parameter in signature(loaded).parameters.values()
            if parameter.kind in {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
        ]
    except (TypeError, ValueError):  # a built-in function: it scores the text
        return FunctionReward(loaded, name, reads_prompt=False)
    needed = sum(parameter.default is Parameter.empty for parameter in taken)
    if not taken or needed > 2:
        raise ConfigError(
            f"{name} takes {needed} arguments: a reward model is a function of a text, or of a "
            "prompt and a text"
        )
    return FunctionReward(loaded, name, reads_prompt=needed == 2)


def _load(spec: str) -> Callable[..., Any]:
    module_name, _, names = spec.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        loaded: Any = import_module(module_name)
    except ImportError as error:
        raise ConfigError(
            f"no reward model '{spec}': the module '{module_name}' cannot be imported ({error}). "
            "It is looked for in this folder and among the installed packages"
        ) from error
    finally:
        sys.path.remove(here)
    for name in names.split("."):
        loaded = getattr(loaded, name, None)
    if not callable(loaded):
        raise ConfigError(f"no reward model '{spec}': '{module_name}' has no function '{names}'")
    function: Callable[..., Any] = loaded
    return function
