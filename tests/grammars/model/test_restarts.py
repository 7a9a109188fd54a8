"""Random restarts: the best grammar is kept, and interrupted ones resume."""

import numpy as np
import pytest

pytest.importorskip("torch")

from augkit.grammars.model.grammar import Grammar
from augkit.grammars.model.train import GrammarConfig, train_best, train_grammar


def draw_texts(count, seed):
    """Texts of two to six words of which each depends on the one before."""
    rng = np.random.default_rng(seed)
    starts = rng.integers(0, 8, size=count)
    return [(start + np.arange(rng.integers(2, 7))) % 8 for start in starts]


@pytest.fixture
def settings():
    """Three starts of a small grammar."""
    return GrammarConfig(
        words=8, symbols=3, leaves=4, width=8, epochs=2, learning_rate=0.02, device="cpu",
        restarts=3,
    )  # fmt: skip


@pytest.mark.slow
def test_the_best_start_is_kept(settings, tmp_path):
    """The kept grammar is the one of the seed whose held-out likelihood is the highest."""
    train, heldout = draw_texts(40, 0), draw_texts(15, 1)
    scores = [
        float(
            train_grammar(train, heldout, settings.model_copy(update={"seed": seed}))
            .log_likelihood(heldout)
            .mean()
        )
        for seed in range(3)
    ]
    best = train_best(train, heldout, settings, tmp_path)
    assert len(set(scores)) == 3
    assert float(best.log_likelihood(heldout).mean()) == pytest.approx(max(scores))
    loaded = Grammar.load(tmp_path, "cpu")
    assert (loaded.log_likelihood(heldout) == best.log_likelihood(heldout)).all()


@pytest.mark.slow
def test_interrupted_restarts_resume(settings, tmp_path):
    """What was trained before the stop is read, and the result is that of an undisturbed run."""
    train, heldout = draw_texts(40, 0), draw_texts(15, 1)
    seen = []

    def stop(progress):
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_best(train, heldout, settings, tmp_path, stop)
    again = []
    found = train_best(train, heldout, settings, tmp_path, again.append)
    assert len(again) == 3  # the last epoch of the second start, and the third
    whole = train_best(train, heldout, settings)
    assert (found.log_likelihood(heldout) == whole.log_likelihood(heldout)).all()
