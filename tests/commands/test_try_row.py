"""``augkit try``: one row, with all that was asked, answered and checked."""

from __future__ import annotations

import json

import pytest

from augkit.commands.try_row import trial_lines, try_row
from augkit.core.types import Pair
from augkit.runs.settings import RunSettings

GOOD = "Together the cast was lovely on the first night, and its songs are joyful."


@pytest.fixture
def settings(tmp_path):
    """Makes settings of a method whose model gives one answer."""

    def make(text, **changes):
        path = tmp_path / "replies.jsonl"
        reply = {"match": "", "reply": json.dumps({"text": text})}
        path.write_text(json.dumps(reply) + "\n", encoding="utf-8")
        given = {"method": "paraphrase", "llm": f"scripted:{path}"} | changes
        return RunSettings.model_validate(given)

    return make


def lines(trial):
    """What is printed."""
    return list(trial_lines(trial))


def test_an_accepted_row_shows_its_exchange_and_its_gates(settings):
    """Prompt, raw answer, parsed answer and every gate, within 80 columns."""
    trial = try_row(settings(GOOD), row=3)
    (outcome,) = trial.outcomes
    assert isinstance(outcome, Pair)
    (exchange,) = trial.exchanges
    assert exchange["parsed"] == {"words": [], "text": GOOD}
    assert trial.row.fields["text"] in exchange["messages"][-1]["content"]
    shown = lines(trial)
    assert max(map(len, shown)) <= 80
    assert any("near copy" in line for line in shown)
    assert "ACCEPTED (label kept: positive)" in shown


@pytest.mark.slow
def test_without_a_number_the_first_accepted_row_is_shown(settings):
    """By rules; a language model, which may cost money, is asked about the first row alone."""
    swap = RunSettings(method="swap", options={"pairs": [["villain", "hero"]]})
    first, trial = try_row(swap, row=1), try_row(swap)
    assert not any(isinstance(outcome, Pair) for outcome in first.outcomes)
    assert any(isinstance(outcome, Pair) for outcome in trial.outcomes)
    assert "villain" in trial.row.fields["text"]
    assert len(try_row(settings("Here is a fine film.")).exchanges) == 1


@pytest.mark.slow
def test_a_text_of_ones_own_can_be_tried(settings):
    """What is rejected says which gate found what."""
    trial = try_row(settings("Here is a fine film."), texts=["A fine film."], label="positive")
    shown = "\n".join(lines(trial))
    assert "REJECTS assistant talk: Here is" in shown
    assert "REJECTED: assistant talk" in shown


def test_hostile_text_reaches_the_terminal_written_out(settings):
    """Escape sequences of a model are shown, not obeyed."""
    trial = try_row(
        settings("A \x1b[31mred\x1b[0m film."), texts=["A fine film."], label="positive"
    )
    assert not any("\x1b" in line for line in lines(trial))
