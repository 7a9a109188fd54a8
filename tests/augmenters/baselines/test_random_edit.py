import random
import re

from augkit.augmenters.baselines.random_edit import (
    fit_corpus_words,
    matched_control,
)
from augkit.augmenters.create import create
from augkit.core.edits import apply
from augkit.core.types import Variant, example

CORPUS = [
    example(text, "a", occurrence=number)
    for number, text in enumerate(
        [
            "The warm story of a man with his dog was slowly told in London.",
            "The cold novel of a woman with her cat was badly shown in Paris.",
            "We saw a bright picture by Anna on the screen, and it moved us.",
            "They saw a long drama by Boris at the cinema, but it bored them.",
            "Nothing in this film surprised me, yet nothing bored me either.",
        ]
        * 3
    )
]
VOCABULARY = fit_corpus_words(CORPUS)
GENDER = [["he", "she"], ["his", "her"], ["man", "woman"]]


def test_words_are_replaced_by_words_of_their_kind():
    """Prepositions by prepositions, names by names, adverbs in -ly by such, open words by open."""
    edit = create("random-edit", copies=200).fit(CORPUS)
    (text,) = (row.fields["text"] for row in CORPUS[:1])
    found = {}
    for pair in edit([CORPUS[0]]):
        (change,) = pair.provenance.edits
        assert text[change.start : change.end] == change.before
        found.setdefault(change.before, set()).add(change.after)
    assert found["in"] <= {"on", "at", "by", "of", "with"}
    assert found["London"] <= {"Paris", "Anna", "Boris"}
    assert found["slowly"] == {"badly"}
    assert "his" not in found  # somebody would be a man here and a woman there
    assert "story" in found
    assert not found["story"] & {"the", "london", "slowly", "with"}


def test_the_frequency_is_about_that_of_the_word():
    """A replacement has a count within a factor of two, where the kind has such words."""
    rare = [f"rare{letter}" for letter in "abcdef"]
    common = [f"common{letter}" for letter in "abcdef"]
    rows = [example(" ".join(rare + common * 40))]
    edit = create("random-edit", copies=30).fit(rows)
    for pair in edit([example("rarea commonb")]):
        (change,) = pair.provenance.edits
        assert change.after[:4] == change.before[:4]


def test_as_many_words_change_as_asked():
    """``words`` is exact; a text with fewer words is refused with both numbers."""
    edit = create("random-edit", words=3).fit(CORPUS)
    for pair in edit(CORPUS):
        assert len(pair.provenance.edits) == 3
        assert pair.variant.label == "a"
    (rejection,) = edit.outcomes([example("bright picture")])
    assert rejection.reason == "too few words"
    assert re.findall(r"\d", rejection.detail) == ["2", "3"]


def pairs_of(rows, **settings):
    return list(create("swap", **settings)(rows))


def control(pair, vocabulary=VOCABULARY, seed=0):
    return matched_control(pair, vocabulary, random.Random(seed))


def test_a_control_edits_as_many_words_as_the_pair():
    """One edited word for one, two for two; the texts are the edits applied."""
    for pair in pairs_of(CORPUS, pairs=GENDER):
        made = control(pair)
        assert len(made.provenance.edits) == len(pair.provenance.edits)
        assert made.original == pair.original
        assert made.variant.label == pair.original.label
        assert apply(made.original.fields, made.provenance.edits) == dict(made.variant.fields)
        assert made.provenance.method == "random-edit"


def test_a_control_never_touches_reserved_words():
    reserved = VOCABULARY.without(word for pair in GENDER for word in pair)
    for pair in pairs_of(CORPUS, pairs=GENDER):
        for seed in range(20):
            for edit in control(pair, reserved, seed).provenance.edits:
                assert {edit.before.lower(), edit.after.lower()}.isdisjoint(reserved.reserved)


def test_a_control_prefers_words_like_the_edited_ones():
    """For a possessive a function word changes, for a noun an open word."""
    reserved = VOCABULARY.without(["his", "her", "man", "woman"])
    (closed,) = pairs_of(CORPUS[:1], pairs=[["his", "her"]])
    (opened,) = pairs_of(CORPUS[:1], pairs=[["man", "woman"]])
    for seed in range(20):
        (edit,) = control(closed, reserved, seed).provenance.edits
        assert not reserved.is_open(edit.before)
        (edit,) = control(opened, reserved, seed).provenance.edits
        assert reserved.is_open(edit.before)


def test_a_control_stays_in_the_field_that_was_edited():
    row = example({"premise": "The story was told.", "hypothesis": "A man saw the long film."})
    (pair,) = pairs_of([row], pairs=GENDER)
    assert {edit.field for edit in pair.provenance.edits} == {"hypothesis"}
    for seed in range(10):
        assert {edit.field for edit in control(pair, seed=seed).provenance.edits} == {"hypothesis"}


def test_a_text_without_other_words_has_no_control():
    (pair,) = pairs_of([example("Man!")], pairs=GENDER)
    rejection = control(pair, VOCABULARY.without(["man", "woman"]))
    assert isinstance(rejection, Variant)
    assert rejection.reason == "too few words"


def test_long_edits_count_their_words():
    """An edit of several words counts those that differ, not those it repeats."""
    row = example("We saw a long drama by Boris at the cinema with a warm story")
    (pair,) = pairs_of([row], pairs=[["long drama", "long and cold novel"]])
    assert len(control(pair).provenance.edits) == 3


def test_names_are_words_with_a_capital_inside_sentences():
    """The first word of a sentence is no name for that; a name at the start is still one."""
    assert VOCABULARY.names == {"london", "paris", "anna", "boris"}
    assert VOCABULARY.kind("Boris") == VOCABULARY.kind("paris") == "latin name"


def test_alphabets_do_not_mix():
    rows = [example("film drama novel"), example("фильм драма роман")]
    edit = create("random-edit", copies=20).fit(rows)
    for pair in edit(rows):
        (change,) = pair.provenance.edits
        assert change.before.isascii() == change.after.isascii()
