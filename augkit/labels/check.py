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
from augkit.core.types import FREE, Draft, Rejection
from augkit.labels.judge import EnsembleJudge, LLMJudge, Verdict, rejected_label
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

    def check(self, drafts: Sequence[Draft]) -> list[Draft | Rejection]:
        """The drafts whose labels nobody doubts, with what the judges cost; else rejections."""
        parents = [draft.parent for draft in drafts]
        variants = [
            replace(draft.parent, fields=draft.fields, label=draft.label) for draft in drafts
        ]
        doubts, costs = [""] * len(drafts), [FREE] * len(drafts)
        if self.ensemble is not None:
            free_judge = EnsembleJudge(self.ensemble, tolerance=self.tolerance)
            for number, verdict in enumerate(free_judge.judge(parents, variants)):
                doubts[number] = "" if verdict.agrees else f"ensemble: {verdict.label}"
        # The paid judge sees only what the free one accepts.
        accepted = [number for number, doubt in enumerate(doubts) if self.by_llm and not doubt]
        if self.llm is not None and accepted:
            verdicts = LLMJudge(self.llm, self.labels).judge(
                [parents[number] for number in accepted], [variants[number] for number in accepted]
            )
            for number, verdict in zip(accepted, verdicts, strict=True):
                costs[number] = verdict.cost
                doubts[number] = self._doubt_of_model(drafts[number], verdict)
        outcomes: list[Draft | Rejection] = []
        for draft, doubt, cost in zip(drafts, doubts, costs, strict=True):
            paid = draft.cost + cost
            if doubt:
                outcomes.append(rejected_label(draft, f"{doubt} instead of '{draft.label}'", paid))
            else:
                outcomes.append(draft if cost is FREE else replace(draft, cost=paid))
        return outcomes

    def _doubt_of_model(self, draft: Draft, verdict: Verdict) -> str:
        """Another label, or one of which a claim that may be open needs more; "" for neither."""
        if not verdict.agrees:
            return f"model: {verdict.label or verdict.fault}"
        label, probability = draft.label, verdict.probability
        may_be_open = is_possibly_open(label, draft.fields, self.labels)
        if may_be_open and label != draft.parent.label and probability < self.min_refuted:
            return f"model: {label} with probability {probability:.2f}, may be open"
        return ""

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
