"""What ``fix`` concludes from its scores, and the sentence that it says it in."""

from dataclasses import replace
from pathlib import Path

import pytest

from augkit.commands.fix.cues import Cue, CueFeature
from augkit.commands.fix.parts import ROWS, Split
from augkit.commands.fix.results import BothScores, Fixed, TriedMethod, best_method
from augkit.core.results import Comparison, Score
from augkit.text.features.kinds import FORMAT

OUT = Path("out")
NAME = Cue((CueFeature("text", "token", "marta", "billing", 0.8, 200, 190),))
SIGN = Cue((CueFeature("text", FORMAT, "sign !", "billing", 0.8, 200, 190),))
MASK = "has a new shortcut: 'mask' (no)"
ENDS = "has a new shortcut: ends with . (billing)"


def score(value):
    """A score with an interval of five points each way."""
    return Score("accuracy", value, value - 0.05, value + 0.05, 200)


def both(test, challenge):
    return BothScores(score(test), score(challenge))


def compared(value):
    """A difference that is clear unless it is small."""
    difference = Score("accuracy", value, value - 0.05, value + 0.05, 200)
    p = 0.001 if abs(value) > 0.05 else 0.5
    return Comparison("accuracy", "higher", "accuracy", difference, p, "a", "b", "t")


def tried(name="method", challenge=0.3, *, test=0.0, caveats=(), deleting=0.0, **more):
    """A method with these changes against the rows as they are, and against deleting."""
    method = TriedMethod(
        name,
        OUT / name,
        both(0.9 + test, 0.4 + challenge),
        on_test=compared(test),
        on_challenge=compared(challenge),
        test_against_deleting=compared(-test),
        against_deleting=compared(deleting),
        caveats=tuple(caveats),
        accepted=10,
    )
    return replace(method, **more)


def fixed(*methods, **more):
    """What ``fix`` found: the rows as they are have 90 % on the test set and 40 % on the other."""
    parts = {"train": 300, "test": 100, "challenge": 80, "deleted": 300, "all deleted": 400}
    split = Split(OUT, [NAME], ROWS, parts)
    values = {"chosen": [NAME], "split": split, "tried": methods, "before": both(0.9, 0.4)}
    values |= {"deleting": both(0.85, 0.4)}
    labels = {"billing": 200, "technical": 200}
    data = Fixed("a.csv", ROWS, OUT, 400, ["text"], "label", labels)
    return replace(data, **(values | more))


RENAMED = tried("mask", caveats=[MASK])
WORSE = tried("worse", 0.5, test=-0.3)


def test_the_best_method_is_clean_and_not_worse_on_the_test_set():
    """Worse on the test set: out. A new shortcut: only where nothing clean helps."""
    renamed, clean = tried("renamed", 0.4, caveats=[MASK]), tried("clean", 0.3)
    assert best_method([WORSE, renamed, clean]) is clean
    assert best_method([WORSE, renamed]) is renamed
    assert best_method([WORSE]) is None
    assert best_method([replace(clean, accepted=0)]) is None


@pytest.mark.parametrize(
    ("result", "outcome", "sentence"),
    [
        (fixed(tried()), "fixed", "Fixed: method breaks"),
        (fixed(tried(challenge=0.01)), "not fixed", "Not fixed"),
        (fixed(WORSE), "not fixed", "Clearly worse on the test set, so not chosen: worse"),
        (fixed(RENAMED), "renamed", "Improved, but a new shortcut took its place"),
        (
            fixed(tried(test=-0.3, test_against_deleting=compared(0.0), left_out=290)),
            "at a cost",
            "290 of 300 rows are left out",
        ),
        (
            # no longer clearly above chance, as the rows as they are were
            fixed(
                tried(on_test=compared(-0.04), scores=both(0.54, 0.7)),
                before=both(0.58, 0.4), deleting=None, chance=0.5,
            ),
            "at a cost",
            "Improved at a cost: method breaks",
        ),
        (
            fixed(
                tried(on_test=compared(-0.04), scores=both(0.54, 0.7)),
                before=both(0.58, 0.4), deleting=None, chance=0.4,
            ),
            "fixed",
            "Fixed: method breaks",
        ),
        (fixed(tried(deleting=0.2)), "deleting is better", "Simply deleting"),
        (
            # a mask that gives the label away is not worth more than the text without the cue
            fixed(RENAMED, deleting=RENAMED.scores),
            "deleting is better",
            "is safer than rewriting",
        ),
        (
            fixed(RENAMED, deleting=both(0.8, 0.6)),
            "deleting is better",
            f"is safer than rewriting (mask: 70.0 %, but it {MASK})",
        ),
        (fixed(RENAMED, deleting=both(0.9, 0.4)), "renamed", "Improved, but a new shortcut"),
        (
            # not clearly better on the challenge set, but better on the two together
            fixed(tried(), deleting=both(0.88, 0.75)),
            "deleting is better",
            "is as good as rewriting (method: 70.0 %)",
        ),
        (fixed(tried(), deleting=both(0.85, 0.75)), "fixed", "Deleting the cue gives 75.0 % there"),
        (fixed(tried(), deleting=both(0.84, 0.75)), "fixed", "Fixed: method breaks"),
        (
            # deleting has made a shortcut of its own, so a method without one is better
            fixed(tried(), deleting=both(0.9, 0.75), deleting_caveats=[ENDS]),
            "fixed",
            f"Deleting the cue {ENDS}",
        ),
        (
            fixed(
                tried("high", 0.4, caveats=["still has 'x' (no)", ENDS]), tried(),
                deleting=both(0.9, 0.75), deleting_caveats=[ENDS],
            ),
            "fixed",
            f"high {ENDS}, so it is not chosen",
        ),
        (
            fixed(deleting=both(0.9, 0.75), deleting_caveats=[ENDS]),
            "deleting is better",
            f"Deleting the cue {ENDS}",
        ),
        (
            fixed(
                tried(caveats=[ENDS]), deleting=both(0.9, 0.75), deleting_caveats=[ENDS]
            ),
            "deleting is better",
            "is safer than rewriting",
        ),
        (
            fixed(tried(), before=both(0.9, 0.9), deleting=both(0.9, 0.9)),
            "not relied on",
            "Train on: a.csv as it is",
        ),
        (
            # the classifier reads words alone: that it does as well is no evidence about a sign
            fixed(tried(), chosen=[SIGN], before=both(0.9, 0.9), deleting=both(0.9, 0.9)),
            "not relied on",
            "Not proved: the classifier reads words and no signs",
        ),
        (fixed(chosen=[]), "nothing to fix", "There is nothing to fix."),
    ],
)  # fmt: skip
def test_the_outcome_and_its_sentence(result, outcome, sentence):
    """Fixed; amber where a new shortcut took its place; honest where deleting or nothing helps."""
    assert result.outcome == outcome
    shown = " ".join(str(result).split())
    assert sentence in shown
    relies_on_nothing = outcome == "not relied on" and result.chosen != [SIGN]
    assert ("Train on: a.csv as it is" in shown) == relies_on_nothing


def test_a_method_that_loses_to_deleting_is_not_said_to_be_renamed():
    """Only what is higher on the challenge set, and new, is named beside the one to take."""
    worse = tried("other", 0.4, test=-0.3, caveats=["has a new shortcut: 'other' (no)"])
    shown = str(fixed(worse, RENAMED, deleting=both(0.8, 0.6)))
    assert "so it is not chosen" not in shown


@pytest.mark.parametrize(
    ("result", "file"),
    [
        (fixed(tried()), OUT / "method" / "dataset.jsonl"),
        (fixed(RENAMED), OUT / "mask" / "dataset.jsonl"),
        (fixed(tried(deleting=0.2)), OUT / "deleted.jsonl"),
        (fixed(tried(challenge=0.01)), None),
    ],
)
def test_the_file_to_train_on(result, file):
    """Of the best method, without the cue, or none."""
    assert result.train_on == file
