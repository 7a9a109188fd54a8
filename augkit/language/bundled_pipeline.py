"""Read the pipeline that ships with augkit; its weights are stored in half the bits."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.language import lemmas, word_features

if TYPE_CHECKING:
    from spacy.language import Language


def pipeline_folder() -> Path:
    """Where the bundled pipeline lies."""
    return Path(str(files("augkit.language").joinpath("pipeline")))


def pipeline_meta(path: Path | None = None) -> dict[str, Any]:
    """What a pipeline says of itself: its name, version, licence."""
    text = ((path or pipeline_folder()) / "meta.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@cache
def pipeline_digest() -> str:
    """The first 16 hexadecimal digits of the SHA-256 of all files of the bundled pipeline."""
    total = sha256()
    for file in sorted(file for file in pipeline_folder().rglob("*") if file.is_file()):
        total.update(file.relative_to(pipeline_folder()).as_posix().encode())
        total.update(file.read_bytes())
    return total.hexdigest()[:16]


def register_all() -> None:
    """Make the layers and components of the bundled pipeline known to spaCy."""
    word_features.register()
    lemmas.register()


def read_pipeline(path: Path) -> Language:
    """A pipeline written by ``scripts/train_pipeline.py``, ready for use."""
    import spacy
    from spacy.attrs import LOWER, NORM  # type: ignore[import-not-found]  # missing from its stubs

    register_all()
    nlp = spacy.load(path)
    for _name, component in nlp.pipeline:
        model = getattr(component, "model", None)
        if model is not None:
            _widen(model)
    # Of what spaCy works out for every new word, this pipeline asks for the lower case only.
    vocab: Any = nlp.vocab
    vocab.lex_attr_getters = {key: vocab.lex_attr_getters[key] for key in (LOWER, NORM)}
    return nlp


def _widen(model: Any) -> None:
    """Give every weight 32 bits again: stored with 16, they lose nothing that shows in a score."""
    for node in model.walk():
        for name in node.param_names:
            if node.has_param(name):
                node.set_param(name, node.get_param(name).astype("float32"))
