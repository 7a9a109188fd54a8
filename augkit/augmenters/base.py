"""The Augmenter: a method fills in ``propose``; batching, checks and signing are done here."""

from __future__ import annotations

import copy
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, Generic, Literal, TypeVar, overload

from typing_extensions import Self

from augkit.augmenters.adapters.plain_texts import augment_texts, identified
from augkit.augmenters.llm_checks.gates import DEFAULT_GATES, gates_for
from augkit.augmenters.llm_checks.settings import Writing
from augkit.augmenters.locked import unlocked
from augkit.augmenters.row_language import NOT_ENGLISH, in_english, row_language
from augkit.augmenters.signing import draft_fault, has_empty, shown_text, sign, spans_of_draft
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.edits import reproduces
from augkit.core.errors import AugkitError, MissingTool, NotFitted
from augkit.core.protocols import Artifact, Parser, Tools
from augkit.core.types import (
    EMPTY,
    Draft,
    Example,
    Outcome,
    Pair,
    Rejection,
    digest,
)
from augkit.english.parser import SpacyParser
from augkit.prompts.load import active_prompts
from augkit.text.diff import diff
from augkit.text.spans import SpanTouched

T = TypeVar("T")
C = TypeVar("C", bound=MethodConfig)
_CHECKED_TOGETHER = 256


class Augmenter(ABC, Generic[C]):
    """Turn examples into (original, variant) pairs; never re-emit an input.

    A method sets the class variables and implements ``propose``. One that is fitted to the corpus
    first also sets ``learns`` and implements ``prepare``; one that calls a model may implement
    ``prefetch``.
    """

    name: ClassVar[str]
    Config: ClassVar[type[MethodConfig]]
    scope: ClassVar[Literal["example", "corpus"]] = "example"
    """"example": any batch gives what each row alone gives. "corpus": needs all rows at once."""
    mix: ClassVar[Literal["append", "replace", "balance"]] = "append"
    """How its variants join the originals unless the user says otherwise."""
    needs: ClassVar[frozenset[str]] = frozenset()
    """Tools that it cannot work without; ``Config.needs`` has those of single settings."""
    uses: ClassVar[frozenset[str]] = frozenset()
    """Which of "finder" and "classifier" it makes use of where one is given."""
    labels_needed: ClassVar[int] = 0
    """Distinct labels the dataset must have; 0: labels are not used."""
    writing: ClassVar[Writing | None] = None
    """What it has a language model write, where it uses one; its texts must pass the text gates."""
    english_only: ClassVar[bool] = False
    """Whether its own rules know English alone; a language model may know others."""
    drafts_first: ClassVar[bool] = False
    """Whether only rows with drafts are checked for their language: where drafts cost no more."""
    label_checked: bool = False
    """Whether the labels of what a language model wrote are judged by the label check."""
    unseen_fault: ClassVar[str] = ""
    """What a small language model does wrong that no check sees; a run with one says so."""
    reads_locked: ClassVar[bool] = False
    """Whether it is shown fields that must not change; methods that change labels always are."""
    replaces_in_kind: ClassVar[bool] = False
    """Whether a replaced word keeps its kind, as a name for a name: a span's text may change."""
    learns: ClassVar[type[Artifact] | None] = None
    """What ``prepare`` returns, for a method that is fitted to the corpus."""

    def __init__(self, config: C, tools: Tools | None = None) -> None:
        """Keep the settings and the tools; one too few or too many is an error at once."""
        self.config = config
        self.tools = tools if tools is not None else Tools()
        self.parser: Parser = self.tools.parser or SpacyParser()
        self._artifact: Any = None
        self._config_digest = config.digest()
        check_tools(type(self), config, self.tools)

    @abstractmethod
    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """Yield drafts, or rejections with a reason. The only method that must be written.

        Args:
            batch: The rows.
        """

    def prepare(self, examples: Sequence[Example]) -> Artifact:
        """Fit to the whole corpus. Only for methods that declare ``learns``."""
        raise NotImplementedError(f"{self.name} is not fitted to a corpus")

    def prefetch(self, examples: Sequence[Example]) -> None:
        """Compute in one batch what ``propose`` will need for these rows, one by one, in threads.

        The outcomes must not depend on it.
        """

    def fit(self, examples: Iterable[Example]) -> Self:
        """The method, fitted to the corpus where it needs that; an LLM may not copy its texts."""
        corpus = list(map(identified, examples))
        fitted = self if self.learns is None else self.with_artifact(self.fit_artifact(corpus))
        if self.writing is not None and self.written_by_llm:
            fitted = copy.copy(fitted)
            fitted.tools = replace(self.tools, text_gates=gates_for(self.tools.text_gates, corpus))
        return fitted

    def fit_artifact(self, examples: Sequence[Example]) -> Artifact:
        """What ``prepare`` gives, with the prompts of this augmenter."""
        with active_prompts(self.tools.prompts):
            return self.prepare(examples)

    def with_artifact(self, artifact: Artifact) -> Self:
        """The same augmenter, fitted."""
        fitted = copy.copy(self)
        fitted._artifact = artifact  # noqa: SLF001 - a copy of itself
        return fitted

    def with_copies(self, copies: int) -> Self:
        """The same augmenter with another number of variants per example."""
        other = copy.copy(self)
        other.config = self.config.model_copy(update={"copies": copies})
        other._config_digest = other.config.digest()  # noqa: SLF001 - a copy of itself
        return other

    @property
    def artifact(self) -> Any:
        """What ``prepare`` gave; raises ``NotFitted`` before that."""
        if self._artifact is None:
            raise NotFitted(self.name)
        return self._artifact

    @property
    def run_info(self) -> Mapping[str, Any]:
        """What there is to report beside the outcomes: ``run_info.json`` of a run."""
        return EMPTY

    def random(self, parent: Example, copy_index: int = 0) -> random.Random:
        """The generator of this example and copy: the same alone, in a batch, after a resume.

        Args:
            parent: The row.
            copy_index: Which of the row's variants, from 0.
        """
        return keyed_random(self.config.seed, parent.id, self.name, copy_index)

    def __call__(self, examples: Iterable[Example]) -> Iterator[Pair]:
        """Accepted pairs only; ``outcomes`` also gives the rejections."""
        return (outcome for outcome in self.outcomes(examples) if isinstance(outcome, Pair))

    def outcomes(self, examples: Iterable[Example]) -> Iterator[Outcome]:
        """Pairs and rejections, at least one for every example, in their order."""
        if self.learns is not None and self._artifact is None:
            raise NotFitted(self.name)
        size = None if self.scope == "corpus" else self.config.batch_size
        for batch in _batches(map(identified, examples), size):
            with active_prompts(self.tools.prompts):
                outcomes = self._outcomes_of_batch(batch)
            yield from outcomes

    @overload
    def augment(self, texts: str, n: int | None = None) -> list[str]: ...
    @overload
    def augment(self, texts: list[str], n: int | None = None) -> list[list[str]]: ...
    def augment(self, texts: str | list[str], n: int | None = None) -> list[str] | list[list[str]]:
        """Variants of a text (a list), or of each text of a list (a list of lists).

        A warning gives the reasons for texts that have no variant.

        Args:
            texts: A text, or a list of texts.
            n: The most variants of a text; the setting ``copies`` unless given.
        """
        n = self.config.copies if n is None else n
        return augment_texts(self.with_copies(n), texts, n)

    @property
    def checks_language(self) -> bool:
        """Whether rows in another language are rejected."""
        if not self.english_only or self.config.other_languages == "keep":
            return False
        return self.writing is None or not self.written_by_llm

    def fault_of(self, parent: Example) -> str:
        """Why nothing can be proposed for a row, whatever the method; "" where it can."""
        if parent.fault:
            return parent.fault
        for text in parent.fields.values():
            if (not text or text.isspace()) and has_empty(parent.fields, parent.locked):
                return "empty text"
            if len(text) > self.config.max_chars:
                return "text too long"
        return ""

    def _outcomes_of_batch(self, batch: Sequence[Example]) -> list[Outcome]:
        fit: list[Example] = []
        outcomes: dict[str, list[Outcome]] = {}
        checks_language = self.checks_language
        drafts_checked = checks_language and self.drafts_first
        for parent in {parent.id: parent for parent in batch}.values():
            if fault := self.fault_of(parent):
                outcomes[parent.id] = [Rejection(parent, fault, method=self.name)]
            elif checks_language and not drafts_checked and (other := row_language(parent)):
                outcomes[parent.id] = [Rejection(parent, NOT_ENGLISH, other, method=self.name)]
            else:
                outcomes[parent.id] = []
                fit.append(parent)
        # Drafts are made and checked in groups: faster than one by one in turns.
        whole = self.reads_locked or self.labels_needed > 1  # a label is about all fields
        locked = not whole and any(parent.locked for parent in fit)
        propose = unlocked(self.propose) if locked else self.propose
        for proposals in _batches(propose(fit) if fit else (), _CHECKED_TOGETHER):
            for proposal in self._label_checked(proposals):
                earlier = outcomes[proposal.parent.id]
                checked = in_english(proposal) if drafts_checked else proposal
                earlier.append(self._outcome(checked, earlier))
        # A row that is in the batch twice is proposed once and answered twice.
        answers: list[Outcome] = []
        for parent in batch:
            answers += outcomes[parent.id] or [
                Rejection(parent, "nothing proposed", method=self.name)
            ]
        return answers

    def text_rejection(
        self, parent: Example, fields: Mapping[str, str], label: str | None
    ) -> tuple[str, str] | None:
        """Reason and detail where a text gate rejects what a language model wrote for a row.

        Every draft must pass; a method with several candidates can ask before it chooses.
        """
        if self.writing is None or not self.written_by_llm:
            return None
        gates = self.tools.text_gates or DEFAULT_GATES
        return gates.rejection(parent, fields, label, self.writing, self.name)

    @property
    def written_by_llm(self) -> bool:
        """Whether a language model writes the texts of its variants."""
        return self.tools.llm is not None

    @property
    def asks_judge(self) -> bool:
        """Whether it has a language model judge labels itself."""
        return False

    def _label_checked(self, proposals: Sequence[Draft | Rejection]) -> list[Draft | Rejection]:
        """The proposals; those drafts that pass the text gates are judged together."""
        check, checked = self.tools.label_check, list(proposals)
        if check is None or not self.label_checked:
            return checked
        judged = [
            (number, draft)
            for number, draft in enumerate(proposals)
            if isinstance(draft, Draft)
            and draft.label in check.labels
            and draft.fields != draft.parent.fields
            and self.text_rejection(draft.parent, draft.fields, draft.label) is None
        ]
        if judged:
            outcomes = check.check([draft for _, draft in judged])
            for (number, _), outcome in zip(judged, outcomes, strict=True):
                checked[number] = outcome
        return checked

    def _outcome(self, proposal: Draft | Rejection, earlier: Sequence[Outcome]) -> Outcome:
        if isinstance(proposal, Rejection):
            return proposal if proposal.method == self.name else replace(proposal, method=self.name)
        if reason := draft_fault(proposal, earlier):
            text = shown_text(proposal.parent, proposal.fields)
            return Rejection(proposal.parent, reason, text, proposal.copy, proposal.cost, self.name)
        if found := self.text_rejection(proposal.parent, proposal.fields, proposal.label):
            return Rejection(proposal.parent, *found, proposal.copy, proposal.cost, self.name)
        edits = proposal.edits
        if edits is None:
            edits = diff(proposal.parent.fields, proposal.fields)
        elif not reproduces(proposal.parent.fields, edits, proposal.fields):
            raise AugkitError(f"{self.name}: the edits of a draft do not give its text: {edits}")
        spans = proposal.parent.spans
        if spans:
            try:
                spans = spans_of_draft(proposal, edits, in_kind=self.replaces_in_kind)
            except SpanTouched as why:
                found = ("span touched", shown_text(proposal.parent, proposal.fields, str(why)))
                return Rejection(proposal.parent, *found, proposal.copy, proposal.cost, self.name)
        return sign(proposal, edits, self.name, self._config_digest, spans)


def check_tools(method: type[Augmenter[Any]], config: MethodConfig, tools: Tools) -> None:
    """Raise for a tool that the method lacks, or that it would ignore."""
    for tool in sorted(method.needs | config.needs):
        if getattr(tools, tool) is None:
            raise MissingTool(method.name, tool)
    for tool in ("finder", "classifier"):
        if getattr(tools, tool) is not None:
            registry.check_uses(method, tool)


def keyed_random(seed: int, example_id: str, name: str, copy_index: int) -> random.Random:
    """A generator that depends on what it is for, never on the order of calls."""
    return random.Random(digest(str(seed), example_id, name, str(copy_index)))  # noqa: S311


def _batches(items: Iterable[T], size: int | None) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
