from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public datasets, where this machine has one."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("AUGKIT_DATA", beside))
    if not folder.is_dir():
        pytest.skip("no folder of public datasets: set AUGKIT_DATA")
    return folder
