"""Broken files are refused with a sentence that names them, never worse, whoever reads them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
from collections import Counter

import pytest

from augkit.augmenters.contrast.edits import words_of_grammar
from augkit.commands.check.contract import load_contract
from augkit.commands.check.reports import render_report
from augkit.commands.check.run import check_data, read_baseline
from augkit.commands.sweep.settings import read_sweep, trials
from augkit.core.errors import AugkitError
from augkit.datasets.choices.load import holds_choices, load_choices
from augkit.datasets.load import load_dataset
from augkit.datasets.settings import ReadOptions
from augkit.lexicons.evaluative import read_lexicon
from augkit.llm import scripted
from augkit.llm.prices import price_of
from augkit.llm.settings import ConnectOptions
from augkit.prompts.overrides import read_prompts
from augkit.runs.estimate import estimate
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings, merge_settings
from tests.faults.cases import Limits, in_children, try_cases
from tests.faults.generator import RIGHT, Input, broken_input, right_inputs

LONGEST_MESSAGE = 10_000
LABELS = ("entailment", "contradiction", "neutral")

# --- every way to read a file ----------------------------------------------------------------


def _choices(path, options):
    reading = ReadOptions(**options)
    holds_choices(path, reading)
    load_choices(path, reading, group_column=options.get("label_column"))


def _check(path, options):
    report = check_data(str(path), None, ReadOptions(**options))
    for name in ("text", "json", "sarif"):
        render_report([report], name)


def _run_settings(path, options):
    shared = {key: value for key, value in options.items() if key in RunSettings.model_fields}
    method = ["eda", "swap", "random-edit", "mask-words"][len(options) % 4]
    return merge_settings({"method": method, "dataset": str(path), "workers": 1, **shared})


def _sweep(path, options):
    study = read_sweep(path)
    with contextlib.suppress(AugkitError):  # of the study, whatever file it is from
        trials(study)


def _prompt(path, options):
    folder = path.parent / "prompts" / "paraphrase"
    folder.mkdir(parents=True)
    path.rename(folder / path.name)
    read_prompts(folder.parent)


def _lexicon(path, options):
    read_lexicon.cache_clear()
    read_lexicon(path)


READERS = {
    "load": lambda path, options: load_dataset(path, **options),
    "choices": _choices,
    "check": _check,
    "estimate": lambda path, options: estimate(_run_settings(path, options)),
    "run": lambda path, options: run(_run_settings(path, options), path.parent / "out"),
    "config": lambda path, options: merge_settings({}, path),
    "sweep": _sweep,
    "contract": lambda path, options: load_contract(path),
    "examples": lambda path, options: read_prompts(examples=str(path)),
    "prompt": _prompt,
    "prices": lambda path, options: price_of("gpt-4o", path),
    "lexicon": _lexicon,
    "baseline": lambda path, options: read_baseline(path),
    "scripted": lambda path, options: scripted.connect(str(path), ConnectOptions()),
    "features": lambda path, options: words_of_grammar(
        path, dict(zip(LABELS, LABELS, strict=True))
    ),
}


def read(given, place):
    """Read an input, or be refused: with a message that names the file and is no book."""
    path = place / given.name
    path.write_bytes(given.content)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            READERS[given.reader](path, given.options)
    except AugkitError as error:
        message = str(error)
        # A run calls a dataset by the name of its file without endings.
        stem = path.name.partition(".")[0]
        assert path.name in message or f"{stem}: " in message, message
        assert len(message) <= LONGEST_MESSAGE, message
        return "refused"
    return "read"


# --- inputs that once failed -----------------------------------------------------------------

DEEP = "[" * 900 + "]" * 900
DEEP_TEMPLATE = f"""id: paraphrase/rewrite
version: 1
inputs: [text]
messages:
  - role: user
    content: '{{{{ {"[" * 3000} }}}}'
"""
CHOICE = '{"choices": {"text": ["a", "b"], "label": %s}, "answerKey": "%s"}'
TARGETS = '{"mc1_targets": {"choices": ["a", "b"], "labels": %s}, "question": "?"}'
ONCE_FAILED = {
    "a deep cell named by its text": ("choices", f'{{"options": ["a", {DEEP}], "answer": "a"}}'),
    "deep offsets in a text": ("spans", json.dumps({"text": "a b", "entities": DEEP})),
    "more candidates than names": ("choices", CHOICE % ('["A"]', "Z")),
    "names of places that are a number": ("choices", CHOICE % ("0.5", "A")),
    "labels that are none": ("choices", TARGETS % "true"),
    "more labels than choices": ("choices", TARGETS % "[0, 0, 1]"),
    "tags that are a number": (
        "spans",
        '{"tokens": ["a"], "entities": ["O"]}\n{"tokens": ["a"], "entities": 5}\n',
    ),
    "choices without a row": ("choices", "\n\n"),
    "a prompt that is a number": ("prompt", "5"),
    "a prompt that is a list": ("prompt", "[a, b]"),
    "features that are no UTF-8": ("features", "x" * 20_000 + "\udcff"),
    "a deep template": ("prompt", DEEP_TEMPLATE),
    "a budget that is none": ("config", "connection: {budget: lots}"),
    "a deep line of answers": ("scripted", "[" * 100_000),
    "a deep line of features": ("features", "[" * 100_000),
    "spans that are none": ("spans", '{"text": "a", "entities": "b"}'),
    "an alias in itself": ("sweep", "methods: &a [*a]\ndatasets: [x]\n"),
    "a baseline that is a list": ("baseline", "[]"),
    "fifty unknown methods": (
        "sweep",
        json.dumps({"datasets": ["x"], "methods": [f"none {n}" for n in range(50)]}),
    ),
    "a method of a long name": ("sweep", '{"datasets": ["x"], "methods": ["%s"]}' % ("x" * 20_000)),
    "a long score": (
        "choices",
        '{"completions": ["a", "b"], "scores": [1, "%s"]}' % ("x" * 20_000),
    ),
    "an id column without a name": ("id", '{"": null, "text": "a"}'),
    "an input named as an argument is": (
        "examples",
        'paraphrase/rewrite: [{"inputs": {"text": "a", "prompt": {}}, "answer": {"text": "b"}}]',
    ),
    "half a character": ("config", 'method: "\\ud800"'),
}
"""What once ended in a traceback, or in a message without the file."""
LOADED = {
    "spans": ("rows.jsonl", {"span_columns": ["entities"]}),
    "id": ("rows.jsonl", {"id_column": ""}),
}
"""What ``load`` reads: the name of the file, and options."""


@pytest.mark.parametrize("fault", ONCE_FAILED)
def test_what_once_failed_is_refused(tmp_path, fault):
    """With a message that names the file."""
    reader, text = ONCE_FAILED[fault]
    content = text.encode(errors="surrogateescape")
    if reader in RIGHT:
        given = Input(RIGHT[reader].name, content, reader)
    elif reader == "choices":
        given = Input("rows.jsonl", content, reader)
    else:
        name, options = LOADED[reader]
        given = Input(name, content, "load", options)
    assert read(given, tmp_path) == "refused"


# --- inputs drawn at random ------------------------------------------------------------------


@pytest.fixture(scope="module")
def _warm(tmp_path_factory):
    """Read right inputs in every way: inputs are refused for what was changed in them.

    And none of those that follow pays for what is imported when it is first needed.
    """
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.parquet

        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
    for given in right_inputs():
        result = read(given, tmp_path_factory.mktemp("right"))
        # Words of a grammar are those of real data.
        assert result == ("refused" if given.reader == "features" else "read"), given.reader
    # The languages are looked at where a text is not English.
    german = b'{"text": "Das war ein sehr guter Film mit ihm.", "label": "a"}'
    read(Input("rows.jsonl", german, "run"), tmp_path_factory.mktemp("german"))


@pytest.mark.slow
@pytest.mark.usefixtures("_warm")
def test_broken_inputs_are_read_or_refused(tmp_path):
    """Nothing else comes of them, in reasonable memory and time."""
    results = try_cases(
        lambda number, rng, place: read(broken_input(number, rng), place), 1000, tmp_path / "case"
    )
    tried = results.total()
    assert results["read"] > tried / 20
    assert results["refused"] > tried / 2


@pytest.mark.slow
def test_what_breaks_a_promise_is_found():
    """A wrong message, an error, the end of the process, too much memory, and no end."""
    broken = [
        lambda: pytest.fail("unnamed"),
        lambda: 1 / 0,
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        lambda: bytearray(1 << 30),
        lambda: sum(iter(int, 1)),
        signal.pause,
        lambda: None,
    ]
    attempt = lambda number: broken[number]() or "read"  # noqa: E731
    outcomes = in_children(attempt, range(len(broken)), Limits(megabytes=200, seconds=1, wait=1))
    assert [outcome.number for outcome in outcomes] == [*range(len(broken))]
    assert Counter(outcome.result for outcome in outcomes) == Counter(
        broken=2, crash=1, memory=1, hang=2, read=1
    )
    assert [bool(outcome.detail) for outcome in outcomes] == [True] * 6 + [False]
