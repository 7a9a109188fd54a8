import json

import pytest

TEXT = "He lost his keys."


def test_the_new_text_and_the_marked_edits_are_printed(augkit):
    """The first line is the new text, the second shows every edit."""
    result = augkit("perturb", TEXT, "--axis", "gender", "--to", "woman")
    assert result.code == 0
    assert result.out.splitlines() == ["She lost her keys.", "[He → She] lost [his → her] keys."]


def test_the_word_and_its_offset_choose_the_person(augkit):
    """A word that stands there twice is chosen by its offset."""
    text = "She saw her and left."
    options = ("--axis", "gender", "--to", "man", "--word", "her", "--start", 8)
    assert augkit("perturb", text, *options).out.startswith("She saw him and left.")


def test_a_refusal_hands_the_text_back_with_the_reason(augkit):
    """Nothing is wrong with the input, so the exit code is 0."""
    result = augkit("perturb", "A white shirt", "--axis", "race", "--to", "black", "--json")
    answer = json.loads(result.out)
    assert (result.code, answer["output"], answer["edits"]) == (0, "A white shirt", [])
    assert "not a person" in answer["refused"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--axis", "gendr", "--to", "woman"], "Did you mean 'gender'"),
        (["--axis", "gender", "--to", "wman"], "Known: man, non-binary, woman"),
        (["--axis", "gender", "--to", "woman", "--word", "cat"], "is not in the text"),
        (["--axis", "gender", "--to", "woman", "--word", "his", "--start", "1"], "stands at 8"),
        (["--axis", "gender", "--to", "woman", "--start", "99"], "outside the text"),
        (["--axis", "gender", "--to", "woman", "--start", "1"], "no word begins"),
        (["--axis", "gender"], "--to"),
    ],
)
def test_mistakes_are_told_and_nothing_is_guessed(augkit, options, told):
    """Unknown names, absent words and wrong offsets end with code 2 and what to do."""
    result = augkit("perturb", TEXT, *options)
    assert result.code == 2
    assert told in result.err
    assert not result.out


def test_a_file_is_answered_line_by_line(augkit, tmp_path):
    """Ids stay, segments come back joined, rejections carry the text and the reason."""
    rows = [
        {"id": "a", "text": "A man sat. <SEP> The man ate.", "word": "man", "start": 2},
        {"id": 7, "text": "The sky is blue.", "word": "sky", "start": 4},
    ]
    source = tmp_path / "in.jsonl"
    lines = [json.dumps({**row, "axis": "gender", "target": "woman"}) for row in rows]
    source.write_text("\n".join(lines) + "\n")
    result = augkit("perturb", "--input", source, "--output", tmp_path / "out.jsonl")
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert result.code == 0
    assert [answer["id"] for answer in answers] == ["a", 7]
    assert answers[0]["output"] == "A woman sat. <SEP> The woman ate."
    assert [edit["start"] for edit in answers[0]["edits"]] == [2, 21]
    assert answers[1]["output"] == "The sky is blue."
    assert answers[1]["refused"].startswith("no reference")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "in.jsonl:1"),
        ('{"text": "He"}', "axis"),
        ('{"text": "He", "axis": "gender", "target": "woman", "word": "cat"}', "in.jsonl:1"),
        ('{"text": "He", "axis": "gender", "target": "woman", "start": "0"}', "start"),
    ],
)
def test_a_bad_line_stops_before_anything_is_written(augkit, tmp_path, line, told):
    """The line and what is wrong with it are named; no output file appears."""
    (tmp_path / "in.jsonl").write_text(line + "\n")
    result = augkit("perturb", "--input", "in.jsonl", "--output", "out.jsonl")
    assert result.code == 2
    assert told in result.err
    assert not (tmp_path / "out.jsonl").exists()
