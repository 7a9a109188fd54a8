"""Fixtures for pytest: ``pytest_plugins = ["augkit.testing.fixtures"]`` in your conftest.py."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from augkit.commands.check.finding import CheckReport
from augkit.testing.datasets import check_dataset


@pytest.fixture(name="check_dataset")
def check_dataset_fixture(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., CheckReport]:
    """``check_dataset``, its paths relative to the folder that pytest calls its root."""
    monkeypatch.chdir(request.config.rootpath)
    return check_dataset
