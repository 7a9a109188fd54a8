"""Each rule leaves its examples alone, and no other rule does: without it they would change."""

import random

import pytest

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.rules import left_alone, left_names
from augkit.core.types import Example
from augkit.english.parser import SpacyParser

EXAMPLES = [
    ("gender", "woman", "part of a title", "We saw The *Man* of Kyoto, and slept."),
    ("gender", "woman", "part of a title", 'They played "*boy* sees frog" again.'),
    ("gender", "woman", "part of a title", "We watched the show of *Guy* Fieri there."),
    ("gender", "woman", "a slip of the pen", "It is easily seen off *he* freeway."),
    ("gender", "woman", "a god", "God be praised for *his* mercy."),
    ("gender", "woman", "no name follows", "the mat and the *mr* were new"),
    ("gender", "man", "a verb", "I *miss* the old menu."),
    ("gender", "man", "said of a thing", "It was a *girlish* car."),
    ("gender", "man", "part of a compound", "A *girls* dinner was planned."),
    ("gender", "woman", "an exclamation", "*Boy*, was I wrong!"),
    ("race", "asian", "it has no capital", "They took a *pole* and left."),
    ("race", "white", "in quotation marks", 'The "*Korean*" woman sang.'),
    ("race", "asian", "said of no person", "The *Danish* currency fell."),
    ("race", "asian", "said of no person", "The player is in *white* today."),
    ("race", "asian", "it may be a product", "I met two *Brazilians* there."),
    ("race", "asian", "it would rewrite who wronged whom", "The lynching of a *Black* man."),
    ("age", "senior", "it says whose child, no age", "Her *teenage boy* slept."),
    ("age", "senior", "it says whose child, no age", "Her *boy* slept there."),
    ("age", "senior", "said of nobody in particular", "It is fun for *kids* there."),
    ("age", "senior", "said of nobody in particular", "It is fun for *adults* there."),
    ("age", "senior", "part of a compound", "College *boys* ran."),
    ("age", "child", "said of a thing", "My *old* phone died."),
    ("age", "senior", "said of a thing", "The car is *ten years old*."),
    ("age", "senior", "a baby does what nobody else does", "A *baby* slept."),
    ("age", "senior", "the speaker's age, or a relative's", "I have a *5-year-old* there."),
    ("age", "child", "a measure", "A _num_ year *old* uncle sat."),
    ("age", "child", "there is no degree of the target", "A very *old* man sat."),
]
NAMES = [
    ("a place, a thing or a date", "I had the *Reuben* again."),
    ("a place, a thing or a date", "It was late *April* then."),
    ("a place, a thing or a date", "St *Louis* is far."),
    ("a place, a thing or a date", "We had *Dolores* salad again."),
    ("a place, a thing or a date", "They moved to *Sydney* then."),
    ("it may be a business", "we love *robert* 's catering here"),
    ("part of a longer name", "We met at Tin *Angel* twice."),
    ("a part in a play or film", "There *Barry* (Meloni) slept."),
    ("in quotation marks", 'The song "*Emily*" is long.'),
    ("a rare name without a capital", "and *bertrand* laughed"),
    ("no name here", "They often *Mark* my words."),
    ("it may be a word that opens a sentence", "We had cake. *Rich*, creamy and good."),
]


def answer(marked, axis, target, *, pointed=False, **settings):
    """What becomes of the marked word of a text."""
    before, word, after = marked.split("*")
    example = Example({"text": before + word + after})
    span = ("text", len(before), len(before) + len(word))
    task = PerturbTask(example, *span, axis, target, random.Random(0), pointed=pointed)
    [result] = RulePerturber(SpacyParser(), **settings).perturb([task])
    return result


@pytest.mark.parametrize(("axis", "target", "why", "marked"), EXAMPLES)
def test_a_rule_alone_leaves_its_example_alone(axis, target, why, marked, monkeypatch):
    """It is the reason of the rejection, and without it the word changes."""
    rejection = answer(marked, axis, target)
    assert rejection.reason
    assert rejection.detail.endswith(f"': {why}")
    without = {
        key: [rule for rule in rules if rule[0] != why] for key, rules in left_alone.RULES.items()
    }
    kept = {
        pos: [rule for rule in rules if rule[0] != why] for pos, rules in left_alone.KEPT.items()
    }
    monkeypatch.setattr(left_alone, "RULES", without)
    monkeypatch.setattr(left_alone, "KEPT", kept)
    assert not answer(marked, axis, target).reason


@pytest.mark.parametrize(("why", "marked"), NAMES)
def test_a_rule_of_names_alone_leaves_its_example_alone(why, marked, monkeypatch):
    """A name that names no person stays, and would change without the rule."""
    rejection = answer(marked, "gender", "non-binary")
    assert rejection.reason
    assert rejection.detail.endswith(f"': {why}")
    without = [rule for rule in left_names.NAME_RULES if rule[0] != why]
    monkeypatch.setattr(left_names, "NAME_RULES", without)
    assert not answer(marked, "gender", "non-binary").reason


def test_every_rule_has_an_example():
    """None is without one."""
    every = [*left_alone.RULES.values(), *left_alone.KEPT.values()]
    assert {why for rules in every for why, _ in rules} == {why for _, _, why, _ in EXAMPLES}
    assert [why for why, _ in left_names.NAME_RULES] == list(dict.fromkeys(w for w, _ in NAMES))


@pytest.mark.parametrize("example", EXAMPLES)
def test_whoever_points_at_a_word_means_a_person(example):
    """No rule holds there."""
    axis, target, _, marked = example
    result = answer(marked, axis, target, pointed=True)
    assert not result.reason or result.reason != "not a person"


@pytest.mark.parametrize(
    "marked",
    [
        "John Waters lost *his* hat.",
        "*John* Waters sat. John laughed.",
        "Mr. *King* said he was late.",
        "The actress Jodie Foster said *she* was glad.",
        "mary carey told us about *her* stay",
        "A *woman* named Eva Hermann left.",
    ],
)
def test_whoever_may_be_known_stays(marked):
    """A full name may be a public person's."""
    assert answer(marked, "gender", "non-binary").reason


@pytest.mark.parametrize(
    "marked",
    [
        "The *women* loved John Waters.",
        "Her *father* likes San Diego.",
        "In Santa Barbara *she* smiled.",
        "Anna smiled as *she* left.",
        "*Will*, 34, asks for his loan.",
    ],
)
def test_others_change(marked):
    """Nouns for other people do, and where no full name stands everybody does."""
    assert not answer(marked, "gender", "non-binary").reason


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("*She* is pregnant.", "man"),
        ("*His* prostate was removed.", "woman"),
        ("A *woman* sat. The skirt was red.", "man"),
        ("A *man* with a beard sat.", "woman"),
    ],
)
def test_what_only_one_gender_has_is_said_of_no_other(marked, target):
    """The facts stay true; as "they" the person may change."""
    rejection = answer(marked, "gender", target)
    assert rejection.reason
    assert rejection.reason == "no word for the target"
    assert not answer(marked, "gender", "non-binary").reason


@pytest.mark.parametrize(
    ("marked", "target"),
    [
        ("Two *children* dug in a sandbox.", "senior"),
        ("A *young* kid sat in a stroller.", "senior"),
        ("A *young* clerk drank beer.", "child"),
    ],
)
def test_an_age_fits_the_scene(marked, target):
    """Nobody else plays with a child's toys, and no child does what adults do."""
    rejection = answer(marked, "age", target)
    assert rejection.reason == "no word for the target"
    assert not answer(marked, "age", target, pointed=True).reason


@pytest.mark.parametrize(
    "marked", ["My *niece* left.", "A *male* clerk left.", "The *girl* brought my tea."]
)
def test_what_hardly_anybody_writes_is_written_where_somebody_points(marked):
    """A nibling, a non-binary clerk; a reviewer's girl is no child."""
    rejection = answer(marked, "gender", "non-binary")
    assert rejection.reason == "no word for the target"
    assert not answer(marked, "gender", "non-binary", pointed=True).reason
