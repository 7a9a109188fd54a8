"""The text gates: what a text that a language model wrote must pass, whichever method asked.

They do not trust the writer. Each looks at one field beside its source and gives "" or what it
found; its reason is counted in the manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from augkit.augmenters.llm_checks import form, leaks, meaning
from augkit.augmenters.llm_checks.dataset_rows import DatasetRows, copied_field
from augkit.augmenters.llm_checks.settings import TextGateSettings, Writing
from augkit.augmenters.llm_checks.written import WrittenText
from augkit.augmenters.signing import shown_text
from augkit.core.protocols import TextChecks, Tools
from augkit.core.types import Example, digest
from augkit.prompts.load import current_prompts


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
        for one in self.verdicts(parent, fields, label, writing, method):
            if one.found:
                return one._replace(found=shown_text(parent, fields, one.found))
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
        labels = [one for one in (parent.label, label) if one is not None]
        for name, after in fields.items():
            before = parent.fields.get(name, "")
            if after != before:
                text = WrittenText(before, after, context)
                others = [other for key, other in parent.fields.items() if key != name]
                yield GateVerdict("copy of another field", copied_field(text, others))
                for reason, gate in self._gates(labels, writing, method):
                    yield GateVerdict(reason, gate(text))

    def _gates(self, labels: Sequence[str], writing: Writing, method: str) -> list[_Named]:
        """The gates for this kind of writing; those that say most come first."""
        limits, rows = self.settings, self.rows
        fixed = tuple(current_prompts().fixed_texts(method))
        runs, whole = leaks.fixed_runs(fixed, limits.leak_words), leaks.whole_texts(fixed)
        names = tuple(labels) if rows is None else rows.labels
        gates: list[_Named] = [
            ("assistant talk", leaks.assistant_talk),
            ("prompt leak", lambda text: leaks.prompt_leak(text, runs, whole)),
            ("tags or JSON in the text", leaks.markup),
            ("label name in the text", lambda text: leaks.label_name(text, names)),
            ("instruction words in the text", leaks.instruction),
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
        found = f"{overlap:.2f} of the content words in common (text_gates.min_meaning={least:g})"
        return found if overlap < least else ""


_Named = tuple[str, Callable[[WrittenText], str]]
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


def are_checked(tools: Tools) -> bool:
    """Whether what a model writes is checked; the made-up answers of an estimate are not."""
    return not isinstance(tools.text_gates, NoGates)


def is_estimate(tools: Tools) -> bool:
    """Whether the answers are made up to estimate what a run costs."""
    return isinstance(tools.text_gates, AssumedGates)
