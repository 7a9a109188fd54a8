import json

import pytest

TEXT = "He lost his keys."


def test_the_new_text_and_the_marked_edits_are_printed(augkit):
    """The first line is the new text, the second shows every edit."""
    result = augkit("perturb", TEXT, "--axis", "gender", "--target", "woman")
    assert result.code == 0
    assert result.out.splitlines() == ["She lost her keys.", "[He → She] lost [his → her] keys."]


def test_the_word_and_its_offset_choose_the_person(augkit):
    """A word that stands there twice is chosen by its offset."""
    text = "She saw her and left."
    options = ("--axis", "gender", "--target", "man", "--word", "her", "--start", 8)
    assert augkit("perturb", text, *options).out.startswith("She saw him and left.")


def test_a_rejection_returns_the_text_with_the_reason(augkit):
    """Nothing is wrong with the input, so the exit code is 0."""
    result = augkit("perturb", "A white shirt", "--axis", "race", "--target", "black", "--json")
    answer = json.loads(result.out)
    assert (result.code, answer["output"], answer["edits"]) == (0, "A white shirt", [])
    assert "not a person" in answer["rejected"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--axis", "gendr", "--target", "woman"], "Did you mean 'gender'"),
        (["--axis", "gender", "--target", "wman"], "Known: man, non-binary, woman"),
        (["--axis", "gender", "--target", "woman", "--word", "cat"], "is not in the text"),
        (["--axis", "gender", "--target", "woman", "--word", "his", "--start", "1"], "it is at 8"),
        (["--axis", "gender", "--target", "woman", "--start", "99"], "outside the text"),
        (["--axis", "gender", "--target", "woman", "--start", "1"], "no word begins"),
        (["--axis", "gender"], "--target"),
    ],
)
def test_mistakes_are_errors_and_nothing_is_guessed(augkit, options, message):
    """Unknown names, absent words and wrong offsets end with code 2 and what to do."""
    result = augkit("perturb", TEXT, *options)
    assert result.code == 2
    assert message in result.err
    assert not result.out


def test_a_file_is_perturbed_line_by_line(augkit, tmp_path):
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
    assert answers[1]["rejected"].startswith("no reference")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "in.jsonl:1"),
        ('{"text": "He"}', "axis"),
        ('{"text": "He", "axis": "gender", "target": "woman", "word": "cat"}', "in.jsonl:1"),
        ('{"text": "He", "axis": "gender", "target": "woman", "start": "0"}', "start"),
    ],
)
def test_a_bad_line_stops_before_anything_is_written(augkit, tmp_path, line, message):
    """The line and what is wrong with it are named; no output file appears."""
    (tmp_path / "in.jsonl").write_text(line + "\n")
    result = augkit("perturb", "--input", "in.jsonl", "--output", "out.jsonl")
    assert result.code == 2
    assert message in result.err
    assert not (tmp_path / "out.jsonl").exists()
