"""What coba learns from the corpus before the first row is augmented, kept as plain files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from augkit.augmenters.coba.editing.partners import ClassCounts
from augkit.core.errors import DataError
from augkit.lexicons.evaluative import Evaluative, LexiconFile, Side, bundled, lexicon_of, read
from augkit.models.ensembles.crossfit import CrossFitted


@dataclass(frozen=True)
class TextsLearnt:
    """What was learnt of single texts.

    ``ensemble`` names important words; ``judge`` saw the variants of other rows too and says
    whether a variant carries its label; ``sides`` tells which side of ``lexicon`` a label is on.
    """

    ensemble: CrossFitted
    judge: CrossFitted
    sides: dict[str, Side]
    source: str
    """Of the lexicon: "bundled", a path, or "learnt"."""
    groups: LexiconFile | None
    """The learnt lexicon, where that is used."""
    counts: ClassCounts
    notes: tuple[str, ...] = ()
    """What the user should know: how good the classifiers are, which lexicon was used."""

    @cached_property
    def lexicon(self) -> Evaluative:
        """The words and phrases that can be edited."""
        if self.groups is not None:
            return lexicon_of(self.groups)
        return bundled() if self.source == "bundled" else read(Path(self.source))

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        self.ensemble.save(folder / "ensemble")
        self.judge.save(folder / "judge")
        told = {
            "sides": self.sides,
            "source": self.source,
            "groups": None if self.groups is None else self.groups.model_dump(mode="json"),
            "counts": self.counts.counts,
            "notes": self.notes,
        }
        (folder / "texts.json").write_text(json.dumps(told), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> TextsLearnt:
        """Read it back."""
        told = _read(folder / "texts.json")
        return cls(
            CrossFitted.load(folder / "ensemble"),
            CrossFitted.load(folder / "judge"),
            told["sides"],
            told["source"],
            None if told["groups"] is None else LexiconFile.model_validate(told["groups"]),
            ClassCounts(told["counts"]),
            tuple(told["notes"]),
        )


@dataclass(frozen=True)
class Learnt:
    """What was learnt; ``texts`` is None for a corpus of pairs. An ``Artifact``."""

    labels: tuple[str, ...]
    texts: TextsLearnt | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of what was learnt."""
        return self.texts.notes if self.texts is not None else ()

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        told = {"labels": self.labels, "texts": self.texts is not None}
        (folder / "learnt.json").write_text(json.dumps(told), encoding="utf-8")
        if self.texts is not None:
            (folder / "texts").mkdir()
            self.texts.save(folder / "texts")

    @classmethod
    def load(cls, folder: Path) -> Learnt:
        """Read it back."""
        told = _read(folder / "learnt.json")
        texts = TextsLearnt.load(folder / "texts") if told["texts"] else None
        return cls(tuple(told["labels"]), texts)


def _read(path: Path) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: missing or damaged: {error}") from error
    return told
