import json

import pytest


def test_what_gives_the_demo_away(augkit, tmp_path):
    """The bundled claims have a planted negation; JSON has the keys that programs rely on."""
    asked = ("--json", "--set", "top=5", "--limit", 200, "--out", "found")
    result = augkit("shortcuts", "claims-demo", *asked)
    assert result.code == 0
    record = json.loads(result.out)
    assert record["about"]["rows"] == 200
    assert record["rows"] == json.loads((tmp_path / "found" / "survey.json").read_text())["rows"]
    assert (record["dataset"], record["by"]) == ("claims-demo", "tokens")
    first = record["rows"][0]
    assert {"field", "kind", "feature", "label", "rows", "share", "base", "gain", "p"} <= set(first)
    assert (first["field"], first["shortcut"]) == ("claim", True)


def test_the_dataset_of_a_run_is_a_dataset(augkit):
    """Its own columns are no texts; its rows are the originals and their variants."""
    assert augkit("run", "-m", "eda", "-d", "reviews-demo", "-o", "out", "-n", "60").code == 0
    found = json.loads(augkit("shortcuts", "out/dataset.jsonl", "--json").out)
    assert found["about"]["rows"] == 120
    assert {row["field"] for row in found["rows"]} == {"text"}


def test_two_datasets(augkit):
    """Two splits are compared."""
    result = augkit("shortcuts", "nli-demo", "nli-demo:test", "--json")
    assert json.loads(result.out)["against"] == "nli-demo:test"


def test_rows_that_repeat_others_count_once(augkit, write_rows):
    """A word in forty rows of one text is in one text."""
    rows = [{"text": f"A film, number {n}.", "label": "ab"[n % 2]} for n in range(60)]
    many = write_rows([*rows, *({"text": "marta was here", "label": "a"} for _ in range(40))])
    found = json.loads(augkit("shortcuts", many, "--json").out)
    assert found["rows"] == []


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
        *("shortcuts", write_rows(rows, "rows.jsonl"), "--by", "grammar", *settings),
        *("--explain", write_rows(wrong, "wrong.jsonl"), "-o", "told"),
    )
    assert "predicted yes, labelled no" in result.out
    assert "salient words" in result.out
    (record,) = map(json.loads, (tmp_path / "told" / "explanations.jsonl").read_text().splitlines())
    assert record["rules"][0]["ratio"] > record["rules"][-1]["ratio"]


def test_choices_are_compared_within_the_item(augkit, tmp_path, write_rows):
    """What winners have and losers lack comes first, in the table, in JSON and in a folder."""
    rows = [
        {
            "prompt": f"Prompt {n}?",
            "chosen": f"It is {n} or so, I think.",
            "rejected": f"It is {n}.",
        }
        for n in range(60)
    ]
    path = write_rows(rows)
    result = augkit("shortcuts", path, "--json", "-o", "out")
    record = json.loads(result.out)
    rows = {row["feature"]: row for row in record["rows"]}
    assert rows["has more characters"]["share"] == rows["has token 'think'"]["accuracy"] == 1
    assert "has token 'is'" not in rows
    assert record["about"]["items"] == 60
    assert json.loads((tmp_path / "out" / "survey.json").read_text())["rows"] == record["rows"]
    assert "has more characters" in augkit("shortcuts", path, "--limit", 30).out
