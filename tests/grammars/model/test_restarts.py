"""Random restarts: the best grammar is kept, and interrupted ones resume."""

import pytest

pytest.importorskip("torch")

from augkit.grammars.model.grammar import Grammar
from augkit.grammars.model.train import GrammarConfig, train_best, train_grammar

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(draw_texts):
    return draw_texts(20, 0), draw_texts(5, 1)


@pytest.fixture(scope="module")
def settings(small):
    return GrammarConfig(**small, restarts=3)


@pytest.fixture(scope="module")
def best(data, settings, tmp_path_factory):
    """The best of three starts, and its folder."""
    folder = tmp_path_factory.mktemp("best")
    return train_best(*data, settings, folder), folder


def test_the_best_start_is_kept(data, settings, best):
    (train, heldout), (found, folder) = data, best
    scores = []
    for seed in range(3):
        grammar = train_grammar(train, heldout, settings.model_copy(update={"seed": seed}))
        scores.append(float(grammar.log_likelihood(heldout).mean()))
    assert len(set(scores)) == 3
    assert float(found.log_likelihood(heldout).mean()) == pytest.approx(max(scores))
    loaded = Grammar.load(folder, "cpu")
    assert (loaded.log_likelihood(heldout) == found.log_likelihood(heldout)).all()


def test_interrupted_restarts_resume(data, settings, best, tmp_path):
    seen = []

    def stop(progress):
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_best(*data, settings, tmp_path, stop)
    again = []
    found = train_best(*data, settings, tmp_path, again.append)
    assert len(again) == 3  # the last epoch of the second start, and the third
    heldout = data[1]
    assert (found.log_likelihood(heldout) == best[0].log_likelihood(heldout)).all()
