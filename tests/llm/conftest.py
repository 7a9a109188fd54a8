"""Servers that misbehave, for every test of this folder."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from augkit.llm.settings import ConnectOptions


@pytest.fixture(scope="session")
def standing(faults: ModuleType) -> Iterator[list[Any]]:
    """Servers that were started by earlier tests and go on being used."""
    servers: list[Any] = []
    yield servers
    for server in servers:
        server.__exit__()


@pytest.fixture
def serve(faults: ModuleType, standing: list[Any]) -> Callable[..., Any]:
    """A server that behaves as told: ``serve(plan=("429", "ok"))``; each call gives another one."""
    free = iter(list(standing))

    def start(**behaviour: Any) -> Any:
        told = faults.Behaviour(**behaviour)
        server = next(free, None)
        if server is None:
            server = faults.FaultServer(told).__enter__()
            standing.append(server)
        else:
            server.behave(told)
        return server

    return start


@pytest.fixture
def options() -> Callable[..., ConnectOptions]:
    """Options for a server, with waits that suit a test."""

    def make(server: Any, **more: Any) -> ConnectOptions:
        quick = {"timeout": 120.0, "backoff": 0.001, "backoff_cap": 0.01} | more
        return ConnectOptions(base_url=server.url, **quick)

    return make
