"""Baselines that ask a language model, over HTTP: a real server on the loopback answers."""

from __future__ import annotations

import pytest

from augkit.augmenters.checks import NO_GATES
from augkit.augmenters.create import create
from augkit.core.protocols import Tools
from augkit.core.types import Pair
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import open_llm
from augkit.testing import ORDINARY

pytestmark = pytest.mark.slow

METHODS = ["auggpt", "autocad", "back-translation", "crossaug", "gpt3mix", "paraphrase"]


def outcomes(server, method, **options):
    """What a method makes of the contract's examples with the server as its model."""
    quick = {"timeout": 120.0, "backoff": 0.001, "backoff_cap": 0.01, "workers": 2}
    connect = ConnectOptions(base_url=server.url, **{**quick, **options})
    with open_llm("openai:some-model", connect) as llm:
        step = create(method, Tools(llm=llm, text_gates=NO_GATES), copies=2).fit(ORDINARY)
        return list(step.outcomes(ORDINARY))


def calls(found):
    """The calls in the costs of everything kept and refused."""
    costs = [one.provenance.cost if isinstance(one, Pair) else one.cost for one in found]
    return sum(cost.calls for cost in costs)


@pytest.mark.parametrize("method", METHODS)
def test_a_server_is_asked_and_its_answers_are_used(faults, method):
    """Variants come of its answers, and the costs tell as many calls as it counted."""
    with faults.FaultServer() as server:
        found = outcomes(server, method)
        assert any(isinstance(one, Pair) for one in found)
        assert calls(found) == server.calls > 0


@pytest.mark.parametrize("method", ["autocad", "back-translation", "gpt3mix"])
def test_a_server_that_fails_gives_refusals(faults, method):
    """Wrong JSON and rejections are reasons of rows, never a crash, and nothing is made up."""
    mix = {"wrong-schema": 0.5, "refusal": 0.5}
    with faults.FaultServer(faults.Behaviour(mix=mix)) as server:
        found = outcomes(server, method, attempts=1)
    assert not any(isinstance(one, Pair) for one in found)
    assert any(one.reason.startswith("llm: ") for one in found)
