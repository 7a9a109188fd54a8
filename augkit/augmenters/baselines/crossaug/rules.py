"""Negative claims by rules: another number or name, a word that excludes the one said, or "not"."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from typing_extensions import Self

from augkit.augmenters.coba.pairs.contradict import hypothesis_contradicted
from augkit.augmenters.coba.pairs.negation import denied
from augkit.augmenters.coba.pairs.scene import Scene
from augkit.core.analysis import Analysis, Token
from augkit.core.errors import DataError
from augkit.core.types import Edit, Example, digest
from augkit.language.parser import SpacyParser

_MOST_NAMES = 300
"""Names kept for one kind of place."""
_LONGEST = 4
"""Words of a name."""
_MONTHS = frozenset(
    "January February March April May June July August September October November December".split()
)


@dataclass(frozen=True)
class NameTable:
    """The labels of a corpus, and its names by the place they stand in; an ``Artifact``."""

    labels: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]

    def save(self, folder: Path) -> None:
        """Write ``names.json``."""
        told = json.dumps({"labels": self.labels, "names": self.names})
        (folder / "names.json").write_text(told + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back."""
        path = folder / "names.json"
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            names = {after: tuple(some) for after, some in told["names"].items()}
            return cls(tuple(told["labels"]), names)
        except (OSError, ValueError, KeyError) as error:
            raise DataError(f"{path}: missing or damaged: {error}") from error


def learn_names(pairs: Sequence[Example], labels: tuple[str, ...]) -> NameTable:
    """Names of the claims by the word before them: what stands after "in" is another place."""
    found: dict[str, set[str]] = {}
    claims = [list(row.fields.values())[-1] for row in pairs]
    for analysis in SpacyParser().parse(claims) if claims else ():
        for run in _names(analysis):
            found.setdefault(_place(analysis, run), set()).add(_text(analysis, run))
    kept = {
        after: tuple(sorted(sorted(some, key=digest)[:_MOST_NAMES]))
        for after, some in sorted(found.items())
    }
    return NameTable(labels, kept)


def negative_claims(
    parents: Sequence[Example],
    table: NameTable,
    draw: Callable[[Example, int], Random],
    copies: int,
) -> list[list[tuple[Edit, ...]]]:
    """For each pair the edits of up to ``copies`` negative claims, all different.

    A change whose words the evidence says too comes first: the evidence can follow it.
    """
    texts = [text for parent in parents for text in parent.fields.values()]
    analyses = iter(SpacyParser().parse(texts) if texts else ())
    found = []
    for parent in parents:
        first, second = parent.fields
        scene = Scene(first, second, next(analyses), next(analyses))
        generator = draw(parent, 0)
        said = [*_other_names(scene, table, generator), *_excluded(scene, generator)]
        generator.shuffle(said)
        said.sort(key=lambda edits: not _is_said(scene, edits))  # stable: the order stays random
        said += [change.edits for change in denied(scene)]
        found.append(list(dict.fromkeys(said))[:copies])
    return found


def _excluded(scene: Scene, generator: Random) -> list[tuple[Edit, ...]]:
    """Numbers and words that exclude what the claim says, one at a time."""
    return [change.edits for change in hypothesis_contradicted(scene, generator)]


def _other_names(scene: Scene, table: NameTable, generator: Random) -> Iterator[tuple[Edit, ...]]:
    """Another name in the place of one that the evidence has; whom the claim is about stays."""
    claim = scene.hypothesis
    for run in _names(claim):
        name = _text(claim, run)
        others = [
            other
            for other in table.names.get(_place(claim, run), ())
            if other not in scene.premise.text and other not in claim.text
        ]
        if run[0].index > 1 and others and name in scene.premise.text:
            new = generator.choice(others)
            yield (Edit(scene.second, run[0].start, run[-1].end, name, new),)


def _is_said(scene: Scene, edits: Sequence[Edit]) -> bool:
    words = {token.text for token in scene.premise.tokens}
    return all(set(edit.before.split()) <= words for edit in edits)


def _names(analysis: Analysis) -> Iterator[tuple[Token, ...]]:
    """Whole names: runs with a capital, none longer than a few words, all of them names."""
    run: list[Token] = []
    for token in (*analysis.tokens, None):
        if token is not None and token.text[:1].isupper():
            run.append(token)
            continue
        if run and len(run) <= _LONGEST and all(one.upos == "PROPN" for one in run):
            yield tuple(run)
        run = []


def _place(analysis: Analysis, run: Sequence[Token]) -> str:
    """What tells the kind of a name, roughly: the word before it, and how many words it has."""
    if run[0].text in _MONTHS:
        return "month"
    before = analysis.tokens[run[0].index - 1].text.lower() if run[0].index else ""
    return f"{before} {len(run)}"


def _text(analysis: Analysis, run: Sequence[Token]) -> str:
    return analysis.text[run[0].start : run[-1].end]
