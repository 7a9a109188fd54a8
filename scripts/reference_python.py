"""The page of public Python names, for ``reference.py``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from pydantic import BaseModel
from reference_tables import prose, settings_table, signature

import augkit

SUBMODULES = {
    "augkit.augmenters.base": ("Augmenter",),
    "augkit.core.config": ("MethodConfig", "FinderConfig"),
    "augkit.core.types": ("Provenance", "Cost", "refused"),
    "augkit.core.model_types": ("Message", "Request", "Reply"),
    "augkit.core.protocols": ("RegisteredFinder", "Target"),
    "augkit.core.results": ("Survey", "Table", "PredictedPair", "Score", "Difference"),
    "augkit.evaluation.metrics.base": ("BaseMetric", "Predictions"),
    "augkit.testing": ("check_augmenter", "check_finder", "check_dataset"),
    "augkit.augmenters.checks": ("length_within", "keeps", "edited_share", "TextGates"),
    "augkit.augmenters.adapters.from_callable": ("FromCallable",),
    "augkit.augmenters.llm_checks.written": ("TextGateSettings",),
    "augkit.prompts.overrides": ("read_prompts",),
    "augkit.llm.stack": ("open_llm",),
    "augkit.llm.settings": ("ConnectOptions",),
    "augkit.runs.execute": ("run",),
    "augkit.runs.settings": ("RunSettings",),
    "augkit.runs.manifest": ("read_manifest",),
    "augkit.models.classifiers.linear": ("LinearConfig", "train_linear"),
    "augkit.models.saved": ("load_classifier",),
    "augkit.models.robust.bias_view": ("BiasView",),
    "augkit.models.robust.methods": ("RobustConfig",),
    "augkit.models.robust.train": ("RobustTraining", "train_robust"),
    "augkit.shortcuts.grammar": ("GrammarFinder",),
    "augkit.models.ensembles.crossfit": ("load_ensemble", "train_crossfitted"),
    "augkit.attribution.linear": ("explain_linear",),
    "augkit.attribution.explanation": ("top_words",),
    "augkit.english.parser": ("SpacyParser",),
}
"""Public names of submodules: those that plug-ins need, and those that other pages use."""

METHODS = {
    "Augmenter": (
        *("augment", "__call__", "outcomes", "fit", "with_copies"),
        *("propose", "prepare", "random"),
    ),
    "BaseMetric": ("row_values", "score", "compare"),
    "GrammarFinder": ("load", "find", "trees", "explain"),
    "RegisteredFinder": ("survey", "fit", "find", "save", "load"),
    "SpacyParser": ("parse",),
}
"""Methods that users call or write, of classes that have others too."""
INTERFACES = ("Augmenter", "BaseMetric", "RegisteredFinder")
"""Classes that a plug-in derives from."""
VALUES = ("BiasView", "FromCallable", "RobustTraining", "Survey", "TextGates")
"""Classes whose methods are for augkit itself."""

_ABOUT = {
    "augkit.augmenters.base.Augmenter": (
        "The base class of a [method](../how-to/write-a-plugin.md), and what `create` and "
        "`from_callable` return. A composition has the first five methods; a method of your own "
        "writes `propose`, and `prepare` where it is fitted."
    ),
    "augkit.evaluation.metrics.base.Predictions": "A sequence of `PredictedPair`.",
    "augkit.llm.settings.ConnectOptions": "[The settings of a connection](settings.md#connection).",
    "augkit.runs.settings.RunSettings": "[The settings of a run](settings.md#a-run).",
    "augkit.models.classifiers.linear.LinearConfig": (
        "[The settings of a linear classifier](settings.md#model-linear)."
    ),
    "augkit.models.robust.methods.RobustConfig": (
        "[The settings of robust training](settings.md#model-robust)."
    ),
}


def python_page() -> Iterator[str]:
    """Every public name with its signature, its docstring and its arguments."""
    yield (
        "Names of `augkit`, imported on first use, then those of submodules: what plug-ins need, "
        "and what other pages use. Everything else may change without notice."
    )
    for title, thing in public_things():
        yield f"## {title}"
        yield _ABOUT.get(title) or _entry(title.rpartition(".")[2], thing)
        for method in methods_of(thing):
            yield f"### {thing.__name__}.{method.__name__}"
            yield _entry(method.__name__, method)


def public_things() -> Iterator[tuple[str, Any]]:
    """Title and object of all that is public: names of ``augkit``, then of its submodules."""
    for name in augkit.__all__:
        # ``augkit.runs`` is also the name of a package.
        yield f"augkit.{name}", augkit.__getattr__(name)
    for module, names in SUBMODULES.items():
        for name in names:
            yield f"{module}.{name}", getattr(import_module(module), name)


def methods_of(thing: Any) -> list[Callable[..., Any]]:
    """The public methods of a class of augkit that have a docstring of their own."""
    if not inspect.isclass(thing) or issubclass(thing, BaseModel) or thing.__name__ in VALUES:
        return []
    if thing.__name__ in METHODS:
        return [getattr(thing, name) for name in METHODS[thing.__name__]]
    return [
        member
        for name, member in vars(thing).items()
        if inspect.isfunction(member)
        and member.__module__.startswith("augkit")
        and not name.startswith("_")
        and inspect.getdoc(member)
    ]


def is_called(thing: Any) -> bool:
    """Whether users call it with arguments: no interface to write, no settings, no type."""
    if not inspect.isclass(thing):
        return inspect.isroutine(thing)
    return thing.__name__ not in INTERFACES and not issubclass(thing, BaseModel)


def _entry(name: str, thing: Any) -> str:
    if is_called(thing):
        return f"```text\n{name}{signature(thing)}\n```\n\n{prose(thing)}"
    settings = getattr(thing, "model_fields", ())
    return f"{prose(thing)}\n\n{settings_table(thing)}" if settings else prose(thing)
