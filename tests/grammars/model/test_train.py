"""Training a grammar: it improves, resumes, stops, and rejects bad texts."""

import numpy as np
import pytest
import torch

from augkit.core.errors import DataError, OutputExists
from augkit.grammars.model.grammar import Grammar
from augkit.grammars.model.train import GrammarConfig, train_grammar


def draw_texts(count, seed):
    """Nouns 0-4 each followed by a verb 5-9, two to four times."""
    rng = np.random.default_rng(seed)
    return [
        np.array(
            [w for _ in range(rng.integers(2, 5)) for w in (rng.integers(5), 5 + rng.integers(5))]
        )
        for _ in range(count)
    ]


def draw_pairs(count, seed):
    """A text and itself with its last word changed."""
    return [(text, np.append(text[:-1], 10)) for text in draw_texts(count, seed)]


SMALL = {
    "words": 11,
    "symbols": 3,
    "leaves": 4,
    "width": 16,
    "device": "cpu",
    "learning_rate": 1e-2,
}


@pytest.fixture(params=[False, True], ids=["texts", "pairs"])
def corpus(request):
    pairs = request.param
    sample = draw_pairs if pairs else draw_texts
    config = GrammarConfig(pairs=pairs, epochs=2, **SMALL)
    return sample(20, 0), sample(5, 1), config


@pytest.mark.slow
def test_training_helps(corpus):
    """The held-out likelihood rises over the epochs, and the best grammar has it."""
    train, heldout, config = corpus
    seen = []
    grammar = train_grammar(train, heldout, config, None, seen.append)
    assert seen[-1].heldout > seen[0].heldout
    assert grammar.log_likelihood(heldout).mean() == pytest.approx(seen[-1].heldout)
    trees = grammar.parse(heldout)
    assert (trees.doc[trees.roots] == np.arange(len(heldout))).all()


@pytest.mark.slow
def test_an_interrupted_training_resumes(corpus, tmp_path):
    """Interrupted after an epoch and started again, training ends with the same grammar."""
    train, heldout, config = corpus
    whole = train_grammar(train, heldout, config, tmp_path / "whole")

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_grammar(train, heldout, config, tmp_path / "cut", interrupt)
    seen = []
    again = train_grammar(train, heldout, config, tmp_path / "cut", seen.append)
    assert [one.epoch for one in seen] == [1]
    for name, one in whole.parameters.items():
        assert torch.equal(one, again.parameters[name]), name
    loaded = Grammar.load(tmp_path / "cut", "cpu")
    assert (loaded.log_likelihood(heldout) == whole.log_likelihood(heldout)).all()


def test_other_settings_are_an_error(corpus, tmp_path):
    """A folder with another training in it is not taken over."""
    train, heldout, config = corpus
    train_grammar(train, heldout, config.model_copy(update={"epochs": 1}), tmp_path)
    with pytest.raises(OutputExists, match="other settings"):
        train_grammar(train, heldout, config.model_copy(update={"seed": 1}), tmp_path)


def test_stops_when_nothing_improves():
    """Where the held-out likelihood only falls, training stops after its patience."""
    config = GrammarConfig(**{**SMALL, "learning_rate": 5.0}, patience=1, epochs=30, clip=1e6)
    seen = []
    train_grammar(draw_texts(20, 0), draw_texts(5, 1), config, None, seen.append)
    assert len(seen) < 30
    assert not seen[-1].best


def test_bad_texts_are_named():
    """Texts that no tree spans are counted and named; so are ids beyond the vocabulary."""
    config = GrammarConfig(**SMALL)
    good = draw_texts(3, 0)
    with pytest.raises(DataError, match=r"2 of 5 texts .* numbers 3, 4"):
        train_grammar([*good, np.array([1]), np.zeros(300, int)], good, config)
    with pytest.raises(DataError, match="text 0 has a word id outside"):
        train_grammar([np.array([1, 11])], good, config)
    with pytest.raises(DataError, match="3 of the texts are not single"):
        train_grammar(draw_pairs(3, 0), good, config)
    with pytest.raises(DataError, match="got none"):
        train_grammar(good, [], config)
