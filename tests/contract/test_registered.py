"""Everything registered can be loaded and does what its group asks."""

from __future__ import annotations

from typing import get_args

import pytest

from augkit.augmenters.base import Augmenter
from augkit.augmenters.create import create
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.types import example
from augkit.evaluation.bias.benchmark import Benchmark
from augkit.evaluation.metrics.base import MetricInput

NAMES = [(group, name) for group in registry.GROUPS for name in registry.names(group)]


@pytest.mark.parametrize(("group", "name"), NAMES)
def test_every_name_loads(group, name):
    """What the package registers is really there; a benchmark is a description, not a function."""
    found = registry.find(group, name)
    assert isinstance(found, Benchmark) if group == "benchmarks" else callable(found)


@pytest.mark.parametrize("name", registry.names("benchmarks"))
def test_benchmarks_say_what_they_are(name):
    """A benchmark has a name, a direction, caveats, the path of its data, and scoring rules."""
    found = registry.find("benchmarks", name)
    assert found.name == name
    assert found.about
    assert found.caveats
    assert found.path
    assert found.direction in {"higher", "lower", "neither"}
    assert all(callable(rule.score) and rule.about for rule in found.rules.values())


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_metrics_say_what_they_are(name):
    """A metric has a name, a direction, the inputs it needs, and a docstring."""
    metric = registry.find("metrics", name)(interval="exact")
    assert metric.name == name
    assert metric.__doc__
    assert metric.direction in {"higher", "lower", "neither"}
    assert metric.inputs in get_args(MetricInput)


@pytest.mark.parametrize("name", registry.names("augmenters"))
def test_augmenters_say_what_they_are(name):
    """A method's class carries its registered name, strict settings that are all described."""
    found = registry.find("augmenters", name)
    assert issubclass(found, Augmenter)
    assert found.name == name
    assert found.__doc__
    assert issubclass(found.Config, MethodConfig)
    assert all(field.description for field in found.Config.model_fields.values())


@pytest.mark.parametrize("name", registry.names("gates"))
def test_gates_judge_a_pair(name):
    """A registered gate, made with its defaults, answers a pair with None or a reason."""
    gate = registry.find("gates", name)()
    (pair,) = create("swap", pairs=[["film", "movie"]])([example("A good film for all of us.")])
    assert gate(pair) is None
    (shouted,) = create("swap", pairs=[["film", "movie " * 40]])([example("film")])
    assert isinstance(gate(shouted), str)
