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
from augkit.core.light_imports import prepare_spacy
from augkit.english.morphology import lemmas
from augkit.english.spacy_components import (
    INFLECTED_POS,
    LEMMAS,
    register_components,
    remember_words,
)

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from augkit.english.negation import with_apostrophes

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.strings import StringStore
    from spacy.tokens import Doc


BUNDLED = "augkit"
"""The name of the pipeline that ships with augkit."""
_FOLDER = Path(str(files("augkit.english").joinpath("pipeline")))
MOST_WORDS = 1_000
"""A passage has no more words than this."""
BATCH_WORDS = 8_000
"""About so many words are parsed at once: enough to be quick, few enough for little memory."""
# Web reviews mark a new paragraph with tags instead of a blank line.
_BREAK = re.compile(r"\n\s*\n|(?:<br\s*/?>\s*)+", re.IGNORECASE)
# The tokenizer strips signs off a word one by one, in quadratic time: no stretch is longer.
_STRETCH = re.compile(r"\S{1,400}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STOPS = frozenset(".!?")


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
        if not texts:
            return []
        nlp = self.nlp
        cut = [passages(nlp, text) for text in texts]
        docs = (
            doc
            for batch in batches(passage.doc for parts in cut for passage in parts)
            for doc in nlp.pipe(batch, batch_size=4 * len(batch))  # its parser takes a quarter
        )
        analyses = []
        for text, parts in zip(texts, cut, strict=True):
            tokens: list[Token] = []
            for passage in parts:
                tokens += _tokens(text, passage, next(docs), tokens[-1] if tokens else None)
            analyses.append(Analysis(text, tuple(tokens)))
        return analyses


@cache
def _loaded(name: str) -> Language:
    prepare_spacy()
    import spacy

    try:
        nlp = spacy.load(name) if name != BUNDLED else None
    except OSError as error:
        available = [BUNDLED, *spacy.util.get_installed_models()]
        raise UnknownName("spaCy pipeline", name, available) from error
    nlp = nlp or read_pipeline(_FOLDER)
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

    register_components()
    nlp = spacy.load(folder)
    for _name, component in nlp.pipeline:
        model = getattr(component, "model", None)
        for node in model.walk() if model is not None else ():
            for parameter in filter(node.has_param, node.param_names):
                node.set_param(parameter, node.get_param(parameter).astype("float32"))
    tok2vec: Any = nlp.get_pipe("tok2vec")
    remember_words(tok2vec.model.layers[0])
    # Of what spaCy works out for every new word, this pipeline asks for the lower case only.
    vocab: Any = nlp.vocab
    vocab.lex_attr_getters = {key: vocab.lex_attr_getters[key] for key in (LOWER, NORM)}
    return nlp


@lru_cache(maxsize=200_000)
def possible_lemmas(form: str) -> frozenset[str]:
    """Every lemma, in lower case, that the bundled pipeline may give to a form, whatever its tag.

    >>> possible_lemmas("worst") >= {"bad", "worst"}, possible_lemmas("amuses") >= {"amuse"}
    (True, True)
    """
    by_rule = (base for upos in INFLECTED_POS for base in lemmas(form, upos))
    return frozenset(map(str.lower, (form, *by_rule, *_exceptions().get(form, ()))))


@cache
def _exceptions() -> dict[str, list[str]]:
    """The table of the component of lemmas: form → lemmas, whatever the tag."""
    text = (_FOLDER / LEMMAS / "table.json").read_text(encoding="utf-8")
    by_form: dict[str, list[str]] = {}
    for form_and_tag, lemma in json.loads(text).items():
        by_form.setdefault(form_and_tag.rpartition(" ")[0], []).append(lemma)
    return by_form


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


def _tokens(text: str, passage: Passage, doc: Doc, before: Token | None) -> Iterator[Token]:
    """The tokens of a part of a text, numbered on from the token before it."""
    first = before.index + 1 if before else 0
    sentence = before.sentence if before else -1
    named = _names(doc.vocab.strings)
    attributes = doc.to_array(["LEMMA", "POS", "TAG", "MORPH", "DEP", "HEAD", "SENT_START"])
    # Heads come as distances and the rest as hashes, all as numbers of 64 bits.
    rows = zip(attributes[:, :5].tolist(), attributes[:, 5:].astype("int64").tolist(), strict=True)
    lengths = [len(token) for token in doc]
    for number, ((lemma, pos, tag, morph, dep), (distance, is_first)) in enumerate(rows):
        sentence += is_first == 1
        start = passage.starts[number]
        written = text[start : start + lengths[number]]
        yield Token(
            index=first + number,
            start=start,
            end=start + lengths[number],
            text=written,
            lemma=named[lemma] or doc[number].text,
            upos=named[pos],
            xpos=named[tag],
            morph=features(named[morph]),
            head=first + number + distance,
            deprel=named[dep] if distance else "root",
            sentence=sentence,
        )


@cache
def features(written: str) -> Mapping[str, str]:
    """Features by name; the few hundred combinations there are share one mapping each."""
    return dict(pair.split("=", 1) for pair in written.split("|") if "=" in pair)


class _Names(dict[int, str]):
    """Hash → string, for the strings of a vocabulary that were asked for before."""

    def __init__(self, strings: StringStore) -> None:
        super().__init__()
        self._strings = strings

    def __missing__(self, key: int) -> str:
        self[key] = name = self._strings[key]
        return name


_names = cache(_Names)


@dataclass(frozen=True, slots=True)
class Passage:
    """Words ready for the parser, and the offset of each in the text."""

    doc: Doc
    starts: tuple[int, ...]


def passages(nlp: Language, text: str) -> list[Passage]:
    """The passages of a text, in order; none for a text without words."""
    # spaCy cannot encode half a surrogate pair; one character for another keeps every offset.
    readable = with_apostrophes(_SURROGATE.sub("\ufffd", text))
    edges = [0, *(edge for gap in _BREAK.finditer(readable) for edge in gap.span()), len(readable)]
    passages_of_text = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        words = [
            (stretch.start() + first, stretch.start() + last)
            for stretch in _STRETCH.finditer(readable, start, end)
            for first, last in _cuts(nlp.tokenizer, stretch.group())
        ]
        passages_of_text += [_passage(nlp, readable, part) for part in _parts(words, readable)]
    return passages_of_text


def batches(docs: Iterable[Doc]) -> Iterator[list[Doc]]:
    """Runs of documents of about ``BATCH_WORDS`` words."""
    batch: list[Doc] = []
    size = 0
    for doc in docs:
        batch.append(doc)
        size += len(doc)
        if size >= BATCH_WORDS:
            yield batch
            batch = []
            size = 0
    if batch:
        yield batch


@lru_cache(maxsize=100_000)
def _cuts(tokenizer: Callable[[str], Doc], stretch: str) -> tuple[tuple[int, int], ...]:
    """The spans of the words in a stretch without spaces; cached, as most stretches recur."""
    return tuple((token.idx, token.idx + len(token)) for token in tokenizer(stretch))


def _parts(words: list[tuple[int, int]], text: str) -> Iterator[list[tuple[int, int]]]:
    while len(words) > MOST_WORDS:
        cut = MOST_WORDS
        for index in range(MOST_WORDS, MOST_WORDS // 2, -1):
            if text[words[index - 1][1] - 1] in _STOPS:
                cut = index
                break
        yield words[:cut]
        words = words[cut:]
    if words:
        yield words


def _passage(nlp: Language, text: str, words: list[tuple[int, int]]) -> Passage:
    from spacy.tokens import Doc

    following = [start for start, _ in words[1:]] + [words[-1][1]]
    doc = Doc(
        nlp.vocab,
        words=[text[start:end] for start, end in words],
        spaces=[after > end for (_, end), after in zip(words, following, strict=True)],
    )
    return Passage(doc, tuple(start for start, _ in words))
