"""JSON Lines that must fit a model."""

import pytest
from pydantic import BaseModel

from augkit.core.errors import DataError
from augkit.text.json_lines import read_json_lines


class Line(BaseModel):
    word: str
    count: int = 1


def test_lines_come_with_their_numbers(tmp_path):
    """Empty lines are passed over and counted; a byte order mark and U+2028 end nothing."""
    file = tmp_path / "words.jsonl"
    file.write_text('\ufeff{"word": "a\u2028b"}\n\n{"word": "c", "count": 2}\n', encoding="utf-8")
    found = [(number, line.word, line.count) for number, line in read_json_lines(file, Line)]
    assert found == [(1, "a\u2028b", 1), (3, "c", 2)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"word": "a"}\n{"count": 2}', r"words.jsonl:2: 'word': .*required. A line is {word, co"),
        (b"{word}", r"words.jsonl:1: Invalid JSON.* A line is {word, count}"),
        (b'{"word": "\xff"}', "cannot be read as UTF-8 text"),
        (None, "no such file"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, content, message):
    file = tmp_path / "words.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(read_json_lines(file, Line))
