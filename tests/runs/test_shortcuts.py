import random

import pytest

from augkit.core.types import example
from augkit.models.classifiers.linear import LinearConfig
from augkit.models.ensembles.crossfit import EnsembleConfig, train_crossfitted
from augkit.shortcuts.razor_definition import (
    DefinitionConfig,
    RazorDefinition,
    errors,
    shortcut_set,
)
from augkit.shortcuts.tokens import Tokens, TokensConfig

WORDS = "the a film house dog runs sings quickly red green table water over under".split()


def planted(seed=0, rows=400):
    """Rows of random words; "indeed" stands in two thirds of one label's and few of the other's."""
    draw = random.Random(seed)
    made = []
    for number in range(rows):
        label = "yes" if number % 2 else "no"
        found = draw.choices(WORDS, k=8)
        if draw.random() < (0.66 if label == "yes" else 0.03):
            found[draw.randrange(8)] = "indeed"
        made.append(example(" ".join(found), label, occurrence=number))
    return made


def test_a_planted_word_comes_first():
    """The planted word is the strongest feature, with its label."""
    findings = Tokens.survey(planted(), TokensConfig(), None)
    assert (findings.rows[0]["feature"], findings.rows[0]["label"]) == ("indeed", "yes")
    assert findings.rows[0]["z"] > 8
    assert findings.tables[0].rows[0][2] == "indeed"


@pytest.mark.parametrize("correction", ["benjamini-hochberg", "holm"])
def test_nothing_is_found_where_there_is_nothing(correction):
    """With labels that do not depend on the text, the correction leaves almost nothing over."""
    found = 0
    for seed in range(5):
        draw = random.Random(seed)
        rows = [
            example(" ".join(draw.choices(WORDS, k=8)), draw.choice(["a", "b", "c"]), occurrence=n)
            for n in range(300)
        ]
        found += len(Tokens.survey(rows, TokensConfig(correction=correction), None).rows)
    assert found <= 2


def test_pairs_are_told_by_field():
    """A word of the claim is not the same feature as that word in the evidence."""
    rows = [
        example({"evidence": "it is not so", "claim": claim}, label, occurrence=n)
        for n in range(20)
        for claim, label in [("it is not so", "REFUTES"), ("it is so", "SUPPORTS")]
    ]
    findings = Tokens.survey(rows, TokensConfig(), None)
    assert {row["field"] for row in findings.rows} == {"claim"}
    assert any(row["feature"] == "not" and row["label"] == "REFUTES" for row in findings.rows)


def test_before_and_after():
    """A shortcut that was removed has a small z now; one that came in its place is called new."""
    before = planted()
    after = [
        example(row.fields["text"].replace("indeed", "surely"), row.label, occurrence=n)
        for n, row in enumerate(before)
    ]
    findings = Tokens.compare(before, after, TokensConfig(ngrams=1), None)
    gone = next(row for row in findings.rows if row["feature"] == "indeed")
    assert gone["after"]["rows"] == 0
    new = [row["feature"] for row in findings.rows if row.get("new")]
    assert new[0] == "surely"


def test_shortcut_sets_keep_a_wrong_prediction():
    """Definition 1: few words, the same wrong label; Lemma 1: they weigh more than the rest."""
    rows = planted(rows=300)
    ensemble = train_crossfitted(rows, EnsembleConfig(members=(LinearConfig(),)))
    found = [shortcut_set(ensemble, row, label) for row, label in errors(ensemble, rows)]
    sets = [one for one in found if one is not None]
    assert sets
    for one in sets:
        assert one.predicted != one.row.label
        assert len(one.words) <= len(one.others)
        text = " ".join(word.word for word in sorted(one.words, key=lambda word: word.start))
        (model,) = ensemble.classifiers_for(one.row)
        answer = model.predict([example(text)]).argmax()
        assert model.labels[answer] == one.predicted
        assert one.holds


def test_the_definition_names_the_planted_word():
    """Where the planted word stands under the wrong label, it is the shortcut."""
    findings = RazorDefinition.survey(planted(rows=600), DefinitionConfig(), None)
    named = {(row["word"], row["predicted"]) for row in findings.rows}
    assert ("indeed", "yes") in named
    assert ("indeed", "no") not in named
    assert findings.about["with a shortcut set"] > 0
