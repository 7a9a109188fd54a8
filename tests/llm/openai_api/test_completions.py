"""Log-probabilities of texts, from a server that echoes prompts, and from one that does not."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from augkit.core.errors import BackendFailed, ConfigError
from augkit.llm.openai_api.completions import PromptProbabilities
from augkit.llm.settings import ConnectOptions
from augkit.llm.stack import open_llm

pytestmark = pytest.mark.slow


def log_probability(token):
    """The made-up log-probability of a token: longer ones are less likely."""
    return -len(token) / 10


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.bodies.append((self.path, body))
        text = body["prompt"]
        tokens = re.findall(r" ?\S+", text)
        offsets = [match.start() for match in re.finditer(r" ?\S+", text)]
        if self.server.echoes:
            values = [None, *map(log_probability, tokens[1:]), -0.5]
            tokens, offsets = [*tokens, " and"], [*offsets, len(text)]
        else:
            tokens, offsets, values = [" and"], [0], [-0.5]
        logprobs = {"tokens": tokens, "text_offset": offsets, "token_logprobs": values}
        usage = {"prompt_tokens": len(tokens), "completion_tokens": 1}
        answer = json.dumps({"choices": [{"text": "", "logprobs": logprobs}], "usage": usage})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def server():
    """A server on a free port; ``echoes`` says whether it repeats prompts."""
    found = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    found.bodies, found.echoes = [], True
    thread = threading.Thread(target=found.serve_forever, daemon=True)
    thread.start()
    yield found
    found.shutdown()
    found.server_close()
    thread.join()


@pytest.fixture
def options(server):
    return ConnectOptions(base_url=f"http://127.0.0.1:{server.server_port}/v1", attempts=1)


def test_tokens_of_a_text_and_of_one_after_its_context(server, options):
    """The first token has none; tokens of the context and the one written do not count."""
    with open_llm("openai-completions:tiny", options) as llm:
        model = PromptProbabilities(llm)
        (alone,) = model.log_probabilities(["The cook sings."])
        (after,) = model.log_probabilities(["It rains."], ["The cook sings."])
        assert alone.tolist() == [log_probability(" cook"), log_probability(" sings.")]
        assert after.tolist() == [log_probability(" It"), log_probability(" rains.")]
        model.log_probabilities(["The cook sings."])
        assert llm.spent().calls == len(server.bodies) == 2
    path, body = server.bodies[0]
    assert path == "/v1/completions"
    assert (body["echo"], body["prompt"]) == (True, "The cook sings.")


def test_a_server_without_echo_is_reported(server, options):
    server.echoes = False
    with (
        open_llm("openai-completions:tiny", options) as llm,
        pytest.raises(BackendFailed, match="does not give the log-probabilities of a prompt"),
    ):
        PromptProbabilities(llm).log_probabilities(["The cook sings."])


def test_a_name_is_needed(options):
    with pytest.raises(ConfigError, match="no model given"):
        open_llm("openai-completions:", options)


def test_crows_pairs_of_an_api_model(server, tmp_path, augkit):
    """The score of the causal rule, with the cost; a benchmark of questions is refused."""
    file = tmp_path / "pairs.csv"
    lines = ["sent_more,sent_less,bias_type", "My old aunt cooks.,My young aunt cooks.,age"]
    file.write_text("\n".join(lines) + "\n")
    url = f"http://127.0.0.1:{server.server_port}/v1"
    command = ["--model", "llm:openai-completions:tiny", "--base-url", url, "--json"]
    done = augkit("benchmark", "crows-pairs", "--file", file, *command)
    assert done.code == 0, done.err
    record = json.loads(done.out)
    assert (record["score"], record["scores"][0]["value"]) == ("causal", 100.0)
    assert record["llm"]["cost"]["calls"] == 2
    refused = augkit("benchmark", "bbq", *command)
    assert (refused.code, "scores texts" in refused.err) == (2, True)
    refused = augkit("evaluate", "--test", "reviews-demo:test", "--limit", "4", *command)
    assert (refused.code, "answers nothing" in refused.err) == (2, True)
