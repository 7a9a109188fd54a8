"""The perturber that is an edit tagger: the tagger chooses, the rules write."""

from random import Random

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.perturbers.tagger import (
    TaggerPerturber,
    tagger_input,
)
from augkit.core.errors import ConfigError, UnknownName
from augkit.core.types import Example, Pair, example
from augkit.english.parser import SpacyParser
from augkit.models.language_models.edit_tagger import WordTag
from augkit.text.tokens import word_spans


class ChosenWords:
    """Stands for a tagger: it tags the words it was given."""

    axes = ("gender", "age")

    def __init__(self, *words):
        self.words = set(words)

    def threshold(self, axis):
        return 0.5

    def tag(self, inputs):
        return [
            [
                WordTag(start, end, float(each.text[start:end] in self.words), 0.0)
                for start, end in word_spans(each.text)
            ]
            for each in inputs
        ]


def task(fields, word, target="woman", axis="gender"):
    fields = fields if isinstance(fields, dict) else {"text": fields}
    name = next(name for name, text in fields.items() if word in text)
    start = fields[name].index(word)
    return PerturbTask(Example(fields), name, start, start + len(word), axis, target, Random(0))


@pytest.fixture
def perturb():
    """Perturb with a tagger that chooses the given words."""

    def call(job, *words):
        rules = RulePerturber(SpacyParser())
        perturber = TaggerPerturber(ChosenWords(*words), rules)
        [answer] = perturber.perturb([job])
        return answer

    return call


LAD = "The man met a boy. The lad waved, and he left."


@pytest.mark.parametrize(
    ("asked", "words", "expected"),
    [
        (("He met Al and lost his keys.", "He", "woman"), {"his"}, "She met Al and lost her keys."),
        (("He said he saw his dog.", "He", "woman"), set(), "She said he saw his dog."),
        (("The king saw his dog.", "king", "woman"), {"his"}, "The queen saw her dog."),
        # Each tagged word is asked about for itself, so the chain is the tagger's.
        (
            (LAD, "lad", "woman"),
            {"boy", "he"},
            "The man met a girl. The lass waved, and she left.",
        ),
        # Verbs need no tag; those of a person who stays, stay.
        (
            ("She is late, and she sings.", "She", "non-binary"),
            set(),
            "They are late, and she sings.",
        ),
    ],
)
def test_the_tagger_says_which_words_change(perturb, asked, words, expected):
    """What it does not tag stays, also where the rules would have changed it."""
    answer = perturb(task(*asked), *words)
    assert not answer.reason, answer
    assert answer.fields["text"] == expected


def test_fields_are_one_text_for_the_tagger_and_two_for_the_rules(perturb):
    """As in PANDA: segments with a separator between them."""
    job = task({"premise": "A man sleeps.", "hypothesis": "He rests."}, "He")
    asked = tagger_input(job)
    assert asked.text == "A man sleeps. <SEP> He rests."
    assert asked.word == "He"
    answer = perturb(job, "man")
    assert not answer.reason, answer
    assert dict(answer.fields) == {"premise": "A woman sleeps.", "hypothesis": "She rests."}


def test_what_the_rules_cannot_write_is_rejected_with_their_reason(perturb):
    answer = perturb(task("The table fell.", "table"), "table")
    assert answer.reason
    assert answer.reason == "no reference"
    answer = perturb(task("A Black man.", "Black", "asian", "race"))
    assert (answer.reason, "not on race" in answer.detail) == ("unusable answer", True)


def test_one_name_stays_one_name(perturb):
    answer = perturb(task("Tom sang, and Tom left.", "Tom", "non-binary"), "Tom")
    assert not answer.reason, answer
    first, second = answer.edits
    assert first.after == second.after != "Tom"


@pytest.mark.slow
def test_a_trained_folder_rewrites_in_a_run(trained_tagger):
    """The method reads tagger:PATH, and no row is lost."""
    panda = create(
        "panda", perturber=f"tagger:{trained_tagger[0]}", axes=["gender"], target="woman"
    )
    rows = [example("He lost his keys.", "a"), example("It rains.", "b")]
    first, second = panda.outcomes(rows)
    assert isinstance(first, Pair), first
    assert first.variant.fields["text"] == "She lost her keys."
    assert second.reason == "no reference"


def test_the_model_is_checked_when_the_settings_are_read():
    with pytest.raises(ConfigError, match="needs a model"):
        create("panda", perturber="tagger")
    with pytest.raises(ConfigError, match="no folder"):
        create("panda", perturber="tagger:./absent")
    with pytest.raises(UnknownName, match="tagger:PATH"):
        create("panda", perturber="tager:./absent")
