"""What found the winners of choices before a run, and what does so after it."""

import json
from dataclasses import replace

import pytest

from augkit.augmenters.base import Augmenter
from augkit.commands.choice_shortcuts import compare_choices
from augkit.commands.evaluate.training_sets import WEIGHT
from augkit.commands.report_page import write_page
from augkit.commands.shortcuts import compare_run
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.results import LONGEST_WINS
from augkit.core.types import Example, refused
from augkit.report.summary import print_summary
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings
from augkit.shortcuts.tokens import TokensConfig

WORDS = "apple river stone cloud paper light glass field".split()


def rows_of(lengths):
    """Pairs whose winner and loser have so many words, with another prompt each."""
    rows = []
    for number, (won, lost) in enumerate(lengths):
        texts = {"prompt": f"Question {number}?"}
        texts["candidate 1"] = " ".join(WORDS[:won])
        texts["candidate 2"] = " ".join(reversed(WORDS[-lost:]))
        columns = {"prompt": "", "chosen": "a", "rejected": "b"}
        rows.append(Example(texts, "1", f"row {number}", columns))
    return rows


def ruler(rows):
    """How often the longer candidate wins, counted one by one; a tie is half a hit."""
    hits = []
    for row in rows:
        won, lost = (len(row.fields[f"candidate {place}"].split()) for place in (1, 2))
        hits.append(1.0 if won > lost else 0.5 if won == lost else 0.0)
    return sum(hits) / len(hits)


def test_a_ruler_has_its_accuracy_before_and_after():
    """As counted one by one; where the lengths are even in the result, it is not significant."""
    before = rows_of([(6, 3)] * 25 + [(3, 6)] * 3 + [(4, 4)] * 2)
    after = rows_of([(6, 3)] * 3 + [(3, 6)] * 3 + [(4, 4)] * 2)
    survey = compare_choices(before, after, TokensConfig())
    (words,) = [row for row in survey.rows if row.get("feature") == "has more words"]
    assert words["accuracy"] == pytest.approx(ruler(before))
    assert words["after"]["accuracy"] == pytest.approx(ruler(after))
    assert (words["of"], words["after"]["of"]) == (30, 8)
    assert words["q"] <= 0.05 < words["after"]["q"]
    (longest,) = [row for row in survey.rows if row["kind"] == LONGEST_WINS and row["least"] == 2.0]
    assert longest["before"] == {"items": 28, "share": 25 / 28}
    assert longest["after"] == {"items": 6, "share": 0.5}


def test_what_only_the_result_has_is_new():
    """A result that is empty has no figures, and nothing that is new."""
    even, uneven = rows_of([(6, 3)] * 10 + [(3, 6)] * 10), rows_of([(3, 6)] * 20)
    rows = compare_choices(even, uneven, TokensConfig()).rows
    assert "has fewer words" in {row["feature"] for row in rows if row.get("new")}
    emptied = compare_choices(uneven, [], TokensConfig()).rows
    assert {row["after"]["items"] for row in emptied if "feature" in row} == {0}


def test_items_of_a_weighed_run_count_by_their_weight():
    """The figures are those of items that are there as often as they count."""
    before = rows_of([(6, 3)] * 24 + [(3, 6)] * 8)
    weights = [1] * 24 + [3] * 8
    after = [replace(row, columns={WEIGHT: w}) for row, w in zip(before, weights, strict=True)]
    repeated = [row for row, weight in zip(before, weights, strict=True) for _ in range(weight)]
    weighed, plain = (compare_choices(before, rows, TokensConfig()) for rows in (after, repeated))
    for survey in (weighed, plain):
        (words,) = [row for row in survey.rows if row.get("feature") == "has more words"]
        assert words["accuracy"] == pytest.approx(0.75)
        assert words["after"]["accuracy"] == words["after"]["share"] == pytest.approx(0.5)
        assert words["after"]["p"] == pytest.approx(1.0 if survey is plain else 0.5, abs=0.5)
        (longest,) = [row for row in survey.rows if row["kind"] == LONGEST_WINS]
        assert longest["after"]["share"] == pytest.approx(0.5)
    assert any("counts by its weight" in warning for warning in weighed.warnings)
    assert not any("counts by its weight" in warning for warning in plain.warnings)


class Halve(Augmenter[MethodConfig]):
    """Leaves out every item that does not end in 0."""

    name = "halve"
    Config = MethodConfig
    reads = "choices"

    def propose(self, batch):
        for row in batch:
            weight = 1.0 if row.fields["prompt"].endswith("0?") else 0.0
            yield refused(row, "longer won", weight=weight)


def test_a_run_on_choices_is_compared_for_its_page_and_summary(tmp_path, monkeypatch, capsys):
    """The survey is in the run folder, and both show what became of the strongest ruler."""
    find = registry.find
    monkeypatch.setattr(registry, "find", lambda *key: Halve if key[1] == "halve" else find(*key))
    rows = [
        {"prompt": f"Question {n}?", "chosen": "It is so, and so on.", "rejected": "No."}
        for n in range(40)
    ]
    path = tmp_path / "prefs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder = run(RunSettings(method="halve", dataset=str(path)), tmp_path / "out")
    compare_run(folder, None)
    print_summary(folder)
    printed = " ".join(capsys.readouterr().out.split())
    assert "alone right in 100 % of 40 items → 100 % of 4:" in printed
    assert "no row was changed" not in printed
    page = write_page(folder).read_text(encoding="utf-8")
    assert "100.0 → 100.0" in page
    assert "a rule that knows nothing is right in 50 %" in page
