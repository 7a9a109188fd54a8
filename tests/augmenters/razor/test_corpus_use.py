"""A word that judges is kept, unless it is in far more rows than such words are."""

import numpy as np

from augkit.augmenters.razor.corpus_use import overused_judgements
from augkit.augmenters.razor.token_score import FeatureCounts

JUDGING = ("great", "superb", "lovely", "charming", "brilliant", "awful", "dreadful", "dull")


def rows(planted: str, share: float) -> tuple[list[str], np.ndarray]:
    """Reviews, a judging word each; a share of the positive ones has another word as well."""
    texts, labels = [], []
    for number in range(400):
        positive = number % 2 == 0
        word = JUDGING[number % 5] if positive else JUDGING[5 + number % 3]
        extra = planted if positive and number < 400 * share else ""
        texts.append(f"a {word} {extra} film")
        labels.append(int(positive))
    return texts, np.array(labels)


def test_a_label_of_few_judging_words_keeps_them():
    """Where a label has one word that judges, that word is the label."""
    texts = ["a superb film", "a dreadful film"] * 50
    labels = np.array([1, 0] * 50)
    assert overused_judgements(FeatureCounts(texts, labels, 2)) == frozenset()


def found(planted: str, share: float) -> frozenset[str]:
    """The words that are too frequent to judge."""
    texts, labels = rows(planted, share)
    return overused_judgements(FeatureCounts(texts, labels, 2))


def test_a_word_in_most_rows_of_a_label_is_no_judgement():
    """Every other word that judges is in a fifth of its rows."""
    assert found("wooden", 1.0) == {"wooden"}
    assert found("wooden", 0.5) == frozenset()


def test_words_without_polarity_are_not_looked_at():
    """They may be removed anyway."""
    assert found("zeppelin", 1.0) == frozenset()
