"""CrossAug: supported claims turned into refuted ones, and the evidence changed to match.

Reference: lee2021crossaug. For a supported pair (c, e) a negative claim c⁻ is generated; where the
changed words occur in the evidence too, they are changed there, which gives e⁻. Three new pairs
follow: (c⁻, e) refuted, (c⁻, e⁻) supported, (c, e⁻) refuted. So neither the wording of a claim nor
that of its evidence alone gives the label away. The paper's generator is a BART trained on
WikiFactCheck. Here it is a language model, or offline rules: another number or name, a word that
excludes the original one, else a plain "not", which has no counterpart in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from pydantic import BaseModel, Field

from augkit.augmenters.base import Augmenter, Traits
from augkit.augmenters.crossed import crossed
from augkit.augmenters.fields import not_a_pair
from augkit.augmenters.llm_requests import (
    SamplingParams,
    prompt_request,
    request_seed,
)
from augkit.augmenters.loop import blank_variant, write_again
from augkit.core.analysis import Analysis, Token
from augkit.core.config import MethodConfig
from augkit.core.edits import Edit, any_overlap, apply
from augkit.core.json_files import JsonArtifact
from augkit.core.model_types import Request
from augkit.core.protocols import Artifact, Parser
from augkit.core.types import FREE, Example, Variant, digest, refused
from augkit.english.inference.claim_parts import (
    MONTHS,
    Replaceable,
    find_words,
    has_words,
    name_runs,
    replaceable,
)
from augkit.english.inference.contradict import contradict_hypothesis, negate_hypothesis
from augkit.english.inference.parsed_pair import ParsedPair
from augkit.english.negation import negation_pattern
from augkit.lexicons.label_meanings import labels_of, unnamed_relations
from augkit.text.articles import fit_articles
from augkit.text.casing import match_case

_TRIES = 2
"""Things of a claim that a language model is asked to replace, before a copy is given up."""
_MOST_NAMES = 300
"""Names kept for one context."""
_MORE_WORDS = 2
"""Words that a replacement may have more than what it replaces."""


class CrossAugConfig(MethodConfig):
    """Which labels mean supported and refuted, and how a language model samples."""

    supported: str = Field(
        "", description="the label of a claim that its evidence supports; empty: by its name"
    )
    refuted: str = Field("", description="the label of a claim that it refutes; empty: by its name")
    temperature: float = Field(0.7, ge=0, le=2, description="of a language model")
    max_tokens: int = Field(512, ge=1, description="longest answer of a language model, in tokens")


@dataclass(frozen=True)
class NameTable(JsonArtifact):
    """The labels of a corpus, and its names by their context."""

    file = "names.json"
    labels: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]


class ReplacementAnswer(BaseModel):
    """The answer: the kind of thing, what the evidence says it is, then another one."""

    kind: str = Field(max_length=60)
    true: str = Field(max_length=100)
    false: str = Field(max_length=100)


class CrossAug(Augmenter[CrossAugConfig]):
    """Make three pairs of each supported claim: a refuted one, and two with changed evidence.

    For pairs of evidence (first) and claim (last). The label of a variant is refuted (flipped) or
    supported (kept); ``copies`` is the number of negative claims.
    """

    name = "crossaug"
    Config = CrossAugConfig
    traits = Traits(writing="edit", label_checked=True, english="rows")
    labels_needed = 2
    learns = NameTable

    def data_fault(self, fields: Sequence[str], labels: Sequence[str]) -> str:
        """Where rows are no pairs, or it is not known which label is that of a supported claim."""
        named = {"entailment": self.config.supported, "contradiction": self.config.refuted}
        if fault := not_a_pair(self.name, fields):
            return fault
        remedy = "--set supported=LABEL --set refuted=LABEL"
        return "" if all(named.values()) else unnamed_relations(self.name, labels, remedy)

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Collect the labels and, offline, names by their context."""
        pairs = [row for row in examples if len(row.fields) == 2 and not row.fault]
        labels = tuple(sorted({row.label for row in pairs if row.label is not None}))
        return collect_names(pairs if self.tools.llm is None else [], labels, self.parser)

    def propose(self, batch: Sequence[Example]) -> Iterator[Variant]:
        """Propose up to three variants for each copy of each supported pair."""
        named = labels_of(self.artifact.labels)
        supported = self.config.supported or named.get("entailment", "")
        refuted = self.config.refuted or named.get("contradiction", "")
        fitting = []
        for parent in batch:
            if len(parent.fields) != 2:
                yield refused(parent, "not a pair of evidence and claim")
            elif parent.label != supported or not refuted:
                yield refused(parent, "not a supported claim", str(parent.label))
            else:
                fitting.append(parent)
        generate = self._by_rules if self.tools.llm is None else self._by_llm
        for claim in generate(fitting):
            if claim.reason:
                yield replace(claim, copy=3 * claim.copy, work=None)
            else:
                yield from cross(claim, refuted)

    def _by_rules(self, parents: Sequence[Example]) -> Iterator[Variant]:
        claims_of_rows = negative_claims(
            parents, self.artifact, self.random, self.config.copies, self.parser
        )
        for parent, several in zip(parents, claims_of_rows, strict=True):
            if not several:
                yield refused(parent, "no negative claim")
            for copy, edits in enumerate(several):
                yield replace(blank_variant(parent, copy), edits=edits)

    def _by_llm(self, parents: Sequence[Example]) -> list[Variant]:
        """Another thing for one of the claim is requested; where that fails, for a second one.

        Each copy replaces other things of the claim.
        """
        claims = self.parser.parse([list(parent.fields.values())[-1] for parent in parents])
        blanks: list[Variant] = []
        for parent, claim in zip(parents, claims, strict=True):
            spans = replaceable(claim, next(iter(parent.fields.values())))
            if not spans:
                blanks.append(refused(parent, "no negative claim"))
            copies = min(len(spans), self.config.copies)
            blanks += [
                replace(blank_variant(parent, copy), work=spans[copy::copies])
                for copy in range(copies)
            ]
        return write_again(self._write(blanks), self._write, _TRIES)

    def _write(self, blanks: Sequence[Variant]) -> list[Variant]:
        return self.ask(map(with_next_span, blanks), self._request, self._read)

    def _request(self, blank: Variant) -> Request:
        seed = request_seed(self, blank.parent, blank.copy)
        return replacement_request(blank.parent, blank.work[0], self.config, seed)

    def _read(self, blank: Variant, answer: ReplacementAnswer) -> Variant:
        return read_negative(blank, answer, self.parser if self.gates.enabled else None)


def with_next_span(blank: Variant) -> Variant:
    """The variant with what is to be replaced at this attempt; the last refusal where none is left.

    The first attempt takes the first of its spans.
    """
    if blank.before is None:
        return blank
    spans = blank.work[1:]
    return replace(blank, work=spans) if spans else replace(blank.before, work=None)


def cross(claim: Variant, refuted: str) -> Iterator[Variant]:
    """The three pairs of a negative claim, or one if the evidence lacks the changed words.

    The first carries what the claim has cost.
    """
    parent = claim.parent
    edits = claim.edits or ()
    substituted = edits_of_evidence(parent.fields, edits)
    evidence, text = apply(parent.fields, [*substituted, *edits]).values()
    pairs = crossed(parent, evidence, text, refuted)
    units = [("negative claim", pairs.second, edits)]
    if substituted:
        units.append(("both", pairs.both, (*substituted, *edits)))
        units.append(("negative evidence", pairs.first, tuple(substituted)))
    for number, (unit, variant, changes) in enumerate(units):
        yield replace(
            variant,
            copy=3 * claim.copy + number,
            edits=changes,
            cost=FREE if number else claim.cost,
            about={"unit": unit},
        )


def edits_of_evidence(fields: Mapping[str, str], edits: Sequence[Edit]) -> list[Edit]:
    """The same replacements in the evidence; empty unless all words occur there.

    >>> claim = Edit("claim", 13, 17, "1969", "1971")
    >>> [edit.start for edit in edits_of_evidence({"evidence": "In 1969.", "claim": ""}, [claim])]
    [3]
    """
    evidence, text = next(iter(fields.items()))
    substituted: list[Edit] = []
    for edit in edits:
        before = edit.before.strip()
        after = edit.after.strip()
        if before.lower() in {"a", "an"}:
            continue  # articles follow their nouns
        found_at = list(re.finditer(rf"(?<!\w){re.escape(before)}(?!\w)", text)) if before else []
        # A "not" can negate a claim; inserted into the evidence it would not be grammatical.
        if not found_at or not after or negation_pattern("particle").search(after):
            return []
        fitted = fit_articles(text, [(*match.span(), after) for match in found_at])
        substituted += [change.in_field(evidence, text) for change in fitted]
    changes = sorted(
        (edit for edit in substituted if edit.before != edit.after), key=lambda edit: edit.start
    )
    return [] if any_overlap(changes) else changes


def read_negative(blank: Variant, answer: ReplacementAnswer, parser: Parser | None) -> Variant:
    """The edits of the claim; the parser tells whether kinds agree."""
    parent = blank.parent
    span = blank.work[0]
    new = answer.false.strip().rstrip(".")
    span = replaced_span(list(parent.fields.values())[-1], span, answer.true)
    problem = problem_of(parent, span, new)
    if not problem and parser is not None:
        problem = kind_problem(parent, span, new, parser)
    if problem:
        old = list(parent.fields.values())[-1][span.start : span.end]
        return blank.refuse("no negative claim", f"'{new}' for '{old}': {problem}")
    return replace(blank, edits=replacement_edits(parent, span, new))


def collect_names(pairs: Sequence[Example], labels: tuple[str, ...], parser: Parser) -> NameTable:
    """The names of the claims by the word before them: after "in" there are other places."""
    by_context: dict[str, set[str]] = {}
    claims = [list(row.fields.values())[-1] for row in pairs]
    for analysis in parser.parse(claims) if claims else ():
        for run in name_runs(analysis):
            by_context.setdefault(_context(analysis, run), set()).add(_text(analysis, run))
    most = {
        after: tuple(sorted(sorted(names, key=digest)[:_MOST_NAMES]))
        for after, names in sorted(by_context.items())
    }
    return NameTable(labels, most)


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
    claims = []
    for parent in parents:
        first, second = parent.fields
        pair = ParsedPair(first, second, next(analyses), next(analyses))
        generator = rng(parent, 0)
        changes = list(_other_names(pair, table, generator))
        changes += [change.edits for change in contradict_hypothesis(pair, generator)]
        generator.shuffle(changes)
        # The sort is stable, so that the order stays random.
        evidence = {token.text for token in pair.premise.tokens}
        changes.sort(key=lambda edits: not {w for e in edits for w in e.before.split()} <= evidence)
        changes += [change.edits for change in negate_hypothesis(pair)]
        claims.append(list(dict.fromkeys(changes))[:copies])
    return claims


def _other_names(
    pair: ParsedPair, table: NameTable, generator: Random
) -> Iterator[tuple[Edit, ...]]:
    """Another name for one that the evidence has; the subject of the claim stays."""
    claim = pair.hypothesis
    for run in name_runs(claim):
        name = _text(claim, run)
        replacements = [
            candidate
            for candidate in table.names.get(_context(claim, run), ())
            if candidate not in pair.premise.text and candidate not in claim.text
        ]
        if run[0].index > 1 and replacements and name in pair.premise.text:
            new = generator.choice(replacements)
            yield (Edit(pair.second, run[0].start, run[-1].end, name, new),)


def _context(analysis: Analysis, run: Sequence[Token]) -> str:
    """A rough type of a name: the word before it, and how many words it has."""
    if run[0].text in MONTHS:
        return "month"
    before = analysis.tokens[run[0].index - 1].text.lower() if run[0].index else ""
    return f"{before} {len(run)}"


def _text(analysis: Analysis, run: Sequence[Token]) -> str:
    return analysis.text[run[0].start : run[-1].end]


def replacement_request(
    parent: Example, span: Replaceable, config: SamplingParams, seed: int
) -> Request:
    """Ask what stands instead of the span, so that the evidence proves the claim wrong."""
    evidence, claim = parent.fields.values()
    marked = f"{claim[: span.start]}[{claim[span.start : span.end]}]{claim[span.end :]}"
    return prompt_request(
        "crossaug/negate", ReplacementAnswer, config, seed, evidence=evidence, claim=marked
    )


def replaced_span(claim: str, span: Replaceable, true: str) -> Replaceable:
    """What the model replaces: the words that it calls true, where the claim has them.

    >>> replaced_span("It is a psychological thriller.", Replaceable(2, 8, 21), "thriller")
    Replaceable(rank=2, start=22, end=30)
    """
    match = find_words(claim, true.strip()) if true.strip() else None
    return span if match is None or not match.start() else Replaceable(span.rank, *match.span())


def problem_of(parent: Example, span: Replaceable, new: str) -> str:
    """Why a replacement does not make the claim false; "" where nothing speaks against it."""
    evidence, claim = (text.casefold() for text in parent.fields.values())
    old = claim[span.start : span.end]
    replacement = new.casefold()
    if not replacement or has_words(replacement, old):
        return "the same"
    if has_words(evidence, replacement) or has_words(claim, replacement):
        return "the evidence or the claim has it"
    if any(map(str.isdigit, old)) and not any(map(str.isdigit, replacement)):
        return "no number"
    if negation_pattern("particle", "determiner", "adverb").search(replacement):
        return "a negation"
    return "too long" if len(replacement.split()) > len(old.split()) + _MORE_WORDS else ""


def kind_problem(parent: Example, span: Replaceable, new: str, parser: Parser) -> str:
    """Why the replacement is not of the same kind: another class of words, or another number."""
    claim = list(parent.fields.values())[-1]
    changed = f"{claim[: span.start]}{new}{claim[span.end :]}"
    before, after = parser.parse([claim, changed])
    old_head = _last_word(before, span.start, span.end)
    new_head = _last_word(after, span.start, span.start + len(new))
    if old_head is None or new_head is None:
        return "no whole word"
    if claim[span.start].isupper() != new[0].isupper():
        return "a name for a word, or a word for a name"
    if _class(old_head) != _class(new_head):
        return f"{new_head.upos} for {old_head.upos}"
    numbers = {word.morph.get("Number") for word in (old_head, new_head) if word.upos == "NOUN"}
    return "another number" if len(numbers) > 1 else ""


def _last_word(analysis: Analysis, start: int, end: int) -> Token | None:
    inside = [token for token in analysis.tokens if start <= token.start and token.end <= end]
    return inside[-1] if inside else None


def _class(token: Token) -> str:
    if any(map(str.isdigit, token.text)):
        return "number"
    return "noun" if token.upos in {"NOUN", "PROPN"} else token.upos


def replacement_edits(parent: Example, span: Replaceable, new: str) -> tuple[Edit, ...]:
    """The edits of the claim, with a or an before the replacement fitted."""
    name = list(parent.fields)[-1]
    claim = parent.fields[name]
    cased = match_case(new, claim[span.start : span.end])
    fitted = fit_articles(claim, [(span.start, span.end, cased)])
    return tuple(change.in_field(name, claim) for change in fitted)
