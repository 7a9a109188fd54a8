"""The map from the papers to the code names what exists, and every numbered part of the papers."""

import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "paper-map.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`(augkit\.[\w.]+:[\w.]+)`", PAGE)))
SCRIPTS = sorted(set(re.findall(r"`(benchmarks/\w+/\w+\.py)`", PAGE)))
PARTS = {
    "RAZOR": {"Eq.": 18, "Table": 5, "Algorithm": 1, "Definition": 1, "Lemma": 1},
    "CoBA": {"Table": 16},
    "PANDA": {"Eq.": 2, "Table": 14, "Algorithm": 1},
    "ShortcutGrammar": {"Table": 16},
}
"""How many numbered equations, tables and so on each paper has."""


@pytest.mark.parametrize("name", NAMES)
def test_what_the_map_names_exists(name):
    """Every function, class and method can be imported."""
    module, _, path = name.partition(":")
    assert reduce(getattr, path.split("."), import_module(module)) is not None


@pytest.mark.parametrize("path", SCRIPTS)
def test_the_benchmarks_exist(path):
    """Every benchmark that measures a table is there."""
    assert (ROOT / path).is_file()


@pytest.mark.parametrize("paper", PARTS)
def test_every_numbered_part_has_a_row(paper):
    """No equation, algorithm, definition, lemma or table of a paper is missing."""
    section = re.search(rf"^## {paper} .*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    for kind, count in PARTS[paper].items():
        found = set()
        for row in rows:
            if match := re.search(rf"{re.escape(kind.rstrip('.'))}s?\.? ([\d\u2013, ]+)", row):
                for part in re.findall(r"(\d+)(?:\u2013(\d+))?", match[1]):
                    found |= set(range(int(part[0]), int(part[1] or part[0]) + 1))
        assert found >= set(range(1, count + 1)), (paper, kind)
