"""What is installed, for ``augkit list`` and the reference pages; what is missing, and the fix."""

from __future__ import annotations

import inspect
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from augkit.augmenters.base import Augmenter
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.datasets.lookup import local_splits
from augkit.datasets.named import NamedDataset, known_datasets
from augkit.datasets.settings import ReadOptions


def catalogue(kind: str) -> list[dict[str, object]]:
    """The rows of one kind."""
    return _LISTS[kind]()


def _methods() -> list[dict[str, object]]:
    methods = [registry.find("augmenters", name) for name in registry.names("augmenters")]
    return [
        {
            "name": method.name,
            "description": _first_sentence(method),
            "needs": _needs(method),
            "labels": method.labels_needed or "not used",
            "fits first": "yes" if method.learns else "no",
            "scope": method.scope,
            "mix": method.mix,
        }
        for method in methods
    ]


def _needs(method: type[Augmenter[Any]]) -> str:
    """The tools and settings without which it does not work."""
    needed = [_TOOLS.get(tool, tool) for tool in sorted(method.needs)]
    try:
        if method.Config().needs - method.needs:
            sentence = _first_sentence(method.Config.needs).rstrip(".")
            needed.append(sentence[:1].lower() + sentence[1:])
    except ValidationError as error:
        for name in sorted({str(fault["loc"][0]) for fault in error.errors()}):
            meaning = method.Config.model_fields[name].description
            needed.append(f"the setting {name} ({meaning})")
    return ", ".join(needed) or "nothing"


_TOOLS = {"llm": "a language model (--llm)", "judge": "a model that judges (judge_llm)"}


def settings_of(kind: str, name: str) -> list[dict[str, object]]:
    """The settings of a method or a finder: name, default, description."""
    if kind not in _CONFIGURED:
        return []
    config: type[BaseModel] = registry.find(_CONFIGURED[kind], name).Config
    return [
        {
            "setting": key,
            "default": "required" if field.is_required() else _shown(field.get_default()),
            "description": field.description or "",
        }
        for key, field in config.model_fields.items()
    ]


def main_settings(
    kind: str, name: str, settings: Sequence[dict[str, object]]
) -> Sequence[dict[str, object]]:
    """The settings that most people need: those that it names, or its own with copies and seed."""
    if not settings:
        return settings
    config: type[BaseModel] = registry.find(_CONFIGURED[kind], name).Config
    named = getattr(config, "main_settings", ())
    rare = MethodConfig.model_fields.keys() - {"copies", "seed"}
    return [
        setting
        for setting in settings
        if (setting["setting"] in named if named else setting["setting"] not in rare)
    ]


def _shown(value: object) -> str:
    """A default as it would be written in YAML; what is made at run time is left out."""
    if isinstance(value, BaseModel) or value is None:
        return ""
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


_CONFIGURED = {"methods": "augmenters", "finders": "finders"}
"""Kinds whose members have settings → their entry-point group."""


def _datasets() -> list[dict[str, object]]:
    return [
        {
            "name": dataset.name,
            "task": dataset.task,
            "fields": ", ".join(dataset.fields),
            "here": _is_here(dataset),
            "from": "bundled" if dataset.bundled else dataset.hub or "your data folder",
        }
        for dataset in known_datasets().values()
    ]


def _is_here(dataset: NamedDataset) -> str:
    """Whether the dataset is on this machine: bundled, or in the data folder."""
    return "yes" if local_splits(dataset.name, ReadOptions()) else "no"


def _described(group: str) -> list[dict[str, object]]:
    return [
        {"name": name, "description": _first_sentence(registry.find(group, name))}
        for name in registry.names(group)
    ]


def _benchmarks() -> list[dict[str, object]]:
    benchmarks = [registry.find("benchmarks", name) for name in registry.names("benchmarks")]
    return [
        {
            "name": benchmark.name,
            "description": benchmark.about,
            "scores": ", ".join(f"{name} ({rule.model})" for name, rule in benchmark.rules.items()),
            "data": "bundled" if benchmark.bundled else f"bias/{benchmark.path}",
        }
        for benchmark in benchmarks
    ]


_CLASSIFIER = "train --model, evaluate --model"
_MODELS = {
    "linear": (_CLASSIFIER, "a linear classifier of words and their neighbours; the default"),
    "encoder:PATH": (_CLASSIFIER, "a linear classifier on the vectors of a local encoder"),
    "transformers:PATH": (_CLASSIFIER, "a fine-tuned transformer"),
    "mlm:PATH": ("train --model", "a masked language model whose pre-training is continued"),
    "seq2seq:PATH": ("train --model", "a perturber that writes the whole text, as the paper's"),
    "llm:SPEC": (
        "evaluate --model, benchmark --model",
        "a language model that is asked, as llm:openai:NAME: `augkit list llms`",
    ),
}
"""What ``--model`` takes → the options that take it, and what it is."""


def _first_sentence(described: object) -> str:
    text = inspect.getdoc(described) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("``", "")


_LISTS: dict[str, Callable[[], list[dict[str, object]]]] = {
    "methods": _methods,
    "datasets": _datasets,
    "llms": lambda: _described("llms"),
    "models": lambda: [
        {"name": name, "description": description, "for": used}
        for name, (used, description) in _MODELS.items()
    ],
    "gates": lambda: _described("gates"),
    "metrics": lambda: _described("metrics"),
    "finders": lambda: _described("finders"),
    "benchmarks": _benchmarks,
}

_EXTRAS = {
    "data": ("datasets", "hub datasets, parquet files"),
    "nn": ("torch", "local models, transformers classifiers"),
    "local-llm": ("gguf", "GGUF files, answers in JSON by local models"),
    "explain": ("captum", "LIME, integrated gradients, Shapley values"),
    "ray": ("ray", "clusters"),
}


def diagnose(environment: Mapping[str, str]) -> list[dict[str, object]]:
    """One row per check: what, its state, and the fix."""
    rows = [_row("augkit", version("augkit")), _row("python", platform.python_version())]
    for extra, (package, purpose) in _EXTRAS.items():
        try:
            state = f"{package} {version(package)} ({purpose})"
            fix = ""
        except PackageNotFoundError:
            state = f"not installed ({purpose})"
            fix = f"pip install 'augkit[{extra}]'"
        rows.append(_row(f"extra {extra}", state, fix))
    folder = environment.get("AUGKIT_DATA")
    if not folder:
        state = "not set (optional)"
        fix = "export AUGKIT_DATA=FOLDER"
    elif not Path(folder).is_dir():
        state = "no such folder"
        fix = f"mkdir -p {folder}, or choose another"
    else:
        state = "found"
        fix = ""
    rows.append(_row("AUGKIT_DATA", state, fix))
    if environment.get("OPENAI_API_KEY"):
        state = "set (not shown)"
        fix = ""
    else:
        state = "not set (only for OpenAI's own server; a local one needs none)"
        fix = "export OPENAI_API_KEY=…"
    rows.append(_row("OPENAI_API_KEY", state, fix))
    return rows


def _row(what: str, state: str, fix: str = "") -> dict[str, object]:
    return {"what": what, "state": state, "fix": fix}
