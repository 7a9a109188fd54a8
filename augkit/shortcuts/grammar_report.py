"""What ``augkit shortcuts --by grammar`` shows and writes of a survey of trees."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.core.results import Survey
from augkit.grammars.features.feature_groups import minority_groups
from augkit.grammars.features.mutual_information import FeatureStatistics
from augkit.grammars.features.ngram_features import groups_as_ngrams
from augkit.grammars.features.survey import (
    GrammarSurvey,
    SurveyConfig,
    group_records,
    rule_records,
    significant_subtrees,
    statistics_record,
)
from augkit.grammars.model.corpus import CorpusConfig
from augkit.grammars.trees import bracketed
from augkit.shortcuts.grammar_tables import draw_groups, tables_of

CORPUS_FILE = "corpus.yaml"

_OF_NGRAMS = ("count", "share", "information", "held_out_count", "held_out_share")

_NOTE = (
    "these are candidates: a structure may be a good reason for its label, and whether a "
    "classifier should rely on it is for you to judge"
)


class GrammarReportConfig(SurveyConfig):
    """What is selected, what it is compared with, and what is shown."""

    trees: Path | None = Field(
        None, description="trees.npz of the same rows, made where there is a GPU: no training here"
    )
    compare: bool = Field(
        default=True, description="also each group as n-grams, without structure or alignment"
    )
    classifier: bool = Field(
        default=True, description="also a linear classifier's accuracy where a group is wrong"
    )
    shown: int = Field(20, ge=1, description="rows of a table; the files have all")


def report_survey(
    survey: GrammarSurvey,
    config: GrammarReportConfig,
    folder: Path | None,
    notes: Sequence[str] = (),
) -> Survey:
    """Records, tables and files of a survey of trees."""
    records = group_records(survey)
    if config.compare:
        _add_ngrams(survey, records)
    if config.classifier:
        _add_classifier(survey, records)
    ruled = rule_records(survey)
    if folder is not None:
        _write_files(survey, records, ruled, config, folder)
    return Survey(
        rows=records,
        tables=tables_of(records[: config.shown], ruled[: config.shown]),
        warnings=(*notes, _NOTE),
        about=_about(survey, config),
    )


def _add_ngrams(survey: GrammarSurvey, records: list[dict[str, Any]]) -> None:
    """Add the statistics of each group's n-grams to its record."""
    for name, (_, statistics) in group_ngrams(survey).items():
        for index, record in enumerate(records):
            whole = statistics_record(statistics, index, survey.labelled)
            record.setdefault("as", {})[name] = {key: whole[key] for key in _OF_NGRAMS}


def group_ngrams(survey: GrammarSurvey) -> dict[str, tuple[Any, FeatureStatistics]]:
    """The groups as n-grams: which rows have them, and their statistics."""
    texts = survey.corpus.encoded(survey.vocabulary)
    sides: list[Any] = (
        [list(side) for side in zip(*texts, strict=True)] if survey.corpus.is_pairs else [texts]
    )
    return groups_as_ngrams(
        survey.selected, survey.groups, sides, survey.corpus.rows(), survey.labelled
    )


def _add_classifier(survey: GrammarSurvey, records: list[dict[str, Any]]) -> None:
    """A linear classifier of the selection rows, on the held-out rows that have each group."""
    import numpy as np

    from augkit.models.classifiers.linear import train_linear

    labelled = survey.labelled
    held = np.flatnonzero(labelled.held_out)
    parted = list(zip(survey.corpus.examples, labelled.held_out, strict=True))
    model = train_linear([row for row, is_held in parted if not is_held])
    predicted = model.predict([row for row, is_held in parted if is_held]).argmax(axis=1)
    number = np.array([labelled.names.index(label) for label in model.labels])
    found = minority_groups(
        survey.groups.occurrences[held],
        survey.groups.statistics.label,
        labelled.numbers[held],
        number[predicted],
    )
    for record, minority in zip(records, found, strict=True):
        record["linear"] = asdict(minority)


def _write_files(
    survey: GrammarSurvey,
    records: Sequence[Mapping[str, Any]],
    ruled: Sequence[Mapping[str, Any]],
    config: GrammarReportConfig,
    folder: Path,
) -> None:
    if config.trees is not None:
        survey.trees.save(folder / "trees.npz")
    write_lines(folder / "features.jsonl", records)
    write_lines(folder / "rules.jsonl", ruled)
    lines = bracketed(survey.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    rows = survey.rows[survey.trees.roots]
    named = (
        f"{survey.corpus.examples[row].id}\t{line}\n" for row, line in zip(rows, lines, strict=True)
    )
    with (folder / "trees.txt").open("w", encoding="utf-8") as file:
        file.writelines(named)
    significant_subtrees(survey, config.alpha).save(folder)
    write_corpus_config(corpus_config(config), folder)
    draw_groups(records[: config.shown], survey.labelled.names, folder / "features.svg")


def corpus_config(config: CorpusConfig) -> CorpusConfig:
    """How texts are read, without the other settings."""
    return CorpusConfig(**{key: getattr(config, key) for key in CorpusConfig.model_fields})


def write_corpus_config(config: CorpusConfig, folder: Path) -> None:
    """Keep how texts are read beside what was found in them."""
    text = config.model_dump_json(indent=1)  # JSON is YAML
    (folder / CORPUS_FILE).write_text(text + "\n", encoding="utf-8")


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """One line of JSON for each record."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _about(survey: GrammarSurvey, config: GrammarReportConfig) -> dict[str, Any]:
    statistics, groups = survey.selected.statistics, survey.groups.statistics
    held = int(survey.labelled.held_out.sum())
    return {
        "rows": len(survey.corpus.examples),
        "held out": held,
        "trees": len(survey.trees.roots),
        "words": len(survey.vocabulary),
        "subtrees examined": survey.selected.examined,
        "selected": len(statistics),
        "significant": int((statistics.corrected <= config.alpha).sum()),
        "groups": len(groups),
        "significant groups": int((groups.corrected <= config.alpha).sum()),
        "correction": "holm, over those selected, on held-out rows",
        "alpha": config.alpha,
    }
