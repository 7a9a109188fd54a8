import pytest

from augkit.commands.check.associations import _few_texts, check_association, holds
from augkit.commands.check.contract import AssociationSection, NgramSection
from tests.data import random_texts


def test_a_planted_word_fails_and_others_do_not(checked_rows, rng):
    """The word, its n-grams and its place are found, with rows that show it."""
    texts = random_texts(400, rng)
    labels = ["yes" if number % 2 else "no" for number in range(400)]
    texts = [
        f"zeppelin w0 {text}" if label == "yes" and number % 4 == 1 else text
        for number, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    rows = checked_rows(texts, labels)
    tokens = check_association("tokens", rows, AssociationSection(), 0.01)
    assert [(one.feature, one.label) for one in tokens.findings] == [("zeppelin", "yes")]
    (finding,) = tokens.findings
    assert all("zeppelin" in texts[row] and labels[row] == "yes" for row in finding.rows)
    ngrams = check_association("ngrams", rows, NgramSection(), 0.01)
    assert ngrams.findings[0].feature == "2-gram: zeppelin w0"
    first = check_association("position", rows, AssociationSection(), 0.01)
    assert [one.feature for one in first.findings] == ["first word: zeppelin"]
    allowed = AssociationSection(allow=("Zeppelin",))
    assert not check_association("tokens", rows, allowed, 0.01).findings


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (6, "6 different texts are too few"),
        (40, "only an association of"),
        (400, "; limit: association 0.2"),
    ],
)
def test_few_texts_show_large_effects_only(checked_rows, rng, texts, said):
    """With enough of them nothing is said; where nothing can be found, the check is skipped."""
    rows = checked_rows(random_texts(texts, rng), ["no", "yes"] * (texts // 2))
    check = check_association("tokens", rows, AssociationSection(), 0.01)
    assert said in check.summary
    assert check.skipped == (texts == 6)
    assert texts < 400 or check.summary.endswith(said)


@pytest.mark.parametrize(("smallest", "said"), [(0.8, "0.80 or more is"), (1.0, "1.00 is")])
def test_nothing_is_more_than_the_largest_association(smallest, said):
    """An association of 1 has no "or more"."""
    assert f"association of {said} found" in _few_texts(40, smallest, 0.2)


def test_length_and_format(checked_rows, rng):
    """Long texts of one label and a sign of another are found; one finding a unit."""
    short, long = random_texts(200, rng, longest=5), random_texts(200, rng, longest=30)
    texts = [*(f"{text}?!" for text in short), *long]
    rows = checked_rows(texts, ["no"] * 200 + ["yes"] * 200)
    lengths = check_association("length", rows, AssociationSection(), 0.01).findings
    assert {one.feature.partition(" ")[2] for one in lengths} == {
        "length in words",
        "length in characters",
    }
    found = check_association("format", rows, AssociationSection(), 0.01).findings
    assert ("sign ?", "no") in {(one.feature, one.label) for one in found}
    for finding in [*lengths, *found]:
        assert finding.rows


def test_repeated_texts_count_once(checked_rows):
    """A hundred copies of one row are no evidence."""
    texts = ["a zeppelin"] * 100 + [f"text number {number}" for number in range(20)]
    labels = ["yes"] * 100 + ["yes", "no"] * 10
    rows = checked_rows(texts, labels)
    assert not check_association("tokens", rows, AssociationSection(), 0.05).findings


@pytest.mark.parametrize(
    ("kind", "name", "text", "expected"),
    [
        ("token", "on", "Only one.", False),
        ("last word", "one", "Only one.", True),
        ("length in words", "at most 2 words", "Only one.", True),
        ("length in characters", "over 9 characters", "Only one.", False),
        ("format", "ends with .", "Only one.", True),
    ],
)
def test_holds(kind, name, text, expected):
    """A feature is found again in a text by its name."""
    assert holds(kind, name, text) is expected
