"""Words, spaces and signs with their places."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.text.placeholders import placeholder_spans
from augkit.text.tokens import PlainWords, pieces, plain_word_spans, word_spans, words

ANY = st.text(st.characters()) | st.text("ab'-., \n\u0301\u093f<>&@#1", max_size=40)


@pytest.mark.slow
@given(ANY)
def test_pieces_give_the_text_back(text):
    found = pieces(text)
    assert "".join(found) == text
    assert all(found)


@pytest.mark.slow
@given(ANY)
def test_spans_are_in_order_and_hold_the_words(text):
    """Spans do not overlap, and cut out exactly the words."""
    spans = word_spans(text)
    assert [text[start:end] for start, end in spans] == words(text)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


@pytest.mark.slow
@given(ANY | st.text('ab("., <>[]{}1\u0301\u00b9\u201c\t', max_size=40))
def test_plain_words_are_those_of_a_walk_from_chunk_to_chunk(text):
    """Words found fast, and remembered, are those that looking at each chunk finds."""
    expected = []
    for match in re.finditer(r"<[^<>]{0,500}>|[^\s<]+|<", text):
        bare = match.group().lstrip('([{"\u201c\u00ab\u00bf\u00a1')
        start = match.end() - len(bare)
        bare = bare.rstrip('.,;:!?)]}"\u201d\u00bb\u2026\u0964\u3002')
        letters = re.fullmatch(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0963])*", bare)
        held = any(match.start() < b and a < match.end() for a, b in placeholder_spans(text))
        if not held and (bare.isalpha() or (letters and not any(map(str.isnumeric, bare)))):
            expected.append((start, start + len(bare)))
    assert plain_word_spans(text) == expected
    assert PlainWords(text).words == [text[start:end] for start, end in expected]


def test_many_words_are_not_all_remembered():
    """A text of more words than are remembered, and of long ones, is read like any other."""
    made = [f"w{'abcdefghij'[number % 10]}" * (1 + number // 500) for number in range(20_000)]
    assert PlainWords(" ".join(made)).words == made


WHOLE = "don't don\u2019t well-made 192.168.1.1 3,000 e.g café cafe\u0301 फिल्म 電影 naïve a_b"


@pytest.mark.parametrize("word", [*WHOLE.split(), "\u05e9\u05b8\u05dc\u05d5\u05b9\u05dd"])
def test_words_stay_whole(word):
    assert words(f"({word})!") == [word]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 3rd, don't go.", ["go"]),
        ("see http://a.org/film or www.a.org or me@a.org", ["see", "or", "or"]),
        ("@you #film film", ["film"]),
        ('<a href="film" title=good>good</a> film', ["good", "film"]),
        ("it 's n't (good) \u201cfilm\u201d, yes!", ["it", "good", "film", "yes"]),
        ("and/or well-made a_b", []),
        ("यह फिल्म है।", ["यह", "फिल्म", "है"]),
        ("a < b and c > d", ["a", "d"]),
    ],
)
def test_plain_words_leave_the_rest_alone(text, expected):
    assert [text[start:end] for start, end in plain_word_spans(text)] == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["a", "!", "a..", "<", "<a ", "a.a", "a@", "'", "&", "x ", "\u0301"]
)
def test_long_texts_take_linear_time(unit):
    """Patterns that make a careless expression explode are read to the end."""
    text = unit * 30_000
    assert len("".join(pieces(text))) == len(text)
    assert len(plain_word_spans(text)) <= len(text)
