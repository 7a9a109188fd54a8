"""A server that reports a usage that no call can have: it counts as unknown, never as cheap."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from augkit.core.errors import BudgetExhausted
from augkit.core.model_types import Message, Request
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import RunStore, open_llm
from augkit.llm.wrappers.budget import max_cost

REQUESTS = [Request([Message("user", f"Reword sentence {n}.")], max_tokens=50) for n in range(4)]
RIGHT = '{"prompt_tokens": 9, "completion_tokens": 3}'


@contextmanager
def serving(usage):
    """A real server that answers every call with this text as its usage; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            message = {"role": "assistant", "content": "Said otherwise."}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            body = json.dumps({"id": "1", "choices": [choice], "usage": "USAGE"})
            content = body.replace('"USAGE"', usage).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


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
def test_a_usage_that_cannot_be_counts_as_the_most_a_call_can_cost(usage, tmp_path, caplog):
    """Every call is answered and kept; the budget counts the reservation of each."""
    most = max_cost(REQUESTS[0]).prompt_tokens + max_cost(REQUESTS[0]).completion_tokens
    with serving(usage) as url:
        options = ConnectOptions(base_url=url, workers=1, budget=f"{3 * most}tokens")
        store = RunStore(tmp_path / "llm.sqlite")
        with open_llm("openai:tiny", options, store) as llm:
            replies = [llm.generate([request])[0] for request in REQUESTS[:3]]
            with pytest.raises(BudgetExhausted):
                llm.generate(REQUESTS[3:])
        spent = store.spent()
        store.close()
    assert [reply.text for reply in replies] == ["Said otherwise."] * 3
    assert (spent.calls, spent.unsettled) == (3, 3)
    assert (spent.prompt_tokens, spent.completion_tokens) == (0, 0)
    warned = [record for record in caplog.records if "no call can have" in record.getMessage()]
    assert len(warned) == (usage[0] == "{")


def test_a_right_usage_is_counted(tmp_path):
    """Then more calls fit into the same budget."""
    most = max_cost(REQUESTS[0]).prompt_tokens + max_cost(REQUESTS[0]).completion_tokens
    with serving(RIGHT) as url:
        options = ConnectOptions(base_url=url, workers=1, budget=f"{3 * most}tokens")
        store = RunStore(tmp_path / "llm.sqlite")
        with open_llm("openai:tiny", options, store) as llm:
            assert all(not reply.fault for reply in llm.generate(REQUESTS))
        spent = store.spent()
        store.close()
    assert (spent.calls, spent.unsettled, spent.prompt_tokens) == (4, 0, 36)
