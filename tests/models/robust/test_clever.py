"""CLEVER: scores are subtracted at prediction time."""

import numpy as np
import pytest
from scipy.special import softmax

from augkit.models.classifiers.linear import train_linear
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.robust.bias_view import BiasView
from augkit.models.robust.methods import RobustConfig
from augkit.models.robust.train import RobustTraining, train_robust
from augkit.models.saved import load_classifier


@pytest.mark.slow
@pytest.mark.parametrize("view", [BiasView(field="claim"), BiasView(words=("never", "always"))])
def test_clever_subtracts_scores_and_is_saved(tmp_path, claims, view):
    """The answer is the softmax of one model's scores less the other's, also when read again."""
    rows, _ = claims(0, 200, 0.9)
    model = train_robust(
        rows, LinearConfig(), RobustTraining("clever", RobustConfig(subtract=0.7), view)
    )
    whole = train_linear(rows, LinearConfig())
    bias = train_linear(view(rows), LinearConfig(iterations=300))
    scores = whole.features(rows) @ whole.weights.T + whole.bias
    taken = bias.features(view(rows)) @ bias.weights.T + bias.bias
    wanted = softmax(scores - 0.7 * taken, axis=1)
    assert np.abs(model.predict(rows) - wanted).max() < 1e-9
    model.save(tmp_path / "clever")
    assert (load_classifier(tmp_path / "clever").predict(rows) == model.predict(rows)).all()
    assert not [path for path in (tmp_path / "clever").rglob("*") if path.suffix == ".pkl"]
