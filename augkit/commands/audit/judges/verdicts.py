"""Verdicts of judges: two answers in the order shown, and how far the first one won.

Rows are read as choices, in the shapes of AlpacaEval, MT-Bench, Arena and LLMBar too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from augkit.commands.check.rows import locate
from augkit.core.arrays import Flags, Floats, Ints
from augkit.core.choices import Choice
from augkit.core.errors import DataError
from augkit.core.types import digest
from augkit.datasets.choices.load import load_choices
from augkit.datasets.load import Spec
from augkit.datasets.readers.blocks import Row
from augkit.evaluation.choices import markdown_marks

JUDGES = ("judge", "annotator", "judge_model", "evaluator", "grader")
ITEMS = ("item", "question_id", "item_id", "prompt_id")
MODELS = (
    ("first_model", "second_model"),
    ("model_a", "model_b"),
    ("generator_1", "generator_2"),
    ("model_1", "model_2"),
)
_TWO = 2
_FAMILIES = (
    "chatgpt|gpt|davinci|openai",
    "claude|anthropic",
    "gemini|gemma|palm|bard",
    "llama",
    "mistral|mixtral",
    "qwen",
    "deepseek",
    "command|cohere|aya",
    "falcon",
    "grok",
    "phi",
    "yi",
    "vicuna",
    "wizardlm",
)
"""Names of models of one family, as they begin a word of a model's name."""


@dataclass(frozen=True)
class JudgeVerdict:
    """How a judge compared two answers.

    Attributes:
        item: What is judged; the verdicts about it are one unit of a test.
        judge: Who decided.
        first, second: The answers, in the order shown.
        first_wins: 1, 0, or a probability; 0.5: a tie.
        gold: 1 where the first answer is the right one, -1 where the second is, 0: not known.
        compared: Whether both answers were shown at once; otherwise each was rated alone.
        models: Who wrote the first and the second answer; "" where the row does not say.
        on_trial: The model whose win rate is asked for; "" for both.
    """

    item: str
    judge: str
    first: str
    second: str
    first_wins: float
    gold: int = 0
    compared: bool = True
    models: tuple[str, str] = ("", "")
    on_trial: str = ""

    @property
    def decided(self) -> bool:
        """Whether it is no tie."""
        return self.first_wins != 0.5

    @property
    def record(self) -> dict[str, Any]:
        """The row of a file of verdicts."""
        names = {1: "first", -1: "second", 0: None}
        hard = "tie" if not self.decided else "first" if self.first_wins > 0.5 else "second"
        return {
            "item": self.item,
            "judge": self.judge,
            "first": self.first,
            "second": self.second,
            "verdict": hard,
            "p_second": 1 - self.first_wins,
            "gold": names[self.gold],
        }


@dataclass(frozen=True)
class Verdicts:
    """Verdicts with what is compared in them; features are those of the first minus the second."""

    rows: Sequence[JudgeVerdict]

    def __len__(self) -> int:
        """How many verdicts there are."""
        return len(self.rows)

    @cached_property
    def first_wins(self) -> Floats:
        """float[verdicts]: 1, 0, or a probability."""
        return self._floats([verdict.first_wins for verdict in self.rows])

    @cached_property
    def items(self) -> Ints:
        """int[verdicts]: the number of its item, from 0."""
        import numpy as np

        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(verdict.item, len(numbers)) for verdict in self.rows]
        return np.array(codes, dtype=np.int64)

    @cached_property
    def decided(self) -> Flags:
        """bool[verdicts]: no tie."""
        import numpy as np

        return np.array([verdict.decided for verdict in self.rows], dtype=bool)

    @cached_property
    def compared(self) -> Flags:
        """bool[verdicts]: both answers were shown at once, so that one of them was first."""
        import numpy as np

        return np.array([verdict.compared for verdict in self.rows], dtype=bool)

    @cached_property
    def gold(self) -> Floats:
        """float[verdicts]: 1 where the first is right, -1 the second, 0 not known."""
        return self._floats([verdict.gold for verdict in self.rows])

    @cached_property
    def characters(self) -> Floats:
        """float[verdicts]: how many characters the first has more."""
        return self._floats([len(verdict.first) - len(verdict.second) for verdict in self.rows])

    @cached_property
    def doublings(self) -> Floats:
        """float[verdicts]: how many times the first is twice as long: log₂((1 + a) / (1 + b))."""
        import numpy as np

        lengths = [[1 + len(verdict.first), 1 + len(verdict.second)] for verdict in self.rows]
        logs = np.log2(np.array(lengths, dtype=np.float64).reshape(-1, 2))
        return np.asarray(logs[:, 0] - logs[:, 1])

    @cached_property
    def markdown(self) -> Floats:
        """float[verdicts]: the same for marks of Markdown."""
        import numpy as np

        amounts: dict[str, int] = {}
        for verdict in self.rows:
            for text in (verdict.first, verdict.second):
                if text not in amounts:
                    amounts[text] = markdown_marks(text)
        marks = [[1 + amounts[row.first], 1 + amounts[row.second]] for row in self.rows]
        logs = np.log2(np.array(marks, dtype=np.float64).reshape(-1, 2))
        return np.asarray(logs[:, 0] - logs[:, 1])

    @cached_property
    def own_family(self) -> Floats:
        """float[verdicts]: 1 where only the first is by a model of the judge's family, else -1, 0.

        It is 0 where the family of the judge is not known.
        """
        names = {row.judge for row in self.rows} | {n for row in self.rows for n in row.models}
        known = {name: family(name) for name in names}
        return self._floats(
            [
                (known[row.judge] == known[row.models[0]])
                - (known[row.judge] == known[row.models[1]])
                if known[row.judge] >= 0
                else 0
                for row in self.rows
            ]
        )

    def where(self, chosen: Flags) -> Verdicts:
        """Some of the verdicts: bool[verdicts]."""
        return Verdicts([row for row, taken in zip(self.rows, chosen, strict=True) if taken])

    def of_judge(self, judge: str) -> Verdicts:
        """Those of one judge."""
        return Verdicts([row for row in self.rows if row.judge == judge])

    @staticmethod
    def _floats(values: Sequence[float]) -> Floats:
        import numpy as np

        return np.array(values, dtype=np.float64)


def family(name: str) -> int:
    """The number of the family that a model's name tells; -1 where it tells none.

    >>> family("gpt-4/CoT") == family("weighted_alpaca_eval_gpt4_turbo"), family("me")
    (True, -1)
    """
    for number, names in enumerate(_FAMILIES):
        if re.search(rf"(?<![a-z])(?:{names})", name.lower()):
            return number
    return -1


def read_verdicts(spec: Spec) -> Verdicts:
    """The verdicts of a dataset; an error names the line of a row that holds none."""
    dataset = load_choices(spec, allow_empty=True, prepare=_prepared)
    if not dataset.shape.places_matter:
        raise DataError(
            f"{dataset.source}: 'chosen' and 'rejected' do not say which answer was shown first. "
            "Verdicts have the columns first, second and verdict (or response_a, response_b and "
            "winner), and judge"
        )
    for number, choice in enumerate(dataset.choices):
        if len(choice.candidates) != _TWO:
            where = locate(dataset.blocks(), range(len(dataset.choices)), [number])[number]
            raise DataError(
                f"{where}: a verdict is about two answers, and there are {len(choice.candidates)}"
            )
    return Verdicts([_verdict(choice) for choice in dataset.choices])


def _prepared(row: Row) -> Row:
    """The row with its judge, and with the probability of the second where it has one."""
    judge: Any = next((row[name] for name in JUDGES if row.get(name)), "")
    named = {"judge": " ".join(map(str, judge)) if isinstance(judge, list) else str(judge)}
    is_alpaca = _is_alpaca(row)
    column = "preference" if is_alpaca else "p_second"
    value: Any = row.get(column)
    if value is None or (is_alpaca and not isinstance(value, float)):
        return {**row, **named}
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{column} is not a number: {value!r}")
    soft = float(value) - 1 if is_alpaca else float(value)  # AlpacaEval: from 1 to 2
    if not 0 <= soft <= 1:
        least = int(is_alpaca)
        raise DataError(f"{column} is {value}: give a number from {least} to {least + 1}")
    hard = {"preference": 1.5 if soft == 0.5 else 1 + round(soft)} if is_alpaca else {}
    return {**row, **named, **hard, "p_second": soft}


def _is_alpaca(row: Mapping[str, Any]) -> bool:
    """Whether a row is an annotation of AlpacaEval."""
    return {"output_1", "output_2", "preference"} <= {*row}


def _verdict(choice: Choice) -> JudgeVerdict:
    row = choice.columns
    first, second = choice.candidates
    soft = row.get("p_second")
    hard = 0.5 if not choice.decided else float(choice.winners == (0,))
    pair = next((names for names in MODELS if all(row.get(name) for name in names)), None)
    return JudgeVerdict(
        item=_item(choice),
        judge=choice.judge,
        first=first,
        second=second,
        first_wins=hard if soft is None else 1 - float(soft),
        gold=0 if choice.gold is None else 1 - 2 * choice.gold,
        compared=row.get("mode") != "rating" and not _is_alpaca(row),  # which stores no order
        models=(str(row[pair[0]]), str(row[pair[1]])) if pair else ("", ""),
        on_trial=_on_trial(row),
    )


def _item(choice: Choice) -> str:
    named = next((choice.columns[name] for name in ITEMS if choice.columns.get(name)), None)
    if named is not None:
        return str(named)
    return digest(*([choice.prompt] if choice.prompt else sorted(choice.candidates)))


def _on_trial(row: Mapping[str, Any]) -> str:
    if row.get("model"):
        return str(row["model"])
    # AlpacaEval compares the second of the file with a baseline
    return str(row["generator_2"]) if row.get("generator_2") else ""
