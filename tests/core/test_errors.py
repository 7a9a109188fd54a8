"""Errors say what was wrong and what to do."""

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
    expected = {"BudgetExhausted": 3, "BackendFailed": 4, "RowsOpen": 4, "AugkitError": 1}
    assert found.exit_code == expected.get(found.__name__, 2)


def test_an_unknown_name_is_answered_with_the_nearest_and_all():
    """Without a close name there is no guess, without names no list."""
    message = str(UnknownName("method", "razr", ["razor", "coba"]))
    assert all(word in message for word in ("method 'razr'", "mean 'razor'?", "Known: coba, razor"))
    assert "mean" not in str(UnknownName("gate", "xyz", ["length"]))
    assert "Known" not in str(UnknownName("gate", "xyz", []))


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("RAZOR", ["razor", "coba"], "razor"),
        ("xy", ["XY"], "XY"),
        ("zzz", ["razor", "coba"], None),
        ("", ["razor", "coba"], None),
    ],
)
def test_nearest_ignores_case(word, known, expected):
    """Capitals do not matter, and a far name is no guess."""
    assert nearest(word, known) == expected


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        (MissingExtra("nn", "training"), "pip install 'augkit[nn]'"),
        (NotFitted("coba"), ".fit(examples)"),
        (MissingTool("paraphrase", "llm"), "--llm openai:MODEL"),
        (MissingTool("paraphrase", "judge"), "--set judge_llm=openai:MODEL"),
    ],
)
def test_messages_hold_the_cure(error, cure):
    assert cure in str(error)
