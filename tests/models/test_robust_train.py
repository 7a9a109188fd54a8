"""Robust training of classifiers on texts: a planted shortcut is leant on less by every kind."""

import random

import numpy as np
import pytest
from scipy.special import softmax

from augkit.core.errors import ConfigError
from augkit.core.types import example
from augkit.models.classifiers.encoder import EncoderConfig
from augkit.models.classifiers.linear import LinearClassifier, LinearConfig, train_linear
from augkit.models.classifiers.saved import load_classifier
from augkit.models.classifiers.transformers_classifier import TransformersConfig
from augkit.models.robust.bias_features import BiasView, find_view, telling_words
from augkit.models.robust.jtt_drift import RobustConfig
from augkit.models.robust.train import Robust, train_robust

WAYS = ["jtt", "drift", "poe", "rew", "clever"]


def claims(seed, rows, shortcut):
    """Claims with a word that goes with the label as often as told; evidence that tells more."""
    draw = random.Random(seed)
    made, agree = [], []
    for _ in range(rows):
        label = draw.choice(["refutes", "supports"])
        agrees = draw.random() < shortcut
        negated = (label == "refutes") == agrees
        cue = "never" if negated else "always"
        side = {"refutes": "dark", "supports": "light"}
        other = {"refutes": "light", "supports": "dark"}
        words = [side[label] if draw.random() < 0.65 else other[label] for _ in range(5)]
        shown = [f"{word}{place}" for place, word in enumerate(words)]
        claim = f"she {cue} wore number{draw.randrange(9)}"
        made.append(example({"claim": claim, "evidence": " ".join(shown)}, label))
        agree.append(agrees)
    return made, np.array(agree)


def as_texts(rows):
    return [example(" ".join(row.fields.values()), row.label) for row in rows]


def counter_accuracy(model, rows, agrees):
    answers = [model.labels[n] for n in model.predict(rows).argmax(axis=1)]
    right = np.array([said == row.label for said, row in zip(answers, rows, strict=True)])
    return right[~agrees].mean()


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_a_claim_alone_decides_less(seed, way):
    """Trained against its claims, a classifier of pairs does better where the claim misleads."""
    rows, _ = claims(seed, 800, 0.9)
    test, agrees = claims(seed + 100, 800, 0.5)
    member = LinearConfig(ngrams=1)
    robust = Robust(way, RobustConfig(), BiasView(field="claim"))
    before = counter_accuracy(train_linear(rows, member), test, agrees)
    assert counter_accuracy(train_robust(rows, member, robust), test, agrees) > before + 0.05


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_a_word_alone_decides_less(seed, way):
    """The same of single texts, against two words that are named."""
    rows, _ = claims(seed, 800, 0.9)
    test, agrees = claims(seed + 100, 800, 0.5)
    member = LinearConfig(ngrams=1)
    robust = Robust(way, RobustConfig(), BiasView(words=("never", "always")))
    before = counter_accuracy(train_linear(as_texts(rows), member), as_texts(test), agrees)
    model = train_robust(as_texts(rows), member, robust)
    assert counter_accuracy(model, as_texts(test), agrees) > before + 0.05


def test_the_telling_field_and_words_are_found():
    """Of a pair the field that gives the label away, of a text the words, the strongest first."""
    rows, _ = claims(0, 600, 0.95)
    assert find_view(rows, 10) == BiasView(field="claim")
    found = find_view(as_texts(rows), 4)
    assert set(found.words[:2]) == {"never", "always"}
    assert len(found.words) == 4
    assert str(found).startswith("4 words alone (")
    blind = [example(f"word{n % 7} here", "ab"[n % 2]) for n in range(70)]
    with pytest.raises(ConfigError, match="no bias to train against"):
        telling_words(blind, 5)


@pytest.mark.parametrize("view", [BiasView(field="claim"), BiasView(words=("never", "always"))])
def test_clever_subtracts_scores_and_is_saved(tmp_path, view):
    """The answer is the softmax of one model's scores less the other's, also when read again."""
    rows, _ = claims(0, 200, 0.9)
    model = train_robust(rows, LinearConfig(), Robust("clever", RobustConfig(subtract=0.7), view))
    whole = train_linear(rows, LinearConfig())
    bias = train_linear(view(rows), LinearConfig(iterations=300))
    scores = whole.features(rows) @ whole.weights.T + whole.bias
    taken = bias.features(view(rows)) @ bias.weights.T + bias.bias
    wanted = softmax(scores - 0.7 * taken, axis=1)
    assert np.abs(model.predict(rows) - wanted).max() < 1e-9
    model.save(tmp_path / "clever")
    assert (load_classifier(tmp_path / "clever").predict(rows) == model.predict(rows)).all()
    assert not [path for path in (tmp_path / "clever").rglob("*") if path.suffix == ".pkl"]


def test_hints_may_come_from_elsewhere():
    """Hints of the training rows do for all ways but CLEVER, which must see those of new texts."""
    rows, _ = claims(1, 300, 0.9)
    hints = BiasView(field="claim")
    given = train_linear(hints(rows)).features(hints(rows))
    for way in ("drift", "poe", "rew"):
        model = train_robust(rows, LinearConfig(), Robust(way, RobustConfig(), hints=given))
        assert isinstance(model, LinearClassifier)
    with pytest.raises(ConfigError, match="must be seen in new texts"):
        train_robust(rows, LinearConfig(), Robust("clever", RobustConfig(), hints=given))


@pytest.mark.parametrize("way", WAYS)
def test_heads_of_encoders_and_transformers_are_trained(tiny_bert, way):
    """Each way trains both, and the same rows give the same answers again."""
    rows, _ = claims(0, 60, 0.9)
    robust = Robust(way, RobustConfig(), BiasView(field="claim"))
    quick = {"epochs": 2, "batch_size": 16, "learning_rate": 1e-3, "max_tokens": 32}
    for member in (
        EncoderConfig(model=str(tiny_bert)),
        TransformersConfig(model=str(tiny_bert), **quick),
    ):
        model, again = (train_robust(rows, member, robust, rows[:10]) for _ in range(2))
        answers = model.predict(rows)
        assert answers.shape == (60, 2)
        assert np.abs(answers.sum(axis=1) - 1).max() < 1e-6
        assert (answers == again.predict(rows)).all()


def test_mistakes_are_told():
    """A field that is not there, a way that does not exist, a learner that is not logistic."""
    rows, _ = claims(0, 40, 0.9)
    config = RobustConfig()
    with pytest.raises(ConfigError, match="claim, evidence"):
        train_robust(rows, LinearConfig(), Robust("poe", config, BiasView(field="hypothesis")))
    with pytest.raises(ConfigError, match="choose jtt, drift, poe, rew, clever"):
        train_robust(rows, LinearConfig(), Robust("pow", config))
    with pytest.raises(ConfigError, match="what to train against"):
        train_robust(rows, LinearConfig(), Robust("poe", config))
    with pytest.raises(ConfigError, match="learner logistic"):
        train_robust(rows, LinearConfig(learner="svm"), Robust("jtt", config))
