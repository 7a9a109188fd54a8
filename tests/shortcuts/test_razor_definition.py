import pytest

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
    tried = [shortcut_set(ensemble, row, label) for row, label in errors(ensemble, rows)]
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
