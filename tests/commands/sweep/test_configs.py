"""The studies that come with augkit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from augkit.commands.sweep.settings import read_sweep, trials
from augkit.commands.sweep.study import check

pytestmark = pytest.mark.slow

CONFIGS = sorted((Path(__file__).parents[3] / "configs" / "sweeps").glob("*.yaml"))
DATA = Path(os.environ.get("AUGKIT_DATA", Path(__file__).parents[4] / "shared" / "data"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_study_can_be_read(path):
    """It is named after its file, has several trials, and states its command."""
    study = read_sweep(path)
    assert study.name == path.stem
    assert len(trials(study)) >= 4
    assert f"augkit sweep configs/sweeps/{path.name}" in path.read_text(encoding="utf-8")


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the datasets in AUGKIT_DATA")
@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_study_could_start(path):
    """Its methods, settings, datasets and test sets are there."""
    assert check(read_sweep(path, DATA))
