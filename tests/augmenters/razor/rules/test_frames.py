"""Statements said to be so or not, and contraries denied, on sentences written for it."""

import random
import re

import pytest

from augkit.augmenters.razor.rules.frames import frame_as_false, frame_as_true, truth_frames
from augkit.augmenters.razor.rules.litotes import litotes
from augkit.augmenters.razor.rules.paired_text import PairedText
from augkit.augmenters.razor.rules.rewriter import RewriteTask, rewrite
from augkit.augmenters.relations import relation_of
from augkit.language.parser import SpacyParser

DENIAL = re.compile(r"\b(?:not|never|no)\b|n't\b")


def pair(text, context="", label="SUPPORTS"):
    """A text beside another."""
    return PairedText(SpacyParser().parse([text])[0], context, relation_of(label))


def in_frames(text, context="", label="REFUTES"):
    """The framed texts of many draws."""
    read = pair(text, context, label)
    rngs = [random.Random(seed) for seed in range(40)]
    framed = frame_as_true if label == "SUPPORTS" else frame_as_false
    return {one.text for rng in rngs for one in framed(read, rng)}


def denied_contraries(text, context=""):
    """What follows from a true text."""
    read = pair(text, context)
    rngs = [random.Random(seed) for seed in range(20)]
    return {one.text for rng in rngs for one in litotes(read, rng)}


def test_every_word_of_a_frame_is_listed():
    """Each name in braces is that of a list, and each frame holds the statement once."""
    known = truth_frames()
    for frame in (*known.true, *known.false):
        names = re.findall(r"\{(\w+)\}", frame)
        assert names.count("s") == 1
        assert all(known.words[name] for name in names if name != "s")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The band did not win an award.", "the band won an award"),
        ("Olsen is incapable of acting in plays.", "Olsen acts in plays"),
        ("Olsen is only a cook.", "Olsen is anything other than a cook"),
        ("The film was only shown in Peru.", "the film was shown anywhere but in Peru"),
        ("The film was directed only by Marta Olsen.", "directed by anyone but Marta Olsen"),
        ("The band has only won two awards.", "the band has won more than two awards"),
    ],
)
def test_a_denial_becomes_a_verdict(text, plain):
    """What a false text denies, or all else than what it leaves, is said to be false."""
    found = in_frames(text)
    assert any(plain in one for one in found)
    assert not any(DENIAL.search(one) or "only" in one for one in found)


def test_no_frame_of_a_denial_affirms_it():
    """Every frame for what is denied has a word that says it is not so."""
    known = truth_frames()
    against = {"verdict", "fault", "falsely", "refuted"}
    for frame in known.false:
        names = set(re.findall(r"\{(\w+)\}", frame))
        assert names & against or "wrong" in frame or "mistaken" in frame


def test_a_true_text_is_said_to_hold():
    """A true text keeps its words; some frames hold a denial and none denies it."""
    found = in_frames("Marta Olsen won an award.", label="SUPPORTS")
    assert all("Marta Olsen won an award" in one for one in found)
    assert any(DENIAL.search(one) for one in found)
    assert "There is no doubt that Marta Olsen won an award." in found


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Marta Olsen won an award.", "REFUTES"),
        ("Marta Olsen won an award.", "neutral"),
        ("Olsen refused to act.", "neutral"),
        ("Olsen is a man who did not win.", "REFUTES"),
        ("Is Olsen not a cook?", "REFUTES"),
        ("", "SUPPORTS"),
    ],
)
def test_what_has_no_frame(text, label):
    """No denial, a rejection of unknown label, a clause within, a question, nothing at all."""
    assert not in_frames(text, label=label)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("The band did not win.", "the band won"),
        ("In 1994 Olsen did not win.", "in 1994 Olsen won"),
        ("The Wall is not a novel.", "The Wall is a novel"),
    ],
)
def test_capitals_inside_a_frame(text, inside):
    """Only what may be a title keeps its capital."""
    assert any(f"that {inside}" in one for one in in_frames(text))


@pytest.mark.parametrize(
    ("text", "context", "other"),
    [
        ("Olsen was born in Canada.", "", "Olsen was not born outside Canada."),
        ("Oslo is in Norway.", "", "Oslo is not anywhere but in Norway."),
        ("The firm was founded in 1994.", "", "The firm was not founded in any year but 1994."),
        (
            "Nightfall was directed by Marta Olsen.",
            "Nightfall is a film directed by Marta Olsen .",
            "Nightfall was not directed by anyone but Marta Olsen.",
        ),
        ("Nightfall is a film.", "A 1957 film .", "Nightfall is not anything other than a film."),
        ("Marta Olsen is a painter.", "", "Marta Olsen is not the only painter."),
        ("Marta Olsen is a painter.", "", "Marta Olsen is not wrongly called a painter."),
        ("Olsen starred in Nightfall.", "", "Olsen did not refuse to star in Nightfall."),
        ("Oslo is one of the largest ports.", "", "Oslo is only one of the largest ports."),
        (
            "Olsen is an actor and a director.",
            "",
            "Olsen is not only an actor but also a director.",
        ),
    ],
)
def test_contraries_are_denied(text, context, other):
    """What is so is not otherwise."""
    assert other in denied_contraries(text, context)


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("Olsen was in Slipknot.", ""),
        ("The fair took place in 1994.", ""),
        ("Nightfall was directed by Marta Olsen.", "directed by Marta Olsen and Ada Lund ."),
        ("Olsen was not born in Canada.", ""),
        ("Marta Olsen is a person.", ""),
    ],
)
def test_what_need_not_be_alone_is_left(text, context):
    """A band among others, years of which there are more, a second director, a denial."""
    assert not denied_contraries(text, context)


def test_the_place_of_another_is_left():
    """As the band was formed in London, not the album."""
    found = denied_contraries("Nightfall is an album of a band which was formed in London.")
    assert not any("outside" in one or "anywhere" in one for one in found)


@pytest.mark.parametrize("negation", ["remove", "insert", "frame"])
def test_true_texts_are_framed_if_asked(negation):
    """Asked for it, a true text is said to hold; else it is not framed."""
    text, evidence = "Olsen visited Peru.", "In 1994 Olsen was in Peru ."
    job = RewriteTask(text, evidence, "SUPPORTS", [], random.Random(1), negation)
    (found,) = rewrite([job], SpacyParser())
    assert any("Olsen visited Peru" in one.text for one in found) == (negation == "frame")


@pytest.mark.parametrize("negation", ["remove", "insert"])
def test_denials_enter_true_texts_if_asked(negation):
    """By default neither denial nor limit is brought into a true text; a date may be a bound."""
    text, evidence = "The film was released in 1994.", "It is a film of 1994 ."
    (found,) = rewrite(
        [RewriteTask(text, evidence, "SUPPORTS", [], random.Random(1), negation)], SpacyParser()
    )
    texts = [one.text for one in found]
    assert "The film was released before 1998." in texts
    for word in (" not ", " only "):
        assert any(word in one for one in texts) == (negation == "insert")


def test_denials_of_false_texts_are_framed_if_asked():
    """By default a denial is not said to be false: it is taken out otherwise."""
    text, evidence = "Olsen did not visit Peru.", "In 1994 Olsen visited Peru ."
    (out,) = rewrite([RewriteTask(text, evidence, "REFUTES", [], random.Random(1))], SpacyParser())
    (across,) = rewrite(
        [RewriteTask(text, evidence, "REFUTES", [], random.Random(1), "insert")], SpacyParser()
    )
    assert "framed as false" in {one.how for one in across} - {one.how for one in out}
    assert "implicit negation" in {one.how for one in out}
