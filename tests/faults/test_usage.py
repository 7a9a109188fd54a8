"""A server that reports a usage that no call can have: it counts as unknown, never as cheap."""

from contextlib import contextmanager

import pytest

from augkit.core.errors import BudgetExhausted
from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm
from augkit.llm.wrappers.budget import max_cost

REQUESTS = [Request([Message("user", f"Reword sentence {n}.")], max_tokens=50) for n in range(4)]
RIGHT = '{"prompt_tokens": 9, "completion_tokens": 3}'


MOST = max_cost(REQUESTS[0]).prompt_tokens + max_cost(REQUESTS[0]).completion_tokens


@contextmanager
def asked(server, tmp_path):
    """The model of a server and what it costs, with a budget for three calls at their most."""
    options = ConnectOptions(base_url=server.url, workers=1, budget=f"{3 * MOST}tokens")
    store = RunStore(tmp_path / "llm.sqlite")
    with open_llm("openai:tiny", options, store) as llm:
        yield llm, store
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "usage",
    [
        RIGHT.replace("9", str(2**64)),
        RIGHT.replace("3", str(2**63)),
        RIGHT.replace("9", "9" * 5000),
        RIGHT.replace("9", "-9"),
        RIGHT.replace("3", "NaN"),
        RIGHT.replace("3", "1e999"),
        RIGHT.replace("9", '"nine"'),
        RIGHT.replace("3", "true"),
        RIGHT.replace("9", "[9]"),
        '"many"',
        "null",
        "[]",
    ],
)
def test_a_usage_that_cannot_be_counts_as_the_most_a_call_can_cost(usage, serve, tmp_path, caplog):
    """Every call is answered and kept; the budget counts the reservation of each."""
    server = serve(usage=usage, answer=lambda body: "Said otherwise.")
    with asked(server, tmp_path) as (llm, store):
        replies = [llm.generate([request])[0] for request in REQUESTS[:3]]
        with pytest.raises(BudgetExhausted):
            llm.generate(REQUESTS[3:])
        spent = store.spent()
    assert [reply.text for reply in replies] == ["Said otherwise."] * 3
    assert (spent.calls, spent.unsettled) == (3, 3)
    assert (spent.prompt_tokens, spent.completion_tokens) == (0, 0)
    warned = [record for record in caplog.records if "no call can have" in record.getMessage()]
    assert len(warned) == (usage[0] == "{")


@pytest.mark.slow
def test_a_right_usage_is_counted(serve, tmp_path):
    """Then more calls fit into the same budget."""
    with asked(serve(usage=RIGHT), tmp_path) as (llm, store):
        assert all(not reply.fault for reply in llm.generate(REQUESTS))
        spent = store.spent()
    assert (spent.calls, spent.unsettled, spent.prompt_tokens) == (4, 0, 36)
