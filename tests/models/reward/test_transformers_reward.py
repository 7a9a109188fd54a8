"""Reward models on encoders: the loss by finite differences, and a word that is learnt."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from augkit.core.choices import Choice
from augkit.core.errors import ConfigError, DataError
from augkit.models.classifiers.settings import EncoderConfig, TransformersConfig
from augkit.models.reward.train import train_reward
from augkit.models.reward.transformers_reward import choice_loss, open_transformers
from augkit.models.reward.vectors import vector_features

torch = pytest.importorskip("torch")

WORDS = "clever bright tender clumsy grim stale film the was".split()
CHOICES = [
    Choice((f"the {word} warm film", f"the {word} dull film"), (0,), f"was {word} {other}")
    for word in WORDS
    for other in WORDS[:4]
]


def test_the_loss_is_bradley_and_terrys_and_so_is_its_gradient():
    scores = torch.tensor([0.3, -1.2], dtype=torch.float64, requires_grad=True)
    loss = choice_loss(scores, (1,))
    loss.backward()
    assert loss.item() == pytest.approx(-math.log(1 / (1 + math.exp(0.3 + 1.2))))
    assert scores.grad.tolist() == pytest.approx(slopes([0.3, -1.2], (1,)), abs=1e-6)


def test_of_several_candidates_and_winners_it_is_the_mean_log_share():
    scores = torch.tensor([0.3, -1.2, 0.7, 0.0], dtype=torch.float64, requires_grad=True)
    choice_loss(scores, (0, 3)).backward()
    assert scores.grad.tolist() == pytest.approx(slopes([0.3, -1.2, 0.7, 0.0], (0, 3)), abs=1e-6)


def quick(model, epochs):
    settings = {"learning_rate": 5e-3, "batch_size": 8, "patience": epochs}
    return TransformersConfig(model=str(model), epochs=epochs, **settings)


def slopes(scores, winners, step=1e-5):
    """Finite differences of the loss, written with the standard library."""

    def loss(values):
        total = math.log(sum(math.exp(value) for value in values))
        return -sum(values[place] - total for place in winners) / len(winners)

    moved = [
        [[v + sign * step * (n == place) for n, v in enumerate(scores)] for sign in (1, -1)]
        for place in range(len(scores))
    ]
    return [(loss(up) - loss(down)) / (2 * step) for up, down in moved]


@pytest.mark.slow
def test_a_transformer_learns_which_word_wins_and_items_of_weight_nothing_teach_nothing(tiny_bert):
    """The same items with the other winner, at weight 0, do not change what is learnt."""
    turned = [Choice(c.candidates, (1,), f"turned {c.prompt}") for c in CHOICES]
    weights = np.array([1.0] * len(CHOICES) + [0.0] * len(CHOICES))
    scores = train_reward([*CHOICES, *turned], quick(tiny_bert, 8), weights).scores(CHOICES)
    assert (scores[::2] > scores[1::2]).mean() > 0.9


@pytest.mark.slow
def test_the_same_seed_gives_the_same_model(tiny_bert):
    first, again = (train_reward(CHOICES, quick(tiny_bert, 1)) for _ in range(2))
    assert first.scores(CHOICES) == pytest.approx(again.scores(CHOICES))


def test_a_trained_model_has_one_output(tiny_bert, tmp_path):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny_bert)
    for outputs in (1, 3):
        model = AutoModelForSequenceClassification.from_pretrained(tiny_bert, num_labels=outputs)
        model.save_pretrained(tmp_path / str(outputs))
        tokenizer.save_pretrained(tmp_path / str(outputs))
    reward = open_transformers(str(tmp_path / "1"))
    choice = CHOICES[0]
    inputs = tokenizer(choice.prompt, choice.candidates[1], return_tensors="pt")
    expected = reward.model(**inputs).logits[0, 0].item()
    assert reward.scores([choice])[1] == pytest.approx(expected, abs=1e-5)
    with pytest.raises(ConfigError, match="3 outputs"):
        open_transformers(str(tmp_path / "3"))


def test_too_few_items_to_hold_some_out(tiny_bert):
    with pytest.raises(DataError, match="too few to fine-tune"):
        train_reward(CHOICES[:1], TransformersConfig(model=str(tiny_bert)))


def test_the_head_on_vectors_has_the_highest_likelihood(tiny_bert):
    """Of standardised features, item by item, without a gradient."""
    config = EncoderConfig(model=str(tiny_bert), strength=0.05)
    features = vector_features(CHOICES, config, with_prompt=True)
    scaled = features / (features.std(axis=0) + 1e-12)

    def loss(coefficients):
        scores = scaled @ coefficients
        total = coefficients @ coefficients / 2
        for item in range(len(CHOICES)):
            won, lost = scores[2 * item], scores[2 * item + 1]
            total += 0.05 * math.log(1 + math.exp(lost - won))
        return total

    model = train_reward(CHOICES, config)
    fitted = model.weights * (features.std(axis=0) + 1e-12)
    slow = minimize(loss, np.zeros(features.shape[1]), method="L-BFGS-B")  # numeric gradient
    assert loss(fitted) <= slow.fun + 1e-6
    assert model.scores(CHOICES) == pytest.approx(scaled @ slow.x, abs=0.02)
    assert (model.scores(CHOICES)[::2] > model.scores(CHOICES)[1::2]).all()


def test_without_prompts_the_answer_alone_is_read(tiny_bert):
    config = EncoderConfig(model=str(tiny_bert))
    model = train_reward([Choice(c.candidates, c.winners) for c in CHOICES], config)
    assert len(model.weights) * 3 == len(train_reward(CHOICES, config).weights)
    with pytest.raises(ConfigError, match=r"model\.learner"):
        train_reward(CHOICES, EncoderConfig(model=str(tiny_bert), learner="svm"))
