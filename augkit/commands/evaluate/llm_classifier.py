"""An LLM as a classifier: it is asked which label a text has, with the labels in several orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from augkit.commands.evaluate.classifiers import NamedClassifier
from augkit.commands.evaluate.inputs import EvaluationSet
from augkit.commands.evaluate.llm_config import LLMClassifierConfig
from augkit.commands.tested_llm import Answers
from augkit.core.arrays import Floats
from augkit.core.errors import ConfigError
from augkit.core.types import Example
from augkit.labels.judge import UNDECIDED, judge_request
from augkit.prompts.choice_question import ChoiceQuestion

_PROMPT = "evaluate/label"
_MOST_LABELS = 50
_NO_LABEL = f"({UNDECIDED})"


@dataclass(frozen=True)
class LLMClassifier:
    """Label probabilities from an LLM's answers, averaged over the orders of the labels.

    The last label, "(undecided)", is for texts that the model did not answer or whose answers
    contradict each other: it never is the true one.
    """

    answers: Answers
    known: tuple[str, ...]
    descriptions: Mapping[str, str]

    @property
    def labels(self) -> Sequence[str]:
        """The labels, and "(undecided)"."""
        return (*self.known, _NO_LABEL)

    def predict(self, examples: Sequence[Example]) -> Floats:
        """float[examples, labels]; undecided rows have the lowest confidence that there can be."""
        import numpy as np

        found = self.answers.answer([self._question(row) for row in examples])
        least = 1 / (len(self.known) + 1)
        rows = []
        for answer in found:
            shares = answer.probabilities
            if answer.option is None:
                rows.append([least * (1 - 1e-6)] * len(self.known) + [least])
            else:
                rows.append([*(shares[label] for label in self.known), 0.0])
        return np.array(rows).reshape(len(examples), len(self.labels))

    def _question(self, row: Example) -> ChoiceQuestion:
        request = partial(
            judge_request, row.fields, prompt_id=_PROMPT, descriptions=self.descriptions
        )
        return ChoiceQuestion(self.known, request)


def name_llm(
    config: LLMClassifierConfig, answers: Answers, tests: Sequence[EvaluationSet]
) -> NamedClassifier:
    """The LLM as a classifier of the test sets; it has no training rows, so theirs stand in."""
    labels = config.labels or tuple(sorted({label for test in tests for label in test.labels}))
    if not 2 <= len(labels) <= _MOST_LABELS:
        raise ConfigError(
            f"an LLM chooses between 2 to {_MOST_LABELS} labels, and the test sets have "
            f"{len(labels)}. Name the labels with --set model.labels=[...]"
        )
    unknown = [label for label in config.descriptions if label not in labels]
    if unknown:
        raise ConfigError(f"model.descriptions: no label '{unknown[0]}'; there are: {labels}")
    rows = [row for test in tests for row in test.rows]
    return NamedClassifier(
        name=config.spec,
        classifier=LLMClassifier(answers, labels, config.descriptions),
        samples=(),
        sampling="",
        fields=tuple(rows[0].fields),
        model={"kind": "llm", **config.model_dump(mode="json", exclude_defaults=True)},
        rows=0,
        left_out=0,
        corpus=lambda: rows,
        record=answers.record,
    )
