"""The judge: what it is asked, and how its answers are read."""

from __future__ import annotations

import pytest

from augkit.core.model_types import Reply
from augkit.core.types import Cost, Example
from augkit.labels.judge import LLMJudge, Opinion, judge_request, read_opinion
from augkit.llm.scripted import Scripted
from augkit.prompts.prompt import PromptExample
from augkit.testing import label_letter

LABELS = ["negative", "positive"]
VARIANT = Example({"text": "The plot is poor."}, "negative")
PAID = Cost(1, 20, 5, 0.001)


def answering(shares):
    """A model that gives each label a probability."""

    def answer(request):
        given = {label_letter(request, label): p for label, p in shares.items()}
        return Reply(text=max(given, key=given.get), probabilities=given, cost=PAID)

    return Scripted(answer)


def test_the_request_shows_the_text_and_all_labels_only():
    """The labels stand in the order given, with letters; the intended one is not marked."""
    request = judge_request(VARIANT.fields, ["a", "negative"])
    assert "A. <data>a</data>\nB. <data>negative</data>\n" in request.messages[0].content
    assert request.messages[-1].content == "<data>The plot is poor.</data>"
    assert request.choices == ("A", "B")


@pytest.mark.parametrize(
    ("labels", "examples"),
    [(["neg", "pos"], 4), (["0", "1"], 0), (["negative", "neutral", "positive"], 5), (["pos"], 2)],
)
def test_worked_examples_have_the_labels_of_the_dataset(labels, examples):
    """Where the names say what they mean; a label without an example would be at a disadvantage."""
    request = judge_request(VARIANT.fields, labels)
    answers = [message.content for message in request.messages if message.role == "assistant"]
    assert len(answers) == examples
    assert set(answers) <= set(request.choices)


def test_relations_are_explained():
    """Whatever the dataset calls them."""
    request = judge_request({"evidence": "x", "claim": "y"}, ["REFUTES", "SUPPORTS"])
    assert "B. <data>SUPPORTS</data> (the first text proves the second)\n" in (
        request.messages[0].content
    )
    assert len([one for one in request.messages if one.role == "assistant"]) == 4


def test_rows_of_the_dataset_are_the_examples_where_they_are_given():
    """With the letters of the order that is shown."""
    mine = PromptExample(inputs={"fields": {"text": "Meh."}}, answer="b")
    request = judge_request(VARIANT.fields, ["a", "b"], (mine,))
    assert [m.content for m in request.messages[1:3]] == ["<data>Meh.</data>", "B"]


def test_both_orders_are_asked_and_averaged():
    """A judge that always takes the first letter has no opinion."""
    first = Scripted(lambda _: Reply(text="A", cost=PAID))
    (verdict,) = LLMJudge(first, LABELS).judge([VARIANT], [VARIANT])
    assert (verdict.probability, verdict.cost.calls) == (0.5, 2)
    assert verdict.about == {"judge": "undecided"}
    (verdict,) = LLMJudge(first, LABELS, orders=1).judge([VARIANT], [VARIANT])
    assert (verdict.probability, verdict.cost.calls) == (1.0, 1)


def test_reported_probabilities_are_read_by_label():
    """In either order the same label has them; they are scaled to sum to 1."""
    (opinion,) = LLMJudge(answering({"negative": 0.6, "positive": 0.2}), LABELS).opinions(
        [VARIANT.fields]
    )
    assert opinion.labels == pytest.approx({"negative": 0.75, "positive": 0.25})
    assert opinion.label == "negative"


def test_a_fault_is_no_verdict():
    """A judge that does not answer accepts nothing; one order that answers is enough."""
    silent = Scripted(lambda _: Reply(fault="timeout", cost=PAID))
    (verdict,) = LLMJudge(silent, LABELS).judge([VARIANT], [VARIANT])
    assert (verdict.probability, verdict.about) == (0.0, {"judge": "no verdict: timeout"})
    replies = iter([Reply(fault="timeout"), Reply(text="B")])
    (opinion,) = LLMJudge(Scripted(lambda _: next(replies)), LABELS).opinions([VARIANT.fields])
    assert opinion.label == "negative"


def test_the_probability_is_that_of_the_intended_label():
    """Letter by letter the same; ``about`` names the likeliest."""
    opinion = Opinion({"negative": 0.3, "positive": 0.7}, PAID)
    verdict = read_opinion(opinion, ["negative"])
    assert (verdict.probability, verdict.about, verdict.cost) == (0.3, {"judge": "positive"}, PAID)
    assert read_opinion(opinion, ["Negative"]).probability == 0.0
