"""The summary of a run on a terminal: what it says about counts, calls and money."""

import json

import pytest

from augkit.core.results import Survey
from augkit.report.label_shift import label_shift
from augkit.report.summary import print_summary

COUNTS = {"read": 5, "selected": 5, "accepted": 5, "rejected": 0}
TOKENS = {"cached": 0, "prompt_tokens": 80, "completion_tokens": 20, "seconds": 1.0}
MANIFEST = {
    "method": "paraphrase",
    "mix": "append",
    "dataset": {"name": "rows", "rows": 5},
    "original_labels": {},
    "counts": COUNTS,
    "rejected_by_reason": {},
    "models": {"llm": "openai:own", "judge": "openai:own"},
}


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ((5, None, None), "5 calls, 100 tokens, cost unknown: no price is"),
        ((1, 0.0, None), "1 call, 100 tokens, $0.0000"),
        ((5, 0.25, None), "100 tokens, $0.2500"),
        ((5, 0.25, "http://127.0.0.1:8000/v1"), "100 tokens, $0.2500 at list prices"),
        ((5, 0.0, "http://192.168.0.4/v1"), "100 tokens, $0.0000"),
    ],
)
def test_calls_without_a_price_are_not_called_paid(tmp_path, capsys, monkeypatch, case, said):
    """Money is named only where a price is known; for a server at home it is the list price."""
    monkeypatch.setenv("COLUMNS", "120")
    calls, usd, url = case
    cost = TOKENS | {"calls": calls, "usd": usd, "unpriced": {"own": 5}}
    manifest = MANIFEST | {"cost": cost, "connection": {"base_url": url}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "variants.jsonl").touch()
    print_summary(tmp_path)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "tokens" in line]
    assert said in line
    assert line.rstrip().endswith(said) or "for own (--prices)" in line


def test_lost_calls_and_cached_answers_are_counted(tmp_path, capsys, monkeypatch):
    """As the manifest does: calls that a kill or a timeout cut off, and answers of a cache."""
    monkeypatch.setenv("COLUMNS", "120")
    cost = TOKENS | {"calls": 5, "usd": 0.0, "unsettled": 3, "cached": 2}
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST | {"cost": cost}))
    (tmp_path / "variants.jsonl").touch()
    print_summary(tmp_path)
    said = "5 calls (3 of them never reported their usage), 2 from the cache, 100 tokens, $0.0000"
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("mix", "said"), [("append", "(--per-row)"), ("balance", "(--per-row, --mix balance)")]
)
def test_only_limits_that_apply_are_named(tmp_path, capsys, mix, said):
    """Variants are left out by --per-row; --mix balance is named where labels are balanced."""
    counts = COUNTS | {"in_dataset": 3}
    manifest = MANIFEST | {"cost": TOKENS | {"calls": 0}, "counts": counts, "mix": mix}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "variants.jsonl").touch()
    print_summary(tmp_path)
    assert f"2 are not in the training set {said}" in capsys.readouterr().out


def test_what_is_left_of_a_shortcut_is_shown(tmp_path, capsys):
    """With its shares and rows, before and after."""
    manifest = MANIFEST | {"cost": TOKENS | {"calls": 0}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "variants.jsonl").touch()
    names = {"field": "text", "kind": "token", "feature": "branch", "label": "complaint"}
    after = {"rows": 297, "share": 0.795, "base": 0.5, "q": 0.0}
    figures = {"rows": 240, "share": 0.942, "base": 0.5, "after": after}
    Survey(rows=[names | figures]).save(tmp_path / "shortcuts")
    print_summary(tmp_path)
    line = "'branch' (complaint): 94 % of 240 rows → 80 % of 297 (base 50 %): still predicts it"
    assert f"shortcuts {line}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("case", "said"),
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
def test_a_shift_of_labels_is_a_caveat(tmp_path, capsys, monkeypatch, case, said):
    """More than five points, unless labels are balanced already."""
    monkeypatch.setenv("COLUMNS", "120")
    mix, after = case
    labels = {"original_labels": {"neg": 400, "pos": 400}, "result_labels": after}
    manifest = MANIFEST | {"cost": TOKENS | {"calls": 0}, "mix": mix} | labels
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "variants.jsonl").touch()
    print_summary(tmp_path)
    caveats = [line for line in capsys.readouterr().out.splitlines() if "caveat" in line]
    assert len(caveats) == bool(said)
    assert said in "".join(caveats)


def test_the_labels_of_few_rows_say_nothing():
    """One more variant of three rows is a shift by chance."""
    few = {"original_labels": {"neg": 1, "pos": 2}, "result_labels": {"neg": 2, "pos": 2}}
    many = {name: {k: 50 * n for k, n in labels.items()} for name, labels in few.items()}
    assert label_shift({"mix": "append", **few}) == []
    assert len(label_shift({"mix": "append", **many})) == 1


def test_the_settings_that_were_given_are_shown(tmp_path, capsys, monkeypatch):
    """So that a composition shows its steps and their options."""
    monkeypatch.setenv("COLUMNS", "120")
    steps = {"steps": ["swap", {"method": "eda", "options": {"alpha": 0.2}}]}
    cost = {"cost": TOKENS | {"calls": 0}}
    manifest = MANIFEST | cost | {"method": "compose", "settings": {"options": steps}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "variants.jsonl").touch()
    print_summary(tmp_path)
    shown = 'steps=["swap", {"method": "eda", "options": {"alpha": 0.2}}]'
    assert shown in capsys.readouterr().out
