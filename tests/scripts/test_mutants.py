"""What the script that puts small faults into the package changes, and where."""

import ast

import mutants
import pytest

SOURCE = '''LIMIT: "Literal[3]" = 4


def clip(value: int, strict: bool = True) -> int:
    """No number of 5 here."""
    if value > LIMIT:
        return LIMIT
    return value
'''


@pytest.fixture
def found():
    """The places of the source by what stands there."""
    return {
        ast.get_source_segment(SOURCE, place.node): place
        for place in mutants.places(ast.parse(SOURCE))
        if place.kind != "branch dropped"
    }


def test_code_is_changed_and_nothing_else(found):
    """Comparisons, constants and returns; no annotation and no docstring."""
    assert {text: place.replacement for text, place in found.items()} == {
        "4": "5",
        "True": "False",
        "value > LIMIT": "(value <= LIMIT)",
        "LIMIT": "None",
        "value": "None",
    }


def test_what_runs_at_import_is_told_apart(found):
    """A default runs when the function is defined, its body when it is called."""
    at_import = {text for text, place in found.items() if place.at_import}
    assert at_import == {"4", "True"}


def test_a_change_stands_where_it_was_drawn():
    """Also behind letters of several bytes; a place that has moved is refused."""
    source = "x = 'é' if y < 1 else 2\n"
    mutant = {"file": "a.py", "line": 1, "column": 12, "before": "y < 1", "after": "(y >= 1)"}
    assert mutants.mutated(source, mutant) == "x = 'é' if (y >= 1) else 2\n"
    with pytest.raises(ValueError, match=r"a\.py:1"):
        mutants.mutated("\n" + source, mutant)
