"""The plan of a run: everything that can be checked before it writes or spends anything."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from augkit.augmenters.base import Augmenter
from augkit.augmenters.checks import row_language
from augkit.augmenters.compose_settings import ComposeConfig
from augkit.augmenters.fields import check_field_settings
from augkit.augmenters.mix import Mix
from augkit.core import registry
from augkit.core.config import FinderConfig, MethodConfig, validate
from augkit.core.errors import ConfigError, DataError, MissingTool, UnknownName
from augkit.core.progress import report_progress
from augkit.core.protocols import RegisteredFinder, Tools
from augkit.core.types import Example, digest
from augkit.datasets.dataset import Dataset
from augkit.datasets.load import open_dataset
from augkit.datasets.rows import read_block
from augkit.datasets.scan import DatasetScan, scan_dataset
from augkit.datasets.schema import Schema
from augkit.datasets.settings import ReadOptions
from augkit.datasets.shapes.find import guarded_schema
from augkit.datasets.shapes.texts import EVERY_ROLE, Chat
from augkit.prompts.load import BUNDLED, PromptSet
from augkit.prompts.overrides import read_prompts
from augkit.runs.engines.processes import ProcessPool, process_pool
from augkit.runs.engines.ray import check_ray
from augkit.runs.row_work import StepSpec
from augkit.runs.settings import RunSettings, check_places
from augkit.shortcuts.fit import check_classifier, finder_config
from augkit.text.screen import show_error

_FEW_BLOCKS = 4
"""A dataset of so few blocks is done before worker processes would have started."""
_FEW_ROWS = 1000
"""So many rows of a larger one are, too."""


@dataclass(frozen=True)
class FinderPlan:
    """A finder with its settings, and the folder of a classifier for it."""

    finder: type[RegisteredFinder]
    config: FinderConfig
    classifier: Path | None

    @property
    def name(self) -> str:
        """The registered name."""
        return self.finder.name

    @property
    def classifier_digest(self) -> str:
        """Names the classifier's files: other weights give another fitted finder."""
        if self.classifier is None:
            return ""
        files = sorted(path for path in self.classifier.rglob("*") if path.is_file())
        return digest(*(blake2b(path.read_bytes()).hexdigest() for path in files))

    def record(self) -> dict[str, Any]:
        """The entry of the manifest."""
        return {"name": self.name, "config": self.config.model_dump(mode="json")}


_LANGUAGE_ROWS = 500
"""Rows whose language is checked before the work."""


@dataclass(frozen=True)
class Plan:
    """A checked run: the method with its settings, and the dataset with its scan."""

    settings: RunSettings
    method: type[Augmenter[Any]]
    config: MethodConfig
    dataset: Dataset
    scan: DatasetScan
    mix: Mix
    workers: int
    pool: ProcessPool | None
    """The processes that scanned the dataset, ready for the work; None: this one alone."""
    scope: Literal["example", "corpus"] = "example"
    """What the method sees at once; that of a composition depends on its steps."""
    on_ray: bool = False
    """Whether a Ray cluster does the work."""
    finder: FinderPlan | None = None
    prompts: PromptSet = BUNDLED
    started: float = dataclass_field(default_factory=time.monotonic)
    """When the plan was begun, by the monotonic clock."""

    @property
    def step_spec(self) -> StepSpec:
        """How any process builds the step."""
        classifier = self.settings.classifier if "classifier" in self.method.uses else None
        gates = self.settings.text_gates
        return StepSpec(
            self.method.name,
            self.config.model_dump_json(),
            self.settings.gates,
            finder="" if self.finder is None else self.finder.name,
            classifier="" if classifier is None else str(classifier.resolve()),
            prompts=self.prompts,
            text_gates="" if self.settings.llm == "offline" else gates.model_dump_json(),
        )

    @property
    def per_row(self) -> int:
        """Most variants of one row in the training set."""
        return self.settings.per_row or self.config.variants_per_copy * self.config.copies

    @cached_property
    def augmented(self) -> Sequence[int]:
        """The numbers of the rows that will be augmented."""
        return self.settings.numbers(self.scan.rows)

    @property
    def written(self) -> Sequence[int]:
        """The numbers of the rows that go into the training set."""
        return range(self.scan.rows) if self.settings.keep_rest else self.augmented

    def first_rows(self, count: int) -> list[Example]:
        """The first rows that will be augmented."""
        return self.dataset.examples_at(self.augmented[:count], self.scan.repeats)


@contextmanager
def make_plan(settings: RunSettings) -> Iterator[Plan]:
    """Check the settings, then the data; the cheap checks come first."""
    started = time.monotonic()
    name = "compose" if "," in settings.method else settings.method
    method: type[Augmenter[Any]] = registry.find("augmenters", name)
    config = method_config(method, settings)
    for gate in settings.gates:
        registry.find("gates", gate)
    check_models(method, config, settings)
    prompts = read_prompts(settings.prompts, settings.examples)
    if settings.llm == "offline" and prompts != BUNDLED:
        raise ConfigError("prompts and examples are for a language model: pass --llm")
    finder = plan_finder(method, settings)
    # Settings that do not fit are an error now.
    augmenter = method(config, _planned_tools(method, settings))
    # One machine can wait for all calls of a language model, and must see all rows of a corpus.
    on_ray = settings.engine == "ray" and not settings.models and augmenter.scope == "example"
    if on_ray:
        check_ray(settings.ray_address)
    settings, dataset = _open(settings, augmenter)
    guarded = _guarded(dataset)
    config = _with_open_field(config, dataset.schema)
    mix = settings.mix or augmenter.mix
    pool = None
    with ExitStack() as closing:
        loads_model = config.loads_model or (finder is not None and finder.config.loads_model)
        workers = _workers(settings, dataset, loads_model=loads_model)
        if settings.engine == "local" and settings.llm == "offline" and workers > 1:
            pool = closing.enter_context(process_pool(workers))
        report_progress("reading the rows")
        scan = scan_dataset(dataset) if pool is None else scan_dataset(dataset, pool.in_order)
        _check_labels(augmenter, mix, scan, dataset)
        _check_language(method, config, settings, dataset)
        yield Plan(
            settings=settings,
            method=method,
            config=config,
            dataset=guarded,
            scan=scan,
            mix=mix,
            workers=workers,
            pool=pool,
            scope=augmenter.scope,
            on_ray=on_ray,
            finder=finder,
            prompts=prompts,
            started=started,
        )


def _open(settings: RunSettings, augmenter: Augmenter[Any]) -> tuple[RunSettings, Dataset]:
    """The dataset, as the method reads it, and the settings that say how it was read.

    An error where it has a column that would be written.
    """
    shared = ReadOptions.model_fields.keys() & RunSettings.model_fields.keys()
    reading = settings.model_dump(include=shared) | {"choices": augmenter.reads == "choices"}
    dataset = open_dataset(settings.dataset, ReadOptions(**reading))
    column = weight_column(augmenter.config)
    if column and any(column in row for row in next(dataset.blocks()).rows()):
        raise DataError(
            f"{dataset.name}: it has a column '{column}' already. Give the weights another one: "
            "--set weight_column=NAME"
        )
    has_chat = any(isinstance(shape, Chat) for shape in dataset.schema.shapes.values())
    if has_chat and augmenter.reads_whole_chats and "edit_roles" not in settings.model_fields_set:
        return _open(settings.model_copy(update={"edit_roles": (EVERY_ROLE,)}), augmenter)
    return settings, dataset


def _guarded(dataset: Dataset) -> Dataset:
    """The dataset with a schema that lets no column become untrue; an error where it would."""
    if dataset.schema.choice is not None:
        return dataset
    rows = next(dataset.blocks()).rows()
    schema, warnings = guarded_schema(dataset.name, rows, dataset.schema)
    for warning in warnings:
        show_error(warning)
    return replace(dataset, schema=schema)


def _with_open_field(config: MethodConfig, schema: Schema) -> MethodConfig:
    """The settings, where they name no field with the last one that may change."""
    if schema.choice is not None:
        return config
    check_field_settings(config, schema.fields)
    if not schema.locked or getattr(config, "field", "") is not None:
        return config
    edited = [name for name in schema.fields if name not in schema.locked]
    return config.model_copy(update={"field": edited[-1]})


def weight_column(config: MethodConfig) -> str:
    """The column in which a method, or one of its steps, writes what rows count; "": none."""
    if hasattr(config, "weight_column"):
        return str(config.weight_column) if getattr(config, "weights", False) else ""
    steps = getattr(config, "steps", ())
    return next(filter(None, (weight_column(step.config(config.seed)) for step in steps)), "")


def method_config(method: type[Augmenter[Any]], settings: RunSettings) -> MethodConfig:
    """The method's validated settings, with those that the run gives to all methods."""
    shared: dict[str, Any] = {"seed": settings.seed}
    if "mix" in method.Config.model_fields:
        shared["mix"] = settings.mix or method.mix
    if settings.label_order:
        if "label_order" not in method.Config.model_fields:
            raise ConfigError(
                f"label_order is for methods that flip labels (coba, autocad): "
                f"'{method.name}' does not use it. Leave it out"
            )
        shared["label_order"] = settings.label_order
    for key, of_run in shared.items():
        if settings.options.get(key, of_run) != of_run:
            raise ConfigError(
                f"the {key} is given twice: {of_run} for the run and "
                f"{settings.options[key]} for the method. Leave out --set {key}"
            )
    check_places(settings.options, method.name, method.Config)
    steps = [name.strip() for name in settings.method.split(",")]
    composed = {"how": "union", "steps": steps} if len(steps) > 1 else {}
    options = {**composed, **settings.options, **shared}
    return validate(method.Config, options, f"settings of '{method.name}'")


def check_models(method: type[Augmenter[Any]], config: MethodConfig, settings: RunSettings) -> None:
    """Check that every back end is known, and that every tool the method needs is given."""
    for spec in settings.models.values():
        kind, colon, _ = spec.partition(":")
        if not colon and kind not in registry.names("llms"):
            advice = f"A model needs its back end before it, as in openai:{spec}."
            raise UnknownName("back end", spec, registry.names("llms"), advice=advice)
        registry.find("llms", kind)
    if missing := (method.needs | config.needs) - settings.models.keys():
        raise MissingTool(method.name, max(missing))  # llm before judge


def _planned_tools(method: type[Augmenter[Any]], settings: RunSettings) -> Tools:
    planned: Any = object()  # stands for a tool that is opened or fitted later
    tools = dict.fromkeys(settings.models, planned)
    if settings.find is not None:
        tools["finder"] = planned
    if settings.classifier is not None and "classifier" in method.uses:
        tools["classifier"] = planned
    return Tools(**tools)


def plan_finder(method: type[Augmenter[Any]], settings: RunSettings) -> FinderPlan | None:
    """The finder that the settings name; an error where it, or a classifier, would be ignored."""
    classifier = settings.classifier
    if classifier is not None:
        from augkit.models.saved import load_classifier

        load_classifier(classifier)  # an error now, not after the dataset was scanned
    if settings.find is None:
        if classifier is not None:
            registry.check_uses(method, "classifier")
        return None
    registry.check_uses(method, "finder")
    finder: type[RegisteredFinder] = registry.find("finders", settings.find.name)
    if "classifier" not in method.uses:
        check_classifier(finder, used=classifier is not None)
    config = finder_config(finder, settings.find.options, settings.seed)
    return FinderPlan(finder, config, classifier if "classifier" in finder.uses else None)


def _workers(settings: RunSettings, dataset: Dataset, *, loads_model: bool) -> int:
    """How many workers; one where each would load a model of its own on this machine."""
    if settings.workers is not None:
        return settings.workers
    if settings.llm != "offline":
        return settings.connection.workers
    few = min(settings.limit or sys.maxsize, settings.sample or sys.maxsize) <= _FEW_ROWS
    if loads_model or (few and not settings.keep_rest):
        return 1
    blocks = sum(1 for _ in islice(dataset.blocks(), _FEW_BLOCKS + 1))
    return 1 if blocks <= _FEW_BLOCKS else os.cpu_count() or 1


def _check_language(
    method: type[Augmenter[Any]], config: MethodConfig, settings: RunSettings, dataset: Dataset
) -> None:
    """An error where a method that only knows English would see rows in other languages."""
    parts = [(method, config)]
    least = 1
    insist = "--set other_languages=keep"
    if isinstance(config, ComposeConfig):
        parts = [(step.augmenter, step.config(config.seed)) for step in config.steps]
        least = 1 if config.how == "chain" else len(parts)  # the others of a union still write
        insist = "other_languages: keep, among the options of the step"
    english_only = [
        part
        for part, part_config in parts
        if part.traits.english
        and not (part.traits.writing is not None and settings.llm != "offline")
        and not part_config.reads_any_language
    ]
    if len(english_only) < least or config.reads_any_language:
        return
    first = next(iter(dataset.blocks()), None)
    rows = [] if first is None else read_block(dataset.id_name, dataset.schema, first, {})
    sample = [row for row in rows[:_LANGUAGE_ROWS] if not row.fault]
    foreign = Counter(filter(None, map(row_language, sample)))
    if 2 * foreign.total() > len(sample):
        most = ", ".join(language for language, _ in foreign.most_common(3))
        raise DataError(
            f"{dataset.name}: {foreign.total() / len(sample):.0%} of the first {len(sample)} rows "
            f"are not English (most like: {most}), and '{english_only[0].name}' only knows "
            "English. Methods for any language: mask-words, typo, autocad, and those with an LLM. "
            f"To insist: {insist}"
        )


def _check_labels(method: Augmenter[Any], mix: Mix, scan: DatasetScan, dataset: Dataset) -> None:
    name = dataset.name
    labels = sorted(label for label in scan.labels if label is not None)
    if mix == "balance" and not labels:
        raise DataError(f"{name}: --mix balance needs labels, and no row has one (--label-column)")
    if len(labels) < method.labels_needed:
        have = f"only '{labels[0]}'" if labels else "none"
        raise DataError(
            f"{name}: '{method.name}' needs at least {method.labels_needed} different labels "
            f"and found {have}. Name the column with --label-column, or choose another split"
        )
    if fault := method.data_fault(tuple(dataset.schema.fields), labels):
        raise DataError(f"{name}: {fault}")
