import random

import pytest

from augkit.core.protocols import Target
from augkit.core.types import example
from augkit.shortcuts.fit import fit_finder
from augkit.shortcuts.tokens import TokenFinder, TokensConfig

WORDS = "the a film house dog runs sings quickly red green table water over under".split()


def test_a_planted_word_comes_first(planted):
    """The planted word is the strongest feature, with its label."""
    survey = TokenFinder.survey(planted(), TokensConfig(), None)
    assert (survey.rows[0]["feature"], survey.rows[0]["label"]) == ("indeed", "yes")
    assert survey.rows[0]["z"] > 8
    shortcuts, features = survey.tables
    assert shortcuts.title == "Likely shortcuts: 1"
    assert shortcuts.rows[0][:2] == ("indeed", "yes")
    assert features.rows[0][2] == "indeed"
    assert survey.rows[0]["shortcut"]


@pytest.mark.parametrize("correction", ["benjamini-hochberg", "holm"])
def test_nothing_is_found_where_there_is_nothing(correction):
    """With labels that do not depend on the text, the correction leaves almost nothing over."""
    significant = 0
    for seed in range(5):
        rng = random.Random(seed)
        rows = [
            example(" ".join(rng.choices(WORDS, k=8)), rng.choice(["a", "b", "c"]), occurrence=n)
            for n in range(300)
        ]
        significant += len(TokenFinder.survey(rows, TokensConfig(correction=correction), None).rows)
    assert significant <= 2


def test_a_word_counts_by_its_field():
    """A word of the claim is not the same feature as that word in the evidence."""
    rows = [
        example({"evidence": "it is not so", "claim": claim}, label, occurrence=n)
        for n in range(20)
        for claim, label in [("it is not so", "REFUTES"), ("it is so", "SUPPORTS")]
    ]
    survey = TokenFinder.survey(rows, TokensConfig(), None)
    assert {row["field"] for row in survey.rows} == {"claim"}
    assert any(row["feature"] == "not" and row["label"] == "REFUTES" for row in survey.rows)


def test_before_and_after(planted):
    """A shortcut that was removed has a small z now; one that came in its place is called new."""
    before = planted()
    after = [
        example(row.fields["text"].replace("indeed", "surely"), row.label, occurrence=n)
        for n, row in enumerate(before)
    ]
    survey = TokenFinder.compare(before, after, TokensConfig(ngrams=1), None)
    gone = next(row for row in survey.rows if row["feature"] == "indeed")
    assert gone["after"]["rows"] == 0
    new = [row for row in survey.rows if row.get("new")]
    assert (new[0]["feature"], new[0]["before"]["rows"]) == ("surely", 0)


def test_what_is_left_of_a_shortcut_is_counted_however_rare(planted):
    """Two rows that still hold it are two rows, below the least number that is tried too."""
    before = planted()
    held = [n for n, row in enumerate(before) if "indeed" in row.fields["text"]][:2]
    after = [
        row if n in held else example(row.fields["text"].replace("indeed", ""), row.label)
        for n, row in enumerate(before)
    ]
    survey = TokenFinder.compare(before, after, TokensConfig(ngrams=1), None)
    left = next(row for row in survey.rows if row["feature"] == "indeed")
    assert left["after"]["rows"] == len(held)
    assert left["after"]["z"] != 0


def test_targets_are_the_features_of_the_rows_own_label(planted, tmp_path):
    """The planted word is marked under its own label only; without a label, always."""
    finder = fit_finder("tokens", planted(), ngrams=1, positions=False)
    text = "So, Indeed the dog runs."
    target = Target("text", 4, 10, "token indeed → yes", finder.features[0].strength)
    rows = [example(text, "yes"), example(text, "no"), example(text), example("", "yes")]
    assert finder.find(rows) == [[target], [], [target], []]
    finder.save(tmp_path)
    assert TokenFinder.load(tmp_path) == finder


def test_ngrams_and_words_at_the_ends_have_spans(tmp_path):
    """A 2-gram spans its words; the first word is marked at the start only, the length never."""
    rows = [example(f"Not so good {n} not", "a", occurrence=n) for n in range(20)]
    rows += [example(f"So not good {n} is it", "b", occurrence=n) for n in range(20)]
    (targets,) = fit_finder("tokens", rows, top=100).find([example("Not so not", "a")])
    reasons = {(target.start, target.end): target.reason for target in targets}
    assert reasons[0, 6] == "2-gram not so → a"
    assert reasons[0, 3] == "first word not → a"
    assert reasons[7, 10] == "last word not → a"
    assert len(targets) == len(reasons)
