"""Chats, lists of tokens and any number of texts."""

import json

import pytest

import augkit
from augkit.augmenters.base import Traits
from augkit.core.errors import DataError
from augkit.datasets.load import load_selected
from augkit.datasets.settings import RUN_ROLES, ReadOptions, RowSelection
from augkit.datasets.shapes.texts import OptionList

SWAP = augkit.create("swap", pairs=[["film", "movie"]])
CHAT = [
    {"role": "system", "content": "You know every film."},
    {"role": "user", "content": "Is it a good film?"},
    {"role": "assistant", "content": "The film is fine."},
    {"role": "user", "content": "Another film, please."},
]
PREFERENCE = {"prompt": ["A film?"], "chosen": ["A good film."], "rejected": ["A bad film."]}


def chat(messages, **columns):
    return augkit.as_map(SWAP, **columns)({"messages": [messages]})["messages"][1:]


def contents(messages):
    return [message["content"] for message in messages]


def test_a_chat_keeps_its_shape_and_only_the_user_changes():
    (made,) = chat(CHAT)
    assert [message["role"] for message in made] == ["system", "user", "assistant", "user"]
    assert contents(made) == [
        "You know every film.",
        "Is it a good movie?",
        "The film is fine.",
        "Another movie, please.",
    ]


def test_roles_are_chosen():
    (made,) = chat(CHAT, edit_roles=["assistant", "system"])
    assert contents(made)[0::2] == ["You know every movie.", "The movie is fine."]
    assert contents(made)[1::2] == contents(CHAT)[1::2]


def test_commands_that_only_read_see_every_message_and_a_run_those_of_the_user(tmp_path):
    """What gives the label away may be in an answer; what a run changes is the user's."""
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps({"messages": CHAT, "label": "good"}) + "\n", encoding="utf-8")
    ((read,), _) = load_selected(path, ReadOptions(), RowSelection())
    ((of_run,), _) = load_selected(path, ReadOptions(edit_roles=RUN_ROLES), RowSelection())
    assert read.fields["text"].split("\n\n") == contents(CHAT)
    assert of_run.fields["text"].split("\n\n") == contents(CHAT)[1::2]
    assert augkit.load_dataset(path)[0].fields == of_run.fields


def test_parts_and_other_names_of_roles_are_read():
    """Parts that are no text stay; ShareGPT says from, value and human."""
    image = {"type": "image_url", "image_url": {"url": "file:a.png"}}
    parts = [{"type": "text", "text": "This film?"}, image, {"type": "text", "text": "Or a film?"}]
    (made,) = chat([{"role": "user", "content": parts}])
    texts = [
        {"type": "text", "text": "This movie?"},
        image,
        {"type": "text", "text": "Or a movie?"},
    ]
    assert made[0]["content"] == texts
    other = [{"from": "human", "value": "A film?"}, {"from": "gpt", "value": "A film."}]
    made = augkit.as_map(SWAP)({"conversations": [other]})["conversations"][1]
    assert made == [{"from": "human", "value": "A movie?"}, {"from": "gpt", "value": "A film."}]


def test_an_edit_over_two_messages_is_rejected():
    """The messages cannot be told apart any more."""
    join = augkit.from_callable(lambda text: text.replace("?\n\n", " and "), "join")
    (row,) = augkit.load_dataset(frame(messages=[CHAT]))
    (outcome,) = join.outcomes([row])
    assert outcome.reason == "span touched"


def test_two_chats_with_the_same_question_keep_their_own_answers():
    """Equal texts of the user are two rows."""
    other = [CHAT[1], {"role": "assistant", "content": "No."}]
    rows = augkit.as_map(SWAP)({"messages": [[CHAT[1], CHAT[2]], other]})["messages"]
    assert [contents(row)[1] for row in rows] == ["The film is fine."] * 2 + ["No."] * 2


def test_a_chat_without_the_role_stays_without_a_variant():
    (row,) = augkit.load_dataset(frame(messages=[[CHAT[0]]]))
    assert row.fault == "no text of the role user"


def frame(**columns):
    import pandas as pd

    return pd.DataFrame(columns)


def test_three_texts_are_found_by_their_names():
    made = augkit.as_map(SWAP)(PREFERENCE)
    assert [made[name][1] for name in PREFERENCE] == ["A movie?", "A good movie.", "A bad movie."]


@pytest.mark.parametrize("method", ["swap", "eda", "typo"])
def test_only_the_named_columns_change(method):
    step = augkit.create(method)
    made = augkit.as_map(step, edit_columns=["chosen"])(PREFERENCE)
    assert made["prompt"] == PREFERENCE["prompt"] * 2
    assert made["rejected"] == PREFERENCE["rejected"] * 2
    assert made["chosen"][0] != made["chosen"][1]


def test_a_method_that_reads_all_texts_may_not_change_a_locked_one():
    """It is rejected with a reason, whatever the method proposes."""
    fields = {"premise": "A good film.", "hypothesis": "A bad film."}
    row = augkit.example(fields, "contradiction", locked=["hypothesis"])
    step = augkit.from_callable(str.upper, "shout")
    step.traits = Traits(reads_locked=True)
    (outcome,) = step.outcomes([row])
    assert outcome.reason == "changes a locked column"


def test_an_empty_text_that_stays_is_no_fault():
    """Only texts that may change must say something."""
    row = augkit.example({"context": "A film.", "note": ""}, locked=["note"])
    (pair,) = SWAP([row])
    assert pair.variant.fields == {"context": "A movie.", "note": ""}


def test_five_columns_by_name(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({name: f"film {name}" for name in "abcde"}), encoding="utf-8")
    (row,) = augkit.load_dataset(path, text_columns=list("abcde"), edit_columns=["c"])
    assert list(row.fields) == list("abcde")
    assert row.locked == set("abde")


def test_an_unknown_edit_column_is_an_error():
    with pytest.raises(DataError, match=r"'chozen' \(edit_columns\) is not one of the text"):
        augkit.as_map(SWAP, edit_columns=["chozen"])(PREFERENCE)


def test_options_are_one_text_with_empty_lines_between_them():
    """They are cut apart again where the boundaries of the variant are."""
    shape = OptionList()
    text, fault = shape.read(["Jane", "Joe did."])
    assert (text, fault) == ("Jane\n\nJoe did.", "")
    boundaries = shape.boundaries("options", ["Jane", "Joe did."])
    assert [text[span.start : span.end] for span in boundaries] == ["\n\n"]
    assert shape.write(["Jane", "Joe did."], text, boundaries) == ["Jane", "Joe did."]


@pytest.mark.parametrize("value", [["one"], ["a", ""], ["a", "b\n\nc"], ["a", 3], "a"])
def test_what_is_no_list_of_options_is_a_fault(value):
    """Two or more texts, none empty, none with an empty line."""
    assert OptionList().read(value)[1]
