"""AutoCAD: rationales hidden, filled in for another label, kept where they flip."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from augkit.augmenters.baselines.autocad.infill import NgramFiller, fit_filler
from augkit.augmenters.baselines.autocad.method import AutoCadConfig, InfillJob, infill_request
from augkit.augmenters.create import create
from augkit.core.errors import DataError
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.llm.scripted import Scripted
from augkit.testing import CHECKS, kit_of, no_network

NOUNS = "film story cast plot script music ending dialogue camera director".split()
GOOD = "great grand fine clever warm".split()
BAD = "awful dull bad stupid cold".split()
ROWS = [
    example(f"The {noun} was {word} and we talked about it.", label)
    for words, label in ((GOOD, "positive"), (BAD, "negative"))
    for noun in NOUNS
    for word in words
]


@pytest.fixture(scope="module")
def offline():
    return create("autocad").fit(ROWS)


def test_the_deciding_word_gives_way_to_one_of_the_other_label(offline):
    """The rest of the sentence stays, and the variant has the label it reads as."""
    pairs = list(offline(ROWS))
    assert len(pairs) > len(ROWS) / 2
    for pair in pairs:
        assert pair.variant.label != pair.original.label
        assert pair.provenance.contract == "flipped"
        assert pair.provenance.scores["label"] >= 0.5
    edits = {(edit.before, edit.after) for pair in pairs for edit in pair.provenance.edits}
    turned = [(one, two) for one, two in edits if one in BAD and two in GOOD]
    assert turned


def test_what_does_not_flip_is_refused():
    """A judge that sees the new label nowhere refuses everything, with the probability."""
    outcomes = list(create("autocad", min_label=1.0).fit(ROWS).outcomes(ROWS[:5]))
    assert {one.reason for one in outcomes} == {"does not flip"}
    assert all(one.detail.startswith("0.") for one in outcomes)


def test_a_row_unlike_the_training_rows_is_rejected(offline):
    """Other fields or another label are told."""
    other = [example({"premise": "A.", "hypothesis": "B."}, "positive"), example("A film.", "odd")]
    assert [one.reason for one in offline.outcomes(other)] == ["unlike the training rows"] * 2


def test_a_text_without_a_deciding_word_is_refused(offline):
    """There is nothing to hide."""
    (rejection,) = offline.outcomes([example("Zzz qqq.", "positive")])
    assert rejection.reason == "no rationale"


def test_the_filler_knows_neighbours_and_the_label():
    """Between "was" and "and" a text of the label has its adjectives."""
    filler = fit_filler(ROWS)
    text, gaps = "The film was great and new.", [(13, 18)]
    (bad,), (good,) = filler.fill(text, gaps, "negative"), filler.fill(text, gaps, "positive")
    assert {word for word, _ in bad[:5]} == set(BAD)
    assert "great" not in [word for word, _ in good]


def test_the_filler_is_saved_and_damage_is_told(tmp_path):
    """Plain JSON, read back equal."""
    filler = fit_filler(ROWS)
    filler.save(tmp_path)
    assert NgramFiller.load(tmp_path) == filler
    (tmp_path / "ngrams.json").unlink()
    with pytest.raises(DataError, match=r"ngrams\.json"):
        NgramFiller.load(tmp_path)


def test_the_request_shows_numbered_gaps_and_the_label():
    """The words that are hidden are not shown."""
    text = "A great film, truly great."
    gaps = [(2, 7), (20, 25)]
    job = InfillJob(example(text, "positive"), 0, "text", gaps, "negative", Random(0))
    request = infill_request(job, AutoCadConfig())
    shown = request.messages[-1].content
    assert "A [gap 1] film, truly [gap 2]." in shown
    assert "great" not in shown
    assert "negative" in shown


def test_a_language_model_fills_the_gaps():
    """Its words stand in the gaps, its cost with the variant; the ensemble judges."""

    def answer(request):
        gaps = request.messages[-1].content.count("[gap")
        return json.dumps({"words": ["awful"] * gaps})

    step = create("autocad", Tools(llm=Scripted(answer))).fit(ROWS)
    pairs = list(step(ROWS[:5]))
    assert pairs
    assert all("awful" in pair.variant.fields["text"] for pair in pairs)
    assert {pair.provenance.cost.calls for pair in pairs} == {1}


def test_a_judge_model_is_asked_where_there_is_one():
    """Its verdict counts and its cost is added."""
    llm = Scripted(
        lambda request: json.dumps({"words": ["x"] * request.messages[-1].content.count("[gap")})
    )
    judge = Scripted(lambda _: json.dumps({"label": "negative"}))
    outcomes = list(create("autocad", Tools(llm=llm, judge=judge)).fit(ROWS).outcomes(ROWS[:1]))
    assert [isinstance(one, Pair) for one in outcomes] == [True]
    assert outcomes[0].provenance.cost.calls == 2


def test_a_masked_model_fills_the_gaps(tiny_masked_model):
    """The label-conditional model of c-bert, trained on the same rows."""
    settings = {"model": str(tiny_masked_model), "training": {"epochs": 1}, "min_label": 0.0}
    (pair,) = create("autocad", **settings).fit(ROWS)(ROWS[:1])
    assert pair.provenance.contract == "flipped"
    assert pair.provenance.edits


def test_unlabelled_rows_are_an_error():
    """There is no label to flip."""
    with pytest.raises(DataError, match="autocad needs rows with labels"):
        create("autocad").fit([example("A film.")])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_offline_it_keeps_every_promise(check):
    """The contract holds without a model too."""
    with no_network():
        check(replace(kit_of("autocad"), offline=True))
