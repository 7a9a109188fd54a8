"""Parts of the CoBA paper by hand, as ``docs/paper-map/coba.yaml`` names them."""

import pytest

from augkit.attribution.explanation import Explanation, WordWeight, top_words
from augkit.augmenters.coba.gender import GenderIdentifier
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.create import create
from augkit.core.types import FREE, Cost, example
from augkit.llm.prices import bundled_prices
from augkit.models.ensembles.crossfit import load_ensemble


def test_each_classifier_names_k_words():
    """The K greatest weights for the label, each word once; what speaks against it is no word."""
    weights = {"good": 0.9, "plot": 0.2, "the": 0.1, "bad": -0.8, "film": 0.5}
    words = tuple(WordWeight("text", 0, 1, word, weight) for word, weight in weights.items())
    explanation = Explanation("positive", words, 0.0, 0.0, "exact")
    assert list(top_words(explanation, 2)) == ["good", "film"]
    assert list(top_words(explanation, 20)) == ["good", "film", "plot", "the"]


def test_gendered_words_become_spurious():
    """With gender = spurious "he" and "actress" join what the vote named."""

    class Vote:
        def identify(self, parents):
            return [Words(frozenset({"dull"}), frozenset({"plot"})) for _ in parents]

    (words,) = GenderIdentifier(Vote()).identify([example("He met the actress; dull plot.", "n")])
    assert words.spurious == {"plot", "he", "actress"}
    assert words.principal == {"dull"}


def test_the_papers_five_backbones():
    """BERT-base, BERT-large, RoBERTa-large, DistilBERT and BART-base with the settings of B."""
    members = load_ensemble("coba-five-backbones").members
    names = [member.model.partition("/")[2] for member in members]
    assert names == [
        "bert-base-uncased",
        "bert-large-uncased",
        "roberta-large",
        "distilbert-base-uncased",
        "bart-base",
    ]
    settings = {(m.batch_size, m.learning_rate, m.epochs) for m in members}
    assert settings == {(32, 5e-5, 10)}


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 7])
def test_any_odd_number_of_classifiers_votes(number):
    """As many classifiers are trained as are asked for, all different."""
    rows = [example(f"{word} film {n}", label) for n in range(4)
            for word, label in (("good", "positive"), ("bad", "negative"))]  # fmt: skip
    method = create("coba", classifiers=number, folds=2, unit="text").fit(rows)
    names = [score.member for score in method.artifact.texts.ensemble.held_out]
    assert len(set(names)) == number


def test_the_price_of_the_papers_model():
    """GPT-4o-mini: 0.15 dollars a million tokens read, 0.60 written, as in appendix G."""
    price = bundled_prices().price("gpt-4o-mini")
    assert price.usd(Cost(1, 1_000_000, 0)) == pytest.approx(0.15)
    assert price.usd(Cost(1, 0, 1_000_000)) == pytest.approx(0.60)
    assert price.usd(FREE) == 0
