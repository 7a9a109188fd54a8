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
from augkit.core.types import (
    FREE,
    Contract,
    Cost,
    Example,
    Outcome,
    Pair,
    Provenance,
    Variant,
    digest,
    refused,
)
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
        if self.scope == "corpus":
            corpus = list(rows)
            rows = corpus
            if self.combine is _chain:
                yield from chained(self.steps, corpus)
                return
            by_id = {row.id: row for row in corpus}
            steps = [CorpusStep(step, by_id) for step in self.steps]
        for example in rows:
            yield from self.combine(steps, example)

    def fit(self, examples: Iterable[Example]) -> Composition:
        """Fit every step that learns from the corpus."""
        corpus = list(examples)
        steps = tuple(step.fit(corpus) if hasattr(step, "fit") else step for step in self.steps)
        return replace(self, steps=steps)

    @property
    def is_fitted(self) -> bool:
        """Whether every step that is fitted to rows has been."""
        return all(getattr(step, "is_fitted", True) for step in self.steps)

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
            yield refused(example, "not sampled", method="sometimes")

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


def fitted_to(step: Step, rows: Sequence[Example]) -> Step:
    """Fit a step to these rows, unless it is fitted already or needs none."""
    if not hasattr(step, "fit") or getattr(step, "is_fitted", False):
        return step
    fitted: Step = step.fit(rows)
    return fitted


def outcomes_of(step: Step, examples: Iterable[Example]) -> Iterator[Outcome]:
    """The outcomes of a step, with its rejections where it yields them."""
    return step.outcomes(examples) if isinstance(step, SupportsOutcomes) else iter(step(examples))


def reject(pair: Pair, reason: str) -> Variant:
    """Turn a pair into a rejection that shows the variant and its cost."""
    source = pair.provenance
    shown = " | ".join(pair.variant.fields.values())
    return refused(
        pair.original, reason, shown, source.copy, cost=source.cost, method=source.method
    )


def _chain(steps: Sequence[Step], example: Example) -> Iterator[Outcome]:
    return chained(steps, [example])


def chained(steps: Sequence[Step], rows: Sequence[Example]) -> Iterator[Outcome]:
    """The outcomes of a chain: each step sees at once all that the step before made of the rows.

    What a step refuses is not in the result. A row that a step leaves as it is (``stays``, or a
    ``weight`` other than 0) is not refused, and goes on.
    """
    routes = [_Route(row) for row in rows]
    for step in steps:
        ends = {route.end.id: route.end for route in routes if route.refusal is None}
        by_end: dict[str, list[Outcome]] = {end: [] for end in ends}
        for outcome in outcomes_of(step, ends.values()):
            parent = outcome.original if isinstance(outcome, Pair) else outcome.parent
            by_end[parent.id].append(outcome)
        longer: list[_Route] = []
        for route in routes:
            if route.refusal is None:
                longer += route.after(by_end[route.end.id])
            else:
                longer.append(route)
        routes = longer
    for route in routes:
        yield from route.outcomes()


@dataclass(frozen=True)
class _Route:
    """The way of a row through a chain: what each step made of what the step before had made."""

    row: Example
    pairs: tuple[Pair, ...] = ()
    left: tuple[Variant, ...] = ()
    """What steps said of the row that left it as it is."""
    refusal: Variant | None = None

    @property
    def end(self) -> Example:
        return self.pairs[-1].variant if self.pairs else self.row

    @property
    def cost(self) -> Cost:
        return sum((pair.provenance.cost for pair in self.pairs), FREE)

    def after(self, outcomes: Sequence[Outcome]) -> list[_Route]:
        """The ways on: one for each variant, or for each reason why there is none."""
        return [self._with(outcome) for outcome in outcomes]

    def _with(self, outcome: Outcome) -> _Route:
        if isinstance(outcome, Pair):
            return replace(self, pairs=(*self.pairs, outcome))
        of_row = replace(
            outcome, parent=self.row, fields=self.row.fields, cost=self.cost + outcome.cost
        )
        if outcome.stays or outcome.weight:
            return replace(self, left=(*self.left, of_row))
        return replace(self, refusal=of_row)

    def outcomes(self) -> Iterator[Outcome]:
        """The variant with the row's weight, or why there is none."""
        if self.refusal is not None:
            yield self.refusal
        elif not self.pairs:
            yield from self.left
        elif dict(self.end.fields) == dict(self.row.fields):
            yield refused(self.row, "unchanged", cost=self.cost, method="chain")
        else:
            yield Pair(self.row, self.end, _provenance(self.pairs))
            yield from (variant for variant in self.left if variant.weight is not None)


def _provenance(pairs: Sequence[Pair]) -> Provenance:
    """How the last variant came to be, from the row of the first pair on."""
    if len(pairs) == 1:
        return pairs[0].provenance
    steps = [pair.provenance for pair in pairs]
    original = pairs[0].original
    variant = pairs[-1].variant
    contract: Contract = "kept" if original.label == variant.label else "flipped"
    if any(step.contract == "unknown" for step in steps):
        contract = "unknown"
    *earlier, config = [step.config for step in steps]
    for before in reversed(earlier):
        config = digest(before, config)
    scores: dict[str, float] = {}
    about: dict[str, str] = {}
    parents: tuple[str, ...] = ()
    for step in steps:
        scores |= step.scores
        about |= step.about
        parents += step.parents
    return Provenance(
        method="+".join(step.method for step in steps),
        config=config,
        copy=steps[0].copy,
        parents=parents,
        edits=diff(original.fields, variant.fields),
        contract=contract,
        cost=sum((step.cost for step in steps), FREE),
        scores=scores,
        about=about,
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
