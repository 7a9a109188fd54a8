"""Lemmas: a rule by tag, and a table of the exceptions to it.

The rule keeps base forms and looks inflected ones up in a dictionary; the table holds the words
whose lemma in the treebanks differs ("'ll" → "will", "better" → "well").
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augkit.english.morphology import lemmas
from augkit.english.word_features import plain

if TYPE_CHECKING:
    from spacy.tokens import Doc

FACTORY = "augkit_lemmas"
"""The component's name in the pipeline's ``config.cfg``."""

NAME_TAGS = frozenset({"NNP", "NNPS", "ADD", "FW", "GW"})
_INFLECTED = {
    **dict.fromkeys(("VBD", "VBG", "VBN", "VBZ"), "VERB"),
    **dict.fromkeys(("JJR", "JJS"), "ADJ"),
    **dict.fromkeys(("RBR", "RBS"), "ADV"),
    **dict.fromkeys(("NNS", "NNPS"), "NOUN"),
}


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

    def __call__(self, doc: Doc) -> Doc:
        """Set the lemmas of a document in place."""
        for token in doc:
            found = self.table.get(f"{plain(token.lower_)} {token.tag_}")
            token.lemma_ = found or lemma(token.text, token.tag_)
        return doc

    def to_disk(self, path: Path, **_options: Any) -> None:
        """Write the table; spaCy calls this with the component's folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.table, ensure_ascii=False, indent=0)
        Path(path, "table.json").write_text(text + "\n", encoding="utf-8")

    def from_disk(self, path: Path, **_options: Any) -> Lemmas:
        """Read the table back."""
        self.table = json.loads(Path(path, "table.json").read_text(encoding="utf-8"))
        return self


def register() -> None:
    """Make the component known to spaCy; harmless when done twice."""
    from spacy.language import Language

    if not Language.has_factory(FACTORY):
        Language.factory(FACTORY, func=_make)


def _make(nlp: Any, name: str) -> Lemmas:
    del nlp, name
    return Lemmas({})
