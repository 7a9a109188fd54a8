"""A part of ``benchmarks/release/fuzz.py``: generated datasets and settings through a run."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "release" / "fuzz.py"


@pytest.fixture(scope="module")
def fuzz():
    """The benchmark as a module."""
    if not SCRIPT.is_file():
        pytest.skip("the benchmarks are not beside the tests")
    spec = importlib.util.spec_from_file_location("augkit_fuzz", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_generated_runs_keep_their_promises(fuzz, tmp_path):
    """No error in the code, no endless run, exit codes as promised, no row lost."""
    found = fuzz.fuzz(50, seed=1, place=tmp_path / "case")
    assert found.broken == []
    assert found.codes[0] > 10
    assert found.codes[2] > 10
    assert set(found.codes) <= fuzz.PROMISED
