"""HolisticBias, the pronoun pairs and the classifier of biased wording."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from augkit.core.errors import DataError
from augkit.evaluation.bias import holistic_bias, pronouns, wikibias
from augkit.evaluation.bias.holistic_bias import (
    HolisticSentence,
    descriptor_tests,
    shares_of,
)
from augkit.evaluation.bias.wikibias import WikiSentence
from augkit.models.language_models.masked_lm import open_masked


@pytest.fixture
def files(tmp_path):
    """A small HolisticBias of our own, in the published form."""
    descriptors = {
        "age": {"old": ["old", {"descriptor": "elderly", "article": "an"}]},
        "body": {"any": [{"descriptor": "kind", "gender": "female"}, "good"]},
    }
    nouns = {"female": [["woman", "women"], ["nurse", "nurses"]], "male": [["man", "men"]]}
    templates = {template: {} for template in holistic_bias.TEMPLATES}
    for name, told in (
        ("descriptors", descriptors),
        ("nouns", nouns),
        ("sentence_templates", templates),
    ):
        (tmp_path / f"{name}.json").write_text(json.dumps(told))
    return tmp_path


def test_sentences_are_descriptors_times_nouns_times_templates(files):
    """Articles and genders are kept to; a missing template is told."""
    sentences = holistic_bias.read(files)
    texts = [sentence.text for sentence in sentences]
    assert "I'm an elderly man." in texts
    assert "I love old nurses." in texts
    assert "I'm a kind woman." in texts
    assert "I'm a kind man." not in texts
    assert len(texts) == 3 * (3 + 3 + 2 + 3)
    (files / "sentence_templates.json").write_text("{}")
    with pytest.raises(DataError, match="no template"):
        holistic_bias.read(files)


def test_comparisons_are_single_mann_whitney_tests():
    """Grouped by size or one by one: the same p-values; planted differences are found."""
    generator = np.random.default_rng(0)
    sizes = {"a": 12, "b": 12, "c": 9, "d": 12}
    shift = {"a": 0.0, "b": 0.0, "c": 0.0, "d": 5.0}
    sentences = [
        HolisticSentence("axis", name, "T", f"{name}{n}")
        for name, size in sizes.items()
        for n in range(size)
    ]
    values = np.array([generator.normal() + shift[row.descriptor] for row in sentences])
    found = {each.descriptors: each.p for each in descriptor_tests(sentences, values)}
    for (one, two), p in found.items():
        sides = [
            [v for v, row in zip(values, sentences, strict=True) if row.descriptor == name]
            for name in (one, two)
        ]
        assert p == pytest.approx(mannwhitneyu(*sides, method="asymptotic").pvalue, abs=1e-12)
    assert len(found) == 6
    differing = {pair for pair, p in found.items() if p < 0.001}
    assert differing == {("a", "d"), ("b", "d"), ("c", "d")}
    scores = {score.name: score.value for score in shares_of(descriptor_tests(sentences, values))}
    assert scores["differ (corrected)"] == pytest.approx(0.5)


def test_holistic_bias_scores_a_real_model(tiny_masked, files):
    """From files to shares by axis."""
    scores = holistic_bias.masked_score(open_masked(str(tiny_masked)), holistic_bias.read(files))
    assert {score.name for score in scores} >= {"differ", "differ/age", "differ (corrected)"}


def test_winobias_pairs_are_joined_and_scored(tiny_masked, tmp_path):
    """Pro and anti by pair_id; pairs that differ in more than pronouns are left out."""
    rows = [
        {
            "text": "The nurse said she was old.",
            "label": "pro-stereotyped",
            "type": "1",
            "pair_id": "p",
        },
        {
            "text": "The nurse said he was old.",
            "label": "anti-stereotyped",
            "type": "1",
            "pair_id": "p",
        },
        {"text": "The doctor went home.", "label": "pro-stereotyped", "type": "2", "pair_id": "q"},
    ]
    path = tmp_path / "wino.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    pairs = pronouns.read_winobias(path)
    assert [(pair.pro, pair.group) for pair in pairs] == [("The nurse said she was old.", "type 1")]
    model = open_masked(str(tiny_masked))
    assert pronouns.masked_score(model, pairs)[0].value in (0.0, 100.0)


def test_the_bundled_pairs_are_balanced_and_well_formed():
    """As many sentences expect he as she, each has one blank, and no sentence comes twice."""
    from pathlib import Path

    path = Path(pronouns.__file__).parent / "data" / "occupations.jsonl"
    pairs = pronouns.read_occupations(path)
    assert sum(pair.group == "he expected" for pair in pairs) * 2 == len(pairs) == 150
    assert len({pair.pro for pair in pairs}) == len(pairs)
    assert all("BLANK" not in pair.pro and pair.pro != pair.anti for pair in pairs)


class Separable:
    """Vectors that say whether a sentence is biased, or nothing at all."""

    def __init__(self, tells):
        self.tells = tells

    def sentences(self, texts):
        generator = np.random.default_rng(0)
        told = np.array([[float("very" in text) * self.tells] for text in texts])
        return np.hstack([told, generator.normal(size=(len(texts), 3))])


@pytest.mark.parametrize(("tells", "low", "high"), [(9.0, 0.99, 1.0), (0.0, 0.35, 0.65)])
def test_biased_wording_is_recognised_from_the_vectors(tells, low, high):
    """Out of fold: perfect where the vectors hold the answer, chance where they do not."""
    sentences = [
        WikiSentence(f"a {'very ' * biased}good film {n}", bool(biased), f"edit{n}")
        for n in range(100)
        for biased in (0, 1)
    ]
    accuracy, f1 = wikibias.classification_score(Separable(tells), sentences)
    assert low <= accuracy.value <= high
    assert f1.low <= f1.value <= f1.high
