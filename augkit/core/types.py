"""The values that travel through augkit: frozen, comparable, without behaviour of their own.

An ``Example`` goes in; a method makes a ``Variant`` of it, which is alive until it is refused for a
reason; one that is still alive at the end is signed: a ``Pair`` of the original and its variant,
with the ``Provenance`` of the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from hashlib import blake2b
from itertools import chain
from typing import Any, Literal, NoReturn, TypeVar

from typing_extensions import dataclass_transform

from augkit.core.characters import half_a_character, surrogate_in
from augkit.core.edits import Edit, LabelledSpan
from augkit.core.errors import DataError


def fast_constructor(cls: type[T]) -> type[T]:
    """A function that makes the same objects as ``cls``, three times as fast; for hot paths.

    A frozen dataclass sets every attribute through ``object.__setattr__``. Here the attributes of
    an object of a plain class with the same slots are set, which then becomes a ``cls``. A default
    that a function makes is made once, so it must be one that cannot change.
    """
    columns = fields(cls)  # type: ignore[arg-type] # a dataclass
    defaults = {c.name: c.default for c in columns if c.default is not MISSING}
    defaults |= {c.name: c.default_factory() for c in columns if c.default_factory is not MISSING}
    blank = type(cls.__name__, (), {"__slots__": tuple(c.name for c in columns)})
    arguments = (f"{c.name}=_{c.name}" if c.name in defaults else c.name for c in columns)
    lines = [f"def make({', '.join(arguments)}):", "new_object = new(blank)"]
    lines += [f"new_object.{c.name} = {c.name}" for c in columns]
    lines += ["new_object.__class__ = cls", "return new_object"]
    scope: dict[str, Any] = {f"_{name}": default for name, default in defaults.items()}
    scope |= {"new": object.__new__, "blank": blank, "cls": cls}
    exec("\n    ".join(lines), scope)  # noqa: S102 - as dataclasses does
    make: type[T] = scope["make"]
    return make


T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots."""
    return dataclass(slots=True, frozen=True)(cls)


class NoItems(dict[str, Any]):
    """A mapping with nothing in it; fields take it as a factory, as Python 3.10 demands."""

    __hash__ = object.__hash__  # type: ignore[assignment] # it cannot change

    def __setitem__(self, key: str, content: Any) -> NoReturn:
        """Nothing can be put in."""
        raise TypeError("this empty mapping may be shared: make a new one")


EMPTY: Mapping[str, Any] = NoItems()

Contract = Literal["kept", "flipped", "unknown"]
"""What a method promises of the variant's label: kept, flipped to a stated one, or unknown."""


_HASH = blake2b(digest_size=10)
_HASH_OF_LENGTHS = blake2b(digest_size=10, person=b"lengths")


def digest(*parts: str) -> str:
    """Twenty hex digits that name a sequence of strings; no two sequences are hashed alike.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    joined = "\0".join(parts)
    named = _HASH
    if joined.count("\0") >= len(parts):
        # A part contains the separator itself: lengths separate the parts, in a hash of its own.
        joined = "".join([f"{len(part)}:{part}" for part in parts])
        named = _HASH_OF_LENGTHS
    named = named.copy()  # faster than a new one
    named.update(joined.encode("utf-8", "surrogatepass"))
    return named.hexdigest()


@value
class Example:
    """One row: its text fields by name, its label, and a stable id.

    Attributes:
        fields: Name of a field → its text.
        label: The label, or None.
        id: Names the content; see ``example``.
        columns: The row as it was read, so that the output has all of it.
        fault: Why the row cannot be augmented, if it cannot ("text is missing").
        spans: Parts of the fields that must stay true in a variant.
        locked: Names of the fields that must not change.
    """

    fields: Mapping[str, str]
    label: str | None = None
    id: str = ""
    columns: Mapping[str, object] = field(default_factory=NoItems, compare=False, repr=False)
    fault: str = ""
    spans: tuple[LabelledSpan, ...] = ()
    locked: frozenset[str] = frozenset()


def example(  # noqa: PLR0913 - what a row may have
    text: str | Mapping[str, str],
    label: str | None = None,
    *,
    dataset: str = "",
    occurrence: int = 0,
    columns: Mapping[str, object] | None = None,
    spans: Iterable[LabelledSpan] = (),
    locked: Iterable[str] = (),
) -> Example:
    """Make an example whose id names its content.

    The id is a digest of the dataset, the fields, the label and the occurrence number among
    identical rows, and of any spans: the same row has the same id in any order, shard or sample.
    ``DataError`` for half of a character.

    Args:
        text: The text, or name of a field → its text.
        label: The label.
        dataset: Name of the dataset, a part of the id.
        occurrence: Number among identical rows, from 0.
        columns: The row as it was read.
        spans: Parts of the fields that must stay true in a variant.
        locked: Names of the fields that must not change.

    >>> example("Fine.").id == example("Fine.").id
    True
    """
    fields = {"text": text} if isinstance(text, str) else dict(text)
    for name, part in (*fields.items(), ("label", label or "")):
        if surrogate := surrogate_in(part):
            raise DataError(half_a_character(name, surrogate))
    key = example_id(fields, label, dataset, occurrence)
    spans = tuple(spans)
    carried = EMPTY if columns is None else columns
    key = digest(key, repr(spans)) if spans else key
    return Example(fields, label, key, carried, "", spans, frozenset(locked))


def example_id(fields: Mapping[str, str], label: str | None, dataset: str, occurrence: int) -> str:
    """The id of a row with this content; ``occurrence`` counts identical rows from 0."""
    named = chain.from_iterable(fields.items())
    return digest(dataset, str(occurrence), "-" if label is None else f"={label}", *named)


@value
class Cost:
    """What model calls cost, as first paid: a cached answer carries the cost it had.

    Attributes:
        calls: Number of calls.
        prompt_tokens: Tokens read.
        completion_tokens: Tokens written.
        usd: US dollars; None where a price is unknown.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = 0.0

    def __add__(self, more: Cost) -> Cost:
        """The cost of both."""
        return Cost(
            self.calls + more.calls,
            self.prompt_tokens + more.prompt_tokens,
            self.completion_tokens + more.completion_tokens,
            None if self.usd is None or more.usd is None else self.usd + more.usd,
        )


FREE = Cost()


DETAIL_CHARS = 500
"""The longest detail of a rejection."""


@value
class Variant:
    """A proposal at any moment of its life: blank, written, refused, scored.

    Attributes:
        parent: The row.
        fields: Name of a field → its text; those of the row until something is written.
        label: The label that it has, or is to get.
        contract: What is promised of the label: "kept", "flipped" or "unknown".
        copy: Which of the row's variants it is, from 0.
        edits: The changes; None: they are found by a diff when it is signed.
        cost: The sum of the costs of all replies for it, also those of earlier attempts.
        scores: Figures to record.
        about: What was changed, for breakdowns, as ``{"axis": "gender", "source": "man"}``.
        spans: The labelled spans; None: they are worked out.
        reason: Why it is refused: one of few, because reasons are counted. "": it is alive.
        detail: What exactly was refused.
        method: Who refused it, where that is a step of the method.
        stays: Whether the row itself is the result, where variants replace rows.
        weight: What the row itself counts, for a method that chooses among rows.
        work: What its method needs to write it, or to write it again; nobody else looks at it.
            A refused variant without it is not written again.
        before: The attempt before, which was refused.
    """

    parent: Example
    fields: Mapping[str, str]
    label: str | None
    contract: Contract = "kept"
    copy: int = 0
    edits: tuple[Edit, ...] | None = None
    cost: Cost = FREE
    scores: Mapping[str, float] = field(default_factory=NoItems)
    about: Mapping[str, str] = field(default_factory=NoItems)
    spans: tuple[LabelledSpan, ...] | None = None
    reason: str = ""
    detail: str = ""
    method: str = ""
    stays: bool = False
    weight: float | None = None
    work: Any = None
    before: Variant | None = None

    def refuse(self, reason: str, detail: str = "") -> Variant:
        """Give the same variant, refused.

        Args:
            reason: Why, in a few words that are the same for all such rows.
            detail: What exactly was refused.
        """
        return replace(self, reason=reason, detail=detail[:DETAIL_CHARS])

    def paid(self, cost: Cost) -> Variant:
        """Give the same variant, with what one more reply for it cost.

        Args:
            cost: The cost of the reply.
        """
        return self if cost is FREE else replace(self, cost=self.cost + cost)

    def again(self) -> Variant:
        """A blank one in its place; ``before`` says what was wrong, and what it cost is kept."""
        parent = self.parent
        return Variant(
            parent,
            parent.fields,
            self.label,
            self.contract,
            self.copy,
            cost=self.cost,
            work=self.work,
            before=self,
        )


def refused(row: Example, reason: str, detail: str = "", copy: int = 0, **more: Any) -> Variant:
    """Make a variant that was refused before anything was written.

    Args:
        row: The row.
        reason: Why there is no variant, in a few words that are the same for all such rows.
        detail: What is specific to the row.
        copy: Which of the row's variants it would have been, from 0.
        **more: Other attributes of a variant: ``cost``, ``method``, ``stays`` or ``weight``.
    """
    detail = detail[:DETAIL_CHARS]
    return new_variant(row, row.fields, row.label, copy=copy, reason=reason, detail=detail, **more)


@value
class Provenance:
    """How a variant came to be.

    Attributes:
        method: Name of the method; of a chain, all of them, as "swap+eda".
        config: Digest of the method's settings.
        copy: Which of the row's variants it is, from 0.
        parents: Ids of the rows that it was made of.
        edits: The changes that lead from the first parent to it.
        contract: What is promised of its label: "kept", "flipped" or "unknown".
        cost: What was spent on it.
        scores: Figures that the method records.
        about: What was changed, for breakdowns, as ``{"axis": "gender"}``.
    """

    method: str
    config: str
    copy: int
    parents: tuple[str, ...]
    edits: tuple[Edit, ...]
    contract: Contract
    cost: Cost = FREE
    scores: Mapping[str, float] = field(default_factory=NoItems)
    about: Mapping[str, str] = field(default_factory=NoItems)


@value
class Pair:
    """An original, its variant, and the provenance of the change."""

    original: Example
    variant: Example
    provenance: Provenance


Outcome = Pair | Variant
"""What comes of a row: a pair, or a variant that was refused."""

new_example = fast_constructor(Example)
new_edit = fast_constructor(Edit)
new_provenance = fast_constructor(Provenance)
new_pair = fast_constructor(Pair)
new_variant = fast_constructor(Variant)
