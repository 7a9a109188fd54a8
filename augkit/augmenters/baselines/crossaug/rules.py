"""Negative claims by rules: another number or name, an excluding word, or "not"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from augkit.core.analysis import Analysis, Token
from augkit.core.json_files import JsonArtifact
from augkit.core.protocols import Parser
from augkit.core.types import Edit, Example, digest
from augkit.english.inference.claim_parts import MONTHS, name_runs
from augkit.english.inference.contradict import contradict_hypothesis, negate_hypothesis
from augkit.english.inference.parsed_pair import ParsedPair

_MOST_NAMES = 300
"""Names kept for one context."""


@dataclass(frozen=True)
class NameTable(JsonArtifact):
    """The labels of a corpus, and its names by their context."""

    file = "names.json"
    labels: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]


def collect_names(pairs: Sequence[Example], labels: tuple[str, ...], parser: Parser) -> NameTable:
    """The names of the claims by the word before them: after "in" there are other places."""
    found: dict[str, set[str]] = {}
    claims = [list(row.fields.values())[-1] for row in pairs]
    for analysis in parser.parse(claims) if claims else ():
        for run in name_runs(analysis):
            found.setdefault(_context(analysis, run), set()).add(_text(analysis, run))
    kept = {
        after: tuple(sorted(sorted(some, key=digest)[:_MOST_NAMES]))
        for after, some in sorted(found.items())
    }
    return NameTable(labels, kept)


def negative_claims(
    parents: Sequence[Example],
    table: NameTable,
    rng: Callable[[Example, int], Random],
    copies: int,
    parser: Parser,
) -> list[list[tuple[Edit, ...]]]:
    """For each pair the edits of up to ``copies`` different negative claims.

    A change of words that the evidence holds too comes first: the evidence can be changed to match.
    """
    texts = [text for parent in parents for text in parent.fields.values()]
    analyses = iter(parser.parse(texts) if texts else ())
    found = []
    for parent in parents:
        first, second = parent.fields
        pair = ParsedPair(first, second, next(analyses), next(analyses))
        generator = rng(parent, 0)
        changes = list(_other_names(pair, table, generator))
        changes += [change.edits for change in contradict_hypothesis(pair, generator)]
        generator.shuffle(changes)
        # The sort is stable, so that the order stays random.
        changes.sort(key=lambda edits: not _in_evidence(pair, edits))
        changes += [change.edits for change in negate_hypothesis(pair)]
        found.append(list(dict.fromkeys(changes))[:copies])
    return found


def _other_names(
    pair: ParsedPair, table: NameTable, generator: Random
) -> Iterator[tuple[Edit, ...]]:
    """Another name for one that the evidence has; the subject of the claim stays."""
    claim = pair.hypothesis
    for run in name_runs(claim):
        name = _text(claim, run)
        others = [
            other
            for other in table.names.get(_context(claim, run), ())
            if other not in pair.premise.text and other not in claim.text
        ]
        if run[0].index > 1 and others and name in pair.premise.text:
            new = generator.choice(others)
            yield (Edit(pair.second, run[0].start, run[-1].end, name, new),)


def _in_evidence(pair: ParsedPair, edits: Sequence[Edit]) -> bool:
    words = {token.text for token in pair.premise.tokens}
    return all(set(edit.before.split()) <= words for edit in edits)


def _context(analysis: Analysis, run: Sequence[Token]) -> str:
    """A rough type of a name: the word before it, and how many words it has."""
    if run[0].text in MONTHS:
        return "month"
    before = analysis.tokens[run[0].index - 1].text.lower() if run[0].index else ""
    return f"{before} {len(run)}"


def _text(analysis: Analysis, run: Sequence[Token]) -> str:
    return analysis.text[run[0].start : run[-1].end]
