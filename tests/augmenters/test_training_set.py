"""The command and the functions for Python give the same rows for the same file and method."""

import json

import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import augkit
from augkit.core.errors import ConfigError

ROWS = [
    ("The man said that the film was a fine, quiet story about his father.", "positive"),
    ("Her sister found the whole movie dull, slow and badly acted.", "negative"),
    ("The man said that the film was a fine, quiet story about his father.", "positive"),
    ("A great cast, and Anna sings better than ever.", "positive"),
    ("The plot is silly, and nobody laughed at the jokes.", "negative"),
    ("An old woman tells a moving story of the war.", "positive"),
    ("", "negative"),
    ("The script was poor and the music was loud.", "negative"),
    ("A clever comedy with a warm heart.", "positive"),
] * 3


@pytest.fixture
def reviews(tmp_path):
    """A file of rows, some of them equal, and one without a text."""
    path = tmp_path / "reviews.csv"
    pd.DataFrame(ROWS, columns=["text", "label"]).to_csv(path, index=False)
    return path


def _written(folder):
    lines = (folder / "dataset.jsonl").read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return [(row["text"], row["label"], row["augkit_id"], row["augkit_origin"]) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "mix"),
    [
        ("eda", None),
        ("mask-words", "balance"),
        ("panda", "append"),
        ("razor", None),
        ("coba", None),
    ],
)
def test_the_same_rows_from_the_command_and_from_python(run_augkit, reviews, tmp_path, method, mix):
    options = [] if mix is None else ["--mix", mix]
    run_augkit("run", "-m", method, "-d", str(reviews), "-o", str(tmp_path / "run"), *options)
    expected = _written(tmp_path / "run")
    of_mix = {} if mix is None else {"mix": mix}
    folder = augkit.augment_dataset(reviews, method, tmp_path / "python", **of_mix)
    assert _written(folder) == expected
    frame = pd.read_csv(reviews, keep_default_na=False)
    result = augkit.augment_frame(frame, method, mix=mix)
    columns = ("text", "label", "augkit_id", "augkit_origin")
    assert list(zip(*(result[name] for name in columns), strict=True)) == expected
    if mix is None:
        unfitted = augkit.create(method)
        result = augkit.augment_frame(frame, unfitted)
        assert list(zip(*(result[name] for name in columns), strict=True)) == expected
        assert unfitted.is_fitted == (method == "eda")  # which has nothing to fit
    texts, labels = augkit.TextResampler(method, mix=mix).fit_resample(*zip(*ROWS, strict=True))
    assert list(zip(texts, labels, strict=True)) == [row[:2] for row in expected]


def test_a_file_of_another_name_gives_the_same_rows(tmp_path):
    written = []
    for name in ("a.jsonl", "b.jsonl"):
        lines = (json.dumps({"text": text, "label": label}) for text, label in ROWS)
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
        folder = augkit.augment_dataset(tmp_path / name, "eda", tmp_path / f"run-{name}")
        written.append((folder / "dataset.jsonl").read_bytes())
    assert written[0] == written[1]


def test_the_mix_can_be_chosen():
    """Variants replace their originals, join them, or only balance the labels; polars too."""
    frame = pl.DataFrame({"text": ["A film.", "A movie.", "Fine."], "label": ["p", "p", "n"]})
    texts = {
        mix: augkit.augment_frame(frame, "swap", mix=mix)["text"].to_list()
        for mix in ("append", "replace", "balance")
    }
    assert texts["append"] == ["A film.", "A movie.", "A movie.", "A film.", "Fine."]
    assert texts["replace"] == ["A movie.", "A film.", "Fine."]
    assert texts["balance"] == ["A film.", "A movie.", "Fine."]
    resampler = clone(augkit.TextResampler("swap", {"pairs": [["film", "play"]]}, mix="replace"))
    assert resampler.fit_resample(["A film.", "Fine."], [0, 1]) == (["A play.", "Fine."], [0, 1])


def test_settings_of_a_method_by_its_name():
    frame = pd.DataFrame({"text": ["A film."]})
    result = augkit.augment_frame(frame, "swap", settings={"pairs": [["film", "play"]]})
    assert result["text"].tolist() == ["A film.", "A play."]
    with pytest.raises(ConfigError, match="unknown key"):
        augkit.augment_frame(frame, "swap", settings={"pears": []})
