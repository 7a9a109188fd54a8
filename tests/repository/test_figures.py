"""Figures in the text of the pages are among the stored results that their marks name."""

import docs_figures
import pytest
from docs_style import pages


def test_figures_are_stored_results():
    """Every figure of a marked block is a stored value; the pages of results have only such."""
    faults = []
    for page in pages():
        name = page.relative_to(docs_figures.ROOT)
        faults += [f"{name}, {fault}" for fault in docs_figures.figure_faults(page)]
    assert not faults, "\n".join(faults)


@pytest.fixture
def faults(tmp_path, monkeypatch):
    """What is found on a page of results with this text; one result has the values below."""
    row = {"method": "coba", "accuracy": 88.75, "share": 0.532, "gain": "-3.6 [-6.0, 1.2]"}
    results = {"coba-imdb": {"tables": {"Accuracy": [row, {"range": [7.25, 9]}]}}}
    monkeypatch.setattr(docs_figures, "ROOT", tmp_path)
    monkeypatch.setattr(docs_figures, "stored_results", lambda: results)
    docs_figures.result_values.cache_clear()
    page = tmp_path / "docs" / "results" / "page.md"
    page.parent.mkdir(parents=True)

    def find(text):
        page.write_text(text, encoding="utf-8")
        return list(docs_figures.figure_faults(page))

    yield find
    docs_figures.result_values.cache_clear()


MARK = "<!-- figures: coba-imdb -->\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{MARK}It reaches 88.8 %, or 89 per cent, a loss of 3.6 points (6.0, 1.2); 7.3 and 9.0.",
        f"{MARK}| a | b |\n| --- | --- |\n| 53.2 % | 0.53 |",
        f"{MARK}- 88.75\n- 7.25",
        "Two of 3 rows, 1,200 texts, `0.4`, version 0.1.0, Qwen2.5, GPT-3.5, § 3.2, Python 3.13.",
        "## 1.5 is a heading\n\n[A table of 2.5](../../lab/results.json#coba-imdb)",
        "A model of 1.5 billion parameters, with 95 % paired bootstrap intervals.",
        "It prints 48.8 %.\n\n```text\naccuracy 48.8%\n```",
        "<!-- figures: not stored: counted by hand -->\nIt is 99.9 %.",
    ],
)
def test_a_stored_figure_passes(faults, text):
    """It may be rounded, shown in per cent or without its sign; names and code are no figures."""
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"Words.\n\n{MARK}It reaches 88.9 % and 0.54.", "line 3: not in coba-imdb: 88.9, 0.54"),
        (f"{MARK}A gain of 85.2 points.", "line 1: not in coba-imdb: 85.2"),
        ("- a\n- 12 %", "line 1: figures without a mark: 12"),
        ("<!-- figures: coba -->\nNothing.", "line 1: no result has the name coba"),
        (f"{MARK}\nIt is 88.8 %.", "line 1: a mark stands on the line above"),
    ],
)
def test_another_figure_is_named(faults, text, fault):
    """A figure that is no stored value, one without a mark, and a mark that marks nothing."""
    assert faults(text)[0].startswith(fault)
