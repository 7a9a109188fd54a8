"""A replayed run is the run again, byte by byte, failures and costs included."""

import pytest

from augkit.llm.settings import ConnectOptions
from augkit.runs.execute import run
from augkit.runs.manifest import read_manifest
from augkit.runs.settings import RunSettings

pytestmark = pytest.mark.slow

MIX = {"cut": 0.3, "refusal": 0.1, "wrong-schema": 0.2, "429": 0.1, "reset": 0.1, "empty": 0.1}


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("paraphrase", {"judge": {"by": "llm"}}),
        ("panda", {"options": {"perturber": "llm"}}),
        ("back-translation", {}),
    ],
)
def test_a_replay_writes_the_same_bytes(faults, tmp_path, method, more):
    """Cut answers, refusals, answers that do not fit, and calls that had to be repeated."""
    rows = tmp_path / "rows.csv"
    lines = [f"My uncle says that he liked film {n}.,{'no' if n % 2 else 'yes'}" for n in range(14)]
    rows.write_text("\n".join(["text,label", *lines]), encoding="utf-8")
    settings = RunSettings(method=method, dataset=str(rows), llm="openai:gpt-4o-mini", **more)
    with faults.FaultServer(faults.Behaviour(mix=MIX, seed=3)) as server:
        quick = ConnectOptions(
            base_url=server.url, timeout=120.0, attempts=20, backoff=0.001, backoff_cap=0.01
        )
        first = run(settings.model_copy(update={"connection": quick}), tmp_path / "first")
    again = run(settings.model_copy(update={"llm": f"scripted:{first}"}), tmp_path / "again")
    for name in ("variants.jsonl", "rejected.jsonl", "dataset.jsonl"):
        assert (again / name).read_bytes() == (first / name).read_bytes()
    assert "truncated" in (first / "rejected.jsonl").read_text(encoding="utf-8")
    cost = read_manifest(again).cost
    assert (cost.calls, cost.prompt_tokens, cost.usd) == (0, 0, 0.0)
