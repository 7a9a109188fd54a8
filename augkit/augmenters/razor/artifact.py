"""What RAZOR keeps of the corpus: its labelled rows, and the offline judge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import Self

from augkit.augmenters.razor.verify import HiddenWords, OutOfFoldJudge, train_judge
from augkit.core.errors import DataError
from augkit.core.types import Example


@dataclass(frozen=True)
class RazorArtifact:
    """Every labelled row of the split, and the judge where one could be trained."""

    rows: tuple[Example, ...]
    judge: OutOfFoldJudge | None = None
    no_judge_reason: str = ""

    @property
    def notes(self) -> list[str]:
        """How labels are verified offline, for the manifest of a run."""
        if self.judge is None:
            return [f"no offline judge verifies the labels: {self.no_judge_reason}"]
        words = ", ".join(self.judge.hidden.words[:10])
        hidden = f"; words hidden from it: {words}" if words else ""
        accuracy = f"accuracy {self.judge.accuracy:.1%} on held-out rows{hidden}"
        return [f"labels are verified by a linear classifier trained out of fold, {accuracy}"]

    def save(self, folder: Path) -> None:
        """Write ``corpus.jsonl``, ``judge.json`` and the judge's folder."""
        lines = (
            json.dumps({"id": row.id, "fields": dict(row.fields), "label": row.label})
            for row in self.rows
        )
        (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        record: dict[str, object] = {"no_judge_reason": self.no_judge_reason}
        if self.judge is not None:
            record = {"field": self.judge.hidden.field, "hidden": self.judge.hidden.words}
            (folder / "judge").mkdir()
            self.judge.ensemble.save(folder / "judge")
        (folder / "judge.json").write_text(json.dumps(record) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").split("\n")
        records = [json.loads(line) for line in lines if line]
        rows = tuple(Example(one["fields"], one["label"], one["id"]) for one in records)
        record = json.loads((folder / "judge.json").read_text(encoding="utf-8"))
        if "field" not in record:
            return cls(rows, None, record["no_judge_reason"])
        from augkit.models.ensembles.crossfit import CrossFitted

        hidden = HiddenWords(record["field"], tuple(record["hidden"]))
        return cls(rows, OutOfFoldJudge(CrossFitted.load(folder / "judge"), hidden))


def fit_razor(examples: Sequence[Example], field: str | None, *, train: bool) -> RazorArtifact:
    """Keep the labelled rows; train the judge where one is wanted and there are enough rows."""
    rows = tuple(row for row in examples if row.label is not None and not row.fault)
    plain = tuple(Example(row.fields, row.label, row.id) for row in rows)
    if not train:
        return RazorArtifact(plain, None, "a language model judges")
    try:
        return RazorArtifact(plain, train_judge(rows, field))
    except DataError as error:
        return RazorArtifact(plain, None, str(error))
