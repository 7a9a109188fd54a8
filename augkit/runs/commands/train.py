"""``train``: a classifier, plain or robust, over seeds; or a masked model that goes on learning."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, get_args

from pydantic import Field

from augkit.core.config import StrictModel, validate
from augkit.core.errors import ConfigError, DataError, OutputExists
from augkit.core.pretrained import identity
from augkit.core.protocols import SavedClassifier
from augkit.core.types import Example, digest
from augkit.datasets.columns import ReadOptions
from augkit.models.classifiers.labels import class_labels
from augkit.models.classifiers.linear import LinearConfig
from augkit.models.classifiers.train import ClassifierConfig, train_classifier
from augkit.models.classifiers.transformers_classifier import LoraConfig, TransformersConfig
from augkit.models.folds import assign_folds
from augkit.models.language_models.masked_training import MaskedTrainingConfig, continue_training
from augkit.models.robust.bias_view import BiasView, find_view
from augkit.models.robust.config import RobustConfig
from augkit.models.robust.train import RobustMethod, RobustTraining, train_robust
from augkit.models.saved import load_classifier
from augkit.runs.evaluation.predictions import answered
from augkit.runs.evaluation.training_sets import Arm, dataset_arm, run_arms
from augkit.runs.manifest import installed_versions

NAME = "training.json"
_PARTS = 10
"""Every seed holds out one part in this many."""
_GROUP = "augkit_group"
Tell = Callable[[str], None]


class TrainSettings(StrictModel):
    """What is trained, on what, how often."""

    train: str = Field(description="a dataset, or a finished run folder: its result")
    out: Path = Field(description="the folder to write into")
    model: ClassifierConfig = Field(
        default_factory=LinearConfig, description="the classifier's settings"
    )
    masked: MaskedTrainingConfig | None = Field(None, description="or a masked language model's")
    robust: RobustMethod | None = Field(
        None, description="how a bias is countered; none: plain training"
    )
    robust_options: RobustConfig = Field(
        default_factory=RobustConfig, description="settings of that way"
    )
    field: str | None = Field(None, description="the field that should not decide alone")
    words: tuple[str, ...] = Field((), description="the words that should not decide alone")
    most_words: int = Field(100, ge=1, description="where none are named: the most telling words")
    shortcuts: Path | None = Field(
        None, description="a folder of `augkit shortcuts --by grammar`: its rules are the hints"
    )
    seeds: int = Field(3, ge=1, description="classifiers, each with a tenth of the rows held out")
    seed: int = Field(0, description="the first seed")
    reading: ReadOptions = Field(default_factory=ReadOptions, description="how files are read")


@dataclass(frozen=True)
class SeedRecord:
    """One trained classifier: where it lies and how it does on the tenth it did not see."""

    seed: int
    folder: str
    trained_on: int
    validated_on: int
    accuracy: float


def train(settings: TrainSettings, tell: Tell = lambda _: None) -> dict[str, Any]:
    """Train, save, write ``training.json``, and give it back."""
    if (settings.out / NAME).exists():
        raise OutputExists(f"{settings.out} holds a training already. Choose another --out")
    arm = _arm(settings.train, settings.reading)
    if settings.masked is not None:
        return _write(settings, arm, _pretrained(settings, settings.masked, arm, tell))
    member = settings.model
    try:
        class_labels(arm.examples)
        robust = _robust(settings, arm.examples)
        if robust is not None and robust.view is not None:
            tell(f"trained against {robust.view}")
        numbers = range(settings.seed, settings.seed + settings.seeds)
        done = [_one(settings, arm, robust, seed, tell) for seed in numbers]
    except DataError as error:
        raise DataError(f"{arm.name}: {error}") from None
    best = max(done, key=lambda one: (one.accuracy, -one.seed))
    spread = stdev([one.accuracy for one in done]) if len(done) > 1 else None
    told = {
        "kind": member.kind,
        "model": member.model_dump(mode="json"),
        "base": identity(member.model) if not isinstance(member, LinearConfig) else None,
        "robust": _robust_record(settings, robust),
        "labels": list(class_labels(arm.examples)),
        "seeds": [asdict(one) for one in done],
        "best": best.folder,
        "validation": {"mean": fmean(one.accuracy for one in done), "deviation": spread},
    }
    return _write(settings, arm, told)


@dataclass(frozen=True)
class Trained:
    """What a folder of ``augkit train`` holds: the best classifier by validation, and all."""

    name: str
    best: SavedClassifier
    every: Sequence[SavedClassifier]
    record: dict[str, Any]


def load_trained(folder: Path) -> Trained:
    """Read the classifiers of a folder that ``augkit train`` wrote."""
    try:
        record = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise DataError(
            f"{folder}: no trained classifier ({NAME}) lies there. Make one: augkit train "
            f"--train DATASET --out {folder}"
        ) from error
    except ValueError as error:
        raise DataError(f"{folder / NAME}: damaged: {error}") from error
    if record["kind"] == "mlm":
        raise ConfigError(
            f"{folder} is a masked language model, not a classifier. Fine-tune it: --model "
            f"transformers:{folder}, or measure it: augkit benchmark NAME --model {folder}"
        )
    every = {one["folder"]: load_classifier(folder / one["folder"]) for one in record["seeds"]}
    return Trained(folder.name, every[record["best"]], list(every.values()), record)


def training_rows(record: dict[str, Any], reading: ReadOptions) -> Sequence[Example]:
    """The rows that a classifier was taught, read again."""
    return _arm(record["train"]["spec"], reading).examples


def _arm(spec: str, reading: ReadOptions) -> Arm:
    folder = Path(spec)
    if (folder / "manifest.json").is_file():
        return run_arms(folder, "result", reading.data_folder)[0]
    return dataset_arm(spec, reading)


def _robust(settings: TrainSettings, examples: Sequence[Example]) -> RobustTraining | None:
    """What is trained against, as it was named or as it is found in the rows."""
    if settings.robust is None:
        if settings.field or settings.words or settings.shortcuts:
            raise ConfigError(
                f"what is trained against goes with --robust: {', '.join(get_args(RobustMethod))}"
            )
        return None
    method, options = settings.robust, settings.robust_options
    if settings.shortcuts is not None:
        from augkit.runs.commands.grammar_hints import grammar_hints

        return RobustTraining(
            method, options, bias_features=grammar_hints(examples, settings.shortcuts)
        )
    if method == "jtt":
        return RobustTraining(method, options)
    if settings.field or settings.words:
        return RobustTraining(method, options, BiasView(settings.field, settings.words))
    return RobustTraining(method, options, find_view(examples, settings.most_words))


def _robust_record(settings: TrainSettings, robust: RobustTraining | None) -> dict[str, Any] | None:
    if robust is None:
        return None
    record: dict[str, Any] = {
        "method": robust.method,
        "config": robust.config.model_dump(mode="json"),
    }
    if robust.view is not None:
        record["against"] = robust.view.record()
    if robust.bias_features is not None:
        record["against"] = {
            "grammar": str(settings.shortcuts),
            "rules": int(robust.bias_features.shape[1]),
        }
    return record


def _one(
    settings: TrainSettings, arm: Arm, robust: RobustTraining | None, seed: int, tell: Tell
) -> SeedRecord:
    """Train one seed on nine tenths of the rows, and measure it on the others."""
    import numpy as np

    held_out = np.array(assign_folds(_grouped(arm), _PARTS, seed, _GROUP)) == 0
    kept = np.flatnonzero(~held_out)
    learning = [arm.examples[place] for place in kept.tolist()]
    unseen = [arm.examples[place] for place in np.flatnonzero(held_out).tolist()]
    if not learning or not unseen:
        raise DataError(f"{len(arm.examples)} rows are too few to hold a tenth of them out")
    member = settings.model
    if isinstance(member, TransformersConfig):
        member = member.model_copy(update={"seed": seed})
    if robust is None:
        classifier: SavedClassifier = train_classifier(learning, member, unseen)
    else:
        classifier = train_robust(learning, member, robust.rows(kept), unseen)
    folder = f"seed-{seed}"
    classifier.save(settings.out / folder)
    right = zip(answered(classifier, unseen), unseen, strict=True)
    accuracy = fmean(said == row.label for said, row in right)
    tell(f"seed {seed}: {len(learning):,} rows, {accuracy:.1%} of {len(unseen):,} held out")
    return SeedRecord(seed, folder, len(learning), len(unseen), accuracy)


def _grouped(arm: Arm) -> list[Example]:
    """Rows that name what must not be parted: counterfactual twins, an original's variants."""
    return [
        Example(row.fields, row.label, row.id, {_GROUP: row.columns.get("pair_id") or origin})
        for row, origin in zip(arm.examples, arm.origins, strict=True)
    ]


def _pretrained(
    settings: TrainSettings, config: MaskedTrainingConfig, arm: Arm, tell: Tell
) -> dict[str, Any]:
    if settings.robust is not None:
        raise ConfigError("robust training is for classifiers: leave --robust out with mlm:PATH")
    chosen = config.model_copy(update={"seed": settings.seed})
    texts = [text for row in arm.examples for text in row.fields.values()]
    found = continue_training(
        texts,
        chosen,
        settings.out,
        lambda one: tell(f"epoch {one.number}: loss {one.validation_loss:.4f} on held-out texts"),
    )
    return {
        "kind": "mlm",
        "model": chosen.model_dump(mode="json"),
        "base": identity(config.model),
        **asdict(found),
    }


def _write(settings: TrainSettings, arm: Arm, told: dict[str, Any]) -> dict[str, Any]:
    rows = [digest(row.id, str(row.label), *row.fields.values()) for row in arm.examples]
    record = {
        **told,
        "train": {
            "spec": settings.train,
            "name": arm.name,
            "rows": len(arm.examples),
            "left_out": arm.left_out,
            "digest": digest(*sorted(rows)),
        },
        "settings": settings.model_dump(mode="json", exclude={"model", "masked"}),
        "versions": installed_versions(),
    }
    settings.out.mkdir(parents=True, exist_ok=True)
    draft = settings.out / f"{NAME}.new"
    draft.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    draft.replace(settings.out / NAME)
    return record


def settings_of(values: dict[str, Any]) -> TrainSettings:
    """Validate what the command line gathered; what was not given takes its default."""
    given = {key: value for key, value in values.items() if value is not None}
    kind, chosen = given.pop("model_kind", None) or "linear", given.pop("model", {})
    lora = given.pop("lora", False)
    if kind.startswith("mlm:"):
        given["masked"] = {"model": kind.removeprefix("mlm:"), **chosen}
    else:
        from augkit.runs.evaluation.evaluate import model_of

        given["model"] = {**model_of(kind), **chosen}
    if lora:
        if not kind.startswith("transformers:"):
            raise ConfigError("--lora is for --model transformers:PATH")
        given["model"] = {"lora": LoraConfig(), **given["model"]}
    return validate(TrainSettings, given, "train settings")
