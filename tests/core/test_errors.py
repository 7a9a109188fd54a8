"""Errors say what was wrong and what to do."""

from __future__ import annotations

import inspect

import pytest

from augkit.core import errors
from augkit.core.errors import (
    AugkitError,
    MissingExtra,
    MissingTool,
    NotFitted,
    UnknownName,
    nearest,
)

CLASSES = [
    found
    for _, found in inspect.getmembers(errors, inspect.isclass)
    if issubclass(found, AugkitError)
]


@pytest.mark.parametrize("found", CLASSES)
def test_the_drawing_shows_every_class(found):
    """The tree at the top of the file names each error, and each says when it is raised."""
    assert found.__name__ in (errors.__doc__ or "")
    assert found.__doc__


@pytest.mark.parametrize("found", CLASSES)
def test_exit_codes_follow_the_tree(found):
    """2 is the user's mistake, 3 the budget, 4 a back end; 1 is nobody's."""
    expected = {"BudgetExhausted": 3, "BackendFailed": 4, "BatchPending": 5, "AugkitError": 1}
    assert found.exit_code == expected.get(found.__name__, 2)


def test_an_unknown_name_is_answered_with_the_nearest():
    """The message names the kind, the nearest name and all of them."""
    message = str(UnknownName("method", "razr", ["razor", "coba"]))
    assert message == "no method 'razr'. Did you mean 'razor'? Known: coba, razor."


def test_nothing_near_nothing_known():
    """Without a close name there is no guess, without names no list."""
    assert str(UnknownName("gate", "xyz", ["length"])) == "no gate 'xyz'. Known: length."
    assert str(UnknownName("gate", "xyz", [])) == "no gate 'xyz'."


@pytest.mark.parametrize(("word", "expected"), [("RAZOR", "razor"), ("zzz", None), ("", None)])
def test_nearest_ignores_case(word, expected):
    """Capitals do not matter, and a far name is no guess."""
    assert nearest(word, ["razor", "coba"]) == expected


def test_nearest_finds_capitals_too():
    """A known name with capitals is found by its lower-case spelling."""
    assert nearest("xy", ["XY"]) == "XY"


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        (MissingExtra("nn", "training"), "pip install 'augkit[nn]'"),
        (NotFitted("coba"), ".fit(examples)"),
        (MissingTool("paraphrase", "llm"), "--llm openai:MODEL"),
        (MissingTool("paraphrase", "judge"), "--judge-llm openai:MODEL"),
    ],
)
def test_messages_hold_the_cure(error, cure):
    """Each message says what to do."""
    assert cure in str(error)
