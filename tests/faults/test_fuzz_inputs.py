"""``benchmarks/release/fuzz_inputs.py``: broken inputs are refused with a sentence, never worse."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

fuzz_inputs = pytest.importorskip("benchmarks.release.fuzz_inputs")
fuzz_cases = pytest.importorskip("benchmarks.release.fuzz_cases")

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
DEEP = "[" * 900 + "]" * 900
DEEP_TEMPLATE = f"""id: paraphrase/rewrite
version: 1
inputs: [text]
messages:
  - role: user
    content: '{{{{ {"[" * 3000} }}}}'
"""
CORPUS = {
    "a deep cell named by its text": (
        *("choices", "a.jsonl"),
        f'{{"options": ["a", {DEEP}], "answer": "a"}}',
    ),
    "deep offsets in a text": ("load", "a.jsonl", json.dumps({"text": "a b", "entities": DEEP})),
    "more candidates than names": (
        *("choices", "a.jsonl"),
        json.dumps({"choices": {"text": ["a", "b"], "label": ["A"]}, "answerKey": "Z"}),
    ),
    "names of places that are a number": (
        *("choices", "a.jsonl"),
        json.dumps({"choices": {"text": ["a", "b"], "label": 0.5}, "answerKey": "A"}),
    ),
    "labels that are none": (
        *("choices", "a.jsonl"),
        json.dumps({"mc1_targets": {"choices": ["a", "b"], "labels": True}, "question": "?"}),
    ),
    "more labels than choices": (
        *("choices", "a.jsonl"),
        json.dumps({"mc1_targets": {"choices": ["a", "b"], "labels": [0, 0, 1]}}),
    ),
    "tags that are a number": (
        *("load", "a.jsonl"),
        '{"tokens": ["a"], "entities": ["O"]}\n{"tokens": ["a"], "entities": 5}\n',
    ),
    "choices without a row": ("choices", "a.jsonl", "\n\n"),
    "a prompt that is a number": ("prompt", "a.yaml", "5"),
    "a prompt that is a list": ("prompt", "a.yaml", "[a, b]"),
    "features that are no UTF-8": ("features", "a.jsonl", "x" * 20_000 + "\udcff"),
    "a deep template": ("prompt", "a.yaml", DEEP_TEMPLATE),
    "a budget that is none": ("config", "a.yaml", "connection: {budget: lots}"),
    "a deep line of answers": ("scripted", "a.jsonl", "[" * 100_000),
    "a deep line of features": ("features", "a.jsonl", "[" * 100_000),
    "a tag that is none": ("load", "a.conll", "a X\nb Y\n"),
    "spans that are none": ("load", "a.jsonl", '{"text": "a", "label": "b"}'),
    "an alias in itself": ("sweep", "a.yaml", "methods: &a [*a]\ndatasets: [x]\n"),
    "a baseline that is a list": ("baseline", "a.json", "[]"),
    "fifty unknown methods": (
        *("sweep", "a.yaml"),
        json.dumps({"datasets": ["x"], "methods": [f"none {n}" for n in range(50)]}),
    ),
    "a method of a long name": (
        *("sweep", "a.yaml"),
        json.dumps({"datasets": ["x"], "methods": ["x" * 20_000]}),
    ),
    "a long tag": ("load", "a.conll", f"a X{'x' * 20_000}\n"),
    "a long score": (
        *("choices", "a.jsonl"),
        json.dumps({"completions": ["a", "b"], "scores": [1, "x" * 20_000]}),
    ),
    "an id column without a name": ("load", "a.jsonl", '{"": null, "text": "a"}'),
    "an input named as an argument is": (
        *("examples", "a.yaml"),
        'paraphrase/rewrite: [{"inputs": {"text": "a", "prompt": {}}, "answer": {"text": "b"}}]',
    ),
    "half a character": ("config", "a.yaml", 'method: "\\ud800"'),
}
"""What once ended in a traceback, or in a message without the file."""


@pytest.mark.parametrize("name", CORPUS)
def test_what_once_failed_is_refused(tmp_path, name):
    """With a message that names the file."""
    reader, file, text = CORPUS[name]
    options = {"span_columns": ["entities"]} if "entities" in text else {}
    options = {"span_columns": ["label"]} if name == "spans that are none" else options
    options = {"id_column": ""} if name == "an id column without a name" else options
    case = fuzz_cases.Case("corpus", file, text.encode(errors="surrogateescape"), reader, options)
    result, message = fuzz_inputs.outcome(case, tmp_path / "case")
    assert result == "refused", message


def test_right_inputs_are_read(tmp_path):
    """Inputs are refused for what was changed in them, not for what they were."""
    results = Counter(
        fuzz_inputs.outcome(fuzz_cases.Case("", name, content, reader), tmp_path / "case")[0]
        for reader, name, content in fuzz_cases.right_inputs()
        if reader != "features"  # words of a grammar of real data
    )
    assert results == {"read": len(fuzz_cases.right_inputs()) - 1}


def test_an_input_is_the_same_every_time():
    """A number of a seed is one file, whichever came before it."""
    numbers = [*range(60), *range(60)]
    made = [fuzz_cases.case_of(5, number) for number in numbers]
    assert made[:60] == made[60:]
    assert len({case.content for case in made}) > 50


def test_what_breaks_a_promise_is_counted(tmp_path, monkeypatch):
    """A traceback, an error without the file, a crash, a hang and too much memory; and mended."""
    broken = {
        0: lambda: 1 / 0,
        1: lambda: os.kill(os.getpid(), signal.SIGKILL),
        2: lambda: bytearray(1 << 30),
        3: lambda: [None for _ in iter(int, 1)],
    }

    def read(path, options):
        del path
        broken[options["number"]]()

    monkeypatch.setitem(fuzz_inputs.READERS, "load", read)
    monkeypatch.setattr(fuzz_inputs, "prepare", lambda: None)
    monkeypatch.setattr(fuzz_inputs, "CHUNK", 2)
    case = fuzz_cases.Case
    monkeypatch.setattr(
        fuzz_inputs,
        "case_of",
        lambda _, n: case(f"kind {n}", "a.jsonl", b"", "load", {"number": n}),
    )
    state = tmp_path / "state.jsonl"
    limits = fuzz_inputs.Limits(workers=2, megabytes=200, seconds=2)
    tally = fuzz_inputs.fuzz(2, limits=limits, state=state)
    assert tally.total() == 2
    tally = fuzz_inputs.fuzz(4, limits=limits, state=state)  # the fourth would never end
    expected = {"kind 0": "traceback", "kind 1": "crash", "kind 2": "memory"}
    assert {kind: [*counted] for kind, counted in tally.counts.items() if kind != "kind 3"} == {
        kind: [result] for kind, result in expected.items()
    }
    assert set(tally.counts["kind 3"]) <= {"hang", "memory"}
    assert len(state.read_text().splitlines()) == 4  # the failed ones of before ran again
    broken.update(dict.fromkeys(broken, lambda: None))
    for _ in range(2):
        tally = fuzz_inputs.fuzz(4, limits=limits, state=state)
        assert (tally.total("read"), tally.failures) == (4, [])
        assert len(state.read_text().splitlines()) == 6  # what was mended, and nothing twice


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8, 9, 10])
def test_broken_inputs_keep_the_promise(seed):
    """A part of the million, 20,000 inputs of other seeds than the benchmark's."""
    tally = fuzz_inputs.fuzz(5000, seed=seed, limits=fuzz_inputs.Limits(workers=2))
    assert tally.failures == []
    assert tally.total() == 5000
    assert tally.total("read") > 500
    assert tally.total("refused") > 2500
    assert set(tally.counts) >= set(fuzz_cases.KINDS)
