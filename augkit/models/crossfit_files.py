"""A cross-fitted ensemble on disk: ``ensemble.json``, ``vocabulary.json`` and ``fold_N.npz``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.config import validate
from augkit.models.crossfit import CrossFitted, EnsembleConfig, HeldOut
from augkit.models.linear import LinearClassifier, Space
from augkit.models.ngrams import Vocabulary
from augkit.models.storage import read_arrays, read_json, write_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def save(ensemble: CrossFitted, folder: Path) -> None:
    """Write all models; their n-grams stand there once for each length."""
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "config": ensemble.config.model_dump(mode="json"),
        "labels": ensemble.labels,
        "fields": ensemble.models[0][0].fields,
        "held_out": [asdict(one) for one in ensemble.held_out],
        "places": dict(ensemble.places),
    }
    write_json(folder / "ensemble.json", told)
    vocabularies = {one.config.ngrams: one.vocabularies for one in ensemble.models[0]}
    words = {
        str(ngrams): [{"fields": one.fields, "terms": one.terms} for one in several]
        for ngrams, several in vocabularies.items()
    }
    write_json(folder / "vocabulary.json", {"ngrams": words})
    for number, members in enumerate(ensemble.models):
        arrays: dict[str, Any] = {}
        for member, model in enumerate(members):
            arrays |= {f"weights_{member}": model.weights, f"bias_{member}": model.bias}
            factors = [space.factor for space in model.spaces]
            arrays |= {f"factor_{member}_{place}": one for place, one in enumerate(factors)}
        np.savez_compressed(folder / f"fold_{number}.npz", **arrays)


def load(folder: Path) -> CrossFitted:
    """Read all models."""
    told = read_json(folder / "ensemble.json")
    config = validate(EnsembleConfig, told["config"], str(folder / "ensemble.json"))
    vocabularies = {
        int(ngrams): [
            Vocabulary(tuple(one["fields"]), tuple(one["terms"]), int(ngrams)) for one in several
        ]
        for ngrams, several in read_json(folder / "vocabulary.json")["ngrams"].items()
    }
    labels, fields = tuple(told["labels"]), tuple(told["fields"])
    models = []
    for number in range(config.folds):
        arrays = read_arrays(folder / f"fold_{number}.npz")
        models.append(
            tuple(
                LinearClassifier(
                    one,
                    labels,
                    fields,
                    _spaces(vocabularies[one.ngrams], arrays, member),
                    arrays[f"weights_{member}"],
                    arrays[f"bias_{member}"],
                )
                for member, one in enumerate(config.members)
            )
        )
    held_out = tuple(HeldOut(**one) for one in told["held_out"])
    return CrossFitted(config, labels, tuple(models), held_out, told["places"])


def _spaces(
    vocabularies: list[Vocabulary], arrays: dict[str, NDArray[np.float64]], member: int
) -> tuple[Space, ...]:
    return tuple(
        Space(vocabulary, arrays[f"factor_{member}_{place}"])
        for place, vocabulary in enumerate(vocabularies)
    )
