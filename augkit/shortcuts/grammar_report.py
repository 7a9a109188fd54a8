"""What ``augkit shortcuts --by grammar`` shows and writes of a survey of trees."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from augkit.core.results import Survey, Table
from augkit.core.types import Example
from augkit.grammars.features.feature_groups import minority_groups
from augkit.grammars.features.local_explanations import RuleEvidence, count_rules
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
from augkit.grammars.trees import bracketed, drawn
from augkit.shortcuts.grammar_chart import groups_chart

CORPUS_FILE = "corpus.yaml"

_TABLE_PATTERNS = 5
"""Patterns of a group that are named."""
_LONGEST_NAME = 44
_TABLE_RULES = 5
_LONGEST_RULE = 24
_WIDTH = 78
"""Rules of an explanation, the characters of a rule, and those of a line."""
_OF_NGRAMS = ("count", "share", "information", "held_out_count", "held_out_share")

_NOTE = (
    "these are candidates: a structure may be a good reason for its label, and whether a "
    "classifier should rely on it is for you to judge"
)


class GrammarReportConfig(SurveyConfig):
    """What is selected, what it is compared with, and what is shown."""

    trees: Path | None = Field(
        None,
        description="trees.npz of the same rows, made where there is a GPU: no training here",
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
    rules = rule_records(survey)
    if folder is not None:
        _write_files(survey, records, rules, config, folder)
    return Survey(
        rows=records,
        tables=_tables(records[: config.shown], rules[: config.shown]),
        warnings=(*notes, _NOTE),
        about=_about(survey, config),
    )


def _add_ngrams(survey: GrammarSurvey, records: list[dict[str, Any]]) -> None:
    """Add the statistics of each group's n-grams to its record."""
    corpus = survey.corpus
    texts = corpus.encoded(survey.vocabulary)
    sides: list[Any] = (
        [list(side) for side in zip(*texts, strict=True)] if corpus.is_pairs else [texts]
    )
    as_ngrams = groups_as_ngrams(
        survey.selected, survey.groups, sides, corpus.rows(), survey.labelled
    )
    for name, (_, statistics) in as_ngrams.items():
        for index, record in enumerate(records):
            whole = statistics_record(statistics, index, survey.labelled)
            record.setdefault("as", {})[name] = {key: whole[key] for key in _OF_NGRAMS}


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
    minorities = minority_groups(
        survey.groups.occurrences[held],
        survey.groups.statistics.label,
        labelled.numbers[held],
        number[predicted],
    )
    for record, minority in zip(records, minorities, strict=True):
        record["linear"] = asdict(minority)


def _write_files(
    survey: GrammarSurvey,
    records: Sequence[Mapping[str, Any]],
    rules: Sequence[Mapping[str, Any]],
    config: GrammarReportConfig,
    folder: Path,
) -> None:
    if config.trees is not None:
        survey.trees.save(folder / "trees.npz")
    write_lines(folder / "features.jsonl", records)
    write_lines(folder / "rules.jsonl", rules)
    lines = bracketed(survey.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    rows = survey.rows[survey.trees.roots]
    named = (
        f"{survey.corpus.examples[row].id}\t{line}\n" for row, line in zip(rows, lines, strict=True)
    )
    with (folder / "trees.txt").open("w", encoding="utf-8") as file:
        file.writelines(named)
    significant_subtrees(survey, config.alpha).save(folder)
    count_rules(survey.trees, survey.rows, survey.labelled).save(folder)
    write_corpus_config(corpus_config(config), folder)
    drawing = groups_chart(records[: config.shown], survey.labelled.names)
    (folder / "features.svg").write_text(drawing, encoding="utf-8")


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


@dataclass(frozen=True)
class ExplainedRow:
    """A wrong prediction: the rules of the row's tree, and the words that are most salient."""

    row: Example
    predicted: str
    salient: Sequence[str]
    rules: Sequence[RuleEvidence]
    trees: Sequence[Any] = ()
    """Those of its sentences, of nltk, where they are to be drawn."""

    def record(self) -> dict[str, Any]:
        """All of it as plain values."""
        record = {
            "id": self.row.id,
            "fields": dict(self.row.fields),
            "label": self.row.label,
            "predicted": self.predicted,
            "salient": list(self.salient),
            "rules": [asdict(rule) for rule in self.rules],
        }
        lines = [" ".join(str(tree).split()) for tree in self.trees]
        return record | ({"trees": lines} if lines else {})

    def table(self) -> Table:
        """The first rules, under the texts, the labels, the salient words and the trees."""
        lines = [
            f"{self.row.id}: predicted {self.predicted}, labelled {self.row.label}",
            *(f"{field}: {text}" for field, text in self.row.fields.items()),
            f"salient words: {', '.join(self.salient) or 'none'}",
        ]
        shown = [
            (
                rule.rule if len(rule.rule) <= _LONGEST_RULE else f"{rule.rule[:_LONGEST_RULE]}…",
                textwrap.shorten(rule.words, _LONGEST_NAME, placeholder=" …"),
                f"{rule.predicted:,}",
                f"{rule.gold:,}",
                f"{rule.ratio:.2g}",
            )
            for rule in self.rules[:_TABLE_RULES]
        ]
        filled = [textwrap.fill(line, _WIDTH, subsequent_indent="  ") for line in lines]
        title = "\n".join([*filled, *(f"\n{drawn(tree, _WIDTH)}" for tree in self.trees)])
        header = ("rule", "words", f"in {self.predicted}", f"in {self.row.label}", "ratio")
        return Table(title, header, shown)


def _about(survey: GrammarSurvey, config: GrammarReportConfig) -> dict[str, Any]:
    statistics = survey.selected.statistics
    groups = survey.groups.statistics
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


def _tables(
    records: Sequence[Mapping[str, Any]], rules: Sequence[Mapping[str, Any]]
) -> tuple[Table, ...]:
    """The groups, the rules and, where there is one, a classifier on the groups."""
    header = ("root", "label", "patterns", "rows", "share", "held-out share", "corrected p")
    lines = [
        (str(record["root"]), record["label"], _patterns(record), *_figures(record))
        for record in records
    ]
    tables = [Table("Subtrees by root and label, strongest first", header, lines)]
    header = ("rule", "label", "for example", *header[3:])
    lines = [
        (record["rule"], record["label"], record["example"], *_figures(record)) for record in rules
    ]
    tables.append(Table("Rules, strongest first", header, lines))
    if records and "linear" in records[0]:
        tables.append(_classifier_table(records))
    return tuple(tables)


def _classifier_table(records: Sequence[Mapping[str, Any]]) -> Table:
    header = (
        "root",
        "label",
        "patterns",
        "rows that agree",
        "accuracy",
        "others",
        "accuracy there",
    )
    lines = [
        (
            str(record["root"]),
            record["label"],
            _patterns(record),
            f"{record['linear']['supporting']:,}",
            _percent(record["linear"]["supporting_accuracy"]),
            f"{record['linear']['counter']:,}",
            _percent(record["linear"]["counter_accuracy"]),
        )
        for record in records
    ]
    return Table("A linear classifier on held-out rows that hold a group", header, lines)


def _patterns(record: Mapping[str, Any]) -> str:
    return " · ".join(pattern["pattern"] for pattern in record["patterns"][:_TABLE_PATTERNS])


def _figures(record: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return (
        f"{record['count']:,}",
        _percent(record["share"]),
        _percent(record["held_out_share"]),
        f"{record['corrected_p']:.2g}",
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
