"""The measures of linking beside cases worked out by hand."""

import pytest
from coreference_data import Choice, Passage
from person_links import annotated, learned, nearest, questions, tally

from augkit.core.analysis import Analysis
from augkit.language.person_links.readings import PersonMention

TEXT = "Anna lost her keys. Mary found them."
MENTIONS = [
    PersonMention(0, 4, "name", "woman", "singular"),
    PersonMention(10, 13, "pronoun", "woman", "singular", "possessive"),
    PersonMention(20, 24, "name", "woman", "singular"),
]


def test_measures_by_hand():
    """Gold {a b c} {d e f g} against {a b} {c d} {e f g}, the example of Pradhan et al. (2014)."""
    counts = tally([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1])
    assert (counts["right"], counts["pairs"], counts["gold"]) == (4, 5, 9)
    assert (counts["kept"], counts["links"], counts["had"], counts["wanted"]) == (3, 4, 3, 5)
    assert counts["precision"] / 7 == pytest.approx(6 / 7)
    assert counts["recall"] / 7 == pytest.approx((4 / 3 + 1 / 3 + 1 / 4 + 9 / 4) / 7)
    assert counts["best"] == pytest.approx(4 / 5 + 6 / 7)


def test_a_perfect_answer_has_100():
    """All figures are 100 where the persons are the gold ones."""
    passage = Passage("x", TEXT, Analysis(TEXT, ()), MENTIONS, [5, 5, 9])
    for persons in (learned, nearest):
        assert set(annotated([passage], persons).values()) == {100.0}


def test_questions():
    """Both decisions of a question count, and a wrong name is a false positive."""
    choice = Choice(1, (0, 2), (True, False))
    passage = Passage("x", TEXT, Analysis(TEXT, ()), MENTIONS, [], choice)
    assert questions([passage], learned) == {"accuracy": 100.0, "all": 100.0, "woman": 100.0}
    wrong = questions([passage], lambda _: [0, 1, 1])
    assert (wrong["accuracy"], wrong["all"]) == (0.0, 0.0)
