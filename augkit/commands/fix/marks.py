"""Marks: names, signatures, openers, formats, numbers. They are taken out of the texts.

A mark is deleted. Where others of its kind stand at the same place ("Agent: Tom."), or where the
sentence would break, it is exchanged for one of these; where neither can be done, rows are left
out until it is as frequent with every label. Where its words tell the label without it ("well" is
praise), it may be put into rows of the other labels instead, until it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from augkit.commands.fix.forms import Write, form_of, is_inside_words, widest_feature
from augkit.commands.fix.places import (
    CuePlace,
    Frame,
    WordPlaces,
    cue_patterns,
    cut,
    find_places,
    inner_phrase,
    is_apart,
    narrowed,
    phrase_pattern,
    words_pattern,
)
from augkit.commands.fix.rows import RowsToFix
from augkit.core.types import Example, digest
from augkit.lexicons.demographics.names import first_names, surnames
from augkit.shortcuts.cues import BOTH, Cue
from augkit.shortcuts.find import rows_with
from augkit.text.same_text import words_digest

How = Literal["deleted", "exchanged", "rows left out", "written alike", "put on others"]
_READS_ON = -1.0
"""T of a cue without which the texts read on."""
_AT_CHANCE = 0.6
"""D of a cue on which nothing else in the text depends."""
_FEW = 0.1
"""Share of the rows that may be left out for a mark."""
_MOST_PLACES = 0.8
"""Share of its places at which others of its kind stand elsewhere."""
_NAMES = 100


@dataclass(frozen=True)
class Mark:
    """A cue that is taken out of texts.

    Attributes:
        cue: What it is.
        how: What is done to it.
        numbers: The rows that have it.
        take_out: A text without it.
        delete: The same by deleting alone, so that texts that differ in nothing else are alike.
        put_in: A text with it, at its usual place.
    """

    cue: Cue
    how: How
    numbers: Sequence[int]
    take_out: Write
    delete: Write
    put_in: Write

    @property
    def field(self) -> str:
        """The text that it is in."""
        return self.cue.feature.field

    def without(self, fields: Mapping[str, str], rng: Random) -> Mapping[str, str]:
        """The texts of a row without it."""
        return self._changed(fields, self.take_out, rng)

    def with_it(self, fields: Mapping[str, str], rng: Random) -> Mapping[str, str]:
        """The texts of a row with it."""
        return self._changed(fields, self.put_in, rng)

    def bare(self, fields: Mapping[str, str], rng: Random) -> Mapping[str, str]:
        """The texts of a row with it deleted."""
        return self._changed(fields, self.delete, rng)

    def _changed(self, fields: Mapping[str, str], change: Write, rng: Random) -> Mapping[str, str]:
        text = change(fields[self.field], rng)
        return fields if text == fields[self.field] else {**fields, self.field: text}


def keyed(seed: int, method: str, row: Example) -> Random:
    """The generator of a row: the same whatever the order of the rows."""
    return Random(digest(str(seed), method, row.id))  # noqa: S311 - a draw, not a secret


def make_mark(cue: Cue, examples: Sequence[Example], *, is_named: bool = False) -> Mark | None:
    """How a cue is taken out; None where no rule can, as for a length.

    Args:
        cue: The cue.
        examples: The rows.
        is_named: Whether the user named it: then it is what was typed, and nothing more.
    """
    cue = replace(cue, feature=widest_feature(cue.features))
    field = cue.feature.field
    if field == BOTH or field not in examples[0].fields:
        return None
    numbers = named_rows(cue, examples) if is_named else rows_with(cue, examples)
    has_it = set(numbers)
    texts = [row.fields[field] for row in examples]
    holding = [texts[number] for number in numbers]
    others = [text for number, text in enumerate(texts) if number not in has_it]
    if not holding:
        return None
    if not cue.feature.words:
        if is_inside_words(cue.feature, holding):
            return None
        form = form_of(cue.feature, holding, others)
        if form is None:
            return None
        how: How = "written alike" if form.everywhere else "deleted"
        return Mark(cue, how, numbers, form.take_out, form.take_out, form.put_in)
    if is_named:
        patterns = [words_pattern(cue.feature.words, cue.feature.kind)]
    else:
        is_label = [row.label == cue.label for row in examples]
        patterns = cue_patterns(cue, texts, is_label)
    words = frozenset(word for word in (*cue.phrase, *cue.feature.words) if word[:1].isalnum())
    places = WordPlaces(patterns, holding, others, words)
    return _word_mark(cue, numbers, places, len(examples))


def named_rows(cue: Cue, examples: Sequence[Example]) -> list[int]:
    """Number the rows in which a cue stands as its words were typed."""
    feature = cue.feature
    if not feature.words:
        return rows_with(cue, examples)
    pattern = words_pattern(feature.words, feature.kind)
    return [n for n, row in enumerate(examples) if pattern.search(row.fields[feature.field])]


def _word_mark(cue: Cue, numbers: Sequence[int], places: WordPlaces, rows: int) -> Mark:
    """A cue of words: what is done to it, and how."""
    core, frame = _own_frame(cue, places)
    others = _others_of_its_kind(cue, core, frame)

    def delete(text: str, rng: Random) -> str:
        del rng
        return without_places(text, find_places(places.patterns, text))

    def exchange(text: str, rng: Random) -> str:
        if not find_places(places.patterns, text):
            return text
        for place in reversed(find_places(core.patterns, text)):
            names = others(place) if others else []
            if names:
                text = _written_over(text, place, rng.choice(names))
        return delete(text, rng)

    def put_in(text: str, rng: Random) -> str:
        if find_places(places.patterns, text):
            return text
        new = None if frame is None else frame.with_cue(text, rng)
        return places.put_in(text, rng) if new is None else new

    if others is not None:
        return Mark(cue, "exchanged", numbers, exchange, delete, put_in)
    how: How = "deleted"
    if _breaks(cue, places) and len(numbers) < _FEW * rows:
        how = "rows left out"
    return Mark(cue, how, numbers, delete, delete, put_in)


def _breaks(cue: Cue, places: WordPlaces) -> bool:
    """Whether the sentences break without the cue."""
    return cue.reads_on is not None and cue.reads_on < _READS_ON and places.usually == "inside"


def _others_of_its_kind(
    cue: Cue, core: WordPlaces, frame: Frame | None
) -> Callable[[CuePlace], Sequence[str]] | None:
    """What may stand at a place of the cue; None where it is not exchanged.

    In a frame that others share they are always exchanged: a text without its signature would
    stand out. Elsewhere only where the sentence breaks: a name for another name, another word
    where most places have had others.
    """
    names: Sequence[str] = ()
    if frame is not None:
        names = frame.others
    elif not _breaks(cue, core):
        return None
    else:
        names = other_names(core)
    if not names and core.known_gaps < _MOST_PLACES:
        return None

    def others(place: CuePlace) -> Sequence[str]:
        return names or core.gap_words.get((place.before[-1:], place.after), ())

    return others


def other_names(places: WordPlaces) -> list[str]:
    """Names of persons for a name of one, written alike; none where the cue is no such name."""
    own = sorted({text[place.start : place.end] for text, place in places.places})
    firsts = [name for word in places.words if (name := first_names().get(word)) is not None]
    if not firsts or not own or not all(name[:1].isupper() for name in own):
        return []
    genders = {name.gender for name in firsts}
    known = [n for n in first_names().values() if n.is_clear and n.gender in genders]
    known = sorted(known, key=lambda name: (-name.bearers, name.text))[:_NAMES]
    texts = [name.text for name in known if name.text.lower() not in places.words]
    if all(len(name.split()) == 1 for name in own):
        return texts
    last = [name.title() for name, group in sorted(surnames().items()) if not group]
    last = [name for name in last if name.lower() not in places.words]
    step = max(1, len(last) // len(texts))
    return [f"{first} {name}" for first, name in zip(texts, last[::step], strict=False)]


def _own_frame(cue: Cue, places: WordPlaces) -> tuple[WordPlaces, Frame | None]:
    """The part of the cue that other texts have not, and the frame that it stands in."""
    phrase = inner_phrase(cue.phrase)
    core = narrowed(phrase, places.texts, places.others)
    if not core or core == phrase:
        return places, places.frame
    inner = WordPlaces([phrase_pattern(core)], places.texts, places.others, frozenset(core))
    return (places, None) if inner.frame is None else (inner, inner.frame)


def _written_over(text: str, place: CuePlace, name: str) -> str:
    """The text with a name in place of the cue; with a capital where a sentence begins."""
    if place.at in {"first", "sentence"} and text[place.start].isupper():
        name = name[:1].upper() + name[1:]
    return text[: place.start] + name + text[place.end :]


def without_places(text: str, places: Sequence[CuePlace]) -> str:
    """The text without the cue at any of its places."""
    for place in reversed(places):
        text = cut(text, place.start, place.end)
    return text


def balanced_rows(examples: Sequence[Example], mark: Mark, seed: int) -> list[int]:
    """The rows that stay so that a mark says nothing of its label, and labels keep their shares.

    Of the rows with the mark and its label so many go that its share is that of all rows. As many
    rows of the other labels go, drawn from those without the mark, each label in its share.
    """
    cue = mark.cue
    has_it = set(mark.numbers)
    own = [n for n in mark.numbers if examples[n].label == cue.label]
    others = len(mark.numbers) - len(own)
    base = sum(row.label == cue.label for row in examples) / len(examples)
    kept = min(len(own), round(others * base / (1 - base)))
    left_out = set(_drawn(own, examples, seed)[kept:])
    share_out = len(left_out) * (1 - base) / base
    free: dict[str, list[int]] = {}
    for number, row in enumerate(examples):
        if row.label != cue.label and number not in has_it:
            free.setdefault(str(row.label), []).append(number)
    total = sum(map(len, free.values()))
    for numbers in free.values():
        size = round(share_out * len(numbers) / total)
        left_out.update(_drawn(numbers, examples, seed)[:size])
    return [number for number in range(len(examples)) if number not in left_out]


def _drawn(numbers: Sequence[int], examples: Sequence[Example], seed: int) -> list[int]:
    """The numbers in an order that the seed and the rows give."""
    return sorted(numbers, key=lambda number: digest(str(seed), "drop", examples[number].id))


def rows_to_put_on(examples: Sequence[Example], mark: Mark, seed: int) -> set[int]:
    """The rows into which a mark goes, so that it is as frequent with every label."""
    has_it = set(mark.numbers)
    of_label: dict[str, list[int]] = {}
    for number, row in enumerate(examples):
        of_label.setdefault(str(row.label), []).append(number)
    shares = {}
    for label, numbers in of_label.items():
        shares[label] = len(has_it.intersection(numbers)) / len(numbers)
    most = max(shares.values())
    chosen: set[int] = set()
    for label, numbers in of_label.items():
        free = [number for number in numbers if number not in has_it]
        size = round((most - shares[label]) * len(numbers))
        chosen.update(_drawn(free, examples, seed)[:size])
    return chosen


@dataclass(frozen=True)
class TakenOut:
    """The rows without the marks.

    Attributes:
        marks: What was taken out, or put on others.
        fields: The texts of each row of the input, as they are trained on.
        clean: The same without any mark.
        alike: What names each row by its words without them: twins have one name.
        staying: The rows that stay to train on.
        examples: Those rows, written anew.
        kept: Rows whose answers, tags or messages the deletion would lose: they are as they were.
        emptied: Rows that were nothing but a mark, and are left out.
    """

    marks: Sequence[Mark]
    fields: Sequence[Mapping[str, str]]
    clean: Sequence[Mapping[str, str]]
    alike: Sequence[str]
    staying: Sequence[int]
    examples: Sequence[Example]
    kept: int
    emptied: int


def take_out(
    rows: RowsToFix, examples: Sequence[Example], marks: Sequence[Mark], seed: int
) -> TakenOut:
    """The rows without the marks."""
    clean: list[Mapping[str, str]] = [row.fields for row in examples]
    fields = clean
    for number, mark in enumerate(marks):
        clean = _without(examples, clean, mark, f"take out {number}", seed)
        if mark.how == "put on others":
            fields = _put_on_others(examples, fields, mark, seed)
        else:
            fields = _without(examples, fields, mark, f"take out {number}", seed)
    staying = set(range(len(examples)))
    for mark in marks:
        if mark.how == "rows left out":
            staying &= set(balanced_rows(examples, mark, seed))
    written: list[Example] = []
    numbers: list[int] = []
    kept = 0
    emptied = 0
    for number in sorted(staying):
        row = examples[number]
        if not any(map(str.strip, fields[number].values())):
            emptied += 1
            continue
        changed = rows.with_fields(row, fields[number])
        if changed is None:
            kept += 1
        written.append(row if changed is None else changed)
        numbers.append(number)
    return TakenOut(marks, fields, clean, _twins(examples, marks), numbers, written, kept, emptied)


def _without(
    examples: Sequence[Example],
    fields: Sequence[Mapping[str, str]],
    mark: Mark,
    method: str,
    seed: int,
) -> list[Mapping[str, str]]:
    """The texts of all rows without a mark."""
    draws = [keyed(seed, method, row) for row in examples]
    return [mark.without(part, rng) for part, rng in zip(fields, draws, strict=True)]


def _put_on_others(
    examples: Sequence[Example], fields: Sequence[Mapping[str, str]], mark: Mark, seed: int
) -> list[Mapping[str, str]]:
    """The texts of all rows, with a mark in some that had none."""
    written = list(fields)
    for number in rows_to_put_on(examples, mark, seed):
        rng = keyed(seed, "put on others", examples[number])
        written[number] = mark.with_it(written[number], rng)
    return written


def _twins(examples: Sequence[Example], marks: Sequence[Mark]) -> list[str]:
    """Name each row by its words with the marks deleted."""
    names = []
    for row in examples:
        fields = row.fields
        for mark in marks:
            fields = mark.bare(fields, keyed(0, "twins", row))
        names.append(words_digest(fields.values()))
    return names


def is_mark(cue: Cue, examples: Sequence[Example]) -> bool:
    """Whether a cue that was found is put into texts from outside, and can go.

    The texts read on without it, or nothing else in them depends on it; or it is a form or the
    name of a person, or stands apart. A phrase that is none of these is a part of what is said, and
    so is a number: "1" of "1 out of 10".
    """
    if not cue.feature.words:
        return True
    if cue.reads_on is not None and cue.reads_on >= _READS_ON:
        return True
    if cue.independence is not None and cue.independence < _AT_CHANCE:
        return True
    words = cue.feature.words
    if any(word in first_names() for word in words):
        return True
    return _stands_apart(cue, examples)


def _stands_apart(cue: Cue, examples: Sequence[Example]) -> bool:
    """Whether it is mostly a sentence or line of its own, or parted by a sign at an end."""
    pattern = phrase_pattern(inner_phrase(cue.phrase or cue.feature.words))
    texts = (row.fields[cue.feature.field] for row in examples)
    apart = [is_apart(text, place) for text in texts for place in find_places([pattern], text)]
    return sum(apart) >= _MOST_PLACES * max(1, len(apart))
