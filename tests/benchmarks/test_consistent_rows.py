"""The benchmark of rows that contradict themselves: what it counts, and that there are none."""

from __future__ import annotations

import pytest

from benchmarks.release.consistent_rows import KINDS, METHODS, faults, measure, texts_of

CHAT = [
    {"role": "user", "content": "My sister Anna lost her keys."},
    {"role": "assistant", "content": "She should call."},
]


def chat(*contents):
    roles = zip(CHAT, contents, strict=True)
    return {"messages": [{**message, "content": content} for message, content in roles]}


@pytest.mark.parametrize(
    ("original", "variant", "fault"),
    [
        (
            chat(*(message["content"] for message in CHAT)),
            chat("My brother Ivan lost his keys.", "She should call."),
            "one person is man and woman",
        ),
        (
            {"question": "Where is Anna?", "context": "Anna is here.", "answers": "here"},
            {"question": "Where is Anna?", "context": "Maria is here.", "answers": "here"},
            "Anna stays in question",
        ),
        (
            {"question": "Where?", "context": "Anna is here.", "answers": "here"},
            {"question": "Where?", "context": "Anna is there!", "answers": "Lyon"},
            "not in the context",
        ),
        (
            {"tokens": ["A", "b"], "ner_tags": ["O", "O"]},
            {"tokens": ["A", "b", "c"], "ner_tags": ["O", "O"]},
            "3 tokens, 2 tags",
        ),
        (
            {"text": "In Oslo .", "entities": [{"start": 3, "end": 7, "label": "LOC"}]},
            {"text": "In Oslo .", "entities": [{"start": 3, "end": 6, "label": "LOC"}]},
            "LOC is cut",
        ),
        ({"text": "Hi [NAME]."}, {"text": "Hi [NMAE]."}, r"\[NAME\] changed in text"),
        ({"text": "See #refund."}, {"text": "See refund."}, "#refund changed in text"),
        ({"text": "A", "actor": "Jo"}, {"text": "B", "actor": "Al"}, "must stay"),
    ],
)
def test_each_contradiction_is_seen(original, variant, fault):
    """A row that contradicts itself gives the fault, and the row itself gives none."""
    import re

    assert list(faults(original, original, "panda")) == []
    assert any(re.search(fault, why) for why in faults(original, variant, "panda"))


def test_an_address_may_be_left_out_whole():
    """As razor does where it gives the label away."""
    assert list(faults({"text": "Fine #refund."}, {"text": "Fine."}, "razor")) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_method_writes_a_row_that_contradicts_itself(tmp_path, kind):
    """Some rows of every kind, with the methods that change most."""
    for number, method in enumerate(["panda", "eda", "swap", "mask-words, then eda"]):
        place = tmp_path / str(number)
        place.mkdir()
        line = measure(kind, method, 12, place)
        assert line.get("inconsistent", 0) == 0, line
        assert "refused" in line or line["rows"] == 12


def test_every_offline_method_is_listed_with_rows_of_every_kind():
    """Each kind makes rows that have texts."""
    from random import Random

    assert {"panda", "razor", "coba", "swap"} <= METHODS.keys()
    for make, _ in KINDS.values():
        assert texts_of(make(Random(0)))
