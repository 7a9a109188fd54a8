"""Where a variant is accepted or rejected: all checks, in the order in which they are asked.

A row is rejected before anything is proposed for it where it has no text, too long a text, or one
in a language that the method does not know (``row_fault``, ``row_language``). A draft is rejected

1. where a judge finds another label in what a language model wrote (``judged_drafts``; see
   ``augkit.labels``);
2. by one of the ``DRAFT_CHECKS``;
3. by a text gate, if a language model wrote it (``TextGates``). The gates do not trust the writer:
   each looks at one field beside its source and gives "" or what it found;
4. where an edit touches a span that must stay true (``accept``).

A method that chooses among candidates checks them first, by a list of its own (coba:
``coba/verify.py``). The gates of ``--gate`` come last: a gate is any callable from a pair to a
reason or None (``length_within``, ``keeps``, ``edited_share``). Every reason is counted in the
manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from augkit.augmenters.llm_checks import form, meaning
from augkit.augmenters.llm_checks.dataset_rows import DatasetRows, copied_field
from augkit.augmenters.llm_checks.written import TextGateSettings, Writing, WrittenText
from augkit.core.edits import Edit, LabelledSpan, reproduces
from augkit.core.errors import AugkitError
from augkit.core.protocols import Gate, LabelChecks, TextChecks, Tools
from augkit.core.types import (
    DETAIL_CHARS,
    EMPTY,
    Draft,
    Example,
    Outcome,
    Pair,
    Rejection,
    digest,
    new_example,
    new_pair,
    new_provenance,
)
from augkit.english.english import not_english
from augkit.prompts.load import current_prompts
from augkit.text.diff import diff, project_spans
from augkit.text.tokens import words

NOT_ENGLISH = "not English"
"""The reason for a row in another language; the detail names it."""
SPAN_TOUCHED = "span touched"


def row_fault(row: Example, max_chars: int) -> str:
    """Why nothing can be proposed for a row, whatever the method; "" where it can."""
    if row.fault:
        return row.fault
    for text in row.fields.values():
        if (not text or text.isspace()) and _has_empty(row.fields, row.locked):
            return "empty text"
        if len(text) > max_chars:
            return "text too long"
    return ""


def row_language(row: Example) -> str:
    """What language the texts of a row that may change are in; "" where it is English."""
    fields = row.fields
    if len(fields) == 1:
        return not_english(*fields.values())
    return not_english(" ".join([fields[name] for name in fields if name not in row.locked]))


class DraftCheck(NamedTuple):
    """A reason for a rejection, and whether a draft deserves it, after the outcomes before it."""

    reason: str
    fails: Callable[[Draft, Sequence[Outcome]], bool]


def _is_empty(draft: Draft, earlier: Sequence[Outcome]) -> bool:
    del earlier
    for text in draft.fields.values():
        if not text or text.isspace():
            return _has_empty(draft.fields, draft.parent.locked)
    return False


def _changes_locked(draft: Draft, earlier: Sequence[Outcome]) -> bool:
    del earlier
    fields, parent = draft.fields, draft.parent
    return bool(parent.locked) and any(fields[n] != parent.fields[n] for n in parent.locked)


def _repeats(draft: Draft, earlier: Sequence[Outcome]) -> bool:
    for outcome in earlier:
        if isinstance(outcome, Pair):
            variant = outcome.variant
            if variant.fields == draft.fields and variant.label == draft.label:
                return True
    return False


DRAFT_CHECKS = (
    DraftCheck("empty variant", _is_empty),
    DraftCheck("unchanged", lambda draft, _: draft.fields == draft.parent.fields),
    DraftCheck("changes a locked column", _changes_locked),
    DraftCheck("repeats another copy", _repeats),
)


def draft_rejection(draft: Draft, earlier: Sequence[Outcome]) -> tuple[str, str] | None:
    """Reason and detail where a draft is no variant, whoever wrote it."""
    for reason, fails in DRAFT_CHECKS:
        if fails(draft, earlier):
            return reason, shown_text(draft.parent, draft.fields)
    return None


def judged_drafts(
    check: LabelChecks, proposals: Sequence[Draft | Rejection], passes: Callable[[Draft], bool]
) -> list[Draft | Rejection]:
    """The proposals; those drafts that pass the text gates have their labels judged together."""
    outcomes = list(proposals)
    judged = [
        (number, draft)
        for number, draft in enumerate(proposals)
        if isinstance(draft, Draft)
        and draft.label in check.labels
        and draft.fields != draft.parent.fields
        and passes(draft)
    ]
    if judged:
        verdicts = check.check([draft for _, draft in judged])
        for (number, _), outcome in zip(judged, verdicts, strict=True):
            outcomes[number] = outcome
    return outcomes


class GateVerdict(NamedTuple):
    """A gate by its reason, and what it found; "" where the text passes."""

    reason: str
    found: str


@dataclass(frozen=True)
class TextGates:
    """All gates, with their limits and what is known of the dataset.

    Attributes:
        settings: The limits.
        rows: Texts of the dataset, so that copies are rejected; ``fit`` of a method sets them.
    """

    settings: TextGateSettings = field(default_factory=TextGateSettings)
    rows: DatasetRows | None = None

    def rejection(
        self,
        parent: Example,
        fields: Mapping[str, str],
        label: str | None,
        writing: Writing,
        method: str,
    ) -> GateVerdict | None:
        """The first gate that a variant does not pass, with what it found and the text."""
        for verdict in self.verdicts(parent, fields, label, writing, method):
            if verdict.found:
                return verdict._replace(found=shown_text(parent, fields, verdict.found))
        return None

    def verdicts(
        self,
        parent: Example,
        fields: Mapping[str, str],
        label: str | None,
        writing: Writing,
        method: str,
    ) -> Iterator[GateVerdict]:
        """The verdict of every gate on each field that differs from the parent's."""
        context = "\n".join(parent.fields.values())
        labels = [name for name in (parent.label, label) if name is not None]
        for name, after in fields.items():
            before = parent.fields.get(name, "")
            if after != before:
                written = WrittenText(before, after, context)
                beside = [text for key, text in parent.fields.items() if key != name]
                yield GateVerdict("copy of another field", copied_field(written, beside))
                for reason, gate in self._gates(labels, writing, method):
                    yield GateVerdict(reason, gate(written))

    def _gates(self, labels: Sequence[str], writing: Writing, method: str) -> list[_Gate]:
        """The gates for this kind of writing; those that say most come first."""
        limits, rows = self.settings, self.rows
        fixed = tuple(current_prompts().fixed_texts(method))
        runs, whole = form.fixed_runs(fixed, limits.leak_words), form.whole_texts(fixed)
        names = tuple(labels) if rows is None else rows.labels
        gates: list[_Gate] = [
            ("assistant talk", form.assistant_talk),
            ("prompt leak", lambda text: form.prompt_leak(text, runs, whole)),
            ("tags or JSON in the text", form.markup),
            ("label name in the text", lambda text: form.label_name(text, names)),
            ("instruction words in the text", form.instruction),
            ("only spelling changed", lambda text: text.after if form.unchanged(text) else ""),
            ("cut short", lambda text: text.after[-40:] if form.cut_short(text) else ""),
            (
                "final punctuation lost",
                lambda text: text.after[-40:] if form.lost_final_mark(text) else "",
            ),
            ("repeats itself", form.repetition),
            ("wrong length", lambda text: form.length_fault(text, writing, limits)),
            ("other language", lambda text: form.other_language(text, limits.min_known)),
        ]
        if rows is not None:
            gates.append(("row of the dataset", rows.copied))
        if writing == "paraphrase":
            gates += [("near copy", self._near_copy), ("meaning changed", self._changed_meaning)]
        return gates

    def _near_copy(self, text: WrittenText) -> str:
        alike = form.word_similarity(text.old, text.new)
        return f"{alike:.2f} alike" if alike > self.settings.max_similarity else ""

    def _changed_meaning(self, text: WrittenText) -> str:
        if numbers := meaning.other_numbers(text):
            return f"number {numbers}"
        overlap = meaning.meaning_overlap(text)
        least = self.settings.min_meaning
        if overlap >= least:
            return ""
        return f"{overlap:.2f} of the content words in common (text_gates.min_meaning={least:g})"


_Gate = tuple[str, Callable[[WrittenText], str]]
DEFAULT_GATES = TextGates()


def gates_for(gates: TextChecks | None, corpus: Sequence[Example]) -> TextChecks:
    """The gates, the default ones for None, that also reject texts of this corpus."""
    gates = DEFAULT_GATES if gates is None else gates
    return replace(gates, rows=DatasetRows.of(corpus)) if isinstance(gates, TextGates) else gates


class NoGates:
    """Lets every text pass: for tests, whose answers are made up."""

    def rejection(self, *_: object) -> tuple[str, str] | None:
        """Nothing is rejected."""
        return None


class AssumedGates(NoGates):
    """Rejects two texts in five, whatever they say: for estimates, before anything is written.

    So many texts of a small model fail a check, and are written again or not judged.
    """

    def rejection(self, *about: object) -> tuple[str, str] | None:
        """Some of the texts, always the same ones."""
        _, fields, *_ = about
        return ("assumed for the estimate", "") if is_assumed_to_fail(str(fields)) else None


def is_assumed_to_fail(text: str) -> bool:
    """Whether an estimate takes it that a made-up text fails a check: two in five, at random."""
    return int(digest(text)[:8], 16) % 5 < 2


NO_GATES = NoGates()


def is_estimate(tools: Tools) -> bool:
    """Whether the answers are made up to estimate what a run costs."""
    return isinstance(tools.text_gates, AssumedGates)


def accept(draft: Draft, method: str, config: str, *, in_kind: bool) -> Pair:
    """Make a pair of a draft that passed all checks of its text.

    ``SpanTouched`` where an edit loses a span; ``in_kind`` says that a span's text may change.
    """
    parent, edits, spans = draft.parent, draft.edits, draft.parent.spans
    if edits is None:
        edits = diff(parent.fields, draft.fields)
    elif not reproduces(parent.fields, edits, draft.fields):
        raise AugkitError(f"{method}: the edits of a draft do not give its text: {edits}")
    if spans and draft.spans is not None:
        spans = draft.spans
    elif spans:
        spans = project_spans(spans, edits, parent.fields, draft.fields, in_kind=in_kind)
    return sign(draft, edits, method, config, spans)


def sign(
    draft: Draft,
    edits: tuple[Edit, ...],
    method: str,
    config: str,
    spans: tuple[LabelledSpan, ...] = (),
) -> Pair:
    """Make a pair of a draft: the variant's id names its parent, the method and the content."""
    parent = draft.parent
    key = digest(
        parent.id, method, config, str(draft.copy), str(draft.label), *draft.fields.values()
    )
    variant = new_example(draft.fields, draft.label, key, EMPTY, "", spans, parent.locked)
    provenance = new_provenance(
        method,
        config,
        draft.copy,
        (parent.id,),
        edits,
        draft.contract,
        draft.cost,
        draft.scores,
        draft.about,
    )
    return new_pair(parent, variant, provenance)


def shown_text(parent: Example, fields: Mapping[str, str], about: str = "") -> str:
    """The texts that differ from the row's, as the detail of a rejection, after what it is about.

    >>> shown_text(Example({"text": "A film."}), {"text": "A sad film."}, "sad")
    'sad: A sad film.'
    """
    new = [text for name, text in fields.items() if text != parent.fields.get(name)]
    shown = " | ".join(filter(str.strip, new))
    detail = about if shown in about else f"{about}: {shown}"
    return (detail if about else shown)[:DETAIL_CHARS]


def _has_empty(fields: Mapping[str, str], locked: frozenset[str]) -> bool:
    """Whether a field that may change has no text."""
    return any(not text.strip() for name, text in fields.items() if name not in locked)


def length_within(shortest: float = 0.5, longest: float = 2.0) -> Gate:
    """Reject a variant whose word count leaves these multiples of the original's.

    Args:
        shortest: The least multiple.
        longest: The greatest multiple.
    """

    def gate(pair: Pair) -> str | None:
        before, after = _word_count(pair.original.fields), _word_count(pair.variant.fields)
        if after < shortest * before:
            return "too short"
        return "too long" if after > longest * before else None

    return gate


def keeps(*kept: str) -> Gate:
    """Reject a variant that lost one of these words, where the original had it.

    Args:
        *kept: The words.
    """

    def gate(pair: Pair) -> str | None:
        before, after = _word_set(pair.original.fields), _word_set(pair.variant.fields)
        lost = [word for word in kept if word.casefold() in before - after]
        return f"lost '{lost[0]}'" if lost else None

    return gate


def edited_share(most: float = 0.5) -> Gate:
    """Reject a variant in which edits cover more than this share of the original's characters.

    Args:
        most: The greatest share.
    """

    def gate(pair: Pair) -> str | None:
        covered = sum(edit.end - edit.start for edit in pair.provenance.edits)
        total = sum(map(len, pair.original.fields.values()))
        return "edited too much" if covered > most * total else None

    return gate


def _word_count(fields: Mapping[str, str]) -> int:
    return sum(len(words(text)) for text in fields.values())


def _word_set(fields: Mapping[str, str]) -> set[str]:
    return {word.casefold() for text in fields.values() for word in words(text)}
