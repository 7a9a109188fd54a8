"""A pair keeps its contrast: "John saw his aunt" and "John saw his uncle" stay two things."""

from __future__ import annotations

from collections.abc import Iterable

from augkit.augmenters.panda.finding import find
from augkit.augmenters.panda.jobs import Refused
from augkit.augmenters.panda.scene import Scene
from augkit.data import Edit
from augkit.lexicons.find import Hit


def lost_contrast(scene: Scene, edits: Iterable[Edit]) -> Refused | None:
    """The reason for refusing edits that make fields agree, or differ, where they did not."""
    if len(scene.fields) < 2:
        return None
    edits = tuple(edits)
    changed = {(e.field, scene.starts[e.field] + e.start) for e in edits}
    for edit in edits:
        for other in scene.fields:
            if other != edit.field:
                kept = [h for h in _nouns(scene, other) if (other, h.start) not in changed]
                words = {scene.text[h.start : h.end].lower() for h in kept}
                if (reason := _compare(edit, words)) is not None:
                    return reason
    return None


def _compare(edit: Edit, words: set[str]) -> Refused | None:
    before, after = edit.before.lower(), edit.after.lower()
    if before in {"a", "an"}:
        return None
    if after in words and before not in words:
        return Refused("contrast lost", f"'{edit.after}' stands in the other field already")
    if before in words:
        return Refused("contrast lost", f"'{edit.before}' would stay in the other field")
    return None


def _nouns(scene: Scene, field: str) -> list[Hit]:
    shift = scene.starts[field]
    found = find(scene.axis, scene.fields[field])
    return [
        hit._replace(start=hit.start + shift, end=hit.end + shift)
        for hit in found
        if hit.readings[0].pos != "pronoun" or hit.readings[0].case == "subject"
    ]
