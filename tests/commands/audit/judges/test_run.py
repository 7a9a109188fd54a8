"""``augkit audit --judge`` as a user types it, and from Python: stored verdicts, the page."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest


@pytest.fixture
def save(tmp_path):
    """Write verdicts as a file that is read again."""

    def write(verdicts, name="verdicts.jsonl"):
        text = "".join(json.dumps(row.record) + "\n" for row in verdicts.rows)
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
        return path

    return write


@pytest.mark.slow
def test_a_judge_that_prefers_the_first_is_told_first(augkit, save, made_up, monkeypatch):
    """A sentence with the share, tables within 80 columns, the page with verdicts by order."""
    monkeypatch.setenv("COLUMNS", "80")
    path = save(made_up(300, 0, place=0.8, length=0.6, right=0.5))
    done = augkit("audit", "--judge", path, "--out", "found")
    assert done.code == 0, done.err
    assert done.out.startswith("Alarm: This judge prefers the answer shown first: ")
    assert "Alarm: This judge prefers the longer answer: all else equal, one twice" in done.out
    assert "pairs that were shown in both orders" in done.out
    table = [line for line in done.out.splitlines() if line.startswith(" ")]
    assert max(map(len, table)) <= 80
    page = Path("found/report.html").read_text()
    assert "How often the right answer wins, where it is shown first" in page
    assert '<span class="key series0">shown first</span>' in page
    again = augkit("audit", "--judge", path, "--out", "found", "--fail-on-alarm", "--json")
    assert again.code == 1
    record = json.loads(again.out)
    assert record == json.loads(Path("found/judges.json").read_text())
    assert record["judges"][0]["first"]["value"] > 0.6
    assert "report.html" in augkit("report", "found").out


@pytest.mark.slow
def test_several_judges_are_told_apart_and_together(augkit, save, made_up):
    """How many have a preference of their own; a star marks an alarm."""
    biased = made_up(200, 0, place=1.0, judge="biased")
    fair = made_up(200, 1, right=1.0, judge="fair")
    path = save(type(fair)([*biased.rows, *fair.rows]), "verdicts.jsonl.gz")
    done = augkit("audit", "--judge", path)
    assert "Alarm: 1 of 2 judges prefer by something else than the answer (shown first: 1)" in (
        done.out
    )
    lines = [line.split() for line in done.out.splitlines()]
    effects = {line[0]: line[1] for line in lines if line and line[0] in {"biased", "fair"}}
    assert effects["biased"].endswith("*")
    assert not effects["fair"].endswith("*")
    assert Path(done.out.splitlines()[-1].split(":")[0]).name.startswith("audit-verdicts")


def test_a_judge_without_a_preference_raises_no_alarm(augkit, save, made_up):
    """And the exit code is 0."""
    done = augkit("audit", "--judge", save(made_up(100, 0, right=2.0)), "--fail-on-alarm")
    assert done.code == 0
    assert done.out.startswith("No alarm in 2 effects.")


def test_caveats_say_what_cannot_be_told(augkit, write_rows):
    """No gold, one order, few items, a model whose answer is not known."""
    rows = [
        {"item": str(n), "judge": "j", "first": "a" * n, "second": "bb", "verdict": "first",
         "model": "m", **({"mode": "rating"} if n == 1 else {})}
        for n in range(1, 8)
    ]  # fmt: skip
    out = augkit("audit", "--judge", write_rows(rows)).out
    for caveat in (
        "no right answer is known",
        "nothing is shown in both orders",
        "1 judge with fewer than 10 items",
        "1 verdict without an order",
        "add first_model and second_model",
    ):
        assert caveat in out


def test_models_on_trial_have_win_rates(augkit, write_rows):
    """As judged, and of equal length, with their ranks."""
    rows = []
    for n in range(60):
        for model, length in (("wordy", 90 + n), ("terse", 20 + n % 9)):
            p = 0.7 if length > 60 else 0.4
            rows.append(
                {"item": str(n), "judge": "j", "first": "b" * 60, "second": "a" * length,
                 "verdict": "second" if p > 0.5 else "first", "p_second": p, "model": model,
                 "first_model": "base", "second_model": model}
            )  # fmt: skip
    done = augkit("audit", "--judge", write_rows(rows), "--json")
    rates = {rate["model"]: rate for rate in json.loads(done.out)["win_rates"]}
    assert rates["wordy"]["judged"]["value"] == pytest.approx(0.7)
    assert rates["wordy"]["corrected"]["value"] < 0.7
    assert rates["terse"]["judged"]["value"] == pytest.approx(0.4)
    assert rates["terse"]["corrected"]["value"] > 0.4
