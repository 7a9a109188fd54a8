"""What a model wrote is used only where it did what was asked, and hardly anything else."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.validate import (
    count_other_changes,
    source_of,
    validate_answer,
)
from augkit.commands.perturb import SEGMENTS, PerturbRequest, to_task
from augkit.core.edits import apply
from augkit.core.types import Cost, Example

PAID = Cost(1, 20, 5, 0.001)


def task(text, word, target="woman", axis="gender"):
    fields = {"text": text} if isinstance(text, str) else text
    name = next(name for name, text in fields.items() if word in text)
    start = fields[name].index(word)
    return PerturbTask(Example(fields), name, start, start + len(word), axis, target, Random(0))


@pytest.mark.parametrize(
    ("before", "word", "target", "after"),
    [
        ("He lost his keys.", "He", "woman", "She lost her keys."),
        (
            "She often walks and always tries.",
            "She",
            "non-binary",
            "They often walk and always try.",
        ),
        (
            "She isn't here and hasn't been.",
            "She",
            "non-binary",
            "They aren't here and haven't been.",
        ),
        ("An actress met a man.", "actress", "man", "An actor met a man."),
        ("A boy sings.", "boy", "woman", "A girl sings."),
        ("The cook lost his hat.", "cook", "woman", "The cook lost her hat."),
        ("John Smith left.", "John", "woman", "Mary Smith left."),
    ],
)
def test_a_changed_person_and_what_agrees_with_it_are_accepted(before, word, target, after):
    """References, verbs and articles do not count as other changes; the edits give the text."""
    asked = task(before, word, target)
    answer = validate_answer(asked, {"text": after}, 0.0, PAID)
    assert not answer.reason, answer
    assert apply(asked.fields, answer.edits) == {"text": after} == dict(answer.fields)
    assert (answer.cost, answer.about["target"], answer.about["word"]) == (PAID, target, word)


@pytest.mark.parametrize(
    ("after", "reason", "told"),
    [
        ("He lost his keys.", "unchanged", "'He'"),
        ("HE lost his keys.", "unusable answer", "still there"),
        ("He lost her keys.", "unusable answer", "still there"),
        ("They lost their keys.", "unusable answer", "non-binary instead of woman"),
        ("She found her old purse.", "unusable answer", "beside the references"),
        ("She lost her keys!?!", "unusable answer", "3 words or signs"),
        ("She never lost her keys.", "unusable answer", "negations"),
        ("She", "unusable answer", "beside the references"),
        ("She lost her keys." + " And so on." * 5, "unusable answer", "beside the references"),
        ("", "unusable answer", "beside the references"),
    ],
)
def test_anything_else_is_refused_with_the_reason_and_its_cost(after, reason, told):
    """Nothing is guessed, and what was paid is kept."""
    answer = validate_answer(task("He lost his keys.", "He"), {"text": after}, 0.15, PAID)
    assert answer.reason
    assert (answer.reason, answer.cost) == (reason, PAID)
    assert told in answer.detail


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (("John saw his aunt.", "John saw his uncle."), ("John saw his uncle.",) * 2, "already"),
        (("A boy and his aunt.", "The aunt is old."), ("A boy and his uncle.",), "would stay"),
        (
            ("A boy and his aunt.", "The aunt is old."),
            ("A boy and his uncle.", "The uncle is old."),
            "",
        ),
    ],
)
def test_a_pair_keeps_its_contrast(before, after, told):
    """Fields that told two people apart still do; those that spoke of one still do."""
    asked = task(dict(zip("ab", before, strict=True)), "aunt", "man")
    fields = {**asked.fields, **dict(zip("ab", after, strict=False))}
    answer = validate_answer(asked, fields, 0.15)
    if told:
        assert answer.reason == "contrast lost"
        assert told in answer.detail
    else:
        assert not answer.reason


def test_a_verb_does_not_agree_into_its_negation():
    assert count_other_changes("She is late.", "They are late.", "gender") == 0
    assert count_other_changes("She is late.", "They aren't late.", "gender") == 1
    assert count_other_changes("She isn't late.", "They aren\u2019t late.", "gender") == 0
    assert count_other_changes("She is Late.", "They are late.", "gender") == 1


def test_the_share_decides_how_much_else_may_change():
    """One other word of ten: accepted at a tenth, refused at nothing."""
    asked = task("Yesterday my uncle said that the weather would be fine.", "uncle")
    after = {"text": "Yesterday my aunt said that the climate would be fine."}
    assert not validate_answer(asked, after, 0.1).reason
    assert validate_answer(asked, after, 0.0).reason == "unusable answer"


def test_an_age_in_two_bands_is_taken_for_either():
    asked = task("The girl was late.", "girl", "adult", "age")
    accepted = validate_answer(asked, {"text": "The 50-year-old woman was late."}, 0.5)
    assert not accepted.reason
    assert (
        validate_answer(asked, {"text": "The teenager was late."}, 0.5).reason == "unusable answer"
    )


def test_a_word_that_the_lists_do_not_know_has_an_unknown_source():
    assert source_of(task("The zorp left.", "zorp")) == "unknown"
    assert source_of(task("The king left.", "king")) == "man"


def test_what_people_accept_is_accepted():
    """Of the gold rows tagged dev, nearly every accepted text that is written out passes."""
    path = Path(__file__).parents[3] / "gold" / "dev.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    items = [row for row in rows if row["tag"] == "dev"]
    answers = []
    for item in items:
        texts = [text for text in item["accepted"] if text != item["text"] and "{" not in text]
        request = PerturbRequest(
            item["text"], item["axis"], item["target"], item["word"], item["start"]
        )
        for text in texts:
            fields = {str(n): part for n, part in enumerate(text.split(SEGMENTS))}
            answers.append(validate_answer(to_task(request, Random(0)), fields, 0.15))
    rejection = [answer for answer in answers if answer.reason]
    assert len(answers) > 200
    assert len(rejection) <= 0.01 * len(answers), rejection


@given(st.text(alphabet="hes akingwom.\n", max_size=60), st.text(max_size=60))
def test_other_words_are_counted_alike_in_both_directions(one, other):
    """Turning the change round changes no count; no change counts nothing."""
    assert (
        count_other_changes(one, other, "gender") == count_other_changes(other, one, "gender") >= 0
    )
    assert count_other_changes(one, one, "gender") == 0
