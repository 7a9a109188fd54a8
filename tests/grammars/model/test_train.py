"""Training a grammar: it improves, resumes, stops, and rejects bad texts."""

import numpy as np
import pytest
import torch

from augkit.core.errors import DataError, OutputExists
from augkit.grammars.model.grammar import Grammar
from augkit.grammars.model.train import GrammarConfig, train_grammar


def with_another_end(texts):
    """Pairs: a text and itself with its last word changed."""
    return [(text, np.append(text[:-1], 10)) for text in texts]


@pytest.fixture(scope="module", params=[False, True], ids=["texts", "pairs"])
def corpus(request, draw_texts, small):
    train, heldout = draw_texts(20, 0), draw_texts(5, 1)
    if request.param:
        train, heldout = with_another_end(train), with_another_end(heldout)
    return train, heldout, GrammarConfig(pairs=request.param, **small)


@pytest.fixture(scope="module")
def whole(corpus):
    """A grammar whose training was not disturbed, and how that went."""
    seen = []
    return train_grammar(*corpus, None, seen.append), seen


@pytest.mark.slow
def test_training_helps(corpus, whole):
    heldout = corpus[1]
    grammar, seen = whole
    assert seen[-1].heldout > seen[0].heldout
    assert grammar.log_likelihood(heldout).mean() == pytest.approx(seen[-1].heldout)
    trees = grammar.parse(heldout)
    assert (trees.doc[trees.roots] == np.arange(len(heldout))).all()


@pytest.mark.slow
def test_an_interrupted_training_resumes(corpus, whole, tmp_path):
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_grammar(*corpus, tmp_path, interrupt)
    seen = []
    again = train_grammar(*corpus, tmp_path, seen.append)
    assert [one.epoch for one in seen] == [1]
    for name, one in whole[0].parameters.items():
        assert torch.equal(one, again.parameters[name]), name
    loaded, heldout = Grammar.load(tmp_path, "cpu"), corpus[1]
    assert (loaded.log_likelihood(heldout) == whole[0].log_likelihood(heldout)).all()


@pytest.mark.slow
def test_other_settings_are_an_error(corpus, tmp_path):
    """A folder with another training in it is not taken over."""
    train, heldout, config = corpus
    train_grammar(train, heldout, config.model_copy(update={"epochs": 1}), tmp_path)
    with pytest.raises(OutputExists, match="other settings"):
        train_grammar(train, heldout, config.model_copy(update={"seed": 1}), tmp_path)


@pytest.mark.slow
def test_stops_when_nothing_improves(draw_texts, small):
    """Where the held-out likelihood only falls, training stops after its patience."""
    ruinous = {"learning_rate": 5.0, "patience": 1, "epochs": 30, "clip": 1e6}
    config = GrammarConfig(**{**small, **ruinous})
    seen = []
    train_grammar(draw_texts(20, 0), draw_texts(5, 1), config, None, seen.append)
    assert len(seen) < 30
    assert not seen[-1].best


def test_bad_texts_are_named(draw_texts, small):
    """Texts that no tree spans are counted and named; so are ids beyond the vocabulary."""
    config = GrammarConfig(**small)
    good = draw_texts(3, 0)
    with pytest.raises(DataError, match=r"2 of 5 texts .* numbers 3, 4"):
        train_grammar([*good, np.array([1]), np.zeros(300, int)], good, config)
    with pytest.raises(DataError, match="text 0 has a word id outside"):
        train_grammar([np.array([1, 11])], good, config)
    with pytest.raises(DataError, match="3 of the texts are not single"):
        train_grammar(with_another_end(good), good, config)
    with pytest.raises(DataError, match="got none"):
        train_grammar(good, [], config)
