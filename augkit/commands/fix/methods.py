"""Which methods fit a dataset and its cues, by what each declares, and how it is told the cues."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.commands.fix.parts import FixData
from augkit.commands.fix.settings import FixSettings
from augkit.core import registry
from augkit.core.errors import UserError
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings

_LLM_MARK = "-llm"


@dataclass(frozen=True)
class MethodTrial:
    """A method to try: the settings of its run."""

    name: str
    settings: RunSettings

    @property
    def is_paid(self) -> bool:
        """Whether it writes with a language model."""
        return self.settings.llm != "offline"


@dataclass(frozen=True)
class Unfit:
    """A method that is not tried, or was not finished, and why."""

    name: str
    reason: str
    exit_code: int = 0
    """That of the error which stopped it, once it was begun; 0: it was not begun."""

    @property
    def is_stopped(self) -> bool:
        """Whether it was begun, and could not be finished."""
        return bool(self.exit_code)


def candidates(data: FixData, cues: Sequence[Any], settings: FixSettings) -> list[str]:
    """The methods that break shortcuts: told the cue, or reading labels; not the random ones."""
    if settings.methods:
        return list(settings.methods)
    return [
        name
        for name in registry.names("augmenters")
        if _breaks_shortcuts(registry.find("augmenters", name), data, cues)
    ]


def _breaks_shortcuts(method: type[Augmenter[Any]], data: FixData, cues: Sequence[Any]) -> bool:
    if method.reads != data.reads or method.name == "compose":
        return False
    settings_by_mark = data.trial_options(method.Config, cues)
    is_informed = any(settings_by_mark.values())
    return is_informed or (
        bool(settings_by_mark) and (method.reads == "choices" or method.labels_needed > 1)
    )


def plan_trials(
    data: FixData,
    cues: Sequence[Any],
    settings: FixSettings,
    train: Path,
    columns: Mapping[str, Any],
) -> tuple[list[MethodTrial], list[Unfit]]:
    """The methods that fit, with the settings of their runs; and those that do not, with why."""
    shared = {
        "dataset": str(train),
        "seed": settings.seed,
        **columns,
    }
    trials: list[MethodTrial] = []
    unfit: list[Unfit] = []
    for name in candidates(data, cues, settings):
        method: type[Augmenter[Any]] = registry.find("augmenters", name)
        settings_by_mark = data.trial_options(method.Config, cues)
        if not settings_by_mark:
            unfit.append(Unfit(name, "none of the cues fits it"))
        for mark, options in settings_by_mark.items():
            for trial in _trials(method, mark, shared | {"options": options}, settings):
                if reason := _fault(method, trial, data, settings):
                    unfit.append(Unfit(trial.name, reason))
                else:
                    trials.append(trial)
    return trials, unfit


def _fault(
    method: type[Augmenter[Any]], trial: MethodTrial, data: FixData, settings: FixSettings
) -> str:
    """Why a run cannot be started; "" where it can."""
    if method.traits.english and not data.is_english and "llm" not in method.needs:
        return "its rules know English alone"
    if "llm" in method.needs and settings.llm == "offline":
        return "it needs a language model (--llm)"
    if method.traits.helps_with_llm and not trial.is_paid and not settings.methods:
        return "its rules alone seldom help; with a language model (--llm) it is tried"
    try:
        with make_plan(trial.settings) as plan:
            loads = plan.config.loads_model
    except UserError as error:
        return _why(str(error))
    return "it loads a large model; name it with --method" if loads and not settings.methods else ""


def _why(message: str) -> str:
    """The first sentence of an error, which says why; what follows is advice.

    >>> _why("train: 'contrast' reads pairs, and a row has one text. Name both columns")
    "'contrast' reads pairs, and a row has one text"
    """
    sentence = re.split(r"(?<=[^.])\. (?=[A-Z])", message.splitlines()[0])[0]
    return re.sub(r"^[\w./-]+: ", "", sentence)


def _trials(
    method: type[Augmenter[Any]], mark: str, values: dict[str, Any], settings: FixSettings
) -> Iterator[MethodTrial]:
    """The runs of a method: offline, and with the language model where it writes with one."""
    if {"phrases", "words"} & values["options"].keys():
        # Beside its original, a row without the cue leaves the cue as strong as it was.
        values = values | {"mix": "replace"}
    values, name = values | {"method": method.name}, method.name + mark
    has_llm = settings.llm != "offline"
    if "llm" not in method.needs or not has_llm:
        yield MethodTrial(name, RunSettings(**values))
    if has_llm and method.traits.writing is not None:
        model = {"llm": settings.llm, "connection": settings.connection}
        yield MethodTrial(name + _LLM_MARK, RunSettings(**values, **model))
