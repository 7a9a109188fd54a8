"""The promises of every augmenter, a function each."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isclose
from pathlib import Path
from typing import Any

import yaml

from augkit.augmenters.base import Augmenter
from augkit.core.config import validate
from augkit.core.edits import apply
from augkit.core.errors import ConfigError, NotFitted
from augkit.core.types import Example, Outcome, Pair, Variant, example
from augkit.core.yaml_files import parse_yaml
from augkit.testing.kit import HARD, Kit

_NOTHING_MADE = (
    "nothing was made. Pass examples=[augkit.example(text, label), …] in which the method changes "
    "something, or settings={…} with which it changes the ordinary ones"
)


def batches_do_not_matter(kit: Kit) -> None:
    """One by one, in batches of any size and in any order, each row gives the same."""
    if kit.method.scope != "example":
        return
    augmenter = kit.make(copies=2)
    alone = {row.id: list(augmenter.outcomes([row])) for row in kit.examples}
    in_order = kit.examples
    reverse = kit.examples[::-1]
    for size, rows in ((1, reverse), (3, in_order), (3, reverse), (1000, in_order)):
        together = kit.outcomes(rows, copies=2, batch_size=size)
        expected = [outcome for row in rows for outcome in alone[row.id]]
        _same(kit, together, expected, f"batches of {size} differ from rows one by one")


def the_same_work_gives_the_same_ids(kit: Kit) -> None:
    """Two augmenters with one seed and one config agree in everything, ids included."""
    first, second = (kit.outcomes(kit.examples, seed=7, copies=2) for _ in range(2))
    _same(kit, first, second, "the same seed gave something else")
    ids = [pair.variant.id for pair in _pairs(first)]
    _hold(kit, len(ids) == len(set(ids)), "two variants have one id")


def edits_lead_to_the_variant(kit: Kit) -> None:
    """A variant names existing parents, and its edits turn the first one into it."""
    row_of = {row.id: row for row in kit.examples}
    for pair in _pairs(kit.outcomes(kit.examples, copies=2)):
        parents = pair.provenance.parents
        _hold(kit, bool(parents) and set(parents) <= set(row_of), "a parent does not exist", pair)
        before = row_of[parents[0]].fields
        edits = pair.provenance.edits
        spans_fit = all(before[edit.field][edit.start : edit.end] == edit.before for edit in edits)
        _hold(kit, spans_fit, "an edit's 'before' is not in the parent", pair)
        after = apply(before, edits)
        _hold(kit, after == dict(pair.variant.fields), "the edits do not give the variant", pair)


def a_changed_label_is_said(kit: Kit) -> None:
    """A variant with another label than its row's does not say that the label was kept."""
    needs = kit.method.needs | kit.unfitted().config.needs
    for tried in (kit,) if needs else (kit, replace(kit, offline=True)):
        for pair in _pairs(tried.outcomes(kit.examples, copies=2)):
            after = pair.variant.label
            before = pair.original.label
            source = pair.provenance  # the label of a choice is a place, which an order changes
            declared = after == before or source.contract != "kept" or "order" in source.about
            what = f"the label {before!r} became {after!r}, but the contract of the draft is 'kept'"
            _hold(kit, declared, f"{what}: pass contract='flipped', or 'unknown'", pair)


def nothing_is_re_emitted(kit: Kit) -> None:
    """No variant equals its original or is one of the inputs, and none is given twice."""
    seen: set[tuple[str, ...]] = set()
    for pair in _pairs(kit.outcomes(kit.examples, copies=3)):
        content = (pair.original.id, str(pair.variant.label), *pair.variant.fields.values())
        same = dict(pair.variant.fields) == dict(pair.original.fields)
        _hold(kit, not same, "a variant equals its original", pair)
        _hold(kit, pair.variant.id not in {row.id for row in kit.examples}, "an input came out")
        _hold(kit, content not in seen, "a variant was given twice", pair)
        seen.add(content)


def the_config_survives_yaml(kit: Kit) -> None:
    """Settings survive YAML; the error for an unknown key names the nearest one."""
    config = kit.make(seed=3).config
    written = yaml.safe_dump(config.model_dump(mode="json"))
    read = validate(kit.method.Config, parse_yaml(written, "round trip"))
    _hold(kit, read == config, "the config changed on its way through YAML")
    try:
        validate(kit.method.Config, {"seeed": 3})
    except ConfigError as error:
        _hold(kit, "'seed'" in str(error), f"an unknown key did not name the nearest one: {error}")
    else:
        _hold(kit, condition=False, what="an unknown key was accepted")


def costs_add_up(kit: Kit) -> None:
    """The costs of all outcomes add up to what the model was paid."""
    for judged in (False, True):
        checked = replace(kit, judged=judged)
        augmenter = checked.make(copies=2)
        total = kit.llm.spent
        for outcome in augmenter.outcomes(kit.examples):
            total += outcome.provenance.cost if isinstance(outcome, Pair) else outcome.cost
        same = replace(total, usd=0) == replace(kit.llm.spent, usd=0)
        _hold(
            kit,
            same and isclose(total.usd or 0.0, kit.llm.spent.usd or 0.0),
            f"costs add up to {total}, paid: {kit.llm.spent}",
        )


def something_is_made(kit: Kit) -> None:
    """At least one ordinary text has a variant: with the scripted model, or by rules alone.

    A method that checks a model's texts may rightly reject all that a scripted model makes up.
    """
    outcomes = kit.outcomes(kit.examples)
    if any(isinstance(outcome, Variant) and outcome.weight is not None for outcome in outcomes):
        return  # it chooses among rows
    if not _pairs(outcomes) and "llm" not in kit.method.needs:
        outcomes = replace(kit, offline=True).outcomes(kit.examples)
    reasons = {outcome.reason for outcome in outcomes if isinstance(outcome, Variant)}
    _hold(kit, bool(_pairs(outcomes)), f"{_NOTHING_MADE}; reasons: {sorted(reasons)}")


def hard_texts_do_not_crash(kit: Kit) -> None:
    """Empty, long, foreign, broken or marked-up texts give a variant or a rejection."""
    augmenter = kit.make()
    for row in HARD:
        _answered(kit, augmenter, row)
        hard_pair = {"premise": "A good film.", "hypothesis": row.fields["text"]}
        _answered(kit, augmenter, example(hard_pair, row.label))


def artifacts_survive_saving(kit: Kit) -> None:
    """A method that is not fitted yet says so, and its artifact survives being saved."""
    learns = kit.method.learns
    if learns is None:
        return
    kit = replace(kit, judged=True)  # a method may be fitted for its judge alone
    fresh = kit.unfitted()
    try:
        list(fresh.outcomes(kit.examples))
    except NotFitted:
        pass
    else:
        _hold(kit, condition=False, what="it worked before it was fitted")
    fitted = kit.make()
    with tempfile.TemporaryDirectory() as folder:
        fitted.artifact.save(Path(folder))
        again = fresh.with_artifact(learns.load(Path(folder)))
    expected = list(fitted.outcomes(kit.examples))
    _same(kit, list(again.outcomes(kit.examples)), expected, "the saved artifact differs")


CHECKS: tuple[Callable[[Kit], None], ...] = (
    batches_do_not_matter,
    the_same_work_gives_the_same_ids,
    edits_lead_to_the_variant,
    a_changed_label_is_said,
    nothing_is_re_emitted,
    the_config_survives_yaml,
    costs_add_up,
    something_is_made,
    hard_texts_do_not_crash,
    artifacts_survive_saving,
)
"""One function for each promise; each takes a ``Kit``."""


def _answered(kit: Kit, augmenter: Augmenter[Any], row: Example) -> None:
    shown = {name: text[:40] for name, text in row.fields.items()}
    try:
        outcomes = list(augmenter.outcomes([row]))
    except Exception as error:
        raise AssertionError(f"{kit.method.name}: {error!r} for {shown!r}") from error
    _hold(kit, bool(outcomes), f"no answer at all for {shown!r}")
    for outcome in outcomes:
        stated = isinstance(outcome, Pair) or bool(outcome.reason)
        _hold(kit, stated, f"a rejection without a reason for {shown!r}")


def _pairs(outcomes: Sequence[Outcome]) -> list[Pair]:
    return [outcome for outcome in outcomes if isinstance(outcome, Pair)]


def _same(kit: Kit, got: list[Outcome], expected: list[Outcome], what: str) -> None:
    for outcome, wanted in zip(got, expected, strict=False):
        _hold(kit, outcome == wanted, f"{what}: {outcome} instead of {wanted}")
    _hold(kit, len(got) == len(expected), f"{what}: {len(got)} outcomes, not {len(expected)}")


def _hold(kit: Kit, condition: bool, what: str, pair: Pair | None = None) -> None:
    if not condition:
        where = f" ({dict(pair.original.fields)} → {dict(pair.variant.fields)})" if pair else ""
        raise AssertionError(f"{kit.method.name}: {what}{where}")
