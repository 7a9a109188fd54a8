"""A person changes everywhere in a row, or the variant is rejected."""

import json

import pytest

import augkit
from augkit.augmenters.persons import PERSON_CHECK, person_elsewhere
from augkit.core.types import Example, Variant

QA = {
    "question": "Where is Emily Wei from?",
    "context": "Emily Wei is a lawyer. She moved from Lyon to Oslo in 2004.",
    "answers": {"text": ["Lyon"], "answer_start": [38]},
}
ASKED = {"full_names": "change", "target": "opposite"}
"""Persons with a full name change where that is asked for."""
CHAT = [
    {"role": "user", "content": "My sister Anna lost her keys."},
    {"role": "assistant", "content": "She should call the office."},
]


def run(write_rows, tmp_path, rows, method="panda", **settings):
    """The variants of a run, and the reasons of its rejections."""
    out = augkit.augment_dataset(write_rows(rows), method, tmp_path / "out", **settings)
    lines = (out / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    variants = [row for row in map(json.loads, lines) if row["augkit_origin"] == "variant"]
    rejected = (out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    return variants, {json.loads(line)["reason"] for line in rejected}


def test_a_person_in_a_locked_column_does_not_change(write_rows, tmp_path):
    """The question names the person of the context, and must not change."""
    settings = {"span_columns": ["answers"], "edit_columns": ["context"], "options": ASKED}
    variants, reasons = run(write_rows, tmp_path, [QA], **settings)
    assert variants == []
    assert PERSON_CHECK.reason in reasons


def test_a_person_in_both_columns_changes_in_both(write_rows, tmp_path):
    variants, _ = run(write_rows, tmp_path, [QA], span_columns=["answers"], options=ASKED)
    assert variants
    for row in variants:
        name = " ".join(row["context"].split()[:2])
        assert row["question"] == f"Where is {name} from?"
        (start,) = row["answers"]["answer_start"]
        assert row["context"].startswith("Lyon", start)


def test_all_roles_of_a_chat_change_together(write_rows, tmp_path):
    variants, _ = run(write_rows, tmp_path, [{"messages": CHAT}])
    subjects = {"sister": "She", "brother": "He", "sibling": "They"}
    assert len(variants) == 3
    for row in variants:
        user, assistant = (message["content"] for message in row["messages"])
        assert assistant.split()[0] == subjects[user.split()[1]]


def test_a_role_that_is_named_changes_alone_or_not_at_all(write_rows, tmp_path):
    """What the assistant says of the person rejects the variant; a chain is looked at whole."""
    rows = [{"messages": CHAT}]
    variants, reasons = run(write_rows, tmp_path, rows, edit_roles=["user"])
    assert variants == []
    assert PERSON_CHECK.reason in reasons
    (tmp_path / "chain").mkdir()
    chain = {"steps": ["mask-words", {"method": "panda", "options": {"target": "man"}}]}
    variants, reasons = run(
        write_rows, tmp_path / "chain", rows, "compose", options=chain, edit_roles=["user"]
    )
    assert variants == []


def test_frames_with_chats_are_read_as_a_run_reads_them():
    rows = augkit.as_map(augkit.create("panda", target="man"))({"messages": [CHAT]})["messages"]
    assert [message["content"].split()[:2] for message in rows[1]] == [
        ["My", "brother"],
        ["He", "should"],
    ]


def test_swap_of_words_for_persons_is_checked_and_other_swaps_are_not(write_rows, tmp_path):
    """A film may be a movie in one message only; a sister is no brother in one message only."""
    persons = {"pairs": [["sister", "brother"], ["her", "his"]]}
    variants, reasons = run(write_rows, tmp_path, [{"messages": CHAT}], "swap", options=persons)
    assert variants == []
    assert PERSON_CHECK.reason in reasons
    assert not augkit.create("swap", pairs=[["film", "movie"]]).checks


@pytest.mark.parametrize(
    ("column", "is_rejected"),
    [
        ("Anna", True),
        ("A letter to Anna", True),
        ("about a woman", True),
        (["woman", "keys"], True),
        ("A man and a dog", False),
        ("about keys", False),
        (7, False),
    ],
)
def test_other_columns_count_too(column, is_rejected):
    """The title, a note, a list; whatever says something of the person that changed."""
    text = "Anna lost her keys."
    row = Example({"text": text}, "x", columns={"text": text, "about": column, "label": "x"})
    draft = Variant(row, {"text": "William lost his keys."}, "x")
    assert bool(person_elsewhere(draft)) is is_rejected


@pytest.mark.parametrize(
    ("question", "context", "is_rejected"),
    [
        ("When did Khan move?", "Sefa Tuilagi is a nurse, and Marquis works.", True),
        ("When did Khan move?", "Sefa Tuilagi is a nurse, and Sefa works.", True),
        ("When did Tuilagi move?", "Sefa Tuilagi is a nurse, and Sefa works.", False),
    ],
)
def test_a_name_becomes_one_name_everywhere(question, context, is_rejected):
    """Not two, and none that stays in another field."""
    fields = {
        "question": "When did Khan move?",
        "context": "Jamal Khan is a nurse, and Jamal works.",
    }
    draft = Variant(Example(fields), {"question": question, "context": context}, None)
    assert bool(person_elsewhere(draft)) is is_rejected


def test_columns_that_follow_the_text_are_no_other_places():
    """Tokens, answers, and the text's own column."""
    text = "Anna lost her keys."
    span = augkit.LabelledSpan("text", 0, 4, "Anna", "who", "answer")
    columns = {"text": text, "tokens": text.split(), "who": "Anna"}
    row = Example({"text": text}, None, columns=columns, spans=(span,))
    assert person_elsewhere(Variant(row, {"text": "William lost his keys."}, None)) == ""


def test_a_rare_name_that_becomes_a_common_one_may_not_stay_elsewhere():
    """The word "Mei" may mean more; what stands in its place is a name, so it was one."""
    row = Example({"question": 'Say "Mei left."', "answer": "Mei est partie."})
    half = Variant(row, {**row.fields, "question": 'Say "Carlos left."'}, None)
    assert person_elsewhere(half) == "'Mei' is also in answer, and stays there"
    whole = {"question": 'Say "Carlos left."', "answer": "Carlos est partie."}
    assert person_elsewhere(Variant(row, whole, None)) == ""


@pytest.mark.parametrize("value", ["imdb-dev-12", "dev", "Dev_12", "img/Dev.jpg", "original-dev-a"])
def test_an_identifier_is_no_text(value):
    """Dev is a first name, and a part of many ids."""
    row = Example({"text": "Dev lost his hat."}, columns={"pair_id": value})
    assert person_elsewhere(Variant(row, {"text": "Eva lost her hat."}, None)) == ""


@pytest.mark.parametrize("value", ["Dev", "Dev smiled", "male"])
def test_another_column_may_name_the_person(value):
    """A name, a text or a gender of the same row would contradict the variant."""
    row = Example({"text": "Dev lost his hat."}, columns={"speaker": value})
    assert person_elsewhere(Variant(row, {"text": "Eva lost her hat."}, None)) != ""
