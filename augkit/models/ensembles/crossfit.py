"""Several classifiers, each trained without the rows that it will explain or judge.

The rows are split into folds; for every fold and every member a model is trained on the other
folds. A row is then explained, and a variant of it judged, by the models that did not see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from augkit.core.arrays import Floats, Ints
from augkit.core.config import validate
from augkit.core.contributions import Contributions
from augkit.core.errors import ConfigError, DataError
from augkit.core.progress import reported
from augkit.core.types import Example
from augkit.models.classifiers.labels import class_labels, indices_of, label_indices
from augkit.models.classifiers.linear import LinearClassifier
from augkit.models.classifiers.ngrams import (
    find_ngrams,
    gather_contributions,
    texts_by_field,
    tokenise,
)
from augkit.models.classifiers.storage import load_record, save_record
from augkit.models.classifiers.train import TrainedClassifier
from augkit.models.ensembles.config import EnsembleConfig
from augkit.models.ensembles.fold_models import (
    FoldModels,
    load_models,
    save_models,
    share_features,
)
from augkit.models.folds import assign_folds, content_key

_NORMAL_95 = 1.96


@dataclass(frozen=True)
class HeldOutAccuracy:
    """The accuracy of a member on rows it did not see, and that of the most frequent label."""

    member: str
    accuracy: float
    chance: float
    rows: int

    @property
    def better_than_chance(self) -> bool:
        """Whether the lower end of the 95 % interval of the accuracy lies above chance."""
        spread = sqrt(self.accuracy * (1 - self.accuracy) / self.rows)
        return self.accuracy - _NORMAL_95 * spread > self.chance

    def __str__(self) -> str:
        """For messages."""
        return (
            f"'{self.member}' has {self.accuracy:.1%} accuracy on {self.rows} held-out rows; the "
            f"most frequent label alone has {self.chance:.1%}"
        )


@dataclass(frozen=True)
class CrossFitted:
    """A trained ensemble; an ``Artifact``, and a ``Classifier`` that judges out of fold.

    ``models[fold][member]`` was trained without the rows of that fold.
    """

    config: EnsembleConfig
    labels: tuple[str, ...]
    models: FoldModels
    held_out: tuple[HeldOutAccuracy, ...]
    folds: Mapping[str, int]
    """Content of a row → its fold."""

    @property
    def members(self) -> tuple[str, ...]:
        """The names of the classifiers."""
        return self.config.names()

    @property
    def held_out_accuracy(self) -> dict[str, float]:
        """Share of held-out rows that each member gets right."""
        return {one.member: one.accuracy for one in self.held_out}

    @property
    def at_chance(self) -> bool:
        """Whether no member is better than chance."""
        return not any(one.better_than_chance for one in self.held_out)

    @property
    def warnings(self) -> list[str]:
        """A sentence for each member that is no better than chance."""
        return [
            f"{one}: it is no better than chance, and its answers are noise"
            for one in self.held_out
            if not one.better_than_chance
        ]

    def fold_of(self, example: Example) -> int:
        """The fold that holds the row out; one drawn by its content for a row never seen.

        No model has seen such a row, so that any fold would do.
        """
        key = content_key(example)
        return self.folds.get(key, int(key, 16) % len(self.models))

    def classifiers_for(self, example: Example) -> Sequence[TrainedClassifier]:
        """One classifier a member, none of which saw this row, nor a twin of it."""
        return self.models[self.fold_of(example)]

    def predict(
        self, examples: Sequence[Example], origins: Sequence[Example] | None = None
    ) -> Floats:
        """Probabilities, the mean over members: float[examples, labels].

        ``origins`` names for each example the row it comes from: a variant is judged by the
        models that did not see its original.
        """
        import numpy as np

        if not examples:
            return np.empty((0, len(self.labels)))
        return np.asarray(self.predict_each(examples, origins).mean(axis=0), dtype=np.float64)

    def predict_each(
        self, examples: Sequence[Example], origins: Sequence[Example] | None = None
    ) -> Floats:
        """The probabilities of every member: float[members, examples, labels]."""
        import numpy as np

        named = examples if origins is None else origins
        folds = np.array([self.fold_of(row) for row in named], dtype=np.int64)
        counts = self._count(examples)
        answers = np.empty((len(self.config.members), len(examples), len(self.labels)))
        for fold in set(folds.tolist()):
            rows = np.flatnonzero(folds == fold)
            for member, model in enumerate(self.models[fold]):
                if isinstance(model, LinearClassifier):
                    chosen = [count[rows] for count in counts[model.config.ngrams]]
                    answers[member, rows] = model.probabilities(model.weigh(chosen))
                else:
                    answers[member, rows] = model.predict([examples[row] for row in rows.tolist()])
        return answers

    @property
    def linear(self) -> tuple[tuple[LinearClassifier, ...], ...]:
        """The models, where all of them are linear."""
        if not all(isinstance(model, LinearClassifier) for model in self.models[0]):
            raise ConfigError(
                "exact contributions are for ensembles of linear classifiers: explain this one by "
                "lime, integrated-gradients or shapley"
            )
        return self.models  # type: ignore[return-value] # as was just seen

    def contributions_each(
        self, examples: Sequence[Example], labels: Sequence[str]
    ) -> list[Contributions]:
        """For every member the positions and contributions of its n-grams, out of fold.

        The texts are tokenised once for all members and folds.
        """
        import numpy as np

        tokenised = tokenise(examples, self.linear[0][0].fields)
        found = {
            one.config.ngrams: [find_ngrams(tokenised, several) for several in one.vocabularies]
            for one in self.linear[0]
        }
        folds = np.array([self.fold_of(row) for row in examples], dtype=np.int64)
        targets = indices_of(labels, self.labels)
        gathered = []
        for models in zip(*self.linear, strict=True):
            known = found[models[0].config.ngrams]
            each = np.concatenate([folds[one.rows] for one in known])
            scores, bias = np.zeros(len(each)), np.zeros(len(examples))
            for fold in set(folds.tolist()):
                scored = models[fold].score_occurrences(known, targets)
                scores = np.where(each == fold, scored, scores)
                bias = np.where(folds == fold, models[fold].centred_bias[targets], bias)
            gathered.append(gather_contributions(tokenised, known, scores, bias))
        return gathered

    def _count(self, examples: Sequence[Example]) -> dict[int, list[Any]]:
        """The n-grams of the rows, counted once for all models: longest n-gram → counts."""
        linear = [one for one in self.models[0] if isinstance(one, LinearClassifier)]
        texts = texts_by_field(examples, linear[0].fields) if linear else {}
        vocabularies = {one.config.ngrams: one.vocabularies for one in linear}
        return {
            ngrams: [vocabulary.count(texts) for vocabulary in several]
            for ngrams, several in vocabularies.items()
        }

    def save(self, folder: Path) -> None:
        """Write the ensemble into an empty folder, n-grams once for all models."""
        folder.mkdir(parents=True, exist_ok=True)
        record = {
            "config": self.config.model_dump(mode="json"),
            "labels": self.labels,
            "fields": self.models[0][0].fields,
            "held_out": [asdict(one) for one in self.held_out],
            "folds": dict(self.folds),
        }
        save_record(folder / "ensemble.json", record)
        save_models(self.models, folder)

    @classmethod
    def load(cls, folder: Path) -> CrossFitted:
        """Read a saved ensemble; nothing in the files is executed."""
        record = load_record(folder / "ensemble.json")
        config = validate(EnsembleConfig, record["config"], str(folder / "ensemble.json"))
        labels = tuple(record["labels"])
        models = load_models(folder, config, labels, tuple(record["fields"]))
        held_out = tuple(HeldOutAccuracy(**one) for one in record["held_out"])
        return cls(config, labels, models, held_out, record["folds"])


def train_crossfitted(
    examples: Sequence[Example], config: EnsembleConfig | None = None, name: str = "ensemble"
) -> CrossFitted:
    """Train every member once a fold; the same rows in another order give the same ensemble.

    Args:
        examples: Labelled rows.
        config: The settings.
        name: What the report of progress calls it.
    """
    import numpy as np

    config = EnsembleConfig() if config is None else config
    labels = class_labels(examples)
    rows = sorted(examples, key=lambda row: (content_key(row), str(row.label)))
    targets = label_indices(rows, labels)
    folds = np.array(assign_folds(rows, config.folds, config.seed, config.group_column))
    _check_folds(folds, targets, labels, config.folds)
    features = share_features(rows, config.members)
    models, right = [], np.zeros((len(config.members), len(rows)), dtype=bool)
    for fold in reported(f"fitting the {name}", range(config.folds)):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        trained = [features.train(one, inside, targets[inside], labels) for one in config.members]
        for member, model in enumerate(trained):
            predicted = features.predict(model, outside).argmax(axis=1)
            right[member, outside] = predicted == targets[outside]
        models.append(tuple(trained))
    fold_of = {content_key(row): int(fold) for row, fold in zip(rows, folds, strict=True)}
    chance = float(np.bincount(targets).max() / len(targets))
    held_out = tuple(
        HeldOutAccuracy(name, float(hits.mean()), chance, len(rows))
        for name, hits in zip(config.names(), right, strict=True)
    )
    return CrossFitted(config, labels, tuple(models), held_out, fold_of)


def _check_folds(folds: Ints, targets: Ints, labels: Sequence[str], count: int) -> None:
    """Every label must be left to learn from, whichever fold is held out."""
    for number, label in enumerate(labels):
        if len(set(folds[targets == number].tolist())) < 2:
            raise DataError(
                f"all rows with the label '{label}' are held out together, so that nothing would "
                f"be left to learn it from ({int((targets == number).sum())} rows, {count} folds). "
                "Give more rows of it, or leave it out"
            )
