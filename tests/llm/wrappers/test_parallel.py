"""Parallel: the error of a list is the one that a call raised."""

import pytest

from augkit.core.errors import BudgetExhausted
from augkit.core.model_types import Message, Reply, Request
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
