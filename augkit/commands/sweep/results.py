"""The results of a study: a row for every comparison, as JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import blake2b
from pathlib import Path

from pydantic import TypeAdapter

from augkit.commands.sweep.settings import SweepSettings, Trial, classifier_folder
from augkit.core.json_files import find_json, replacing, write_json
from augkit.core.results import Evaluation, read_evaluation
from augkit.core.types import value
from augkit.datasets.columns import RESERVED
from augkit.evaluation.run_effects import shortcut_caveats
from augkit.evaluation.verdict import compared_values, comparison_caveats
from augkit.runs.manifest import read_manifest
from augkit.runs.records import read_dataset

RESULTS = "results.json"
AGAIN = "Delete it and repeat augkit sweep, which writes it again"
_COLUMNS = (
    "trial method dataset seed options metric test score before after difference low high rows p "
    "caveats variants accepted rejected seconds usd training_set model"
).split()


@value
class StudyRow:
    """The change of one score by one trial; the fields are the keys of ``results.json``."""

    trial: str
    method: str
    dataset: str
    seed: int
    options: str
    variants: int
    accepted: int
    rejected: int
    seconds: float
    usd: float | None
    metric: str
    test: str
    score: str
    before: float
    after: float
    difference: float
    low: float
    high: float
    rows: int
    p: float
    caveats: Sequence[str]
    training_set: str
    model: str = "linear"
    """The name of the classifier."""


def read_results(folder: Path) -> list[StudyRow]:
    """The rows of ``results.json`` of a study; none where there is no such file."""
    read = TypeAdapter(list[StudyRow]).validate_python
    return find_json(folder / RESULTS, read, AGAIN) or []


def write_results(
    folder: Path, done: Iterable[tuple[Trial, Path]], study: SweepSettings
) -> list[StudyRow]:
    """Write ``results.json`` and ``results.csv``."""
    finished = list(done)
    digests = {trial.name: training_digest(path) for trial, path in finished}
    same = same_training_sets([trial for trial, _ in finished], digests)
    rows = [
        replace(row, model=entry.display_name)
        for trial, path in finished
        for entry in study.models
        if (evaluation := read_evaluation(classifier_folder(path, study, entry))) is not None
        for row in _rows(trial, path, evaluation, digests[trial.name], same.get(trial.name, ""))
    ]
    records = [asdict(row) for row in rows]
    write_json(folder / RESULTS, records)
    flat = [
        {name: record[name] for name in _COLUMNS} | {"caveats": "; ".join(record["caveats"])}
        for record in records
    ]
    with (
        replacing(folder / "results.csv") as draft,
        draft.open("w", encoding="utf-8", newline="") as out,
    ):
        writer = csv.DictWriter(out, _COLUMNS)
        writer.writeheader()
        writer.writerows(flat)
    return rows


def _rows(
    trial: Trial, folder: Path, evaluation: Evaluation, training_set: str, same: str
) -> Iterator[StudyRow]:
    """A row for each comparison of a trial; ``same`` names a line with the same training set.

    They compare the originals with the result, not with a reference that was evaluated later.
    """
    manifest = read_manifest(folder)
    caveats = [f"the result {caveat}" for caveat in shortcut_caveats(folder)]
    if not trial.changes_rows:
        caveats = []  # the rows are the originals
    elif not manifest.counts.in_dataset:
        caveats.append("0 variants: no row was changed")
    if same:
        caveats.append(
            f"on {trial.settings.dataset} the same training set as '{same}': what differs in the "
            "settings changes nothing"
        )
    main_scores: dict[str, str] = {}
    for comparison in evaluation.comparisons:
        if comparison.is_reference:
            continue
        main = main_scores.setdefault(comparison.metric, comparison.score)
        second = "" if comparison.score == main else f": {comparison.score}"
        before, after = compared_values(comparison, evaluation.results)
        yield StudyRow(
            trial=trial.name,
            method=trial.method,
            dataset=trial.settings.dataset,
            seed=trial.settings.seed,
            options=json.dumps(trial.options, sort_keys=True, default=str),
            variants=manifest.counts.in_dataset,
            accepted=manifest.counts.accepted,
            rejected=manifest.counts.rejected,
            seconds=manifest.cost.seconds,
            usd=manifest.cost.usd,
            metric=comparison.metric + second,
            test=comparison.test,
            score=comparison.score,
            before=before,
            after=after,
            difference=comparison.difference.value,
            low=comparison.difference.low,
            high=comparison.difference.high,
            rows=comparison.difference.n,
            p=comparison.p,
            caveats=[*caveats, *comparison_caveats(comparison, evaluation.results)],
            training_set=training_set,
        )


def same_training_sets(trials: Sequence[Trial], digests: Mapping[str, str]) -> dict[str, str]:
    """Trial → the first line of the table that has the same training set in every seed.

    ``digests``: trial → the digest of its training set.
    """
    lines: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        lines.setdefault((trial.settings.dataset, trial.method), []).append(trial)
    first: dict[tuple[object, ...], str] = {}
    same: dict[str, str] = {}
    for (dataset, method), line in lines.items():
        seeds = ((trial.settings.seed, digests[trial.name]) for trial in line)
        key = (dataset, str(line[0].robust), *seeds)
        if first.setdefault(key, method) != method:
            same |= {trial.name: first[key] for trial in line}
    return same


def training_digest(folder: Path) -> str:
    """A digest of the rows without augkit's own columns, which name the method's settings."""
    training_set = blake2b(digest_size=8)
    for row in read_dataset(folder):
        training_set.update(json.dumps([row[key] for key in row if key not in RESERVED]).encode())
    return training_set.hexdigest()
