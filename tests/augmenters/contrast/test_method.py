"""Contrast edits: right texts, right labels, words that the grammar found."""

import json

import pytest

from augkit.augmenters.contrast.method import ContrastConfig, ContrastSets
from augkit.core.config import validate
from augkit.core.errors import ConfigError
from augkit.core.types import Pair, example


def variants(premise, hypothesis, label, **settings):
    """(role, premise, hypothesis, label, suggested label) of all variants of a pair."""
    augmenter = ContrastSets(validate(ContrastConfig, {"copies": 50, **settings}))
    row = example({"premise": premise, "hypothesis": hypothesis}, label)
    return [
        (about["role"], *pair.variant.fields.values(), pair.variant.label, about["suggests"])
        for pair in augmenter([row])
        for about in [pair.provenance.about]
    ]


def hypotheses(premise, hypothesis, label, **settings):
    made = variants(premise, hypothesis, label, **settings)
    return [(role, second) for role, _, second, *_ in made]


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("A man smokes.", "A man is smoking a cigarette.", "A person is smoking a cigarette."),
        ("A dog runs.", "The black dog sleeps.", "The black animal sleeps."),
        ("Two dogs run.", "Dogs are sleeping.", "Animals are sleeping."),
        ("A man smoking at sunset.", "A man is sleeping.", "An adult is sleeping."),
    ],
)
def test_a_subject_gets_a_broader_name(premise, hypothesis, expected):
    """The subject of both texts becomes its hypernym in the hypothesis, and the label stays."""
    made = variants(premise, hypothesis, "neutral", edits=["hypernym"])
    assert ("hypernym", premise, expected, "neutral", "entailment") in made


def test_other_pairs_get_no_hypernym():
    """Entailed hypotheses and other subjects are left alone."""
    assert not variants("A man runs.", "A man moves.", "entailment", edits=["hypernym"])
    assert not variants("A man runs.", "A woman runs.", "contradiction", edits=["hypernym"])


def test_an_object_gets_the_opposite_of_the_subject():
    """A colour that excludes the subject's is put on another thing: neutral."""
    premise, hypothesis = "Two black dogs run on the beach.", "The dogs play with a ball."
    made = variants(premise, hypothesis, "entailment", edits=["antonym"])
    wanted = ("antonym", premise, "The dogs play with a white ball.", "neutral", "contradiction")
    assert wanted in made
    orange = "The dogs play with an orange ball."
    assert orange in {second for _, _, second, *_ in made}
    assert not variants(premise, hypothesis, "contradiction", edits=["antonym"])
    # The white ball is in the premise already, so nothing new would be said.
    said = "Two black dogs run after a white ball."
    assert "white" not in str(hypotheses(said, hypothesis, "entailment", edits=["antonym"]))


def test_a_false_hypothesis_gets_an_adjective():
    """The subject of a contradiction gets an adjective, casing and article right."""
    made = hypotheses("A man sleeps.", "An engineer is running.", "contradiction")
    assert ("adjective", "A tall engineer is running.") in made
    made = hypotheses("A man sleeps.", "Men are running.", "contradiction", edits=["adjective"])
    assert ("adjective", "Tall men are running.") in made
    made = hypotheses("A young man sleeps.", "A man is running.", "contradiction")
    assert not any(" old " in second for role, second in made if role == "adjective")


def test_controls_come_as_a_set():
    """Four controls and a test are made of the premise, as in the paper's appendix."""
    row = ("A white dog runs down a path.", "A black dog sits.", "contradiction")
    made = variants(*row, edits=["control"])
    plain, other, path = "A dog runs down a path.", made[0][2], "A dog runs down a white path."
    assert other.endswith(" dog runs down a path.")
    assert "white" not in other
    assert [(role.removeprefix("control "), *rest[:3]) for role, *rest in made] == [
        ("plain", row[0], other, "contradiction"),
        ("drop", row[0], plain, "entailment"),
        ("moved", path, plain, "entailment"),
        ("added", plain, other, "neutral"),
        ("test", path, other, "neutral"),
    ]


def test_the_grammar_chooses_the_words(tmp_path):
    """With a features file only the words of its patterns are put in."""
    records = [
        {"label": "E", "patterns": [{"pattern": "man/human"}, {"pattern": "man/person"}]},
        {"label": "C", "patterns": [{"pattern": "black/white"}, {"pattern": "a man/a woman"}]},
        {"label": "N", "patterns": [{"pattern": "ε/tall"}, {"pattern": "ε/to"}]},
    ]
    path = tmp_path / "features.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    labels = {"entailment": "E", "neutral": "N", "contradiction": "C"}
    settings = {"features": path, "labels": labels}
    made = hypotheses("A man sleeps.", "A man is running.", "C", **settings)
    assert set(made) == {
        ("hypernym", "A person is running."),
        ("adjective", "A tall man is running."),
    }
    made = hypotheses("A black dog runs.", "A dog has a ball.", "E", **settings)
    assert made == [("antonym", "A dog has a white ball.")]
    path.write_text('{"label": "E", "patterns": [{"pattern": "xyz/qrs"}]}\n')
    with pytest.raises(ConfigError, match="none of its patterns"):
        hypotheses("A man sleeps.", "A man runs.", "C", **settings)
    path.write_text("not json")
    with pytest.raises(ConfigError, match="not the features"):
        hypotheses("A man sleeps.", "A man runs.", "C", **settings)


def test_what_does_not_fit_is_refused():
    rows = [
        example("A man runs.", "neutral"),
        example({"premise": "A man runs.", "hypothesis": "He runs."}, "yes"),
        example({"premise": "It rains.", "hypothesis": "It pours."}, "neutral"),
    ]
    outcomes = list(ContrastSets(ContrastConfig()).outcomes(rows))
    assert not any(isinstance(outcome, Pair) for outcome in outcomes)
    reasons = [outcome.reason for outcome in outcomes]
    assert reasons == ["not a pair", "not an NLI label", "no edit applies"]


def test_label_names_must_be_three():
    with pytest.raises(ConfigError, match="three different names"):
        validate(
            ContrastConfig, {"labels": {"entailment": "a", "neutral": "a", "contradiction": "b"}}
        )
