"""The results of the release: pages say what is stored, tables what was measured."""

from __future__ import annotations

import ast
import json
import re
from argparse import Namespace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.release import release
from benchmarks.release.paper_figures import ours
from benchmarks.release.release import Benchmark, Table, given_inputs, json_lines, measure, rendered
from benchmarks.release.result_tables import look_up, make_tables
from benchmarks.release.results import (
    BLOCK,
    read_results,
    render_page,
    render_pages,
    table_text,
    write_result,
)

ROOT = Path(__file__).parents[2]
FIGURES = st.none() | st.integers() | st.floats(allow_nan=False) | st.text("a|*\\\n<", max_size=4)


def test_pages_are_current():
    """Every table of the docs is the one that the stored results give."""
    stale = [str(path.relative_to(ROOT)) for path in rendered(Table.read())]
    assert stale == [], "run python -m benchmarks.release.release --render"


def test_results_are_listed_and_complete():
    """A stored result belongs to a benchmark and says how to repeat it."""
    table = Table.read()
    for name, result in read_results().items():
        assert name in table.benchmarks
        assert result["command"] == table.benchmarks[name].shown_command
        assert result["machine"]
        assert result["versions"]["augkit"]
        assert any(result["tables"].values())


def test_every_benchmark_is_listed():
    """A script that prints figures is in the table of the release, and its needs are explained."""
    table = Table.read()
    folder = ROOT / "benchmarks"
    listed = {one.command.split()[1] for one in table.benchmarks.values()}
    texts = {path: path.read_text(encoding="utf-8") for path in folder.glob("*/*.py")}
    runnable = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path, text in texts.items()
        if "print_line(" in text and "__main__" in text
    }
    helpers = {"release.release", "release.grammar_sample", "research.panda_coref_train"}
    # What is of use before a rule is changed, and gives no figure of a release.
    helpers |= {
        f"research.{name}" for name in ("grammar_corners", "panda_contexts", "rules_in_turn")
    }
    assert runnable - listed - {f"benchmarks.{name}" for name in helpers} == set()
    assert {need for one in table.benchmarks.values() for need in one.inputs} <= set(table.inputs)
    assert {one.page for one in table.benchmarks.values()} <= set(table.titles)


def asked(**changed):
    options = {"only": None, "given": [], "quick": False, "minutes": 1.0}
    about = {"machine": None, "versions": None, "note": None}
    return Namespace(**{**options, **about, **changed})


def small_table(**benchmarks):
    inputs = {"data": {"text": "the datasets"}, "none": {"text": "nothing", "module": "no_such"}}
    rows = {
        name: Benchmark(name, "A question", "page", **about) for name, about in benchmarks.items()
    }
    return Table(rows, inputs, [])


def test_what_is_skipped_has_a_reason(tmp_path, monkeypatch):
    """What cannot be run, takes too long or fails is named; the rest is stored."""
    monkeypatch.delenv("AUGKIT_DATA", raising=False)
    stored = []
    monkeypatch.setattr(release, "write_result", lambda name, *_, **__: stored.append(name))
    scripts = {
        "good": "import json; print('note'); print(json.dumps({'accuracy': 0.5}))",
        "bad": "raise SystemExit('out of rows')",
        "silent": "print('done')",
    }
    for name, code in scripts.items():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    table = small_table(
        good={"command": f"{tmp_path}/good.py", "minutes": 0.1},
        bad={"command": f"{tmp_path}/bad.py", "minutes": 0.1},
        silent={"command": f"{tmp_path}/silent.py", "minutes": 0.1},
        long={"command": "x.py", "minutes": 30},
        data={"command": "x.py {data}", "minutes": 0.1},
        module={"command": "x.py", "minutes": 0.1, "needs": ("none",)},
    )
    assert measure(table, asked()) == {
        "bad": "failed: out of rows",
        "silent": "printed no figures",
        "long": "takes about 30 minutes",
        "data": "needs the datasets",
        "module": "needs nothing",
    }
    assert stored == ["good"]


def test_inputs_are_given(monkeypatch):
    """The data folder comes from the environment, unless it is named."""
    monkeypatch.setenv("AUGKIT_DATA", "/there")
    assert given_inputs([])["data"] == "/there"
    assert given_inputs(["data=/here", "encoder=/model"])["data"] == "/here"
    one = Benchmark("one", "", "", "x.py --data {data}", 1, needs=("gpu",))
    assert one.inputs == ("gpu", "data")
    assert one.shown_command == "python x.py --data DATA"


def test_tables_are_made_of_lines():
    """Stars go through objects, templates join figures, and what is missing is an error."""
    lines = [
        {"arms": {"a": {"n": 1, "low": [0.5, 2]}, "b": {"n": 2, "low": [3, 4]}}, "sst2.dev": 7}
    ]
    spec = {
        "T": {
            "each": "arms.*",
            "names": ["arm"],
            "columns": {"arm": "arm", "all": "{n} [{low.0}, {low.1}]"},
        }
    }
    assert make_tables(lines, spec) == {
        "T": [{"arm": "a", "all": "1 [0.5, 2]"}, {"arm": "b", "all": "2 [3, 4]"}]
    }
    assert look_up(lines[0], "sst2.dev") == 7
    assert look_up(lines[0], "{arms.c?} of {arms.d?}") is None
    assert look_up({"right": 0.9917, "%": 3}, "{right%} %, {%}, {wrong?%}") == "99.2 %, 3, -"
    with pytest.raises(KeyError, match=r"no 'arms\.c'"):
        look_up(lines[0], "arms.c")
    assert make_tables(lines, {})["Figures"][0] == {"figure": "arms a n", "value": 1}
    assert json_lines('progress\n{"a": 1}\n') == [{"a": 1}]


@settings(max_examples=50, deadline=None)
@given(rows=st.lists(st.dictionaries(st.sampled_from("ab"), FIGURES, min_size=1), min_size=1))
def test_a_table_has_a_cell_for_every_column(rows):
    """Whatever is in the cells, every line of the table has the same number of them."""
    lines = table_text(rows).split("\n")
    assert len(lines) == len(rows) + 2
    columns = len({key for row in rows for key in row})
    assert {line.replace("\\|", "").count("|") for line in lines} == {columns + 1}


def test_a_stored_result_comes_back_in_a_page(tmp_path):
    """A new result gets a block on its page; a second rendering changes nothing; prose stays."""
    folder = tmp_path / "results" / "0.1.0"
    tables = {"T": [{"a|b": 1.5}]}
    write_result("one", "python x.py", tables, copied=True, note="A note.", folder=folder)
    assert json.loads((folder / "one.json").read_text(encoding="utf-8"))["versions"]["augkit"]
    page = tmp_path / "page.md"
    page.write_text("Before.\n\n<!-- result: one / T -->\n<!-- end result -->\n\nAfter.\n", "utf-8")
    pages = {"topic": {"one": "A question"}}
    changed = render_pages(pages, {"topic": "A topic"}, {}, tmp_path)
    assert set(changed) == {page, folder / "topic.md"}
    assert "| 1.5 |" in changed[page]
    assert changed[page].startswith("Before.")
    assert changed[page].endswith("After.\n")
    assert "## A question" in changed[folder / "topic.md"]
    assert "Measured before this release on" in changed[folder / "topic.md"]
    assert "A note." in changed[folder / "topic.md"]
    for path, text in changed.items():
        path.write_text(text, "utf-8")
    assert render_pages(pages, {"topic": "A topic"}, {}, tmp_path) == {}
    with pytest.raises(KeyError, match="no result 'two'"):
        render_page("<!-- result: two -->\n<!-- end result -->", {}, {})


def test_papers_figures_are_looked_up():
    """Our figure beside a paper's is that of a stored result; what is not there is an error."""
    rows = [{"arm": "coba", "seed": "0", "n": 1}, {"arm": "coba", "seed": "1", "n": 87.25}]
    results = {"r": {"tables": {"T": rows}}}
    entry = {"table": "3", "ours": "IMDb {a}", "figures": {"a": ["r", "T", ["coba", "1"], "n"]}}
    assert ours(entry, results) == "IMDb 87.25"
    assert ours({"table": "4"}, results) is None
    with pytest.raises(KeyError, match="no row"):
        ours({**entry, "figures": {"a": ["r", "T", "panda", "n"]}}, results)
    with pytest.raises(KeyError, match="does not use b"):
        ours({**entry, "figures": {**entry["figures"], "b": ["r", "T", "coba", "n"]}}, results)


FIGURE = re.compile(r"\d\.\d|\d %")


def test_no_figure_of_ours_is_typed():
    """Neither in the text beside a paper's table, nor in the prose of the page."""
    for entry in Table.read().papers:
        text = re.sub(r"\{\w+\}", "", entry.get("ours", ""))
        assert not FIGURE.search(text), entry["table"]
        assert "ours" in entry or entry["conclusion"].startswith(("not measured", "no stored"))
    for page in (ROOT / "docs" / "results").glob("reproductions*.md"):
        prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
        assert not FIGURE.search(re.sub(r"\]\([^)]*\)", "]", prose)), page


def defined(path: Path) -> set[str]:
    """The names at the top level of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return names


def test_benchmarks_import_what_exists():
    """Every name that a benchmark imports from augkit or from another benchmark is there."""
    folder, missing = ROOT / "benchmarks", []
    known: dict[Path, set[str]] = {}
    for script in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module in {
                None,
                "augkit",
                "__future__",
            }:
                continue
            inside = ROOT / node.module.replace(".", "/")
            places = [
                inside.with_suffix(".py"),
                inside / "__init__.py",
                folder / f"{node.module}.py",
            ]
            for path in filter(Path.exists, places):
                names = known[path] = known.get(path) or defined(path)
                missing += [
                    (script.name, f"{node.module}.{alias.name}")
                    for alias in node.names
                    if alias.name not in names and not (inside / f"{alias.name}.py").exists()
                ]
    assert missing == []
