"""The judge: what it is asked, and how its answer is read."""

from types import SimpleNamespace

import pytest

from augkit.augmenters.judge import LLMJudge, judge_request, read_verdict
from augkit.core.model_types import Reply
from augkit.core.types import Cost, Example
from augkit.llm.scripted import Scripted

VARIANT = Example({"text": "The plot is poor."}, "negative")
PAID = Cost(1, 20, 5, 0.001)


@pytest.mark.parametrize(
    ("label", "probability"), [("negative", 1.0), ("positive", 0.0), ("none", 0.0)]
)
def test_only_the_exact_label_is_accepted(label, probability):
    """Any other answer is a no, and what it cost is kept."""
    verdict = read_verdict(VARIANT, Reply(answer=SimpleNamespace(label=label), cost=PAID))
    assert (verdict.probability, verdict.about, verdict.cost) == (
        probability,
        {"judge": label},
        PAID,
    )


def test_a_fault_is_no_verdict():
    """A judge that does not answer accepts nothing."""
    verdict = read_verdict(VARIANT, Reply(fault="timeout", cost=PAID))
    assert (verdict.probability, verdict.about) == (0.0, {"judge": "no verdict: timeout"})


def test_the_request_shows_the_variant_and_all_labels_only():
    """The labels stand in the order of the dataset; the intended one is not marked."""
    request = judge_request(VARIANT.fields, ["a", "negative"])
    content = request.messages[-1].content
    assert "The plot is poor." in content
    assert '["a", "negative"]' in content
    assert content.count("negative") == 1
    assert "['a', 'negative', 'none']" in str(request.answer.model_json_schema())


def test_a_batch_of_variants_gets_a_verdict_each():
    """One question per variant."""
    judge = LLMJudge(Scripted(lambda _: '{"label": "negative"}'), ["negative", "positive"])
    other = Example({"text": "Fine."}, "positive")
    verdicts = judge.judge([VARIANT, other], [VARIANT, other])
    assert [verdict.probability for verdict in verdicts] == [1.0, 0.0]
