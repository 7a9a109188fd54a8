"""The polarity of a label: by its name, or by the words of its rows."""

from augkit.core.types import example
from augkit.english.polarity.label_polarity import find_order, label_polarity
from augkit.lexicons.evaluative import bundled_lexicon


def test_two_labels_with_other_names_are_distinguished_by_praise():
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
    named = label_polarity(["negative", "neutral", "positive"], [], bundled_lexicon())
    assert named == {"negative": "negative", "positive": "positive"}


_RATED = {
    1: "An awful, boring place.",
    2: "An awful, boring place, but a good view.",
    3: "A boring place with a good view.",
    4: "A good and lovely place, if boring.",
    5: "A great, lovely place.",
}


def rated(texts, times=20):
    return [example(text, str(label)) for label, text in texts.items()] * times


def test_numbers_are_an_order_where_praise_rises_with_them():
    """Stars are; both sides of the middle have a polarity, the middle has none."""
    rows = rated(_RATED)
    order = find_order(rows)
    assert order.ranked == ["1", "2", "3", "4", "5"]
    found = label_polarity("12345", rows, bundled_lexicon(), order)
    expected = dict.fromkeys("12", "negative") | dict.fromkeys("45", "positive")
    assert found == expected


def test_marks_of_which_one_is_the_best_are_an_order_too():
    """German school marks: praise falls as the number rises."""
    rows = rated({6 - label: text for label, text in _RATED.items()})
    found = label_polarity("12345", rows, bundled_lexicon(), find_order(rows))
    assert found["1"] == "positive"
    assert found["5"] == "negative"


def test_codes_of_topics_are_no_order():
    """Numbers whose texts praise in no order, or do not judge at all."""
    mixed = rated({0: _RATED[3], 1: _RATED[5], 2: _RATED[1], 3: _RATED[4]})
    plain = rated({n: f"The train to town {n} leaves at nine." for n in range(4)})
    assert find_order(mixed) is None
    assert find_order(plain) is None


def test_numbers_of_pairs_are_no_order_unless_declared():
    """0, 1, 2 of an inference dataset are codes; so may be those of a similarity."""
    rows = [example({"a": "A great day.", "b": text}, str(n)) for n, text in _RATED.items()] * 20
    assert find_order(rows) is None
    assert find_order(rows, list("12345")).flipped("5") == "1"
