"""``augkit shortcuts --by grammar``: structures that give the label away.

A grammar is induced from the texts alone; the labels come in afterwards.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from augkit.core.errors import ConfigError, DataError
from augkit.core.survey import Survey
from augkit.core.types import Example
from augkit.grammars.features.finder import catalogue_of
from augkit.grammars.features.minority_groups import Minority, minorities
from augkit.grammars.features.mutual_information import Measured
from augkit.grammars.features.ngram_features import shadows
from augkit.grammars.features.records import figures, group_records, rule_records
from augkit.grammars.features.survey import GrammarSurvey, SurveyConfig, label_rows, survey_trees
from augkit.grammars.features.tree_text import bracketed, yields
from augkit.grammars.model.corpus import Corpus, LeftOut, read_corpus
from augkit.grammars.model.induce import InduceConfig, Induced, Texts, induce
from augkit.grammars.trees import Trees
from augkit.report.grammar_figure import draw_groups
from augkit.report.grammar_tables import tables_of

_NOTE = (
    "a structure may give the label away by right: these are candidates, and whether a classifier "
    "should rely on them is for you to judge"
)


class GrammarWayConfig(SurveyConfig, InduceConfig):
    """The grammar, its training, what is picked and what is shown."""

    grammar: Literal["auto", "pcfg", "scfg"] = Field(
        "auto", description="pcfg for single texts, scfg for pairs; auto: what the rows need"
    )
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


class GrammarWay:
    """Complete subtrees and rules of an induced grammar, tested on rows that did not pick them."""

    Config = GrammarWayConfig

    @staticmethod
    def survey(
        examples: Sequence[Example], config: GrammarWayConfig, folder: Path | None
    ) -> Survey:
        """The groups of structures that give a label away, the most telling first."""
        corpus = read_corpus(examples, config)
        _check_kind(corpus, config)
        labelled = label_rows(corpus.examples, config)
        vocabulary = corpus.vocabulary(config)
        if folder is not None:
            vocabulary.save(folder / "vocabulary.json")
            _write_lines(folder / "left_out.jsonl", map(asdict, corpus.left_out))
        held_out = labelled.held_out[corpus.rows()]
        texts = Texts(corpus.encoded(vocabulary), held_out, len(vocabulary))
        notes = _left_out(corpus, len(examples))
        if config.trees is not None:
            trees = checked_trees(config.trees, texts)
        else:
            kept = {key: getattr(config, key) for key in InduceConfig.model_fields}
            induced = induce(texts, InduceConfig(**kept), folder, _say)
            trees, notes = induced.trees, [*notes, *_small(induced)]
        survey = survey_trees(corpus, vocabulary, trees, labelled, config)
        return report_survey(survey, config, folder, notes)


def report_survey(
    survey: GrammarSurvey, config: GrammarWayConfig, folder: Path | None, notes: Sequence[str] = ()
) -> Survey:
    """Records, tables and files of a survey whose trees are there already."""
    records = group_records(survey)
    if config.compare:
        _add_shadows(survey, records)
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


def _check_kind(corpus: Corpus, config: GrammarWayConfig) -> None:
    needed = "scfg" if corpus.is_pairs else "pcfg"
    if config.grammar not in {"auto", needed}:
        rows = f"two texts ({', '.join(corpus.fields)})" if corpus.is_pairs else "one text"
        raise ConfigError(
            f"grammar={config.grammar} does not fit: the rows have {rows}, which takes {needed}. "
            "Choose the texts with --text-column, or leave grammar out"
        )


def checked_trees(path: Path, texts: Texts) -> Trees:
    """Trees from elsewhere, which must span exactly the words of these texts."""
    trees = Trees.load(path)
    sources = [text[0] if isinstance(text, tuple) else text for text in texts.encoded]
    found = yields(trees)
    if len(found) != len(sources) or any(
        len(one) != len(other) or (one != other).any()
        for one, other in zip(found, sources, strict=True)
    ):
        raise DataError(
            f"{path}: these are {len(found):,} trees of other texts than the {len(sources):,} that "
            "are read here. Give the same dataset, limit, words, min_count, longest and largest"
        )
    return trees


def _left_out(corpus: Corpus, rows: int) -> list[str]:
    return [
        f"{reason}: {len(some):,} left out, in {len({left.id for left in some}):,} of {rows:,} "
        f"rows (named in left_out.jsonl), for example {some[0].id} ({some[0].detail})"
        for reason, some in _by_reason(corpus.left_out).items()
    ]


def _small(induced: Induced) -> list[str]:
    if not induced.is_small:
        return []
    config = induced.config
    said = (
        f"there is no GPU, so the grammar is small ({config.symbols}+{config.leaves} symbols, "
        f"{config.epochs} epochs at most); the paper's is 32+64: --set symbols=32 --set leaves=64 "
        "--set width=256 --set epochs=40, and patience"
    )
    return [said]


def _by_reason(left_out: Sequence[LeftOut]) -> dict[str, list[LeftOut]]:
    counts = Counter(left.reason for left in left_out)
    return {
        reason: [left for left in left_out if left.reason == reason]
        for reason, _ in counts.most_common()
    }


def _add_shadows(survey: GrammarSurvey, records: list[dict[str, Any]]) -> None:
    """Put the figures of each group's n-grams beside its own."""
    for name, (_, measured) in group_shadows(survey).items():
        for place, record in enumerate(records):
            record.setdefault("as", {})[name] = _kept(figures(measured, place, survey.labelled))


def group_shadows(survey: GrammarSurvey) -> dict[str, tuple[Any, Measured]]:
    """The groups as n-grams: which rows hold them, and their figures."""
    texts = survey.corpus.encoded(survey.vocabulary)
    sides: list[Any] = (
        [list(side) for side in zip(*texts, strict=True)] if survey.corpus.is_pairs else [texts]
    )
    return shadows(survey.picked, survey.groups, sides, survey.corpus.rows(), survey.labelled)


def _kept(told: Mapping[str, Any]) -> dict[str, Any]:
    wanted = ("count", "share", "information", "held_out_count", "held_out_share")
    return {key: told[key] for key in wanted}


def _add_classifier(survey: GrammarSurvey, records: list[dict[str, Any]]) -> None:
    """A linear classifier of the picking rows, on the held-out rows that hold each group."""
    import numpy as np

    from augkit.models.classifiers.linear import train_linear

    labelled = survey.labelled
    held = np.flatnonzero(labelled.held_out)
    parted = list(zip(survey.corpus.examples, labelled.held_out, strict=True))
    model = train_linear([row for row, is_held in parted if not is_held])
    answers = model.predict([row for row, is_held in parted if is_held]).argmax(axis=1)
    number = np.array([labelled.names.index(label) for label in model.labels])
    found: list[Minority] = minorities(
        survey.groups.occurrences[held],
        survey.groups.measured.label,
        labelled.numbers[held],
        number[answers],
    )
    for record, minority in zip(records, found, strict=True):
        record["linear"] = asdict(minority)


def _write_files(
    survey: GrammarSurvey,
    records: Sequence[Mapping[str, Any]],
    ruled: Sequence[Mapping[str, Any]],
    config: GrammarWayConfig,
    folder: Path,
) -> None:
    if config.trees is not None:
        survey.trees.save(folder / "trees.npz")
    _write_lines(folder / "features.jsonl", records)
    _write_lines(folder / "rules.jsonl", ruled)
    lines = bracketed(survey.trees, survey.vocabulary, paired=survey.corpus.is_pairs)
    rows = survey.rows[survey.trees.roots]
    named = (
        f"{survey.corpus.examples[row].id}\t{line}\n" for row, line in zip(rows, lines, strict=True)
    )
    with (folder / "trees.txt").open("w", encoding="utf-8") as file:
        file.writelines(named)
    catalogue_of(survey, config.alpha).save(folder)
    draw_groups(records[: config.shown], survey.labelled.names, folder / "features.svg")


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _about(survey: GrammarSurvey, config: GrammarWayConfig) -> dict[str, Any]:
    measured, groups = survey.picked.measured, survey.groups.measured
    held = int(survey.labelled.held_out.sum())
    return {
        "rows": len(survey.corpus.examples),
        "held out": held,
        "trees": len(survey.trees.roots),
        "words": len(survey.vocabulary),
        "subtrees examined": survey.picked.examined,
        "picked": len(measured),
        "significant": int((measured.corrected <= config.alpha).sum()),
        "groups": len(groups),
        "significant groups": int((groups.corrected <= config.alpha).sum()),
        "correction": "holm, over those picked, on held-out rows",
        "alpha": config.alpha,
    }


def _say(sentence: str) -> None:
    """Training takes minutes: whoever waits is told how it goes."""
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
