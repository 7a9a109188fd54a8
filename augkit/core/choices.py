"""A choice: a prompt, two or more candidate answers, and which of them won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from augkit.core.types import NoItems, value


@value
class Choice:
    """A preference pair, a question of multiple choice, or the verdict of a judge.

    Attributes:
        candidates: The texts, in the order in which the row has them.
        winners: The places of those that won, from 0; none: a tie, or no winner is known.
        prompt: What is answered; "" where there is none.
        scores: One for each candidate, where the row has them.
        judge: Who decided; "" where the row does not say.
        gold: The place of the right candidate, where a verdict comes with it.
        group: Rows with the same name here stay on one side of a split, and are one unit of a test.
        columns: The row as it was read.
    """

    candidates: tuple[str, ...]
    winners: tuple[int, ...]
    prompt: str = ""
    scores: tuple[float, ...] = ()
    judge: str = ""
    gold: int | None = None
    group: str = ""
    columns: Mapping[str, Any] = field(default_factory=NoItems, repr=False)

    @property
    def decided(self) -> bool:
        """Whether some candidates won and others lost."""
        return 0 < len(self.winners) < len(self.candidates)
