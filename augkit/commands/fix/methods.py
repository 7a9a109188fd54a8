"""Which methods fit a dataset and its cues, by what each declares, and how it is told the cues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.commands.fix.cues import Cue
from augkit.commands.fix.settings import FixSettings
from augkit.commands.split import LabelledData
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.errors import UserError
from augkit.lexicons.demographics.names import first_names
from augkit.runs.plan import make_plan
from augkit.runs.settings import RunSettings
from augkit.text.tokens import words

LLM_MARK = "-llm"
_FEWEST_ROWS = 5
"""Rows of other labels with a name, for it to be a counterpart: one in no row is a new cue."""


@dataclass(frozen=True)
class MethodTrial:
    """A method to try: the settings of its run."""

    name: str
    settings: RunSettings


@dataclass(frozen=True)
class Unfit:
    """A method that is not tried, and why."""

    name: str
    reason: str


def candidates(data: LabelledData, cues: Sequence[Cue], settings: FixSettings) -> list[str]:
    """The methods that break shortcuts: told the cue, or reading labels; not the random ones."""
    if settings.methods:
        return list(settings.methods)
    return [
        name
        for name in registry.names("augmenters")
        if _breaks_shortcuts(registry.find("augmenters", name), data, cues)
    ]


def _breaks_shortcuts(
    method: type[Augmenter[Any]], data: LabelledData, cues: Sequence[Cue]
) -> bool:
    if method.reads != "rows" or method.name == "compose":
        return False
    options = cue_options(method.Config, data, cues)
    return bool(options) or (options is not None and method.labels_needed > 1)


def cue_options(
    config: type[MethodConfig], data: LabelledData, cues: Sequence[Cue]
) -> dict[str, Any] | None:
    """The settings that tell a method the cues; none where it has none, None where it cannot be."""
    fields = config.model_fields
    cue_words = list(dict.fromkeys(word for cue in cues for word in cue.words))
    by_setting: Mapping[str, Any] = {
        "spurious_words": cue_words,
        "phrases": [" ".join(cue.phrase) for cue in cues if len(cue.phrase) > 1],
        "words": cue_words,
        "pairs": name_pairs(data, cues),
    }
    for setting, value in by_setting.items():
        is_list = setting in fields and isinstance(fields[setting].default, tuple)
        if is_list:
            return {setting: value} if value else None
    return {}


def name_pairs(data: LabelledData, cues: Sequence[Cue]) -> list[list[str]]:
    """Names of cues, each with a first name that is common with other labels."""
    pairs: list[list[str]] = []
    taken = {word for cue in cues for word in cue.words}
    for cue in cues:
        first = next((word for word in cue.words if word in first_names()), None)
        if not cue.is_name or first is None:
            continue
        common: Counter[str] = Counter()
        for row in data.examples:
            if row.label != cue.label:
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


def plan_trials(
    data: LabelledData,
    cues: Sequence[Cue],
    settings: FixSettings,
    train: Path,
    columns: Mapping[str, Any],
) -> tuple[list[MethodTrial], list[Unfit]]:
    """The methods that fit, with the settings of their runs; and those that do not, with why."""
    shared = {
        "dataset": str(train),
        "seed": settings.seed,
        "data_folder": settings.reading.data_folder,
        **columns,
    }
    trials: list[MethodTrial] = []
    unfit: list[Unfit] = []
    for name in candidates(data, cues, settings):
        method: type[Augmenter[Any]] = registry.find("augmenters", name)
        options = cue_options(method.Config, data, cues)
        if options is None:
            unfit.append(Unfit(name, "none of the cues fits it"))
            continue
        for trial in _trials(method, shared | {"options": options}, settings):
            if method.traits.english and not data.task.is_english and "llm" not in method.needs:
                unfit.append(Unfit(trial.name, "its rules know English alone"))
            elif reason := _fault(trial, settings):
                unfit.append(Unfit(trial.name, reason))
            else:
                trials.append(trial)
    return trials, unfit


def _fault(trial: MethodTrial, settings: FixSettings) -> str:
    """Why a run cannot be started; "" where it can."""
    try:
        with make_plan(trial.settings) as plan:
            loads = plan.config.loads_model
    except UserError as error:
        return str(error).splitlines()[0]
    return "it loads a large model; name it with --method" if loads and not settings.methods else ""


def _trials(
    method: type[Augmenter[Any]], values: dict[str, Any], settings: FixSettings
) -> Iterator[MethodTrial]:
    """The runs of a method: offline, and with the language model where it writes with one."""
    if {"phrases", "words"} & values["options"].keys():
        # Beside its original, a row without the cue leaves the cue as strong as it was.
        values = values | {"mix": "replace"}
    values = values | {"method": method.name}
    has_llm = settings.llm != "offline"
    if "llm" not in method.needs or not has_llm:
        yield MethodTrial(method.name, RunSettings(**values))
    if has_llm and method.traits.writing is not None:
        model = {"llm": settings.llm, "connection": settings.connection}
        yield MethodTrial(method.name + LLM_MARK, RunSettings(**values, **model))
