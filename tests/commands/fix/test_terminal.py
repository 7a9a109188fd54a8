"""``augkit fix`` in a real terminal: its question, and every way to answer it."""

import json
import signal
import sys

import pytest
from drawings.terminal import Screen, record

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("hide_torch")]
QUESTION = "Which of them are shortcuts?"
FIX = [sys.executable, "-m", "augkit", "fix", "reviews-demo"]


def test_the_question_stands_alone_and_is_answered_with_numbers(tmp_path):
    """No bar overwrites it; a wrong number is asked again, and the answer is what is fixed."""
    recording = record(FIX, [b"7\n", b"2\n"], tmp_path)
    lines = recording.screen.text.splitlines()
    assert recording.code == 0
    assert f"{QUESTION} Numbers, or none [1 2]: 7" in lines
    assert "Please give numbers from 1 to 2, or none." in lines
    assert f"{QUESTION} Numbers, or none [1 2]: 2" in lines
    assert lines.count("Likely shortcuts:") == 1
    assert not any("━" in line for line in lines)
    written = json.loads((tmp_path / "fix-reviews-demo-train" / "fix.json").read_text())
    assert written["fixed"] == ["dorian"]


@pytest.mark.parametrize(
    ("key", "code", "words"),
    [
        (b"none\n", 0, "Nothing to fix."),
        (b"\x04", 2, "no answer, so nothing was done. To be asked nothing: --yes, or --cue NAME"),
        (b"\x03", 128 + signal.SIGINT, "stopped"),
    ],
)
def test_without_a_cue_nothing_is_written(tmp_path, key, code, words):
    """None is an answer; Ctrl-D says how to go on without a question; Ctrl-C stops."""
    recording = record(FIX, [key], tmp_path)
    assert (recording.code, words in recording.screen.text) == (code, True)
    assert "Traceback" not in recording.screen.text
    assert not list(tmp_path.iterdir())


def test_without_a_terminal_nothing_is_asked(augkit):
    """Output into a file: the likely and strong cues are taken, and said."""
    done = augkit("fix", "reviews-demo")
    assert done.code == 0
    assert QUESTION not in done.out
    assert "(likely shortcuts)" in done.out


def test_a_screen_is_what_a_terminal_shows():
    """A bar that is erased leaves nothing; a carriage return goes back to the start of its line."""
    screen = Screen()
    screen.write("work \x1b[90m━━\x1b[0m\r\x1b[2Kmore ━\r\n\x1b[1A\x1b[2Kdone\r\nabc\rX")
    assert screen.text == "done\nXbc"
