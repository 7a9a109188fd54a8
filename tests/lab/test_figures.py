"""Figures on pages that take seconds to compute are those that the code gives.

Others that take minutes: ``python -m lab.run --compare``.
"""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from lab.lines import json_lines, make_tables
from lab.run import Listed, differences
from lab.tables import read_results

pytestmark = pytest.mark.slow


@pytest.fixture
def changes(monkeypatch, capsys):
    """What differs from the stored figures when a benchmark is run again."""

    def run(name):
        benchmark = Listed.read().benchmarks[name]
        assert benchmark.deterministic is True
        _, module, *words = benchmark.command.split()
        monkeypatch.setattr(sys, "argv", [module, *words])
        import_module(module).main()
        tables = make_tables(json_lines(capsys.readouterr().out), benchmark.tables)
        return list(differences(benchmark, read_results()[name]["tables"], tables))

    return run


@pytest.mark.parametrize("name", ["demo-data", "panda-gold"])
def test_figures_of_bundled_rows_are_those_of_the_code(name, changes):
    """What is planted in the demo datasets, and the gold items that are rewritten exactly."""
    assert changes(name) == []


def test_pairs_of_winobias_are_rewritten_as_stored(data_folder, changes, monkeypatch):
    """Letter for letter."""
    monkeypatch.setenv("AUGKIT_DATA", str(data_folder))
    assert changes("panda-winobias") == []
