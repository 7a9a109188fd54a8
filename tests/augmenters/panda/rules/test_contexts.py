"""The rows of contexts.yaml hold of their examples."""

import re
from dataclasses import replace
from random import Random

import pytest

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.rules.contexts import ContextRow, context_table
from augkit.commands.perturb import PerturbRequest, to_task
from augkit.core.types import Rejection
from augkit.english.parser import SpacyParser

TARGETS = {
    "gender": ("woman", "man", "non-binary"),
    "race": ("asian", "white"),
    "age": ("child", "senior"),
}
ROWS = [
    pytest.param(row, example, id=f"{row.id}: {example}")
    for row in context_table().rows
    for example in row.examples
]


@pytest.fixture(scope="module")
def rules() -> RulePerturber:
    return RulePerturber(SpacyParser())


@pytest.mark.parametrize(("row", "example"), ROWS)
def test_example_is_rejected_for_its_reason(
    row: ContextRow, example: str, rules: RulePerturber
) -> None:
    before, word, after = example.split("*", 2)
    text = before + word + after
    abouts = []
    for axis in row.axes or ("gender", "race", "age"):
        for target in row.targets or TARGETS[axis]:
            request = PerturbRequest(text, axis, target, word, len(before))
            task = to_task(request, Random(text))
            assert isinstance(task, PerturbTask)
            tasks = [task]
            if row.unless is not None and row.unless.pointed:
                tasks.append(replace(task, pointed=False))
            abouts += [
                answer.detail.rpartition(": ")[2]
                for answer in rules.perturb(tasks)
                if isinstance(answer, Rejection)
            ]
    assert row.about in abouts


def test_ids_are_unique_and_rows_have_examples() -> None:
    ids = [row.id for row in context_table().rows]
    assert len(ids) == len(set(ids))
    assert [row.id for row in context_table().rows if not row.examples] == []


def test_needed_words_are_whole_words() -> None:
    """A list of ``has`` is looked up by words: an ending left open would never be found."""
    contexts = [c for row in context_table().rows for c in (row, row.unless) if c and c.has]
    lists = {name for c in contexts for name in re.findall(r"\{(\w+)\}", c.has)}
    phrases = " ".join(context_table().lists[name] for name in lists)
    assert lists
    assert re.findall(r"\S*\w(?:\\w|\?)\S*", phrases) == []
