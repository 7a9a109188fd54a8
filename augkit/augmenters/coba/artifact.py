"""What coba fits on the corpus before the first row is augmented, kept as plain files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path

from augkit.core.json_files import load_json, save_json
from augkit.core.types import NoItems
from augkit.english.polarity.antonyms import BroadChoice, ClassCounts, Degree, WordChoice
from augkit.english.polarity.close_choice import CloseChoice, NeighbourCounts
from augkit.english.stored_parses import StoredParses
from augkit.labels.judge import EnsembleJudge
from augkit.lexicons.evaluative import (
    Evaluative,
    LexiconFile,
    Polarity,
    bundled_lexicon,
    lexicon_of,
    read_lexicon,
)
from augkit.lexicons.label_order import LabelOrder
from augkit.models.ensembles.crossfit import CrossFitted


@dataclass(frozen=True)
class TextsArtifact:
    """What was fitted on single texts.

    ``ensemble`` names important words; ``judge``, trained on variants of other rows too, gives the
    probability of a variant's label; ``polarity`` is that of each label in the ``lexicon``.
    """

    ensemble: CrossFitted
    judge: CrossFitted
    polarity: dict[str, Polarity]
    source: str
    """Of the lexicon: "bundled", a path, or "fitted"."""
    groups: LexiconFile | None
    """The fitted lexicon, if that is used."""
    counts: ClassCounts
    shortcuts: Mapping[str, tuple[str, ...]] = field(default_factory=NoItems, hash=False)
    """Polarity, or label without one → words of the dataset that its variants keep."""
    notes: tuple[str, ...] = ()
    """For the user: how good the classifiers are, which lexicon was used."""
    degrees: Mapping[str, tuple[float, Mapping[str, int]]] = field(
        default_factory=NoItems, hash=False
    )
    """Ordered label → its strength, and in how many rows with it an evaluative word occurs."""
    neighbours: NeighbourCounts = field(default_factory=NeighbourCounts)
    """Which words stand beside close opposites in the rows."""
    parses: StoredParses = field(default_factory=StoredParses)
    """The rows that were parsed for the judge, which need not be parsed again."""

    @property
    def at_chance(self) -> bool:
        """Whether the classifiers of rows, or those of variants, are no better than chance."""
        return self.ensemble.at_chance or self.judge.at_chance

    def shortcuts_of(self, label: str) -> tuple[str, ...]:
        """The words that go with a label, or with others of its polarity, and are no opinion."""
        return self.shortcuts.get(self.polarity.get(label, label), ())

    def same_polarity(self, label: str) -> list[str]:
        """The labels that are as good as this one: 4 and 5 stars are both positive."""
        side = self.polarity.get(label)
        if side is None:
            return [label]
        return [name for name, polarity in self.polarity.items() if polarity == side]

    def counts_toward(self, label: str | None) -> ClassCounts:
        """The counts by which words of a label are chosen; in an order, as strong as the label."""
        if label is None or label not in self.degrees:
            return self.counts
        strength, with_label = self.degrees[label]
        with_polarity = self.counts.counts.get(self.polarity[label], {})
        return replace(self.counts, degree=Degree(strength, with_label, with_polarity))

    def choice_of_sentences(self, label: str | None, *, broad: bool) -> WordChoice:
        """What is edited toward a label in a sentence: to close opposites, or broadly.

        A lexicon of the user's, or one fitted to the data, has its own opposites.
        """
        counts = self.counts_toward(label)
        if broad or self.source != "bundled":
            return BroadChoice(self.lexicon, counts)
        return CloseChoice(self.lexicon, counts, self.neighbours)

    def choice_of_texts(self, label: str | None) -> WordChoice:
        """What is edited toward a label in a whole text: all words, also doubtful ones."""
        return BroadChoice(self.lexicon, self.counts_toward(label), heeds_doubts=False)

    @cached_property
    def label_judge(self) -> EnsembleJudge:
        """Judges labels without a language model."""
        return EnsembleJudge(self.judge, self.same_polarity)

    @cached_property
    def lexicon(self) -> Evaluative:
        """The words and phrases that can be edited."""
        if self.groups is not None:
            return lexicon_of(self.groups)
        return bundled_lexicon() if self.source == "bundled" else read_lexicon(Path(self.source))

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        self.ensemble.save(folder / "ensemble")
        self.judge.save(folder / "judge")
        record = {
            "polarity": self.polarity,
            "source": self.source,
            "groups": None if self.groups is None else self.groups.model_dump(mode="json"),
            "counts": self.counts.counts,
            "shortcuts": dict(self.shortcuts),
            "notes": self.notes,
            "degrees": dict(self.degrees),
            "neighbours": asdict(self.neighbours),
        }
        save_json(folder / "texts.json", record)
        self.parses.save(folder / "parses.jsonl")

    @classmethod
    def load(cls, folder: Path) -> TextsArtifact:
        """Read it back."""
        record = load_json(folder / "texts.json", dict)
        degrees = record.get("degrees", {})
        return cls(
            CrossFitted.load(folder / "ensemble"),
            CrossFitted.load(folder / "judge"),
            record["polarity"],
            record["source"],
            None if record["groups"] is None else LexiconFile.model_validate(record["groups"]),
            ClassCounts(record["counts"]),
            {key: tuple(words) for key, words in record["shortcuts"].items()},
            tuple(record["notes"]),
            {label: (strength, counts) for label, (strength, counts) in degrees.items()},
            NeighbourCounts(**record.get("neighbours", {})),
            StoredParses.load(folder / "parses.jsonl"),
        )


@dataclass(frozen=True)
class CobaArtifact:
    """What was fitted; ``texts`` is None for a corpus of pairs. An ``Artifact``.

    ``pairs`` are the classifiers that vote on pairs, where they do.
    """

    labels: tuple[str, ...]
    texts: TextsArtifact | None = None
    order: LabelOrder | None = None
    """Of ordered labels."""
    pairs: CrossFitted | None = None
    pair_notes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know."""
        return (*(self.texts.notes if self.texts is not None else ()), *self.pair_notes)

    def save(self, folder: Path) -> None:
        """Write it into an empty folder."""
        order = None if self.order is None else asdict(self.order)
        record = {"labels": self.labels, "texts": self.texts is not None, "order": order}
        if self.pair_notes:
            record |= {"pairs": self.pairs is not None, "pair_notes": self.pair_notes}
        save_json(folder / "coba.json", record)
        if self.pairs is not None:
            self.pairs.save(folder / "pairs")
        if self.texts is not None:
            (folder / "texts").mkdir()
            self.texts.save(folder / "texts")

    @classmethod
    def load(cls, folder: Path) -> CobaArtifact:
        """Read it back."""
        record = load_json(folder / "coba.json", dict)
        texts = TextsArtifact.load(folder / "texts") if record["texts"] else None
        order = None if record["order"] is None else LabelOrder(**record["order"])
        pairs = CrossFitted.load(folder / "pairs") if record.get("pairs") else None
        return cls(
            tuple(record["labels"]), texts, order, pairs, tuple(record.get("pair_notes", ()))
        )
