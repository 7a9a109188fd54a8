"""The shapes in which rows hold a choice, found by the names of their columns.

Every shape reads a row as a ``Choice`` and writes a choice as a row of the same shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from augkit.core.choices import Choice
from augkit.core.errors import DataError, beginning, listed
from augkit.core.options import BETWEEN
from augkit.datasets.choices.texts import prompt_text, read_candidates, write_candidates
from augkit.datasets.choices.winners import (
    Places,
    WinnerNames,
    decode_winners,
    encode_winners,
    find_names,
)
from augkit.datasets.readers.blocks import Row, kind_of

PROMPTS = (
    "article passage context support premise prompt question question_stem stem instruction input "
    "query ctx goal sentence"
).split()
"""Columns of a prompt; those of a row are joined in this order."""
LISTS = ("options", "choices", "endings", "mc1_targets", "mc2_targets")
SCORED = ("completions", "responses", "candidates", "generations", "outputs")
SCORES = ("scores", "ratings", "rewards")
_SCORE_KEYS = ("score", "overall_score", "rating", "reward")
ANSWERS = (
    "answer answerKey answer_key answer_index answer_idx label gold correct correct_answer target"
).split()
WINNERS = ("winner", "verdict", "preference", "preferred", "better", "label")
_PAIRS = "response answer output completion conversation model_output".split()
_NUMBERS = Places(tuple(map(str, range(26))))
_COLUMN = re.compile(r"(option|choice|ending|sol|answer)_?(\d|[A-Ea-e])")
_COLUMN_END = re.compile(r"_?(\d|(?<=_)[A-Ea-e])$")


class ChoiceShape(Protocol):
    """How rows of one kind hold a choice."""

    @property
    def places_matter(self) -> bool:
        """Whether the place of the winner is the data's, and not the shape's."""

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns of prompt and candidates."""

    def fit(self, rows: Iterable[Row]) -> ChoiceShape:
        """The shape with the names of winners that these rows use."""

    def read(self, row: Row) -> Choice:
        """The choice of a row; ``DataError`` where it holds none."""

    def write(self, choice: Choice) -> Row:
        """The row of a choice, of which the candidates and the winners may have changed."""

    def reorder(self, row: Row, order: Sequence[int]) -> Row:
        """The row with its candidates, and what belongs to each, in another order.

        ``order`` says which candidate comes to each place; the winner is not named anew.
        """


@dataclass(frozen=True)
class ChosenRejected:
    """``chosen`` and ``rejected``: texts, conversations, or a list of texts each."""

    prompts: tuple[str, ...]
    places_matter = False

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns of prompt and candidates."""
        return (*self.prompts, "chosen", "rejected")

    def fit(self, rows: Iterable[Row]) -> ChosenRejected:
        """Winners are named by their column."""
        del rows
        return self

    def read(self, row: Row) -> Choice:
        """The chosen candidates are first."""
        chosen, rejected = self._sides(row)
        read = read_candidates([*chosen, *rejected], has_prompt=bool(self.prompts))
        prompt = _prompt(row, self.prompts) or read.shared
        return Choice(read.texts, tuple(range(len(chosen))), prompt, columns=row)

    def write(self, choice: Choice) -> Row:
        """The winners go to ``chosen``."""
        row = dict(choice.columns)
        chosen, rejected = self._sides(row)
        values = [*chosen, *rejected]
        read = read_candidates(values, has_prompt=bool(self.prompts))
        losers = [n for n in range(len(choice.candidates)) if n not in choice.winners]
        order = [*choice.winners, *losers]
        written = write_candidates(values, read, [choice.candidates[n] for n in order])
        if self._are_lists(row):
            wins = len(choice.winners)
            return {**row, "chosen": written[:wins], "rejected": written[wins:]}
        if len(choice.winners) != 1 or len(losers) != 1:
            raise DataError("a pair of chosen and rejected has one winner and one loser")
        return {**row, "chosen": written[0], "rejected": written[1]}

    def reorder(self, row: Row, order: Sequence[int]) -> Row:
        """The place of a candidate says that it won: an error."""
        del row, order
        raise DataError("chosen and rejected are named by their columns: their order is fixed")

    def _sides(self, row: Row) -> tuple[list[Any], list[Any]]:
        sides = [row.get("chosen"), row.get("rejected")]
        for name, side in zip(("chosen", "rejected"), sides, strict=True):
            if not isinstance(side, str | list):
                raise DataError(f"{name} is not a text or a list: {kind_of(side)}")
            if side == []:
                raise DataError(f"{name} is an empty list: a choice needs two candidates")
        if self._are_lists(row):
            return sides[0] or [], sides[1] or []
        return [sides[0]], [sides[1]]

    @staticmethod
    def _are_lists(row: Row) -> bool:
        """Whether each side is a list of candidates, and not one text or conversation."""
        sides = (row["chosen"], row["rejected"])
        return all(isinstance(side, list) and not isinstance(side[0], dict) for side in sides)


@dataclass(frozen=True)
class Options:
    """A list of options and a column with the answer: its place, its letter or its text."""

    column: str
    answer: str | None
    prompts: tuple[str, ...]
    names: WinnerNames = _NUMBERS
    places_matter = True

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns of prompt and candidates."""
        return (*self.prompts, self.column)

    def fit(self, rows: Iterable[Row]) -> Options:
        """Find out how the answers are named."""
        if self.answer is None:
            return self
        cells = ((row.get(self.answer), _texts_of(row.get(self.column))) for row in rows)
        return replace(self, names=find_names(cells))

    def read(self, row: Row) -> Choice:
        """The options in their order."""
        value: Any = row.get(self.column)
        texts = _texts_of(value)
        if not texts or not all(isinstance(text, str) for text in texts):
            raise DataError(f"{self.column} is not a list of texts: {kind_of(value)}")
        read = read_candidates(texts, has_prompt=True)
        if self.answer is not None:
            names = self._names(value)
            winners = decode_winners(names, row.get(self.answer), read.texts)
        else:
            labels = value.get("labels") if isinstance(value, dict) else None
            if not isinstance(labels, list) or len(labels) != len(texts):
                raise DataError(f"the labels of {self.column} are not a list, one for each text")
            winners = tuple(n for n, right in enumerate(labels) if right)
        return Choice(read.texts, winners, _prompt(row, self.prompts), columns=row)

    def write(self, choice: Choice) -> Row:
        """The options in their order, and the answer named as it was."""
        row = dict(choice.columns)
        value = row[self.column]
        texts = list(choice.candidates)
        row[self.column] = {**value, _list_key(value): texts} if isinstance(value, dict) else texts
        if self.answer is not None:
            names = self._names(value)
            row[self.answer] = encode_winners(names, choice.winners, texts, row[self.answer])
        else:
            labels = [int(place in choice.winners) for place in range(len(texts))]
            row[self.column]["labels"] = labels
        return row

    def reorder(self, row: Row, order: Sequence[int]) -> Row:
        """The texts in another order; the names of the places stay."""
        value: Any = row[self.column]
        texts = [_texts_of(value)[place] for place in order]
        if isinstance(value, dict):
            return {**row, self.column: {**value, _list_key(value): texts}}
        return {**row, self.column: texts}

    def _names(self, value: Any) -> WinnerNames:
        """ARC and CommonsenseQA name the places of each row in the row."""
        labels = value.get("label") if isinstance(value, dict) else None
        if labels is None:
            return self.names
        if not isinstance(labels, list):
            raise DataError(f"the label of {self.column} is not a list of names: {kind_of(labels)}")
        return Places(tuple(map(str, labels)))


@dataclass(frozen=True)
class Columns:
    """A column for each candidate, and one that names the winner; a verdict where it has a judge.

    Candidates are in the order of their columns, which for a verdict is the order shown.
    """

    columns: tuple[str, ...]
    winner: str
    prompts: tuple[str, ...]
    names: WinnerNames = _NUMBERS
    places_matter = True

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns of prompt and candidates."""
        return (*self.prompts, *self.columns)

    def fit(self, rows: Iterable[Row]) -> Columns:
        """Find out how the winners are named."""
        cells = ((row.get(self.winner), self._texts(row)) for row in rows)
        return replace(self, names=find_names(cells, self.columns))

    def read(self, row: Row) -> Choice:
        """The candidates in the order of their columns."""
        values = [row[name] for name in self.columns if row.get(name) is not None]
        if len(values) < 2:
            raise DataError(f"a choice needs two candidates, and there is {len(values)}")
        read = read_candidates(values, has_prompt=bool(self.prompts))
        winners = decode_winners(self.names, row.get(self.winner), read.texts)
        gold = decode_winners(self.names, row.get("gold"), read.texts) if "judge" in row else ()
        prompt = _prompt(row, self.prompts) or read.shared
        judge = str(row.get("judge") or "")
        first = gold[0] if gold else None
        return Choice(read.texts, winners, prompt, judge=judge, gold=first, columns=row)

    def write(self, choice: Choice) -> Row:
        """Every candidate in its column, and the winner named as it was."""
        row = dict(choice.columns)
        present = [name for name in self.columns if row.get(name) is not None]
        values = [row[name] for name in present]
        read = read_candidates(values, has_prompt=bool(self.prompts))
        row |= zip(present, write_candidates(values, read, choice.candidates), strict=True)
        cell = row[self.winner]
        row[self.winner] = encode_winners(self.names, choice.winners, choice.candidates, cell)
        return row

    def reorder(self, row: Row, order: Sequence[int]) -> Row:
        """The candidates in another order, with the columns that belong to each: ``model_a``."""
        if "judge" in row:
            raise DataError("a verdict is about the order that the judge was shown")
        present = [name for name in self.columns if row.get(name) is not None]
        endings = [_COLUMN_END.search(name) for name in present]
        families = [present]
        if all(endings):
            ends = [end.group() for end in endings if end]
            stems = {name.removesuffix(ends[0]) for name in row if name.endswith(ends[0])}
            families = [[stem + end for end in ends] for stem in sorted(stems)]
        moved = dict(row)
        for family in families:
            if {*family} <= row.keys():
                values = [row[family[place]] for place in order]
                moved |= zip(family, values, strict=True)
        return moved

    def _texts(self, row: Row) -> list[str]:
        return [text for name in self.columns if isinstance(text := row.get(name), str)] or [""] * 2


@dataclass(frozen=True)
class Scored:
    """A list of candidates with a score each; the highest wins."""

    column: str
    scores: str | None
    prompts: tuple[str, ...]
    places_matter = True

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns of prompt and candidates."""
        return (*self.prompts, self.column)

    def fit(self, rows: Iterable[Row]) -> Scored:
        """Winners are named by their scores."""
        del rows
        return self

    def read(self, row: Row) -> Choice:
        """The candidates in their order; where all scores are equal, none wins."""
        values = row.get(self.column)
        if not isinstance(values, list):
            raise DataError(f"{self.column} is not a list: {kind_of(values)}")
        read = read_candidates(values, has_prompt=bool(self.prompts))
        scores = self._scores(row, values)
        best = max(scores)
        winners = tuple(place for place, score in enumerate(scores) if score == best)
        winners = () if len(winners) == len(scores) else winners
        prompt = _prompt(row, self.prompts) or read.shared
        return Choice(read.texts, winners, prompt, scores, columns=row)

    def write(self, choice: Choice) -> Row:
        """The candidates and their scores in the order of the choice."""
        row = dict(choice.columns)
        values = row[self.column]
        read = read_candidates(values, has_prompt=bool(self.prompts))
        written = write_candidates(values, read, choice.candidates)
        if self.scores is not None:
            return {**row, self.column: written, self.scores: list(choice.scores)}
        scored = zip(written, choice.scores, strict=True)
        objects = [{**value, _score_key(value): score} for value, score in scored]
        return {**row, self.column: objects}

    def reorder(self, row: Row, order: Sequence[int]) -> Row:
        """The candidates and their scores in another order."""
        lists = {name: row[name] for name in (self.column, self.scores) if name is not None}
        return {**row, **{name: [held[place] for place in order] for name, held in lists.items()}}

    def _scores(self, row: Row, values: Sequence[Any]) -> tuple[float, ...]:
        scores = row.get(self.scores) if self.scores else [v[_score_key(v)] for v in values]
        if not isinstance(scores, list) or len(scores) != len(values):
            raise DataError(f"{self.scores} is not a list of {len(values)} scores")
        for score in scores:
            if not isinstance(score, int | float):
                raise DataError(f"a score is not a number: {beginning(repr(score))}")
        return tuple(scores)


def find_shape(columns: Sequence[str], rows: Sequence[Row]) -> ChoiceShape | None:
    """The shape that columns of these names have; None where they hold no choice."""
    prompts = tuple(name for name in PROMPTS if name in columns)
    if {"chosen", "rejected"} <= {*columns}:
        return ChosenRejected(prompts)
    for name in (name for name in LISTS if name in columns):
        held: Any = next((row[name] for row in rows if row.get(name)), None)
        answer = _first(ANSWERS, columns)
        if isinstance(held, dict) and "labels" in held:
            return Options(name, None, prompts)
        if answer and _texts_of(held):
            return Options(name, answer, prompts)
    if shape := _pair_of_columns(columns, prompts):
        return shape
    for name in (name for name in SCORED if name in columns):
        value: Any = next((row[name] for row in rows if row.get(name)), None)
        scores = _first(SCORES, columns)
        is_object = isinstance(value, list) and all(isinstance(part, dict) for part in value)
        if scores or (is_object and any(key in value[0] for key in _SCORE_KEYS)):
            return Scored(name, scores, prompts)
    numbered = tuple(name for name in columns if _COLUMN.fullmatch(name))
    lettered = tuple(name for name in columns if re.fullmatch("[A-E]", name))
    for candidates in (numbered, lettered if len(lettered) > 2 else ()):
        answer = _first([name for name in ANSWERS if name not in candidates], columns)
        if answer and len(candidates) > 1:
            return Columns(candidates, answer, prompts)
    return None


def no_choice(columns: Sequence[str]) -> str:
    """What is wrong with columns that hold no choice."""
    return f"no choice is found in its columns: {listed(columns)}. {known_shapes()}"


def known_shapes() -> str:
    """The shapes as an error message lists them."""
    return (
        "Columns that are read as choices: chosen and rejected; options (or choices) and answer; "
        "response_a, response_b and winner; completions and scores"
    )


def _pair_of_columns(columns: Sequence[str], prompts: tuple[str, ...]) -> Columns | None:
    winner = _first(WINNERS, columns)
    ends = (("_a", "_b"), ("_1", "_2"), ("1", "2"), ("_0", "_1"))
    pairs = [(name + first, name + second) for name in _PAIRS for first, second in ends]
    for pair in [*pairs, ("first", "second")]:
        if winner and {*pair} <= {*columns}:
            return Columns(pair, winner, prompts)
    return None


def _prompt(row: Row, columns: Sequence[str]) -> str:
    texts = (prompt_text(row.get(name)) for name in columns)
    return BETWEEN.join(text for text in texts if text)


def _texts_of(value: Any) -> list[Any]:
    """The texts of a list of options, or of an object that holds one."""
    held = value.get(_list_key(value)) if isinstance(value, dict) else value
    return held if isinstance(held, list) else []


def _list_key(value: Mapping[str, Any]) -> str:
    return "text" if "text" in value else "choices"


def _score_key(candidate: Any) -> str:
    keys = candidate if isinstance(candidate, dict) else {}
    key = _first(_SCORE_KEYS, list(keys))
    if key is None:
        raise DataError(f"a candidate has no score: one of {', '.join(_SCORE_KEYS)}")
    return key


def _first(names: Iterable[str], columns: Sequence[str]) -> str | None:
    return next((name for name in names if name in columns), None)
