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
from augkit.core.types import FREE, Cost, Draft, Rejection
from augkit.labels.judge import LLMJudge, Opinion
from augkit.lexicons.label_meanings import is_possibly_open

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted

REASON = "judge disagrees"
_FILE, _ENSEMBLE = "label_check.json", "ensemble"


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
        doubts: list[list[str]] = [[] for _ in drafts]
        costs: list[Cost] = [FREE for _ in drafts]
        if self.ensemble is not None:
            for number, doubt in enumerate(self._ensemble_doubts(self.ensemble, drafts)):
                doubts[number] += [doubt] if doubt else []
        # The paid judge sees only what the free one accepts.
        asked = [number for number, found in enumerate(doubts) if self.by_llm and not found]
        if self.llm is not None and asked:
            judge = LLMJudge(self.llm, self.labels)
            opinions = judge.opinions([drafts[number].fields for number in asked])
            for number, opinion in zip(asked, opinions, strict=True):
                costs[number] = opinion.cost
                doubts[number] += self._model_doubts(drafts[number], opinion)
        return [_outcome(*one) for one in zip(drafts, doubts, costs, strict=True)]

    def _model_doubts(self, draft: Draft, opinion: Opinion) -> list[str]:
        """Another label, or one of which a claim that may be open needs more."""
        label = str(draft.label)
        if opinion.label != label:
            return [f"model: {opinion.label or opinion.fault}"]
        may_be_open = is_possibly_open(label, draft.fields, self.labels)
        changed, probability = label != draft.parent.label, opinion.labels[label]
        if may_be_open and changed and probability < self.min_refuted:
            return [f"model: {label} with probability {probability:.2f}, may be open"]
        return []

    def _ensemble_doubts(self, ensemble: CrossFitted, drafts: Sequence[Draft]) -> list[str]:
        """Where the ensemble finds another label likelier, and did not so in the original.

        Where it is wrong about a row whose label stays, the label may lose ``tolerance``.
        """
        column = {label: number for number, label in enumerate(ensemble.labels)}
        parents = [draft.parent for draft in drafts]
        made = [replace(one.parent, fields=one.fields, label=one.label) for one in drafts]
        before, after = ensemble.predict(parents), ensemble.predict(made, parents)
        doubts = []
        for draft, old, new in zip(drafts, before, after, strict=True):
            index = column[str(draft.label)]
            kept = draft.label == draft.parent.label and old.argmax() != index
            fine = new.argmax() == index or (kept and new[index] >= old[index] - self.tolerance)
            doubts.append("" if fine else f"ensemble: {ensemble.labels[int(new.argmax())]}")
        return doubts

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        record = {
            "labels": self.labels,
            "by_llm": self.by_llm,
            "trusted": self.trusted,
            "notes": self.notes,
            "tolerance": self.tolerance,
            "min_refuted": self.min_refuted,
            "steady": self.steady,
            "ensemble": self.ensemble is not None,
        }
        save_json(folder / _FILE, record)
        if self.ensemble is not None:
            self.ensemble.save(folder / _ENSEMBLE)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back, without a model."""
        from augkit.models.ensembles.crossfit import CrossFitted

        record = load_json(folder / _FILE, dict)
        ensemble = CrossFitted.load(folder / _ENSEMBLE) if record["ensemble"] else None
        return cls(
            tuple(record["labels"]),
            record["by_llm"],
            ensemble,
            record["trusted"],
            tuple(record["notes"]),
            record["tolerance"],
            record["min_refuted"],
            record["steady"],
        )


def _outcome(draft: Draft, doubts: Sequence[str], cost: Cost) -> Draft | Rejection:
    paid = draft.cost + cost
    if not doubts:
        return draft if cost is FREE else replace(draft, cost=paid)
    shown = f"{'; '.join(doubts)} instead of '{draft.label}': {' | '.join(draft.fields.values())}"
    return Rejection(draft.parent, REASON, shown[:500], draft.copy, paid)
