"""Progress in a log that is not a terminal."""

import time

from augkit.cli.terminal import ProgressLog, progress
from augkit.core.progress import CALLS, report_progress


def test_answers_are_news_and_silence_is_named():
    """Every turn shows what was reported last; without news, since when, every fourth turn."""
    log = ProgressLog()
    assert log.turn() == ""
    log.show("measuring the judge of labels", 0, 0)
    log.show(CALLS, 7, 12)
    judge = "measuring the judge of labels … (answers of the language model: {} of 12)"
    assert log.turn() == judge.format(7)
    log.show(CALLS, 12, 12)
    assert [log.turn() for _ in range(5)] == [
        judge.format(12), "", "", "", f"{judge.format(12)}, unchanged for 2 min",
    ]  # fmt: skip
    log.show("augmenting rows", 0, 6)
    assert log.turn() == "augmenting rows: 0 of 6"


def test_the_last_report_is_printed_while_nothing_else_is_reported(capsys, monkeypatch):
    """The work itself may take minutes; a thread prints."""
    monkeypatch.setattr("augkit.cli.terminal._EVERY_SECONDS", 0.01)
    shown = ""
    with progress():
        report_progress("waiting", 1, 2)
        while "waiting" not in shown:
            time.sleep(0.01)
            shown += capsys.readouterr().err
    assert shown.startswith("waiting: 1 of 2\n")
