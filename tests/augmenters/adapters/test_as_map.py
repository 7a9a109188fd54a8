"""``as_map`` in the hands of the ``datasets`` library."""

import datasets
import pytest

from augkit.augmenters.adapters.as_map import as_map
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError, DataError

SWAP = {"pairs": [["film", "movie"]]}


@pytest.fixture(autouse=True)
def _quiet():
    datasets.disable_progress_bars()


@pytest.mark.slow
def test_one_row_in_several_out():
    """Originals and variants follow one another, all columns repeated, labels still numbers."""
    data = datasets.Dataset.from_dict(
        {"text": ["A film.", "Fine."], "label": [1, 0], "page": [7, 8]}
    ).cast_column("label", datasets.ClassLabel(names=["neg", "pos"]))
    result = data.map(as_map(create("swap", **SWAP)), batched=True)
    assert list(result["text"]) == ["A film.", "A movie.", "Fine."]
    assert list(result["label"]) == [1, 1, 0]
    assert list(result["page"]) == [7, 7, 8]
    assert list(result["augkit_origin"]) == ["original", "variant", "original"]
    assert list(result["augkit_method"]) == ["", "swap", ""]
    assert result["augkit_parent"][1] == result["augkit_id"][0]
    assert isinstance(result.features["label"], datasets.ClassLabel)


@pytest.mark.slow
def test_batches_do_not_matter():
    """Batches of some and of all give the same rows, also where rows repeat or are all refused."""
    texts = ["Fine.", "Fine.", "A good film.", "A good film.", "A great big movie."]
    data = datasets.Dataset.from_dict({"text": texts, "label": list(range(5))})
    for keep in (True, False):
        ways = [
            data.map(
                as_map(create("eda", seed=3), keep_originals=keep),
                batched=True,
                batch_size=size,
                remove_columns=data.column_names,
            ).to_dict()
            for size in (2, 1000)
        ]
        assert ways[0] == ways[1]


def test_equal_rows_keep_their_own_columns():
    """Two rows with one text get the same variants, each beside its own other columns."""
    batch = {"text": ["A film.", "A film."], "page": [1, 2]}
    result = as_map(create("swap", **SWAP))(batch)
    assert result["page"] == [1, 1, 2, 2]
    assert result["augkit_id"][1] == result["augkit_id"][3]


def test_pairs_by_their_names_or_by_arguments():
    step = create("swap", **SWAP)
    found = as_map(step)({"premise": ["A film."], "hypothesis": ["A movie."], "label": ["x"]})
    assert found["hypothesis"] == ["A movie.", "A film."]
    told = as_map(step, ["left", "right"])({"left": ["A film."], "right": ["No."]})
    assert told["left"] == ["A film.", "A movie."]


def test_missing_text_is_passed_through():
    result = as_map(create("swap", **SWAP))({"text": [None, "A film."]})
    assert result["text"] == [None, "A film.", "A movie."]


def test_unknown_column_is_an_error():
    with pytest.raises(DataError, match="Did you mean 'text'"):
        as_map(create("swap", **SWAP), "texts")({"text": ["A film."]})


def test_a_single_row_instead_of_a_batch_is_an_error():
    with pytest.raises(ConfigError, match="batched=True"):
        as_map(create("swap"))({"text": "A film.", "label": 1})
