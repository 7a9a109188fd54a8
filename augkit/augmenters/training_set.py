"""The training set that a run would write of some rows, in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.augmenters.compose import fitted_to, outcomes_of
from augkit.augmenters.create import create
from augkit.augmenters.mix import Mix, mixed, quotas, surplus
from augkit.core import registry
from augkit.core.errors import DataError
from augkit.core.protocols import Step
from augkit.core.types import Example, Outcome, Pair


def augmented_rows(
    step: Step | str,
    originals: Sequence[Example],
    mix: Mix | None = None,
    settings: Mapping[str, Any] | None = None,
) -> list[tuple[Example, Pair | None]]:
    """The training set that a run would write of these rows, in memory.

    A method given by its name is created, told how its variants join the originals, and fitted to
    the rows, as a run does it. So is any other step that has not been fitted yet.

    Args:
        step: The name of a method, or any step.
        originals: The rows.
        mix: How variants join the originals; the method's own way unless given.
        settings: Settings of the method, where ``step`` is a name.

    Returns:
        Each original with None for itself, or with the pair of a variant.
    """
    if isinstance(step, str):
        method: type[Augmenter[Any]] = registry.find("augmenters", step)
        of_mix = {"mix": mix or method.mix} if "mix" in method.Config.model_fields else {}
        step = create(step, **{**(settings or {}), **of_mix})
    if isinstance(step, Augmenter) and not step.is_fitted:
        check_suits(step, originals)
    step = fitted_to(step, originals)
    config = step.config if isinstance(step, Augmenter) else None
    own_mix: Mix = getattr(config, "mix", getattr(step, "mix", "append"))
    distinct = {original.id: original for original in originals}.values()
    per_row = None if config is None else config.variants_per_copy * config.copies
    seed = 0 if config is None else config.seed
    return training_set(originals, outcomes_of(step, distinct), mix or own_mix, per_row, seed)


def training_set(
    originals: Sequence[Example],
    outcomes: Iterable[Outcome],
    mix: Mix,
    per_row: int | None = None,
    seed: int = 0,
) -> list[tuple[Example, Pair | None]]:
    """The rows of a training set in memory, as a run writes them: row by row, variants after it.

    Args:
        originals: The rows, each with an id of its own unless equal ones get equal variants.
        outcomes: What a step gave for them.
        mix: How variants join the originals.
        per_row: Most variants of one row; None: all.
        seed: Chooses the variants that ``balance`` leaves out.

    Returns:
        Each original with None for itself, or with the pair of a variant.
    """
    pairs: dict[str, list[Pair]] = {}
    staying = set[str]()
    left_out = set[str]()
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            pairs.setdefault(outcome.original.id, []).append(outcome)
        elif outcome.stays:
            staying.add(outcome.parent.id)
        elif outcome.weight == 0:
            left_out.add(outcome.parent.id)
    written = {key: of_row[:per_row] for key, of_row in pairs.items()}
    rows: list[tuple[Example, Pair | None]] = []
    for original in originals:
        if original.id in left_out:
            continue
        of_row = [(original, pair) for pair in written.get(original.id, ())]
        rows += mixed((original, None), of_row, mix, stays=original.id in staying)
    if mix != "balance":
        return rows
    variants = [pair.variant for _, pair in rows if pair is not None]
    quota = quotas(
        Counter(original.label or "" for original, pair in rows if pair is None),
        Counter(variant.label or "" for variant in variants),
    )
    beyond = surplus(((variant.label, variant.id) for variant in variants), quota, seed)
    return [row for row in rows if row[1] is None or row[1].variant.id not in beyond]


def check_suits(method: Augmenter[Any], rows: Sequence[Example]) -> None:
    """Raise ``DataError`` where the method can do nothing with rows such as these."""
    labels = sorted({row.label for row in rows if row.label is not None})
    fault = method.data_fault(tuple(rows[0].fields), labels) if rows else ""
    if fault:
        raise DataError(fault)
