"""Dependency parses of texts by spaCy: the bundled pipeline, or one that is installed.

    >>> from augkit.language.parser import SpacyParser
    >>> [analysis] = SpacyParser().parse(["She lost her keys."])
    >>> [(token.text, token.upos, token.deprel) for token in analysis.tokens][:2]
    [('She', 'PRON', 'nsubj'), ('lost', 'VERB', 'root')]

Tags, features and relations are those of Universal Dependencies when the bundled pipeline is used;
another spaCy pipeline brings its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.core.analysis import Analysis, Token
from augkit.core.errors import ConfigError, UnknownName
from augkit.language.bundled_pipeline import (
    pipeline_digest,
    pipeline_folder,
    pipeline_meta,
    read_pipeline,
)
from augkit.language.passages import Passage, batches, passages

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BUNDLED = "augkit"
"""The name of the pipeline that ships with augkit."""


@dataclass(frozen=True, slots=True)
class SpacyParser:
    """Parses texts by the bundled pipeline, or by any spaCy pipeline installed under ``name``.

    Satisfies ``protocols.Parser``. The pipeline is loaded when the first text is parsed.
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
        yield from nlp.pipe(batch, batch_size=len(batch))


@cache
def _loaded(name: str) -> Language:
    nlp = read_pipeline(pipeline_folder()) if name == BUNDLED else _installed(name)
    probe = nlp("It works.")
    if not (probe.has_annotation("DEP") and probe.has_annotation("TAG")):
        raise ConfigError(
            f"the spaCy pipeline '{name}' has no tagger or no parser "
            f"(it has: {', '.join(nlp.pipe_names) or 'nothing'}): use one that has both"
        )
    return nlp


def described(name: str = BUNDLED) -> str:
    """Name, version and origin of a pipeline, without loading it: what a record of a run needs.

    >>> described().startswith("augkit_pipeline 1.0.0 (augkit's own, sha256 ")
    True
    """
    if name == BUNDLED:
        meta, origin = (
            pipeline_meta(),
            f"augkit's own, sha256 {pipeline_digest()}",
        )
    else:
        folder = _folder_of(name)
        meta, origin = pipeline_meta(folder), str(folder)
    return f"{meta['name']} {meta['version']} ({origin})"


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
            morph=_features(token.morph),
            head=first + token.head.i,
            deprel="root" if token.head.i == token.i else token.dep_,
            sentence=sentence,
        )


def _features(morph: Any) -> Mapping[str, str]:
    return _parsed_features(str(morph))


@cache
def _parsed_features(written: str) -> Mapping[str, str]:
    """Features by name; the few hundred combinations there are share one mapping each."""
    return dict(pair.split("=", 1) for pair in written.split("|") if pair)
