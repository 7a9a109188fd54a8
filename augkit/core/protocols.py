"""Every interface of the toolkit, on one page.

Packages of one layer meet here and never import one another: attribution explains anything that
is a ``Classifier``; an augmenter is given an ``LLM`` and never sees a back end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

from typing_extensions import Self

from augkit.core.analysis import Analysis
from augkit.core.arrays import Floats
from augkit.core.model_types import Encoded, Masked, Reply, Request
from augkit.core.results import Survey
from augkit.core.types import Example, Outcome, Pair, Variant, value

if TYPE_CHECKING:
    from augkit.core.config import FinderConfig


@value
class Target:
    """A span worth changing: a finder marks it, and a method changes it.

    Attributes:
        field: Name of the field.
        start: First character.
        end: The character after the last one.
        reason: Why, in few words.
        strength: How strongly; the strongest are changed first.
        principal: Whether it decides the label by right (a principal word of CoBA) rather than
            being a shortcut.
    """

    field: str
    start: int
    end: int
    reason: str
    strength: float
    principal: bool = False


Gate = Callable[[Pair], str | None]
"""None: accepted; otherwise the reason for the rejection."""

V = TypeVar("V")
V_contra = TypeVar("V_contra", contravariant=True)


@dataclass(frozen=True)
class Check(Generic[V_contra]):
    """A reason to reject a variant, and when it holds.

    Attributes:
        reason: One of few: reasons are counted.
        finds: What speaks against a variant, for the detail, or just whether something does.
        often: Whether texts of small models often fail it; estimates count with that.
    """

    reason: str
    finds: Callable[[V_contra], str | bool]
    often: bool = False


Step = Callable[[Iterable[Example]], Iterator[Pair]]
"""Anything that turns examples into pairs: an augmenter, a composition, a plain function."""


@runtime_checkable
class SupportsOutcomes(Protocol):
    """A step that also reports what it rejected."""

    def outcomes(self, examples: Iterable[Example]) -> Iterator[Outcome]:
        """Pairs and rejections, in the order of the examples."""


class LLM(Protocol):
    """A language model. Cache, retry, budget and meter are wrappers of the same shape."""

    def generate(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply per request, in order. A failed request is a reply with a fault."""


@runtime_checkable
class Backend(LLM, Protocol):
    """A model as a back end of ``augkit.llms`` opens it; its base gives a class the defaults."""

    model: str
    """Its name in a list of prices."""
    identity: str
    """Its name in a cache of replies: with the server, or with the version of the file."""
    batch_size: int = 1
    """How many requests it takes best at a time; 1: calls to a server, made by several threads."""
    local: bool = False
    """Whether its calls cost nothing."""

    @property
    def reasoning_tokens(self) -> int:
        """Tokens that an answer may have beyond its request's limit, for hidden reasoning."""
        return 0

    def abort(self) -> None:
        """End the calls in flight soon."""
        return  # nothing is in flight

    def close(self) -> None:
        """Close connections and files."""
        return  # there are none


class Classifier(Protocol):
    """A model under study."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels, in the order of the columns that ``predict`` gives."""

    def predict(self, examples: Sequence[Example]) -> Floats:
        """Probabilities: float[examples, labels]."""


class SavedClassifier(Classifier, Protocol):
    """A classifier that can be written into a folder."""

    @property
    def fields(self) -> Sequence[str]:
        """The text fields it reads."""

    def save(self, folder: Path) -> None:
        """Write it as plain files."""


class MaskedModel(Protocol):
    """A masked language model: log-probabilities of tokens at masked positions."""

    @property
    def exact(self) -> MaskedModel:
        """The same model without rounding: itself where it does not round."""

    @property
    def mask(self) -> int:
        """The token that hides another."""

    def encode(self, texts: Sequence[str], following: Sequence[str] | None = None) -> list[Encoded]:
        """The tokens of each text, or of each text and the one that follows it."""

    def word_pieces(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The tokens of each word inside a sentence."""

    def log_probabilities(self, queries: Sequence[Masked]) -> Floats:
        """The logarithm of p(token | the rest of its sequence): float[queries]."""


class CausalModel(Protocol):
    """A causal language model: log-probabilities of tokens given those before."""

    def log_probabilities(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> list[Floats]:
        """The logarithm of p(token | those before it): for each text, float[its tokens]."""


class Vectors(Protocol):
    """Vectors of sentences and of single words."""

    def sentences(self, texts: Sequence[str]) -> Floats:
        """float[texts, width]."""

    def words(self, texts: Sequence[str]) -> Floats:
        """float[texts, width]."""


class Parser(Protocol):
    """Parses texts: tags, lemmas, dependencies."""

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per text, in order."""


class Prompts(Protocol):
    """The prompts of a method: the bundled ones, or the user's in their place."""

    @property
    def digest(self) -> str:
        """Names what differs from the bundled prompts; "" where nothing does."""

    @property
    def rows_as_examples(self) -> int:
        """How many rows of the dataset are worked examples where an answer is a label."""

    def load(self, prompt_id: str, family: Any) -> Any:
        """The prompt with this id, with the worked examples of a family of tasks."""

    def fixed_texts(self, method: str) -> list[str]:
        """All that the prompts of a method say before a question."""


class TextChecks(Protocol):
    """Checks of a text that a language model wrote."""

    @property
    def enabled(self) -> bool:
        """Whether texts are checked (the setting ``text_gates.enabled``)."""

    def failed(self, checks: Sequence[Check[V]], variant: V) -> str | None:
        """The reason of the first of a method's own checks that fails; None where all pass."""

    def first_failed(self, checks: Sequence[Check[V]], variant: V) -> tuple[str, str] | None:
        """The same, with what it finds."""

    def is_sure(self, probability: float, least: float, fields: Mapping[str, str]) -> bool:
        """Whether a judge gives the label of these fields with at least this probability."""

    def rejection(
        self,
        parent: Example,
        fields: Mapping[str, str],
        label: str | None,
        writing: Any,
        method: str,
    ) -> tuple[str, str] | None:
        """Reason and detail where the text of a method is rejected."""


class LabelChecks(Protocol):
    """Judges whether texts that a language model wrote have their labels."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels that can be judged."""

    def measured(self) -> Any:
        """Find out how good the model is that judges, if that is not known yet."""

    def check(self, variants: Sequence[Variant]) -> list[Variant]:
        """Refuse the variants whose labels are wrong."""


class Artifact(Protocol):
    """What was fitted to a corpus; kept as plain files, never pickled."""

    def save(self, folder: Path) -> None:
        """Write it as plain files.

        Args:
            folder: An empty folder.
        """

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read it back.

        Args:
            folder: The folder of ``save``.
        """


class Finder(Protocol):
    """Finds the spans of a text that are worth changing; a method gets one in ``Tools.finder``."""

    def find(self, examples: Sequence[Example]) -> list[list[Target]]:
        """The targets of each example, the strongest first."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Live objects that a method uses: those that a run or the caller gives it.

    Attributes:
        llm: The language model that writes; none offline.
        judge: The language model that judges; none offline.
        parser: Analyses sentences; the bundled one unless given.
        classifier: A classifier of yours, for finders that can use one.
        finder: A fitted finder, for methods that can change what it finds.
        prompts: The prompts; the bundled ones unless given.
        text_gates: Checks of what a model wrote; those with the default limits unless given.
        label_check: Checks the label of what a model wrote.
    """

    llm: LLM | None = None
    judge: LLM | None = None
    parser: Parser | None = None
    classifier: Classifier | None = None
    finder: Finder | None = None
    prompts: Prompts | None = None
    text_gates: TextChecks | None = None
    label_check: LabelChecks | None = None


@runtime_checkable
class SupportsExplain(Protocol):
    """A fitted finder that can also say what in single rows speaks for a wrong prediction."""

    def explain(
        self, examples: Sequence[Example], classifier: Classifier, *, draw: bool = False
    ) -> Survey:
        """What speaks for the wrong predictions of a classifier, row by row; or also drawn."""


class RegisteredFinder(Finder, Artifact, Protocol):
    """A class of the entry-point group ``augkit.finders``; its instances are fitted finders.

    ``augkit shortcuts --by NAME`` prints its survey; ``augkit run --find NAME`` fits one to the
    whole dataset, saves it, and hands it to the method in ``Tools.finder``.
    """

    name: ClassVar[str]
    Config: ClassVar[type[FinderConfig]]
    uses: ClassVar[frozenset[str]] = frozenset()
    """Tools that ``fit`` can use beside the examples, as "classifier"."""

    @staticmethod
    def survey(examples: Sequence[Example], config: Any, folder: Path | None) -> Survey:
        """What gives the labels of these examples away.

        Args:
            examples: Labelled rows.
            config: The settings.
            folder: For files of its own, or None.
        """

    @classmethod
    def fit(cls, examples: Sequence[Example], config: Any, tools: Tools) -> Self:
        """A finder fitted to labelled examples.

        Args:
            examples: Labelled rows.
            config: The settings.
            tools: What a run gives, such as a classifier.
        """
