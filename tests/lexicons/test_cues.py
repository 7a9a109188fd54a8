"""The tables of cues: lists and patterns are all used, all exist, and are plain."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

import augkit
from augkit.core.config import parse_yaml
from augkit.lexicons.demographics import cues

FOLDER = files("augkit.lexicons") / "data" / "cues"
TABLES = {
    table.name.removesuffix(".yaml").upper(): parse_yaml(
        table.read_text(encoding="utf-8"), table.name
    )
    for table in FOLDER.iterdir()
}
LISTS = {
    (table, name): listed
    for table, lists in TABLES.items()
    for name, listed in lists.items()
    if name != "patterns"
}
PATTERNS = {(table, name) for table, lists in TABLES.items() for name in lists.get("patterns", {})}


def named_in_code(suffix):
    """(Table, name) of every list or pattern that the code reads."""
    reading = re.compile(rf"(?<![\w.])({'|'.join(TABLES)}){suffix}\.([a-z_]+)")
    for path in Path(augkit.__file__).parent.rglob("*.py"):
        yield from reading.findall(path.read_text(encoding="utf-8"))


def named_in_patterns():
    """(Table, list) of every list that a pattern holds."""
    for table, name in PATTERNS:
        for listed in re.findall(r"\{([a-z_]+)\}", TABLES[table]["patterns"][name]):
            yield table, listed


def test_every_list_is_used_and_every_used_list_exists():
    """The code and the data name the same lists."""
    assert {*named_in_code(""), *named_in_patterns()} == LISTS.keys()


def test_every_pattern_is_used_and_every_used_pattern_exists():
    """The code and the data name the same patterns."""
    assert set(named_in_code("_RE")) == PATTERNS


@pytest.mark.parametrize("place", LISTS, ids=".".join)
def test_no_word_is_in_a_list_twice(place):
    """A list has words, all of them text, and each once."""
    table, name = place
    listed = LISTS[place]
    words = listed.split() if isinstance(listed, str) else listed
    assert words
    assert all(isinstance(word, str) for word in words)
    assert len(words) == len(set(words))
    assert getattr(getattr(cues, table), name) == set(words)


@pytest.mark.parametrize("place", sorted(PATTERNS), ids=".".join)
def test_a_pattern_compiles(place):
    """A pattern is a regular expression, and the lists it names exist."""
    table, name = place
    assert isinstance(getattr(getattr(cues, f"{table}_RE"), name), re.Pattern)


def test_an_unknown_list_is_an_error():
    """A misspelt list does not pass for an empty one."""
    with pytest.raises(AttributeError, match="gooing"):
        cues.PLACES.gooing  # noqa: B018
