import json
import random

import pytest

from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.english.parser import SpacyParser
from augkit.models.classifiers.linear import train_linear
from augkit.models.ensembles.crossfit import CrossFitted
from augkit.shortcuts.attribution import AttributionConfig, AttributionFinder, word_classes
from augkit.shortcuts.fit import fit_finder

SMALL = {"ensemble": "linear-three", "folds": 3, "words": 2}
QUICK = AttributionConfig(**SMALL, tagged=40)


def reviews(count=90, seed=0):
    """Reviews that an adjective decides; the sea is mentioned in good ones more often."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        good = number % 2
        word = draw.choice(["warm", "clever"] if good else ["dull", "grim"])
        place = "sea" if draw.random() < (0.7 if good else 0.3) else "city"
        text = f"The {word} film {number} of the {place} ran for {draw.randrange(9)} weeks."
        rows.append(example(text, "pos" if good else "neg"))
    return rows


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attribution")
    return AttributionFinder.survey(reviews(), QUICK, folder), folder


@pytest.mark.slow
def test_the_deciding_words_are_principal(surveyed):
    """The four adjectives are principal wherever they stand, each under its label."""
    survey, _ = surveyed
    principal = [row for row in survey.rows if row["kind"] == "principal"]
    always = {(row["word"], row["label"]) for row in principal if row["rows"] == row["of"] > 9}
    assert always >= {("warm", "pos"), ("clever", "pos"), ("dull", "neg"), ("grim", "neg")}
    assert not always & {("sea", "neg"), ("city", "pos"), ("the", "pos"), ("the", "neg")}
    assert all(row["rows"] <= row["of"] for row in principal)


def test_figures_of_the_paper_are_there(surveyed):
    """Accuracies, the shares of Table 1, overlaps of two, and the mix of Table 2."""
    survey, _ = surveyed
    kinds = {}
    for row in survey.rows:
        kinds.setdefault(row["kind"], []).append(row)
    assert len(kinds["classifier"]) == 3
    assert kinds["classifier"][0]["accuracy"] > 0.9
    (shares,) = kinds["agreement"]
    assert shares["by_all"] + shares["by_several"] + shares["by_one"] == pytest.approx(1)
    assert len(kinds["agreement of two"]) == 3
    mixes = {row["by"]: row for row in kinds["parts of speech"]}
    assert mixes["principal"]["adjective or adverb"] > mixes["all words"]["adjective or adverb"]
    assert [table.title.split()[0] for table in survey.tables] == [
        "The", "How", "Important", "Most", "Most",
    ]  # fmt: skip
    json.dumps(survey.record())


def test_the_files_can_be_used_again(surveyed):
    """The ensemble is saved, and every row's votes."""
    survey, folder = surveyed
    assert CrossFitted.load(folder / "ensemble").labels == ("neg", "pos")
    lines = [json.loads(line) for line in (folder / "votes.jsonl").read_text().splitlines()]
    assert len(lines) == 90
    assert set(lines[0]) == {"id", "label", "words", "principal", "spurious"}
    assert survey.about["rows"] == 90


@pytest.mark.slow
def test_a_finder_marks_words_where_they_stand():
    """Targets are spans of principal and spurious words, with the share that names them."""
    rows = reviews()
    finder = fit_finder("attribution", rows, **SMALL, spurious=["film"])
    for row, targets in zip(rows[:20], finder.find(rows[:20]), strict=True):
        text = row.fields["text"]
        words = {(text[target.start : target.end], target.reason) for target in targets}
        assert ("film", "spurious word") in words
        assert {text.split()[1]} <= {word for word, reason in words if reason == "principal word"}
        strengths = [target.strength for target in targets]
        assert strengths == sorted(strengths, reverse=True)
        assert max(strengths) == 1.0
    assert finder.find([example(rows[0].fields["text"])]) == [[]]


@pytest.mark.slow
def test_one_kind_of_word_can_be_marked():
    """``mark`` leaves the other kind out."""
    rows = reviews()
    finder = fit_finder("attribution", rows, **SMALL, mark="principal")
    reasons = {target.reason for targets in finder.find(rows) for target in targets}
    assert reasons == {"principal word"}


@pytest.mark.slow
def test_a_fitted_finder_survives_being_saved(tmp_path):
    """The ensemble and the settings are read back: the targets are the same."""
    rows = reviews()
    finder = fit_finder("attribution", rows, **SMALL, spurious=["film"])
    finder.save(tmp_path)
    assert AttributionFinder.load(tmp_path).find(rows[:9]) == finder.find(rows[:9])


def test_a_classifier_of_the_user_is_explained(tmp_path):
    """Its own words are principal, also after saving; a label that it lacks is an error."""
    rows = reviews()
    tools = Tools(classifier=train_linear(rows))
    finder = fit_finder("attribution", rows, tools, words=1)
    finder.save(tmp_path)
    for row, targets in zip(rows, AttributionFinder.load(tmp_path).find(rows), strict=True):
        assert {target.reason for target in targets} <= {"principal word"}
        assert len({row.fields["text"][target.start : target.end] for target in targets}) <= 1
    assert [target.strength for target in finder.find(rows)[0]] == [1.0]
    with pytest.raises(DataError, match="not trained on the labels good: it knows neg, pos"):
        fit_finder("attribution", [*rows, example("Fine.", "good")], tools)
    with pytest.raises(ConfigError, match=r"'tokens' does not use a classifier.* do: attribution$"):
        fit_finder("tokens", rows, tools)


@pytest.mark.slow
def test_labels_that_nothing_explains_are_warned_of():
    """With labels drawn by lot the warnings have a figure for each classifier."""
    draw = random.Random(2)
    rows = [example(row.fields["text"], draw.choice("ab")) for row in reviews()]
    survey = AttributionFinder.survey(rows, QUICK.model_copy(update={"tagged": 0}), None)
    assert sum("no better than chance" in warning for warning in survey.warnings) == 3
    assert "%" in survey.warnings[0]
    assert not [row for row in survey.rows if row["kind"] == "parts of speech"]


@pytest.mark.slow
def test_other_methods_can_be_chosen():
    """The same ensemble explained by LIME names the same deciding words."""
    pytest.importorskip("lime")
    config = QUICK.model_copy(update={"method": "lime", "tagged": 0, "words": 1})
    survey = AttributionFinder.survey(reviews(30), config, None)
    assert "unexplained share" in survey.tables[0].rows[0][-1]
    principal = {row["word"] for row in survey.rows if row["kind"] == "principal"}
    assert principal >= {"warm", "clever", "dull", "grim"}


def test_words_have_the_class_of_their_context():
    """Compounds go by their last part; what is no noun, verb, adjective or adverb is other."""
    (classes,) = word_classes(
        [example("The well-made plot of Paris slowly bores us.")], SpacyParser()
    )
    assert classes["plot"] == classes["paris"] == "noun"
    assert classes["bores"] == "verb"
    assert classes["slowly"] == "adjective or adverb"
    assert classes["the"] == classes["of"] == "other"
