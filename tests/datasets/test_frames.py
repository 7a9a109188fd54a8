"""Data frames of pandas and polars, in and out."""

import datetime as dt

import pandas as pd
import polars as pl
import pytest

import augkit
from augkit.core.errors import ConfigError, DataError

ROWS = {
    "review": ["A good film.", None, "Fine.", "A good film."],
    "stars": [5, 1, 3, 5],
    "seen": [dt.date(2020, 1, day) for day in range(1, 5)],
}
LIBRARIES = pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])


@LIBRARIES
def test_a_frame_is_a_dataset(library):
    found = augkit.load_dataset(library.DataFrame(ROWS), label_column="stars")
    assert [row.fields["text"] for row in found] == ["A good film.", "", "Fine.", "A good film."]
    assert [row.fault for row in found] == ["", "text is missing", "", ""]
    assert [row.label for row in found] == ["5", "1", "3", "5"]
    assert len({row.id for row in found}) == 4


@LIBRARIES
def test_a_frame_comes_back_as_one_of_its_library(library):
    frame = library.DataFrame(ROWS)
    more = augkit.augment_frame(frame, "swap", "review", "stars")
    assert type(more) is type(frame)
    assert list(more["augkit_origin"]) == [
        "original", "variant", "original", "original", "original", "variant",
    ]  # fmt: skip
    assert list(more["review"])[:2] == ["A good film.", "A good movie."]
    assert list(more["stars"]) == [5, 5, 1, 3, 5, 5]
    assert list(more["seen"])[-1] == dt.date(2020, 1, 4)


def test_nan_is_missing_and_never_a_text():
    frame = pd.DataFrame({"text": ["A film.", float("nan")], "label": ["x", "y"]})
    more = augkit.augment_frame(frame, "swap", keep_originals=False)
    assert list(more["text"]) == ["A movie."]


def test_what_is_no_frame_is_an_error():
    with pytest.raises(ConfigError, match="takes a data frame, and was given dict"):
        augkit.augment_frame({"text": ["A film."]}, "swap")


@LIBRARIES
def test_a_frame_without_rows_is_an_error(library):
    with pytest.raises(DataError, match="there are no rows"):
        augkit.load_dataset(library.DataFrame({"text": []}))
