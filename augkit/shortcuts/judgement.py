"""Is a cue a shortcut, or a word of the task? The first rule that says something decides.

What decides depends on what the labels say. How two texts relate cannot follow from one of them.
In a single text, a word that is said has company in the rest of the text and leaves a hole where it
is taken out; a mark has neither (``independence``: D, ``phrases``: T). Where labels are opinions,
words that judge are no marks, however freely they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from augkit.core.arrays import Flags
from augkit.core.types import Example
from augkit.english.rewriting.words import judges
from augkit.lexicons.demographics.names import first_names
from augkit.lexicons.demographics.person_words import gendered_nouns, person_nouns
from augkit.lexicons.opinions import is_of_opinions
from augkit.shortcuts.cues import BOTH, Cue, Task
from augkit.shortcuts.features import is_amount
from augkit.shortcuts.grouping import CueGroup
from augkit.shortcuts.independence import RestOfTexts
from augkit.shortcuts.phrases import GrownPhrase, TokenTexts
from augkit.text.tokens import words

_MOST_JUDGED = 60
"""Cues whose independence is computed: the strongest."""
_HARM = ("hate", "toxic", "abus", "offens")
"""What the names of labels of harm begin with."""
_SMALL_CUE = 500
"""Texts with a rarer cue are all compared, not a sample of them."""
_READS_ON = -1.0
_IS_SAID = -2.0
"""T from which a text reads on, and below which a word is said."""
_PLACES = 30
_SAME_END = 0.9
_CAPITALS = 0.8
_LOOKED_AT = 60
_TONE = re.compile(r"(sign|ends with) [!?]+|a word in capitals|.* [$£€%]+")
_LEAST_FORM = 0.6


class _Limits(NamedTuple):
    """When a cue depends on nothing else."""

    of_label: int
    """The fewest texts of its label."""
    independence: float
    """D is below."""


_OPINION = _Limits(30, 0.60)
_CONTENT = _Limits(50, 0.56)
"""The common words of a topic are spread over it evenly, too: "film" is at .57."""
Verdict = tuple[bool, str]
"""Whether it is a shortcut, and why."""


def read_task(examples: Sequence[Example]) -> Task:
    """Read what the labels say: of two fields how they relate, else by their names and words."""
    if len(examples[0].fields) > 1:
        return "relation"
    labels = {str(row.label).lower() for row in examples}
    if any(name.startswith(_HARM) for name in labels):
        return "harm"
    return "content" if is_of_opinions(examples).verdict == "none" else "opinion"


@dataclass(frozen=True)
class Evidence:
    """A cue, and what may be asked about it."""

    cue: Cue
    task: Task
    group: CueGroup
    texts: JudgedTexts

    @cached_property
    def has_cue(self) -> Flags:
        """Which texts have the feature that leads it: bool[texts]."""
        return self.texts.with_leader(self.group)

    @cached_property
    def phrase(self) -> GrownPhrase | None:
        """Its words with the neighbours that nearly all its texts share; None without words."""
        if not self.cue.feature.words:
            return None
        return self.texts.tokens.grow(self.cue.feature.words, self.has_cue)

    @cached_property
    def reads_on(self) -> float | None:
        """T; None where it has no words."""
        return None if self.phrase is None else self.texts.tokens.reads_on(self.phrase)

    @cached_property
    def independence(self) -> float | None:
        """D; None where it cannot be computed, or is left out."""
        words = {*self.cue.feature.words, *(self.phrase.tokens if self.phrase else ())}
        return self.texts.independence(self.group.leader.label, self.has_cue, words)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The grown phrase, or nothing."""
        return self.phrase.tokens if self.phrase else ()

    @property
    def judges(self) -> bool:
        """Whether a word of the phrase judges, negates or grades."""
        return any(map(judges, self.tokens))

    def reads_from(self, least: float) -> bool:
        """Whether T is at least so much, in enough texts to say so."""
        has_places = self.phrase is not None and len(self.phrase.places) >= _PLACES
        return has_places and self.reads_on is not None and self.reads_on >= least


class JudgedTexts:
    """The texts of one field, read as far as rules ask."""

    def __init__(self, groups: Sequence[CueGroup], seed: int) -> None:
        """Name the groups of the field."""
        self._groups = groups
        self._seed = seed
        self._rests: dict[int, RestOfTexts] = {}
        self._left = _MOST_JUDGED

    @cached_property
    def tokens(self) -> TokenTexts:
        """Their words and signs."""
        return TokenTexts.read(self._groups[0].field.texts.texts)

    @property
    def texts(self) -> Sequence[str]:
        """The texts."""
        return self._groups[0].field.texts.texts

    def independence(self, label: int, has_cue: Flags, words: set[str]) -> float | None:
        """Compute D of a cue among the texts of a label; only for so many."""
        if not self._left:
            return None
        self._left -= 1
        if label not in self._rests:
            self._rests[label] = self._rest(label)
        return self._rests[label].independence(has_cue, words)

    def with_leader(self, group: CueGroup) -> Flags:
        """Mark the texts that have the feature that leads a group: bool[texts]."""
        import numpy as np

        place = self._places[group.leader.number, group.leader.label]
        start, end = self._leaders.indptr[place : place + 2]
        has = np.zeros(self._leaders.shape[0], dtype=bool)
        has[self._leaders.indices[start:end]] = True
        return has

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        """Number and label of the feature that leads a group → the place of the group."""
        leaders = (group.leader for group in self._groups)
        return {(leader.number, leader.label): place for place, leader in enumerate(leaders)}

    @cached_property
    def _leaders(self) -> Any:
        """Which texts have the features that lead groups: sparse [texts, groups]."""
        # A length has no places: its column is empty, and no rule asks for it.
        numbers = [group.leader.number for group in self._groups]
        return self._groups[0].field.presence(numbers)

    def _rest(self, label: int) -> RestOfTexts:
        import numpy as np

        texts = self._groups[0].field.texts
        has_label = texts.labels == label
        rare = [
            place
            for place, group in enumerate(self._groups)
            if group.leader.label == label and group.leader.rows <= _SMALL_CUE
        ]
        has_rare = np.asarray(self._leaders[:, rare].sum(axis=1)).ravel() > 0
        return RestOfTexts.read(
            texts.texts, np.flatnonzero(has_label), np.flatnonzero(has_label & has_rare), self._seed
        )


def judge_groups(
    groups: Sequence[CueGroup], labels: Sequence[str], task: Task, seed: int
) -> list[Cue]:
    """Judge each group, the strongest first."""
    fields = {
        name: JudgedTexts([group for group in groups if group.field.name == name], seed)
        for name in dict.fromkeys(group.field.name for group in groups)
    }
    return [
        _judged(Evidence(_cue(group, labels), task, group, fields[group.field.name]))
        for group in groups
    ]


def _cue(group: CueGroup, labels: Sequence[str]) -> Cue:
    leader = group.leader
    return Cue(
        leader.feature,
        tuple(member.feature for member in group.members[1:]),
        (),
        labels[leader.label],
        leader.rows,
        leader.of_label,
        leader.base,
        leader.share,
        leader.gain,
        leader.phi,
        leader.p,
    )


def _judged(evidence: Evidence) -> Cue:
    """Ask the rules in turn."""
    verdict: Verdict | None = None
    for rule in RULES:
        verdict = rule(evidence)
        if verdict is not None:
            break
    is_shortcut, reason = verdict or (False, "a word of what is said")
    asked = vars(evidence)  # what the rules have asked for, and no more
    return replace(
        evidence.cue,
        phrase=evidence.tokens if evidence.task != "relation" else evidence.cue.feature.words,
        reads_on=evidence.reads_on if evidence.task != "relation" else None,
        independence=asked.get("independence"),
        is_shortcut=is_shortcut,
        reason=reason,
    )


def _of_one_field(evidence: Evidence) -> Verdict | None:
    """A word of one text cannot say how it relates to another; the overlap of both may."""
    if evidence.task != "relation":
        return None
    if evidence.cue.feature.field == BOTH:
        return False, "the overlap of the two texts, which may belong to the label"
    return True, f"{evidence.cue.feature.field} alone cannot say how the texts relate"


def _amount(evidence: Evidence) -> Verdict | None:
    """How long a text is says nothing of what it says."""
    if is_amount(evidence.cue.feature.kind):
        return True, "the length of the text"
    return None


def _tone(evidence: Evidence) -> Verdict | None:
    """Loud signs and amounts of money may be a part of an opinion; one word in capitals is not."""
    name = evidence.cue.feature.name
    has_words = any(feature.words for feature in evidence.cue.features)
    if has_words or evidence.task == "content" or not _TONE.fullmatch(name):
        return None
    return False, "a sign of tone or of an amount"


def _form(evidence: Evidence) -> Verdict | None:
    """How a text is written is not what it says."""
    if evidence.cue.feature.words:
        return None
    if evidence.cue.gain >= _LEAST_FORM:
        return True, "how the text is written, not what it says"
    return False, "how the text is written, too often with other labels"


def _people(evidence: Evidence) -> Verdict | None:
    """A group of people is not what is said of it."""
    nouns = (word.removesuffix("s") for word in evidence.cue.feature.words)
    named = [*evidence.cue.feature.words, *nouns]
    is_person = any(word in person_nouns() or word in gendered_nouns() for word in named)
    if evidence.task == "harm" and is_person:
        return True, "names people, not what is said of them"
    return None


def _name(evidence: Evidence) -> Verdict | None:
    """The name of a person, written as one, and a number."""
    features = evidence.cue.feature.words
    if not features:
        return None
    if all(word[:1].isdigit() for word in features):
        return True, "a number"
    named = [word for word in features if word in first_names()]
    if named and _is_capitalised(named, evidence):
        return True, "the name of a person"
    return None


def _fixed_place(evidence: Evidence) -> Verdict | None:
    """Words that always stand at the same end of a text, which reads on without them."""
    least = 0.0 if evidence.judges else _READS_ON
    if not evidence.reads_from(least):
        return None
    if evidence.texts.tokens.at_an_end(evidence.tokens) >= _SAME_END:
        return True, "always at the same end of the text, which reads on without it"
    return None


def _judgement(evidence: Evidence) -> Verdict | None:
    """A word that judges, negates or grades may be the opinion."""
    if evidence.task in {"opinion", "harm"} and evidence.judges:
        return False, "it judges, negates or grades"
    return None


def _independent(evidence: Evidence) -> Verdict | None:
    """What the rest of the text does not depend on, and reads on without."""
    limits = _CONTENT if evidence.task == "content" else _OPINION
    if evidence.cue.of_label < limits.of_label or not evidence.reads_from(_IS_SAID):
        return None
    if evidence.independence is None or evidence.independence >= limits.independence:
        return None
    reads_on = ", which reads on without it" if evidence.reads_from(_READS_ON) else ""
    return True, f"depends on nothing else in the text{reads_on}"


Rule = Callable[[Evidence], Verdict | None]
RULES: tuple[Rule, ...] = (
    _of_one_field,
    _amount,
    _tone,
    _form,
    _people,
    _name,
    _fixed_place,
    _judgement,
    _independent,
)


def _is_capitalised(named: Iterable[str], evidence: Evidence) -> bool:
    """Whether words are mostly written with a capital in the first texts of a cue."""
    import numpy as np

    wanted = {*named}
    numbers = np.flatnonzero(evidence.has_cue)[:_LOOKED_AT].tolist()
    texts = [evidence.texts.texts[number] for number in numbers]
    written = [word for text in texts for word in words(text) if word.lower() in wanted]
    return sum(word[:1].isupper() for word in written) > _CAPITALS * len(written)
