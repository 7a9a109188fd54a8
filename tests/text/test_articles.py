"""a and an, and the casing of what is put in."""

import pytest

from augkit.lexicons.load import synonyms
from augkit.text.articles import article, refit
from augkit.text.casing import match_case

A = "film unicorn one European UFO university user once NASA".split()
AN = "hour honest heir FBI MRI X-ray umbrella onion uninteresting".split()


@pytest.mark.parametrize(
    ("word", "expected"), [*[(word, "a") for word in A], *[(word, "an") for word in AN]]
)
def test_the_sound_decides_not_the_letter(word, expected):
    """Words whose spelling misleads take the article they are spoken with."""
    assert article(word) == expected


@pytest.mark.slow
def test_the_whole_synonym_table_agrees_with_an_independent_judge():
    """For every word that EDA can put in, the article is the one that ``inflect`` gives."""
    import inflect  # seconds, in every process that loads it

    judge = inflect.engine()
    offered = {word for words in synonyms().values() for word in words}
    assert [word for word in sorted(offered) if judge.a(word) != f"{article(word)} {word}"] == []


@pytest.mark.parametrize(
    ("current", "before", "after", "expected"),
    [
        ("an", "excellent", "superb", "a"),
        ("A", "fine", "excellent", "An"),
        ("AN", "awful", "bad", "A"),
        ("a", "bad", "poor", "a"),
        ("a", "awful", "bad", "a"),
        ("an", "film", "effort", "an"),
    ],
)
def test_refit_changes_only_an_article_that_was_right(current, before, after, expected):
    """A right article follows the new word in its casing; a wrong one is the writer's own."""
    assert refit(current, before, after) == expected


@pytest.mark.parametrize(
    ("word", "like", "expected"),
    [
        ("film", "MOVIE", "FILM"),
        ("film", "Movie", "Film"),
        ("film", "movie", "film"),
        ("perhaps", "I", "Perhaps"),
        ("NASA", "agency", "NASA"),
        ("film", "mOVIE", "film"),
        ("film", "123", "film"),
        ("film", "", "film"),
        ("", "Movie", ""),
        ("straße", "STREET", "STRASSE"),
    ],
)
def test_casing_is_taken_over(word, like, expected):
    """ALL CAPS and a first capital are taken over; anything else leaves the word as it is."""
    assert match_case(word, like) == expected
