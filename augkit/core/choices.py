"""A choice: a prompt, two or more candidate answers, and which of them won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations
from typing import Any

from augkit.core.types import Example, NoItems, value

PROMPT = "prompt"
"""The field of an example that holds what is answered."""
_CANDIDATE = "candidate "
_BETWEEN_WINNERS = "+"


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

    @property
    def is_pair(self) -> bool:
        """Whether it is one winner and one loser."""
        return len(self.candidates) == 2 and len(self.winners) == 1

    def reordered(self, order: Sequence[int]) -> Choice:
        """The candidates in another order, with what belongs to each; ``columns`` stay.

        ``order`` says which candidate comes to each place.

        >>> moved = Choice(("a", "b", "c"), (2,), scores=(1, 2, 5)).reordered((2, 0, 1))
        >>> moved.candidates, moved.winners, moved.scores
        (('c', 'a', 'b'), (0,), (5, 1, 2))
        """
        return replace(
            self,
            candidates=tuple(self.candidates[place] for place in order),
            winners=tuple(sorted(order.index(place) for place in self.winners)),
            scores=tuple(self.scores[place] for place in order if self.scores),
            gold=None if self.gold is None else order.index(self.gold),
        )

    def pairs(self) -> Iterator[Choice]:
        """Every two candidates whose scores differ, in their order; the choice where it has none.

        >>> [pair.winners for pair in Choice(("a", "b", "c"), (1,), scores=(2, 3, 2)).pairs()]
        [(1,), (0,)]
        """
        if not self.scores:
            yield self
        for first, second in combinations(range(len(self.scores)), 2):
            scores = (self.scores[first], self.scores[second])
            if scores[0] != scores[1]:
                texts = (self.candidates[first], self.candidates[second])
                winners = (int(scores[1] > scores[0]),)
                yield replace(self, candidates=texts, winners=winners, scores=scores)


def choice_fields(choice: Choice) -> dict[str, str]:
    """The fields of the example that a choice is in a run.

    >>> choice_fields(Choice(("Yes.", "No."), (0,), "Is it so?"))
    {'prompt': 'Is it so?', 'candidate 1': 'Yes.', 'candidate 2': 'No.'}
    """
    prompt = {PROMPT: choice.prompt} if choice.prompt.strip() else {}
    return prompt | candidate_fields(choice.candidates)


def candidate_fields(candidates: Iterable[str]) -> dict[str, str]:
    """The fields of candidates, which are numbered from 1."""
    return {f"{_CANDIDATE}{number}": text for number, text in enumerate(candidates, 1)}


def winners_label(winners: Iterable[int]) -> str | None:
    """The label of an example: the places of the winners, from 1; None for a tie.

    >>> winners_label((0,)), winners_label((0, 2)), winners_label(())
    ('1', '1+3', None)
    """
    return _BETWEEN_WINNERS.join(str(place + 1) for place in winners) or None


def rotation(count: int, steps: int) -> list[int]:
    """The order in which every candidate has moved on by so many places, the last to the front.

    >>> rotation(3, 1)
    [2, 0, 1]
    """
    return [(place - steps) % count for place in range(count)]


def choice_of(example: Example, group_column: str | None = None) -> Choice:
    """The choice that an example of a run on choices is.

    Args:
        example: A row that was read with ``choices``.
        group_column: Rows with one value in it belong together.
    """
    candidates = tuple(text for name, text in example.fields.items() if is_candidate(name))
    places = example.label.split(_BETWEEN_WINNERS) if example.label else []
    return Choice(
        candidates,
        tuple(int(place) - 1 for place in places),
        example.fields.get(PROMPT, ""),
        group="" if group_column is None else str(example.columns.get(group_column)),
        columns=example.columns,
    )


def holds_choice(fields: Mapping[str, str]) -> bool:
    """Whether these are the fields of a choice."""
    return any(map(is_candidate, fields))


def is_candidate(name: str) -> bool:
    """Whether a field is one of the candidates of a choice."""
    return name.startswith(_CANDIDATE)
