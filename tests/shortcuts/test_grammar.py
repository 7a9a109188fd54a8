"""``augkit shortcuts --by grammar``: files, figures, resuming and mistakes, on a planted corpus."""

import json
from dataclasses import replace

import numpy as np
import pytest

from augkit.attribution.explanation import Explanation
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.grammars.features.survey import SignificantSubtrees
from augkit.grammars.trees import Trees
from augkit.shortcuts.grammar import GrammarFinder, GrammarFinderConfig
from lab.planted_phrases import FIXED, LABELS, Planting, plant

pytest.importorskip("torch")

SMALL = {
    "symbols": 5, "leaves": 8, "width": 16, "epochs": 4, "min_count": 1, "device": "cpu",
    "learning_rate": 1e-2,
}  # fmt: skip
FILES = {
    "subtrees.json", "subtrees.npz", "corpus.yaml", "features.jsonl", "features.svg", "grammar",
    "left_out.jsonl", "rule_counts.npz", "rules.jsonl", "trees.json", "trees.npz", "trees.txt",
    "vocabulary.json",
}  # fmt: skip


@pytest.fixture(scope="module")
def planted():
    """Labelled sentences in which two phrases give each label away, one of them too long."""
    corpus = plant(500, Planting(0.95, 0.9, 0.3, FIXED), seed=5)
    rows = [
        example(text, LABELS[label], occurrence=place)
        for place, (text, label) in enumerate(zip(corpus.sentences, corpus.labels, strict=True))
    ]
    return [*rows, example("word " * 70, "first")]


@pytest.fixture(scope="module")
def surveyed(planted, tmp_path_factory):
    """Survey and the folder they were written into."""
    folder = tmp_path_factory.mktemp("found")
    return GrammarFinder.survey(planted, GrammarFinderConfig(**SMALL), folder), folder


@pytest.mark.slow
def test_every_file_is_there_and_can_be_read(surveyed):
    """All files of the page are written: JSON lines, arrays, one tree a line, an SVG."""
    survey, folder = surveyed
    assert {path.name for path in folder.iterdir()} == FILES
    lines = (folder / "features.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == list(survey.rows)
    trees = Trees.load(folder / "trees.npz")
    assert len((folder / "trees.txt").read_text().splitlines()) == len(trees.roots) == 500
    assert SignificantSubtrees.load(folder).patterns != ()
    assert (folder / "features.svg").read_text().startswith("<?xml")
    json.dumps(survey.record(), allow_nan=False)


@pytest.mark.slow
def test_what_was_planted_is_found(surveyed):
    """The planted phrases are found as phrases, and the best group is of them or their words."""
    survey, _ = surveyed
    spelt = {
        (record["label"], pattern["pattern"])
        for record in survey.rows
        if record["corrected_p"] < 0.01
        for pattern in record["patterns"]
    }
    assert {(label, phrase) for label, some in FIXED.items() for phrase in some} <= spelt
    best = survey.rows[0]
    assert best["corrected_p"] < 0.01
    assert {"root", "label", "patterns", "count", "share", "information", "held_out_share"} <= set(
        best
    )
    words = {word for pattern in best["patterns"] for word in pattern["pattern"].split()}
    assert words & set(" ".join(FIXED[best["label"]]).split())
    assert set(best["as"]) == {"n-grams"}
    assert best["linear"]["supporting"] + best["linear"]["counter"] == best["held_out_count"]
    assert [table.title.split()[0] for table in survey.tables] == ["Subtrees", "Rules,", "A"]


@pytest.mark.slow
def test_what_was_left_out_is_named(surveyed, planted):
    """The long text is counted in a note and named in a file; the small grammar is owned up to."""
    survey, folder = surveyed
    (left,) = map(json.loads, (folder / "left_out.jsonl").read_text().splitlines())
    assert (left["id"], left["reason"]) == (planted[-1].id, "sentence too long")
    assert any(left["id"] in warning for warning in survey.warnings)
    sized = GrammarFinderConfig(**{**SMALL, "symbols": None, "epochs": 1})
    again = GrammarFinder.survey(planted[:60], sized, None)
    assert any("no GPU" in warning for warning in again.warnings)


@pytest.mark.slow
def test_a_second_run_reads_what_the_first_made(surveyed, planted, capsys):
    """Nothing is trained or parsed again, and the survey are the same."""
    survey, folder = surveyed
    again = GrammarFinder.survey(planted, GrammarFinderConfig(**SMALL), folder)
    assert again.record() == survey.record()
    assert "epoch" not in capsys.readouterr().err
    with pytest.raises(OutputExists):
        GrammarFinder.survey(planted, GrammarFinderConfig(**{**SMALL, "width": 8}), folder)


@pytest.mark.slow
def test_the_folder_is_a_finder(surveyed, planted, tmp_path):
    """What was found is marked in any text, with its span, reason and strength."""
    _, folder = surveyed
    finder = GrammarFinder.fit([], GrammarFinderConfig(fitted=folder), Tools())
    finder.save(tmp_path)
    again = GrammarFinder.load(tmp_path)
    assert again.find(planted[:20]) == finder.find(planted[:20])
    targets = finder.find([example("one king met the old nurse by train"), *planted[:5]])
    assert len(targets) == 6
    assert any("by" in target.reason.split() for target in targets[0])
    assert all(0 < target.strength <= 1 for some in targets for target in some)
    for row, some in zip(planted[:5], targets[1:], strict=True):
        assert all(target.reason.endswith(f" → {row.label}") for target in some)


def test_trees_alone_cannot_find(surveyed, planted):
    """Trees of the training rows parse no other text: the error says what to give instead."""
    settings = GrammarFinderConfig(min_count=1, trees=surveyed[1] / "trees.npz")
    with pytest.raises(ConfigError, match=r"as find\.fitted"):
        GrammarFinder.fit(planted, settings, Tools())


@pytest.mark.slow
def test_trees_can_come_from_elsewhere(surveyed, planted, tmp_path):
    """Given trees are used as they are; those of other rows are refused."""
    survey, folder = surveyed
    settings = GrammarFinderConfig(min_count=1, trees=folder / "trees.npz")
    assert GrammarFinder.survey(planted, settings, tmp_path).rows == survey.rows
    assert (Trees.load(tmp_path / "trees.npz").label == Trees.load(settings.trees).label).all()
    with pytest.raises(DataError, match="trees of other texts"):
        GrammarFinder.survey(planted[5:], settings, None)


@pytest.mark.slow
def test_pairs_have_a_synchronous_grammar(capsys):
    """Pairs are aligned; a group has its n-gram pairs and the second text alone beside it."""
    rows = [
        example({"premise": f"a {premise} runs {n}", "hypothesis": f"a {hypothesis} runs"}, label)
        for n in range(40)
        for premise, hypothesis, label in (("man", "man", "yes"), ("man", "woman", "no"))
    ]
    settings = {**SMALL, "symbols": 3, "leaves": 4, "width": 8, "classifier": False}
    survey = GrammarFinder.survey(rows, GrammarFinderConfig(**settings), None)
    best = survey.rows[0]
    assert "/" in best["patterns"][0]["pattern"]
    assert set(best["as"]) == {"n-gram pairs", "second text"}
    assert "linear" not in best
    assert "epoch 1 of at most 4" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="takes scfg"):
        GrammarFinder.survey(rows, GrammarFinderConfig(**settings, grammar="pcfg"), None)


class Stubborn:
    """A classifier that always says "first"."""

    labels = ("first", "second")

    def predict(self, examples):
        return np.array([[0.9, 0.1]] * len(examples))


@pytest.mark.slow
def test_a_wrong_prediction_is_explained(surveyed, planted, monkeypatch):
    """Wrong rows only, each with its rules: those of a phrase of the predicted label come first."""
    _, folder = surveyed
    finder = GrammarFinder.load(folder)
    phrase = FIXED["first"][0]
    rows = [example(f"the old dog sleeps {phrase}", "second"), planted[0], planted[-1]]
    monkeypatch.setattr(
        "augkit.shortcuts.grammar.explainer",
        lambda _: (
            lambda _, rows, labels: [Explanation(label, (), 0.0, 0.0, "exact") for label in labels]
        ),
    )
    survey = finder.explain(rows, Stubborn())
    wrong = [row for row in rows if row.label == "second"]
    assert [record["id"] for record in survey.rows] == [row.id for row in wrong]
    assert survey.about["predicted wrongly"] == len(wrong)
    record = survey.rows[0]
    assert (record["predicted"], record["label"]) == ("first", "second")
    best = record["rules"][0]
    assert best["ratio"] > 1
    assert set(best["words"].split()) & set(phrase.split())
    assert max(map(len, survey.tables[0].title.splitlines())) <= 80
    assert "trees" not in record
    pictured = finder.explain(rows, Stubborn(), draw=True)
    assert [line.partition("(")[0] for line in pictured.rows[0]["trees"]] == [""]
    trees = finder.trees(rows)
    assert [len(row_trees) for row_trees in trees] == [1, 1, 0], "the last row is too long"
    assert " ".join(str(trees[0][0]).split()) == pictured.rows[0]["trees"][0]
    drawing = pictured.tables[0].title.removeprefix(survey.tables[0].title)
    words = rows[0].fields["text"].replace("sleeps", "[UNK]")  # no training row has it
    assert drawing.splitlines()[-1].split() == words.split()
    assert max(map(len, drawing.splitlines())) <= 80
    unknown = [example("the dog", "third")]
    with pytest.raises(DataError, match="'third'"):
        finder.explain(unknown, Stubborn())
    with pytest.raises(DataError, match=r"0\.1\.0"):
        replace(finder, rules=None).explain(rows, Stubborn())
