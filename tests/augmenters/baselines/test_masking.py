"""Masked words and phrases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import augkit
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.protocols import Target, Tools
from augkit.core.types import Variant, example


def test_listed_words_are_hidden_wherever_they_stand():
    """Whatever their case, in every field, and nothing else."""
    row = example({"premise": "He saw her.", "hypothesis": "HE left the room."}, "x")
    pair = next(iter(augkit.create("mask-words", words=["he", "her"])([row])))
    assert dict(pair.variant.fields) == {
        "premise": "[MASK] saw [MASK].",
        "hypothesis": "[MASK] left the room.",
    }
    assert isinstance(
        next(iter(augkit.create("mask-words", words=["she"]).outcomes([row]))), Variant
    )


@pytest.mark.parametrize(("share", "hidden"), [(0.01, 1), (0.5, 5), (1.0, 10)])
def test_a_share_of_random_words_is_hidden(share, hidden):
    text = "one two three four five six seven eight nine ten"
    (variant,) = augkit.create("mask-words", share=share).augment(text)
    assert variant.count("[MASK]") == hidden


@given(st.integers(1, 9), st.integers(0, 50))
def test_one_run_of_words_is_hidden(longest, seed):
    """One sign in the place of at most so many neighbouring words; the rest stays in order."""
    words = "one two three four five six seven eight nine ten".split()
    (variant,) = augkit.create("mask-phrase", longest=longest, seed=seed).augment(" ".join(words))
    left, right = variant.split("[MASK]")
    kept = left.split() + right.split()
    assert 1 <= len(words) - len(kept) <= longest
    assert kept == words[: len(left.split())] + words[len(words) - len(right.split()) :]


@pytest.mark.parametrize("method", ["mask-words", "mask-phrase"])
def test_only_the_named_fields_are_changed(method):
    pair = example({"premise": "A man sleeps.", "hypothesis": "He rests here."}, "neutral")
    (made,) = augkit.create(method, fields=["hypothesis"])([pair])
    assert made.variant.fields["premise"] == "A man sleeps."
    assert "[MASK]" in made.variant.fields["hypothesis"]
    with pytest.raises(UnknownName, match="hypothesis"):
        list(augkit.create(method, fields=["hypotesis"])([pair]))


class FakeFinder:
    def __init__(self, *targets):
        self.targets = [Target(field, *span, "test", strength) for field, span, strength in targets]

    def find(self, examples):
        return [list(self.targets) for _ in examples]


PAIR = example({"premise": "A man sleeps.", "hypothesis": "He is not awake."}, "entailment")
FINDER = FakeFinder(
    ("hypothesis", (6, 9), 5.0),
    ("hypothesis", (3, 9), 2.0),
    ("hypothesis", (10, 15), 1.0),
    ("premise", (2, 5), 3.0),
)


def masked(method, finder=FINDER, **settings):
    (outcome,) = augkit.create(method, Tools(finder=finder), **settings).outcomes([PAIR])
    return outcome if isinstance(outcome, Variant) else dict(outcome.variant.fields)


def test_listed_phrases_are_hidden_wherever_they_stand():
    """Whole words in any case and spacing, the longest phrase first; other rows are rejected."""
    rows = [
        example("On  opening night we laughed; ON OPENING nightly.", "good"),
        example("It opens on Monday.", "bad"),
    ]
    aug = augkit.create(
        "mask-phrase", phrases=["opening", "on opening night", "on opening"], copies=3
    )
    pair, rejection = aug.outcomes(rows)
    assert pair.variant.fields["text"] == "[MASK] we laughed; [MASK] nightly."
    assert rejection.reason == "no listed phrase"
    with pytest.raises(ConfigError, match="needs a word"):
        augkit.create("mask-phrase", phrases=[" "])


def test_the_strongest_targets_are_masked():
    """Strongest first, as many as the setting says; one that overlaps a stronger one is left."""
    assert masked("mask-words", targets=1)["hypothesis"] == "He is [MASK] awake."
    both = {"premise": "A [MASK] sleeps.", "hypothesis": "He is [MASK] awake."}
    assert masked("mask-words", targets=2) == both
    assert masked("mask-words")["hypothesis"] == "He is [MASK] [MASK]."


def test_a_phrase_is_the_strongest_target():
    assert masked("mask-phrase")["hypothesis"] == "He is [MASK] awake."
    assert masked("mask-phrase", fields=["premise"])["premise"] == "A [MASK] sleeps."


@pytest.mark.parametrize("method", ["mask-words", "mask-phrase"])
def test_a_row_without_a_target_is_rejected(method):
    """The finder decides alone: nothing is sampled."""
    assert masked(method, FakeFinder()).reason == "no target"
