"""What each metric is given: predictions on a test set in the form that its ``inputs`` name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from augkit.augmenters.base import keyed_random
from augkit.augmenters.baselines.random_edit import fit_corpus_words, matched_control
from augkit.augmenters.compose import outcomes_of
from augkit.augmenters.create import create
from augkit.commands.evaluate.choices import judged_choices
from augkit.commands.evaluate.classifiers import NamedClassifier
from augkit.commands.evaluate.evaluation_sets import EvaluationSet, load_ood_rows
from augkit.commands.evaluate.settings import EvaluateSettings
from augkit.commands.evaluate.training_sets import run_training_sets
from augkit.core.arrays import Floats
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import Classifier, Step
from augkit.core.results import Perturbation, PredictedPair
from augkit.core.types import Example, Outcome, Pair, digest
from augkit.evaluation.metrics.base import BaseMetric, PerturbedPredictions
from augkit.evaluation.metrics.ood_auroc import Confidences
from augkit.evaluation.metrics.quality.metric import RunVariants
from augkit.llm.unanswered import noting_unanswered
from augkit.models.classifiers.encoder import embed
from augkit.models.classifiers.labels import SCALE
from augkit.models.classifiers.settings import ClassifierConfig, EncoderConfig
from augkit.models.ensembles.crossfit import load_ensemble, train_crossfitted
from augkit.models.reward.base import RewardClassifier, best_labels
from augkit.runs.models import open_models
from augkit.runs.records import read_variants
from augkit.runs.settings import RunSettings
from augkit.text.tokens import words

_PAIR = "pair_id"
"""The column that an original and its counterfactuals share."""
_BREAKDOWN_COLUMNS = ("group", "shortcut")
_CONTRAST = "contrast"
_SET_SIZE = 4
"""Variants of a row by one kind of edit, at most, where settings do not say otherwise."""
_OTHERS = ("perturbed", "contrast", "ood", "variants", "choices")
_MOST_VARIANTS = 2_000
"""Variants that are looked at: chosen by their content, so that scores do not depend on order."""

Predict = Callable[[Classifier], Any]


@dataclass(frozen=True)
class Case:
    """One test of all classifiers: ``predict`` gives what the metric scores.

    ``predict_main`` gives as much of it as the main score needs.
    """

    name: str
    test: EvaluationSet
    predict: Predict
    predict_main: Predict
    perturbation: Perturbation | None = None
    ood_rows: int | None = None


def cases(
    metric: BaseMetric[Any],
    tests: Sequence[EvaluationSet],
    classifiers: Sequence[NamedClassifier],
    settings: EvaluateSettings,
) -> Iterator[Case]:
    """All test sets, prepared as the metric needs them."""
    if metric.inputs == "perturbed":
        yield from _perturbed_cases(tests, classifiers, settings)
    elif metric.inputs == "contrast":
        yield from _contrast_cases(tests, settings)
    elif metric.inputs == "ood":
        yield from _ood_cases(tests, classifiers, settings)
    elif metric.inputs == "choices":
        for test in tests:
            judge = partial(judged_choices, rows=test.rows, average_by=settings.average_by)
            yield Case(test.name, test, judge, judge)
    elif metric.inputs in ROW_PREDICTIONS:
        for test in tests:
            predict = partial(ROW_PREDICTIONS[metric.inputs], rows=test.rows)
            yield Case(test.name, test, predict, predict)
    else:
        inputs = ", ".join([*ROW_PREDICTIONS, *_OTHERS])
        raise ConfigError(
            f"the metric '{metric.name}' needs '{metric.inputs}', which is unknown. Known: {inputs}"
        )


def _perturbed_cases(
    tests: Sequence[EvaluationSet],
    classifiers: Sequence[NamedClassifier],
    settings: EvaluateSettings,
) -> Iterator[Case]:
    """All classifiers see the same perturbed rows and the same controls."""
    corpus = classifiers[0].corpus()
    run = RunSettings(llm=settings.llm, connection=settings.connection)
    for test in tests:
        with (
            TemporaryDirectory() as folder,
            open_models(run, Path(folder)) as models,
            noting_unanswered() as unanswered,
        ):
            step = create(settings.method, models.tools, **settings.options).fit(corpus)
            perturbed = perturb_rows(step, test.rows, corpus, settings.options.get("seed", 0))
        perturbation = Perturbation(
            method=settings.method,
            rejected=dict(perturbed.rejected.most_common()),
            control_rejected=dict(perturbed.control_rejected.most_common()),
            failed_calls=dict(unanswered.by_reason),
        )
        predict = partial(_perturbed_predictions, test.rows, perturbed, with_control=True)
        predict_main = partial(_perturbed_predictions, test.rows, perturbed, with_control=False)
        yield Case(test.name, test, predict, predict_main, perturbation)


def _contrast_cases(tests: Sequence[EvaluationSet], settings: EvaluateSettings) -> Iterator[Case]:
    """All classifiers see the same contrast sets; the settings are those of ``-m contrast``."""
    options: dict[str, Any] = {"copies": _SET_SIZE}
    if settings.method == _CONTRAST:
        options |= settings.options
    run = RunSettings()
    for test in tests:
        with TemporaryDirectory() as folder, open_models(run, Path(folder)) as models:
            step = create(_CONTRAST, models.tools, **options)
            pairs, rejected = _split(outcomes_of(step, test.rows))
        if not pairs:
            reasons = ", ".join(f"{reason}: {n}" for reason, n in rejected.most_common(3))
            raise DataError(
                f"no contrast set: no edit fits any of the {len(test.rows)} rows of {test.name} "
                f"({reasons}). Contrast sets are made of pairs of captions, as in SNLI"
            )
        perturbation = Perturbation(_CONTRAST, dict(rejected.most_common()), control_rejected={})
        predict = partial(pair_predictions, pairs=pairs)
        yield Case(test.name, test, predict, predict, perturbation)


def _ood_cases(
    tests: Sequence[EvaluationSet],
    classifiers: Sequence[NamedClassifier],
    settings: EvaluateSettings,
) -> Iterator[Case]:
    for spec in settings.ood:
        outside = load_ood_rows(spec, settings, classifiers[0].fields)
        for test in tests:
            predict = partial(_confidences, rows=(test.rows, outside))
            name = f"{test.name} against {spec}"
            yield Case(name, test, predict, predict, ood_rows=len(outside))


def _confidences(classifier: Classifier, rows: Sequence[Sequence[Example]]) -> Confidences:
    return Confidences(*(classifier.predict(side).max(axis=1) for side in rows))


@dataclass(frozen=True)
class PerturbedRows:
    """Perturbed pairs of test rows, a control for each, and the reasons of rejections."""

    pairs: Sequence[Pair]
    rejected: Counter[str]
    controls: Sequence[Pair]
    control_rejected: Counter[str]


def perturb_rows(
    step: Step, rows: Sequence[Example], corpus: Sequence[Example], seed: int
) -> PerturbedRows:
    """Perturb the test rows and make a control of the same size for each perturbed pair.

    The control's words come from the training ``corpus``; no word that the perturbation removed
    or inserted anywhere is removed or inserted by it.
    """
    pairs, rejected = _split(outcomes_of(step, rows))
    _check_perturbed(pairs, rejected, len(rows))
    edits = (edit for pair in pairs for edit in pair.provenance.edits)
    edited = {word for edit in edits for word in words(edit.before) + words(edit.after)}
    vocabulary = fit_corpus_words(corpus).without(edited)
    controls, control_rejected = _split(
        matched_control(pair, vocabulary, keyed_random(seed, pair.variant.id, "control", 0))
        for pair in pairs
    )
    return PerturbedRows(pairs, rejected, controls, control_rejected)


def _split(outcomes: Iterable[Outcome]) -> tuple[list[Pair], Counter[str]]:
    """The pairs, and the reasons of the rejections with their counts."""
    pairs = []
    rejected = Counter[str]()
    for outcome in outcomes:
        if isinstance(outcome, Pair):
            pairs.append(outcome)
        else:
            rejected[outcome.reason] += 1
    return pairs, rejected


def _check_perturbed(pairs: Sequence[Pair], rejected: Counter[str], rows: int) -> None:
    if not pairs:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in rejected.most_common(3))
        raise DataError(
            f"nothing to compare: the method changed none of the {rows} test rows ({reasons}). "
            "Choose a test set with references to people, or another --method"
        )
    for pair in pairs:
        if pair.provenance.contract != "kept":
            raise DataError(
                f"'{pair.provenance.method}' does not promise to keep the label "
                f"({pair.provenance.contract}), so a changed prediction may be the right one. "
                "Choose a --method that keeps it"
            )


def _perturbed_predictions(
    rows: Sequence[Example], perturbed: PerturbedRows, classifier: Classifier, *, with_control: bool
) -> PerturbedPredictions:
    controls = perturbed.controls if with_control else ()
    return PerturbedPredictions(
        pair_predictions(classifier, perturbed.pairs),
        pair_predictions(classifier, controls),
        unchanged=len({row.id for row in rows} - {pair.original.id for pair in perturbed.pairs}),
    )


@dataclass(frozen=True)
class RecordingClassifier:
    """A classifier that keeps the label of every row it predicts."""

    inner: Classifier
    labels_by_row: dict[str, str] = field(default_factory=dict)
    """Id of a row → the predicted label."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the columns of ``predict``."""
        return self.inner.labels

    def predict(self, examples: Sequence[Example]) -> Floats:
        """The probabilities of the inner classifier."""
        probabilities = self.inner.predict(examples)
        chosen = (
            best_labels(probabilities)
            if isinstance(self.inner, RewardClassifier)
            else _chosen_labels(self.labels, probabilities)
        )
        for row, label in zip(examples, chosen, strict=True):
            self.labels_by_row[row.id] = label
        return probabilities


def predicted_labels(classifier: Classifier, examples: Sequence[Example]) -> list[str]:
    """The most probable label of each example, or the number that a regressor predicts."""
    return _chosen_labels(classifier.labels, classifier.predict(examples)) if examples else []


def _chosen_labels(labels: Sequence[str], predicted: Floats) -> list[str]:
    """Among equally probable labels the first one."""
    if tuple(labels) == SCALE:
        return [f"{number:.6g}" for number in predicted[:, 0].tolist()]
    return [labels[number] for number in predicted.argmax(axis=1).tolist()]


def row_predictions(classifier: Classifier, rows: Sequence[Example]) -> list[PredictedPair]:
    """The prediction for every row, with its columns ``group`` and ``shortcut``."""
    predictions = []
    for label, row in zip(predicted_labels(classifier, rows), rows, strict=True):
        columns = {name: row.columns.get(name) for name in _BREAKDOWN_COLUMNS}
        about = {name: str(cell) for name, cell in columns.items() if cell is not None}
        predictions.append(PredictedPair(label, gold=row.label, row=row.id, about=about))
    return predictions


def counterfactual_predictions(
    classifier: Classifier, rows: Sequence[Example]
) -> list[PredictedPair]:
    """The predictions for both members of every counterfactual pair.

    Rows with the same ``pair_id`` belong together: the first is the original, the others are its
    counterfactuals.
    """
    paired = [row for row in rows if row.columns.get(_PAIR)]
    originals: dict[str, PredictedPair] = {}
    pairs = []
    for row, prediction in zip(paired, row_predictions(classifier, paired), strict=True):
        original = originals.setdefault(str(row.columns[_PAIR]), prediction)
        if original is not prediction:
            label = prediction.original
            gold = prediction.gold
            pairs.append(replace(original, variant=label, variant_gold=gold))
    return pairs


def pair_predictions(classifier: Classifier, pairs: Sequence[Pair]) -> list[PredictedPair]:
    """The predictions for every variant and its row; no other row is predicted."""
    rows = {pair.original.id: pair.original for pair in pairs}
    originals = dict(zip(rows, predicted_labels(classifier, list(rows.values())), strict=True))
    variants = predicted_labels(classifier, [pair.variant for pair in pairs])
    return [
        PredictedPair(
            originals[pair.original.id],
            label,
            pair.original.label,
            pair.variant.label,
            pair.original.id,
            pair.provenance.about,
        )
        for pair, label in zip(pairs, variants, strict=True)
    ]


ROW_PREDICTIONS: dict[str, Callable[..., list[PredictedPair]]] = {
    "predictions": row_predictions,
    "counterfactuals": counterfactual_predictions,
}


def read_run_variants(
    folder: Path,
    data_folder: Path | None,
    model: ClassifierConfig,
    test: Sequence[Example] = (),
) -> RunVariants:
    """The labelled variants of a run with their first parents, and a judge of labels.

    Vectors are those of the encoder, where ``model`` is one, or TF-IDF features.
    """
    originals, result = run_training_sets(folder, "both", data_folder)
    by_id = {row.id: row for row in originals.examples}
    rows = [
        row for row in read_variants(folder) if row.label is not None and row.parents[0] in by_id
    ]
    if not rows:
        raise DataError(f"{folder}: the run has no labelled variants to measure")
    rows = sorted(rows, key=lambda row: digest("quality", row.id))[:_MOST_VARIANTS]
    judge = train_crossfitted(originals.examples, load_ensemble("linear-three"))

    def encode(examples: Sequence[Example]) -> Any:
        if isinstance(model, EncoderConfig):
            return embed(examples, tuple(examples[0].fields), model)
        return judge.linear[0][0].features(examples)

    return RunVariants(
        originals=[by_id[row.parents[0]] for row in rows],
        variants=[Example(row.fields, row.label, row.id) for row in rows],
        about=[row.about for row in rows],
        before=originals.examples,
        after=result.examples,
        judge=judge,
        vectors=encode,
        test=test,
    )
