"""One grouping: features that stand in the same texts are one cue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augkit.core.arrays import Ints
from augkit.shortcuts.association import LabelAssociation
from augkit.shortcuts.features import CountedField, is_amount

_SAME = 0.5
"""Features are one cue from this share of common texts (Jaccard) on."""
_NESTED = 0.8
"""So are those whose words contain one another, from this share of the rarer one's texts on."""
_MOST = 1500
"""Features that are grouped: the strongest."""


@dataclass(frozen=True)
class CueGroup:
    """Associations of one label with features of the same texts, the strongest first."""

    members: tuple[LabelAssociation, ...]

    @property
    def leader(self) -> LabelAssociation:
        """The strongest, which stands for all."""
        return self.members[0]

    @property
    def field(self) -> CountedField:
        """The field that all are in."""
        return self.leader.field


def group_associations(found: Sequence[LabelAssociation]) -> list[CueGroup]:
    """Group associations, which come the strongest first, field by field and label by label."""
    groups: list[CueGroup] = []
    together: dict[tuple[str, int], list[LabelAssociation]] = {}
    for association in found[:_MOST]:
        key = association.field.name, association.label
        together.setdefault(key, []).append(association)
    for associations in together.values():
        amounts = [cue for cue in associations if is_amount(cue.feature.kind)]
        others = [cue for cue in associations if not is_amount(cue.feature.kind)]
        groups += _groups(others)
        if amounts:
            groups.append(CueGroup(tuple(amounts)))
    return sorted(_one_amount_a_field(groups), key=lambda group: -group.leader.strength)


def _one_amount_a_field(groups: Sequence[CueGroup]) -> list[CueGroup]:
    """Keep the strongest length of each field: what is not long is short."""
    amounts: dict[str, CueGroup] = {}
    kept = []
    for group in groups:
        if not is_amount(group.leader.feature.kind):
            kept.append(group)
            continue
        name = group.field.name
        if name not in amounts or group.leader.strength > amounts[name].leader.strength:
            amounts[name] = group
    return [*kept, *amounts.values()]


def _groups(found: Sequence[LabelAssociation]) -> list[CueGroup]:
    """Let each join the first leader that it belongs to, or lead."""
    if not found:
        return []
    common = _common(found)
    sizes = common.diagonal()
    members: dict[int, list[LabelAssociation]] = {}
    for place, association in enumerate(found):
        for leader, followers in members.items():
            shared = int(common[place, leader])
            smaller = min(sizes[place], sizes[leader])
            is_same = shared >= _SAME * (sizes[place] + sizes[leader] - shared)
            is_inside = shared >= _NESTED * smaller and _are_nested(association, found[leader])
            if is_same or is_inside:
                followers.append(association)
                break
        else:
            members[place] = [association]
    return [CueGroup(tuple(associations)) for associations in members.values()]


def _common(found: Sequence[LabelAssociation]) -> Ints:
    """How many texts have two features: int[features, features]."""
    import numpy as np

    present = found[0].field.presence([cue.number for cue in found]).astype(np.int32)
    common: Ints = (present.T @ present).toarray()
    return common


def _are_nested(first: LabelAssociation, second: LabelAssociation) -> bool:
    """Whether the words of one contain those of the other."""
    texts = [f" {' '.join(cue.feature.words)} " for cue in (first, second)]
    shorter, longer = sorted(texts, key=len)
    return bool(shorter.strip()) and shorter in longer
