"""What was measured: scores and differences, the results of an evaluation, and surveys.

The types travel from a command to the verdict, the tables and the pages. ``record_of`` and
``read_record`` alone know the keys of ``scores.json``; ``answers_record`` and ``read_answers``
those of an LLM under test; ``Survey.record`` and ``read_survey`` those of ``survey.json``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import TypeAdapter

from augkit.core.json_files import find_json, write_json
from augkit.core.types import Example, NoItems, value

SCORES_FILE = "scores.json"
SURVEY_FILE = "survey.json"
SURVEY_ADVICE = "Delete it and survey again: augkit shortcuts"

T = TypeVar("T")


@value
class Score:
    """A measured number with its interval and the count of items behind it.

    Attributes:
        name: What it is called in tables and files.
        value: The number.
        low: The lower end of the interval.
        high: The upper end.
        n: The items, most often rows, that it was measured on.
    """

    name: str
    value: float
    low: float
    high: float
    n: int

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval does not contain 0."""
        return not self.low <= 0 <= self.high


Direction = Literal["higher", "lower", "neither"]
"""Which scores are better."""


@value
class Skipped:
    """A part of a metric that could not be measured, and why."""

    name: str
    reason: str


@value
class Difference:
    """How far the scores of two classifiers differ: second minus first.

    Attributes:
        name: The name of the two scores.
        score: The difference with its interval.
        p: The p-value.
        direction: That of this score where it is not the metric's.
    """

    name: str
    score: Score
    p: float
    direction: Direction | None = None


@value
class PredictedPair:
    """The labels that a classifier gives to a row and to its variant, where the row has one.

    Attributes:
        original: The label predicted for the row.
        variant: The label predicted for its variant, or None.
        gold: The true label of the row, where it is known.
        variant_gold: The true label of the variant, where it is known.
        row: Id of the row: a row may have several variants.
        about: What was changed, for breakdowns.
    """

    original: str
    variant: str | None = None
    gold: str | None = None
    variant_gold: str | None = None
    row: str = ""
    about: Mapping[str, str] = field(default_factory=NoItems)


@value
class Spread:
    """The scores of several classifiers, and what these differ in."""

    values: tuple[float, ...]
    of: str


@value
class OneLabel:
    """A label that ``rows`` of ``of`` rows get, and the share of these rows that truly has it."""

    label: str
    rows: int
    of: int
    right: float


LONGEST_WINS = "longest wins"
"""The kind of the rows of a survey of choices that are about the lengths of candidates."""


@value
class LengthBin:
    """Items whose longest candidate is so many times as long as the shortest, in characters.

    Attributes:
        least: The lowest ratio.
        most: The ratio that is too high; None: there is none.
        items: How many there are.
        won: The share of them in which the longest candidate wins.
        picked: The share in which a reward model gives it the highest score; None without a model.
    """

    least: float
    most: float | None
    items: int
    won: float
    picked: float | None = None


@value
class RowCounts:
    """The rows that a classifier was trained on and is tested on, and those without a label.

    ``in_train`` test rows have a text that it was trained on; None: not known.
    """

    train: int
    test: int
    left_out_of_train: int
    left_out_of_test: int
    in_train: int | None = 0
    ood: int | None = None


@value
class Perturbation:
    """The method that perturbed the test rows, and why some of them could not be."""

    method: str
    rejected: Mapping[str, int]
    control_rejected: Mapping[str, int]
    failed_calls: Mapping[str, int] = field(default_factory=dict)
    """Calls that no model answered, by reason; their rows are not perturbed."""


@value
class Spent:
    """What a run has spent, before a resume and since.

    ``calls`` includes retries; ``cached`` replies came from the shared cache instead. ``usd`` is
    None where a model's price is not known: ``unpriced`` counts the calls of such models, and
    ``priced_usd`` is the cost of the others. ``unsettled`` calls never reported their usage (a
    timeout, a kill): ``calls`` includes them, and the budget counts them at their maximum.
    ``prompt_cached`` are prompt tokens that servers found in their caches; ``repaired`` answers
    could be read after a repair of their form.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = 0.0
    priced_usd: float = 0.0
    unpriced: dict[str, int] = field(default_factory=dict)
    unsettled: int = 0
    prompt_cached: int = 0
    repaired: int = 0


@value
class LLMAnswers:
    """How an LLM under test answered choice questions, and what that cost.

    ``unanswered`` counts questions by fault; ``undecided`` ones have answers that contradict each
    other; ``to_ask_again`` counts those that the server failed in.
    """

    questions: int = 0
    unanswered: Mapping[str, int] = field(default_factory=NoItems)
    partly_answered: int = 0
    to_ask_again: int = 0
    undecided: int = 0
    with_log_probabilities: int = 0
    position_effect: Mapping[str, Score] = field(default_factory=NoItems)
    cost: Spent | None = None


@value
class Result:
    """A metric of one classifier on one test set.

    Attributes:
        train: The classifier, named by what it was trained on.
        scores: Name → score; the first is the main one.
        skipped: Part of the metric that could not be measured → why.
        model: The settings of the classifier.
        weak_test: Why the test set decides nothing; empty where it does.
        one_label: Where it gives one label to nearly all rows.
        judge: The models that judged the labels of a run's variants.
        by_length: Of choices, how often the longest candidate wins and is picked, by length.
    """

    metric: str
    direction: Direction
    train: str
    test: str
    scores: Mapping[str, Score]
    skipped: Mapping[str, str] = field(default_factory=NoItems)
    perturbation: Perturbation | None = None
    model: Mapping[str, Any] | None = None
    rows: RowCounts | None = None
    is_reference: bool = False
    weak_test: tuple[str, ...] = ()
    seeds: Spread | None = None
    llm: LLMAnswers | None = None
    one_label: OneLabel | None = None
    judge: Mapping[str, Any] | None = None
    by_length: tuple[LengthBin, ...] = ()

    @property
    def main(self) -> Score | None:
        """The main score; None where nothing could be measured."""
        return next(iter(self.scores.values()), None)


@value
class Comparison:
    """The difference of two classifiers in one score: ``second`` minus ``first``.

    Attributes:
        score: The name of the score.
        p_corrected: The p-value corrected for the number of comparisons, where there are several.
        weak_test: Why the test set decides nothing; empty where it does.
    """

    metric: str
    direction: Direction
    score: str
    difference: Score
    p: float
    first: str
    second: str
    test: str
    p_corrected: float | None = None
    is_reference: bool = False
    weak_test: tuple[str, ...] = ()
    over_seeds: Spread | None = None


Verdict = Mapping[str, Sequence[str]]
"""Heading → sentences."""


@value
class Evaluation:
    """The content of ``scores.json``: a verdict, and results in the order of measurement."""

    verdict: Verdict
    records: Sequence[Result | Comparison]

    @property
    def results(self) -> list[Result]:
        """The metrics of single classifiers."""
        return [record for record in self.records if isinstance(record, Result)]

    @property
    def comparisons(self) -> list[Comparison]:
        """The differences between classifiers."""
        return [record for record in self.records if isinstance(record, Comparison)]

    def as_json(self) -> dict[str, Any]:
        """As ``scores.json`` holds it."""
        records = [record_of(result) for result in self.records]
        return {"verdict": dict(self.verdict), "results": records}


@dataclass(frozen=True)
class Table:
    """A table for people.

    Attributes:
        title: What stands above it.
        header: Names of the columns.
        rows: The cells, as text.
        spare: Columns to leave out on a narrow terminal, the first one first.
    """

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    spare: tuple[str, ...] = ()


@value
class WordMark:
    """Words of a text that carry its label, and of what kind they are."""

    field: str
    start: int
    end: int
    kind: str


@value
class MarkedText:
    """A text whose words are marked, with a note such as its label and what was predicted."""

    note: str
    fields: Mapping[str, str]
    marks: tuple[WordMark, ...]


@dataclass(frozen=True)
class Survey:
    """What was found, the strongest first.

    Attributes:
        rows: Plain values, for JSON.
        tables: Tables for people.
        warnings: The caveats.
        about: Counts and corrections.
        marked: Some texts with the words that were found.
    """

    rows: Sequence[Mapping[str, Any]]
    tables: Sequence[Table] = ()
    warnings: Sequence[str] = ()
    about: Mapping[str, Any] = field(default_factory=NoItems)
    marked: Sequence[MarkedText] = ()

    def record(self) -> dict[str, Any]:
        """Everything but the tables, for JSON."""
        record: dict[str, Any] = {
            "about": dict(self.about),
            "warnings": list(self.warnings),
            "rows": [dict(row) for row in self.rows],
        }
        if self.marked:
            record["marked"] = [asdict(marked) for marked in self.marked]
        return record

    def save(self, folder: Path) -> None:
        """Write ``survey.json`` into the folder, which is made if it does not exist."""
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / SURVEY_FILE, self.record())


@runtime_checkable
class SupportsCompare(Protocol):
    """A finder that can also say what changed between two datasets.

    Rows with a "feature", a "label", a "share" and an "after" with its own "share" are drawn on
    the page of a run whose finder it is.
    """

    def compare(
        self,
        before: Sequence[Example],
        after: Sequence[Example],
        config: Any,
        folder: Path | None,
    ) -> Survey:
        """What gave the label away before, and what does now."""


def read_evaluation(folder: Path) -> Evaluation | None:
    """The evaluation of a folder; None where there is none."""
    advice = "Delete it and measure again: augkit evaluate"
    return find_json(folder / SCORES_FILE, _evaluation, advice)


def _evaluation(content: Mapping[str, Any]) -> Evaluation:
    verdict = _read(dict[str, list[str]], content["verdict"])
    return Evaluation(verdict, [read_record(record) for record in content["results"]])


def record_of(result: Result | Comparison) -> dict[str, Any]:
    """A result as ``scores.json`` holds it; what is absent has no key."""
    if isinstance(result, Comparison):
        return _present(
            metric=result.metric,
            direction=result.direction,
            score=result.score,
            difference=_figures(result.difference),
            p=result.p,
            **{"from": result.first, "to": result.second},
            reference=result.is_reference or None,
            test=result.test,
            weak_test=list(result.weak_test) or None,
            over_seeds=_spread_record(result.over_seeds),
            p_corrected=result.p_corrected,
        )
    perturbation = result.perturbation
    rows = None
    if result.rows is not None:
        absent = {"in_train": 0, "ood": None}  # the counts that are not written where they say so
        counts = asdict(result.rows).items()
        rows = {key: count for key, count in counts if count != absent.get(key, -1)}
    return _present(
        metric=result.metric,
        direction=result.direction,
        scores={name: _figures(score) for name, score in result.scores.items()},
        skipped=dict(result.skipped) or None,
        rejected=perturbation and dict(perturbation.rejected),
        control_rejected=perturbation and dict(perturbation.control_rejected),
        method=perturbation and perturbation.method,
        model=result.model,
        train=result.train,
        reference=result.is_reference or None,
        test=result.test,
        rows=rows,
        weak_test=list(result.weak_test) or None,
        seeds=_spread_record(result.seeds),
        llm=result.llm and answers_record(result.llm),
        one_label=result.one_label and asdict(result.one_label),
        judge=result.judge,
        by_length=[asdict(part) for part in result.by_length] or None,
    )


def read_record(record: Mapping[str, Any]) -> Result | Comparison:
    """A result from its record in ``scores.json``."""
    shared = {
        "metric": record["metric"],
        "direction": record["direction"],
        "test": record["test"],
        "is_reference": record.get("reference", False),
        "weak_test": tuple(record.get("weak_test", ())),
    }
    if "difference" in record:
        over_seeds = record.get("over_seeds")
        return _read(
            Comparison,
            shared
            | {
                "score": record["score"],
                "difference": {"name": f"{record['score']} difference", **record["difference"]},
                "p": record["p"],
                "p_corrected": record.get("p_corrected"),
                "first": record["from"],
                "second": record["to"],
                "over_seeds": over_seeds and _spread(over_seeds),
            },
        )
    seeds = record.get("seeds")
    perturbation = None
    if "control_rejected" in record:
        keys = ("method", "rejected", "control_rejected")
        perturbation = {key: record[key] for key in keys}
    return _read(
        Result,
        shared
        | {
            "train": record["train"],
            "scores": {name: {"name": name, **score} for name, score in record["scores"].items()},
            "skipped": record.get("skipped", {}),
            "perturbation": perturbation,
            "model": record.get("model"),
            "rows": record.get("rows"),
            "seeds": seeds and _spread(seeds),
            "llm": read_answers(record.get("llm")),
            "one_label": record.get("one_label"),
            "judge": record.get("judge"),
            "by_length": record.get("by_length", ()),
        },
    )


def _spread(record: Mapping[str, Any]) -> dict[str, Any]:
    return {"values": record["values"], "of": record["of"]}


def _read(kind: type[T], content: Any) -> T:
    """A value of that type, with the types of all its parts checked."""
    adapter: TypeAdapter[T] = _adapter(kind)
    return adapter.validate_python(content)


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def answers_record(answers: LLMAnswers) -> dict[str, Any]:
    """The answers of an LLM as files hold them."""
    effect = {name: asdict(score) for name, score in answers.position_effect.items()}
    return {
        "questions": answers.questions,
        "unanswered": dict(answers.unanswered),
        "partly answered": answers.partly_answered,
        "to ask again": answers.to_ask_again,
        "undecided": answers.undecided,
        "with log-probabilities": answers.with_log_probabilities,
        "position effect": effect,
        "cost": {} if answers.cost is None else asdict(answers.cost),
    }


def read_answers(record: Mapping[str, Any] | None) -> LLMAnswers | None:
    """The answers of an LLM from their record; a model that only scores texts has a cost alone."""
    if not record:
        return None
    counts = {key.replace(" ", "_").replace("-", "_"): count for key, count in record.items()}
    effect = record.get("position effect", {})
    cost = record["cost"]
    whole = counts | {"position_effect": effect, "cost": cost or None}
    return _read(LLMAnswers, whole)


def read_survey(folder: Path) -> Survey | None:
    """The survey of a folder; None where there is none."""
    return find_json(folder / SURVEY_FILE, _survey, SURVEY_ADVICE)


def _survey(content: Mapping[str, Any]) -> Survey:
    parts = {name: content[name] for name in ("rows", "warnings", "about")}
    return _read(Survey, {**parts, "marked": content.get("marked", ())})


def _present(**fields: Any) -> dict[str, Any]:
    return {name: content for name, content in fields.items() if content is not None}


def _figures(score: Score) -> dict[str, float]:
    return {"value": score.value, "low": score.low, "high": score.high, "n": score.n}


def _spread_record(spread: Spread | None) -> dict[str, Any] | None:
    if spread is None:
        return None
    values = list(spread.values)
    deviation = stdev(values) if len(values) > 1 else None
    return {"values": values, "mean": fmean(values), "deviation": deviation, "of": spread.of}
