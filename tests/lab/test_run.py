"""The list of benchmarks, the runner and what is stored: every result can be repeated."""

from __future__ import annotations

import doctest
import json
import sys
from argparse import Namespace
from importlib import import_module
from pathlib import Path

import pytest

from lab import run
from lab.lines import json_lines, look_up, make_tables
from lab.run import Benchmark, Listed, differences, given_inputs, results_text, run_each
from lab.tables import RESULTS, read_results

LAB = Path(run.__file__).parent
TOOLS = {"run", "grammar_sample"}
"""Programs that give no figures: the runner, and what prepares rows."""


def test_every_stored_result_can_be_repeated():
    """Its command is that of the list, or it says at which commit the command was."""
    listed = Listed.read()
    for name, result in read_results().items():
        if result["commit"] is None:
            assert result["command"] == listed.benchmarks[name].shown_command
        else:
            assert name not in listed.benchmarks
        assert result["machine"]
        assert result["versions"]["augkit"]
        assert any(result["tables"].values())


def test_the_file_of_results_is_as_it_would_be_written():
    """Else storing one result would change lines of the others."""
    assert RESULTS.read_text(encoding="utf-8") == results_text(read_results())


@pytest.mark.slow
def test_every_benchmark_is_listed():
    """Every program is on the list, and what the list names is there."""
    listed = Listed.read()
    commands = [one.command.split() for one in listed.benchmarks.values()]
    named = {words[1].removeprefix("lab.") for words in commands if words[0] == "-m"}
    programs = {
        path.stem
        for path in LAB.glob("*.py")
        if "arguments(" in path.read_text("utf-8") and "__main__" in path.read_text("utf-8")
    }
    assert named == (programs | {"demo_data"}) - TOOLS
    needs = {need for one in listed.benchmarks.values() for need in one.inputs}
    assert needs == set(listed.inputs)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lines", "panda_counts", "panda_names", "tables"])
def test_examples_in_docstrings_hold(name):
    """Pytest itself looks for examples in augkit alone."""
    found = doctest.testmod(import_module(f"lab.{name}"))
    assert found.attempted
    assert not found.failed


def asked(names, **changed):
    options = {"names": names, "given": [], "quick": False, "minutes": 1.0}
    return Namespace(**{**options, "machine": None, "versions": None, "note": None, **changed})


def test_what_is_skipped_has_a_reason(tmp_path, monkeypatch, capsys):
    """What cannot be run, takes too long or fails is named; the rest is run."""
    monkeypatch.delenv("AUGKIT_DATA", raising=False)
    scripts = {
        "good": "import json; print('note'); print(json.dumps({'accuracy': 0.5}))",
        "bad": "raise SystemExit('out of rows')",
        "silent": "print('done')",
    }
    benchmarks = {
        "long": Benchmark("long", "?", "x.py", 30),
        "data": Benchmark("data", "?", "x.py {data}", 0.1),
        "module": Benchmark("module", "?", "x.py", 0.1, needs=("none",)),
    }
    for name, code in scripts.items():
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        benchmarks[name] = Benchmark(name, "?", f"{tmp_path}/{name}.py", 0.1)
    inputs = {"data": {"text": "the datasets"}, "none": {"text": "nothing", "module": "no_such"}}
    listed = Listed(benchmarks, inputs)
    ((benchmark, tables, _),) = run_each(listed, asked(list(benchmarks)))
    assert benchmark.name == "good"
    assert tables == {"Figures": [{"figure": "accuracy", "value": 0.5}]}
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("skipped")] == [
        "skipped long: takes about 30 minutes",
        "skipped data: needs the datasets",
        "skipped module: needs nothing",
        "skipped bad: failed: out of rows",
        "skipped silent: printed no figures",
    ]


def test_inputs_are_given(monkeypatch):
    """The data folder comes from the environment, unless it is named."""
    monkeypatch.setenv("AUGKIT_DATA", "/there")
    assert given_inputs([])["data"] == "/there"
    assert given_inputs(["data=/here", "encoder=/model"])["data"] == "/here"
    one = Benchmark("one", "", "x.py --data {data}", 1, needs=("gpu",))
    assert one.inputs == ("gpu", "data")
    assert one.shown_command == "python x.py --data DATA"


def test_tables_are_made_of_lines():
    """Stars go through objects, templates join figures, and what is missing is an error."""
    lines = [
        {"arms": {"a": {"n": 1, "low": [0.5, 2]}, "b": {"n": 2, "low": [3, 4]}}, "sst2.dev": 7}
    ]
    columns = {"arm": "arm", "all": "{n} [{low.0}, {low.1}]"}
    spec = {"T": {"each": "arms.*", "names": ["arm"], "columns": columns}}
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


@pytest.mark.slow
def test_a_run_elsewhere_is_stored_and_compared(tmp_path, monkeypatch):
    """With its machine; then a figure that differs is named, and one of a time is not."""
    file = tmp_path / "results.json"
    file.write_text(results_text({}), encoding="utf-8")
    monkeypatch.setattr(run, "RESULTS", file)
    monkeypatch.setattr(run, "read_results", lambda: read_results(file))
    lines = tmp_path / "lines"
    lines.write_text('{"rows": 60, "variants": 40, "lost": 0, "twice": 0, "calls_counted": 9, '
                     '"calls_seen": 9, "refused": {}}\n', encoding="utf-8")  # fmt: skip
    words = ["run", "--store", "faults", str(lines), "--machine", "a large one", "--note", "Quiet."]
    monkeypatch.setattr(sys, "argv", words)
    run.main()
    stored = read_results(file)["faults"]
    assert (stored["machine"], stored["note"], stored["commit"]) == ("a large one", "Quiet.", None)
    benchmark = Listed.read().benchmarks["faults"]
    again = json.loads(json.dumps(stored["tables"]))
    assert list(differences(benchmark, stored["tables"], again)) == []
    again["Rows and calls"][0] |= {"accepted variants": 39, "calls that the server saw": 8}
    assert list(differences(benchmark, stored["tables"], again)) == [
        "faults: 'Rows and calls', row 1, accepted variants: stored 40, now 39"
    ]


def test_results_that_no_page_names_are_found():
    """What a page links, what stands in a comment, and what a paper's table needs are used."""
    results = read_results()
    unused = run.unused_results({**results, "nobody": {}})
    assert "nobody" in unused
    assert "head-to-head" not in unused  # papers.yaml needs it
