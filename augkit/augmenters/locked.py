"""Fields that must not change are hidden from methods that do not read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from augkit.core.types import Draft, Example, Rejection

Propose = Callable[[Sequence[Example]], Iterator[Draft | Rejection]]


def unlocked(propose: Propose) -> Propose:
    """The same ``propose``, which is shown only the fields that it may change."""

    def shown(batch: Sequence[Example]) -> Iterator[Draft | Rejection]:
        whole = {parent.id: parent for parent in batch if parent.locked}
        for proposal in propose([_without_locked(parent) for parent in batch]):
            parent = whole.get(proposal.parent.id)
            if parent is None:
                yield proposal
            elif isinstance(proposal, Rejection):
                yield replace(proposal, parent=parent)
            else:
                fields = {**parent.fields, **proposal.fields}
                yield replace(proposal, parent=parent, fields=fields)

    return shown


def _without_locked(parent: Example) -> Example:
    fields = {name: text for name, text in parent.fields.items() if name not in parent.locked}
    return replace(parent, fields=fields, locked=frozenset()) if parent.locked else parent
