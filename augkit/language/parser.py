"""What a text says grammatically: words with their places, lemmas, tags, heads and sentences.

    >>> from augkit.language.parser import load
    >>> [analysis] = load().analyse(["She lost her keys."])
    >>> [(token.text, token.upos, token.deprel) for token in analysis.tokens][:2]
    [('She', 'PRON', 'nsubj'), ('lost', 'VERB', 'root')]

Tags, features and relations are those of Universal Dependencies when the bundled pipeline is used;
another spaCy pipeline brings its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.core.errors import ConfigError, UnknownName
from augkit.language import bundled_pipeline
from augkit.language.passages import Passage, batches, passages

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BUNDLED = "augkit"
"""The name of the pipeline that ships with augkit."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign of a text: ``text == analysis.text[start:end]``.

    ``head`` is the index of the word it hangs on; the root of a sentence is its own head.
    ``morph`` holds features such as ``{"Number": "Plur"}``.
    """

    index: int
    start: int
    end: int
    text: str
    lemma: str
    upos: str
    xpos: str
    morph: Mapping[str, str] = field(hash=False)
    head: int
    deprel: str
    sentence: int

    @property
    def is_root(self) -> bool:
        """Whether it hangs on nothing."""
        return self.head == self.index

    def is_relation(self, *relations: str) -> bool:
        """Whether its relation is one of these or a subtype: "nsubj" covers "nsubj:pass"."""
        return self.deprel in relations or self.deprel.partition(":")[0] in relations


@dataclass(frozen=True)
class Analysis:
    """A text and its tokens, in order; white space and ``<br />`` tags are in no token."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def sentences(self) -> tuple[tuple[Token, ...], ...]:
        """The tokens of each sentence; ``token.sentence`` is an index into it."""
        return tuple(
            tuple(run) for _, run in groupby(self.tokens, key=lambda token: token.sentence)
        )

    @cached_property
    def _children(self) -> tuple[tuple[Token, ...], ...]:
        children: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if not token.is_root:
                children[token.head].append(token)
        return tuple(tuple(some) for some in children)

    def children(self, token: Token, *relations: str) -> tuple[Token, ...]:
        """The tokens that hang directly on one, in order; only those of ``relations`` if given."""
        found = self._children[token.index]
        return tuple(t for t in found if t.is_relation(*relations)) if relations else found

    def head(self, token: Token) -> Token:
        """The token it hangs on; the root itself for a root."""
        return self.tokens[token.head]

    def subtree(self, token: Token) -> tuple[Token, ...]:
        """A token and all that hangs on it, directly or not, in order."""
        found: list[Token] = []
        waiting = [token]
        while waiting:
            found.append(waiting.pop())
            waiting += self._children[found[-1].index]
        return tuple(sorted(found, key=lambda each: each.index))

    def token_at(self, offset: int) -> Token | None:
        """The token that covers a character of the text, if one does."""
        from bisect import bisect_right

        place = bisect_right(self.tokens, offset, key=lambda token: token.start) - 1
        if place >= 0 and offset < self.tokens[place].end:
            return self.tokens[place]
        return None


@dataclass(frozen=True, slots=True)
class Analyser:
    """Turns texts into analyses; made by ``load``."""

    name: str
    nlp: Language

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text, in order. Texts are analysed in batches, long ones in parts."""
        cut = [passages(self.nlp, text) for text in texts]
        docs = self._parsed(passage.doc for parts in cut for passage in parts)
        return [_analysis(text, parts, docs) for text, parts in zip(texts, cut, strict=True)]

    def _parsed(self, docs: Iterable[Doc]) -> Iterator[Doc]:
        for batch in batches(docs):
            yield from self.nlp.pipe(batch, batch_size=len(batch))


@cache
def load(name: str = BUNDLED) -> Analyser:
    """The analyser of the bundled pipeline, or of any spaCy pipeline installed under ``name``."""
    nlp = bundled_pipeline.read(bundled_pipeline.folder()) if name == BUNDLED else _installed(name)
    probe = nlp("It works.")
    if not (probe.has_annotation("DEP") and probe.has_annotation("TAG")):
        raise ConfigError(
            f"the spaCy pipeline '{name}' has no tagger or no parser "
            f"(it has: {', '.join(nlp.pipe_names) or 'nothing'}): use one that has both"
        )
    return Analyser(name, nlp)


def described(name: str = BUNDLED) -> str:
    """Name, version and origin of a pipeline, without loading it: what a record of a run needs.

    >>> described().startswith("augkit_pipeline 1.0.0 (augkit's own, sha256 ")
    True
    """
    if name == BUNDLED:
        meta, origin = bundled_pipeline.meta(), f"augkit's own, sha256 {bundled_pipeline.digest()}"
    else:
        folder = _folder_of(name)
        meta, origin = bundled_pipeline.meta(folder), str(folder)
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
