"""``train``: a classifier, plain or robust, over seeds; or continued masked pre-training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, get_args

from pydantic import Field

from augkit.commands.robust_training import RobustChoice, robust_training
from augkit.core.config import validate
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.json_files import write_json
from augkit.core.pretrained import identity
from augkit.core.protocols import SavedClassifier
from augkit.core.types import Example, digest
from augkit.datasets.settings import ReadOptions, RowSelection
from augkit.models.classifiers.labels import class_labels
from augkit.models.classifiers.settings import (
    ClassifierConfig,
    LinearConfig,
    TransformersConfig,
    parse_classifier,
)
from augkit.models.classifiers.train import train_classifier
from augkit.models.folds import assign_folds
from augkit.models.language_models.masked_training import (
    MaskedEpoch,
    MaskedTrainingConfig,
    continue_training,
)
from augkit.models.robust.config import RobustConfig, RobustMethod

if TYPE_CHECKING:
    from augkit.commands.evaluate.training_sets import TrainingSet
    from augkit.models.robust.train import RobustTraining

_PARTS = 10
"""Every seed holds out one part in this many."""
_GROUP = "augkit_group"
Notify = Callable[[str], None]
"""Called with each line of progress."""


class TrainSettings(RowSelection):
    """What is trained, on what, and with how many seeds."""

    train: str = Field(description="a dataset, or a finished run folder: its result")
    out: Path = Field(description="the folder to write into")
    model: ClassifierConfig = Field(
        default_factory=LinearConfig, description="the classifier's settings"
    )
    masked: MaskedTrainingConfig | None = Field(None, description="or a masked language model's")
    robust: RobustMethod | None = Field(
        None,
        description="train against a bias by jtt, drift, poe, rew or clever; default: plain "
        "training",
    )
    robust_options: RobustConfig = Field(
        default_factory=RobustConfig, description="settings of that method"
    )
    field: str | None = Field(
        None,
        description="the biased field to train against; default: the field that best predicts "
        "labels",
    )
    cues: tuple[str, ...] = Field(
        (), description="a word or phrase that gives the label away, to train against"
    )
    most_words: int = Field(
        100, ge=1, description="where no words are named: how many of those of likely shortcuts"
    )
    shortcuts: Path | None = Field(
        None, description="train against the rules in a folder of `shortcuts --by grammar`"
    )
    seeds: int = Field(
        3, ge=1, description="classifiers to train, each with a tenth of the rows held out"
    )
    seed: int = Field(0, description="the first seed; it also draws the sample")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")


@dataclass(frozen=True)
class SeedRecord:
    """One trained classifier: its folder and its accuracy on the held-out tenth."""

    seed: int
    folder: str
    trained_on: int
    validated_on: int
    accuracy: float


def train(settings: TrainSettings, notify: Notify = lambda _: None) -> dict[str, Any]:
    """Train, save, write ``training.json``, and return its content."""
    from augkit.commands.evaluate.classifiers import TRAINING_FILE
    from augkit.commands.evaluate.training_sets import load_training_set
    from augkit.runs.manifest import installed_versions

    if (settings.out / TRAINING_FILE).exists():
        raise OutputExists(f"{settings.out} holds a training already. Choose another --out")
    loaded = load_training_set(settings.train, settings.reading)
    examples = settings.of(loaded.examples)
    training_set = replace(loaded, examples=examples, origins=settings.of(loaded.origins))
    if settings.masked is not None:
        trained = _pretrain(settings, settings.masked, training_set, notify)
    else:
        trained = _train_seeds(settings, training_set, notify)
    rows = [digest(row.id, str(row.label), *row.fields.values()) for row in examples]
    record = {
        **trained,
        "train": {
            "spec": settings.train,
            "name": training_set.name,
            "rows": len(examples),
            "left_out": training_set.left_out,
            "digest": digest(*sorted(rows)),
        },
        "settings": settings.model_dump(mode="json", exclude={"model", "masked"}),
        "versions": installed_versions(),
    }
    settings.out.mkdir(parents=True, exist_ok=True)
    write_json(settings.out / TRAINING_FILE, record)
    return record


def _train_seeds(
    settings: TrainSettings, training_set: TrainingSet, notify: Notify
) -> dict[str, Any]:
    member = settings.model
    try:
        labels = list(class_labels(training_set.examples))
        robust = _robust(settings, training_set.examples)
        if robust is not None and robust.view is not None:
            notify(f"trained against {robust.view}")
        numbers = range(settings.seed, settings.seed + settings.seeds)
        seeds = [_train_seed(settings, training_set, robust, seed, notify) for seed in numbers]
    except DataError as error:
        raise DataError(f"{training_set.name}: {error}") from None
    best = max(seeds, key=lambda record: (record.accuracy, -record.seed))
    accuracies = [record.accuracy for record in seeds]
    spread = stdev(accuracies) if len(accuracies) > 1 else None
    return {
        "kind": member.kind,
        "model": member.model_dump(mode="json"),
        "base": identity(member.model) if not isinstance(member, LinearConfig) else None,
        "robust": _robust_record(settings, robust),
        "labels": labels,
        "seeds": [asdict(record) for record in seeds],
        "best": best.folder,
        "validation": {"mean": fmean(accuracies), "deviation": spread},
    }


def _robust(settings: TrainSettings, examples: Sequence[Example]) -> RobustTraining | None:
    """The bias to train against, as it was named or as it is found in the rows."""
    if settings.robust is None:
        if settings.field or settings.cues or settings.shortcuts:
            methods = ", ".join(get_args(RobustMethod))
            raise ConfigError(f"--against, --cue and shortcuts=FOLDER need --robust: {methods}")
        return None
    choice = RobustChoice(
        method=settings.robust,
        against=settings.field,
        words=settings.cues,
        most_words=settings.most_words,
        shortcuts=settings.shortcuts,
        options=settings.robust_options,
    )
    return robust_training(choice, examples)


def _robust_record(settings: TrainSettings, robust: RobustTraining | None) -> dict[str, Any] | None:
    if robust is None:
        return None
    config = robust.config.model_dump(mode="json")
    record: dict[str, Any] = {"method": robust.method, "config": config}
    if robust.view is not None:
        record["against"] = robust.view.record()
    if robust.bias_features is not None:
        rules = int(robust.bias_features.shape[1])
        record["against"] = {"grammar": str(settings.shortcuts), "rules": rules}
    return record


def _train_seed(
    settings: TrainSettings,
    training_set: TrainingSet,
    robust: RobustTraining | None,
    seed: int,
    notify: Notify,
) -> SeedRecord:
    """Train one seed on nine tenths of the rows, and measure its accuracy on the others."""
    import numpy as np

    from augkit.commands.evaluate.inputs import predicted_labels
    from augkit.models.robust.train import train_robust

    examples = training_set.examples
    # A group stays in one fold: a counterfactual pair, or the variants of an original.
    grouped = [
        Example(row.fields, row.label, row.id, {_GROUP: row.columns.get("pair_id") or origin})
        for row, origin in zip(examples, training_set.origins, strict=True)
    ]
    held_out = np.array(assign_folds(grouped, _PARTS, seed, _GROUP)) == 0
    trained_on = np.flatnonzero(~held_out)
    training = [examples[index] for index in trained_on.tolist()]
    validation = [examples[index] for index in np.flatnonzero(held_out).tolist()]
    if not training or not validation:
        raise DataError(f"{len(examples)} rows are too few to hold a tenth of them out")
    member = settings.model
    if isinstance(member, TransformersConfig):
        member = member.model_copy(update={"seed": seed})
    if robust is None:
        classifier: SavedClassifier = train_classifier(training, member, validation)
    else:
        classifier = train_robust(training, member, robust.rows(trained_on), validation)
    folder = f"seed-{seed}"
    classifier.save(settings.out / folder)
    labels = predicted_labels(classifier, validation)
    right = [label == row.label for label, row in zip(labels, validation, strict=True)]
    accuracy = fmean(right)
    notify(f"seed {seed}: accuracy {accuracy:.1%} on {len(right):,} of {len(examples):,} rows")
    return SeedRecord(seed, folder, len(training), len(validation), accuracy)


def _pretrain(
    settings: TrainSettings,
    config: MaskedTrainingConfig,
    training_set: TrainingSet,
    notify: Notify,
) -> dict[str, Any]:
    if settings.robust is not None:
        raise ConfigError("robust training is for classifiers: --robust cannot go with mlm:PATH")
    chosen = config.model_copy(update={"seed": settings.seed})
    texts = [text for row in training_set.examples for text in row.fields.values()]

    def report(epoch: MaskedEpoch) -> None:
        notify(f"epoch {epoch.number}: loss {epoch.validation_loss:.4f} on held-out texts")

    training = continue_training(texts, chosen, settings.out, report)
    return {
        "kind": "mlm",
        "model": chosen.model_dump(mode="json"),
        "base": identity(config.model),
        **asdict(training),
    }


def training_settings(values: dict[str, Any]) -> TrainSettings:
    """Validate the options of the command line; None means the default."""
    settings = {key: value for key, value in values.items() if value is not None}
    kind = settings.pop("model_kind", None) or "linear"
    chosen = settings.pop("model", {})
    if kind.startswith("mlm:"):
        settings["masked"] = {"model": kind.removeprefix("mlm:"), **chosen}
    else:
        settings["model"] = {**parse_classifier(kind), **chosen}
    return validate(TrainSettings, settings, "train settings")
