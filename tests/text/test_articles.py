"""a and an."""

from __future__ import annotations

import pytest

from augkit.lexicons.load import synonyms
from augkit.text.articles import article, refit


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *[
            (word, "a")
            for word in [
                "film",
                "unicorn",
                "one",
                "European",
                "UFO",
                "university",
                "user",
                "once",
                "NASA",
            ]
        ],
        *[
            (word, "an")
            for word in [
                "hour",
                "honest",
                "heir",
                "FBI",
                "MRI",
                "X-ray",
                "umbrella",
                "onion",
                "uninteresting",
            ]
        ],
    ],
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
