"""Cues that a user names: where they are, and that they go as a whole."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.english.parser import SpacyParser
from augkit.english.rewriting.candidates import PROMISES
from augkit.english.rewriting.cues import cue_targets, loses_cues
from augkit.english.rewriting.rewrite import Search
from augkit.text.tokens import words


def without(text, *cues, allowed=PROMISES):
    """The texts that have lost their cues."""
    (analysis,) = SpacyParser().parse([text])
    search = Search(analysis, cue_targets(text, cues), frozenset(allowed), Random(0))
    return [
        version.text
        for version in search.versions_without()
        if loses_cues(text, version.text, cues)
    ]


@pytest.mark.parametrize(
    ("text", "cue", "rewritten"),
    [
        ("To be honest, the soup was cold.", "to be honest", "The soup was cold."),
        ("The film, honestly, is dull.", "honestly", "The film is dull."),
        ("The hero, Dorian Vale, is weak.", "Dorian Vale", "The hero is weak."),
        ("ok so the soup was cold .", "ok so", "the soup was cold ."),
        ("we sat on a sofa on a tuesday .", "on a tuesday", "we sat on a sofa ."),
        ("The waiter was definitely kind!", "definitely", "The waiter was kind!"),
        ("The waiter was kind!", "!", "The waiter was kind."),
        ("The waiter was kind. -- Marta", "-- Marta", "The waiter was kind."),
        ("it was not good -- marta .", "-- marta", "it was not good ."),
        ("The waiter was kind! #monday", "#monday", "The waiter was kind!"),
    ],
)
def test_a_cue_is_cut_and_nothing_else(text, cue, rewritten):
    """The first candidate is the text without the words of the cue and their commas."""
    first, *_ = without(text, cue)
    assert first == rewritten


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("the staff was kind .", "the staff"),  # a subject
        ("thank you to the staff for all .", "the staff"),  # "to" announces it
        ("it was not good .", "not"),
        ("it was not really good .", "really"),
        ("he came from the airport , not on a bus .", "on a bus"),
    ],
)
def test_a_cue_that_its_sentence_needs_stays(text, cue):
    """No candidate leaves a torn sentence, or another meaning."""
    assert not without(text, cue)


def test_no_part_of_a_phrase_is_exchanged():
    """A phrase of which a part is replaced is still half there; a name may go for another."""
    assert not loses_cues("he left on a tuesday", "he left on a monday", ["on a tuesday"])
    assert loses_cues("Dorian Vale is dull", "Mike Griffin is dull", ["dorian vale"])
    assert loses_cues("so on a tuesday I sat on a sofa", "so I sat on a sofa", ["on a tuesday"])


def test_what_bends_the_parse_is_cut_for_a_second_one():
    """The first parse may hang the sentence on an inserted cue; arguments and "just as" stay."""
    for text, cue, cut in (
        ("On opening night nobody looked at a phone.", "on opening night", True),
        ("Watching Dorian Vale read aloud is dull.", "dorian vale", False),
        ("this is just as good .", "just", False),
    ):
        (analysis,) = SpacyParser().parse([text])
        search = Search(analysis, cue_targets(text, [cue]), frozenset(PROMISES), Random(0))
        assert bool(list(search.bare_versions())) == cut


def test_several_cues_go_together():
    """A text with two cues loses both, or it has no candidate."""
    text = "To be honest, the soup was definitely cold."
    assert without(text, "to be honest", "definitely")[0] == "The soup was cold."
    assert not without(text, "to be honest", "the soup")


def test_of_a_false_text_only_a_comment_is_cut():
    """Less said may turn what is false into what is true; a comment says nothing of the matter."""
    same = frozenset({"same"})
    assert without("Olsen was, frankly, born in Oslo.", "frankly", allowed=same)
    assert not without("Olsen was born in Oslo in 1990.", "in 1990", allowed=same)


@given(st.text(alphabet="ab c,!-'", max_size=12), st.sampled_from(["a", "a b", "ab", "b , a", "c"]))
def test_the_places_of_a_phrase_are_those_of_its_words(text, cue):
    """A part of a longer word is no place; the slow way compares the words one by one."""
    spans = [span for target in cue_targets(text, [cue]) for span in target.spans]
    for start, end in spans:
        assert "".join(text[start:end].split()) == "".join(cue.split())
    if len(words(cue)) == 1:
        assert len(spans) == words(text).count(cue)
