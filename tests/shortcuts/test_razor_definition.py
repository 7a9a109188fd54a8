import numpy as np
import pytest

from augkit.attribution.ensemble import explainer
from augkit.core.types import example
from augkit.models.classifiers.settings import LinearConfig
from augkit.models.ensembles.crossfit import EnsembleConfig, train_crossfitted
from augkit.shortcuts.fit import fit_finder
from augkit.shortcuts.razor_definition import (
    DefinitionConfig,
    RazorDefinition,
    errors,
    shortcut_set,
)


@pytest.mark.slow
def test_shortcut_sets_keep_a_wrong_prediction(planted):
    """Definition 1: few words, the same wrong label; Lemma 1: they weigh more than the rest."""
    rows = planted(rows=300)
    ensemble = train_crossfitted(rows, EnsembleConfig(members=(LinearConfig(),)))
    explain = explainer("auto")
    tried = [
        shortcut_set(ensemble.classifiers_for(row)[0], row, label, explain)
        for row, label in errors(ensemble, rows)
    ]
    sets = [shortcut for shortcut in tried if shortcut is not None]
    assert sets
    for shortcut in sets:
        assert shortcut.predicted != shortcut.row.label
        assert len(shortcut.words) <= len(shortcut.remaining)
        text = " ".join(word.word for word in sorted(shortcut.words, key=lambda word: word.start))
        (model,) = ensemble.classifiers_for(shortcut.row)
        answer = model.predict([example(text)]).argmax()
        assert model.labels[answer] == shortcut.predicted
        assert shortcut.holds


@pytest.mark.slow
def test_the_definition_names_the_planted_word(planted):
    """Where the planted word stands under the wrong label, it is the shortcut."""
    survey = RazorDefinition.survey(planted(rows=600), DefinitionConfig(), None)
    named = {(row["word"], row["predicted"]) for row in survey.rows}
    assert ("indeed", "yes") in named
    assert ("indeed", "no") not in named
    assert survey.about["with a shortcut set"] > 0


@pytest.mark.slow
def test_the_planted_word_is_a_target(planted, tmp_path):
    """It is marked in rows of the label that it leads to, as strongly as it has sets."""
    finder = fit_finder("razor-definition", planted(rows=600))
    finder.save(tmp_path)
    again = RazorDefinition.load(tmp_path)
    yes, no = again.find([example("Indeed!", "yes"), example("Indeed!", "no")])
    assert [(target.start, target.end, target.reason) for target in yes] == [
        (0, 6, "token indeed → yes")
    ]
    assert yes[0].strength >= DefinitionConfig().fewest
    assert no == []


class CountsBad:
    """Says "neg" where "bad" stands more often than "good"; it is not linear in its score."""

    labels = ("neg", "pos")

    def predict(self, examples):
        """Probabilities that depend on which of the two words is more frequent."""
        texts = [row.fields["text"].split() for row in examples]
        bad = np.array([text.count("bad") > text.count("good") for text in texts])
        return np.where(bad[:, None], [0.9, 0.1], [0.1, 0.9])


@pytest.mark.parametrize("method", ["lime", "shapley"])
def test_any_classifier_and_any_attribution(method):
    """A classifier that is a function of words has the word that decides as its shortcut."""
    pytest.importorskip({"lime": "lime", "shapley": "shap"}[method])
    row = example("a bad but warm film", "pos")
    found = shortcut_set(CountsBad(), row, "neg", explainer(method))
    assert [word.word for word in found.words] == ["bad"]
    assert found.holds
