"""The summary of a run on a terminal: what it says about counts, calls and money."""

from dataclasses import replace

import pytest

from augkit.core.results import Survey
from augkit.evaluation.run_effects import label_shift
from augkit.report.summary import print_summary
from augkit.runs.manifest import CostRecord, CountsRecord
from tests.data import run_manifest

COUNTS = CountsRecord(read=5, selected=5, accepted=5, in_dataset=5)
COST = CostRecord(prompt_tokens=80, completion_tokens=20, seconds=1.0)
MODELS = {"llm": "openai:own", "judge": "openai:own"}
MANIFEST = run_manifest(method="paraphrase", settings={}, counts=COUNTS, cost=COST, models=MODELS)


@pytest.fixture
def summary(tmp_path, capsys, monkeypatch):
    """What is printed of a run whose manifest has these values."""
    monkeypatch.setenv("COLUMNS", "120")

    def printed(**values):
        manifest = MANIFEST.model_copy(update=values)
        (tmp_path / "manifest.json").write_text(manifest.model_dump_json())
        (tmp_path / "variants.jsonl").touch()
        print_summary(tmp_path)
        return capsys.readouterr().out

    return printed


@pytest.mark.parametrize(
    ("case", "shown"),
    [
        ((5, None, None), "5 calls, 100 tokens, cost unknown: no price is"),
        ((1, 0.0, None), "1 call, 100 tokens, $0.0000"),
        ((5, 0.25, None), "100 tokens, $0.2500"),
        ((5, 0.25, "http://127.0.0.1:8000/v1"), "100 tokens, $0.2500 at list prices"),
        ((5, 0.0, "http://192.168.0.4/v1"), "100 tokens, $0.0000"),
    ],
)
def test_calls_without_a_price_are_not_called_paid(summary, case, shown):
    """Money is named only where a price is known; for a server at home it is the list price."""
    calls, usd, url = case
    cost = replace(COST, calls=calls, usd=usd, unpriced={"own": 5})
    printed = summary(cost=cost, connection={"base_url": url})
    (line,) = [line for line in printed.splitlines() if "tokens" in line]
    assert shown in line
    assert line.rstrip().endswith(shown) or "for own (--set prices=FILE)" in line


def test_lost_calls_and_cached_answers_are_counted(summary):
    """As the manifest does: calls that a kill or a timeout cut off, and answers of a cache."""
    cost = replace(COST, calls=5, unsettled=3, cached=2)
    calls = "5 calls (3 of them never reported their usage), 2 from the cache, 100 tokens, $0.0000"
    assert calls in summary(cost=cost)


@pytest.mark.parametrize(
    ("mix", "limits"), [("append", "(per_row)"), ("balance", "(per_row, --mix balance)")]
)
def test_only_limits_that_apply_are_named(summary, mix, limits):
    """Variants are left out by per_row; --mix balance is named where labels are balanced."""
    printed = summary(counts=COUNTS.model_copy(update={"in_dataset": 3}), mix=mix)
    assert f"2 are not in the training set {limits}" in printed


@pytest.mark.parametrize(("parts", "shown"), [(1, "1 of them is only"), (3, "3 of them are only")])
def test_variants_that_are_parts_of_rows_are_counted(summary, parts, shown):
    """Training rows shorter than the originals do not come unsaid."""
    assert f"{shown} a part of a row" in summary(counts=COUNTS.model_copy(update={"parts": parts}))
    assert "a part of a row" not in summary()


def test_what_is_left_of_a_shortcut_is_shown(summary, tmp_path):
    """With its shares and rows, before and after."""
    names = {"field": "text", "kind": "token", "feature": "branch", "label": "complaint"}
    names |= {"name": "'branch'", "fate": "left"}
    after = {"rows": 297, "share": 0.795, "base": 0.5}
    figures = {"rows": 240, "share": 0.942, "base": 0.5, "after": after}
    Survey(rows=[names | figures]).save(tmp_path / "shortcuts")
    line = "'branch' (complaint): 94 % of 240 rows → 80 % of 297 (base 50 %): still predicts it"
    assert f"shortcuts {line}" in " ".join(summary().split())


@pytest.mark.parametrize(
    ("case", "shift"),
    [
        (
            ("append", {"neg": 787, "pos": 575}),
            "neg was 50 % of the rows and is 58 %: --mix balance",
        ),
        (("append", {"neg": 420, "pos": 400}), ""),
        (("append", {}), ""),
        (("append", {"pos": 400}), "neg was 50 % of the rows and is 0 %"),
        (("balance", {"neg": 787, "pos": 575}), ""),
    ],
)
def test_a_shift_of_labels_is_a_caveat(summary, case, shift):
    """More than five points, unless labels are balanced already."""
    mix, after = case
    before = {"neg": 400, "pos": 400}
    printed = summary(mix=mix, original_labels=before, result_labels=after)
    caveats = [line for line in printed.splitlines() if "caveat" in line]
    assert len(caveats) == bool(shift)
    assert shift in "".join(caveats)


def test_the_labels_of_few_rows_say_nothing():
    """One more variant of three rows is a shift by chance."""
    before, after = {"neg": 1, "pos": 2}, {"neg": 2, "pos": 2}
    many = [{label: 50 * rows for label, rows in counts.items()} for counts in (before, after)]
    assert label_shift(before, after, "append") == []
    assert len(label_shift(*many, "append")) == 1


def test_the_settings_that_were_given_are_shown(summary):
    """So that a composition shows its steps and their options."""
    steps = {"steps": ["swap", {"method": "eda", "options": {"alpha": 0.2}}]}
    shown = 'steps=["swap", {"method": "eda", "options": {"alpha": 0.2}}]'
    assert shown in summary(method="compose", settings={"options": steps})
