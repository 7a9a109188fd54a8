"""What coba learns from the corpus before the first row is augmented, kept as plain files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from typing_extensions import Self


@dataclass(frozen=True)
class Learnt:
    """What was learnt for single texts and for pairs; a corpus may hold both.

    Satisfies ``protocols.Artifact``.
    """

    labels: tuple[str, ...]

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        raise NotImplementedError
