"""Checks that every augmenter and every finder must pass, for augkit's own and for yours.

    from augkit.testing import check_augmenter, check_dataset, check_finder

    def test_contract():
        check_augmenter("my-method")          # a registered name, or the class itself
        check_augmenter("joined", settings={"file": path})      # with required settings
        check_finder("my-finder")

    def test_data():
        check_dataset("train.jsonl", contract="contract.yaml")      # as ``augkit check`` does

No model is needed: a scripted one answers every request with made-up text that fits it. A broken
promise is an ``AssertionError`` that says which one and for which text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.core.types import EMPTY, Example
from augkit.testing.checks import CHECKS
from augkit.testing.datasets import check_dataset
from augkit.testing.finders import check_finder
from augkit.testing.kit import ORDINARY, kit_of, label_letter, no_network

__all__ = [
    "CHECKS",
    "ORDINARY",
    "check_augmenter",
    "check_dataset",
    "check_finder",
    "kit_of",
    "label_letter",
    "no_network",
]


def check_augmenter(
    method: str | type[Augmenter[Any]],
    examples: Sequence[Example] = ORDINARY,
    settings: Mapping[str, Any] = EMPTY,
) -> None:
    """Run every check on a registered name or a class, without a network.

    Args:
        method: A registered name, or a class.
        examples: The rows to try it on.
        settings: The settings that the method requires.
    """
    kit = kit_of(method, examples, settings)
    with no_network():
        for check in CHECKS:
            check(kit)
