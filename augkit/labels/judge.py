"""The judge: a language model names the label of a text, in a call that sees nothing else.

The labels are shown with letters, and the answer is one letter. Each text is judged with the labels
in two orders, and the probabilities of a label are averaged over them: a model that prefers the
first letter, or the last, does not decide by that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from augkit.core.model_types import Request
from augkit.core.protocols import LLM
from augkit.core.types import DETAIL_CHARS, EMPTY, FREE, Cost, Draft, Example, NoItems, Rejection
from augkit.lexicons.label_meanings import relation_of, task_family
from augkit.lexicons.load import word_group
from augkit.prompts.choice_question import ChoiceAnswer, ChoiceQuestion, ask, likeliest
from augkit.prompts.load import load_prompt
from augkit.prompts.prompt import PromptExample
from augkit.prompts.render import letter, render

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted

UNDECIDED = "undecided"
"""What a judge says whose two answers contradict each other."""
AT_CHANCE = "the classifiers that judge without a language model are no better than chance"
REJECTED_LABEL = "judge rejects target label"
_PROMPT = "judge/label"
_MAX_TOKENS = 8


def not_verified(why: str) -> str:
    """The note of a run that accepts variants whose labels no judge checked."""
    return f"labels are NOT verified: {why}. Read some variants before you use them"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How probable the intended label of a variant is, from 0 to 1."""

    probability: float
    cost: Cost = FREE
    about: Mapping[str, str] = field(default_factory=NoItems, hash=False)


Alike = Callable[[str], Collection[str]]
"""A label → the labels that are as good as it, as 4 and 5 stars are; itself among them."""


def itself(label: str) -> Collection[str]:
    """No other label is as good."""
    return [label]


class Judge(Protocol):
    """Does a variant have the intended label?"""

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant; its label is the intended one, its parent the original row."""
        ...


@dataclass(frozen=True)
class EnsembleJudge:
    """Cross-fitted classifiers: those judge a variant that did not see its original."""

    ensemble: CrossFitted
    alike: Alike = itself

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The mean probability of each variant's label, with the labels that are alike."""
        labels = self.ensemble.labels
        verdicts = []
        predicted = self.ensemble.predict(variants, parents)
        for variant, probabilities in zip(variants, predicted, strict=True):
            alike = set(self.alike(str(variant.label)))
            columns = [number for number, label in enumerate(labels) if label in alike]
            verdicts.append(Verdict(float(sum(probabilities[columns]))))
        return verdicts


@dataclass(frozen=True)
class BothJudges:
    """Two judges that must agree; the second is paid, and asked where the first is not sure."""

    first: Judge
    second: Judge
    least: float
    sure: float = 0.8

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The smaller probability of the two, with both opinions."""
        verdicts = self.first.judge(parents, variants)
        passed = [n for n, one in enumerate(verdicts) if self.least <= one.probability < self.sure]
        again = self.second.judge([parents[n] for n in passed], [variants[n] for n in passed])
        for number, asked in zip(passed, again, strict=True):
            verdicts[number] = _joined(verdicts[number], asked)
        return verdicts


def _joined(first: Verdict, second: Verdict) -> Verdict:
    opinion = f"{second.about.get('judge', f'{second.probability:.2f}')} ({first.probability:.2f})"
    probability = min(first.probability, second.probability)
    return Verdict(probability, first.cost + second.cost, {"judge": opinion})


def rejected_label(draft: Draft, verdict: Verdict) -> Rejection:
    """Why the judge rejects a draft: what it said, and the text."""
    answer = verdict.about.get("judge", f"{verdict.probability:.2f}")
    detail = f"{answer}: {' | '.join(draft.fields.values())}"[:DETAIL_CHARS]
    return Rejection(draft.parent, REJECTED_LABEL, detail)


@dataclass(frozen=True)
class Opinion:
    """The probability of each label of a text; none where the model gave no answer."""

    labels: Mapping[str, float]
    cost: Cost = FREE
    fault: str = ""
    by_order: tuple[str | None, ...] = ()
    """The likeliest label in each order of the labels that was answered; None for a tie."""

    @property
    def label(self) -> str:
        """The likeliest label; "undecided" for a tie, "" where there is no answer."""
        best = max(self.labels.values(), default=0.0)
        likeliest = [label for label, p in self.labels.items() if p == best]
        return UNDECIDED if len(likeliest) > 1 else "".join(likeliest)


@dataclass(frozen=True)
class LLMJudge:
    """A language model that is asked which label a text has.

    ``examples`` are rows of the dataset with their labels as answers; without them the prompt's own
    are shown. ``orders`` is 1 or 2.
    """

    llm: LLM
    labels: Sequence[str]
    examples: tuple[PromptExample, ...] = ()
    orders: int = 2
    alike: Alike = itself

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The probability of each variant's label; ``about`` keeps the label that was named."""
        _ = parents  # the model sees the variant alone
        opinions = self.opinions([row.fields for row in variants])
        return [
            read_opinion(one, self.alike(str(row.label)))
            for row, one in zip(variants, opinions, strict=True)
        ]

    def opinions(self, texts: Sequence[Mapping[str, str]]) -> list[Opinion]:
        """The probabilities of the labels of each example with these fields."""
        labels = tuple(self.labels)
        questions = [
            ChoiceQuestion(labels, partial(judge_request, fields, examples=self.examples))
            for fields in texts
        ]
        answers = ask(self.llm, questions, lambda _: self._orders)
        return [_opinion(one) for one in answers]

    @property
    def _orders(self) -> list[tuple[str, ...]]:
        labels = tuple(self.labels)
        return [labels, labels[::-1]][: self.orders if len(labels) > 1 else 1]


def _opinion(answer: ChoiceAnswer) -> Opinion:
    by_order = tuple(likeliest(one.probabilities) for one in answer.by_order)
    return Opinion(answer.probabilities, answer.cost, answer.fault, by_order)


def judge_request(
    fields: Mapping[str, str],
    labels: Sequence[str],
    examples: tuple[PromptExample, ...] = (),
    prompt_id: str = _PROMPT,
    descriptions: Mapping[str, str] = EMPTY,
) -> Request:
    """Ask which label these fields have, without the intended label and the original text.

    ``descriptions`` say what labels mean, for prompts that show it.
    """
    prompt = load_prompt(prompt_id, task_family(labels, fields))
    shown = examples or tuple(_translated(prompt.shown, labels))
    lettered = tuple(_lettered(shown, labels))
    prompt = prompt.with_examples(lettered)
    options = [
        {
            "label": label,
            "relation": _relation(label, fields),
            "description": descriptions.get(label, ""),
        }
        for label in labels
    ]
    messages = render(prompt, labels=options, fields=dict(fields))
    choices = tuple(letter(number) for number in range(len(labels)))
    return Request(messages, choices=choices, max_tokens=_MAX_TOKENS, prompt=prompt.name)


def read_opinion(opinion: Opinion, intended: Iterable[str]) -> Verdict:
    """The probability of the labels that are ``intended``."""
    if not opinion.labels:
        return Verdict(0.0, opinion.cost, {"judge": f"no verdict: {opinion.fault}"})
    probability = sum(opinion.labels.get(label, 0.0) for label in intended)
    return Verdict(probability, opinion.cost, {"judge": opinion.label})


def _translated(
    examples: Sequence[PromptExample], labels: Sequence[str]
) -> Iterator[PromptExample]:
    """Our examples with the labels of the dataset; none where a label would have no example."""
    if {str(one.answer) for one in examples} <= set(labels):
        yield from examples  # rows of the dataset
        return
    meanings = {_meaning(label): label for label in labels}
    if None not in meanings and meanings.keys() <= {one.answer for one in examples}:
        for example in examples:
            if example.answer in meanings:
                yield example.model_copy(update={"answer": meanings[str(example.answer)]})


def _lettered(examples: Sequence[PromptExample], labels: Sequence[str]) -> Iterator[PromptExample]:
    numbers = {label: number for number, label in enumerate(labels)}
    for example in examples:
        if example.answer in numbers:
            yield example.model_copy(update={"answer": letter(numbers[str(example.answer)])})


def _meaning(label: str) -> str | None:
    """The word of our examples for a label: a relation or a polarity."""
    lower = label.strip().casefold()
    for polarity in ("positive", "negative"):
        if lower in word_group("polarity_contexts", f"{polarity}_labels"):
            return polarity
    return relation_of(label)


def _relation(label: str, fields: Mapping[str, str]) -> str:
    return (relation_of(label) or "") if len(fields) > 1 else ""
