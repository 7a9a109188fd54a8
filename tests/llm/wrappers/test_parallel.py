"""Parallel: the error of a list is the one that a call raised."""

import pytest

from augkit.core.errors import BudgetExhausted
from augkit.core.model_types import Message, Reply, Request
from augkit.core.progress import CALLS, reporting_to
from augkit.llm.wrappers.parallel import Parallel


class Failing:
    """Fails for the prompt "a"."""

    def generate(self, requests):
        """One reply, or the error."""
        if requests[0].prompt == "a":
            raise BudgetExhausted("no money left")
        return [Reply("fine") for _ in requests]


def test_the_error_is_raised_and_not_that_calls_were_cancelled():
    """The failing request is sent first, though others come before it in the list."""
    requests = [Request([Message("user", "x")], prompt=prompt) for prompt in "dcba"]
    parallel = Parallel(Failing(), workers=1)
    with pytest.raises(BudgetExhausted, match="no money left"):
        parallel.generate(requests)
    assert [reply.text for reply in parallel.generate(requests[:3])] == ["fine"] * 3
    parallel.close()


def test_every_answer_is_reported():
    """With how many requests were sent; a request that failed has no answer."""
    seen = []
    with reporting_to(lambda *report: seen.append(report)):
        parallel = Parallel(Failing(), workers=2)
        requests = [Request([Message("user", "x")], prompt=prompt) for prompt in "bcd"]
        parallel.generate(requests)
        parallel.generate(requests[:1])
        with pytest.raises(BudgetExhausted):
            parallel.generate([Request([Message("user", "x")], prompt="a")])
        parallel.close()
    assert seen == [(CALLS, 1, 3), (CALLS, 2, 3), (CALLS, 3, 3), (CALLS, 4, 4)]
