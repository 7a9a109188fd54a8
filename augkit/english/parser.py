"""Dependency parses of texts by spaCy: the bundled pipeline, or one that is installed.

    >>> from augkit.english.parser import SpacyParser
    >>> [analysis] = SpacyParser().parse(["She lost her keys."])
    >>> [(token.text, token.upos, token.deprel) for token in analysis.tokens][:2]
    [('She', 'PRON', 'nsubj'), ('lost', 'VERB', 'root')]

Tags, features and relations are those of Universal Dependencies when the bundled pipeline is used;
another spaCy pipeline brings its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.core.analysis import Analysis, Token
from augkit.core.errors import ConfigError, UnknownName
from augkit.english import lemmas, word_features
from augkit.english.passages import Passage, batches, passages

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BUNDLED = "augkit"
"""The name of the pipeline that ships with augkit."""
_FOLDER = Path(str(files("augkit.english").joinpath("pipeline")))


@dataclass(frozen=True, slots=True)
class SpacyParser:
    """Parses texts by the bundled pipeline, or by any spaCy pipeline installed under ``name``.

    The pipeline is loaded when the first text is parsed.

    Args:
        name: Name of the pipeline; ``augkit`` is the bundled one.
    """

    name: str = BUNDLED

    @property
    def nlp(self) -> Language:
        """The pipeline itself."""
        return _loaded(self.name)

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text, in order. Texts are parsed in batches, long ones in parts."""
        nlp = self.nlp
        cut = [passages(nlp, text) for text in texts]
        docs = _parsed(nlp, (passage.doc for parts in cut for passage in parts))
        return [_analysis(text, parts, docs) for text, parts in zip(texts, cut, strict=True)]


def _parsed(nlp: Language, docs: Iterable[Doc]) -> Iterator[Doc]:
    for batch in batches(docs):
        yield from nlp.pipe(batch, batch_size=4 * len(batch))  # its parser takes a quarter


@cache
def _loaded(name: str) -> Language:
    nlp = read_pipeline(_FOLDER) if name == BUNDLED else _installed(name)
    probe = nlp("It works.")
    if not (probe.has_annotation("DEP") and probe.has_annotation("TAG")):
        raise ConfigError(
            f"the spaCy pipeline '{name}' has no tagger or no parser "
            f"(it has: {', '.join(nlp.pipe_names) or 'nothing'}): use one that has both"
        )
    return nlp


def read_pipeline(folder: Path) -> Language:
    """A pipeline of ``scripts/data/train_pipeline.py``; its weights are stored in 16 bits."""
    import spacy
    from spacy.attrs import LOWER, NORM  # type: ignore[import-not-found]  # missing from its stubs

    word_features.register()
    lemmas.register()
    nlp = spacy.load(folder)
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


def described(name: str = BUNDLED) -> str:
    """Name, version and origin of a pipeline, without loading it: what a record of a run needs.

    >>> described().startswith("augkit_pipeline 1.0.0 (augkit's own, sha256 ")
    True
    """
    bundled = name == BUNDLED
    folder = _FOLDER if bundled else _folder_of(name)
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    origin = f"augkit's own, sha256 {_bundled_digest()}" if bundled else folder
    return f"{meta['name']} {meta['version']} ({origin})"


@cache
def _bundled_digest() -> str:
    """The first 16 hexadecimal digits of the SHA-256 of all files of the bundled pipeline."""
    total = sha256()
    for file in sorted(file for file in _FOLDER.rglob("*") if file.is_file()):
        total.update(file.relative_to(_FOLDER).as_posix().encode())
        total.update(file.read_bytes())
    return total.hexdigest()[:16]


def _folder_of(name: str) -> Path:
    """Where an installed pipeline, or one given as a path, has its ``meta.json``."""
    import spacy

    if (Path(name) / "meta.json").is_file():
        return Path(name)
    if not spacy.util.is_package(name):
        raise UnknownName("spaCy pipeline", name, [BUNDLED, *spacy.util.get_installed_models()])
    return next(iter(sorted(spacy.util.get_package_path(name).rglob("meta.json")))).parent


def _installed(name: str) -> Language:
    import spacy

    try:
        return spacy.load(name)
    except OSError as error:
        known = [BUNDLED, *spacy.util.get_installed_models()]
        raise UnknownName("spaCy pipeline", name, known) from error


def _analysis(text: str, parts: Sequence[Passage], docs: Iterator[Doc]) -> Analysis:
    tokens: list[Token] = []
    for passage in parts:
        tokens += _tokens(text, passage, next(docs), tokens[-1] if tokens else None)
    return Analysis(text, tuple(tokens))


def _tokens(text: str, passage: Passage, doc: Doc, before: Token | None) -> Iterator[Token]:
    """The tokens of a part of a text, numbered on from the token before it."""
    first = before.index + 1 if before else 0
    sentence = before.sentence if before else -1
    for token, start in zip(doc, passage.starts, strict=True):
        sentence += bool(token.is_sent_start)
        end = start + len(token)
        yield Token(
            index=first + token.i,
            start=start,
            end=end,
            text=text[start:end],
            lemma=token.lemma_ or token.text,
            upos=token.pos_,
            xpos=token.tag_,
            morph=_features(str(token.morph)),
            head=first + token.head.i,
            deprel="root" if token.head.i == token.i else token.dep_,
            sentence=sentence,
        )


@cache
def _features(written: str) -> Mapping[str, str]:
    """Features by name; the few hundred combinations there are share one mapping each."""
    return dict(pair.split("=", 1) for pair in written.split("|") if pair)
