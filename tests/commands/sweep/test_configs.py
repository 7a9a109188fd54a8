"""The studies that come with augkit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from augkit.commands.sweep.named import find_sweep, named_sweeps
from augkit.commands.sweep.settings import read_sweep, trials
from augkit.commands.sweep.study import check, preview, run_study
from augkit.core import registry
from augkit.datasets.lookup import parse_spec
from augkit.datasets.named import known_datasets

SWEEPS = list(named_sweeps())
DATA = Path(os.environ.get("AUGKIT_DATA", Path(__file__).parents[4] / "shared" / "data"))
BUNDLED = {
    "sentiment": "reviews-demo",
    "acceptability": "reviews-demo",
    "nli": "nli-demo",
    "fact verification": "claims-demo",
}
"""Task → the bundled dataset that stands for others of it."""


@pytest.mark.parametrize("name", SWEEPS)
def test_every_study_names_what_is_known(name):
    """It is named after its file, says what it asks in a line, and states its command.

    Its datasets, test sets, methods and metrics are known, with or without the data.
    """
    path = find_sweep(name)
    study = read_sweep(path)
    assert study.name == name
    assert trials(study)
    assert 20 < len(study.description) <= 52, "a line of 80 columns beside the name"
    assert f"augkit sweep {name}" in path.read_text(encoding="utf-8")
    tested = [
        spec for sets in (study.tests, study.ood) for specs in sets.values() for spec in specs
    ]
    for spec in (*study.datasets, *tested):
        assert parse_spec(spec).name in known_datasets(), spec
    for dataset in study.datasets:
        assert set(study.metrics_of(dataset)) <= set(registry.names("metrics"))
    methods = {entry.composed[0] for entry in study.methods}
    assert methods <= set(registry.names("augmenters"))


def test_the_tables_of_the_papers_have_studies():
    """Those that the data allow; Table 3 of RAZOR and lines of CoBA's ask for a model."""
    for paper, tables in [("coba", (3, 4, 7, 10, 11, 12)), ("razor", (1, 2, 3)), ("panda", (4, 5))]:
        assert {f"{paper}-table-{number}" for number in tables} <= set(SWEEPS)
    assert "shortcut-grammar-table-8" in SWEEPS
    asks = [name for name in SWEEPS if read_sweep(find_sweep(name)).llm == "required"]
    assert asks == ["coba-table-3-llm", "razor-table-3"]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="needs the datasets in AUGKIT_DATA")
@pytest.mark.parametrize("name", SWEEPS)
def test_every_study_could_start(name):
    """Its methods, settings, datasets, test sets, fields, labels and columns are there."""
    study = read_sweep(find_sweep(name), DATA, overrides={"seeds": [0]})
    if study.llm == "required":
        study = study.model_copy(update={"llm": "scripted:none"})
    assert check(study, to_run=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "coba-table-4",
        "coba-table-7",
        "coba-table-10",
        "coba-table-12",
        "panda-table-5",
        "razor-table-1",
        "shortcut-grammar-table-8",
    ],
)
def test_a_study_of_a_paper_runs_on_bundled_rows(name, tmp_path):
    """With a bundled dataset of the same task in place of each dataset, and few rows."""
    path = find_sweep(name)
    study = read_sweep(path)
    stand_ins = {
        BUNDLED[known_datasets()[parse_spec(spec).name].task]: study.metrics_of(spec)
        for spec in study.datasets
    }
    small = {
        "datasets": list(stand_ins),
        "tests": {name: [f"{name}:test"] for name in stand_ins},
        "ood": {name: [f"{name}:challenge"] for name in stand_ins} if study.ood else {},
        "metrics": {name: list(metrics) for name, metrics in stand_ins.items()},
        "limit": 24,
        "keep_rest": True,
        "seeds": [0],
    }
    study = read_sweep(path, overrides=small)
    if name == "coba-table-10":  # one line is enough
        study = study.model_copy(update={"methods": study.methods[-1:]})
    if name == "coba-table-12":  # one value is enough
        entry = study.methods[0].model_copy(update={"grid": {"top_k": [3]}})
        study = study.model_copy(update={"methods": (entry,)})
    assert preview(study)[-1]["method"] == "total"
    done = run_study(study, tmp_path / "out", 1, lambda *_: None)
    assert not done.failures
    assert {row.method for row in done.rows} == {trial.method for trial in trials(study)}
    assert {row.metric for row in done.rows} >= {
        name for names in stand_ins.values() for name in names
    }
