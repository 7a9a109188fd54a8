"""Classifiers vote on pairs: words of both texts define principal, spurious and normal triples."""

from dataclasses import replace

import pytest

from augkit.attribution.ensemble import explain_each, explainer
from augkit.attribution.explanation import top_words
from augkit.attribution.majority_vote import majority_vote
from augkit.augmenters.coba.artifact import CobaArtifact
from augkit.augmenters.coba.job import decompose_parsed, identify_words
from augkit.augmenters.coba.pair_rules import changes_principal
from augkit.augmenters.create import create
from augkit.core.edits import Edit
from augkit.core.errors import DataError
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.english.inference.edits import RelationEdit
from augkit.llm.scripted import Scripted

ANIMALS = ("dog", "cat", "horse", "goat", "duck", "lion")
ROWS = [
    example({"premise": f"A {animal} is {first}.", "hypothesis": f"A {animal} is {second}."}, label)
    for animal in ANIMALS
    for first, second, label in (
        ("asleep", "asleep", "entailment"),
        ("asleep", "awake", "contradiction"),
        ("outside", "sad", "neutral"),
    )
]


def fitted(**settings):
    return create("coba", principal="vote", **settings).fit(ROWS)


@pytest.mark.parametrize(
    "method", ["exact", *(pytest.param(one, marks=pytest.mark.slow) for one in ("lime", "shapley"))]
)
def test_the_words_of_pairs_are_the_vote_of_their_classifiers(method):
    """W_p and W_s are those of a vote, row by row, over what each classifier names."""
    coba = fitted(ensemble="linear-three", attribution=method, top_k=2)
    rows = ROWS[:6]
    explained = explain_each(coba.artifact.pairs, rows, explainer(method))
    expected = [majority_vote([top_words(e, 2) for e in of_row]) for of_row in explained]
    words = coba._pair_pipeline.identifier.identify(rows)
    assert [(set(w.principal), set(w.spurious)) for w in words] == [
        (set(vote.principal), set(vote.spurious)) for vote in expected
    ]
    assert any(vote.principal for vote in expected)


def test_only_principal_triples_change():
    """An edit of another triple is none, unless no triple is principal."""
    coba = fitted()
    pipeline = coba._pair_pipeline
    (job,) = identify_words(decompose_parsed(ROWS[1:2], pipeline.parser), pipeline.identifier)
    start = ROWS[1].fields["hypothesis"].index("awake")
    edit = RelationEdit((Edit("hypothesis", start, start + 5, "awake", "asleep"),), "replace")
    ids = {t.id for t in job.triples if t.field == "hypothesis"}
    for category, allowed in (("principal", True), ("spurious", False), ("normal", False)):
        categories = {t.id: category if t.id in ids else "principal" for t in job.triples}
        assert changes_principal(replace_job(job, categories, {"asleep"}), edit) is allowed
    normal = dict.fromkeys((t.id for t in job.triples), "normal")
    assert changes_principal(replace_job(job, normal, {"tiger"}), edit)
    spurious = dict.fromkeys((t.id for t in job.triples), "spurious")
    assert not changes_principal(replace_job(job, spurious, {"tiger"}), edit)
    assert changes_principal(replace_job(job, spurious, set()), edit)


def replace_job(job, categories, principal):
    words = replace(job.words, principal=frozenset(principal))
    return replace(job, categories=categories, words=words)


@pytest.mark.slow
def test_a_fitted_vote_is_saved_and_read(tmp_path):
    coba = fitted(top_k=2)
    coba.artifact.save(tmp_path)
    again = CobaArtifact.load(tmp_path)
    assert again.notes == coba.artifact.notes
    assert "held-out accuracy on pairs" in again.notes[0]
    before = coba.artifact.pairs.predict(ROWS)
    assert (again.pairs.predict(ROWS) == before).all()


def test_too_few_rows_to_vote():
    """An error where the vote was asked for; a note where it is the default, with a model."""
    with pytest.raises(DataError, match="held out together"):
        create("coba", principal="vote").fit(ROWS[:3])


def test_a_model_edits_what_the_classifiers_vote_for(obedient):
    """In the paper's steps that is the default; too few rows to vote on are noted."""
    tools = Tools(llm=Scripted(obedient))
    assert create("coba", tools).fit(ROWS).artifact.pairs is not None
    assert create("coba", tools, calls="one").fit(ROWS).artifact.pairs is None
    few = create("coba", tools).fit(ROWS[:3]).artifact
    assert few.pairs is None
    assert few.notes[0].startswith("no classifiers vote on pairs")
