"""Settings of an ensemble: those of the package by name, others from a YAML file."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from pydantic import Field, field_validator

from augkit.core.config import StrictModel, load, parse_yaml, validate
from augkit.core.errors import UnknownName
from augkit.models.classifiers.linear import LinearConfig
from augkit.models.classifiers.train import ClassifierConfig

LINEAR_FIVE = (
    LinearConfig(),
    LinearConfig(features="counts", ngrams=1, learner="naive-bayes"),
    LinearConfig(features="binary", ngrams=1, learner="svm", strength=1.0),
    LinearConfig(features="binary", ngrams=2, learner="ridge", strength=1.0),
    LinearConfig(features="tfidf", ngrams=1, learner="svm", penalty="l1", strength=1.0),
)
"""Five linear classifiers that differ in features, loss and penalty."""


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
            name if plain.count(name) == 1 else f"{name}-{plain[: index + 1].count(name)}"
            for index, name in enumerate(plain)
        )


def ensemble_names() -> list[str]:
    """The ensembles that come with the package.

    >>> "linear-five" in ensemble_names()
    True
    """
    return sorted(file.stem for file in _folder().iterdir() if file.suffix == ".yaml")


def load_ensemble(name: str) -> EnsembleConfig:
    """The settings of an ensemble.

    Args:
        name: An ensemble of the package, or a YAML file.
    """
    if name.endswith((".yaml", ".yml")):
        return load(EnsembleConfig, Path(name).expanduser())
    if name not in ensemble_names():
        raise UnknownName("ensemble", name, ensemble_names())
    text = (_folder() / f"{name}.yaml").read_text("utf-8")
    return validate(EnsembleConfig, parse_yaml(text, name), f"ensemble '{name}'")


def _folder() -> Path:
    return Path(str(files("augkit.models").joinpath("ensembles")))
