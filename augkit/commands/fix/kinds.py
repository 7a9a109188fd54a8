"""The table of kinds: how each is known, and what is done to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from augkit.commands.fix.endings import Ending, KindName
from augkit.commands.fix.field_kind import fix_field, telling_views
from augkit.commands.fix.mark_kind import fix_marks, mark_cues
from augkit.commands.fix.opinion_kind import fix_opinions, opinions_of
from augkit.commands.fix.people_kind import fix_people, people_cues
from augkit.commands.fix.work import Work
from augkit.core.types import Example


@dataclass(frozen=True)
class ShortcutKind:
    """One kind of shortcut.

    Attributes:
        name: What it is called.
        find: What of it is in the rows; nothing where there is none.
        fix: Take what was found out of the rows, and say what came of it. It gives the rows for
            the kinds that follow.
    """

    name: KindName
    find: Callable[[Work], Sequence[Any]]
    fix: Callable[[Work, Sequence[Any]], tuple[Sequence[Example], Ending]]


KINDS: tuple[ShortcutKind, ...] = (
    # People come first: their offer leaves the rows alone, and is about the words as they stand.
    ShortcutKind("people", people_cues, fix_people),
    ShortcutKind("mark", mark_cues, fix_marks),
    ShortcutKind("field alone", telling_views, fix_field),
    ShortcutKind("opinions", opinions_of, fix_opinions),
)
"""In the order in which they are fixed: each works on the rows that those before it have left."""
