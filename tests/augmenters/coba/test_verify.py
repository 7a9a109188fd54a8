"""Judges that must agree, and what is left of the old polarity."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from augkit.augmenters.coba.edit import Job
from augkit.augmenters.coba.identify import Words
from augkit.augmenters.coba.verify import LeftoverCheck
from augkit.core.types import Cost, example
from augkit.english.parser import SpacyParser
from augkit.english.polarity.antonyms import ClassCounts
from augkit.labels.judge import BothJudges, Verdict
from augkit.lexicons.evaluative import bundled_lexicon

ROW = example("The plot is dull and the cast is wonderful.", "negative")
FITTED = SimpleNamespace(
    polarity={"positive": "positive", "negative": "negative"},
    lexicon=bundled_lexicon(),
    counts=ClassCounts({}),
)


class Says:
    """A judge with given answers that counts what it is asked."""

    def __init__(self, *probabilities):
        self.probabilities, self.asked = probabilities, []

    def judge(self, parents, variants):
        self.asked += variants
        answers = self.probabilities[: len(variants)]
        return [Verdict(one, Cost(1), {"judge": f"says {one}"}) for one in answers]


def job(target="positive", row=ROW):
    return Job(row, target, (), {}, Words(), {}, Random(0))


def test_the_paid_judge_sees_only_what_the_other_accepts():
    """And is sure of by less than 0.8; both opinions and costs count, and the smaller one."""
    rows = [example(f"Text {n}.", "positive") for n in range(4)]
    second = Says(0.2, 0.9)
    verdicts = BothJudges(Says(0.75, 0.3, 0.6, 0.8), second, 0.5).judge(rows, rows)
    assert [one.probability for one in verdicts] == [0.2, 0.3, 0.6, 0.8]
    assert second.asked == [rows[0], rows[2]]
    assert [one.cost.calls for one in verdicts] == [2, 1, 2, 1]
    assert verdicts[0].about["judge"] == "says 0.2 (0.75)"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The plot is clever and the cast is wonderful.", None),
        ("The plot is not dull and the cast is wonderful.", None),
        ("The plot is dull and the cast is great.", "principal words left unedited"),
        ("Watch it tonight with the whole family.", "too little of the text kept"),
    ],
)
def test_words_of_the_old_polarity_must_go_and_the_others_stay(text, reason):
    """A negated one does not count: its polarity is the new one."""
    check = LeftoverCheck(SpacyParser(), FITTED)
    assert check.rejection(job(), {"text": text}) == reason


def test_labels_without_a_polarity_are_not_checked():
    """Topics."""
    topic = job("sport", example("The plot is dull.", "film"))
    assert LeftoverCheck(SpacyParser(), FITTED).rejection(topic, {"text": "It is dull."}) is None
