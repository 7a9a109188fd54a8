"""The polarity of a label: by its name, or by the words of its rows."""

from augkit.augmenters.coba.polarity.label_polarity import label_polarity
from augkit.core.types import example
from augkit.lexicons.evaluative import bundled_lexicon


def test_two_labels_with_other_names_are_told_apart_by_praise():
    """Of "1" and "0" the one whose rows praise is the positive one."""
    rows = [example("A great, brilliant film.", "1"), example("An awful, boring film.", "0")] * 30
    assert label_polarity(["0", "1"], rows, bundled_lexicon()) == {"0": "negative", "1": "positive"}


def test_labels_that_do_not_judge_have_no_side():
    """Rows that praise alike, or not at all, are not about judging; nor are three labels."""
    alike = [example("A great film.", label) for label in "ab"] * 40
    plain = [example("The train leaves at nine.", label) for label in "ab"] * 40
    assert label_polarity(["a", "b"], alike, bundled_lexicon()) == {}
    assert label_polarity(["a", "b"], plain, bundled_lexicon()) == {}
    assert label_polarity(["a", "b", "c"], alike, bundled_lexicon()) == {}


def test_a_middle_label_has_no_side():
    """Positive and negative have sides, neutral has none."""
    named = label_polarity(["negative", "neutral", "positive"], [], bundled_lexicon())
    assert named == {"negative": "negative", "positive": "positive"}
