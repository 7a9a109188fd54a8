"""The one loop: propose, check, judge, write again what was refused, sign.

A row becomes variants (``propose``), a variant is alive until it is refused for a ``reason``, and
what is alive at the end is signed: a ``Pair``. Refused variants are values like the others: they
keep their place, their cost and their reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol, TypeVar

from augkit.augmenters.checks import (
    NOT_ENGLISH,
    SPAN_TOUCHED,
    VARIANT_CHECKS,
    accept,
    first_failed,
    repeats_another,
    row_fault,
    row_language,
    shown_text,
)
from augkit.core.choices import holds_choice
from augkit.core.config import MethodConfig
from augkit.core.model_types import Reply, Request
from augkit.core.protocols import LLM, Check, TextChecks
from augkit.core.types import (
    EMPTY,
    FREE,
    Example,
    Outcome,
    Variant,
    new_variant,
    refused,
)
from augkit.text.diff import SpanTouched

T = TypeVar("T")
_TOGETHER = 256
"""Variants that are checked and judged together: faster than one by one, and few in memory."""


class Method(Protocol):
    """What the loop asks of a method (``Augmenter``); a method must write ``propose`` alone."""

    config_digest: str

    @property
    def name(self) -> str:
        """Names the method."""

    @property
    def config(self) -> MethodConfig:
        """Gives its settings."""

    @property
    def traits(self) -> SpanTraits:
        """Says what the checks must know of it."""

    @property
    def labels_needed(self) -> int:
        """Says how many labels a dataset must have."""

    @property
    def reads(self) -> str:
        """Says whether it reads rows or choices."""

    @property
    def reads_english(self) -> str:
        """Says whether rows in other languages are refused."""

    @property
    def written_by_llm(self) -> bool:
        """Says whether a language model writes."""

    @property
    def gates(self) -> TextChecks:
        """Gives the checks of what a language model wrote."""

    @property
    def checks(self) -> Sequence[Check[Variant]]:
        """Gives its own checks."""

    @property
    def attempts(self) -> int:
        """Says how often a variant is written, at most."""

    def propose(self, batch: Sequence[Example]) -> Iterable[Variant]:
        """Makes variants of rows."""

    def again(self, blank: Sequence[Variant]) -> Sequence[Variant]:
        """Writes refused variants once more."""

    def judged(self, variants: Sequence[Variant]) -> list[Variant]:
        """Has variants judged."""

    def text_rejection(
        self, parent: Example, fields: Mapping[str, str], label: str | None
    ) -> tuple[str, str] | None:
        """Says why a text of a language model is refused."""


class SpanTraits(Protocol):
    """What the loop must know of the spans and columns that must stay."""

    @property
    def in_kind(self) -> bool:
        """Says whether a replaced word keeps its kind."""

    @property
    def reads_locked(self) -> bool:
        """Says whether it is shown what must not change."""


def find_outcomes(method: Method, rows: Sequence[Example]) -> list[Outcome]:
    """What comes of these rows: at least one outcome each, in their order."""
    answers: dict[str, list[Outcome]] = {row.id: [] for row in rows}
    fit: list[Example] = []
    for row in {row.id: row for row in rows}.values():  # a row that is there twice is proposed once
        fault = row_refusal(method, row)
        if fault is None:
            fit.append(row)
        else:
            answers[row.id].append(refusal(method, refused(row, *fault)))
    for variants in split_batches(propose_variants(method, fit), _TOGETHER):
        for variant in settle(method, variants):
            earlier = answers[variant.parent.id]
            earlier.append(sign_variant(method, variant, earlier))
    ordered: list[Outcome] = []
    for row in rows:
        if not answers[row.id]:
            answers[row.id].append(refusal(method, refused(row, "nothing proposed")))
        ordered += answers[row.id]
    return ordered


def settle(method: Method, variants: Iterable[Variant]) -> list[Variant]:
    """The variants, checked and judged; those that may be written again are, with the reason."""

    def write(blanks: Sequence[Variant]) -> list[Variant]:
        return method.judged(check_variants(method, method.again(blanks)))

    first = method.judged(check_variants(method, variants))
    return write_again(first, write, method.attempts)


def write_again(
    variants: Sequence[Variant],
    write: Callable[[Sequence[Variant]], Sequence[Variant]],
    attempts: int,
) -> list[Variant]:
    """The variants; those that were refused are written again, ``attempts`` times in all.

    One without ``work`` is not: its method has nothing to write it from.
    """
    tried = list(variants)
    for _ in range(attempts - 1):
        places = [
            place
            for place, variant in enumerate(tried)
            if variant.reason and variant.work is not None
        ]
        if not places:
            break
        written = write([tried[place].again() for place in places])
        for place, variant in zip(places, written, strict=True):
            tried[place] = variant
    return tried


def check_variants(method: Method, variants: Iterable[Variant]) -> list[Variant]:
    """The variants; those that fail a check, or a gate for texts of a language model, refused."""
    own_checks = method.checks
    if method.reads_english == "variants":
        in_english = Check[Variant](NOT_ENGLISH, lambda variant: row_language(variant.parent))
        own_checks = (in_english, *own_checks)
    by_llm = method.written_by_llm
    checks = (*own_checks, *VARIANT_CHECKS)

    def check(variant: Variant) -> Variant:
        if by_llm:
            # An estimate asks about texts that are made up, which pass or fail at random.
            fault = method.gates.first_failed(own_checks, variant)
            fault = fault or first_failed(VARIANT_CHECKS, variant)
            fault = fault or method.text_rejection(variant.parent, variant.fields, variant.label)
        else:
            fault = first_failed(checks, variant)
        if fault is None:
            return variant
        reason, detail = fault
        return variant.refuse(reason, detail or shown_text(variant.parent, variant.fields))

    return each(variants, check)


def sign_variant(method: Method, variant: Variant, earlier: Sequence[Outcome]) -> Outcome:
    """The pair of a variant that is alive, unless it repeats another or touches a span."""
    if variant.reason:
        return refusal(method, variant)
    shown = variant.parent, variant.fields
    if earlier and repeats_another(variant, earlier):
        return refusal(method, variant.refuse("repeats another copy", shown_text(*shown)))
    try:
        return accept(variant, method.name, method.config_digest, in_kind=method.traits.in_kind)
    except SpanTouched as why:
        return refusal(method, variant.refuse(SPAN_TOUCHED, shown_text(*shown, str(why))))


def refusal(method: Method, variant: Variant) -> Variant:
    """A refused variant as a run records it: without what its method wrote it from."""
    # By position, because it is done for most rows of some methods: names take twice as long.
    return new_variant(
        variant.parent,
        variant.parent.fields,
        variant.label,
        variant.contract,
        variant.copy,
        None,
        variant.cost,
        EMPTY,
        EMPTY,
        None,
        variant.reason,
        variant.detail,
        method.name,
        variant.stays,
        variant.weight,
    )


def row_refusal(method: Method, row: Example) -> tuple[str, str] | None:
    """Why nothing can be proposed for a row: the reason and its detail; None where it can."""
    fault = row_fault(row, method.config.max_chars)
    if method.reads == "choices" and not holds_choice(row.fields):
        fault = "not a choice"
    if fault:
        return fault, ""
    language = row_language(row) if method.reads_english == "rows" else ""
    return (NOT_ENGLISH, language) if language else None


def propose_variants(method: Method, rows: Sequence[Example]) -> Iterator[Variant]:
    """What a method proposes; columns that must not change are hidden from one that reads texts.

    A label is about all columns, and so is the winner of a choice.
    """
    if not rows:
        return
    reads_all = method.traits.reads_locked or method.labels_needed > 1 or method.reads == "choices"
    whole = {} if reads_all else {row.id: row for row in rows if row.locked}
    if not whole:
        yield from method.propose(rows)
        return
    shown = [without_locked(row) for row in rows]
    for variant in method.propose(shown):
        row = whole.get(variant.parent.id)
        if row is None:
            yield variant
        else:
            yield replace(variant, parent=row, fields={**row.fields, **variant.fields})


def without_locked(row: Example) -> Example:
    """A row without the columns that must not change."""
    if not row.locked:
        return row
    fields = {name: text for name, text in row.fields.items() if name not in row.locked}
    return replace(row, fields=fields, locked=frozenset())


def each(variants: Iterable[Variant], step: Callable[[Variant], Variant]) -> list[Variant]:
    """A step of a method, done with every variant that is alive."""
    return [variant if variant.reason else step(variant) for variant in variants]


def blank_variant(row: Example, copy: int = 0) -> Variant:
    """A variant in which nothing is written yet."""
    return Variant(row, row.fields, row.label, copy=copy)


def copies_of(variant: Variant, count: int) -> Iterator[Variant]:
    """So many of a variant; the first carries what it has cost."""
    for copy in range(count):
        yield replace(variant, copy=copy, cost=FREE if copy else variant.cost)


def refuse_unanswered(variant: Variant, reply: Reply) -> Variant:
    """How a variant is refused whose reply has a fault."""
    return variant.refuse(f"llm: {reply.fault}", reply.detail or reply.text)


@dataclass(frozen=True)
class Ask:
    """Asks a language model about variants. The cost of a reply is theirs, and so is its fault."""

    llm: LLM
    fail: Callable[[Variant, Reply], Variant] = refuse_unanswered

    def __call__(
        self,
        variants: Iterable[Variant],
        question: Callable[[Variant], Request],
        read: Callable[[Variant, Any], Variant],
    ) -> list[Variant]:
        """The variants with what their answers say; those refused already are not asked about."""
        return [
            variant
            for of_one in self.several(variants, question, as_listing(read))
            for variant in of_one
        ]

    def several(
        self,
        variants: Iterable[Variant],
        question: Callable[[Variant], Request],
        read: Callable[[Variant, Any], Iterable[Variant]],
    ) -> list[list[Variant]]:
        """The same where an answer has several texts: the first variant carries what it cost."""
        variants = list(variants)
        requests = [question(variant) for variant in variants if not variant.reason]
        replies = self.llm.generate(requests) if requests else []
        exchanges = zip(requests, replies, strict=True)
        answered: list[list[Variant]] = []
        for variant in variants:
            if variant.reason:
                answered.append([variant])
                continue
            request, reply = next(exchanges)
            paid = variant.paid(reply.cost)
            answer = reply.text if request.answer is None else reply.answer
            if reply.fault or answer is None:
                answered.append([self.fail(paid, reply)])
            else:
                # Nothing written is a refusal too, or the cost of the answer would be lost.
                answered.append(list(read(paid, answer)) or [paid.refuse("nothing written")])
        return answered


def as_listing(read: Callable[[Variant, Any], Variant]) -> Callable[[Variant, Any], list[Variant]]:
    """A function that reads one variant, as one that reads several."""
    return lambda variant, answer: [read(variant, answer)]


def split_batches(items: Iterable[T], size: int | None) -> Iterator[list[T]]:
    """The items, so many at a time; None: all of them."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
