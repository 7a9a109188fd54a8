"""The Augmenter: a method fills in ``propose``; batching, checks and signing are done here."""

from __future__ import annotations

import copy
import random
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, TypeVar, overload

from typing_extensions import Self

from augkit.augmenters import loop
from augkit.augmenters.checks import (
    DEFAULT_GATES,
    gates_for,
    row_fault,
)
from augkit.augmenters.llm_checks.written import Writing
from augkit.augmenters.loop import Ask
from augkit.core import registry
from augkit.core.config import MethodConfig
from augkit.core.errors import DataError, MissingTool, NotFitted
from augkit.core.protocols import (
    Artifact,
    Check,
    Parser,
    Step,
    SupportsOutcomes,
    TextChecks,
    Tools,
)
from augkit.core.types import EMPTY, Example, Outcome, Pair, Variant, digest, example, example_id
from augkit.datasets.rows import check_labels, fault_of_value
from augkit.english.parser import SpacyParser
from augkit.prompts.load import active_prompts

C = TypeVar("C", bound=MethodConfig)


@dataclass(frozen=True)
class Traits:
    """What the checks of variants, and runs, must know of a method that few methods need to say."""

    writing: Writing | None = None
    """What it has a language model write, where it uses one; its texts must pass the text gates."""
    label_checked: bool = False
    """Whether the run's label check judges what a model wrote, unless the method has it judged."""
    unseen_fault: str = ""
    """What a small language model does wrong that no check sees; a run with one says so."""
    english: Literal["", "rows", "variants"] = ""
    """Whether its rules know English alone: rows in other languages are rejected. "variants": only
    those that have drafts are looked at, where drafts cost no more than that."""
    reads_locked: bool = False
    """Whether it is shown fields that must not change; methods that change labels always are."""
    helps_with_llm: bool = False
    """Whether its rules alone help nothing: tried by default only with a language model."""
    in_kind: bool = False
    """Whether a replaced word keeps its kind, as a name for a name: a span's text may change."""
    thinned: bool = False
    """Whether a run leaves out variants of it that together make a new shortcut."""
    whole_chats: bool = False
    """Whether it changes the messages of all roles of a chat, unless the user names some."""


class Augmenter(ABC, Generic[C]):
    """Turn examples into (original, variant) pairs; never re-emit an input.

    A method sets the class variables and implements ``propose``. One that is fitted to the corpus
    first also sets ``learns`` and implements ``prepare``; one that calls a model may implement
    ``prefetch``. It is registered under the entry point group ``augkit.augmenters``.
    """

    name: ClassVar[str]
    Config: ClassVar[type[MethodConfig]]
    scope: Literal["example", "corpus"] = "example"
    """"example": any batch gives what each row alone gives. "corpus": needs all rows at once."""
    reads: Literal["rows", "choices"] = "rows"
    """"choices": its examples are choices, as ``augkit.core.choices`` has them."""
    mix: Literal["append", "replace", "balance"] = "append"
    """How its variants join the originals unless the user says otherwise."""
    needs: ClassVar[frozenset[str]] = frozenset()
    """Tools that it cannot work without; ``Config.needs`` has those of single settings."""
    uses: ClassVar[frozenset[str]] = frozenset()
    """Which of "finder" and "classifier" it makes use of where one is given."""
    labels_needed: ClassVar[int] = 0
    """Distinct labels the dataset must have; 0: labels are not used."""
    learns: ClassVar[type[Artifact] | None] = None
    """What ``prepare`` returns, for a method that is fitted to the corpus."""
    traits: ClassVar[Traits] = Traits()

    def __init__(self, config: C, tools: Tools | None = None) -> None:
        """Keep the settings and the tools; one too few or too many is an error at once."""
        self.config = config
        self.tools = tools if tools is not None else Tools()
        self.parser: Parser = self.tools.parser or SpacyParser()
        self._artifact: Any = None
        self._knows_rows = False
        self.config_digest = config.digest()
        check_tools(type(self), config, self.tools)

    @abstractmethod
    def propose(self, batch: Sequence[Example]) -> Iterable[Variant]:
        """Make variants of rows, or refuse them. The only method that must be written.

        Args:
            batch: The rows.
        """

    def again(self, blank: Sequence[Variant]) -> Sequence[Variant]:
        """Write variants anew that were refused, one for each, in their order.

        Called where ``attempts`` allows it, with the variants whose ``work`` is not empty.

        Args:
            blank: Variants without a text; ``before`` says what was wrong.
        """
        raise NotImplementedError(f"{self.name} writes everything once")

    def judged(self, variants: Sequence[Variant]) -> list[Variant]:
        """Refuse the variants whose labels a judge doubts; by default as the run says.

        Args:
            variants: What passed the checks, and what was refused, which stays as it is.
        """
        check = self.tools.label_check
        if check is None or not self.traits.label_checked or self.asks_judge:
            return list(variants)
        return check.check(variants)

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
        check_labels("the examples", None, Counter(row.label for row in corpus))
        fitted = self if self.learns is None else self.with_artifact(self.fit_artifact(corpus))
        if self.traits.writing is not None and self.written_by_llm:
            fitted = copy.copy(fitted)
            fitted._knows_rows = True  # noqa: SLF001 - a copy of itself
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
        fitted._knows_rows = True  # noqa: SLF001 - a copy of itself
        return fitted

    def with_copies(self, copies: int) -> Self:
        """The same augmenter with another number of variants per example."""
        changed = copy.copy(self)
        changed.config = self.config.model_copy(update={"copies": copies})
        changed.config_digest = changed.config.digest()
        return changed

    def with_draw(self, number: int) -> Self:
        """The same augmenter with other random draws; what it is fitted to stays. 0: these."""
        if number == 0:
            return self
        # Made anew: what a method keeps may depend on its seed.
        drawn = type(self)(
            self.config.model_copy(update={"seed": self.config.seed + number}), self.tools
        )
        drawn._artifact = self._artifact  # noqa: SLF001 - one of itself
        drawn._knows_rows = self._knows_rows  # noqa: SLF001 - one of itself
        return drawn

    @property
    def is_fitted(self) -> bool:
        """Whether it knows of the rows what it must: what it learns, or their texts for an LLM."""
        if self.learns is not None and self._artifact is None:
            return False
        return self._knows_rows or self.traits.writing is None or not self.written_by_llm

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
        for batch in loop.split_batches(map(identified, examples), size):
            with active_prompts(self.tools.prompts):
                of_batch = loop.find_outcomes(self, batch)
            yield from of_batch

    @overload
    def augment(self, texts: str, n: int | None = None, *, copy: int = 0) -> list[str]: ...
    @overload
    def augment(
        self, texts: list[str], n: int | None = None, *, copy: int = 0
    ) -> list[list[str]]: ...
    def augment(
        self, texts: str | list[str], n: int | None = None, *, copy: int = 0
    ) -> list[str] | list[list[str]]:
        """Variants of a text (a list), or of each text of a list (a list of lists).

        A warning gives the reasons for texts that have no variant.

        Args:
            texts: A text, or a list of texts.
            n: The most variants of a text; the setting ``copies`` unless given.
            copy: Which draw: with the number of an epoch, a method that draws at random gives other
                variants in each, and the same ones when the epoch is repeated.
        """
        n = self.config.copies if n is None else n
        return augment_texts(self.with_copies(n).with_draw(copy), texts, n)

    @property
    def written_by_llm(self) -> bool:
        """Whether a language model writes the texts of its variants."""
        return self.tools.llm is not None

    @property
    def writing(self) -> Writing | None:
        """What it has a language model write with its settings; None: nothing."""
        return self.traits.writing

    @property
    def reads_whole_chats(self) -> bool:
        """Whether messages of all roles change together, unless the user names some roles."""
        return self.traits.whole_chats

    @property
    def asks_judge(self) -> bool:
        """Whether it has a language model judge labels itself."""
        return False

    @property
    def attempts(self) -> int:
        """How often a variant is written, at most, until it is accepted."""
        return 1

    def blanks(self, rows: Sequence[Example]) -> list[Variant]:
        """A blank variant for every copy of every row."""
        return [loop.blank_variant(row, copy) for row in rows for copy in range(self.config.copies)]

    @property
    def ask(self) -> Ask:
        """Asks the language model."""
        if self.tools.llm is None:
            raise MissingTool(self.name, "llm")
        return Ask(self.tools.llm)

    @property
    def reads_english(self) -> Literal["", "rows", "variants"]:
        """Whether rows in other languages are refused: all, or those that have variants."""
        by_llm = self.traits.writing is not None and self.written_by_llm
        return "" if by_llm or self.config.reads_any_language else self.traits.english

    @property
    def checks(self) -> Sequence[Check[Variant]]:
        """What its drafts must pass beside the checks of every draft (``checks.py``)."""
        return ()

    @property
    def gates(self) -> TextChecks:
        """The checks of what a language model wrote; those with the default limits unless given."""
        return self.tools.text_gates or DEFAULT_GATES

    def data_fault(self, fields: Sequence[str], labels: Sequence[str]) -> str:
        """Why it can do nothing with a dataset of these fields and labels; "" where it can.

        An error before anything is done, with what to do about it.
        """
        del fields, labels
        return ""

    def fault_of(self, parent: Example) -> str:
        """Why nothing can be proposed for a row, whatever the method; "" where it can."""
        return row_fault(parent, self.config.max_chars)

    def text_rejection(
        self, parent: Example, fields: Mapping[str, str], label: str | None
    ) -> tuple[str, str] | None:
        """Reason and detail where a text gate rejects what a language model wrote for a row.

        Every draft must pass; a method with several candidates can ask before it chooses.
        """
        writing = self.writing
        if writing is None or not self.written_by_llm:
            return None
        return self.gates.rejection(parent, fields, label, writing, self.name)


def pairs_by_original(step: Step, originals: Sequence[Example]) -> dict[str, list[Pair]]:
    """The pairs of a step by the ids of these rows; equal rows are given to it once."""
    pairs: dict[str, list[Pair]] = {original.id: [] for original in originals}
    for pair in step({original.id: original for original in originals}.values()):
        pairs[pair.original.id].append(pair)
    return pairs


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


def augment_texts(
    step: SupportsOutcomes, texts: str | list[str], n: int | None
) -> list[str] | list[list[str]]:
    """Shared by augmenters and compositions: strings in, lists of strings out."""
    if not hasattr(texts, "__len__"):
        raise TypeError(f"augment takes a text or a list of texts, not {type(texts).__name__}")
    originals = numbered_examples([texts] if isinstance(texts, str) else texts)
    variants: dict[str, list[str]] = {original.id: [] for original in originals}
    rejected: dict[str, Variant] = {}
    for outcome in step.outcomes(originals):
        if isinstance(outcome, Pair):
            variants[outcome.original.id].append(outcome.variant.fields["text"])
        else:
            rejected.setdefault(outcome.parent.id, outcome)
    without = [rejected[key] for key, new_texts in variants.items() if not new_texts]
    if without:
        counts = Counter(rejection.reason for rejection in without)
        reasons = ", ".join(f"{reason} ({count})" for reason, count in counts.most_common(5))
        message = f"no variant of {len(without)} of {len(variants)} texts: {reasons}"
        warnings.warn(message, RejectedTexts, stacklevel=3)
    limited = [new_texts[:n] for new_texts in variants.values()]
    return limited[0] if isinstance(texts, str) else limited


class RejectedTexts(UserWarning):
    """``augment`` gave no variant of some texts."""


def numbered_examples(
    texts: Sequence[object], labels: Sequence[str | None] | None = None
) -> list[Example]:
    """Examples of plain texts; repeated ones are numbered, so that each has an id of its own.

    What is no text (None, NaN, a number) becomes an example with a fault, which is rejected.
    """
    repeats: Counter[tuple[str, str | None, str]] = Counter()
    originals = []
    pairs = zip(texts, labels or [None] * len(texts), strict=True)
    for number, (value, label) in enumerate(pairs, 1):
        text = value if isinstance(value, str) else ""
        fault = "" if isinstance(value, str) else fault_of_value("text", value)
        occurrence = repeats[text, label, fault]
        try:
            original = example(text, label, dataset=fault, occurrence=occurrence)
        except DataError as error:
            raise DataError(f"text {number}: {error}") from None
        originals.append(replace(original, fault=fault) if fault else original)
        repeats[text, label, fault] += 1
    return originals


def identified(parent: Example) -> Example:
    """An example made without an id gets the one that its content gives."""
    if parent.id:
        return parent
    return replace(parent, id=example_id(parent.fields, parent.label, "", 0))
