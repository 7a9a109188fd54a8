"""Where a variant is accepted or rejected: all checks, in the order in which they are asked.

A row is rejected before anything is proposed for it where it has no text, too long a text, or one
in a language that the method does not know (``row_fault``, ``row_language``). A variant is refused

1. by a check of the method itself, which its property ``checks`` lists;
2. by one of the ``VARIANT_CHECKS``;
3. by a text gate, if a language model wrote it (``TextGates``). The gates do not trust the writer:
   each looks at one field beside its source;
4. where a judge finds another label in what a language model wrote (see ``augkit.labels``);
5. where it repeats a variant, or an edit touches a span that must stay true (``accept``).

Every check is a ``Check``: its reason, and what it finds. A method that chooses among candidates
passes lists of its own to ``first_failed`` (coba: ``coba/verify.py``). The gates of ``gates`` come
last: a gate is any callable from a pair to a reason or None (``length_within``, ``keeps``,
``edited_share``). Every reason is counted in the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from augkit.augmenters.llm_checks import form, meaning
from augkit.augmenters.llm_checks.dataset_rows import DatasetRows, copied_field
from augkit.augmenters.llm_checks.written import (
    TextGateSettings,
    Writing,
    WrittenText,
    plain_words,
)
from augkit.core.characters import surrogate_in
from augkit.core.choices import is_candidate
from augkit.core.edits import Edit, LabelledSpan, reproduces
from augkit.core.errors import AugkitError
from augkit.core.protocols import Check, Gate, TextChecks, V
from augkit.core.types import (
    DETAIL_CHARS,
    EMPTY,
    Example,
    Outcome,
    Pair,
    Variant,
    digest,
    new_example,
    new_pair,
    new_provenance,
)
from augkit.english.english import not_english
from augkit.prompts.load import current_prompts
from augkit.text.diff import diff, project_spans
from augkit.text.placeholders import changed_placeholders
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


def first_failed(checks: Sequence[Check[V]], variant: V) -> tuple[str, str] | None:
    """Reason and findings of the first check that a variant does not pass; None if it passes all.

    >>> first_failed([Check("in capitals", str.isupper), Check("a number", str.isdigit)], "12")
    ('a number', '')
    """
    for check in checks:
        if found := check.finds(variant):
            return check.reason, found if isinstance(found, str) else ""
    return None


def failed_check(checks: Sequence[Check[V]], variant: V) -> str | None:
    """The reason of the first check that a variant does not pass; None if it passes all."""
    return next((check.reason for check in checks if check.finds(variant)), None)


def _is_empty(variant: Variant) -> bool:
    for text in variant.fields.values():
        if not text or text.isspace():
            return _has_empty(variant.fields, variant.parent.locked)
    return False


def _changes_locked(variant: Variant) -> bool:
    fields = variant.fields
    parent = variant.parent
    return bool(parent.locked) and any(fields[n] != parent.fields[n] for n in parent.locked)


def _changed_placeholders(variant: Variant) -> str:
    before = variant.parent.fields
    found: list[str] = []
    for name, text in variant.fields.items():
        if text is not before.get(name) and changed_placeholders(before.get(name, ""), text):
            found += changed_placeholders(written_from(text, name, before), text)
    return ", ".join(found)


def written_from(text: str, name: str, before: Mapping[str, str]) -> str:
    """What a new text was made of: its field before, or of candidates the one most like it.

    A candidate may stand in the place of another, or be written from it.
    """
    if not is_candidate(name):
        return before.get(name, "")
    candidates = [old for field, old in before.items() if is_candidate(field)]
    if text in candidates:
        return text
    new = plain_words(text)
    return max(candidates, key=lambda old: form.word_similarity(plain_words(old), new))


def _half_character(variant: Variant) -> str:
    """The first lone surrogate of a text or the label: no file could hold the variant."""
    texts = (*variant.fields.values(), variant.label or "")
    return next(filter(None, map(surrogate_in, texts)), "")


VARIANT_CHECKS: tuple[Check[Variant], ...] = (
    Check("half of a character", _half_character),
    Check("empty variant", _is_empty),
    Check("unchanged", lambda variant: variant.fields == variant.parent.fields),
    Check("changes a locked column", _changes_locked),
    Check("changes a placeholder", _changed_placeholders),
)
"""What every variant must pass, whoever wrote it."""


def repeats_another(variant: Variant, earlier: Sequence[Outcome]) -> bool:
    """Whether an accepted variant of the row has the same texts and label."""
    for outcome in earlier:
        if isinstance(outcome, Pair):
            accepted = outcome.variant
            if accepted.fields == variant.fields and accepted.label == variant.label:
                return True
    return False


_NOT_OF_ANSWERS = {"assistant talk", "only spelling changed", "final punctuation lost"}
"""Gates that no answer to a prompt has to pass: it may be an assistant's, be laid out in another
way, and end with a list."""


@dataclass(frozen=True)
class TextGates:
    """All gates, with their limits and what is known of the dataset.

    Attributes:
        settings: The limits.
        rows: Texts of the dataset, so that copies are rejected; ``fit`` of a method sets them.
    """

    settings: TextGateSettings = field(default_factory=TextGateSettings)
    rows: DatasetRows | None = None
    enabled = True

    def failed(self, checks: Sequence[Check[V]], variant: V) -> str | None:
        """The reason of the first of a method's own checks that fails; None where all pass."""
        return failed_check(checks, variant)

    def first_failed(self, checks: Sequence[Check[V]], variant: V) -> tuple[str, str] | None:
        """The same, with what it finds."""
        return first_failed(checks, variant)

    def is_sure(self, probability: float, least: float, fields: Mapping[str, str]) -> bool:
        """Whether a judge gives the label of these fields with at least this probability."""
        del fields
        return probability >= least

    def rejection(
        self,
        parent: Example,
        fields: Mapping[str, str],
        label: str | None,
        writing: Writing,
        method: str,
    ) -> tuple[str, str] | None:
        """The first gate that a variant does not pass, with what it found and the text."""
        for reason, found in self.verdicts(parent, fields, label, writing, method):
            if found:
                return reason, shown_text(parent, fields, found)
        return None

    def verdicts(
        self,
        parent: Example,
        fields: Mapping[str, str],
        label: str | None,
        writing: Writing,
        method: str,
    ) -> Iterator[tuple[str, str]]:
        """What every gate finds in each field that differs from the parent's; "" for nothing."""
        context = "\n".join(parent.fields.values())
        labels = [name for name in (parent.label, label) if name is not None]
        for name, after in fields.items():
            if after != parent.fields.get(name, ""):
                written = WrittenText(written_from(after, name, parent.fields), after, context)
                beside = [
                    text
                    for texts in (parent.fields, fields)
                    for key, text in texts.items()
                    if key != name
                ]
                yield "copy of another field", copied_field(written, beside)
                for check in self._gates(labels, writing, method):
                    yield check.reason, str(check.finds(written))

    def _gates(
        self, labels: Sequence[str], writing: Writing, method: str
    ) -> list[Check[WrittenText]]:
        """The gates for this kind of writing; those that say most come first."""
        limits = self.settings
        rows = self.rows
        fixed = tuple(current_prompts().fixed_texts(method))
        runs = form.fixed_runs(fixed, limits.leak_words)
        whole = form.whole_texts(fixed)
        names = tuple(labels) if rows is None else rows.labels
        gates = [
            Check("assistant talk", form.assistant_talk),
            Check("prompt leak", lambda text: form.prompt_leak(text, runs, whole)),
            Check("tags or JSON in the text", form.markup),
            Check("label name in the text", lambda text: form.label_name(text, names)),
            Check("instruction words in the text", form.instruction),
            Check("only spelling changed", lambda text: text.after if form.unchanged(text) else ""),
            Check("cut short", lambda text: text.after[-40:] if form.cut_short(text) else ""),
            Check(
                "final punctuation lost",
                lambda text: text.after[-40:] if form.lost_final_mark(text) else "",
            ),
            Check("repeats itself", form.repetition),
            Check("wrong length", lambda text: form.length_fault(text, writing, limits)),
            Check("other language", lambda text: form.other_language(text, limits.min_known)),
        ]
        if rows is not None:
            gates.append(Check("row of the dataset", rows.copied))
        if writing == "answer":
            gates = [gate for gate in gates if gate.reason not in _NOT_OF_ANSWERS]
        if writing == "paraphrase":
            gates.append(Check("near copy", self._near_copy))
            gates.append(Check("meaning changed", self._changed_meaning))
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


DEFAULT_GATES = TextGates()


def gates_for(gates: TextChecks | None, corpus: Sequence[Example]) -> TextChecks:
    """The gates, the default ones for None, that also reject texts of this corpus."""
    gates = DEFAULT_GATES if gates is None else gates
    if isinstance(gates, TextGates) and gates.enabled:
        return replace(gates, rows=DatasetRows.of(corpus))
    return gates


class NoGates(TextGates):
    """Lets every text pass: for tests, whose answers are made up, and for those who ask for it."""

    enabled = False

    def rejection(self, *_: object) -> None:
        """Nothing is rejected."""


class AssumedGates(NoGates):
    """Rejects two texts in five, whatever they say: for estimates, before anything is written.

    So many texts of a small model fail a check, and are written again or not judged. Answers are
    made up: an ensemble knows none of their words, and a model that judges rejects most pairs.
    """

    def rejection(self, *about: object) -> tuple[str, str] | None:  # type: ignore[override]
        """Some of the texts, always the same ones."""
        _, fields, *_ = about
        return ("assumed for the estimate", "") if _is_assumed_to_fail(str(fields)) else None

    def failed(self, checks: Sequence[Check[V]], variant: V) -> str | None:
        """The same for a check that small models often fail; the gates stand for the others."""
        often = [check.reason for check in checks if check.often]
        return often[0] if often and _is_assumed_to_fail(str(variant)) else None

    def first_failed(self, checks: Sequence[Check[V]], variant: V) -> tuple[str, str] | None:
        """The same."""
        why = self.failed(checks, variant)
        return (why, "") if why else None

    def is_sure(self, probability: float, least: float, fields: Mapping[str, str]) -> bool:
        """For every single text, and for hardly any pair."""
        del least
        return len(fields) == 1 or probability >= 1


def _is_assumed_to_fail(text: str) -> bool:
    """Whether a made-up text fails a check: two in five do, at random."""
    return int(digest(text)[:8], 16) % 5 < 2


NO_GATES = NoGates()


def accept(variant: Variant, method: str, config: str, *, in_kind: bool) -> Pair:
    """Make a pair of a variant that passed all checks of its text.

    ``SpanTouched`` where an edit loses a span; ``in_kind`` says that a span's text may change.
    """
    parent = variant.parent
    edits = variant.edits
    spans = variant.parent.spans
    if edits is None:
        edits = diff(parent.fields, variant.fields)
    elif not reproduces(parent.fields, edits, variant.fields):
        raise AugkitError(f"{method}: the edits of a variant do not give its text: {edits}")
    if spans and variant.spans is not None:
        spans = variant.spans
    elif spans:
        spans = project_spans(spans, edits, parent.fields, variant.fields, in_kind=in_kind)
    return sign(variant, edits, method, config, spans)


def sign(
    variant: Variant,
    edits: tuple[Edit, ...],
    method: str,
    config: str,
    spans: tuple[LabelledSpan, ...] = (),
) -> Pair:
    """Make a pair of a variant: the variant's id names its parent, the method and the content."""
    parent = variant.parent
    key = digest(
        parent.id, method, config, str(variant.copy), str(variant.label), *variant.fields.values()
    )
    example = new_example(variant.fields, variant.label, key, EMPTY, "", spans, parent.locked)
    provenance = new_provenance(
        method,
        config,
        variant.copy,
        (parent.id,),
        edits,
        variant.contract,
        variant.cost,
        variant.scores,
        variant.about,
    )
    return new_pair(parent, example, provenance)


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
    """Reject a variant that is too short or too long, compared with its original.

    Args:
        shortest: The least multiple.
        longest: The greatest multiple.
    """

    def gate(pair: Pair) -> str | None:
        before = _word_count(pair.original.fields)
        after = _word_count(pair.variant.fields)
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
        before = _word_set(pair.original.fields)
        after = _word_set(pair.variant.fields)
        lost = [word for word in kept if word.casefold() in before - after]
        return f"lost '{lost[0]}'" if lost else None

    return gate


def edited_share(most: float = 0.5) -> Gate:
    """Reject a variant in which more than this share of the original's characters was edited.

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
