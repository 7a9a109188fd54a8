"""Tags of tokens as spans, and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import augkit
from augkit.core.edits import LabelledSpan
from augkit.core.errors import DataError
from augkit.datasets.shapes.tags import entities, scheme_of, tags_of, token_places

TOKENS = ["Jane", "Austen", "saw", "a", "film", "in", "Bath", "."]
TAGS = ["B-PER", "I-PER", "O", "O", "O", "O", "B-LOC", "O"]
SCHEMES = {
    "BIO": ["B-X", "I-X", "B-X", "O", "B-Y"],
    "IOB1": ["I-X", "I-X", "B-X", "O", "I-Y"],
    "BIOES": ["B-X", "E-X", "S-X", "O", "S-Y"],
    "BILUO": ["B-X", "L-X", "U-X", "O", "U-Y"],
}


def augmented(tags, tokens=TOKENS, pairs=(("film", "motion picture"),), **columns):
    """Tokens and tags of the variant."""
    step = augkit.as_map(augkit.create("swap", pairs=pairs), span_columns=["ner_tags"], **columns)
    made = step({"tokens": [tokens], "ner_tags": [tags]})
    assert (made["tokens"][0], made["ner_tags"][0]) == (tokens, tags)
    return made["tokens"][1], made["ner_tags"][1]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_is_recognised_and_read_alike(scheme):
    """The same three entities, two of which stand side by side."""
    tags = SCHEMES[scheme]
    assert scheme_of([tags]) == scheme
    assert entities(tags) == [(0, 1, "X"), (2, 2, "X"), (4, 4, "Y")]


@pytest.mark.slow
@given(
    lengths=st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from("XY"))),
    scheme=st.sampled_from(list(SCHEMES)),
)
@settings(deadline=None)
def test_tags_come_back_from_spans(lengths, scheme):
    tokens: list[str] = []
    spans = []
    for outside, inside, label in lengths:
        tokens += ["w"] * outside
        start = len(tokens) * 2
        tokens += ["w"] * inside
        spans.append(LabelledSpan("text", start, len(tokens) * 2 - 1, label))
    places = token_places(" ".join(tokens))
    tags = list(tags_of(places, spans, scheme))
    found = [(places[first][0], places[last][1], label) for first, last, label in entities(tags)]
    assert found == [(one.start, one.end, one.label) for one in spans]


def test_tags_follow_inserted_tokens():
    tokens, tags = augmented(TAGS)
    assert tokens == ["Jane", "Austen", "saw", "a", "motion", "picture", "in", "Bath", "."]
    assert tags == ["B-PER", "I-PER", "O", "O", "O", "O", "O", "B-LOC", "O"]


def test_an_entity_that_grows_stays_one_entity():
    """Inside an entity the new token is inside, too."""
    tokens, tags = augmented(TAGS, pairs=[("Bath", "Bradford Abbas")])
    assert tokens[-3:] == ["Bradford", "Abbas", "."]
    assert tags[-3:] == ["B-LOC", "I-LOC", "O"]


def test_numbers_need_names_and_stay_numbers():
    """Numbers alone do not say which tag goes on with an entity."""
    numbers = [1, 2, 0, 0, 0, 0, 3, 0]
    with pytest.raises(DataError, match=r"has no name. Name the tags .* tag_names='O,B-PER"):
        augmented(numbers)
    _, tags = augmented(numbers, tag_names="O,B-PER,I-PER,B-LOC,I-LOC")
    assert tags == [1, 2, 0, 0, 0, 0, 0, 3, 0]


def test_numbers_need_a_name_for_every_tag_of_an_entity():
    """A second token may come, and has a tag of its own."""
    message = "have no number for I-PER.*tag_names='O,B-PER,B-LOC,I-PER,I-LOC'"
    with pytest.raises(DataError, match=message):
        augmented([1, 0, 0, 0, 0, 0, 2, 0], tag_names="O,B-PER,B-LOC")


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (TAGS[1:], r"row 1: column 'ner_tags': 7 tags for 8 tokens in 'tokens'.*drop it"),
        (["NOUN"] * 8, r"'NOUN' is not a tag of a BIO scheme"),
    ],
)
def test_tags_that_do_not_fit_are_an_error(tags, message):
    with pytest.raises(DataError, match=message):
        augmented(tags)


def test_tags_beside_a_text_ask_for_the_tokens():
    step = augkit.as_map(augkit.create("swap"), span_columns=["ner_tags"])
    with pytest.raises(DataError, match=r"text_column=TOKENS, span_columns=\['ner_tags'\]"):
        step({"text": ["A film ."], "ner_tags": [["O", "O", "O"]]})


def test_a_token_with_a_space_is_a_fault_of_its_row():
    """The row stays, without a variant; the others have theirs."""
    step = augkit.as_map(augkit.create("swap", pairs=[["film", "movie"]]))
    made = step({"tokens": [["New York", "film"], ["A", "film"]]})
    assert made["tokens"] == [["New York", "film"], ["A", "film"], ["A", "movie"]]
