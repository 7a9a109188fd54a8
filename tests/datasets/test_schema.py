import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.core.errors import DataError
from augkit.datasets.schema import Schema

NAMES = ("negative", "positive")
FIELDS = {"text": "text"}


@pytest.mark.slow
@given(st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False), st.lists(st.integers())))
def test_labels_that_are_no_text_go_back_as_they_came(raw):
    """Reading and writing a number, a truth value or a list gives it back, type included."""
    schema = Schema(FIELDS, "label", encoding="json")
    name = schema.read_label(raw)
    assert isinstance(name, str)
    again = schema.encode_label(name)
    assert again == raw
    assert type(again) is type(raw)


@pytest.mark.parametrize(("spelling", "raw"), [("json", [0, 1]), ("digits", ["0", "1"])])
def test_numbered_labels_have_names(spelling, raw):
    schema = Schema(FIELDS, "label", NAMES, spelling)
    assert [schema.read_label(value) for value in raw] == list(NAMES)
    assert [schema.encode_label(name) for name in NAMES] == raw


def test_names_in_the_input_stay_names():
    """Where the input spells labels out, they are left alone."""
    schema = Schema(FIELDS, "label", NAMES, "text")
    assert schema.read_label("positive") == schema.encode_label("positive") == "positive"


@pytest.mark.parametrize("raw", [-1, None, "", float("nan"), "-1"])
def test_a_label_that_is_held_back_is_none(raw):
    """-1, null, empty and NaN mean that there is no label."""
    assert Schema(FIELDS, "label", NAMES, "digits").read_label(raw) is None


def test_a_label_that_cannot_be_spelt_is_refused():
    with pytest.raises(DataError, match="its labels are negative, positive"):
        Schema(FIELDS, "label", NAMES, "json").encode_label("neutral")
    with pytest.raises(DataError, match="are numbers"):
        Schema(FIELDS, "label", (), "json").encode_label("neutral")


def test_a_number_in_a_table_with_floats_finds_its_name():
    """Tables with missing values hold whole numbers as floats."""
    assert Schema(FIELDS, "label", NAMES, "json").read_label(1.0) == "positive"
