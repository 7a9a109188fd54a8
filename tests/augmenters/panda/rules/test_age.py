"""The age rule on whole sentences: numbers, decades, nouns and adjectives."""

import re
from random import Random

import pytest

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.commands.perturb import PerturbRequest, to_task
from augkit.core.types import Rejection
from augkit.english.parser import SpacyParser

SENTENCES = [
    ("A shy male child with a dog.", "child", "young", "A shy male young person with a dog."),
    ("A child actor sang.", "child", "senior", "An elderly actor sang."),
    ("The pilot, aged 34, survived.", "34", "senior", "The pilot, aged {senior}, survived."),
    ("She is 34 years of age.", "34", "senior", "She is {senior} years of age."),
    ("A 7 year old won.", "7", "senior", "A(n|) {senior} year old won."),
    ("He turned forty in May.", "forty", "senior", "He turned {words} in May."),
    (
        "She is in her late fifties.",
        "fifties",
        "young",
        "She is in her (late |)(twenties|thirties).",
    ),
    ("An octogenarian won the race.", "octogenarian", "child", "A (child|kid) won the race."),
    ("My 6-year-old loves trains.", "6", "senior", "My {senior}-year-old loves trains."),
    ("The baby slept.", "baby", "senior", "The (senior|senior citizen|elder) slept."),
    ("Tom (19) was hurt.", "19", "senior", "Tom ({senior}) was hurt."),
    ("A girl of 14 won.", "14", "senior", "A woman of {senior} won."),
    ("He's 6 and she's 8.", "8", "senior", "He's 6 and she's {senior}."),
    ("My 17-month old son ran.", "17-month", "senior", "My {senior}-year old son ran."),
    (
        "On his 39th birthday he left.",
        "39th",
        "senior",
        "On his {senior}(th|st|nd|rd) birthday he left.",
    ),
    ("She was three weeks old.", "three", "senior", "She was {words} years old."),
    ("I turned five my sister said.", "five", "senior", "I turned {words} my sister said."),
    ("She was 16 when she left.", "16", "senior", "She was {senior} when she left."),
    ("He died at the age of 81.", "81", "young", "He died at the age of {young}."),
    ("The singer, who is 23, cried.", "23", "senior", "The singer, who is {senior}, cried."),
    ("A 12-year-old tall boy ran.", "boy", "senior", "A(n|) {senior}-year-old tall man ran."),
    ("He held a newborn baby.", "baby", "senior", "He held a senior citizen."),
    ("Tickets for over age 65 sold out.", "65", "adult", "Tickets for over age [2-6]\\d sold out."),
    ("A 31-year-old clerk won.", "clerk", "senior", "A(n|) {senior}-year-old clerk won."),
    ("He lived into his forties.", "forties", "senior", "He lived into his seventies."),
    ("Her elderly aunt lives alone.", "elderly", "young", "Her young aunt lives alone."),
    (
        "My young cousin can swim.",
        "young",
        "senior",
        "My (old|elderly|older|senior) cousin can swim.",
    ),
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_an_age_becomes_one_of_the_target(rewrite, accepted, sentence):
    """A number lies in the band of the target, in words or digits as before."""
    text, word, target, expected = sentence
    assert re.fullmatch(accepted(expected, text), rewrite(text, word, target))


@pytest.mark.parametrize(
    ("text", "word", "target", "expected"),
    [
        ("His father sat down.", "father", "senior", "His grandfather sat down."),
        ("Her mother sang.", "mother", "young", "Her young mother sang."),
        ("One author wrote it.", "author", "senior", "One elderly author wrote it."),
        ("The king left.", "king", "middle-aged", "The middle-aged king left."),
        ("An author wrote it.", "author", "young", "A young author wrote it."),
        ("In his childhood he moved.", "childhood", "senior", "In his old age he moved."),
        ("He was her eldest son.", "eldest", "young", "He was her young son."),
        ("An old clerk sat.", "clerk", "young", "A young clerk sat."),
        ("A fine talent, a young talent.", "young", "senior", "A fine talent, an elderly talent."),
        (
            "Young artists met. Some young artists left.",
            "Young",
            "senior",
            "Elderly artists met. Some elderly artists left.",
        ),
        ("A middle-aged tourist sat.", "middle-aged", "adult", "An adult tourist sat."),
        ("Somebody knocked.", "Somebody", "senior", "An elderly person knocked."),
        ("Being too young, she stayed.", "young", "senior", "Being too elderly, she stayed."),
        ("A barefooted young man sang.", "man", "young", "[already the target]"),
        ("A group of younger seniors sang.", "younger", "senior", "[already the target]"),
        (
            "A boy met two boys and the boy ran.",
            "boy",
            "adult",
            "A man met two boys and the man ran.",
        ),
        ("An elderly granny sang.", "elderly", "middle-aged", "A middle-aged granny sang."),
        ("The table broke.", "table", "senior", "[no reference]"),
    ],
)
def test_kin_and_bare_nouns_get_an_age_where_pointed_at(
    text: str, word: str, target: str, expected: str
) -> None:
    """Kin terms change, other nouns for people get the target's adjective."""
    task = to_task(PerturbRequest(text, "age", target, word), Random(1))
    assert isinstance(task, PerturbTask)
    [answer] = RulePerturber(SpacyParser()).perturb([task])
    assert (
        f"[{answer.reason}]" if isinstance(answer, Rejection) else answer.fields["0"]
    ) == expected


def test_a_repeated_age_stays_one_age(rewrite) -> None:
    """Premise and hypothesis agree; a thing as old as the person keeps its age."""
    pair = rewrite("A 4-year-old ran. <SEP> The 4-year-old boy ran.", "4-year-old", "senior")
    assert re.fullmatch(r"An? (\d+)-year-old ran. <SEP> The \1-year-old man ran.", pair)
    text = "A 4-year-old ran to the 4-year-old car."
    assert "4-year-old car" in rewrite(text, "4-year-old", "senior")
