"""What is installed: rows for ``augkit list`` and the reference pages."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.core import registry
from augkit.datasets.named import named_datasets


def catalogue(kind: str) -> list[dict[str, object]]:
    """The rows of one kind."""
    return _LISTS[kind]()


def _methods() -> list[dict[str, object]]:
    return [_method(registry.find("augmenters", name)) for name in registry.names("augmenters")]


def _method(method: type[Augmenter[Any]]) -> dict[str, object]:
    return {
        "name": method.name,
        "description": _first_sentence(method),
        "needs": ", ".join(sorted(method.needs)) or "nothing",
        "labels": method.labels_needed or "not used",
        "fits first": "yes" if method.learns else "no",
        "scope": method.scope,
        "mix": method.mix,
    }


def _datasets() -> list[dict[str, object]]:
    return [
        {
            "name": dataset.name,
            "task": dataset.task,
            "fields": ", ".join(dataset.fields),
            "from": "bundled" if dataset.bundled else dataset.hub or "your data folder",
        }
        for dataset in named_datasets()
    ]


def _described(group: str) -> list[dict[str, object]]:
    return [
        {"name": name, "description": _first_sentence(registry.find(group, name))}
        for name in registry.names(group)
    ]


def _benchmarks() -> list[dict[str, object]]:
    chosen = [registry.find("benchmarks", name) for name in registry.names("benchmarks")]
    return [
        {
            "name": each.name,
            "description": each.about,
            "scores": ", ".join(f"{name} ({rule.model})" for name, rule in each.rules.items()),
            "data": "bundled" if each.bundled else f"bias/{each.path}",
        }
        for each in chosen
    ]


def _first_sentence(thing: object) -> str:
    text = inspect.getdoc(thing) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("``", "")


_LISTS: dict[str, Callable[[], list[dict[str, object]]]] = {
    "methods": _methods,
    "datasets": _datasets,
    "llms": lambda: _described("llms"),
    "gates": lambda: _described("gates"),
    "metrics": lambda: _described("metrics"),
    "finders": lambda: _described("finders"),
    "benchmarks": _benchmarks,
    "trackers": lambda: _described("trackers"),
}
