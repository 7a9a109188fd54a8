"""The page of a run (``run.html``): the verdict, charts, and each variant with changed words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from augkit.core.choices import PROMPT, candidate_fields
from augkit.core.edits import Edit
from augkit.core.json_files import find_json, naming_damage
from augkit.core.results import (
    SURVEY_ADVICE,
    SURVEY_FILE,
    Result,
    Score,
    Survey,
    read_evaluation,
    read_survey,
)
from augkit.evaluation.run_effects import Shortcut, label_shift, read_shortcuts, replacement
from augkit.evaluation.verdict import mixed_headline, tone, with_replacement
from augkit.report.page.chart import Bar, chart, curve
from augkit.report.page.choice_charts import choice_survey_charts, reward_charts
from augkit.report.page.templates import as_script, part, write
from augkit.runs.ledger import DATASET, REJECTED, VARIANTS
from augkit.runs.manifest import ADVICE, read_manifest
from augkit.runs.records import (
    RUN_INFO,
    RejectedRecord,
    VariantRecord,
    read_dataset,
    read_rejected,
    read_variants,
)
from augkit.runs.repeat import repeat_command, written_settings
from augkit.text.diff import diff
from augkit.text.printable import harmless

_MOST_REASONS = 8
_MOST_SHORTCUTS = 12
_MOST_STRENGTHS = 20
_MOST_STRONGEST = 10


def write_run_page(folder: Path, most: int) -> Path:
    """Write the page of a run folder, with at most ``most`` variants and rejections."""
    manifest = read_manifest(folder)
    evaluation = read_evaluation(folder)
    survey = read_survey(folder / "shortcuts")
    run_info = find_json(folder / RUN_INFO, dict, ADVICE) or {}
    choices = manifest.dataset.choices
    verdict = with_replacement(evaluation.verdict if evaluation else {}, replacement(folder))
    shift = label_shift(manifest.original_labels, manifest.result_labels, manifest.mix)
    rows = (read_choice_rows if choices else read_rows)(folder, most)
    with naming_damage(folder / "shortcuts" / SURVEY_FILE, SURVEY_ADVICE):
        survey_charts = list(_survey_charts(survey, choices=choices))
    with naming_damage(folder / RUN_INFO, ADVICE):
        trajectory = _trajectory(run_info.get("trajectory", []))
        strengths = _strengths(run_info.get("shortcuts", []))
        caveats = [*map(str, run_info.get("caveats", [])), *(() if choices else shift)]
    reasons = sorted(manifest.rejected_by_reason.items(), key=lambda reason: -reason[1])
    most_often = reasons[0][1] if reasons else 1
    return write(
        folder,
        "run.html",
        manifest=manifest,
        repeat=repeat_command(folder, manifest.connection),
        settings=written_settings(folder),
        verdict=verdict,
        headline=mixed_headline(verdict),
        tone=tone,
        charts=list(_charts(evaluation.results if evaluation else ())),
        shortcuts=survey_charts,
        trajectory=trajectory,
        strengths=strengths,
        caveats=caveats,
        reasons=[(reason, count, count / most_often) for reason, count in reasons[:_MOST_REASONS]],
        rows=as_script(
            {
                "choices": choices,
                "fields": [harmless(name) for name in rows.fields],
                "names": rows.names,
                "rows": rows.rows,
            }
        ),
        script=part("page.js"),
    )


def _charts(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """A chart of each metric's main score, and one of each breakdown (``axis: gender``)."""
    bars: dict[str, list[Bar]] = {}
    captions: dict[str, str] = {}
    rewards = [result for result in results if result.by_length]
    yield from reward_charts(rewards)
    for result in results:
        if result in rewards:
            continue
        better = "" if result.direction == "neither" else f"; {result.direction} is better"
        for title, line, score in _charted_scores(result):
            bars.setdefault(title, []).append(Bar.of(line, result.train, score))
            captions[title] = f"dots are scores, lines their 95 % intervals{better}"
    for title, chart_bars in bars.items():
        yield chart(title, chart_bars, captions[title])


def _charted_scores(result: Result) -> Iterator[tuple[str, str, Score]]:
    """Which chart, which line of it, and the score."""
    for index, (name, score) in enumerate(result.scores.items()):
        kind, colon, group = name.partition(": ")
        if colon:
            yield f"{result.metric} by {kind}", f"{group}, {result.test}", score
        elif index == 0:
            main = name.replace("_", " ")
            same = main == result.metric.replace("-", " ")
            yield result.metric if same else f"{result.metric} ({main})", result.test, score


def _survey_charts(survey: Survey | None, *, choices: bool) -> Iterator[dict[str, Any]]:
    """What gave the answer away before and after the run, where it was surveyed."""
    if survey is None:
        return
    if choices:
        yield from choice_survey_charts(survey)
    elif drawn := _shortcuts_chart(read_shortcuts(survey.rows)):
        yield drawn


def _shortcuts_chart(shortcuts: Sequence[Shortcut]) -> dict[str, Any] | None:
    """How often the strongest features occur with their label, before and after."""
    compared = [(shortcut, after) for shortcut in shortcuts if (after := shortcut.after)]
    with_field = len({shortcut.field for shortcut, _ in compared}) > 1
    bars = []
    for shortcut, after in compared[:_MOST_SHORTCUTS]:
        share = shortcut.counts.share
        base = shortcut.counts.base
        note = "" if base is None else f" (base {100 * base:.0f} %)"
        name = f"{shortcut.title(with_field=with_field)} → {shortcut.label}{note}"
        bars.append(Bar(name, "before", share))
        bars.append(Bar(name, "after", None if after.is_absent else after.share))
    title = "Rows with the feature that have the label"
    caption = "the strongest before; the further from the base, the label's share, the stronger"
    return chart(title, bars, caption, together=True) if bars else None


def _trajectory(rounds: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Of a method that works in rounds: its objective by round, and the strongest features."""
    if not rounds:
        return None
    first, last = (
        [
            (f"{feature['feature']} → {feature['label']}", f"{feature['z']:.1f}")
            for feature in edge["strongest"][:_MOST_STRONGEST]
        ]
        for edge in (rounds[0], rounds[-1])
    )
    objectives = [(step["round"], step["objective"]) for step in rounds]
    return {
        "curve": curve("Objective by round (minimised)", objectives),
        "header": ("strongest before", "z", "strongest after", "z"),
        "rows": [(*before, *after) for before, after in zip(first, last, strict=False)],
    }


def _strengths(shortcuts: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Each shortcut's strength before and after, and how many only a model could rewrite."""
    if not shortcuts:
        return None
    rows = []
    for shortcut in shortcuts[:_MOST_STRENGTHS]:
        state = "removed"
        if shortcut["left"]:
            state = "kept: it judges or negates" if shortcut["judges"] else "left"
        documents = f"{shortcut['documents']:,} → {shortcut['documents after']:,}"
        name = f"{shortcut['feature']} ({shortcut['kind']}) → {shortcut['label']}"
        strengths = (f"{shortcut['z']:.1f}", f"{shortcut['z after']:.1f}")
        rows.append((name, *strengths, documents, state))
    return {
        "header": ("shortcut", "z before", "z after", "rows", "now"),
        "rows": rows,
        "left": sum(shortcut["left"] for shortcut in shortcuts),
        "all": len(shortcuts),
    }


_LONGEST = 4_000
"""Characters of a text that are shown."""


@dataclass
class PageRows:
    """Compact rows: texts by field, edits, and numbers of repeated names (labels, reasons ...)."""

    fields: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """The number of a name; a new name gets the next one. A tab in it parts a note."""
        if name not in self.numbers:
            self.numbers[name] = len(self.names)
            self.names.append("\t".join(map(harmless, name.split("\t"))))
        return self.numbers[name]

    def add(self, texts: Mapping[str, str], edits: list[Edit], columns: tuple[str, ...]) -> None:
        """One row: ``columns`` are state, method, label before, label after, reason, note."""
        for name in texts:
            if name not in self.fields:
                self.fields.append(name)
        shown = {name: harmless(text[:_LONGEST]) for name, text in texts.items()}
        shown_edits = []
        for edit in sorted(edits, key=lambda edit: (edit.field, edit.start)):
            if edit.end > _LONGEST:
                continue
            text = texts[edit.field][:_LONGEST]
            start = edit.start
            end = edit.end
            if len(shown[edit.field]) > len(text):  # something is escaped
                start = len(harmless(text[: edit.start]))
                end = len(harmless(text[: edit.end]))
            after = harmless(edit.after[:_LONGEST])
            shown_edits.append([self.fields.index(edit.field), start, end, after])
        texts_in_order = [shown.get(name) for name in self.fields]
        self.rows.append([texts_in_order, shown_edits, *(self.number(name) for name in columns)])


def read_rows(folder: Path, most: int) -> PageRows:
    """Variants first, then rejections, at most ``most``; the files hold them all."""
    rows = PageRows()
    accepted, rejected = _first_records(folder, most)
    parents = {record.parents[0] for record in accepted}
    parents |= {record.parents[0] for record in rejected}
    in_dataset = read_dataset(folder) if (folder / DATASET).exists() else ()
    originals = {
        row["augkit_id"]: row
        for row in islice(in_dataset, 2 * most)
        if row.get("augkit_origin") == "original" and row["augkit_id"] in parents
    }
    for record in accepted:
        before = originals.get(record.parents[0], {}).get("label")
        before = record.label if before is None and record.contract == "kept" else before
        labels = (_label(before), _label(record.label))
        columns = ("accepted", record.method, *labels, "", _note(record.about))
        rows.add(record.original, record.edits, columns)
    for refused in rejected:
        parent = originals.get(refused.parents[0], {})
        texts = {name: str(parent.get(name, "")) for name in rows.fields or ["text"]}
        label = _label(parent.get("label"))
        reason = (refused.reason, refused.detail)
        rows.add(texts, [], ("rejected", refused.method, label, label, *reason))
    return rows


def _first_records(folder: Path, most: int) -> tuple[list[VariantRecord], list[RejectedRecord]]:
    """The first variants, and rejections where there is room; none of a run that has not begun."""
    variants = read_variants(folder) if (folder / VARIANTS).exists() else ()
    rejections = read_rejected(folder) if (folder / REJECTED).exists() else ()
    accepted = list(islice(variants, most))
    return accepted, list(islice(rejections, most - len(accepted)))


def read_choice_rows(folder: Path, most: int) -> PageRows:
    """The same for choices: the prompt and the candidates, and in place of labels the winners."""
    rows = PageRows()
    accepted, rejected = _first_records(folder, most)
    for number, record in enumerate(accepted, 1):
        before = record.original
        edits = record.edits
        won = record.label
        won_before = won if record.contract == "kept" else None
        if order := record.about.get("order"):
            with naming_damage(f"{folder / VARIANTS}, line {number}", ADVICE):
                before, won_before = _in_order(before, won, order.split())
            edits = list(diff(before, record.fields))
        winners = (_winner(won_before), _winner(won))
        rows.add(before, edits, ("accepted", record.method, *winners, "", _note(record.about)))
    for refused in rejected:
        state = "left out" if refused.weight == 0 else "rejected"
        winner = _winner(refused.label)
        reason = (refused.reason, refused.detail)
        rows.add(refused.fields, [], (state, refused.method, winner, winner, *reason))
    return rows


def _in_order(
    before: Mapping[str, str], won: str | None, order: Sequence[str]
) -> tuple[dict[str, str], str | None]:
    """The row with its candidates in the order of the variant, and the winners as they were."""
    prompt = {PROMPT: before[PROMPT]} if PROMPT in before else {}
    texts = [before[f"candidate {number}"] for number in order]
    places = [order[int(place) - 1] for place in won.split("+")] if won else []
    return prompt | candidate_fields(texts), "+".join(sorted(places, key=int)) or None


def _winner(label: str | None) -> str:
    """The winner of a choice, in words; of several, their numbers."""
    return "no winner" if label is None else f"candidate {label}"


def _note(about: Mapping[str, str]) -> str:
    """What the method recorded of the change (axis, triples ...): name, tab, value."""
    return "\n".join(f"{name}\t{' '.join(value.split())}" for name, value in about.items())


def _label(label: object) -> str:
    return "no label" if label is None else str(label)
