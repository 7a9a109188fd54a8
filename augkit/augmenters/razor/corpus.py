"""What RAZOR learns first: the whole corpus, and an offline judge that is trained out of fold.

Of a pair the claim alone cannot decide the label by right, so the judge does not see the words of
the claim that go with a label most: it would otherwise refuse exactly those rewritings that break
the shortcut. Of a single text any word may decide, and the judge sees all.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import Self

from augkit.augmenters.fields import chosen_field
from augkit.augmenters.razor.shortcut_space import tokenised
from augkit.augmenters.razor.token_score import Associations
from augkit.core.errors import DataError
from augkit.core.types import Example
from augkit.text.association import label_numbers

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted

_HIDDEN = 4.0
"""z above which the judge of a pair does not see a word of the rewritten text."""
_MOST_HIDDEN = 100


@dataclass(frozen=True)
class Blindfold:
    """Words of one field that are not to be seen."""

    field: str
    hidden: tuple[str, ...]

    def over(self, row: Example) -> Example:
        """The row without those words."""
        if not self.hidden:
            return row
        text = self._pattern.sub(" ", row.fields[self.field])
        return replace(row, fields={**row.fields, self.field: text})

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        listed = "|".join(map(re.escape, sorted(self.hidden, key=len, reverse=True)))
        return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)


class Opinion(NamedTuple):
    """The probability of a row's own label, and whether it is the likeliest."""

    chance: float
    agrees: bool


@dataclass(frozen=True)
class Judge:
    """An ensemble trained out of fold, blind to some words of one field."""

    ensemble: CrossFitted
    blindfold: Blindfold

    @property
    def accuracy(self) -> float:
        """Share of held-out rows that it labels as they are."""
        return self.ensemble.held_out[0].accuracy

    def opinions(
        self, rows: Sequence[Example], originals: Sequence[Example] | None = None
    ) -> list[Opinion]:
        """What models that did not see the originals hold of each row's own label."""
        number = {label: place for place, label in enumerate(self.ensemble.labels)}
        named = None if originals is None else [self.blindfold.over(row) for row in originals]
        answers = self.ensemble.predict([self.blindfold.over(row) for row in rows], named)
        own = [number.get(str(row.label), -1) for row in rows]
        return [
            Opinion(float(answer[place]) if place >= 0 else 0.0, int(answer.argmax()) == place)
            for place, answer in zip(own, answers, strict=True)
        ]

    def reads(self, row: Example) -> bool:
        """Whether a row has the fields that it was trained on."""
        return set(row.fields) == set(self.ensemble.models[0][0].fields)


@dataclass(frozen=True)
class RazorCorpus:
    """Every row of the split, and the judge where one could be trained; an ``Artifact``."""

    rows: tuple[Example, ...]
    judge: Judge | None = None
    without_judge: str = ""
    """Why there is no judge."""

    @property
    def notes(self) -> list[str]:
        """Who verifies labels offline, for the manifest of a run."""
        if self.judge is None:
            return [f"no offline judge verifies the labels: {self.without_judge}"]
        unseen = ", ".join(self.judge.blindfold.hidden[:10])
        blind = f"; it does not see: {unseen}" if unseen else ""
        right = f"right on {self.judge.accuracy:.1%} of held-out rows{blind}"
        return [f"labels are verified by a linear classifier trained out of fold, {right}"]

    def save(self, folder: Path) -> None:
        """Write ``corpus.jsonl``, ``judge.json`` and the judge's folder."""
        lines = (
            json.dumps({"id": row.id, "fields": dict(row.fields), "label": row.label})
            for row in self.rows
        )
        (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        told: dict[str, object] = {"without": self.without_judge}
        if self.judge is not None:
            told = asdict(self.judge.blindfold)
            (folder / "judge").mkdir()
            self.judge.ensemble.save(folder / "judge")
        (folder / "judge.json").write_text(json.dumps(told) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").split("\n")
        records = [json.loads(line) for line in lines if line]
        rows = tuple(Example(one["fields"], one["label"], one["id"]) for one in records)
        told = json.loads((folder / "judge.json").read_text(encoding="utf-8"))
        if "field" not in told:
            return cls(rows, None, told["without"])
        from augkit.models.ensembles.crossfit import CrossFitted

        ensemble = CrossFitted.load(folder / "judge")
        return cls(rows, Judge(ensemble, Blindfold(told["field"], tuple(told["hidden"]))))


def learn_corpus(examples: Sequence[Example], field: str | None, *, judged: bool) -> RazorCorpus:
    """Keep the labelled rows; train a judge on them where one is wanted and they suffice."""
    rows = tuple(row for row in examples if row.label is not None and not row.fault)
    plain = tuple(Example(row.fields, row.label, row.id) for row in rows)
    if not judged:
        return RazorCorpus(plain, None, "a model judges")
    try:
        return RazorCorpus(plain, _train_judge(rows, field))
    except DataError as error:
        return RazorCorpus(plain, None, str(error))


def _train_judge(rows: Sequence[Example], field: str | None) -> Judge:
    from augkit.models.classifiers.linear import LinearConfig
    from augkit.models.ensembles.crossfit import EnsembleConfig, train_crossfitted

    if not rows:
        raise DataError("no row has a label and a text")
    (fields, _), *_ = Counter(tuple(row.fields) for row in rows).most_common(1)
    alike = [row for row in rows if set(row.fields) == set(fields)]
    name = chosen_field(fields, field)
    hidden = _giveaways(alike, name) if len(fields) > 1 else ()
    config = EnsembleConfig(members=(LinearConfig(),))
    blindfold = Blindfold(name, hidden)
    ensemble = train_crossfitted([blindfold.over(row) for row in alike], config)
    return Judge(ensemble, blindfold)


def _giveaways(rows: Sequence[Example], field: str) -> tuple[str, ...]:
    names, numbers = label_numbers([str(row.label) for row in rows])
    counted = Associations(tokenised([row.fields[field] for row in rows]), numbers, len(names))
    return tuple(
        one.feature for one in counted.strongest(1000) if one.kind == "token" and one.z > _HIDDEN
    )[:_MOST_HIDDEN]
