import random

import pytest

from augkit.augmenters.panda.jobs import Job, Perturbed, Refused
from augkit.augmenters.panda.rules import Rules, perturb, perturb_scene
from augkit.augmenters.panda.sampling import references
from augkit.augmenters.panda.scene import NeedsAnalysis, Scene
from augkit.language.parser import SpacyParser
from augkit.text.diff import apply


@pytest.mark.parametrize(
    ("text", "word", "target", "expected"),
    [
        ("I gave her book back.", "her", "man", "I gave his book back."),
        ("They made her captain.", "her", "man", "They made him captain."),
        ("We heard her sing.", "her", "man", "We heard him sing."),
        ("A friend of his told me.", "his", "woman", "A friend of hers told me."),
        ("His is the blue one.", "His", "woman", "Hers is the blue one."),
        ("The tea beside her was cold.", "her", "man", "The tea beside him was cold."),
        (
            "The screen behind her displays a film.",
            "her",
            "man",
            "The screen behind him displays a film.",
        ),
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
        ("The Chinese chef left.", "Chinese", "black", "no reference"),
        ("I lost my keys.", "I", "woman", "no reference"),
        ("The ship lost her mast.", "her", "man", "not a person"),
        ("She sat down.", "She", "woman", "already the target"),
        ("An old house burned.", "old", "young", "not a person"),
        ("Their child is forty.", "child", "senior", "not a person"),
        ("The nurse left.", "nurse", "man", "no reference"),
    ],
)
def test_what_says_nothing_of_a_person_is_refused(rewrite, text, word, target, reason):
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
    """A pair whose sides would become the same, or no longer the same, is refused."""
    assert rewrite("Jo saw his aunt. <SEP> Jo saw his uncle.", "aunt", "man") == "[contrast lost]"
    assert rewrite("A man eats. <SEP> A woman eats.", "man", "woman") == "[contrast lost]"
    assert rewrite("A man cooks. <SEP> She cooks.", "man", "woman") == "[contrast lost]"
    assert rewrite("A man cooks. <SEP> Anna cooks.", "man", "woman") == "[contrast lost]"
    apart = rewrite("A man helps a woman. <SEP> She is glad.", "man", "woman")
    assert apart == "A woman helps a woman. <SEP> She is glad."
    hat = rewrite("A white man sings. <SEP> A singer in a black hat.", "white", "black")
    assert hat == "A Black man sings. <SEP> A singer in a black hat."
    kept = rewrite("A man eats. <SEP> The man sits.", "man", "woman")
    assert kept == "A woman eats. <SEP> The woman sits."


def test_edits_lead_to_the_output_and_say_what_they_are_about():
    """Applying the edits to the fields gives the fields of the answer."""
    fields = {"a": "A man lost his hat.", "b": "He is sad."}
    answer = perturb(fields, ("a", 2, 5), "gender", "woman")
    assert isinstance(answer, Perturbed)
    assert apply(fields, answer.edits) == answer.fields
    assert answer.about == {"axis": "gender", "source": "man", "target": "woman", "word": "man"}


def test_an_unambiguous_swap_needs_no_parse():
    """Words that settle everything are rewritten without an analysis."""
    text = "A man in a hat is eating his lunch."
    job = Job({"text": text}, "text", 2, 5, "gender", "woman", random.Random(0))
    answer = perturb_scene(Scene(job.fields, "gender"), job)
    assert isinstance(answer, Perturbed)
    assert answer.fields["text"] == "A woman in a hat is eating her lunch."


def test_without_a_parse_the_answer_is_that_of_the_full_analysis(data_folder):
    """On real text the fast path gives what parse and coreference give, parse errors aside."""
    import gzip
    import json

    with gzip.open(data_folder / "snli" / "dev.jsonl.gz", "rt") as file:
        texts = [json.loads(line)["text_a"] for _, line in zip(range(1200), file, strict=False)]
    fast = []
    for text in dict.fromkeys(texts):
        found = references({"text": text}, ["gender"])
        if found and found[0].attribute in {"man", "woman"}:
            target = "woman" if found[0].attribute == "man" else "man"
            place = ("text", found[0].start, found[0].end)
            job = Job({"text": text}, *place, "gender", target, random.Random(0))
            try:
                fast.append((job, perturb_scene(Scene(job.fields, "gender"), job)))
            except NeedsAnalysis:
                continue
    analyses = SpacyParser().parse([job.fields["text"] for job, _ in fast])
    equal = thorough = 0
    for (job, answer), analysis in zip(fast, analyses, strict=True):
        equal += perturb_scene(Scene(job.fields, "gender", analysis), job) == answer
        scene = Scene(job.fields, "gender", analysis)
        scene.thorough = True
        thorough += perturb_scene(scene, job) == answer
    assert len(fast) > 100
    assert equal == len(fast)
    assert thorough >= 0.98 * len(fast)


def test_a_batch_gives_what_each_job_alone_gives():
    """Jobs that need a parse and jobs that do not come back in their order."""
    texts = ["He ran.", "She told her to go.", "The sky is blue.", "They saw her leave."]
    jobs = [
        Job({"text": text}, "text", 0, len(text.split()[0]), "gender", "woman", random.Random(1))
        for text in texts
    ]
    together = Rules().perturb(jobs)
    assert [type(answer) for answer in together] == [Perturbed, Refused, Refused, Refused]
    assert together == [Rules().perturb([job])[0] for job in jobs]


@pytest.mark.parametrize(
    "text", ["he", "HE!", "he\u0301", "\u202ehe\u202c", "<b>he</b>", "😀 he 😀"]
)
def test_odd_texts_are_answered(text):
    """Markup, marks, direction signs and emoji give a rewrite or a rejection."""
    start = text.lower().index("he")
    assert isinstance(perturb(text, (start, start + 2), "gender", "woman"), Perturbed | Refused)


def test_a_long_text_is_answered():
    """A text of some ten thousand words, most of it references, comes back in seconds."""
    text = "An Asian woman met a 30-year-old boy and he gave her his ball. " * 800
    answer = perturb(text, (9, 14), "gender", "man")
    assert isinstance(answer, Perturbed)
    assert answer.fields["text"].startswith("An Asian man met")
