"""Whether the texts of a language model have their labels: judged by somebody else.

Who judges is a setting: the offline ensemble, which never saw the row; a language model, asked
blind; or both, which must agree. A model that judges is measured first, on rows of the dataset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import Self

from augkit.core.json_files import load_json, save_json
from augkit.core.protocols import LLM
from augkit.core.types import Variant
from augkit.labels.judge import EnsembleJudge, LLMJudge, Verdict, judged_by, refuse_label
from augkit.lexicons.label_meanings import is_possibly_open

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted

_FILE, _ENSEMBLE = "label_check.json", "ensemble"
_SAVED = ("labels", "by_llm", "trusted", "notes", "tolerance", "min_refuted", "steady")


@dataclass(frozen=True)
class LabelCheck:
    """The judges of a run. An ``Artifact``; ``bound`` gives it the model that judges.

    ``trusted`` says whether the model that judges is good enough, as far as it was measured;
    ``steady``, whether it names the same label in both orders of the labels.
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

    def bound(self, llm: LLM | None) -> Self:
        """The check with the model that judges."""
        return replace(self, llm=llm)

    def check(self, variants: Sequence[Variant]) -> list[Variant]:
        """Refuse the variants whose labels a judge doubts.

        The paid judge is asked last: it sees only what the free one accepts.
        """
        checked = list(variants)
        if self.ensemble is not None:
            free_judge = EnsembleJudge(self.ensemble, tolerance=self.tolerance)
            checked = judged_by(free_judge, checked, _doubt_of_ensemble, self._can_judge)
        if self.by_llm and self.llm is not None:
            paid_judge = LLMJudge(self.llm, self.labels)
            checked = judged_by(paid_judge, checked, self._doubt_of_model, self._can_judge)
        return checked

    def _can_judge(self, variant: Variant) -> bool:
        return variant.label in self.labels

    def _doubt_of_model(self, variant: Variant, verdict: Verdict) -> Variant:
        """Refuse another label, or one of which a claim that may be open needs more."""
        label, probability = variant.label, verdict.probability
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
        save_json(folder / _FILE, record | {"ensemble": self.ensemble is not None})
        if self.ensemble is not None:
            self.ensemble.save(folder / _ENSEMBLE)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back, without a model."""
        from augkit.models.ensembles.crossfit import CrossFitted

        record = load_json(folder / _FILE, dict)
        record |= {name: tuple(record[name]) for name in ("labels", "notes")}
        trained = record.pop("ensemble")
        return cls(**record, ensemble=CrossFitted.load(folder / _ENSEMBLE) if trained else None)


def _doubt_of_ensemble(variant: Variant, verdict: Verdict) -> Variant:
    """Refuse a variant for which the ensemble finds another label likelier."""
    if verdict.agrees:
        return variant
    return refuse_label(variant, f"ensemble: {verdict.label} instead of '{variant.label}'")
