"""Rows beyond ``max_rows``: features are tested on a sample, what repeats is counted in all."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import augkit
from augkit.cli.app import app
from augkit.commands.check.contract import CheckContract
from augkit.commands.check.rows import load_labelled
from augkit.commands.check.run import check_data
from augkit.commands.check.sampling import LowestRanks
from augkit.datasets.settings import ReadOptions
from augkit.text.features.within_items import Items
from tests.data import write_jsonl

WORDS = [f"w{number}" for number in range(300)]
COUNTED = {"duplicates", "conflicting_labels", "leakage", "forbidden_words", "label_balance"}
COUNTED_ITEMS = {"duplicates", "conflicting_labels", "equal_candidates", "empty_candidates"}


def labelled_rows(size, rng):
    """Rows in which 'however' goes with one label; some repeat, conflict or have no label."""
    rows = []
    for number in range(size):
        label = rng.choice(["yes", "no"])
        cue = " however" if rng.random() < (0.5 if label == "no" else 0.05) else ""
        text = " ".join(rng.choices(WORDS, k=8)) + cue
        if number % 50 == 7:
            text = rows[rng.randrange(len(rows))]["text"]
        rows.append({"text": text, "label": None if number % 97 == 5 else label})
    return rows


def pair_rows(size, rng):
    """Pairs whose winner is longer in three of four; some are equal, empty or repeated."""
    rows = []
    for number in range(size):
        texts = [" ".join(rng.choices(WORDS, k=length)) for length in (9, 6)]
        chosen = 0 if rng.random() < 0.75 else 1
        row = {"prompt": f"q{number}", "chosen": texts[chosen], "rejected": texts[1 - chosen]}
        row |= {"rejected": row["chosen"]} if number % 60 == 3 else {}
        row |= {"rejected": ""} if number % 70 == 4 else {}
        rows.append(rows[number // 2] if number % 80 == 6 else row)
    return rows


@given(st.lists(st.integers(0, 30)), st.integers(1, 12))
def test_sample_holds_the_first_row_of_each_of_the_lowest_ranks(ranks, most):
    """The same as sorting all ranks; where all rows fit, all of them are held."""
    sample = LowestRanks(most)
    for number, rank in enumerate(ranks):
        sample.add(str(rank), number)
    rows, numbers = sample.rows()
    expected = list(range(len(ranks)))
    if len(ranks) > most:
        lowest = sorted({str(rank) for rank in ranks})[:most]
        expected = sorted([str(rank) for rank in ranks].index(rank) for rank in lowest)
    assert rows == list(numbers) == expected


@pytest.mark.slow
def test_what_repeats_is_counted_in_all_labelled_rows(tmp_path):
    """A check of a sample says the same as one of all rows about what needs no test."""
    rng = random.Random(1)
    rows = labelled_rows(4000, rng)
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    test = [{"text": rows[number]["text"].upper() + "!", "label": "no"} for number in (1, 2, 3)]
    leaked = [{"text": rows[9]["text"], "label": "no"}, {"text": "never seen", "label": "no"}]
    held_out = write_jsonl(tmp_path / "test.jsonl", test + leaked)
    contract = CheckContract(
        forbidden_words={"words": ["w7", "w8 w9", "absent"]},
        label_balance=0.6,
        leakage={"test": str(held_out), "limit": 1, "near_limit": 0.1},
        language=None,
    )
    whole = check_data(path, contract)
    sampled = check_data(path, contract.model_copy(update={"max_rows": 1000}))
    assert sampled.about["sampled"] == 1000
    assert "sampled" not in whole.about
    assert {**sampled.about, "sampled": None} == {**whole.about, "sampled": None}
    runs = [{run.name: run for run in report.checks} for report in (whole, sampled)]
    for name in COUNTED:
        assert runs[0][name] == runs[1][name]
        places = [
            report.where(finding)
            for report, checks in zip((whole, sampled), runs, strict=True)
            for finding in checks[name].findings
        ]
        assert places[: len(places) // 2] == places[len(places) // 2 :]


@pytest.mark.slow
def test_what_is_wrong_with_choices_is_counted_in_all(tmp_path):
    """Equal, empty and repeated candidates, and the counts of the report."""
    path = write_jsonl(tmp_path / "pairs.jsonl", pair_rows(2500, random.Random(2)))
    contract = CheckContract(blind_accuracy=None)
    whole = check_data(path, contract)
    sampled = check_data(path, contract.model_copy(update={"max_rows": 1000}))
    assert {**sampled.about, "sampled": 1} == {**whole.about, "sampled": 1}
    runs = [{run.name: run for run in report.checks} for report in (whole, sampled)]
    assert all(runs[0][name] == runs[1][name] for name in COUNTED_ITEMS)
    assert {run.name for run in whole.checks if run.failed} >= {"length", "empty_candidates"}
    (length,) = [f for f in runs[1]["length"].failed if f.feature == "has more characters"]
    (exact,) = [f for f in runs[0]["length"].failed if f.feature == "has more characters"]
    error = float(length.message.split("±")[1].split()[0])
    assert 0 < error < 0.1
    assert abs(length.value - exact.value) < 2 * error


def test_rows_of_a_sampled_finding_show_the_feature(tmp_path):
    """Line numbers are those of the file, and the rows there have what is found."""
    rows = labelled_rows(3000, random.Random(3))
    path = write_jsonl(tmp_path / "rows.jsonl", rows)
    report = check_data(path, CheckContract(max_rows=1000))
    (finding,) = [f for run in report.checks for f in run.failed if f.feature == "token: however"]
    shown = [rows[place.number - 1] for place in report.where(finding)]
    assert shown
    assert all("however" in row["text"] and row["label"] == "no" for row in shown)


def test_sample_does_not_depend_on_the_order_of_the_rows(tmp_path):
    """The texts of labelled rows choose the sample, and each text is in it once."""
    rows = labelled_rows(2000, random.Random(4))
    mixed = random.Random(5).sample(rows, len(rows))
    samples = [
        load_labelled(write_jsonl(tmp_path / "rows.jsonl", part), ReadOptions(), most=1000)
        for part in (rows, mixed)
    ]
    assert samples[0].texts["text"] != samples[1].texts["text"]
    assert {*samples[0].texts["text"]} == {*samples[1].texts["text"]}
    assert len(samples[0].distinct) == len(samples[0]) == 1000


@pytest.mark.slow
def test_size_of_the_sample_from_contract_and_python(tmp_path):
    """Both sample, and the report says what is sampled."""
    path = write_jsonl(tmp_path / "rows.jsonl", labelled_rows(2200, random.Random(6)))
    contract = tmp_path / "contract.yaml"
    contract.write_text("max_rows: 1500\n", encoding="utf-8")
    shown = CliRunner().invoke(app, ["check", str(path), "--contract", str(contract)]).stdout
    assert "tested on a sample of 1,500 rows" in shown
    report = augkit.check(str(path), max_rows=1500)
    assert report.about["sampled"] == 1500


@pytest.mark.slow
@pytest.mark.parametrize("where_it_varies", [False, True])
def test_error_of_a_sampled_feature_covers_that_of_all_items(where_it_varies):
    """Units of several items are drawn whole from a large set of pairs and threes."""
    rng = np.random.default_rng(1)
    sizes = rng.choice([2, 3], 20_000)
    numbers = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.cumsum(sizes) - sizes
    won = np.zeros(len(numbers), dtype=bool)
    won[starts + rng.integers(0, sizes)] = True
    values = np.where(rng.random(len(numbers)) < 0.25 + 0.2 * won, 1.0, 0.0)
    items = Items(numbers, won, np.arange(len(sizes)) // 4)
    ranked = items.rank(values)
    truth = ranked.contrast if where_it_varies else ranked.association
    inside = []
    for _ in range(300):
        chosen = np.isin(items.units, rng.choice(5000, 300, replace=False))
        part = items.part(chosen).rank(values[chosen[items.numbers]])
        value = part.contrast if where_it_varies else part.association
        inside.append(abs(value - truth) <= part.error(where_it_varies=where_it_varies))
    assert 0.91 <= np.mean(inside) <= 0.985


@pytest.mark.slow
@pytest.mark.parametrize("make", [labelled_rows, pair_rows])
def test_survey_of_a_sample_says_so_and_finds_what_all_rows_show(make, tmp_path):
    """From the command line and in Python; rows that are asked for are not sampled further."""
    path = str(write_jsonl(tmp_path / "rows.jsonl", make(2200, random.Random(8))))
    whole = augkit.shortcuts(path)
    sampled = augkit.shortcuts(path, max_rows=1000)
    strongest = [{row["feature"] for row in found.rows[:5]} for found in (whole, sampled)]
    assert strongest[0] & strongest[1]
    assert not any("sample of" in warning for warning in whole.warnings)
    assert any("sample of 1,000 of 2," in warning for warning in sampled.warnings)
    shown = CliRunner().invoke(app, ["shortcuts", path, "--set", "max_rows=1000"])
    assert "sample of 1,000" in " ".join(shown.stdout.split())
    asked = augkit.shortcuts(path, max_rows=1000, sample=1500)
    assert not any("sample of" in warning for warning in asked.warnings)


@pytest.mark.slow
def test_a_share_of_a_sample_is_within_its_error_of_that_of_all_rows(tmp_path):
    """0.98/√r, where r rows of the sample have the feature."""
    path = str(write_jsonl(tmp_path / "rows.jsonl", labelled_rows(6000, random.Random(9))))
    exact = {(row["feature"], row["label"]): row for row in augkit.shortcuts(path).rows}
    sampled = augkit.shortcuts(path, max_rows=2000).rows
    gaps = [
        abs(row["share"] - exact[row["feature"], row["label"]]["share"])
        <= 0.98 / np.sqrt(row["rows"])
        for row in sampled
        if (row["feature"], row["label"]) in exact
    ]
    assert len(gaps) >= 2
    assert np.mean(gaps) >= 0.9


def test_rows_that_are_replaced_are_named_anew(tmp_path):
    """Other rows in the place of those that were read have names of their own."""
    rows = load_labelled(
        write_jsonl(tmp_path / "a.jsonl", labelled_rows(60, random.Random(7))),
        ReadOptions(),
        most=1000,
    )
    part = replace(rows, texts={"text": ["a", "b"]}, labels=["x", "y"], indices=[0, 1])
    assert len(part.all_keys) == len(part.keys) == 2
