"""A run whose model gives little warns early; exchanges are logged where that is asked for."""

import json
from collections import Counter

import pytest

from augkit.runs.execute import YieldWatch, low_yield, run
from augkit.runs.ledger import Counts
from augkit.runs.settings import RunSettings

SETTINGS = RunSettings(method="paraphrase", llm="scripted:x")


def counts(accepted, rejected):
    """Counts of rows with one variant each."""
    reasons = Counter({"near copy": rejected})
    rows = accepted + rejected
    return Counts(rows, rows, accepted, rejected, reasons=reasons)


def test_a_low_yield_is_reported_with_reasons_and_what_to_try():
    """And a sufficient one is not."""
    message = low_yield(SETTINGS, counts(1, 19))
    assert "first 20 variants" in message
    assert "near copy (19)" in message
    assert "augkit try reviews-demo -m paraphrase --row 1 --llm scripted:x. Try" in message
    own = RunSettings(method="paraphrase", llm="scripted:x", dataset="my rows.csv")
    assert "augkit try 'my rows.csv' -m paraphrase --row 1" in low_yield(own, counts(1, 19))
    assert not low_yield(SETTINGS, counts(4, 16))
    assert low_yield(SETTINGS.model_copy(update={"min_yield": 0.5}), counts(4, 16))


def test_it_looks_once_and_only_at_models(capsys):
    """Not before twenty rows, not offline, not again after a resume."""
    watch = YieldWatch(SETTINGS)
    watch.look(counts(0, 19))
    assert not capsys.readouterr().err
    watch.look(counts(0, 20))
    watch.look(counts(0, 40))
    assert capsys.readouterr().err.count("Warning") == 1
    YieldWatch(RunSettings(method="eda")).look(counts(0, 40))
    YieldWatch(SETTINGS, done=30).look(counts(0, 40))
    assert not capsys.readouterr().err


def test_a_fault_that_no_check_sees_is_reported_once(capsys):
    """However many variants were accepted."""
    watch = YieldWatch(SETTINGS, unseen_fault="small models translate wrongly")
    watch.look(counts(20, 0))
    watch.look(counts(40, 0))
    assert capsys.readouterr().err.count("small models translate wrongly") == 1


@pytest.mark.slow
def test_a_run_warns_and_logs_its_exchanges(tmp_path, capsys, monkeypatch):
    """One line for each exchange; a key in the environment is in none."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key-123")
    path = tmp_path / "replies.jsonl"
    reply = {"match": "", "reply": json.dumps({"text": "Here is nothing."})}
    path.write_text(json.dumps(reply) + "\n", encoding="utf-8")
    settings = RunSettings(
        method="paraphrase", llm=f"scripted:{path}", limit=25, log_exchanges=True
    )
    folder = run(settings, tmp_path / "run")
    assert "assistant talk (" in capsys.readouterr().err
    text = (folder / "exchanges.jsonl").read_text(encoding="utf-8")
    logged = [json.loads(line) for line in text.splitlines()]
    assert len(logged) == 25
    assert logged[0]["prompt"].startswith("paraphrase/rewrite@")
    assert logged[0]["reply"] == '{"text": "Here is nothing."}'
    assert "secret-key-123" not in text
