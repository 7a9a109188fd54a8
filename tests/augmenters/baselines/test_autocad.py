"""AutoCAD: rationales hidden, filled in for another label, kept where they flip."""

import json
from dataclasses import replace
from random import Random

import pytest

from augkit.augmenters.baselines.autocad.infill import InfillJob, fit_filler
from augkit.augmenters.baselines.autocad.llm_infill import (
    infill_request,
    principal_words,
    rationale_phrases,
)
from augkit.augmenters.baselines.autocad.method import AutoCadConfig
from augkit.augmenters.create import create
from augkit.core.errors import DataError
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.english.parser import SpacyParser
from augkit.lexicons.label_order import NO_OTHER_SIDE
from augkit.llm.scripted import Scripted
from augkit.testing import CHECKS, kit_of, label_letter, no_network

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_ordered_labels_flip_across_the_middle(tmp_path):
    """Four and five stars become two and one, judged by their side; three stars cannot flip."""
    stars = {"positive": "45", "negative": "12"}
    rows = [example(r.fields["text"], stars[r.label][n % 2]) for n, r in enumerate(ROWS)]
    rows += [example(f"The {noun} was blue and we talked about it.", "3") for noun in NOUNS]
    method = create("autocad", label_order=[1, 2, 3, 4, 5]).fit(rows)
    method.artifact.save(tmp_path)
    again = method.with_artifact(type(method.artifact).load(tmp_path))
    found = list(again.outcomes(rows))
    flipped = {(o.original.label, o.variant.label) for o in found if isinstance(o, Pair)}
    assert flipped == {("5", "1"), ("4", "2"), ("2", "4"), ("1", "5")}
    assert {o.reason for o in found if not isinstance(o, Pair) and o.parent.label == "3"} == {
        NO_OTHER_SIDE
    }


@pytest.mark.slow
def test_what_does_not_flip_is_refused(offline):
    """A judge that sees the new label nowhere refuses everything, with the probability."""
    method = create("autocad", min_label=1.0).with_artifact(offline.artifact)
    outcomes = list(method.outcomes(ROWS[:5]))
    assert {one.reason for one in outcomes} == {"judge disagrees"}
    assert all(one.detail.startswith("0.") for one in outcomes)


def test_a_row_unlike_the_training_rows_is_rejected(offline):
    other = [example({"premise": "A.", "hypothesis": "B."}, "positive"), example("A film.", "odd")]
    assert [one.reason for one in offline.outcomes(other)] == ["unlike the training rows"] * 2


def test_a_text_without_a_deciding_word_is_refused(offline):
    (rejection,) = offline.outcomes([example("Zzz qqq.", "positive")])
    assert rejection.reason == "no rationale"


def test_the_filler_knows_neighbours_and_the_label():
    """Between "was" and "and" a text of the label has its adjectives."""
    filler = fit_filler(ROWS)
    text, gaps = "The film was great and new.", [(13, 18)]
    (bad,), (good,) = filler.fill(text, gaps, "negative"), filler.fill(text, gaps, "positive")
    assert {word for word, _ in bad[:5]} == set(BAD)
    assert "great" not in [word for word, _ in good]


def test_the_request_shows_numbered_gaps_and_both_labels():
    """The model sees the old words; the answer has exactly one text for each gap."""
    text = "A great film, truly great."
    job = InfillJob(example(text, "positive"), 0, "text", [(2, 7), (14, 25)], "negative", Random(0))
    request = infill_request(job, AutoCadConfig())
    assert request.messages[-1].content == (
        "Text: <data>A [1 great] film, [2 truly great].</data>\n"
        "Label: <data>positive</data>\nNew label: <data>negative</data>"
    )
    names = ["1 great", "2 truly great"]
    assert list(request.answer.model_json_schema()["properties"]) == names


def test_a_pair_shows_what_the_text_goes_with():
    """A hypothesis is nothing without its premise."""
    row = example({"premise": "A man sleeps.", "hypothesis": "A man drives."}, "contradiction")
    job = InfillJob(row, 0, "hypothesis", [(6, 12)], "entailment", Random(0))
    shown = infill_request(job, AutoCadConfig()).messages[-1].content
    assert shown.startswith('Goes with: <data>{"premise": "A man sleeps."}</data>')
    assert "A man [1 drives]." in shown


PHRASES = {
    "The plot is not very good and it drags.": ["not very good"],
    "It is the film of the year.": ["film"],
    "The car breaks down, but we stay.": ["breaks down"],
    "It isn't good, only well-good.": ["isn't good", "well-good"],
}


@pytest.mark.slow
@pytest.mark.parametrize("text", PHRASES)
def test_gaps_are_whole_phrases_of_content_words(text):
    """Negations and modifiers go with their word; function words are never a gap."""
    (analysis,) = SpacyParser().parse([text])
    gaps = rationale_phrases(analysis, ["the", "good", "film", "it", "but", "breaks", "of"])
    assert [text[start:end] for start, end in gaps] == PHRASES[text]


@pytest.mark.slow
def test_evaluative_words_carry_a_polarity():
    """For other labels the classifiers decide."""
    (analysis,) = SpacyParser().parse(["A dull film with great music and awful jokes."])
    assert principal_words(analysis, "negative", ["film"]) == ["dull", "awful"]
    assert principal_words(analysis, "sports", ["film"]) == ["film"]


def filling(word):
    return Scripted(
        lambda request: json.dumps(
            dict.fromkeys(request.answer.model_json_schema()["properties"], word)
        )
    )


@pytest.mark.slow
def test_a_language_model_fills_the_gaps():
    """Its words stand in the gaps, its cost with the variant; the ensemble judges."""
    step = create("autocad", Tools(llm=filling("awful"))).fit(ROWS)
    pairs = list(step(ROWS[:5]))
    assert pairs
    assert all("was awful and" in pair.variant.fields["text"] for pair in pairs)
    assert {pair.provenance.cost.calls for pair in pairs} == {1}


@pytest.mark.slow
def test_a_judge_model_is_asked_where_there_is_one(offline):
    judge = Scripted(lambda request: label_letter(request, "negative"))
    tools = Tools(llm=filling("x"), judge=judge)
    (pair,) = create("autocad", tools).with_artifact(offline.artifact).outcomes(ROWS[:1])
    assert isinstance(pair, Pair)
    assert pair.provenance.cost.calls == 3  # the judge is asked in two orders


@pytest.mark.slow
def test_a_masked_model_fills_the_gaps(tiny_masked_model):
    """The label-conditional model of c-bert, trained on the same rows."""
    settings = {"model": str(tiny_masked_model), "training": {"epochs": 1}, "min_label": 0.0}
    (pair,) = create("autocad", **settings).fit(ROWS)(ROWS[:1])
    assert pair.provenance.contract == "flipped"
    assert pair.provenance.edits


def test_unlabelled_rows_are_an_error():
    with pytest.raises(DataError, match="autocad needs rows with labels"):
        create("autocad").fit([example("A film.")])


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_offline_it_keeps_every_promise(check):
    with no_network():
        check(replace(kit_of("autocad"), offline=True))
