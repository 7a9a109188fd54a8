"""``scores.json``: the results and the verdict; ``predictions.jsonl``: what they come from."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

from augkit.commands.evaluate.choices import reads_choices
from augkit.commands.evaluate.evaluate import Measured, Record, measure
from augkit.commands.evaluate.evaluation_sets import check_test_set, reading_for
from augkit.commands.evaluate.settings import (
    EvaluateSettings,
    LLMClassifierConfig,
    create_metrics,
)
from augkit.commands.tested_llm import folder_for, open_tested
from augkit.core.errors import ConfigError, DataError
from augkit.core.json_files import write_json, write_json_lines
from augkit.core.results import SCORES_FILE, Comparison, Evaluation, read_evaluation
from augkit.datasets.load import open_dataset
from augkit.datasets.lookup import local_splits, parse_spec
from augkit.datasets.scan import scan_dataset
from augkit.datasets.settings import ReadOptions
from augkit.evaluation.llm_answers import Answers
from augkit.evaluation.run_effects import replacement, shortcut_lines
from augkit.evaluation.verdict import verdict, with_replacement
from augkit.runs.estimate import Recorder, priced
from augkit.runs.manifest import FILE, read_manifest
from augkit.runs.settings import RunSettings

PREDICTIONS = "predictions.jsonl"
_ASKED = (
    "tests",
    "ood",
    "metrics",
    "method",
    "options",
    "limit",
    "sample",
    "seed",
    "tested_llm",
    "reading",
)
"""Settings that shape the questions: with others, the replies are kept in another folder."""


def evaluate_run(settings: EvaluateSettings) -> Evaluation:
    """Evaluate; write ``scores.json`` and ``predictions.jsonl`` where there is a folder for them.

    The verdict on a run has what is left of its shortcuts before the caveats: a test set may
    improve while a shortcut still predicts the label, or while another one took its place.
    """
    if settings.tested_llm is None:
        measured = measure(settings)
    else:
        config = _llm_config(settings)
        kept_in = _llm_folder(settings, config)  # the same settings continue where they stopped
        with open_tested(config, settings.connection, kept_in) as answers:
            measured = measure(settings, answers)
    folder = scores_folder(settings)
    records = measured.records
    sentences = verdict(records)
    if settings.run is not None and (open_line := read_manifest(settings.run).counts.open_line):
        sentences["caveats"] = [f"the run is not complete: {open_line}", *sentences["caveats"]]
    compared = any(isinstance(record, Comparison) for record in records)
    if folder is not None and compared and (lines := shortcut_lines(folder)):
        caveats = sentences.pop("caveats")
        sentences = with_replacement(sentences, replacement(folder))
        sentences |= {"shortcuts": lines, "caveats": caveats}
    evaluation = Evaluation(sentences, records)
    if folder is not None:
        _write(folder, evaluation, measured)
    return evaluation


def _write(folder: Path, evaluation: Evaluation, measured: Measured) -> None:
    """Write the files; what an earlier evaluation measured and this one does not is named."""
    try:
        earlier = read_evaluation(folder)
    except DataError:
        earlier = None
    measurements = [_measurement(record) for record in evaluation.records]
    replaced = dict.fromkeys(_measurement(record) for record in earlier.records) if earlier else {}
    if lost := [name for name in replaced if name not in measurements]:
        logging.getLogger(__name__).warning(
            "%s: the earlier scores are replaced (%s)", folder / SCORES_FILE, ", ".join(lost)
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / SCORES_FILE, evaluation.as_json())
    write_json_lines(folder / PREDICTIONS, measured.predictions)
    if not measured.predictions:  # those of an earlier evaluation are not its own
        (folder / PREDICTIONS).unlink()


def _measurement(record: Record) -> str:
    """The metric and the test set; of a reference also its name, which may change."""
    name = record.second if isinstance(record, Comparison) else record.train
    return f"{record.metric}{f' of {name}' if record.is_reference else ''} on {record.test}"


def scores_files(settings: EvaluateSettings) -> list[Path]:
    """The files that ``evaluate_run`` has written."""
    folder = scores_folder(settings)
    files = [] if folder is None else [folder / SCORES_FILE, folder / PREDICTIONS]
    return [path for path in files if path.exists()]


def scores_folder(settings: EvaluateSettings) -> Path | None:
    """Where the results are written; None: nowhere."""
    if settings.tested_llm is not None:
        return _llm_folder(settings, settings.tested_llm)
    return settings.out or settings.run


def planned_tests(
    settings: RunSettings, tests: Sequence[str]
) -> Callable[[Path], EvaluateSettings]:
    """What to measure once a run is done; a faulty test set is an error before the run starts.

    The test sets are those given, or all splits of the dataset that are not for training. A file
    has no splits, so its test set must be named; of choices, a part is held out instead. One
    classifier is trained on the originals and one on the result; ``augkit evaluate`` shows the
    spread over several.
    """
    choices = reads_choices(settings.method, settings.options)
    reading = ReadOptions(data_folder=settings.data_folder, choices=choices)
    chosen = chosen_tests(settings, tests)
    labels: Collection[str | None] = ()
    if chosen and not choices:
        with suppress(DataError):  # the run says what is wrong with its dataset
            as_run = reading_for(settings.dataset, reading, settings)
            labels = scan_dataset(open_dataset(settings.dataset, as_run)).labels
    for test in chosen:
        check_test_set(test, reading_for(test, reading, settings), labels, settings.dataset)
    return lambda folder: EvaluateSettings(run=folder, tests=chosen, reading=reading, seeds=0)


def chosen_tests(settings: RunSettings, tests: Sequence[str]) -> tuple[str, ...]:
    """The test sets given, or all splits of the dataset that are not for training."""
    reading = ReadOptions(data_folder=settings.data_folder)
    chosen = tuple(tests) or test_splits(settings.dataset, reading)
    if not chosen and not reads_choices(settings.method, settings.options):
        raise ConfigError(
            f"--evaluate: no test split of '{settings.dataset}' on this machine. Name a test set "
            "with --test DATASET, as in --test my-test.csv"
        )
    return chosen


def test_splits(dataset: str, reading: ReadOptions) -> tuple[str, ...]:
    """The splits of a dataset that are neither named in it nor for training; a file has none.

    Those of a run folder are those of the dataset that was augmented.
    """
    if (Path(dataset) / FILE).is_file():
        dataset = str(read_manifest(Path(dataset)).settings["dataset"])
    spec = parse_spec(dataset)
    if isinstance(spec, Path):
        return ()
    splits = [split for split in local_splits(spec.name, reading) if split not in spec.splits]
    return tuple(f"{spec.name}:{split}" for split in splits if "train" not in split)


def estimate_llm(settings: EvaluateSettings) -> dict[str, object]:
    """Calls, tokens and money: all questions are made and none is asked."""
    config = _llm_config(settings)
    recorder = Recorder()
    answers = Answers(recorder, config)
    measure(settings, answers)
    return {
        "model": config.spec,
        "tests": ", ".join(settings.tests),
        "metrics": ", ".join(settings.metrics),
        "questions": f"{answers.summary().questions:,}, each in up to {config.orders} orders",
        **priced(recorder.cost, config.spec, settings.connection).describe(),
        "budget": settings.connection.budget or "none (--budget sets a hard limit)",
    }


def _llm_folder(settings: EvaluateSettings, config: LLMClassifierConfig) -> Path:
    """The folder that is named, or the one that belongs to these settings."""
    asked = settings.model_dump(mode="json", include=set(_ASKED))
    return settings.out or folder_for("evaluate", config.spec, asked)


def _llm_config(settings: EvaluateSettings) -> LLMClassifierConfig:
    create_metrics(settings)  # an error now, before a folder is made
    if settings.tested_llm is None:
        raise ConfigError("--dry-run is for an LLM under test: --model llm:openai:NAME")
    return settings.tested_llm
