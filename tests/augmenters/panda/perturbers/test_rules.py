import gzip
import json
import random

import pytest

from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.augmenters.panda.references import references
from augkit.core.edits import apply
from augkit.core.types import Example, Rejection
from augkit.english.parser import SpacyParser


def perturb(fields, span, target):
    """The result for a span (field, start, end) of the gender axis."""
    task = PerturbTask(Example(fields), *span, "gender", target, random.Random(0))
    return RulePerturber(SpacyParser()).perturb([task])[0]


@pytest.mark.parametrize(
    ("text", "word", "target", "expected"),
    [
        ("They made her captain.", "her", "man", "They made him captain."),
        ("We heard her sing.", "her", "man", "We heard him sing."),
        ("A friend of his told me.", "his", "woman", "A friend of hers told me."),
        ("His is the blue one.", "His", "woman", "Hers is the blue one."),
        ("The tea beside her was cold.", "her", "man", "The tea beside him was cold."),
        ("She is trying her best.", "She", "man", "He is trying his best."),
    ],
)
def test_a_pronoun_takes_the_case_of_its_place(rewrite, text, word, target, expected):
    """Her becomes his or him, and his becomes her or hers, by role."""
    assert rewrite(text, word, target) == expected


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("He's eaten, hasn't he?", "He", "They've eaten, haven't they?"),
        ("She's been there and she's tired.", "She", "They've been there and they're tired."),
        ("Why doesn't she call?", "she", "Why don't they call?"),
        ("So does he.", "he", "So do they."),
        ("It was she who called.", "she", "It was they who called."),
        ("Here he comes.", "he", "Here they come."),
        ("She has a cat that eats fish.", "She", "They have a cat that eats fish."),
        ("When she sings, everyone claps.", "she", "When they sing, everyone claps."),
        ("She can swim and must rest.", "She", "They can swim and must rest."),
        ("HE WAS SORRY.", "HE", "THEY WERE SORRY."),
        ("he 's a good actor .", "he", "they 're a good actor ."),
    ],
)
def test_verbs_agree_with_singular_they(rewrite, text, word, expected):
    """The verbs of the changed subject, and no others, take the plural."""
    assert rewrite(text, word, "non-binary") == expected


def test_they_becomes_one_person_again(rewrite):
    """Verbs of a singular they go back to the singular."""
    text = "My neighbour says they have lost their cat."
    assert rewrite(text, "they", "woman") == "My neighbour says she has lost her cat."


def test_only_the_chosen_person_changes(rewrite):
    """Other people of the same gender keep their words."""
    text = "She told her sister that it was cold."
    assert rewrite(text, "sister", "man") == "She told her brother that it was cold."
    assert rewrite(text, "She", "man") == "He told his sister that it was cold."


def test_names_change_alike_everywhere_and_across_fields(rewrite):
    """A name becomes the same new name wherever it stands."""
    output = rewrite("Victor sings. <SEP> Victor is a singer.", "Victor", "woman")
    first, second = (part.split()[0] for part in output.split(" <SEP> "))
    assert first == second != "Victor"


@pytest.mark.parametrize(
    ("text", "word", "target", "reason"),
    [
        ("She wore a white shirt.", "white", "black", "not a person"),
        ("Dr. Black sat down.", "Black", "white", "not a person"),
        ("He called it white trash.", "white", "black", "fixed phrase"),
        ("I lost my keys.", "I", "woman", "no reference"),
        ("The ship lost her mast.", "her", "man", "not a person"),
        ("She sat down.", "She", "woman", "already the target"),
        ("An old house burned.", "old", "young", "not a person"),
        ("Their child is forty.", "child", "senior", "not a person"),
        ("The nurse left.", "nurse", "man", "no reference"),
    ],
)
def test_what_says_nothing_of_a_person_is_rejected(rewrite, text, word, target, reason):
    """Colours, surnames, slurs, nationalities, things and ranks stay, each with a reason."""
    assert rewrite(text, word, target) == f"[{reason}]"


@pytest.mark.parametrize(
    ("text", "word", "target", "expected"),
    [
        ("An Asian man sat.", "Asian", "black", "A Black man sat."),
        ("a white cop", "white", "asian", "an asian cop"),
        ("She is white.", "white", "asian", "She is Asian."),
        ("Latinas vote.", "Latinas", "white", "White women vote."),
        ("An elderly man fell.", "elderly", "adult", "A man fell."),
        ("Two teenagers ran.", "teenagers", "adult", "Two adults ran."),
        ("The old man sat.", "man", "child", "The boy sat."),
    ],
)
def test_race_and_age_words_keep_grammar(rewrite, text, word, target, expected):
    """Articles, number, casing and gender follow the new word."""
    assert rewrite(text, word, target) == expected


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


def test_edits_lead_to_the_output_and_say_what_they_are_about():
    """Applying the edits to the fields gives the fields of the answer."""
    fields = {"a": "A man lost his hat.", "b": "He is sad."}
    answer = perturb(fields, ("a", 2, 5), "woman")
    assert isinstance(answer, Perturbed)
    assert apply(fields, answer.edits) == answer.fields
    assert answer.about == {"axis": "gender", "source": "man", "target": "woman", "word": "man"}


class NoParser:
    """A parser that must not be used."""

    def parse(self, texts):
        """Fail where a text is parsed."""
        raise AssertionError(f"parsed: {texts}")


def test_an_unambiguous_swap_needs_no_parse():
    """Words that leave nothing open are rewritten without a parse."""
    text = "A man in a hat is eating his lunch."
    task = PerturbTask(Example({"text": text}), "text", 2, 5, "gender", "woman", random.Random(0))
    [answer] = RulePerturber(NoParser()).perturb([task])
    assert isinstance(answer, Perturbed)
    assert answer.fields["text"] == "A woman in a hat is eating her lunch."


class CountingParser:
    """Counts the batches and the texts that it parses."""

    def __init__(self):
        """Start with none."""
        self.batches = []

    def parse(self, texts):
        """Parse, and remember what."""
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


def snli_tasks(data_folder):
    """Tasks on 1,200 premises of SNLI."""
    with gzip.open(data_folder / "snli" / "dev.jsonl.gz", "rt") as file:
        texts = [json.loads(line)["text_a"] for _, line in zip(range(1200), file, strict=False)]
    return list(tasks_of(dict.fromkeys(texts)))


def test_a_batch_of_premises_gives_what_each_alone_gives(data_folder):
    """Texts parsed together, or one by one, are perturbed alike."""
    tasks = snli_tasks(data_folder)[:200]
    usual = RulePerturber(SpacyParser()).perturb(tasks)
    assert [RulePerturber(SpacyParser()).perturb([task])[0] for task in tasks] == usual


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
    assert [type(answer) for answer in together] == [Perturbed, Rejection, Rejection, Perturbed]
    assert together == [RulePerturber(SpacyParser()).perturb([task])[0] for task in tasks]


@pytest.mark.parametrize(
    "text", ["he", "HE!", "he\u0301", "\u202ehe\u202c", "<b>he</b>", "😀 he 😀"]
)
def test_odd_texts_are_perturbed_or_rejected(text):
    """Markup, marks, direction signs and emoji give a rewrite or a rejection."""
    start = text.lower().index("he")
    answer = perturb({"text": text}, ("text", start, start + 2), "woman")
    assert isinstance(answer, Perturbed | Rejection)


@pytest.mark.slow
def test_a_long_text_is_perturbed():
    """A text of some five thousand words, most of it references, comes back in seconds."""
    text = "An Asian woman met a 30-year-old boy and he gave her his ball. " * 400
    answer = perturb({"text": text}, ("text", 9, 14), "man")
    assert isinstance(answer, Perturbed)
    assert answer.fields["text"].startswith("An Asian man met")
