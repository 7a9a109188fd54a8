"""Rules of a grammar as the bias that ``augkit train`` counters."""

import pytest

from augkit.commands.evaluate.training_sets import load_rows
from augkit.commands.robust_training import rule_features
from augkit.commands.train import train, training_settings
from augkit.core.errors import ConfigError, DataError
from augkit.datasets.settings import ReadOptions
from augkit.shortcuts.grammar import GrammarFinder, GrammarFinderConfig
from lab.planted_phrases import FIXED, LABELS, Planting, plant

pytest.importorskip("torch")

SMALL = {
    "symbols": 4, "leaves": 6, "width": 16, "epochs": 2, "min_count": 1, "device": "cpu",
    "learning_rate": 1e-2, "classifier": False, "compare": False,
}  # fmt: skip


@pytest.fixture
def data(write_rows):
    corpus = plant(200, Planting(0.95, 0.9, 0.3, FIXED), seed=5)
    rows = [
        {"text": text, "label": LABELS[label]}
        for text, label in zip(corpus.sentences, corpus.labels, strict=True)
    ]
    return str(write_rows([*rows, {"text": "word " * 70, "label": LABELS[0]}]))


@pytest.mark.slow
def test_rules_are_bias_features_of_the_parsed_rows(data, tmp_path):
    """A row a row, none for the text too long to parse; DRiFt trains against them."""
    rows = load_rows(data, ReadOptions())
    folder = tmp_path / "found"
    folder.mkdir()
    GrammarFinder.survey(rows, GrammarFinderConfig(**SMALL), folder)
    hints = rule_features(rows, folder)
    assert hints.shape[0] == 201
    used = hints.getnnz(axis=1)
    assert used[-1] == 0
    assert used[:-1].min() > 0
    values = {"train": data, "out": tmp_path / "drift", "robust": "drift", "seeds": 1}
    record = train(training_settings({**values, "shortcuts": folder}))
    assert record["robust"]["against"] == {"grammar": str(folder), "rules": hints.shape[1]}
    clever = {**values, "robust": "clever", "out": tmp_path / "clever", "shortcuts": folder}
    with pytest.raises(ConfigError, match="must see it in new texts"):
        train(training_settings(clever))
    with pytest.raises(DataError, match="trees of other texts"):
        rule_features(rows[:100], folder)
