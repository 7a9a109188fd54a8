"""One tag per token, in a BIO scheme: entities as spans, and spans as tags again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from augkit.core.edits import LabelledSpan, Span, overlap
from augkit.core.errors import DataError, beginning
from augkit.datasets.readers.blocks import Row

Scheme = Literal["BIO", "IOB1", "BIOES", "BILUO"]
OUTSIDE = "O"
_TAG = re.compile(r"([BIOESLU])-(.+)", re.DOTALL)
_OPENS = frozenset("BSU")
_CLOSES = frozenset("ESLU")
_TOKEN = re.compile(r"\S+")


def holds_tags(value: Any) -> bool:
    """Whether a value is a list of tags with an entity among them.

    >>> holds_tags(["O", "B-PER"]), holds_tags(["O"]), holds_tags(["B-PER", "no tag"])
    (True, False, False)
    """
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        return False
    tagged = [tag for tag in value if tag != OUTSIDE]
    return bool(tagged) and all(map(_TAG.fullmatch, tagged))


@dataclass(frozen=True, slots=True)
class TagColumn:
    """Tags beside a column of tokens; the text is the tokens with a space between them."""

    column: str
    field: str
    tokens: str
    """The column of the tokens."""
    names: tuple[str, ...] = ()
    """Names of the tags 0, 1, 2 ..., where they are numbers."""
    scheme: Scheme = "BIO"

    def read(self, row: Row, fields: Mapping[str, str]) -> list[LabelledSpan]:
        """The entities of a row."""
        tokens = row.get(self.tokens) or []
        tags = row.get(self.column) or []
        if not isinstance(tags, list) or len(tags) != len(tokens):
            count = len(tags) if isinstance(tags, list) else "no"
            raise DataError(
                f"column '{self.column}': {count} tags for {len(tokens)} tokens in "
                f"'{self.tokens}'. Every token needs one tag: correct the row, or drop it"
            )
        named = [self._name(tag) for tag in tags]
        places = token_places(fields[self.field])
        if len(places) != len(tokens):
            return []  # a token holds a space: the row has a fault
        return [
            LabelledSpan(self.field, places[first][0], places[last][1], label, self.column)
            for first, last, label in entities(named)
        ]

    def write(
        self, row: Row, spans: Sequence[LabelledSpan], fields: Mapping[str, str]
    ) -> list[Any]:
        """The tags of the tokens of a variant."""
        tags = list(tags_of(token_places(fields[self.field]), spans, self.scheme))
        before: Any = row.get(self.column)
        are_numbers = isinstance(before, list) and any(isinstance(tag, int) for tag in before)
        return [self.names.index(tag) for tag in tags] if are_numbers else tags

    def named(self, rows: Sequence[Row]) -> list[list[str]]:
        """The names of the tags of some rows; of one without a list of tags, none."""
        lists = (row.get(self.column) for row in rows)
        return [[self._name(tag) for tag in tags] for tags in lists if isinstance(tags, list)]

    def _name(self, tag: Any) -> str:
        name = tag
        if isinstance(tag, int):
            if not 0 <= tag < len(self.names):
                raise DataError(
                    f"column '{self.column}': the tag {tag} has no name. Name the tags 0, 1, 2 "
                    "... in their order: --set tag_names=O,B-PER,I-PER"
                )
            name = self.names[tag]
        if name != OUTSIDE and not (isinstance(name, str) and _TAG.fullmatch(name)):
            raise DataError(
                f"column '{self.column}': {beginning(repr(name))} is not a tag of a BIO scheme "
                "(O, B-PER, I-PER). Only entity tags can follow the edits: convert the column, "
                "or drop it"
            )
        return str(name)


def entities(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """First token, last token and label of each entity.

    >>> entities(["B-PER", "I-PER", "O", "B-LOC", "B-LOC"])
    [(0, 1, 'PER'), (3, 3, 'LOC'), (4, 4, 'LOC')]
    """
    spans: list[tuple[int, int, str]] = []
    before = (OUTSIDE, "")
    for index, tag in enumerate(tags):
        prefix, label = _split(tag)
        continues = before[1] == label and before[0] not in _CLOSES and prefix not in _OPENS
        if label and continues:
            spans[-1] = (spans[-1][0], index, label)
        elif label:
            spans.append((index, index, label))
        before = prefix, label
    return spans


def tags_of(
    places: Sequence[tuple[int, int]], spans: Sequence[LabelledSpan], scheme: Scheme
) -> Iterator[str]:
    """A tag for each token: that of the span which holds it."""
    previous: LabelledSpan | None = None
    for index, (start, end) in enumerate(places):
        here = next((span for span in spans if overlap(span, Span(start, end))), None)
        if here is None:
            yield OUTSIDE
        else:
            following = places[index + 1][0] if index + 1 < len(places) else end
            first = here is not previous
            last = following >= here.end
            beside = previous is not None and previous.label == here.label
            yield f"{_prefix(scheme, first, last, beside=beside)}-{here.label}"
        previous = here


def _prefix(scheme: Scheme, first: bool, last: bool, *, beside: bool) -> str:
    if scheme == "IOB1":
        return "B" if first and beside else "I"
    if scheme == "BIO":
        return "B" if first else "I"
    single, ending = ("S", "E") if scheme == "BIOES" else ("U", "L")
    if first:
        return single if last else "B"
    return ending if last else "I"


def scheme_of(rows: Sequence[Sequence[str]]) -> Scheme:
    """The scheme of the tags of some rows."""
    prefixes = {_split(tag)[0] for tags in rows for tag in tags}
    if prefixes & {"S", "E"}:
        return "BIOES"
    if prefixes & {"U", "L"}:
        return "BILUO"
    pairs = [pair for tags in rows for pair in zip((OUTSIDE, *tags), tags, strict=False)]
    opens = any(tag.startswith("I-") and _split(before)[1] != tag[2:] for before, tag in pairs)
    return "IOB1" if opens else "BIO"


def missing_tags(names: Sequence[str], scheme: Scheme) -> list[str]:
    """The tags that an entity of any length could need, and that have no name.

    >>> missing_tags(["O", "B-PER"], "BIO")
    ['I-PER']
    """
    prefixes = {"BIOES": "BIES", "BILUO": "BILU"}.get(scheme, "BI")
    labels = dict.fromkeys(_split(name)[1] for name in names if name != OUTSIDE)
    needed = (f"{prefix}-{label}" for label in labels for prefix in prefixes)
    return [tag for tag in needed if tag not in names]


def token_places(text: str) -> list[tuple[int, int]]:
    """Start and end of every token of a text whose tokens have spaces between them."""
    return [match.span() for match in _TOKEN.finditer(text)]


def _split(tag: str) -> tuple[str, str]:
    match = _TAG.fullmatch(tag)
    return (match[1], match[2]) if match else (OUTSIDE, "")
