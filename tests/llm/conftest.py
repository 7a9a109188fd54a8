"""Servers that misbehave, for every test of this folder."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from augkit.llm.settings import ConnectOptions


def _server_module() -> ModuleType:
    path = Path(__file__).parent.parent / "faults" / "server.py"
    spec = importlib.util.spec_from_file_location("fault_server", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["fault_server"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def faults() -> ModuleType:
    """The module of the misbehaving server."""
    return _server_module()


@pytest.fixture
def serve(faults: ModuleType) -> Iterator[Callable[..., Any]]:
    """Start a server that behaves as told: ``serve(plan=("429", "ok"))``."""
    with ExitStack() as running:
        yield lambda **behaviour: running.enter_context(
            faults.FaultServer(faults.Behaviour(**behaviour))
        )


@pytest.fixture
def options() -> Callable[..., ConnectOptions]:
    """Options for a server, with waits that suit a test."""

    def make(server: Any, **more: Any) -> ConnectOptions:
        quick = {"timeout": 5.0, "backoff": 0.001, "backoff_cap": 0.01} | more
        return ConnectOptions(base_url=server.url, **quick)

    return make
