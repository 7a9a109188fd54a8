"""Whether the texts of a language model have their labels: judged by somebody else.

Who judges is a setting: the offline ensemble, which never saw the row; a language model, asked
blind; or both, which must agree. A model that judges is measured on rows of the dataset when it is
first needed: one that nobody asks costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from typing_extensions import Self

from augkit.core.json_files import load_json, save_json
from augkit.core.progress import report_progress
from augkit.core.protocols import LLM, LabelChecks
from augkit.core.types import Example, Variant
from augkit.labels.judge import (
    EnsembleJudge,
    Judge,
    LLMJudge,
    Verdict,
    judged_by,
    not_verified,
    refuse_label,
)
from augkit.labels.measure import JudgeTest, describe_judge
from augkit.lexicons.label_meanings import is_possibly_open

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted

_FILE = "label_check.json"
_ENSEMBLE = "ensemble"
_MEASURED = "measured.json"
_MEASURED_NOTES = "measured_notes.json"
_SAVED = ("labels", "by_llm", "only_trusted", "notes", "tolerance", "min_refuted")


@dataclass
class _Measured:
    """What is known of a judge once it is measured; threads wait for the one that asks."""

    lock: Lock = field(default_factory=Lock)
    check: LabelCheck | None = None


@dataclass(frozen=True)
class LabelCheck:
    """The judges of a run. An ``Artifact``; ``bound`` gives it the model that judges.

    Attributes:
        labels: The labels that can be judged.
        by_llm: Whether a model judges.
        ensemble: The classifiers that judge for nothing.
        trusted: Whether the model is good enough, as far as it was measured.
        notes: What the user should know.
        tolerance: What a label may lose where the ensemble was wrong before.
        min_refuted: Least probability of a new label refuted.
        steady: Whether the model names the same label in both orders of the labels.
        llm: The model.
        only_trusted: Whether the model judges only if it is trusted.
        test: The rows that it is measured on; None: it is not measured.
        home: The folder that keeps what was measured.
    """

    labels: tuple[str, ...] = ()
    by_llm: bool = False
    ensemble: CrossFitted | None = None
    trusted: bool = True
    notes: tuple[str, ...] = ()
    tolerance: float = 0.1
    min_refuted: float = 0.0
    steady: bool = True
    llm: LLM | None = None
    only_trusted: bool = False
    test: JudgeTest | None = None
    home: Path | None = field(default=None, compare=False)
    _measured: _Measured = field(default_factory=_Measured, compare=False, repr=False)

    def bound(self, llm: LLM | None) -> Self:
        """The check with the model that judges."""
        return replace(self, llm=llm)

    def measured(self) -> LabelCheck:
        """The check, now that it must be known how good the model is that judges.

        Where the model does not answer, it stays unmeasured; the rows that needed it stay open.
        """
        if self.test is None or self.llm is None:
            return self
        with self._measured.lock:
            if self._measured.check is None:
                self._measured.check = self._measure(self.test, self.llm)
            return self._measured.check or self

    def _measure(self, test: JudgeTest, llm: LLM) -> LabelCheck | None:
        file = None if self.home is None else self.home / _MEASURED
        if file is not None and file.exists():
            record = load_json(file, dict)
            known = (*self.notes, *record.pop("notes"))
            return replace(self, test=None, notes=known, **record)
        report_progress("measuring the judge of labels")
        accuracy = test.accuracy_of(llm, self.labels)
        if accuracy is None:
            return None
        trusted = accuracy.accuracy >= test.min_accuracy
        steady = accuracy.agreement >= test.min_accuracy
        by_llm = self.by_llm and (trusted or not self.only_trusted)
        has_ensemble = self.ensemble is not None
        notes = [describe_judge(accuracy, test.min_accuracy, has_ensemble=has_ensemble)]
        if self.by_llm and not by_llm:
            notes += unverified_notes(self.ensemble)
        if self.home is not None:
            lines = json.dumps(notes, ensure_ascii=False)
            (self.home / _MEASURED_NOTES).write_text(lines, encoding="utf-8")
            decided = {"trusted": trusted, "steady": steady, "by_llm": by_llm, "notes": notes}
            # Renamed when it is whole: a run may be killed at any moment.
            draft = self.home / f"{_MEASURED}.new"
            save_json(draft, decided)
            draft.rename(self.home / _MEASURED)
        return replace(
            self,
            test=None,
            trusted=trusted,
            steady=steady,
            by_llm=by_llm,
            notes=(*self.notes, *notes),
        )

    def check(self, variants: Sequence[Variant]) -> list[Variant]:
        """Refuse the variants whose labels a judge doubts.

        The paid judge is asked last: it sees only what the free one accepts.
        """
        checked = list(variants)
        if self.ensemble is not None:
            free_judge = EnsembleJudge(self.ensemble, tolerance=self.tolerance)
            checked = judged_by(free_judge, checked, _doubt_of_ensemble, self._can_judge)
        left = any(not variant.reason and self._can_judge(variant) for variant in checked)
        if self.by_llm and self.llm is not None and left and self.measured().by_llm:
            paid_judge = LLMJudge(self.llm, self.labels)
            checked = judged_by(paid_judge, checked, self._doubt_of_model, self._can_judge)
        return checked

    def _can_judge(self, variant: Variant) -> bool:
        return variant.label in self.labels

    def _doubt_of_model(self, variant: Variant, verdict: Verdict) -> Variant:
        """Refuse another label, or one of which a claim that may be open needs more."""
        label = variant.label
        probability = verdict.probability
        if not verdict.agrees:
            said = verdict.label or verdict.fault
            return refuse_label(variant, f"model: {said} instead of '{label}'")
        may_be_open = is_possibly_open(label, variant.fields, self.labels)
        if may_be_open and label != variant.parent.label and probability < self.min_refuted:
            said = f"{label} with probability {probability:.2f}, may be open"
            return refuse_label(variant, f"model: {said} instead of '{label}'")
        return variant

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        record = {name: getattr(self, name) for name in _SAVED}
        record["test"] = None if self.test is None else self.test.record
        save_json(folder / _FILE, record | {"ensemble": self.ensemble is not None})
        if self.ensemble is not None:
            self.ensemble.save(folder / _ENSEMBLE)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back, without a model."""
        from augkit.models.ensembles.crossfit import CrossFitted

        record = load_json(folder / _FILE, dict)
        record |= {name: tuple(record[name]) for name in ("labels", "notes")}
        record["test"] = record["test"] and JudgeTest.read(record["test"])
        trained = record.pop("ensemble")
        ensemble = CrossFitted.load(folder / _ENSEMBLE) if trained else None
        return cls(**record, ensemble=ensemble, home=folder)


@dataclass(frozen=True)
class MeasuredJudge:
    """A model that a run measures when it is first asked, so that the user knows how good it is."""

    model: Judge
    check: LabelChecks | None

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The verdicts of the model."""
        if parents and self.check is not None:
            self.check.measured()
        return self.model.judge(parents, variants)


def unverified_notes(ensemble: CrossFitted | None) -> list[str]:
    """What to say where no model judges: that labels are not verified, unless the ensemble can."""
    if ensemble is None:
        return [not_verified("no judge is good enough, and every variant is accepted")]
    if ensemble.at_chance:
        return [not_verified("the only judge is no better than chance")]
    return []


def _doubt_of_ensemble(variant: Variant, verdict: Verdict) -> Variant:
    """Refuse a variant for which the ensemble finds another label likelier."""
    if verdict.agrees:
        return variant
    return refuse_label(variant, f"ensemble: {verdict.label} instead of '{variant.label}'")
