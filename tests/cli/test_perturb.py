import json


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
