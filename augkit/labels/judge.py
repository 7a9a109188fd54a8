"""Judges: does a text that was written for a label have it?

An ensemble of classifiers judges for nothing, out of fold. A language model is asked which label a
text has, in a call that sees nothing else: the labels are shown with letters, and the answer is one
letter. Each text is judged with the labels in two orders, and the probabilities of a label are
averaged over them: a model that prefers the first letter, or the last, does not decide by that.
Where both judge, the one that is paid is asked where the free one is not sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Protocol

from augkit.core.model_types import Request
from augkit.core.protocols import LLM
from augkit.core.types import EMPTY, FREE, Cost, Example, Variant
from augkit.lexicons.label_meanings import polarity_of_name, relation_of, task_family
from augkit.prompts.choice_question import ChoiceAnswer, ChoiceQuestion, ask
from augkit.prompts.load import load_prompt
from augkit.prompts.prompt import PromptExample
from augkit.prompts.render import letter, render

if TYPE_CHECKING:
    from augkit.models.ensembles.crossfit import CrossFitted

DISAGREES = "judge disagrees"
"""The reason for a variant that a judge gives another label."""
UNDECIDED = "undecided"
"""What a judge says whose two answers contradict each other."""
AT_CHANCE = "the classifiers that judge without a language model are no better than chance"
_PROMPT = "judge/label"
_MAX_TOKENS = 8


def not_verified(why: str) -> str:
    """The note of a run that accepts variants whose labels no judge checked."""
    return f"labels are NOT verified: {why}. Read some variants before you use them"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of a variant.

    Attributes:
        probability: Of the intended label, with those that are alike, from 0 to 1.
        agrees: Whether that label is the likeliest one, or as likely as before.
        label: The likeliest label; "undecided" for a tie, "" where there is no answer.
        fault: Why there is no answer.
        cost: What the judge was paid.
        detail: The answer in few words, for a rejection.
    """

    probability: float
    agrees: bool = False
    label: str = ""
    fault: str = ""
    cost: Cost = FREE
    detail: str = ""


class Judge(Protocol):
    """Does a variant have the intended label?"""

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """A verdict per variant; its label is the intended one, its parent the original row."""
        ...


Alike = Callable[[str], Collection[str]]
"""A label → the labels that are as good as it, as 4 and 5 stars are; itself among them."""


def itself(label: str) -> Collection[str]:
    """No other label is as good."""
    return [label]


@dataclass(frozen=True)
class HiddenWords:
    """Words that a judge does not see: of one field, or of all.

    >>> row = Example({"text": "Riverside branch. Good food."}, "positive")
    >>> HiddenWords(("riverside",)).remove_from(row).fields["text"]
    '  branch. Good food.'
    """

    words: tuple[str, ...] = ()
    field: str = ""

    def remove_from(self, row: Example) -> Example:
        """The row without those words."""
        if not self.words:
            return row
        pattern = _words_pattern(self.words)
        names = [self.field] if self.field else row.fields
        fields = {**row.fields, **{name: pattern.sub(" ", row.fields[name]) for name in names}}
        return replace(row, fields=fields)


NO_WORDS = HiddenWords()


@lru_cache(maxsize=256)
def _words_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class EnsembleJudge:
    """Cross-fitted classifiers: those judge a variant that did not see its original.

    They do not see the words of ``hidden``, which give labels away. With a ``tolerance`` a label
    that is kept, and that they did not find in the original, may lose so much of its probability.
    """

    ensemble: CrossFitted
    alike: Alike = itself
    hidden: HiddenWords = NO_WORDS
    tolerance: float | None = None

    @property
    def accuracy(self) -> float:
        """Share of held-out rows whose label its first member predicts."""
        return self.ensemble.held_out[0].accuracy

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The mean probability of each variant's label, with the labels that are alike."""
        verdicts = self._verdicts(variants, parents)
        if self.tolerance is None:
            return verdicts
        doubted = {
            parent.id: parent
            for parent, variant, verdict in zip(parents, variants, verdicts, strict=True)
            if not verdict.agrees and variant.label == parent.label
        }
        originals = list(doubted.values())
        before = dict(zip(doubted, self._verdicts(originals, originals), strict=True))
        for number, (parent, verdict) in enumerate(zip(parents, verdicts, strict=True)):
            old = None if verdict.agrees else before.get(parent.id)
            if old is not None and not old.agrees:
                kept = verdict.probability >= old.probability - self.tolerance
                verdicts[number] = replace(verdict, agrees=kept)
        return verdicts

    def _verdicts(self, rows: Sequence[Example], origins: Sequence[Example]) -> list[Verdict]:
        rows = list(map(self.hidden.remove_from, rows))
        origins = list(map(self.hidden.remove_from, origins))
        labels = self.ensemble.labels
        verdicts = []
        predicted = self.ensemble.predict(rows, origins)
        for row, probabilities in zip(rows, predicted, strict=True):
            alike = set(self.alike(str(row.label)))
            columns = [number for number, label in enumerate(labels) if label in alike]
            probability = float(sum(probabilities[columns]))
            best = int(probabilities.argmax())
            verdicts.append(
                Verdict(probability, best in columns, labels[best], detail=f"{probability:.2f}")
            )
        return verdicts


@dataclass(frozen=True)
class LLMJudge:
    """A language model that is asked which label a text has.

    It is asked with the labels in 2 ``orders``, or in 1.
    """

    llm: LLM
    labels: Sequence[str]
    orders: int = 2
    alike: Alike = itself

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The probability of each variant's label."""
        _ = parents  # the model sees the variant alone
        answers = self.ask([row.fields for row in variants])
        return [
            verdict_of(answer, self.alike(str(row.label)))
            for row, answer in zip(variants, answers, strict=True)
        ]

    def ask(self, texts: Sequence[Mapping[str, str]]) -> list[ChoiceAnswer]:
        """The probabilities of the labels of each example with these fields."""
        labels = tuple(self.labels)
        orders = [labels, labels[::-1]][: self.orders if len(labels) > 1 else 1]
        questions = [ChoiceQuestion(labels, partial(judge_request, fields)) for fields in texts]
        return ask(self.llm, questions, lambda _: orders)


def verdict_of(answer: ChoiceAnswer, intended: Collection[str]) -> Verdict:
    """The probability of the labels that are intended."""
    probabilities = answer.probabilities
    label = named_label(answer)
    if not probabilities:
        fault = answer.fault
        detail = f"no verdict: {answer.fault}"
        return Verdict(0.0, fault=fault, cost=answer.cost, detail=detail)
    probability = sum(probabilities.get(one, 0.0) for one in intended)
    return Verdict(probability, label in intended, label, cost=answer.cost, detail=label)


def named_label(answer: ChoiceAnswer) -> str:
    """The likeliest label; "undecided" for a tie, "" where there is no answer."""
    return (answer.option or UNDECIDED) if answer.by_order else ""


@dataclass(frozen=True)
class BothJudges:
    """Two judges that must agree; the second is paid, and asked where the first is not sure.

    ``second`` is called when it is first needed; it gives None where no second judge can be had.
    """

    first: Judge
    second: Callable[[], Judge | None]
    least: float
    sure: float = 0.8

    def judge(self, parents: Sequence[Example], variants: Sequence[Example]) -> list[Verdict]:
        """The smaller probability of the two, with both opinions."""
        verdicts = self.first.judge(parents, variants)
        unsure = [n for n, one in enumerate(verdicts) if self.least <= one.probability < self.sure]
        second = self.second() if unsure else None
        if second is None:
            return verdicts
        answers = second.judge([parents[n] for n in unsure], [variants[n] for n in unsure])
        for number, answer in zip(unsure, answers, strict=True):
            free = verdicts[number]
            verdicts[number] = replace(
                answer,
                probability=min(free.probability, answer.probability),
                agrees=free.agrees and answer.agrees,
                cost=free.cost + answer.cost,
                detail=f"{answer.detail} ({free.probability:.2f})",
            )
        return verdicts


def has_label(variant: Variant) -> bool:
    """Whether a variant is to have a label."""
    return variant.label is not None


def judged_by(
    judge: Judge,
    variants: Sequence[Variant],
    doubt: Callable[[Variant, Verdict], Variant],
    can_judge: Callable[[Variant], bool] = has_label,
) -> list[Variant]:
    """Have variants judged; those that are refused already are not shown to the judge.

    Args:
        judge: Who judges. What it is paid is added to the cost of the variant.
        variants: Variants, alive or refused.
        doubt: Refuses a variant because of its verdict, or leaves it as it is.
        can_judge: Whether the judge can say anything about a variant.
    """
    judged = list(variants)
    places = [
        place for place, variant in enumerate(judged) if not variant.reason and can_judge(variant)
    ]
    if not places:
        return judged
    parents = [judged[place].parent for place in places]
    texts = [Example(judged[place].fields, judged[place].label) for place in places]
    for place, verdict in zip(places, judge.judge(parents, texts), strict=True):
        judged[place] = doubt(judged[place].paid(verdict.cost), verdict)
    return judged


def refuse_label(variant: Variant, opinion: str) -> Variant:
    """Refuse a variant because a judge doubts its label; the opinion comes before the text."""
    return variant.refuse(DISAGREES, f"{opinion}: {' | '.join(variant.fields.values())}")


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
    letters = {label: letter(number) for number, label in enumerate(labels)}
    lettered = tuple(
        example.model_copy(update={"answer": letters[str(example.answer)]})
        for example in examples or _translated(prompt.shown, labels)
        if example.answer in letters
    )
    prompt = prompt.with_examples(lettered)
    is_pair = len(fields) > 1
    options = [
        {
            "label": label,
            "relation": (is_pair and relation_of(label)) or "",
            "description": descriptions.get(label, ""),
        }
        for label in labels
    ]
    messages = render(prompt, labels=options, fields=dict(fields))
    choices = tuple(letters.values())
    return Request(messages, choices=choices, max_tokens=_MAX_TOKENS, prompt=prompt.name)


def _translated(
    examples: Sequence[PromptExample], labels: Sequence[str]
) -> Iterator[PromptExample]:
    """Our examples with the labels of the dataset; none where a label would have no example."""
    if {str(example.answer) for example in examples} <= set(labels):
        yield from examples  # rows of the dataset
        return
    # Words of our examples for labels: polarities or relations.
    meanings: dict[str | None, str] = {
        polarity_of_name(label) or relation_of(label): label for label in labels
    }
    if None not in meanings and meanings.keys() <= {example.answer for example in examples}:
        for example in examples:
            if example.answer in meanings:
                yield example.model_copy(update={"answer": meanings[str(example.answer)]})
