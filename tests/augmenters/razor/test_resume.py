"""A run that is stopped in the middle of a round and gone on with ends as one that was not."""

import json
from itertools import count

import pytest

from augkit.augmenters.razor import method
from augkit.augmenters.razor.rule_rewriter import RuleRewriter
from augkit.core.errors import BudgetExhausted
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

ROWS = [
    {"text": f"A truly {word} film, number {number}.", "label": label}
    for number in range(12)
    for word, label in (("wonderful", "positive"), ("dreadful", "negative"))
]
SCRIPT = [
    {"match": f"number {number}.", "reply": json.dumps({"texts": [f"Film {number}.", "So so."]})}
    for number in range(12)
]


def settings(folder, budget):
    """Four rows a label and round, with a hard limit of calls."""
    return RunSettings(
        method="razor",
        dataset=str(folder / "rows.jsonl"),
        llm=f"scripted:{folder / 'script.jsonl'}",
        options={"top": 4, "rounds": 3, "epsilon": 0.0, "verify": False},
        connection={"budget": budget},
    )


def written(folder):
    """The bytes of the files of a run."""
    names = ("variants.jsonl", "rejected.jsonl", "dataset.jsonl", "run_info.json")
    return [(folder / name).read_bytes() for name in names]


def test_a_stopped_run_ends_as_one_that_was_not(tmp_path):
    """Stopped by the budget in its first and second round, then resumed: the same bytes."""
    for name, lines in (("rows", ROWS), ("script", SCRIPT)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    run(settings(tmp_path, "1000calls"), tmp_path / "whole")
    for budget in ("5calls", "12calls"):
        with pytest.raises(BudgetExhausted):
            run(settings(tmp_path, budget), tmp_path / "parts", resume=True)
    run(settings(tmp_path, "1000calls"), tmp_path / "parts", resume=True)
    assert written(tmp_path / "parts") == written(tmp_path / "whole")
    manifests = [
        json.loads((tmp_path / n / "manifest.json").read_text()) for n in ("whole", "parts")
    ]
    assert manifests[0]["counts"] == manifests[1]["counts"]
    assert manifests[0]["counts"]["accepted"] > 0


@pytest.mark.slow
def test_a_killed_offline_run_ends_as_one_that_was_not(tmp_path, monkeypatch):
    """Killed between two blocks of rows, then resumed: the same bytes."""
    monkeypatch.setattr(method, "_BLOCK", 16)
    lines = (
        {"text": f"a {'municipal ' if n % 2 else ''}plan for the {word} number {n}", "label": label}
        for n in range(120)
        for word, label in ((("park", "town")[n % 3 == 0], ("new", "old")[n % 2]),)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "rows.jsonl").write_text(text, encoding="utf-8")
    asked = RunSettings(method="razor", dataset=str(tmp_path / "rows.jsonl"))
    run(asked, tmp_path / "whole")
    calls = count()
    rewrite = RuleRewriter.__call__

    def killed(*arguments):
        if next(calls) == 1:
            raise KeyboardInterrupt
        return rewrite(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(RuleRewriter, "__call__", killed)
        with pytest.raises(KeyboardInterrupt):
            run(asked, tmp_path / "parts")
    run(asked, tmp_path / "parts", resume=True)
    assert next(calls) == 2
    assert written(tmp_path / "parts") == written(tmp_path / "whole")
    assert (tmp_path / "whole" / "variants.jsonl").read_text().count("\n") > 16


@pytest.mark.parametrize("keep_rest", [True, False])
def test_the_rows_that_are_written_are_balanced(write_rows, tmp_path, keep_rest):
    """With a part of the dataset, giveaways are counted in that part, unless all is written."""
    rows = [
        {"text": f"We saw film {n} {end}", "label": label}
        for n in range(60)
        for label, end in (("positive", "!"), ("negative", "." if n % 6 else "!"))
    ]
    given = {"sample": 60, "keep_rest": keep_rest, "options": {"verify": False}}
    folder = run(
        RunSettings(method="razor", dataset=str(write_rows(rows)), **given), tmp_path / "out"
    )
    written = [json.loads(line) for line in (folder / "dataset.jsonl").read_text().splitlines()]
    assert len(written) == (120 if keep_rest else 60)
    shares = [
        sum(one["text"].endswith("!") for one in written if one["label"] == label)
        / sum(one["label"] == label for one in written)
        for label in ("positive", "negative")
    ]
    assert 0 <= shares[0] - shares[1] < 0.4
