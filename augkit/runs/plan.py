"""Everything that can be checked before a run writes or spends anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.augmenters.mix import Mix
from augkit.core import registry
from augkit.core.config import MethodConfig, validate
from augkit.core.errors import ConfigError, DataError, MissingTool
from augkit.datasets.columns import ReadOptions
from augkit.datasets.dataset import Dataset
from augkit.datasets.open import open_dataset
from augkit.datasets.scan import Survey, survey
from augkit.runs.engines.local import Pool, process_pool
from augkit.runs.engines.ray.session import Session, joined
from augkit.runs.engines.ray.workers import function_crew
from augkit.runs.row_work import Recipe
from augkit.runs.settings import RunSettings

_SMALL = 4
"""Blocks up to which a dataset is done sooner by one process than worker processes start."""


@dataclass(frozen=True)
class Plan:
    """A checked run: the method with its settings, the dataset and what a first look at it told."""

    settings: RunSettings
    method: type[Augmenter[Any]]
    config: MethodConfig
    dataset: Dataset
    survey: Survey
    mix: Mix
    workers: int
    pool: Pool | None
    """The processes that looked through the dataset, ready for the work; None: this one alone."""
    session: Session | None = None
    """The Ray that the work is done on; None: this machine."""

    @property
    def recipe(self) -> Recipe:
        """How any process makes the step."""
        return Recipe(self.method.name, self.config.model_dump_json(), self.settings.gates)

    @property
    def selected(self) -> int:
        """Rows that will be augmented."""
        limit = self.settings.limit
        return self.survey.rows if limit is None else min(limit, self.survey.rows)


@contextmanager
def planned(settings: RunSettings) -> Iterator[Plan]:
    """Check the settings, then the data; the cheap checks come first."""
    method: type[Augmenter[Any]] = registry.find("augmenters", settings.method)
    config = method_config(method, settings)
    for gate in settings.gates:
        registry.find("gates", gate)
    check_models(method, config, settings)
    dataset = open_dataset(settings.dataset, _read_options(settings))
    mix = settings.mix or method.mix
    with ExitStack() as closing:
        session = None
        if settings.engine == "ray":
            own = settings.workers if settings.llm == "offline" else None
            session = closing.enter_context(joined(settings.ray_address, own))
        shared = config.loads_model
        workers = _workers(settings, dataset, session, shared=shared)
        pool: Pool | None = None
        # A method that sees all rows together works here, whatever the engine.
        alone = workers == 1 or (session is not None and method.scope == "corpus")
        if settings.llm == "offline" and not alone:
            pool = (
                closing.enter_context(process_pool(workers))
                if session is None
                else closing.enter_context(function_crew(session, workers))
            )
        found = survey(dataset) if pool is None else survey(dataset, pool.in_order)
        _check_labels(method, mix, found, dataset.name)
        yield Plan(settings, method, config, dataset, found, mix, workers, pool, session)


def method_config(method: type[Augmenter[Any]], settings: RunSettings) -> MethodConfig:
    """The method's validated settings; the run's seed is theirs."""
    if settings.options.get("seed", settings.seed) != settings.seed:
        raise ConfigError(
            f"the seed is given twice: {settings.seed} for the run and "
            f"{settings.options['seed']} for the method. Leave out --set seed"
        )
    options = {**settings.options, "seed": settings.seed}
    config = validate(method.Config, options, f"settings of '{method.name}'")
    settled: MethodConfig = method.resolve_config(config, settings.mix or method.mix)
    return settled


def check_models(method: type[Augmenter[Any]], config: MethodConfig, settings: RunSettings) -> None:
    """Every back end is known, and every tool that the method needs is asked for."""
    asked = {"llm": settings.llm, "judge": settings.judge_llm or "offline"}
    for tool, spec in asked.items():
        if spec != "offline":
            registry.find("llms", spec.partition(":")[0])
        elif tool in method.needs | config.needs:
            raise MissingTool(method.name, tool)


def _read_options(settings: RunSettings) -> ReadOptions:
    return ReadOptions(
        text_columns=settings.text_columns,
        label_column=settings.label_column,
        id_column=settings.id_column,
        subset=settings.subset,
        quotes=settings.quotes,
        data_folder=settings.data_folder,
    )


def _workers(
    settings: RunSettings, dataset: Dataset, session: Session | None, *, shared: bool
) -> int:
    """How many work at once; here, a method whose model would be loaded by each works alone."""
    if settings.workers is not None:
        return settings.workers
    if settings.llm != "offline":
        return settings.connection.workers
    if session is not None:
        return session.cpus
    if shared:
        return 1
    small = sum(1 for _ in islice(dataset.blocks(), _SMALL + 1)) <= _SMALL
    return 1 if small else os.cpu_count() or 1


def _check_labels(method: type[Augmenter[Any]], mix: Mix, found: Survey, name: str) -> None:
    labels = sorted(label for label in found.labels if label is not None)
    if mix == "balance" and not labels:
        raise DataError(f"{name}: --mix balance needs labels, and no row has one (--label-column)")
    if len(labels) < method.labels_needed:
        have = f"only '{labels[0]}'" if labels else "none"
        raise DataError(
            f"{name}: '{method.name}' needs at least {method.labels_needed} different labels "
            f"and found {have}. Name the column with --label-column, or choose another split"
        )
