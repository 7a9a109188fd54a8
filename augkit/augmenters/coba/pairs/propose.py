"""Variants of pairs by rules: one for every other label, and one with the label kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from augkit.augmenters.coba import checks
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.pairs.alike import changed_alike
from augkit.augmenters.coba.pairs.scene import Scene
from augkit.augmenters.coba.pairs.verdict import carries
from augkit.augmenters.coba.pairs.ways import by_field, second, via, ways
from augkit.augmenters.coba.pairs.writing import Change
from augkit.augmenters.coba.reading import Reader
from augkit.augmenters.coba.steps import Words
from augkit.augmenters.relations import Relation, relation_of
from augkit.core.types import Contract, Draft, Edit, Example, Rejection
from augkit.language.decompose import decompose
from augkit.text.diff import apply, diff

_PREMISE_FIRST = 2 / 3
_CHOICES = 4
"""Changes tried for one variant, at most."""


@dataclass
class _Wanted:
    """A variant in the making: what it shall be, and the changes that may lead there, in order."""

    parent: Example
    scene: Scene
    source: Relation
    target: Relation
    label: str
    copy: int
    draw: Random
    left: list[tuple[Change, bool]] = field(default_factory=list)
    """Changes with whether a second step must follow."""
    answer: Draft | Rejection | None = None


@dataclass(frozen=True)
class PairProposer:
    """Reads both texts, changes one of them so that another label holds, and reads them again.

    ``labels`` are the dataset's labels by the relation they name.
    """

    config: CobaConfig
    labels: Mapping[Relation, str]
    reader: Reader
    draw: Callable[[Example, int], Random]

    def propose(self, batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        """One draft per copy and other label; with ``twins`` one per copy with the label kept."""
        wanted: list[_Wanted] = []
        for parent, scene in zip(batch, self._read([p.fields for p in batch]), strict=True):
            source = relation_of(parent.label)
            if source is None:
                yield Rejection(parent, "label names no relation", str(parent.label))
            else:
                wanted += self._wanted(parent, scene, source)
        for _ in range(_CHOICES):
            self._try([each for each in wanted if each.left and not isinstance(each.answer, Draft)])
        for each in wanted:
            yield each.answer or _nothing(each)

    def _read(self, pairs: Sequence[Mapping[str, str]]) -> list[Scene]:
        analyses = iter(self.reader.read([text for fields in pairs for text in fields.values()]))
        return [Scene(first, second, next(analyses), next(analyses)) for first, second in pairs]

    def _wanted(self, parent: Example, scene: Scene, source: Relation) -> Iterator[_Wanted]:
        targets = [
            (relation, label) for relation, label in self.labels.items() if relation != source
        ]
        if self.config.twins:
            targets.append((source, str(parent.label)))
        for copy in range(self.config.copies):
            for place, (target, label) in enumerate(targets):
                number = copy * len(targets) + place
                draw = self.draw(parent, number)
                each = _Wanted(parent, scene, source, target, label, number, draw)
                possible = _possible(each, "neutral" not in self.labels)
                each.left = _in_order(possible, scene.first, draw)
                yield each

    def _try(self, wanted: Sequence[_Wanted]) -> None:
        """Take the next change of each, read the new texts together, and judge them."""
        taken = [each.left.pop(0) for each in wanted]
        made = [
            apply(each.parent.fields, change.edits)
            for each, (change, _) in zip(wanted, taken, strict=True)
        ]
        made, hows = self._second_steps(wanted, taken, made)
        scenes = self._read(made)
        for each, (change, twice), fields, how, scene in zip(
            wanted, taken, made, hows, scenes, strict=True
        ):
            if twice and how == change.how:
                continue  # the second step was not to be made
            edits = diff(each.parent.fields, fields) if twice else change.edits
            each.answer = self._checked(each, fields, edits, how, scene)

    def _second_steps(
        self,
        wanted: Sequence[_Wanted],
        taken: Sequence[tuple[Change, bool]],
        made: Sequence[dict[str, str]],
    ) -> tuple[list[dict[str, str]], list[str]]:
        places = [place for place, (_, twice) in enumerate(taken) if twice]
        texts, hows = list(made), [change.how for change, _ in taken]
        for place, scene in zip(places, self._read([made[p] for p in places]), strict=True):
            draw = wanted[place].draw
            more = second(scene, draw)
            if more:
                change = draw.choice(more)
                texts[place] = apply(made[place], change.edits)
                hows[place] = f"{hows[place]}, {change.how}"
        return texts, hows

    def _checked(
        self,
        each: _Wanted,
        fields: Mapping[str, str],
        edits: tuple[Edit, ...],
        how: str,
        scene: Scene,
    ) -> Draft | Rejection:
        parent, target = each.parent, each.target
        before, after = (" ".join(some.values()) for some in (parent.fields, fields))
        given = Words(spurious=frozenset(word.casefold() for word in self.config.spurious_words))
        reason = checks.refused(before, after, given, self.config)
        if len({text.strip().rstrip(".").casefold() for text in fields.values()}) < len(fields):
            reason = reason or "both texts say the same"
        if target != each.source and not carries(scene, target, how):
            reason = reason or checks.LABEL
        if reason:
            return Rejection(
                parent, reason, f"{each.label} ({how}): {' | '.join(fields.values())}", each.copy
            )
        contract: Contract = "kept" if target == each.source else "flipped"
        about = _about(each, edits, how)
        return Draft(parent, dict(fields), each.label, contract, each.copy, edits, about=about)


def _possible(each: _Wanted, facts: bool) -> list[tuple[Change, bool]]:
    if each.target == each.source:
        return [(change, False) for change in changed_alike(each.scene, each.draw)]
    direct = ways(each.scene, each.source, each.target, each.draw, facts=facts)
    twice = via(each.scene, each.source, each.target, each.draw)
    return [*((change, False) for change in direct), *((change, True) for change in twice)]


def _in_order(
    possible: list[tuple[Change, bool]], premise: str, draw: Random
) -> list[tuple[Change, bool]]:
    """The changes in the order they are tried: one text drawn first, then a change of it.

    The premise can be changed less often, so it comes first two times in three where it can.
    """
    groups = by_field([change for change, _ in possible])
    fields = sorted(groups, key=lambda name: name != premise)
    if draw.random() > _PREMISE_FIRST:
        fields.reverse()
    ordered: list[tuple[Change, bool]] = []
    for name in fields:
        some = [one for one in possible if one[0].edits[0].field == name]
        ordered += draw.sample(some, len(some))
    return ordered[:_CHOICES]


def _nothing(each: _Wanted) -> Rejection:
    reason = "a text denies something" if each.scene.negated else checks.EMPTY
    return Rejection(each.parent, reason, f"towards {each.label}", each.copy)


def _about(each: _Wanted, edits: Sequence[Edit], how: str) -> dict[str, str]:
    """What was changed, for people: the direction, the way, and the principal triples."""
    touched: list[str] = []
    for name, analysis in (
        (each.scene.first, each.scene.premise),
        (each.scene.second, each.scene.hypothesis),
    ):
        touched += [
            " | ".join(element.text for element in triple.elements)
            for triple in decompose(analysis, name)
            if any(_meets(edit, name, span) for edit in edits for span in triple.spans)
        ]
    fields = sorted({edit.field for edit in edits})
    return {
        "unit": "pair",
        "source": str(each.parent.label),
        "target": each.label,
        "changed": ", ".join(fields),
        "how": how,
        "principal": "; ".join(touched[:3]),
    }


def _meets(edit: Edit, name: str, span: tuple[int, int]) -> bool:
    return edit.field == name and edit.start <= span[1] and span[0] <= edit.end
