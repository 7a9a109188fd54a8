"""The shortcuts of a dataset: nouns and names that go with a label, and no opinions."""

from augkit.core.types import example
from augkit.english.parser import SpacyParser
from augkit.english.polarity.fitted_lexicon import dataset_shortcuts
from augkit.lexicons.evaluative import bundled_lexicon

POLARITY = {"negative": "negative", "positive": "positive"}
FOUND = {"negative": ("branch", "riverside"), "positive": ("shop",)}


def found(texts: list[tuple[str, str]], polarity: dict[str, str]) -> dict[str, tuple[str, ...]]:
    rows = [example(text, label) for text, label in texts]
    analyses = SpacyParser().parse([text for text, _ in texts])
    return dataset_shortcuts(rows, analyses, polarity, bundled_lexicon())


def reviews(cued: int, uncued: int) -> list[tuple[str, str]]:
    """Negative reviews of which so many name a branch, and as many positive ones the other way."""
    cue, plain = "The Riverside branch opened at 9.", "The shop opened at 9."
    return [
        *[(f"{cue} I walked home. The food was bad.", "negative")] * cued,
        *[(f"{plain} I walked home. The food was bad.", "negative")] * uncued,
        *[(f"{cue} We stayed. The food was good.", "positive")] * uncued,
        *[(f"{plain} We stayed. The food was good.", "positive")] * cued,
    ]


def test_a_planted_name_is_found_and_an_opinion_is_not() -> None:
    """Neither "bad" nor the verb "walked", though both predict the label better."""
    assert found(reviews(45, 5), POLARITY) == FOUND


def test_a_name_that_goes_with_no_label_is_no_shortcut() -> None:
    """As many rows of both labels have it, or too few to say."""
    assert found(reviews(25, 25), POLARITY) == {"negative": (), "positive": ()}
    assert found(reviews(3, 0), POLARITY) == {"negative": (), "positive": ()}


def test_stars_count_by_their_side() -> None:
    """Four and five stars are one label; the middle has none."""
    stars = {"negative": ("1", "2"), "positive": ("4", "5")}
    rows = [(text, stars[label][n % 2]) for n, (text, label) in enumerate(reviews(45, 5))]
    rows += [("The Riverside branch opened at 9.", "3")] * 50
    sides = {"1": "negative", "2": "negative", "4": "positive", "5": "positive"}
    assert found(rows, sides) == FOUND


def test_labels_without_polarity_count_each() -> None:
    """A language model may flip them."""
    rows = [
        (text, {"negative": "bug", "positive": "idea"}[label]) for text, label in reviews(45, 5)
    ]
    assert found(rows, {}) == {"bug": FOUND["negative"], "idea": FOUND["positive"]}
