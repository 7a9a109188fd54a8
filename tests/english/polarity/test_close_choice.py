"""Close opposites: what the table holds, and which words are edited in a sentence."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from augkit.core.edits import Edit, apply
from augkit.english.parser import SpacyParser
from augkit.english.polarity.antonyms import ClassCounts
from augkit.english.polarity.close_choice import CloseChoice, NeighbourCounts, count_neighbours
from augkit.english.polarity.flip_polarity import flip_polarity
from augkit.lexicons.close_opposites import close_opposites, strong_words
from augkit.lexicons.evaluative import Polarity, bundled_lexicon

NO_COUNTS = ClassCounts({})


def flipped(text: str, side: Polarity, seed: int = 0, choice: CloseChoice | None = None) -> str:
    """The text with what reads well flipped."""
    (analysis,) = SpacyParser().parse([text])
    lexicon = bundled_lexicon()
    chosen = choice or CloseChoice(lexicon, NO_COUNTS)
    changes = flip_polarity(analysis, side, lexicon, chosen, Random(seed)).changes
    return apply({"t": text}, [Edit("t", c.start, c.end, "", c.after) for c in changes])["t"]


def test_every_word_of_the_table_is_in_the_lexicon_with_opposites_of_the_other_polarity() -> None:
    """One to four of them where the lexicon knows them, and never the word itself."""
    lexicon = bundled_lexicon()
    for (kind, word), opposites in close_opposites().items():
        entry = lexicon.find(kind, word)
        assert entry is not None, word
        assert 1 <= len(opposites) <= 4, word
        assert word not in opposites
        for opposite in opposites:
            other = lexicon.find(kind, opposite)
            assert other is None or other.polarity != entry.polarity, (word, opposite)


@pytest.mark.parametrize(
    ("text", "side", "expected"),
    [
        ("The staff was attentive.", "positive", "The staff was inattentive."),
        ("The worst bagels in town.", "negative", "The best bagels in town."),
        ("I would highly recommend it.", "positive", "I would not recommend it."),
        # What has no close opposite, or is of a type that reads badly, stays.
        ("The prizes were humane.", "positive", "The prizes were humane."),
        ("It was a waste of time.", "negative", "It was a waste of time."),
        ("It is not even good.", "negative", "It is not even good."),
        ("I enjoy as for mild fun.", "positive", "I enjoy as for mild fun."),
        ("He does what he does best.", "positive", "He does what he does best."),
        ("It ranges from bad to odd.", "negative", "It ranges from bad to odd."),
        ("A not-so-funny play.", "negative", "A not-so-funny play."),
    ],
)
def test_what_is_edited(text: str, side: Polarity, expected: str) -> None:
    """Close opposites, superlatives and some phrases; nothing else."""
    assert flipped(text, side) == expected


def test_after_very_no_strong_word_is_written() -> None:
    """A strong word after it reads badly: "very terrible"."""
    written = {flipped("The food was very great.", "positive", seed) for seed in range(9)}
    assert not any(set(text.rstrip(".").split()) & strong_words() for text in written)


def test_a_word_that_the_text_has_is_not_written_again() -> None:
    """Of "smart and clever" comes "stupid and dumb"; what repeats itself may go on to."""
    for seed in range(8):
        words = flipped("It was smart and clever.", "positive", seed).rstrip(".").split()
        assert len(set(words)) == len(words)
    assert flipped("Worst food, worst service!", "negative") == "Best food, best service!"


def test_neighbours_decide_more_often_than_not() -> None:
    """An opposite that stands beside the same words in the data is drawn more often."""
    texts = ["the rude staff"] * 50 + ["an unfriendly place"] * 50
    neighbours = count_neighbours(texts)
    assert neighbours.fit("rude", "the", "staff") > neighbours.fit("unfriendly", "the", "staff")
    choice = CloseChoice(bundled_lexicon(), NO_COUNTS, neighbours)
    drawn = Counter(flipped("the friendly staff", "positive", n, choice) for n in range(60))
    assert drawn["the rude staff"] > 2 * drawn["the unfriendly staff"]


def test_neighbours_met_once_are_not_kept() -> None:
    """They say nothing."""
    assert count_neighbours(["rude staff"]) == NeighbourCounts({"rude": {}}, {"rude": {}})
