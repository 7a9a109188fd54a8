"""What the bundled pipeline adds to spaCy: features of words for its embedding, and lemmas.

spaCy's own features look at one initial letter and three final ones. Two things are added here
because they help most where training data is small: affixes of several lengths, and the parts of
speech that lemminflect's dictionary lists for the word, which also tells an unseen verb in lower
case from an unseen name.

Lemmas follow a rule by tag, which keeps base forms and looks inflected ones up in a dictionary; a
table holds the words whose lemma in the treebanks differs ("'ll" → "will", "better" → "well").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from augkit.english.morphology import known_lemmas

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from thinc.api import Model


import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from augkit.english.morphology import lemmas

if TYPE_CHECKING:
    from spacy.tokens import Doc


ARCHITECTURE = "augkit.WordFeatureEmbed.v1"
"""The name of the embedding layer in the pipeline's ``config.cfg``."""
LEMMAS = "augkit_lemmas"
"""The component's name in the pipeline's ``config.cfg``."""

NAME_TAGS = frozenset({"NNP", "NNPS", "ADD", "FW", "GW"})
_INFLECTED = {
    **dict.fromkeys(("VBD", "VBG", "VBN", "VBZ"), "VERB"),
    **dict.fromkeys(("JJR", "JJS"), "ADJ"),
    **dict.fromkeys(("RBR", "RBS"), "ADV"),
    **dict.fromkeys(("NNS", "NNPS"), "NOUN"),
}
INFLECTED_POS = frozenset(_INFLECTED.values())
"""The parts of speech of which a form is looked up for its lemma."""
_TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "`": "'", "\u00b4": "'", "\u02bc": "'"}
    | {"\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"'}
    | {"\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2010": "-", "\u2011": "-"}
)
ESCAPES = {"-lrb-": "(", "-lsb-": "[", "-lcb-": "{", "-rrb-": ")", "-rsb-": "]", "-rcb-": "}"} | {
    "''": '"',
    "``": '"',
}
"""How tokenised corpora write brackets and quotes, in lower case."""
_LONGEST = 40  # no longer word is looked at whole: a URL of 10,000 letters needs no entry
_MOST_VECTORS = 50_000  # of words that an embedding keeps: 20 MB
_SHAPE_RUN = 4  # "Xxxxx" and "Xxxxxxxx" are one shape


def register_components() -> None:
    """Make the embedding layer and the lemmas known to spaCy; harmless when done twice."""
    from spacy.language import Language
    from spacy.util import registry

    registry.architectures(ARCHITECTURE, func=build_embedding)
    if not Language.has_factory(LEMMAS):
        Language.factory(LEMMAS, func=lambda nlp, name: Lemmas({}))  # noqa: ARG005 - by name


def word_features(word: str) -> tuple[str, ...]:
    """Form, prefix, three suffixes, shape and dictionary classes of a word.

    >>> word_features("Walked")
    ('walked', 'wal', 'ed', 'ked', 'lked', 'Xxxxx', 'VERB-')
    """
    typed = plain(word[:_LONGEST])
    form = typed.lower()
    ends = (form[-2:], form[-3:], form[-4:])
    return (form, form[:3], *ends, shape(typed), dictionary_classes(form))


def plain(word: str) -> str:
    """The word as typed on a keyboard: straight quotes, apostrophes and hyphens, plain brackets.

    >>> plain("don\u2019t"), plain("-LRB-")
    ("don't", '(')
    """
    return ESCAPES.get(word.lower()) or word.translate(_TYPOGRAPHY)


def shape(word: str) -> str:
    """Letters as X and x, digits as d, the rest as it is; runs are cut at four.

    >>> shape("McDonald's"), shape("3,000")
    ("XxXxxxx'x", 'd,ddd')
    """
    if word.isascii() and word.isalpha() and word.islower():
        return "x" * min(len(word), _SHAPE_RUN)
    signs: list[str] = []
    for letter in word:
        if letter.isdigit():
            sign = "d"
        elif letter.isalpha():
            sign = "X" if letter.isupper() else "x"
        else:
            sign = letter
        if signs[-_SHAPE_RUN:] != [sign] * _SHAPE_RUN:
            signs.append(sign)
    return "".join(signs)


def dictionary_classes(form: str) -> str:
    """Parts of speech the dictionary knows for a form; "=" marks a base form, "-" an inflected one.

    >>> dictionary_classes("saw"), dictionary_classes("blorf")
    ('NOUN=VERB-', '')
    """
    return "".join(
        f"{upos}{'=' if lemmas[0].lower() == form else '-'}"
        for upos, lemmas in sorted(known_lemmas(form).items())
    )


def build_embedding(width: int, rows: list[int]) -> Model[list[Doc], list[Any]]:
    """One hashed table of ``rows[i]`` vectors per feature, mixed into vectors of ``width``."""
    from thinc.api import (
        HashEmbed,
        Maxout,
        Model,
        chain,
        concatenate,
        list2ragged,
        ragged2list,
        with_array,
    )

    extract: Model[list[Doc], Any] = Model("word_features", _extract)
    tables: list[Model[Any, Any]] = [
        HashEmbed(width, count, column=column, seed=8 + column) for column, count in enumerate(rows)
    ]
    mix = Maxout(width, width * len(rows), nP=3, dropout=0.0, normalize=True)
    return chain(
        extract, list2ragged(), with_array(concatenate(*tables)), with_array(mix), ragged2list()
    )


def _extract(
    model: Model[list[Doc], Any], docs: list[Doc], is_train: bool
) -> tuple[list[Any], Callable[[Any], list[Doc]]]:
    del is_train
    import numpy as np

    numbers = chain.from_iterable(_hashed(token.text) for doc in docs for token in doc)
    stack = np.fromiter(numbers, dtype="uint64").reshape(-1, len(word_features("a")))
    ends = np.cumsum([len(doc) for doc in docs])[:-1]
    split: list[Any] = np.split(stack, ends)
    arrays = [model.ops.asarray2i(rows, dtype="uint64") for rows in split]
    return arrays, lambda _gradient: []


def remember_words(embedding: Model[list[Doc], list[Any]]) -> None:
    """Make an embedding layer keep the vectors of words: they do not depend on the context."""
    import numpy as np
    from spacy.tokens import Doc

    compute: Any = embedding._func  # noqa: SLF001 - thinc has no other way
    place_of: dict[int, int] = {}
    vectors: list[Any] = []

    def look_up(model: Model[list[Doc], list[Any]], docs: list[Doc], is_train: bool) -> Any:
        if is_train or not docs:
            return compute(model, docs, is_train)
        words = [doc.to_array("ORTH") for doc in docs]
        orths = np.concatenate(words).tolist()
        new = [orth for orth in dict.fromkeys(orths) if orth not in place_of]
        if new:
            if len(place_of) + len(new) > _MOST_VECTORS:
                place_of.clear()
                vectors.clear()
                new = list(dict.fromkeys(orths))
            place_of.update(zip(new, range(len(place_of), len(place_of) + len(new)), strict=True))
            listed = Doc(docs[0].vocab, words=[docs[0].vocab.strings[orth] for orth in new])
            vectors[:] = [np.concatenate([*vectors, compute(model, [listed], is_train)[0][0]])]
        places = np.fromiter(map(place_of.__getitem__, orths), dtype=np.int64)
        ends = np.cumsum([len(doc) for doc in docs])[:-1]
        return np.split(vectors[0][places], ends), lambda _gradient: []

    embedding._func = look_up  # noqa: SLF001 - thinc has no other way


@lru_cache(maxsize=200_000)
def _hashed(word: str) -> tuple[int, ...]:
    from spacy.strings import hash_string  # type: ignore[attr-defined]  # missing from its stubs

    return tuple(hash_string(feature) for feature in word_features(word))


@lru_cache(maxsize=100_000)
def lemma(form: str, xpos: str) -> str:
    """The lemma by rule: names keep their capitals, inflected words are looked up.

    >>> lemma("Mice", "NNS"), lemma("went", "VBD"), lemma("Americans", "NNPS"), lemma("The", "DT")
    ('mouse', 'go', 'American', 'the')
    """
    base = form if xpos in NAME_TAGS else form.lower()
    if xpos == "CD":
        return base.replace(",", "") or base
    if xpos not in _INFLECTED:
        return base
    return next(filter(None, lemmas(base, _INFLECTED[xpos])), base)


class Lemmas:
    """The pipeline component: sets the lemma of every token from its form and tag."""

    def __init__(self, table: Mapping[str, str]) -> None:
        """Take the table of exceptions; it is filled when the pipeline is read."""
        self.table = dict(table)
        self._seen: dict[tuple[int, int], int] = {}

    def __call__(self, doc: Doc) -> Doc:
        """Set the lemmas of a document in place; a form with the same tag is looked up once."""
        seen = self._seen
        for token in doc:
            key = token.orth, token.tag
            if key not in seen:
                exception = self.table.get(f"{plain(token.lower_)} {token.tag_}")
                seen[key] = doc.vocab.strings.add(exception or lemma(token.text, token.tag_))
            token.lemma = seen[key]
        return doc

    def to_disk(self, path: Path, **_options: Any) -> None:
        """Write the table; spaCy calls this with the component's folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.table, ensure_ascii=False, indent=0)
        Path(path, "table.json").write_text(text + "\n", encoding="utf-8")

    def from_disk(self, path: Path, **_options: Any) -> Lemmas:
        """Read the table back."""
        self.table = json.loads(Path(path, "table.json").read_text(encoding="utf-8"))
        self._seen.clear()
        return self
