"""The lists of cues: each is used, each is there, and each is plain."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest

import augkit
from augkit.core.config import parse_yaml
from augkit.lexicons.demographics.cues import cues, either

FOLDER = files("augkit.lexicons").joinpath("data", "cues")
LISTS = {
    (place.name.removesuffix(".yaml"), name): listed
    for place in FOLDER.iterdir()
    for name, listed in parse_yaml(place.read_text(encoding="utf-8"), place.name).items()
}
READERS = frozenset({"cues", "has_cue", "either"})


def asked_for():
    """(File, list) of every place in the code that reads one."""
    for path in Path(augkit.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in READERS:
                first, second = node.args[:2]
                if isinstance(first, ast.Constant) and isinstance(second, ast.Constant):
                    yield first.value, second.value


def test_every_list_is_used_and_every_list_asked_for_is_there():
    """The code and the data name the same lists."""
    assert set(asked_for()) == LISTS.keys()


@pytest.mark.parametrize("place", LISTS, ids=".".join)
def test_no_word_stands_in_a_list_twice(place):
    """A list has words, all of them text, and each once."""
    listed = LISTS[place]
    words = listed.split() if isinstance(listed, str) else listed
    assert words
    assert all(isinstance(word, str) for word in words)
    assert len(words) == len(set(words))
    assert cues(*place) == set(words)


@pytest.mark.parametrize("place", LISTS, ids=".".join)
def test_a_list_can_be_the_alternatives_of_a_pattern(place):
    """Words, phrases and patterns alike compile together."""
    pattern = re.compile(either(*place))
    words = (word for word in cues(*place) if word.replace(" ", "").isalpha())
    assert all(pattern.match(word) for word in words)
