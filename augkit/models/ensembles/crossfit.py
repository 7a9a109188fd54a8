"""Several classifiers, each trained without the rows that it will explain or judge.

The rows are split into folds; for every fold and every member a model is trained on the other
folds. A row is then explained, and a variant of it judged, by the models that did not see it.

N-grams are counted, and texts encoded, once for all rows; a fold takes its rows out of that. On
disk are ``ensemble.json``, ``vocabulary.json`` and ``fold_N.npz``; a member that is not linear has
a folder for each fold, ``fold_N_member_M``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import sqrt
from operator import itemgetter
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from augkit.core.arrays import Floats, Ints
from augkit.core.config import StrictModel, load, validate
from augkit.core.contributions import Contributions
from augkit.core.errors import ConfigError, DataError, UnknownName
from augkit.core.progress import reported
from augkit.core.types import Example
from augkit.core.yaml_files import parse_yaml
from augkit.models.classifiers.encoder import EncoderClassifier, embed, fit_head
from augkit.models.classifiers.labels import class_labels, indices_of, label_indices
from augkit.models.classifiers.linear import (
    FeatureSpace,
    LinearClassifier,
    LinearFolds,
    fit_counted,
)
from augkit.models.classifiers.ngrams import (
    NgramCounts,
    NgramVocabulary,
    count_ngrams,
    find_ngrams,
    gather_contributions,
    texts_by_field,
    tokenise,
)
from augkit.models.classifiers.settings import (
    ClassifierConfig,
    EncoderConfig,
    LinearConfig,
    is_classifier_spec,
    parse_classifier,
)
from augkit.models.classifiers.storage import load_arrays, load_record, save_record
from augkit.models.classifiers.train import TrainedClassifier, load_trained_classifier
from augkit.models.classifiers.transformers_classifier import train_transformers
from augkit.models.folds import assign_folds, content_key
from augkit.models.token_batches import check_fields

LINEAR_FIVE = (
    LinearConfig(),
    LinearConfig(features="counts", ngrams=1, learner="naive-bayes"),
    LinearConfig(features="binary", ngrams=1, learner="svm", strength=1.0),
    LinearConfig(features="binary", ngrams=2, learner="ridge", strength=1.0),
    LinearConfig(features="tfidf", ngrams=1, learner="svm", penalty="l1", strength=1.0),
)
"""Five linear classifiers that differ in features, loss and penalty."""
FoldModels = tuple[tuple[TrainedClassifier, ...], ...]
"""``models[fold][member]``."""
_FOLDER = Path(__file__).parent
_NORMAL_95 = 1.96


class EnsembleConfig(StrictModel):
    """The members of an ensemble, and how many folds the rows are split into."""

    members: tuple[ClassifierConfig, ...] = Field(
        LINEAR_FIVE, min_length=1, description="the classifiers; an odd number of different ones"
    )
    folds: int = Field(
        5, ge=2, le=50, description="folds; a row is explained by models trained on the others"
    )
    seed: int = Field(0, description="changes which rows are held out together")
    group_column: str | None = Field(
        "pair_id", description="rows with the same value here (counterfactual twins) stay together"
    )

    @field_validator("members")
    @classmethod
    def _can_vote(cls, members: tuple[ClassifierConfig, ...]) -> tuple[ClassifierConfig, ...]:
        if len(members) % 2 == 0:
            raise ValueError(
                f"{len(members)} classifiers can tie. Give an odd number: add one or leave one out"
            )
        if len({member.model_dump_json() for member in members}) < len(members):
            raise ValueError("two members are the same, so that one vote would count twice")
        return members

    def names(self) -> tuple[str, ...]:
        """The names of the members, all different.

        >>> EnsembleConfig(members=(LinearConfig(),)).names()
        ('tfidf2-logistic',)
        """
        plain = [member.name for member in self.members]
        return tuple(
            name if plain.count(name) == 1 else f"{name}-{plain[: index + 1].count(name)}"
            for index, name in enumerate(plain)
        )


def ensemble_names() -> list[str]:
    """The ensembles that come with the package.

    >>> "linear-five" in ensemble_names()
    True
    """
    return sorted(file.stem for file in _FOLDER.iterdir() if file.suffix == ".yaml")


def load_ensemble(name: str) -> EnsembleConfig:
    """The settings of an ensemble.

    Args:
        name: An ensemble of the package, a YAML file, or classifiers joined by commas:
            ``linear``, ``encoder:PATH``, ``transformers:PATH``, ensembles among them.

    >>> load_ensemble("linear").names()
    ('tfidf2-logistic',)
    """
    if name.endswith((".yaml", ".yml")) and "," not in name:
        return load(EnsembleConfig, Path(name).expanduser())
    if name in ensemble_names():
        text = (_FOLDER / f"{name}.yaml").read_text("utf-8")
        return validate(EnsembleConfig, parse_yaml(text, name), f"ensemble '{name}'")
    parts = [part.strip() for part in name.split(",") if part.strip()]
    if len(parts) == 1 and not is_classifier_spec(name):
        raise UnknownName("ensemble", name, ensemble_names())
    members: list[Any] = []
    for part in parts:
        is_classifier = is_classifier_spec(part)
        members += [parse_classifier(part)] if is_classifier else load_ensemble(part).members
    return validate(EnsembleConfig, {"members": members}, f"ensemble '{name}'")


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
        return {held_out.member: held_out.accuracy for held_out in self.held_out}

    @property
    def at_chance(self) -> bool:
        """Whether no member is better than chance."""
        return not any(held_out.better_than_chance for held_out in self.held_out)

    @property
    def warnings(self) -> list[str]:
        """A sentence for each member that is no better than chance."""
        return [
            f"{held_out}: it is no better than chance, and its answers are noise"
            for held_out in self.held_out
            if not held_out.better_than_chance
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
        probabilities: Floats = self.predict_each(examples, origins).mean(axis=0)
        return probabilities

    def predict_each(
        self, examples: Sequence[Example], origins: Sequence[Example] | None = None
    ) -> Floats:
        """The probabilities of every member: float[members, examples, labels]."""
        import numpy as np

        named = examples if origins is None else origins
        # Many variants come from one row, and naming its content takes long.
        fold_of = {id(row): row for row in named}
        known = {key: self.fold_of(row) for key, row in fold_of.items()}
        folds = np.array([known[id(row)] for row in named], dtype=np.int64)
        counts = self._count(examples)
        answers = np.empty((len(self.config.members), len(examples), len(self.labels)))
        for member, models in enumerate(zip(*self.models, strict=True)):
            if (linear := self._linear_folds[member]) is not None:
                answers[member] = linear.probabilities(
                    counts[linear.models[0].config.ngrams], folds
                )
                continue
            for fold in set(folds.tolist()):
                rows = np.flatnonzero(folds == fold)
                chosen = [examples[row] for row in rows.tolist()]
                answers[member, rows] = models[fold].predict(chosen)
        return answers

    @cached_property
    def _linear_folds(self) -> list[LinearFolds | None]:
        """For each member its models of all folds together, where it is linear."""
        return [
            LinearFolds(models) if isinstance(models[0], LinearClassifier) else None
            for models in zip(*self.models, strict=True)
        ]

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
        vocabularies = {model.config.ngrams: model.vocabularies for model in self.linear[0]}
        occurrences = {
            ngrams: [find_ngrams(tokenised, vocabulary) for vocabulary in several]
            for ngrams, several in vocabularies.items()
        }
        folds = np.array([self.fold_of(row) for row in examples], dtype=np.int64)
        targets = indices_of(labels, self.labels)
        gathered = []
        for linear in filter(None, self._linear_folds):
            in_member = occurrences[linear.models[0].config.ngrams]
            scores, bias = linear.contributions(in_member, folds, targets)
            gathered.append(gather_contributions(tokenised, in_member, scores, bias))
        return gathered

    def _count(self, examples: Sequence[Example]) -> dict[int, list[Any]]:
        """The n-grams of the rows, counted once for all models: longest n-gram → counts."""
        linear = [model for model in self.models[0] if isinstance(model, LinearClassifier)]
        texts = texts_by_field(examples, linear[0].fields) if linear else {}
        vocabularies = {model.config.ngrams: model.vocabularies for model in linear}
        return {
            ngrams: [vocabulary.count(texts) for vocabulary in several]
            for ngrams, several in vocabularies.items()
        }

    def save(self, folder: Path) -> None:
        """Write the ensemble into an empty folder, n-grams once for all models."""
        import numpy as np

        folder.mkdir(parents=True, exist_ok=True)
        record = {
            "config": self.config.model_dump(mode="json"),
            "labels": self.labels,
            "fields": self.models[0][0].fields,
            "held_out": [asdict(accuracy) for accuracy in self.held_out],
            "folds": dict(self.folds),
        }
        save_record(folder / "ensemble.json", record)
        vocabularies = {
            str(model.config.ngrams): [vocabulary.record() for vocabulary in model.vocabularies]
            for model in self.models[0]
            if isinstance(model, LinearClassifier)
        }
        save_record(folder / "vocabulary.json", {"ngrams": vocabularies})
        for fold, members in enumerate(self.models):
            arrays: dict[str, Any] = {}
            for member, model in enumerate(members):
                if not isinstance(model, LinearClassifier):
                    model.save(_member_folder(folder, fold, member))
                    continue
                arrays |= {f"weights_{member}": model.weights, f"bias_{member}": model.bias}
                factors = enumerate(space.factor for space in model.spaces)
                arrays |= {f"factor_{member}_{index}": factor for index, factor in factors}
            np.savez_compressed(folder / f"fold_{fold}.npz", **arrays)

    @classmethod
    def load(cls, folder: Path) -> CrossFitted:
        """Read a saved ensemble; nothing in the files is executed."""
        record = load_record(folder / "ensemble.json")
        config = validate(EnsembleConfig, record["config"], str(folder / "ensemble.json"))
        labels = tuple(record["labels"])
        fields = tuple(record["fields"])
        vocabularies = {
            int(ngrams): [NgramVocabulary.of(saved, int(ngrams)) for saved in several]
            for ngrams, several in load_record(folder / "vocabulary.json")["ngrams"].items()
        }

        def load_member(fold: int, member: int, arrays: dict[str, Floats]) -> TrainedClassifier:
            member_config = config.members[member]
            if not isinstance(member_config, LinearConfig):
                return load_trained_classifier(_member_folder(folder, fold, member))
            spaces = tuple(
                FeatureSpace(vocabulary, arrays[f"factor_{member}_{index}"])
                for index, vocabulary in enumerate(vocabularies[member_config.ngrams])
            )
            weights = arrays[f"weights_{member}"], arrays[f"bias_{member}"]
            return LinearClassifier(member_config, labels, fields, *weights, spaces)

        models = []
        for fold in range(config.folds):
            arrays = load_arrays(folder / f"fold_{fold}.npz")
            members = range(len(config.members))
            models.append(tuple(load_member(fold, member, arrays) for member in members))
        held_out = tuple(HeldOutAccuracy(**accuracy) for accuracy in record["held_out"])
        return cls(config, labels, tuple(models), held_out, record["folds"])


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
    keyed = sorted(((content_key(row), str(row.label), row) for row in examples), key=_by_content)
    rows = [row for _, _, row in keyed]
    targets = label_indices(rows, labels)
    folds = np.array(assign_folds(rows, config.folds, config.seed, config.group_column))
    _check_folds(folds, targets, labels, config.folds)
    features = share_features(rows, config.members)
    models = []
    right = np.zeros((len(config.members), len(rows)), dtype=bool)
    for fold in reported(f"fitting the {name} on {len(rows):,} rows", range(config.folds)):
        inside = np.flatnonzero(folds != fold)
        outside = np.flatnonzero(folds == fold)
        trained = [
            features.train(member, inside, targets[inside], labels) for member in config.members
        ]
        for member, model in enumerate(trained):
            predicted = features.predict(model, outside).argmax(axis=1)
            right[member, outside] = predicted == targets[outside]
        models.append(tuple(trained))
    fold_of = {key: int(fold) for (key, _, _), fold in zip(keyed, folds, strict=True)}
    chance = float(np.bincount(targets).max() / len(targets))
    held_out = tuple(
        HeldOutAccuracy(name, float(hits.mean()), chance, len(rows))
        for name, hits in zip(config.names(), right, strict=True)
    )
    return CrossFitted(config, labels, tuple(models), held_out, fold_of)


_by_content = itemgetter(0, 1)


def _check_folds(folds: Ints, targets: Ints, labels: Sequence[str], count: int) -> None:
    """Every label must be left to learn from, whichever fold is held out."""
    for number, label in enumerate(labels):
        if len(set(folds[targets == number].tolist())) < 2:
            raise DataError(
                f"all rows with the label '{label}' are held out together, so that nothing would "
                f"be left to learn it from ({int((targets == number).sum())} rows, {count} folds). "
                "Give more rows of it, or leave it out"
            )


@dataclass(frozen=True)
class SharedFeatures:
    """All rows as the members read them: n-grams by their length, vectors by encoder."""

    rows: Sequence[Example]
    counted: Mapping[int, NgramCounts]
    vectors: Mapping[str, Floats]

    def train(
        self, config: ClassifierConfig, inside: Ints, targets: Ints, labels: tuple[str, ...]
    ) -> TrainedClassifier:
        """A member trained on the rows ``inside``, whose labels are ``targets``."""
        if isinstance(config, LinearConfig):
            return fit_counted(self.counted[config.ngrams].rows(inside), targets, labels, config)
        if isinstance(config, EncoderConfig):
            vectors = self.vectors[_encoder_key(config)][inside]
            return fit_head(vectors, targets, labels, tuple(self.rows[0].fields), config)
        return train_transformers([self.rows[row] for row in inside.tolist()], config)

    def predict(self, model: TrainedClassifier, outside: Ints) -> Floats:
        """The probabilities that a model gives to the rows ``outside``."""
        if isinstance(model, LinearClassifier):
            counts = self.counted[model.config.ngrams].rows(outside).counts
            return model.probabilities(model.weigh(counts))
        if isinstance(model, EncoderClassifier):
            return model.probabilities(self.vectors[_encoder_key(model.config)][outside])
        return model.predict([self.rows[row] for row in outside.tolist()])


def share_features(rows: Sequence[Example], members: Sequence[ClassifierConfig]) -> SharedFeatures:
    """Count n-grams and compute vectors once for all members and all folds."""
    linear = [member for member in members if isinstance(member, LinearConfig)]
    encoders = {
        _encoder_key(member): member for member in members if isinstance(member, EncoderConfig)
    }
    fields = tuple(rows[0].fields)
    vectors = {key: embed(rows, check_fields(fields), config) for key, config in encoders.items()}
    return SharedFeatures(rows, _count_once(rows, linear) if linear else {}, vectors)


def _encoder_key(config: EncoderConfig) -> str:
    return f"{config.model}:{config.max_tokens}"


def _count_once(rows: Sequence[Example], members: Sequence[LinearConfig]) -> dict[int, NgramCounts]:
    """Longest n-gram → the counts of all rows."""
    import numpy as np

    longest = max(member.ngrams for member in members)
    cross = any(member.cross for member in members)
    least = min(member.min_df for member in members)
    everything = count_ngrams(rows, longest, least, cross=cross)
    lengths = [vocabulary.lengths for vocabulary in everything.vocabularies]
    return {
        ngrams: everything.only([np.flatnonzero(words <= ngrams) for words in lengths], ngrams)
        for ngrams in {member.ngrams for member in members}
    }


def _member_folder(folder: Path, fold: int, member: int) -> Path:
    return folder / f"fold_{fold}_member_{member}"
