"""Tables of stored results on pages, and the papers' tables beside ours."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.tables import fill, our_text, read_papers, read_results, table_text

CELLS = st.none() | st.integers() | st.floats(allow_nan=False) | st.text("a|*\\\n<", max_size=4)
RESULTS = {
    "one": {
        "command": "python -m lab.one", "commit": None, "date": "2026-11-19", "machine": "a box",
        "versions": {}, "seed": 0, "minutes": 1, "note": "A note.",
        "tables": {"First": [{"a|b": 1.5}], "Second, in %": [{"arm": "coba", "n": 87.25}]},
    },
    "gone": {
        "command": "python -m benchmarks.gone", "commit": "d3341e1c", "date": None,
        "machine": "a box", "versions": {}, "seed": None, "minutes": None, "note": None,
        "tables": {"Third": [{"n": 3}]},
    },
}  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(rows=st.lists(st.dictionaries(st.sampled_from("ab"), CELLS, min_size=1), min_size=1))
def test_a_table_has_a_cell_for_every_column(rows):
    """Whatever is in the cells, every line of the table has the same number of them."""
    lines = table_text(rows).split("\n")
    assert len(lines) == len(rows) + 2
    columns = len({key for row in rows for key in row})
    assert {line.replace("\\|", "").count("|") for line in lines} == {columns + 1}


def test_a_paragraph_that_is_a_link_becomes_its_tables():
    """One table by its title, all by the name; how it was measured stands below, once."""
    one = fill("Before.\n\n[First](../../lab/results.json#one)\n\nAfter.\n", RESULTS)
    assert one == (
        "Before.\n\n**First**\n\n| a\\|b |\n| --- |\n| 1.5 |\n\nMeasured 2026-11-19 on a box by "
        "`python -m lab.one`, seed 0. A note.\n\nAfter.\n"
    )
    both = fill("[one](lab/results.json#one)", RESULTS)
    assert both.index("**First**") < both.index("**Second, in %**")
    assert both.count("Measured") == 1
    gone = fill("[Third](lab/results.json#gone)", RESULTS)
    assert "before this release on a box by `python -m benchmarks.gone` at commit d3341e1c." in gone


def test_other_links_and_code_stay():
    """A link inside of a sentence, one in a list, and one in a block of code."""
    text = (
        "See [one](../lab/results.json#one).\n\n- [one](../lab/results.json#one)\n\n"
        "```text\n\n[one](../lab/results.json#one)\n\n```\n\n[other](page.md#one)\n"
    )
    assert fill(text, RESULTS) == text


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("[onne](lab/results.json#onne)", "no result 'onne'; there is: one"),
        ("[Frist](lab/results.json#one)", "no table of 'one' 'Frist'; there is: First"),
        ("[x](lab/papers.yaml#x)", "no paper 'x'; there are: a"),
    ],
)
def test_what_is_not_stored_is_named(link, message):
    """With what is like it."""
    with pytest.raises(KeyError, match=re.escape(message)):
        fill(link, RESULTS, [{"paper": "a"}])


ENTRY = {
    "paper": "p", "table": "3", "reports": "80 → 90", "ours": "IMDb {a}", "conclusion": "in kind",
    "figures": {"a": ["one", "Second, in %", "coba", "n"]},
}  # fmt: skip


def test_a_papers_figures_are_looked_up():
    """Our figure beside a paper's is that of a stored result; what is not there is an error."""
    shown = fill("[p](../../lab/papers.yaml#p)\n", RESULTS, [ENTRY])
    assert "| 3 | 80 → 90 | IMDb 87.25 | in kind |" in shown
    assert "`one` 2026-11-19" in shown
    assert our_text({"table": "4"}, RESULTS) is None
    with pytest.raises(KeyError, match="no row"):
        our_text({**ENTRY, "figures": {"a": ["one", "Second, in %", "panda", "n"]}}, RESULTS)
    with pytest.raises(KeyError, match="does not use b"):
        our_text(
            {**ENTRY, "figures": {**ENTRY["figures"], "b": ["one", "First", [], "n"]}}, RESULTS
        )


@pytest.mark.slow
def test_every_papers_table_is_made_and_no_figure_of_ours_is_typed():
    """The text beside a paper's table has no number of its own."""
    papers, results = read_papers(), read_results()
    for entry in papers:
        text = re.sub(r"\{\w+\}", "", entry.get("ours", ""))
        assert not re.search(r"\d\.\d|\d %", text), entry["table"]
        assert "ours" in entry or entry["conclusion"].startswith(("not measured", "no stored"))
    for paper in {entry["paper"] for entry in papers}:
        assert fill(f"[{paper}](lab/papers.yaml#{paper})", results).startswith("| table |")


def test_the_build_of_the_docs_needs_nothing_but_yaml():
    """No package of augkit's is imported by the module that the build uses."""
    code = "import sys, lab.tables; print('augkit' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
