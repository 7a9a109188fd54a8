"""Every kind of edit of a pair, by tables of what must and must not come out."""

from random import Random

import pytest

from augkit.augmenters.coba.pair_rules import change_both, transitions
from augkit.core.edits import apply
from augkit.english.inference.contradict import (
    affirm_hypothesis,
    contradict_hypothesis,
    contradict_premise,
    negate_hypothesis,
)
from augkit.english.inference.entail import entail_hypothesis, entail_premise
from augkit.english.inference.neutral import neutralise_hypothesis, neutralise_premise
from augkit.english.inference.parsed_pair import ParsedPair
from augkit.english.parser import SpacyParser

DRAWS = range(12)


def parsed(premise: str, hypothesis: str) -> ParsedPair:
    first, second = SpacyParser().parse([premise, hypothesis])
    return ParsedPair("premise", "hypothesis", first, second)


def texts(pair: ParsedPair, changes) -> set[tuple[str, str]]:
    fields = {"premise": pair.premise.text, "hypothesis": pair.hypothesis.text}
    return {tuple(apply(fields, change.edits).values()) for change in changes}


def made(pair: ParsedPair, *steps) -> set[tuple[str, str]]:
    """All pairs that the steps make, over several draws."""
    return {
        text for seed in DRAWS for step in steps for text in texts(pair, step(pair, Random(seed)))
    }


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        (
            "A woman in a red dress sings.",
            "A woman is wearing a dress.",
            "A man is wearing a dress.",
        ),
        ("Two dogs run in the park.", "Two dogs are outside.", "Two dogs are indoors."),
        ("A boy throws a ball.", "A boy is throwing a ball.", "A boy is dropping a ball."),
        ("An old man sits on a bench.", "An old man sits.", "A young man sits."),
    ],
)
def test_a_hypothesis_is_denied_by_a_word_that_the_premise_excludes(premise, hypothesis, expected):
    """A said word gives way to one that excludes it, in its form and with its article."""
    found = {h for _, h in made(parsed(premise, hypothesis), contradict_hypothesis)}
    assert expected in found


def test_nothing_is_denied_that_the_premise_says_as_well():
    pair = parsed("A man and a woman walk a dog.", "A woman walks a dog.")
    assert not any(h.startswith("A man") for _, h in made(pair, contradict_hypothesis))


def test_a_premise_is_changed_only_where_one_word_alone_supports_the_hypothesis():
    """Two women in the premise: changing one of them would not contradict."""
    one = parsed("A woman rides a horse.", "A woman rides an animal.")
    two = parsed("A woman watches a woman ride a horse.", "A woman rides an animal.")
    assert ("A man rides a horse.", "A woman rides an animal.") in made(one, contradict_premise)
    assert not any("man watches" in p for p, _ in made(two, contradict_premise) if "wo" not in p)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        (
            "A boy plays with two black dogs.",
            "A boy plays with two cats.",
            "A boy plays with two dogs.",
        ),
        ("A girl smiles with a flower.", "A small girl smiles.", "A girl smiles."),
        (
            "A woman is holding a bird in a tree.",
            "The woman is skydiving.",
            "The woman is holding a bird.",
        ),
        ("Two men walking on a beach.", "A woman cooks.", "Two men are outside."),
        ("A dog runs.", "A cat sleeps at home.", "There is a dog."),
    ],
)
def test_a_hypothesis_is_rewritten_from_the_premise(premise, hypothesis, expected):
    """What the premise excludes or does not say is replaced by what it says."""
    found = {h for _, h in made(parsed(premise, hypothesis), entail_hypothesis)}
    assert any(h in {expected, expected.replace("outside", "outdoors")} for h in found), found


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("A boy plays with two dogs.", "A boy plays with two cats.", "A boy plays with two cats."),
        (
            "A man wears a green headband.",
            "A man wears a bright headband.",
            "A man wears a bright green headband.",
        ),
        ("A person surfs.", "A person is doing a trick.", "A person is doing a trick."),
    ],
)
def test_a_premise_is_given_what_the_hypothesis_says(premise, hypothesis, expected):
    """The hypothesis' own word, description or predicate goes into the premise."""
    pair = parsed(premise, hypothesis)
    assert expected in {p for p, _ in texts(pair, entail_premise(pair))}


def test_a_loosened_hypothesis_says_more_and_only_adds_or_narrows():
    """Towards neutral the old words stay, but for a noun that is narrowed."""
    pair = parsed("A man is sitting on a bench.", "A man is sitting.")
    for _, hypothesis in made(pair, neutralise_hypothesis):
        assert hypothesis.endswith("is sitting.") or hypothesis.startswith("A man is sitting ")


def test_a_loosened_premise_no_longer_says_what_supports_the_hypothesis():
    """A described thing loses its description, a named one becomes a kind."""
    pair = parsed("A young woman walks a dog.", "A young woman walks.")
    found = {p for p, _ in texts(pair, neutralise_premise(pair, "stated"))}
    assert "A woman walks a dog." in found
    assert any(p.startswith("A young person") for p in found)


def test_both_texts_change_alike_or_not_at_all():
    """The label-keeping change puts one new word into both texts."""
    pair = parsed("A woman pets a dog.", "A woman touches a dog.")
    found = made(pair, change_both)
    assert ("A man pets a dog.", "A man touches a dog.") in found
    for premise, hypothesis in found:
        assert premise.replace("pets", "touches") == hypothesis


@pytest.mark.parametrize(
    ("affirmed", "denial"),
    [
        ("The man is asleep.", "The man is not asleep."),
        ("The man rides a horse.", "The man does not ride a horse."),
        ("The men rode home.", "The men did not ride home."),
    ],
)
def test_negating_and_affirming_undo_one_another(affirmed, denial):
    there = parsed("A man is here.", affirmed)
    assert {h for _, h in texts(there, negate_hypothesis(there))} == {denial}
    back = parsed("A man is here.", denial)
    assert {h for _, h in texts(back, affirm_hypothesis(back))} == {affirmed}


def test_a_pair_that_denies_something_is_left_alone_but_for_its_negation():
    """Links between words say nothing where one text denies, so only the negation may go."""
    pair = parsed("A man sleeps.", "Nobody is awake.")
    assert transitions(pair, "entailment", "neutral", Random(0)) == []
    assert transitions(pair, "entailment", "contradiction", Random(0)) == []


@pytest.mark.parametrize(
    ("premise", "hypothesis", "unwanted"),
    [
        ("A man walks his dog.", "A man walks his dog.", "A woman walks his dog."),
        ("A talent show is on.", "There is a talent show.", "There is a talent wedding."),
        ("Two men talk to people.", "Two men talk to people.", "Two men sleep to people."),
        ("People sit outside under a tree.", "People sit outside under a tree.", "inside under"),
        ("A bearded man sits.", "A bearded man sits.", "A bearded woman sits."),
        ("Two men walk down a street.", "Two men walk down a street.", "down a beach"),
    ],
)
def test_a_word_stays_that_others_depend_on(premise, hypothesis, unwanted):
    """A pronoun, a compound, a preposition or a modifier would not fit another word."""
    pair = parsed(premise, hypothesis)
    found = made(pair, contradict_hypothesis) | made(pair, change_both)
    assert not any(unwanted in text for texts in found for text in texts)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "wanted", "unwanted"),
    [
        (
            "A woman stands on top of a car.",
            "A woman sleeps.",
            "A woman stands on top of a car",
            "A woman stands on top",
        ),
        (
            "A bunch of kids play.",
            "Dogs sleep.",
            "There is a bunch of kids",
            "There is a bunch",
        ),
        (
            "A man and a woman are sleeping.",
            "Dogs run.",
            "There is a man",
            "A man are sleeping",
        ),
    ],
)
def test_what_is_restated_is_whole_and_agrees(premise, hypothesis, wanted, unwanted):
    """What something is of stays with it, and the verb agrees with the nouns that are written."""
    found = {h.rstrip(".") for _, h in made(parsed(premise, hypothesis), entail_hypothesis)}
    assert wanted in found
    assert unwanted not in found


def test_only_persons_get_reasons_and_company():
    """A dog may do something on a Sunday, and not to impress a friend."""
    pair = parsed("A dog is chasing a ball.", "A dog is chasing a ball.")
    found = {h for _, h in made(pair, neutralise_hypothesis)}
    assert any(time in h for h in found for time in ("Sunday", "lunch", "July", "morning"))
    assert not any("impress" in h or "with" in h for h in found)
