"""GPT3Mix: examples shown, an example written, its soft label kept."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from augkit.augmenters.baselines.gpt3mix import ExamplePool, mixed_answer, soft_label
from augkit.augmenters.create import create
from augkit.core.errors import DataError, MissingTool
from augkit.core.protocols import Tools
from augkit.core.types import Pair, example
from augkit.llm.scripted import Scripted

ROWS = [example(f"A fine film {n}.", "positive") for n in range(4)]
ROWS += [example(f"A dull film {n}.", "negative") for n in range(4)]
LABELS = ("negative", "positive")


def answering(text="A slow film, but clever.", probabilities=(0.3, 0.7)):
    return Scripted(lambda _: json.dumps({"texts": [text], "probabilities": list(probabilities)}))


def mixing(llm, **settings):
    return create("gpt3mix", Tools(llm=llm), **settings).fit(ROWS)


def test_the_soft_label_is_kept_and_the_likeliest_one_is_written():
    """A trainer that takes no soft labels has the likeliest; the scores have all of them."""
    (pair,) = mixing(answering())([ROWS[0]])
    assert (pair.variant.label, pair.provenance.contract) == ("positive", "kept")
    assert pair.provenance.scores == {"p/negative": 0.3, "p/positive": 0.7}
    (other,) = mixing(answering(probabilities=(8, 2)))([ROWS[0]])
    assert (other.variant.label, other.provenance.contract) == ("negative", "flipped")
    assert other.provenance.scores == {"p/negative": 0.8, "p/positive": 0.2}


def test_drawn_labels_weigh_as_the_soft_label():
    """Of many variants with 0.3 negative, about three in ten are negative; the same each time."""
    pairs = list(mixing(answering(), label="sampled", copies=1)([ROWS[0]]))
    assert pairs == list(mixing(answering(), label="sampled", copies=1)([ROWS[0]]))
    rows = [example(f"Film number {n}.", "positive") for n in range(300)]
    llm = Scripted(
        lambda request: json.dumps({"texts": [f"{request.seed}"], "probabilities": [0.3, 0.7]})
    )
    drawn = [pair.variant.label for pair in mixing(llm, label="sampled")(rows)]
    assert 0.2 < drawn.count("negative") / len(drawn) < 0.4


def test_the_row_and_others_of_the_corpus_are_shown():
    """The row stands among as many examples as asked for, all with their labels."""
    seen = []

    def watching(request):
        seen.append(request.messages[-1].content)
        return json.dumps({"texts": ["New."], "probabilities": [0, 1]})

    list(mixing(Scripted(watching), examples=3)([ROWS[0]]))
    shown = json.loads(seen[0].split("The examples:\n<data>")[1].split("</data>")[0])
    assert len(shown) == 3
    assert {"text": "A fine film 0.", "label": "positive"} in shown
    assert all(set(row) == {"text", "label"} for row in shown)


@pytest.mark.parametrize("probabilities", [(0, 0), (-1, 2)])
def test_what_is_no_distribution_is_refused(probabilities):
    """The rejection shows the numbers and keeps the cost."""
    (rejection,) = mixing(answering(probabilities=probabilities)).outcomes([ROWS[0]])
    assert rejection.reason == "no soft label"
    assert rejection.cost.calls == 1
    assert soft_label(probabilities, LABELS) is None


def test_an_unsure_label_can_be_refused():
    """``confidence`` is the least probability of the likeliest label."""
    (rejection,) = mixing(answering(), confidence=0.8).outcomes([ROWS[0]])
    assert rejection.reason == "low confidence"


def test_another_number_of_texts_or_probabilities_is_not_the_json_asked_for():
    """The schema holds the model to one text a field and one number a label."""
    answer = mixed_answer(1, 2)
    assert answer.model_validate_json('{"texts": ["a"], "probabilities": [1, 0]}')
    for wrong in (
        '{"texts": ["a"], "probabilities": [1]}',
        '{"texts": [], "probabilities": [1,0]}',
    ):
        with pytest.raises(ValidationError):
            answer.model_validate_json(wrong)
    (rejection,) = mixing(answering(probabilities=(1,))).outcomes([ROWS[0]])
    assert rejection.reason.startswith("llm: ")


def test_a_row_whose_label_is_not_of_the_corpus_is_refused():
    """Nothing is asked for a row that cannot be weighed."""
    outcomes = list(mixing(Scripted([])).outcomes([example("Film."), example("Film.", "mixed")]))
    assert [one.reason for one in outcomes if not isinstance(one, Pair)] == [
        "label not in the corpus"
    ] * 2


def test_anchors_survive_being_saved_and_damage_is_told(tmp_path):
    """Plain JSON, read back equal."""
    anchors = mixing(answering(), pool=3).artifact
    assert len(anchors.rows) == 3
    anchors.save(tmp_path)
    assert ExamplePool.load(tmp_path) == anchors
    (tmp_path / "examples.json").write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match="damaged"):
        ExamplePool.load(tmp_path)


def test_it_says_that_it_needs_a_model():
    """Offline it says what to give it."""
    with pytest.raises(MissingTool, match="--llm"):
        create("gpt3mix")
