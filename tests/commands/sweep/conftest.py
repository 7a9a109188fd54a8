"""Studies that are written, read and run in a folder of the test."""

import pytest

from augkit.commands.sweep.settings import read_sweep
from augkit.commands.sweep.study import run_study


def run_silently(path, folder, workers=1):
    """Run the study of a file, without a word."""
    return run_study(read_sweep(path), folder, workers, lambda *_: None)


@pytest.fixture
def write(tmp_path):
    """Write a YAML file and give its path."""

    def written(text, name="study.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def run(write, tmp_path):
    """Run a study from its text into the folder ``out``."""

    def done(text, workers=1):
        return run_silently(write(text), tmp_path / "out", workers)

    return done
