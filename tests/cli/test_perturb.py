import json


def test_segments_come_back_joined(augkit):
    """Offsets of edits are characters of the whole text, with both segments."""
    asked = ("--axis", "gender", "--target", "woman", "--json")
    done = augkit("perturb", "A man sat. <SEP> The man ate.", "--word", "man", "--start", 2, *asked)
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert answer["output"] == "A woman sat. <SEP> The woman ate."
    assert [edit["start"] for edit in answer["edits"]] == [2, 21]


def test_a_word_that_refers_to_nobody_is_said(augkit):
    """The text stays as it is, with the reason."""
    asked = ("--axis", "gender", "--target", "woman", "--word", "sky", "--json")
    answer = json.loads(augkit("perturb", "The sky is blue.", *asked).out)
    assert answer["output"] == "The sky is blue."
    assert answer["rejected"].startswith("no reference")
