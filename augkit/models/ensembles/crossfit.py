"""Several classifiers, each trained without the rows that it will explain or judge.

The rows are dealt into folds; for every fold and every member a model is trained on the other
folds. A row is then explained, and a variant of it judged, by the models that did not see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, field_validator

from augkit.core.config import StrictModel
from augkit.core.contributions import Contributions
from augkit.core.errors import ConfigError, DataError
from augkit.core.types import Example
from augkit.models.classifiers.labels import class_labels, label_numbers, named_labels
from augkit.models.classifiers.linear import LinearClassifier, LinearConfig
from augkit.models.classifiers.ngram_positions import find_ngrams, gather_contributions, tokenise
from augkit.models.classifiers.ngrams import texts_by_field
from augkit.models.ensembles.folds import assign_folds, content_key
from augkit.models.ensembles.members import Member, Model, prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

FIVE = (
    LinearConfig(),
    LinearConfig(features="counts", ngrams=1, learner="naive-bayes"),
    LinearConfig(features="binary", ngrams=1, learner="svm", strength=1.0),
    LinearConfig(features="binary", ngrams=2, learner="ridge", strength=1.0),
    LinearConfig(features="tfidf", ngrams=1, learner="svm", penalty="l1", strength=1.0),
)
"""Five ways to weigh words: they differ in features, in loss and in what holds weights back."""

_NORMAL_95 = 1.96


class EnsembleConfig(StrictModel):
    """Who votes, and how many parts the rows are dealt into."""

    members: tuple[Member, ...] = Field(
        FIVE, min_length=1, description="the classifiers; an odd number of different ones"
    )
    folds: int = Field(5, ge=2, le=50, description="parts; a row is explained by models of others")
    seed: int = Field(0, description="changes which rows are held out together")
    group_column: str | None = Field(
        "pair_id", description="rows with the same value here (counterfactual twins) stay together"
    )

    @field_validator("members")
    @classmethod
    def _can_vote(cls, members: tuple[Member, ...]) -> tuple[Member, ...]:
        if len(members) % 2 == 0:
            raise ValueError(
                f"{len(members)} classifiers can tie. Give an odd number: add one or leave one out"
            )
        if len({one.model_dump_json() for one in members}) < len(members):
            raise ValueError("two members are the same, so that one vote would count twice")
        return members

    def names(self) -> tuple[str, ...]:
        """The names of the members, all different.

        >>> EnsembleConfig(members=(LinearConfig(),)).names()
        ('tfidf2-logistic',)
        """
        plain = [one.name for one in self.members]
        return tuple(
            name if plain.count(name) == 1 else f"{name}-{plain[: place + 1].count(name)}"
            for place, name in enumerate(plain)
        )


@dataclass(frozen=True)
class HeldOut:
    """How a member does on rows that it did not see, beside always saying the commonest label."""

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
        """The figures in words."""
        return (
            f"'{self.member}' is right on {self.accuracy:.1%} of {self.rows} held-out rows; always "
            f"saying the commonest label is right on {self.chance:.1%}"
        )


@dataclass(frozen=True)
class CrossFitted:
    """A trained ensemble; an ``Artifact``, and a ``Classifier`` that judges out of fold.

    ``models[fold][member]`` was trained without the rows of that fold.
    """

    config: EnsembleConfig
    labels: tuple[str, ...]
    models: tuple[tuple[Model, ...], ...]
    held_out: tuple[HeldOut, ...]
    places: Mapping[str, int]
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
    def warnings(self) -> list[str]:
        """A sentence for each member that is no better than chance."""
        return [
            f"{one}: it is no better than chance, and its votes are noise"
            for one in self.held_out
            if not one.better_than_chance
        ]

    def knows(self, example: Example) -> bool:
        """Whether a row with these texts was among the training rows."""
        return content_key(example) in self.places

    def fold_of(self, example: Example) -> int:
        """The fold that holds the row out; one drawn by its content for a row never seen.

        No model has seen such a row, so that any fold would do.
        """
        key = content_key(example)
        return self.places.get(key, int(key, 16) % len(self.models))

    def classifiers_for(self, example: Example) -> Sequence[Model]:
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
        """For every member where its n-grams stand and what they add, out of fold.

        The texts are read once for all members and folds.
        """
        import numpy as np

        tokenised = tokenise(examples, self.linear[0][0].fields)
        found = {
            one.config.ngrams: [find_ngrams(tokenised, several) for several in one.vocabularies]
            for one in self.linear[0]
        }
        folds = np.array([self.fold_of(row) for row in examples], dtype=np.int64)
        targets = named_labels(labels, self.labels)
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
        from augkit.models.ensembles.crossfit_files import save

        save(self, folder)

    @classmethod
    def load(cls, folder: Path) -> CrossFitted:
        """Read a saved ensemble; nothing in the files is executed."""
        from augkit.models.ensembles.crossfit_files import load

        return load(folder)


def train_crossfitted(
    examples: Sequence[Example], config: EnsembleConfig | None = None
) -> CrossFitted:
    """Train every member once a fold; the same rows in another order give the same ensemble."""
    import numpy as np

    config = EnsembleConfig() if config is None else config
    labels = class_labels(examples)
    rows = sorted(examples, key=lambda row: (content_key(row), str(row.label)))
    targets = label_numbers(rows, labels)
    folds = np.array(assign_folds(rows, config.folds, config.seed, config.group_column))
    _check_folds(folds, targets, labels, config.folds)
    prepared = prepare(rows, config.members)
    models, right = [], np.zeros((len(config.members), len(rows)), dtype=bool)
    for fold in range(config.folds):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        trained = [prepared.train(one, inside, targets[inside], labels) for one in config.members]
        for member, model in enumerate(trained):
            answers = prepared.ask(model, outside).argmax(axis=1)
            right[member, outside] = answers == targets[outside]
        models.append(tuple(trained))
    places = {content_key(row): int(fold) for row, fold in zip(rows, folds, strict=True)}
    chance = float(np.bincount(targets).max() / len(targets))
    held_out = tuple(
        HeldOut(name, float(hits.mean()), chance, len(rows))
        for name, hits in zip(config.names(), right, strict=True)
    )
    return CrossFitted(config, labels, tuple(models), held_out, places)


def _check_folds(folds: Ints, targets: Ints, labels: Sequence[str], count: int) -> None:
    """Every label must be left to learn from, whichever fold is held out."""
    for number, label in enumerate(labels):
        if len(set(folds[targets == number].tolist())) < 2:
            raise DataError(
                f"all rows with the label '{label}' are held out together, so that nothing would "
                f"be left to learn it from ({int((targets == number).sum())} rows, {count} folds). "
                "Give more rows of it, or leave it out"
            )
