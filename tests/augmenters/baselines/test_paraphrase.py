"""Paraphrase: requests and replies by pure functions, the method with a scripted model."""

import json

import pytest

from augkit.augmenters.baselines.paraphrase import LabelSet, doubt_label
from augkit.augmenters.create import create
from augkit.augmenters.loop import blank_variant
from augkit.core.errors import NotFitted
from augkit.core.protocols import Tools
from augkit.core.types import Cost, Variant, example
from augkit.labels.judge import Verdict
from augkit.llm.scripted import Scripted
from augkit.prompts.answers import RewordedText
from augkit.testing import label_letter

FILM = example("A fine film.", "positive")
NLI = example({"premise": "A man sleeps.", "hypothesis": "He is awake."}, "contradiction")
PAID = Cost(1, 20, 5, 0.001)


def paraphrase(**settings):
    return create("paraphrase", Tools(llm=Scripted([])), **settings)


def rewordings(request):
    """A model that rewords by its seed, and as a judge says positive."""
    if request.answer is not RewordedText:
        return label_letter(request, "positive")
    return json.dumps({"text": f"Reworded {request.seed}."})


def test_the_request_shows_the_text_alone_as_material():
    """A paraphrase has the same meaning, so neither the label nor the other field is needed."""
    step = paraphrase(temperature=0.5)
    request = step.question(blank_variant(NLI))
    assert request.messages[-1].content == "Text: <data>He is awake.</data>"
    assert request.temperature == 0.5
    assert request.seed == step.question(blank_variant(NLI)).seed
    assert request.answer is RewordedText
    assert request.prompt.startswith("paraphrase/rewrite@")


def test_the_last_field_of_a_pair_is_reworded_unless_another_is_named():
    """The other field is shown as context and stays as it is."""
    answer = RewordedText(text="New.")
    last = paraphrase().read(blank_variant(NLI), answer)
    first = paraphrase(field="premise").read(blank_variant(NLI), answer)
    assert last.fields == {"premise": "A man sleeps.", "hypothesis": "New."}
    assert first.fields == {"premise": "New.", "hypothesis": "He is awake."}
    first = paraphrase(field="premise").question(blank_variant(NLI))
    assert "A man sleeps." in first.messages[-1].content


def test_a_lost_final_mark_is_added():
    """A paid answer that lacks only the full stop of its source is not thrown away."""
    row = example("A fine film, was it not?", "good")
    answer = RewordedText(text="A good film, was it not")
    variant = paraphrase().read(blank_variant(row), answer)
    assert variant.fields["text"] == "A good film, was it not?"


@pytest.mark.parametrize("said", ["negative", "Positive"])
def test_any_other_verdict_than_the_label_is_a_refusal(said):
    """The verdict must be the label exactly; what the variant has cost stays."""
    variant = Variant(FILM, {"text": "Good."}, "positive", cost=PAID)
    rejection = doubt_label(variant, Verdict(0.0, label=said))
    assert rejection.reason == "judge disagrees"
    assert said in rejection.detail
    assert rejection.cost == PAID


def test_copies_differ_by_their_seed_and_repeat_with_the_same_one():
    """Each copy asks with its own seed, drawn from the example and not from its place."""
    aug = create("paraphrase", Tools(llm=Scripted(rewordings)), copies=3)
    together = [pair.variant.fields["text"] for pair in aug([NLI, FILM]) if pair.original == FILM]
    alone = [pair.variant.fields["text"] for pair in aug([FILM])]
    assert together == alone
    assert len(set(alone)) == 3


def test_only_a_judge_needs_the_labels():
    """A judge must have seen the dataset; plain rewording need not."""
    llm = Scripted(rewordings)
    assert create("paraphrase", Tools(llm=llm)).augment("A fine film.")
    with pytest.raises(NotFitted):
        create("paraphrase", Tools(llm=llm, judge=llm)).augment("A fine film.")


def test_nothing_is_asked_of_the_judge_about_an_unchanged_text():
    """A rewording that is the text itself is refused before it costs another call."""
    same = Scripted(lambda _: json.dumps({"text": "A fine film."}))
    aug = create("paraphrase", Tools(llm=same, judge=Scripted([]))).fit([FILM])
    [rejection] = aug.outcomes([FILM])
    assert rejection.reason == "unchanged"


def test_the_label_set_survives_its_file(tmp_path):
    learnt = create("paraphrase", Tools(llm=Scripted([]))).prepare([FILM, NLI, example("x")])
    learnt.save(tmp_path)
    assert LabelSet.load(tmp_path) == learnt == LabelSet(("contradiction", "positive"))


def test_a_rewording_must_name_what_it_changes():
    """What it adds beside the named words changes the meaning."""
    answer = {"words": [{"old": "fine", "new": "good"}], "text": "A good film for dogs and cats."}
    llm = Scripted([json.dumps(answer)])
    (rejection,) = create("paraphrase", Tools(llm=llm)).outcomes([FILM])
    assert (rejection.reason, rejection.cost.calls) == ("meaning changed", 1)
    assert rejection.detail.startswith("not named: cats, dogs")
