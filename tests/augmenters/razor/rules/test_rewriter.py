"""Offline rewriting, on sentences written for it."""

import random

import pytest

from augkit.augmenters.razor.rules.alternatives import categories
from augkit.augmenters.razor.rules.antonyms import (
    antonym_rewrites,
    antonym_table,
    complementary_antonyms,
)
from augkit.augmenters.razor.rules.captions import caption_paraphrases
from augkit.augmenters.razor.rules.contrasts import contrasts
from augkit.augmenters.razor.rules.negation import affirmative_of
from augkit.augmenters.razor.rules.paraphrases import paraphrases
from augkit.augmenters.razor.rules.rewriter import RewriteTask, rewrite
from augkit.language.morphology import inflect_verb
from augkit.language.parser import SpacyParser


def read(text):
    """The analysis of one text."""
    return SpacyParser().parse([text])[0]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The bridge is not a tunnel.", "The bridge is a tunnel."),
        ("Marta Olsen isn't a writer.", "Marta Olsen is a writer."),
        ("The band did not win an award.", "The band won an award."),
        ("The city does not have an airport.", "The city has an airport."),
        ("Marta Olsen never visited Athens.", "Marta Olsen visited Athens."),
        ("Marta Olsen is only a painter.", "Marta Olsen is a painter."),
        ("Marta Olsen has only ever been a painter.", "Marta Olsen has been a painter."),
    ],
)
def test_denials_can_be_taken_out(text, plain):
    """Tense and agreement follow the auxiliary that goes."""
    assert affirmative_of(read(text)).text == plain


@pytest.mark.parametrize("text", ["The bridge is long.", "The album is called Don't Look Back."])
def test_what_is_not_denied_stays(text):
    """A plain statement and a title with a denial in it have nothing to take out."""
    assert affirmative_of(read(text)) is None


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [("win", "VBN", "won"), ("be", "VBD", "was"), ("carry", "VBZ", "carries")],
)
def test_verbs_are_inflect_verb(lemma, tag, form):
    """Regular and irregular ones."""
    assert inflect_verb(lemma, tag) == form


def offered(text, context):
    """The texts that are false because of the context."""
    return {one.text for one in contrasts(read(text), context, SpacyParser(), random.Random(3))}


def test_what_is_false_stays_false_without_a_denial():
    """A refuted denial becomes the statement of something else."""
    found = offered("Nightfall is not a film.", "Nightfall is a 1957 film .")
    assert found
    assert all(" not " not in text for text in found)
    assert all("film" not in text or text.endswith("a film.") for text in found)


def test_alternatives_are_not_in_the_evidence():
    """What the other text holds is never put in the place of what it denies."""
    evidence = " ".join(
        f"It is a {word} ." for word in categories()["works"].inserted if word != "novel"
    )
    found = offered("Nightfall is not a film.", f"It is a film . {evidence}")
    assert found
    assert all("novel" in text for text in found)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The team did not win the cup.", "The team failed to win the cup."),
        ("Marta Olsen is only a painter.", "Marta Olsen is merely a painter."),
        ("The film was long.", "The movie was long."),
    ],
)
def test_other_wordings(text, other):
    """Negations, limits and synonyms of words to be avoided."""
    found = {one.text for one in paraphrases(read(text), ["film"], random.Random(1))}
    assert other in found


def opposed_texts(text):
    """The texts that opposites give."""
    return {one.text for one in antonym_rewrites(read(text))}


def test_a_contrary_is_no_antonym_of_a_negation():
    """What is not tall need not be short."""
    assert opposed_texts("The tower is not tall.") == set()


@pytest.mark.parametrize("label", ["entailment", "neutral"])
def test_only_false_texts_get_another_word(label):
    """Where the context contradicts nothing, it rules nothing out."""
    task = RewriteTask("Nightfall is not a film.", "It is a film .", label, [], random.Random(3))
    (found,) = rewrite([task], SpacyParser())
    assert not {one.how for one in found} & {"contrast with the truth", "other of its category"}


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Marta Olsen is not alive.", "Marta Olsen is dead."),
        ("The show isn't successful.", "The show is unsuccessful."),
        ("Chile is not a stable nation.", "Chile is an unstable nation."),
        ("The park does not include a zoo.", "The park excludes a zoo."),
        ("The city does not have an airport.", "The city lacks an airport."),
        ("Marta Olsen was not in Broken Bridges.", "Marta Olsen was absent from Broken Bridges."),
        ("The band has not won an award.", "The band has yet to win an award."),
    ],
)
def test_denials_become_opposites(text, other):
    """Exact opposites say the same, whatever the label."""
    assert other in opposed_texts(text)


def test_every_opposite_is_one_of_two():
    """No word is listed as its own opposite, and exact ones are opposites both ways."""
    for one, other in antonym_table().complementary:
        assert one != other
        assert other in complementary_antonyms(one)
        assert one in complementary_antonyms(other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("There is a man sleeping on a bench.", "A man is sleeping on a bench."),
        ("There are people playing in the park.", "People are playing in the park."),
        ("A man is sleeping on a bench.", "There is a man sleeping on a bench."),
        ("A man is sleeping on a bench.", "A man is asleep on a bench."),
        ("Two dogs are running.", "Two dogs run."),
        ("A man sleeps.", "A man is sleeping."),
        ("Two dogs are running outside.", "Two dogs are running outdoors."),
        ("Nobody is here.", "No one is here."),
        ("A person is outside.", "Someone is outside."),
        ("A dog is next to a car.", "A dog is beside a car."),
    ],
)
def test_the_same_scene_in_another_form(text, other):
    """The forms in which hypotheses come say the same."""
    assert other in {one.text for one in caption_paraphrases(read(text))}


@pytest.mark.parametrize(
    "text",
    [
        "There is no man sleeping.",
        "The man works.",
        "A man is going to sleep.",
        "A man owns a dog.",
    ],
)
def test_scenes_that_would_change_are_left(text):
    """A denial, a state, a plan and a particular man have no other form here."""
    assert not list(caption_paraphrases(read(text)))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Olsen was only paid by Lucas.", "Olsen was paid by Lucas alone."),
        ("Marta Olsen is only a painter.", "Marta Olsen is a painter and nothing else."),
        ("The film was only shown in Peru.", "The film was shown in Peru and nowhere else."),
        (
            "The film wasn't directed by Lucas.",
            "The film was directed by someone other than Lucas.",
        ),
        ("Olsen did not visit Peru.", "Olsen is wrongly said to have visited Peru."),
        ("Olsen is not a painter.", "Olsen is wrongly described as a painter."),
    ],
)
def test_limits_and_denials_in_other_words(text, other):
    """Equivalent wordings, so that no one of them becomes the next giveaway."""
    assert other in {one.text for one in paraphrases(read(text), [], random.Random(1))}


@pytest.mark.parametrize("text", ["", "?!", "这部电影非常好看。", "a \ud800 film", "x" * 3000])
def test_odd_texts_give_no_candidate_that_equals_them(text):
    """Whatever the text, a candidate differs from it."""
    (found,) = rewrite(
        [RewriteTask(text, "", "neutral", ["film"], random.Random(1))], SpacyParser()
    )
    assert all(one.text != text for one in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kern is only a town.", "Kern is a mere town."),
        ("Kern is only a town.", "Kern is a town and nothing more."),
        ("The film was only made by Olsen.", "The film was made by Olsen and nobody else."),
    ],
)
def test_limits_are_said_otherwise(text, expected):
    """In words that limit as much."""
    (found,) = rewrite([RewriteTask(text, "", None, [], random.Random(0))], SpacyParser())
    assert expected in {one.text for one in found}


@pytest.mark.parametrize("text", ["Rio's only sequel is a film.", "They met outside of Peru."])
def test_what_only_looks_like_an_adverb_is_left(text):
    """An adjective is no limit, and a preposition no place."""
    (found,) = rewrite([RewriteTask(text, "", None, [], random.Random(0))], SpacyParser())
    assert not any(word in one.text for one in found for word in ("solely", "outdoors"))
