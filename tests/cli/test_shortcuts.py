import json

import pytest


def test_what_gives_the_demo_away(augkit):
    """The bundled claims have a planted negation; JSON has the keys that programs rely on."""
    result = augkit("shortcuts", "--dataset", "claims-demo", "--json", "--set", "ngrams=1")
    assert result.code == 0
    record = json.loads(result.out)
    assert (record["dataset"], record["by"]) == ("claims-demo", "tokens")
    assert {"field", "kind", "feature", "label", "rows", "share", "z", "p", "q"} <= set(
        record["rows"][0]
    )
    assert record["about"]["correction"] == "benjamini-hochberg"


def test_a_table_and_files(augkit, tmp_path):
    """People see a table and a note; a folder gets the survey."""
    result = augkit("shortcuts", "-d", "nli-demo", "-o", "found", "--limit", 100)
    assert "corrected p" in result.out
    assert "Note:" in result.out
    assert json.loads((tmp_path / "found" / "survey.json").read_text())["about"]["rows"] == 100


def test_before_and_after_a_run(augkit):
    """A run folder is compared with its originals."""
    assert augkit("run", "-m", "eda", "-d", "reviews-demo", "-o", "out").code == 0
    result = augkit("shortcuts", "--run", "out")
    assert "Strongest before, and the same now" in result.out


def test_the_dataset_of_a_run_is_a_dataset(augkit):
    """Its own columns are no texts; its rows are the originals and their variants."""
    assert augkit("run", "-m", "eda", "-d", "reviews-demo", "-o", "out", "-n", "60").code == 0
    found = json.loads(augkit("shortcuts", "-d", "out/dataset.jsonl", "--json").out)
    assert found["about"]["rows"] == 120
    assert {row["field"] for row in found["rows"]} == {"text"}


def test_two_datasets(augkit):
    """Two splits are compared."""
    result = augkit("shortcuts", "-d", "nli-demo", "--against", "nli-demo:test", "--json")
    assert json.loads(result.out)["against"] == "nli-demo:test"


def test_rows_that_repeat_others_are_noted(augkit, write_rows):
    """Where they are more than one in ten; of two datasets it is said which."""
    rows = [{"text": f"A film, number {n}.", "label": "ab"[n % 2]} for n in range(20)]
    few, many = (
        write_rows([*rows, *rows[:2]], "few.jsonl"),
        write_rows([*rows, *rows], "many.jsonl"),
    )
    note = "20 of 40 rows repeat the texts of another row"
    assert note in augkit("shortcuts", "-d", many).out
    assert "repeat" not in augkit("shortcuts", "-d", few).out
    assert f"Note: after: {note}" in augkit("shortcuts", "-d", few, "--against", many).out


def test_ids_are_read_from_a_column(augkit, write_rows):
    """As for a run: an id that occurs twice is a mistake."""
    rows = [{"text": f"Film {n}.", "label": "ab"[n % 2], "number": n} for n in range(8)]
    right = write_rows(rows, "right.jsonl")
    assert augkit("shortcuts", "-d", right, "--id-column", "number").code == 0
    wrong = augkit("shortcuts", "-d", right, "--id-column", "numbr")
    assert (wrong.code, "--id-column" in wrong.err) == (2, True)


@pytest.mark.slow
def test_wrong_predictions_are_explained(augkit, write_rows, tmp_path):
    """The rules of single rows, for people at 80 columns and as JSON lines in a folder."""
    pytest.importorskip("torch")
    texts = {"yes": "the red dog ran fast", "no": "the old cat sat still"}
    rows = [
        {"text": f"{text} {n % 7}", "label": label}
        for n in range(30)
        for label, text in texts.items()
    ]
    wrong = [{"text": "the red dog sat fast", "label": "no"}]
    sizes = ["symbols=3", "leaves=6", "width=8", "epochs=1", "min_count=1", "device=cpu"]
    settings = [part for size in sizes for part in ("--set", size)]
    result = augkit(
        *("shortcuts", "--by", "grammar", "-d", write_rows(rows, "rows.jsonl"), *settings),
        *("--explain", write_rows(wrong, "wrong.jsonl"), "-o", "told"),
    )
    assert "predicted yes, labelled no" in result.out
    assert "salient words" in result.out
    (record,) = map(json.loads, (tmp_path / "told" / "explanations.jsonl").read_text().splitlines())
    assert record["rules"][0]["ratio"] > record["rules"][-1]["ratio"]


def test_mistakes_are_explained(augkit):
    """Nothing to survey, an unknown finder, an unknown setting: a sentence each."""
    for arguments, message in [
        ([], "pass --dataset NAME or --run FOLDER"),
        (["-d", "nli-demo", "--explain", "nli-demo"], "use --by grammar"),
        (["-d", "nli-demo", "--classifier", "plain"], "goes with --explain"),
        (["--explain", "nli-demo"], "goes with --dataset"),
        (["-d", "nli-demo", "--by", "tokn"], "Did you mean 'tokens'?"),
        (["-d", "nli-demo", "--set", "ngram=3"], "Did you mean 'ngrams'?"),
        (["-d", "nli-demo", "--set", "seed=3"], "unknown key"),
    ]:
        result = augkit("shortcuts", *arguments)
        assert result.code == 2
        assert message in result.err


def _write_pairs(path, size=60):
    """Pairs whose chosen text is longer."""
    rows = [
        {
            "prompt": f"Prompt {n}?",
            "chosen": f"It is {n} or so, I think.",
            "rejected": f"It is {n}.",
        }
        for n in range(size)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_choices_are_compared_within_the_item(augkit, tmp_path):
    """What winners have and losers lack comes first, in the table, in JSON and in a folder."""
    path = _write_pairs(tmp_path / "pairs.jsonl")
    result = augkit("shortcuts", "-d", str(path), "--json", "-o", "out", "--set", "alpha=0.01")
    record = json.loads(result.out)
    rows = {row["feature"]: row for row in record["rows"]}
    assert rows["has more characters"]["share"] == rows["has token 'think'"]["accuracy"] == 1
    assert "has token 'is'" not in rows
    assert record["about"]["items"] == 60
    assert json.loads((tmp_path / "out" / "survey.json").read_text())["rows"] == record["rows"]
    assert "has more characters" in augkit("shortcuts", "-d", str(path), "--limit", 30).out


def test_two_datasets_of_choices_are_not_compared(augkit, tmp_path):
    path = str(_write_pairs(tmp_path / "pairs.jsonl"))
    result = augkit("shortcuts", "-d", path, "--against", path)
    assert (result.code, "Survey each dataset of choices alone" in result.err) == (2, True)
