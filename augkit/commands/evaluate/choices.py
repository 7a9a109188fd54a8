"""Evaluation on choices: which rows are read as such, reward models, and their decisions.

A reward model takes the place of the classifier, and everything else is as for labelled rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import Any

from augkit.augmenters.base import Augmenter
from augkit.augmenters.compose_settings import as_steps
from augkit.commands.evaluate.evaluation_sets import EvaluationSet
from augkit.commands.evaluate.settings import EvaluateSettings, create_metric
from augkit.commands.evaluate.training_sets import TrainingSet, row_weights
from augkit.core import registry
from augkit.core.arrays import Floats
from augkit.core.choices import Choice, choice_of
from augkit.core.errors import ConfigError, DataError, UserError
from augkit.core.protocols import Classifier
from augkit.core.types import Example, digest
from augkit.datasets.choices.load import holds_choices
from augkit.datasets.load import open_dataset
from augkit.evaluation.choices import length_ratio, levels_of, longest_share
from augkit.evaluation.llm_answers import Answers
from augkit.evaluation.metrics.blind_accuracy import BlindItems
from augkit.evaluation.metrics.choice_accuracy import JudgedChoice
from augkit.models.blind_ranker import blind_features
from augkit.models.classifiers.settings import ClassifierConfig, TransformersConfig
from augkit.models.reward.base import (
    RewardClassifier,
    RewardModel,
    best_places,
    candidate_texts,
    choice_units,
    items_of,
)
from augkit.models.reward.functions import function_reward
from augkit.models.reward.train import train_reward
from augkit.models.reward.transformers_reward import open_transformers
from augkit.prompts.choice_question import prompted_question
from augkit.runs.manifest import read_manifest

ACCURACY = "choice-accuracy"
BLIND = "blind-accuracy"
HELD_OUT = "held-out items"
_PROMPT = "evaluate/choice"
_PARTS = 5
"""One unit in this many is held out: of the training items, where no test set is given."""


def for_choices(settings: EvaluateSettings) -> EvaluateSettings:
    """The settings as given, or those of choices where the rows are choices.

    That is so where the run read choices, where the user says it (``choices``), and where columns
    hold choices and no label, so that they could not be read otherwise.
    """
    if not _are_choices(settings):
        return settings
    if settings.classifiers:
        raise ConfigError("--classifier is for labelled rows: choices have no saved models")
    if settings.robust is not None or settings.ood:
        raise ConfigError("robust training and ood are for labelled rows, and these are choices")
    trained = settings.trains
    changes: dict[str, Any] = {
        "reading": settings.reading.model_copy(update={"choices": True}),
        "metrics": _metrics(settings.metrics, trained=trained),
    }
    if not trained and isinstance(settings.model, TransformersConfig) and settings.reward is None:
        changes["reward"] = f"transformers:{settings.model.model}"
    return settings.model_copy(update=changes)


def _are_choices(settings: EvaluateSettings) -> bool:
    if settings.reading.choices or settings.reward is not None:
        return True
    if settings.run is not None:
        return _read_choices(settings.run)
    if settings.reading.text_columns or settings.reading.label_column or settings.classifiers:
        return False
    specs = [*settings.tests, *settings.data, *([settings.train] if settings.train else [])]
    return bool(specs) and all(_holds_only_choices(spec, settings) for spec in specs)


def reads_choices(method: str, options: Mapping[str, Any]) -> bool:
    """Whether a method, or a step of a composition, reads choices."""
    augmenter: type[Augmenter[Any]] = registry.find("augmenters", method)
    steps = as_steps(options.get("steps", ()))
    if augmenter.reads == "choices" or not isinstance(steps, list):
        return augmenter.reads == "choices"
    return any(reads_choices(step["method"], step.get("options", {})) for step in steps)


def _read_choices(folder: Path) -> bool:
    """Whether a run read choices; what is wrong with its folder is said elsewhere."""
    try:
        return read_manifest(folder).dataset.choices
    except DataError:
        return False


def _holds_only_choices(spec: str, settings: EvaluateSettings) -> bool:
    """Whether rows are choices and have no label; what cannot be read at all is said elsewhere."""
    if (Path(spec) / "manifest.json").is_file():
        return _read_choices(Path(spec))
    reading = settings.reading.model_copy(update={"augmented": True})
    try:
        if not holds_choices(spec, reading):
            return False
    except UserError:
        return False
    try:
        return open_dataset(spec, reading).schema.label is None
    except DataError:
        return True


def _metrics(names: Sequence[str], *, trained: bool) -> tuple[str, ...]:
    if tuple(names) == ("accuracy",):
        return (ACCURACY, BLIND) if trained else (ACCURACY,)
    renamed = tuple(dict.fromkeys(ACCURACY if name == "accuracy" else name for name in names))
    for name in renamed:
        if "choices" not in create_metric(name).inputs:
            raise ConfigError(
                f"--metric {name} is for labelled rows, and these are choices: {ACCURACY} and "
                f"{BLIND} are for them"
            )
    if BLIND in renamed and not trained:
        raise ConfigError(f"--metric {BLIND} is about the training items, and nothing is trained")
    return renamed


def hold_out(
    training_sets: Sequence[TrainingSet], originals: TrainingSet
) -> tuple[list[TrainingSet], EvaluationSet]:
    """The training sets without a fifth of the units of the originals, and these as a test set."""
    units = set(_held_units(originals))
    held = [
        row
        for row, unit in zip(originals.examples, unit_names(originals), strict=True)
        if unit in units
    ]
    parts = []
    for training_set in training_sets:
        rows = [
            (row, origin)
            for row, origin, unit in zip(
                training_set.examples, training_set.origins, unit_names(training_set), strict=True
            )
            if unit not in units
        ]
        examples = [row for row, _ in rows]
        origins = [origin for _, origin in rows]
        parts.append(replace(training_set, examples=examples, origins=origins))
    if not held or not all(part.examples for part in parts):
        raise DataError(
            f"{originals.name}: {len(originals.examples)} items are too few to hold some out. Name "
            "a test set: --test DATASET"
        )
    numbers = {row.id: number for number, row in enumerate(originals.examples, 1)}
    labels = frozenset(str(row.label) for row in held)
    return parts, EvaluationSet(HELD_OUT, held, 0, labels, numbers)


def _held_units(originals: TrainingSet) -> list[str]:
    names = sorted(set(unit_names(originals)))
    return [name for name in names if int(digest("held out", name), 16) % _PARTS == 0]


def unit_names(training_set: TrainingSet) -> list[str]:
    """What each row belongs to: its prompt, or the original that it was made from."""
    choices = [choice_of(row) for row in training_set.examples]
    return [
        unit if choice.prompt else origin
        for choice, unit, origin in zip(
            choices, choice_units(choices), training_set.origins, strict=True
        )
    ]


def train_reward_classifier(rows: Sequence[Example], config: ClassifierConfig) -> RewardClassifier:
    """A reward model of rows that are choices; those with weights count as much."""
    import numpy as np

    weights = row_weights(rows)
    counts = None if weights is None else np.array(weights)
    model = train_reward([choice_of(row) for row in rows], config, counts)
    return RewardClassifier(model, tuple(rows[0].fields))


def own_reward(settings: EvaluateSettings) -> tuple[str, RewardModel]:
    """The reward model of the user's, and its name."""
    reward: Any = settings.reward
    if isinstance(reward, str) and reward.startswith("transformers:"):
        path = reward.removeprefix("transformers:")
        given = settings.model.model_fields_set
        most = settings.model.max_tokens if "max_tokens" in given else None  # type: ignore[union-attr] # a transformer's settings
        return Path(path).name, open_transformers(path, most)
    model = function_reward(reward)
    return model.name, model


@dataclass(frozen=True)
class LLMReward:
    """An LLM that is asked which candidate is better, with the candidates in several orders.

    The score of a candidate is its probability, averaged over the orders. Where the answers
    contradict each other, or there is none, the candidates have the same score.
    """

    answers: Answers

    @property
    def config(self) -> Any:
        """How it is asked."""
        return self.answers.settings

    def scores(self, choices: Sequence[Choice]) -> Floats:
        """The probability of each candidate: float[candidates]."""
        import numpy as np

        questions = [
            prompted_question(_PROMPT, choice.candidates, question=choice.prompt)
            for choice in choices
        ]
        scores: list[float] = []
        for question, answer in zip(questions, self.answers.answer(questions), strict=True):
            equal = 1 / len(question.options)
            shares = answer.probabilities
            scores += [shares.get(option, equal) for option in question.options]
        return np.array(scores)


def judged_choices(
    classifier: Classifier, rows: Sequence[Example], average_by: str | None = None
) -> list[JudgedChoice]:
    """How a reward model decides each row that is decided.

    Rows with the same ``item`` are a unit where all have that column, else those with the same
    prompt. ``average_by`` names the column of the groups.
    """
    probabilities = classifier.predict(rows).tolist()
    pairs = [
        (choice, shares)
        for choice, shares in zip(map(choice_of, rows), probabilities, strict=True)
        if choice.decided
    ]
    choices = [choice for choice, _ in pairs]
    named = all("item" in choice.columns for choice in choices)
    units = [str(c.columns["item"]) for c in choices] if named else choice_units(choices)
    judged = []
    for (choice, shares), unit, level in zip(pairs, units, levels_of(choices), strict=True):
        best = best_places(shares[: len(choice.candidates)])
        judged.append(
            JudgedChoice(
                unit,
                sum(place in choice.winners for place in best) / len(best),
                level,
                "" if average_by is None else str(choice.columns.get(average_by, "")),
                length_ratio(choice),
                longest_share(choice, best),
                longest_share(choice, choice.winners),
            )
        )
    return judged


def blind_items(rows: Sequence[Example], units: Sequence[str]) -> BlindItems:
    """How far a ranker without the prompt finds the winner of each training item, in five folds.

    Rows with weights count as much, for the ranker and in the result.
    """
    import numpy as np

    triples = [
        (choice, unit, weight)
        for choice, unit, weight in zip(
            map(choice_of, rows), units, row_weights(rows) or repeat(1.0), strict=False
        )
        if choice.decided and weight > 0
    ]
    choices, names, weights = (list(column) for column in zip(*triples, strict=True))
    features = blind_features(candidate_texts(choices))
    items = items_of(choices)
    folds = np.array([int(digest("fold", name), 16) % _PARTS for name in names])
    everything = np.ones(len(folds), dtype=bool)
    ranked = items.rank(features.crossed_scores(items, folds, everything, np.array(weights)))
    return list(zip(names, (ranked.hits / ranked.leading).tolist(), weights, strict=True))
