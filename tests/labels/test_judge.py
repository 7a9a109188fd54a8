"""The judge: what it is asked, and how its answers are read."""

import pytest

from augkit.core.model_types import Reply
from augkit.core.types import Cost, Example, example
from augkit.labels.judge import (
    BothJudges,
    LLMJudge,
    Verdict,
    judge_request,
    named_label,
    verdict_of,
)
from augkit.llm.scripted import Scripted
from augkit.prompts.choice_question import ChoiceAnswer, OrderedAnswer
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
    assert (verdict.label, verdict.agrees) == ("undecided", False)
    (verdict,) = LLMJudge(first, LABELS, orders=1).judge([VARIANT], [VARIANT])
    assert (verdict.probability, verdict.cost.calls) == (1.0, 1)


def test_reported_probabilities_are_read_by_label():
    """In either order the same label has them; they are scaled to sum to 1."""
    (answer,) = LLMJudge(answering({"negative": 0.6, "positive": 0.2}), LABELS).ask(
        [VARIANT.fields]
    )
    assert answer.probabilities == pytest.approx({"negative": 0.75, "positive": 0.25})
    assert named_label(answer) == "negative"


def test_a_fault_is_no_verdict():
    """A judge that does not answer accepts nothing; one order that answers is enough."""
    silent = Scripted(lambda _: Reply(fault="timeout", cost=PAID))
    (verdict,) = LLMJudge(silent, LABELS).judge([VARIANT], [VARIANT])
    assert (verdict.probability, verdict.label, verdict.fault) == (0.0, "", "timeout")
    assert verdict.detail == "no verdict: timeout"
    replies = iter([Reply(fault="timeout"), Reply(text="B")])
    (verdict,) = LLMJudge(Scripted(lambda _: next(replies)), LABELS).judge([VARIANT], [VARIANT])
    assert (verdict.label, verdict.agrees) == ("negative", True)


def test_the_probability_is_that_of_the_intended_label():
    by_order = (OrderedAnswer(tuple(LABELS), {"negative": 0.3, "positive": 0.7}),)
    answer = ChoiceAnswer(tuple(LABELS), by_order, PAID)
    verdict = verdict_of(answer, ["negative"])
    assert (verdict.probability, verdict.label, verdict.cost) == (0.3, "positive", PAID)
    assert verdict_of(answer, ["Negative"]).probability == 0.0


class Says:
    def __init__(self, *probabilities):
        self.probabilities, self.asked = probabilities, []

    def judge(self, parents, variants):
        self.asked += variants
        answers = self.probabilities[: len(variants)]
        return [Verdict(share, cost=Cost(1), detail=f"says {share}") for share in answers]


def test_the_paid_judge_sees_only_what_the_other_accepts():
    """And is sure of by less than 0.8; both opinions and costs count, and the smaller one."""
    rows = [example(f"Text {n}.", "positive") for n in range(4)]
    second = Says(0.2, 0.9)
    verdicts = BothJudges(Says(0.75, 0.3, 0.6, 0.8), lambda: second, 0.5).judge(rows, rows)
    assert [one.probability for one in verdicts] == [0.2, 0.3, 0.6, 0.8]
    assert second.asked == [rows[0], rows[2]]
    assert [one.cost.calls for one in verdicts] == [2, 1, 2, 1]
    assert verdicts[0].detail == "says 0.2 (0.75)"
