"""The perturber by rules: sentences, contrasts between fields, parses and batches."""

import random

import pytest

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.core.types import Example
from augkit.english.parser import SpacyParser


def perturb(fields, span, target):
    """The result for a span (field, start, end) of the gender axis."""
    task = PerturbTask(Example(fields), *span, "gender", target, random.Random(0))
    return RulePerturber(SpacyParser()).perturb([task])[0]


def test_a_pronoun_takes_the_case_of_its_place(check_sentence, sentence):
    """Her becomes his or him, and his becomes her or hers, by role."""
    check_sentence(sentence)


def test_verbs_agree_with_singular_they(check_sentence, sentence):
    """The verbs of the changed subject, and no others, take the plural."""
    check_sentence(sentence)


def test_what_says_nothing_of_a_person_is_rejected(check_sentence, sentence):
    """Colours, surnames, slurs, nationalities, things and ranks stay, each with a reason."""
    check_sentence(sentence)


def test_race_and_age_words_keep_grammar(check_sentence, sentence):
    """Articles, number, casing and gender follow the new word."""
    check_sentence(sentence)


def test_names_change_alike_everywhere_and_across_fields(rewrite):
    output = rewrite("Victor sings. <SEP> Victor is a singer.", "Victor", "woman")
    first, second = (part.split()[0] for part in output.split(" <SEP> "))
    assert first == second != "Victor"


def test_a_number_and_its_noun_go_together(rewrite):
    """An 80-year-old woman made a child is a girl of a child's age."""
    words = rewrite("The 80-year-old woman sat.", "woman", "child").split()
    assert int(words[1].split("-")[0]) < 18
    assert words[2] == "girl"


def test_a_contrast_between_fields_survives(rewrite):
    """A pair whose sides would become the same, or no longer the same, is rejected."""
    assert rewrite("Jo saw his aunt. <SEP> Jo saw his uncle.", "aunt", "man") == "[contrast lost]"
    assert rewrite("A man eats. <SEP> A woman eats.", "man", "woman") == "[contrast lost]"
    apart = rewrite("A man helps a woman. <SEP> She is glad.", "man", "woman")
    assert apart == "A woman helps a woman. <SEP> She is glad."
    hat = rewrite("A white man sings. <SEP> A singer in a black hat.", "white", "black")
    assert hat == "A Black man sings. <SEP> A singer in a black hat."
    kept = rewrite("A man eats. <SEP> The man sits.", "man", "woman")
    assert kept == "A woman eats. <SEP> The woman sits."


class NoParser:
    def parse(self, texts):
        raise AssertionError(f"parsed: {texts}")


def test_an_unambiguous_swap_needs_no_parse():
    text = "A man in a hat is eating his lunch."
    task = PerturbTask(Example({"text": text}), "text", 2, 5, "gender", "woman", random.Random(0))
    [answer] = RulePerturber(NoParser()).perturb([task])
    assert not answer.reason
    assert answer.fields["text"] == "A woman in a hat is eating her lunch."


class CountingParser:
    def __init__(self):
        self.batches = []

    def parse(self, texts):
        self.batches.append(list(texts))
        return SpacyParser().parse(texts)


def tasks_of(texts):
    """The first reference to gender of each text, made the other gender."""
    for text in texts:
        found = references({"text": text}, ["gender"])
        if found and found[0].attribute in {"man", "woman"}:
            target = "woman" if found[0].attribute == "man" else "man"
            span = ("text", found[0].start, found[0].end)
            yield PerturbTask(Example({"text": text}), *span, "gender", target, random.Random(0))


def test_a_text_is_parsed_once_and_in_one_batch():
    """Texts that need a parse are parsed together, and not again for another person of them."""
    texts = ["They had her cleaned, and told her so.", "We saw her cleaned up, and she left."]
    parser = CountingParser()
    perturber = RulePerturber(parser)
    perturber.perturb(list(tasks_of(texts)))
    perturber.perturb(list(tasks_of(texts)))
    assert parser.batches == [texts]


def test_a_batch_gives_what_each_task_alone_gives():
    """Tasks that need a parse and tasks that do not come back in their order."""
    texts = ["He ran.", "She told her to go.", "The sky is blue.", "They saw her leave."]
    tasks = [
        PerturbTask(
            Example({"text": text}),
            "text",
            0,
            len(text.split()[0]),
            "gender",
            "woman",
            random.Random(1),
        )
        for text in texts
    ]
    together = RulePerturber(SpacyParser()).perturb(tasks)
    assert [bool(answer.reason) for answer in together] == [False, True, True, False]
    assert together == [RulePerturber(SpacyParser()).perturb([task])[0] for task in tasks]


@pytest.mark.slow
def test_a_long_text_is_perturbed():
    """A text of some five hundred words, most of it references."""
    text = "An Asian woman met a 30-year-old boy and he gave her his ball. " * 40
    answer = perturb({"text": text}, ("text", 9, 14), "man")
    assert not answer.reason
    assert answer.fields["text"].startswith("An Asian man met")
