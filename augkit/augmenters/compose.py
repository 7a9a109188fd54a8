"""Steps made of steps: chain, union, one_of, sometimes, gated, limit.

A step is any callable from examples to pairs. Augmenters and compositions also yield rejections
(``outcomes``), and a composition passes them on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, overload

from augkit.augmenters.base import augment_texts, identified, keyed_random
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.protocols import Gate, Step, SupportsOutcomes
from augkit.core.types import Contract, Example, Outcome, Pair, Provenance, Rejection, digest
from augkit.text.diff import diff

Combine = Callable[[Sequence[Step], Example], Iterator[Outcome]]


@dataclass(frozen=True)
class Composition:
    """Steps and the rule that combines them, one example at a time."""

    name: str
    steps: tuple[Step, ...]
    combine: Combine

    def __call__(self, examples: Iterable[Example]) -> Iterator[Pair]:
        """Accepted pairs only."""
        return (outcome for outcome in self.outcomes(examples) if isinstance(outcome, Pair))

    @property
    def scope(self) -> Literal["example", "corpus"]:
        """Whether a step needs all rows at once."""
        scopes = {getattr(step, "scope", "example") for step in self.steps}
        return "corpus" if "corpus" in scopes else "example"

    def outcomes(self, examples: Iterable[Example]) -> Iterator[Outcome]:
        """Pairs and rejections, in the order of the examples."""
        rows: Iterable[Example] = map(identified, examples)
        steps: Sequence[Step] = self.steps
        if self.scope == "corpus" and self.combine is _chain:
            yield from _staged_chain(self.steps, list(rows))
            return
        if self.scope == "corpus":
            rows = list(rows)
            corpus = {row.id: row for row in rows}
            steps = [CorpusStep(step, corpus) for step in self.steps]
        for example in rows:
            yield from self.combine(steps, example)

    def fit(self, examples: Iterable[Example]) -> Composition:
        """Fit every step that learns from the corpus."""
        corpus = list(examples)
        steps = tuple(step.fit(corpus) if hasattr(step, "fit") else step for step in self.steps)
        return replace(self, steps=steps)

    def with_copies(self, copies: int) -> Composition:
        """Set the number of variants per example of every step."""
        steps = tuple(
            step.with_copies(copies) if hasattr(step, "with_copies") else step
            for step in self.steps
        )
        return replace(self, steps=steps)

    def with_draw(self, number: int) -> Composition:
        """The same with other random draws in every step; 0: these."""
        steps = tuple(
            step.with_draw(number) if hasattr(step, "with_draw") else step for step in self.steps
        )
        return replace(self, steps=steps)

    @overload
    def augment(self, texts: str, n: int | None = None, *, copy: int = 0) -> list[str]: ...
    @overload
    def augment(
        self, texts: list[str], n: int | None = None, *, copy: int = 0
    ) -> list[list[str]]: ...
    def augment(
        self, texts: str | list[str], n: int | None = None, *, copy: int = 0
    ) -> list[str] | list[list[str]]:
        """Up to ``n`` variants of a text, or of each text of a list; without ``n``, all.

        ``copy`` is the number of a draw, as that of an epoch.
        """
        drawn = self.with_draw(copy)
        return augment_texts(drawn if n is None else drawn.with_copies(n), texts, n)


@dataclass(frozen=True)
class CorpusStep:
    """A step that sees all rows at once, when it is first asked for one of them."""

    step: Step
    corpus: Mapping[str, Example]
    _outcomes: dict[str, list[Outcome]] = field(default_factory=dict)

    def __call__(self, examples: Iterable[Example]) -> Iterator[Pair]:
        """Accepted pairs only."""
        return (outcome for outcome in self.outcomes(examples) if isinstance(outcome, Pair))

    def outcomes(self, examples: Iterable[Example]) -> Iterator[Outcome]:
        """The outcomes of these examples; one that is no row of the corpus is seen alone."""
        for example in examples:
            if example.id not in self.corpus:
                yield from outcomes_of(self.step, [example])
                continue
            if not self._outcomes:
                for outcome in outcomes_of(self.step, self.corpus.values()):
                    parent = outcome.original if isinstance(outcome, Pair) else outcome.parent
                    self._outcomes.setdefault(parent.id, []).append(outcome)
            yield from self._outcomes.get(example.id, ())


def chain(*steps: Step | str) -> Composition:
    """Each step works on the variants of the one before; a pair leads from first to last.

    Args:
        *steps: Steps, or names of methods: a name stands for the method with its defaults.

    >>> chain("swap", "typo").augment("A good film.")
    ['A Good movie.']
    """
    return Composition("chain", _steps("chain", steps), _chain)


def union(*steps: Step | str) -> Composition:
    """The variants of all steps.

    Args:
        *steps: Steps, or names of methods.
    """
    return Composition("union", _steps("union", steps), _union)


def one_of(
    *choices: Step | str, weights: Sequence[float] | None = None, seed: int = 0
) -> Composition:
    """One of the steps for each example, sampled by the example's id.

    Args:
        *choices: Steps, or names of methods.
        weights: How often each is chosen, relative to the others; equally often unless given.
        seed: Another seed gives another choice.
    """
    steps = _steps("one_of", choices)
    if weights is not None and (len(weights) != len(steps) or min(weights) < 0 or not sum(weights)):
        raise ConfigError(
            f"one_of: {len(steps)} steps need as many weights, none negative, not all 0"
        )

    def combine(steps: Sequence[Step], example: Example) -> Iterator[Outcome]:
        rng = keyed_random(seed, example.id, "one_of", 0)
        return outcomes_of(rng.choices(steps, weights)[0], [example])

    return Composition("one_of", steps, combine)


def sometimes(step: Step | str, p: float = 0.5, seed: int = 0) -> Composition:
    """The step for a share of the examples, chosen by their ids.

    Args:
        step: A step, or the name of a method.
        p: The share of examples, 0 to 1.
        seed: Another seed gives another choice.
    """
    if not 0 <= p <= 1:
        raise ConfigError(f"sometimes: p is a share between 0 and 1 (got {p})")

    def combine(steps: Sequence[Step], example: Example) -> Iterator[Outcome]:
        if keyed_random(seed, example.id, "sometimes", 0).random() < p:
            yield from outcomes_of(steps[0], [example])
        else:
            yield Rejection(example, "not sampled", method="sometimes")

    return Composition("sometimes", _steps("sometimes", (step,)), combine)


def gated(step: Step | str, *gates: Gate) -> Composition:
    """Only the pairs that every gate accepts; the others are rejected with the gate's reason.

    Args:
        step: A step, or the name of a method.
        *gates: Functions from a pair to a reason for rejecting it, or None.
    """

    def combine(steps: Sequence[Step], example: Example) -> Iterator[Outcome]:
        for outcome in outcomes_of(steps[0], [example]):
            if isinstance(outcome, Pair):
                reason = next(filter(None, (gate_reason(gate, outcome) for gate in gates)), None)
                yield reject(outcome, reason) if reason else outcome
            else:
                yield outcome

    return Composition("gated", _steps("gated", (step,)), combine)


def limit(step: Step | str, n: int) -> Composition:
    """At most ``n`` variants per example, the first ones.

    Args:
        step: A step, or the name of a method.
        n: The most variants of an example.
    """
    if n < 1:
        raise ConfigError(f"limit: n is at least 1 (got {n})")

    def combine(steps: Sequence[Step], example: Example) -> Iterator[Outcome]:
        left = n
        for outcome in outcomes_of(steps[0], [example]):
            if isinstance(outcome, Pair):
                left -= 1
                yield outcome if left >= 0 else reject(outcome, "over the limit")
            else:
                yield outcome

    return Composition("limit", _steps("limit", (step,)), combine)


def outcomes_of(step: Step, examples: Iterable[Example]) -> Iterator[Outcome]:
    """The outcomes of a step, with its rejections where it yields them."""
    return step.outcomes(examples) if isinstance(step, SupportsOutcomes) else iter(step(examples))


def reject(pair: Pair, reason: str) -> Rejection:
    """Turn a pair into a rejection that shows the variant and its cost."""
    source = pair.provenance
    shown = " | ".join(pair.variant.fields.values())
    return Rejection(pair.original, reason, shown, source.copy, source.cost, source.method)


def _chain(steps: Sequence[Step], example: Example) -> Iterator[Outcome]:
    first, *rest = steps
    for outcome in outcomes_of(first, [example]):
        if isinstance(outcome, Rejection) or not rest:
            yield outcome
            continue
        for later in _chain(rest, outcome.variant):
            yield _joined(outcome, later)


def _staged_chain(steps: Sequence[Step], rows: Sequence[Example]) -> Iterator[Outcome]:
    """A chain in which a step sees all rows at once: what the step before made of them.

    A row of which a step has no variant goes on as it is, unless the step leaves it out.
    """
    routes = [_Route(row) for row in rows]
    for step in steps:
        by_input: dict[str, list[Outcome]] = {}
        for outcome in outcomes_of(step, [route.end for route in routes if not route.is_over]):
            parent = outcome.original if isinstance(outcome, Pair) else outcome.parent
            by_input.setdefault(parent.id, []).append(outcome)
        routes = [
            longer
            for route in routes
            for longer in ([route] if route.is_over else route.after(by_input[route.end.id]))
        ]
    for route in routes:
        yield from route.outcomes()


@dataclass(frozen=True)
class _Route:
    """The way of a row through a staged chain."""

    row: Example
    pair: Pair | None = None
    rejections: tuple[Rejection, ...] = ()

    @property
    def end(self) -> Example:
        return self.row if self.pair is None else self.pair.variant

    @property
    def is_over(self) -> bool:
        return any(rejection.weight == 0 for rejection in self.rejections)

    def after(self, outcomes: Sequence[Outcome]) -> list[_Route]:
        """The ways on: one for each variant, or its own with the reasons why there is none."""
        rejections = [outcome for outcome in outcomes if isinstance(outcome, Rejection)]
        pairs = [outcome for outcome in outcomes if isinstance(outcome, Pair)]
        said = tuple(replace(rejection, parent=self.row) for rejection in rejections)
        if not pairs:
            return [replace(self, rejections=(*self.rejections, *said))]
        joined = [pair if self.pair is None else _joined(self.pair, pair) for pair in pairs]
        return [
            replace(self, pair=pair, rejections=self.rejections)
            if isinstance(pair, Pair)
            else replace(self, pair=None, rejections=(*self.rejections, pair))
            for pair in joined
        ]

    def outcomes(self) -> Iterator[Outcome]:
        """The variant with the row's weight, or the reasons why there is none."""
        if self.pair is None or self.is_over:
            yield from self.rejections
            return
        yield self.pair
        yield from (rejection for rejection in self.rejections if rejection.weight is not None)


def _joined(first: Pair, later: Outcome) -> Outcome:
    cost = first.provenance.cost
    if isinstance(later, Rejection):
        return replace(later, parent=first.original, cost=cost + later.cost)
    if dict(later.variant.fields) == dict(first.original.fields):
        return Rejection(
            first.original, "unchanged", cost=cost + later.provenance.cost, method="chain"
        )
    return Pair(first.original, later.variant, _provenance(first, later))


def _provenance(first: Pair, later: Pair) -> Provenance:
    before, after = first.provenance, later.provenance
    stated: Contract = "kept" if first.original.label == later.variant.label else "flipped"
    return Provenance(
        method=f"{before.method}+{after.method}",
        config=digest(before.config, after.config),
        copy=before.copy,
        parents=before.parents + after.parents,
        edits=diff(first.original.fields, later.variant.fields),
        contract="unknown" if "unknown" in (before.contract, after.contract) else stated,
        cost=before.cost + after.cost,
        scores={**before.scores, **after.scores},
        about={**before.about, **after.about},
    )


def _union(steps: Sequence[Step], example: Example) -> Iterator[Outcome]:
    for step in steps:
        yield from outcomes_of(step, [example])


def gate_reason(gate: Gate, pair: Pair) -> str | None:
    """The reason of a gate; a gate that returns anything but text or None is an error."""
    reason = gate(pair)
    if reason is None or isinstance(reason, str):
        return reason
    name = getattr(gate, "__name__", type(gate).__name__)
    raise TypeError(
        f"the gate '{name}' returned {reason!r}. A gate returns None for a variant that passes, "
        "or the reason for rejecting it as text"
    )


def _steps(name: str, steps: Sequence[Step | str]) -> tuple[Step, ...]:
    if not steps:
        raise ConfigError(f"{name}: give it at least one step")
    return tuple(create(step) if isinstance(step, str) else step for step in steps)
