"""Which classifiers vote in coba, and how their important words are found."""

import numpy as np
import pytest
import yaml

from augkit.attribution.ensemble import explain_each, explainer
from augkit.attribution.explanation import top_words
from augkit.attribution.majority_vote import majority_vote
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.types import example
from augkit.models.classifiers.encoder import EncoderConfig, train_encoder
from augkit.models.ensembles.crossfit import load_ensemble

GOOD = ("warm", "clever", "bright", "tender")
BAD = ("dull", "clumsy", "grim", "stale")
ROWS = [
    example(f"The {word} film number {copy} was {word}.", label)
    for label, words in (("positive", GOOD), ("negative", BAD))
    for word in words
    for copy in range(3)
]


@pytest.fixture(scope="module")
def mixed(tiny_bert, tmp_path_factory):
    """A YAML file with a linear classifier and two heads on an encoder."""
    members = [
        {"features": "binary", "ngrams": 1, "learner": "logistic"},
        {"kind": "encoder", "model": str(tiny_bert), "strength": 1.0},
        {"kind": "encoder", "model": str(tiny_bert), "learner": "ridge"},
    ]
    path = tmp_path_factory.mktemp("ensemble") / "mixed.yaml"
    path.write_text(yaml.safe_dump({"members": members}), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("method", ["lime", "integrated-gradients", "shapley"])
def test_any_ensemble_votes_by_any_attribution(mixed, method):
    """W_p and W_s of coba are the vote over what the library's method names, row by row."""
    coba = create("coba", ensemble=str(mixed), attribution=method, principal="vote", top_k=2)
    coba = coba.fit(ROWS)
    ensemble = coba.artifact.texts.ensemble
    assert [score.member for score in ensemble.held_out] == list(load_ensemble(str(mixed)).names())
    rows = ROWS[::6]
    explained = explain_each(ensemble, rows, explainer(method))
    expected = [majority_vote([top_words(e, 2) for e in of_row]) for of_row in explained]
    words = coba._text_pipeline.identifier.identify(rows)
    assert [(set(w.principal), set(w.spurious)) for w in words] == [
        (set(vote.principal), set(vote.spurious)) for vote in expected
    ]
    assert any(vote.principal for vote in expected)


def test_members_can_be_named_in_a_list(tiny_bert):
    config = load_ensemble(f"linear-three, encoder:{tiny_bert}, transformers:owner/model")
    assert config.members[:3] == load_ensemble("linear-three").members
    assert [member.kind for member in config.members[3:]] == ["encoder", "transformers"]
    assert load_ensemble("linear").names() == ("tfidf2-logistic",)
    with pytest.raises(ConfigError, match="4 classifiers can tie"):
        load_ensemble(f"linear-three,encoder:{tiny_bert}")
    with pytest.raises(UnknownName, match="linear-tree"):
        load_ensemble("linear-tree,linear")


def test_the_number_of_classifiers_is_for_the_default_ensemble():
    with pytest.raises(ConfigError, match="classifiers=3"):
        create("coba", ensemble="linear-five", classifiers=3)
    with pytest.raises(ConfigError, match="odd"):  # a vote of four can be a tie
        create("coba", classifiers=4)


def test_integrated_gradients_run_through_a_head_on_pairs(tiny_bert):
    """Both texts are explained together, whatever their lengths, and the weights add up."""
    rows = [
        example({"premise": "the film", "hypothesis": "the dull film was grim"}, "a"),
        example({"premise": "a clever film was warm", "hypothesis": "the film"}, "b"),
        example({"premise": "the warm film", "hypothesis": "a film"}, "a"),
    ]
    classifier = train_encoder(rows, EncoderConfig(model=str(tiny_bert), strength=1.0))
    network = classifier.differentiable()
    scores = network.network.eval()(**network.token_inputs(rows)).logits.detach().numpy()
    softmax = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(softmax, classifier.predict(rows), atol=1e-6)
    labels = [str(row.label) for row in rows]
    for row, explanation in zip(
        rows, explainer("integrated-gradients")(classifier, rows, labels), strict=True
    ):
        assert explanation.error < 0.05
        assert {word.field for word in explanation.words} == set(row.fields)
        assert any(word.weight for word in explanation.words if word.field == "hypothesis")
