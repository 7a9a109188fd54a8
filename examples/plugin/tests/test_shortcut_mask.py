"""The plug-in's own tests: what it learns, what it changes, and augkit's contract."""

from __future__ import annotations

from typing import Any

from augkit_shortcut_mask import ShortcutMask, ShortcutMaskConfig

from augkit.core.types import Variant, example
from augkit.testing import check_augmenter

CORPUS = [
    *(example(f"Spielberg made film {number}.", "good") for number in range(5)),
    *(example(f"Somebody made film {number}.", "bad") for number in range(5)),
]


def fitted(**settings: Any) -> ShortcutMask:
    """The method with what the corpus teaches."""
    return ShortcutMask(ShortcutMaskConfig(**settings)).fit(CORPUS)


def test_it_keeps_the_contract() -> None:
    """All promises of an augkit augmenter hold."""
    check_augmenter(ShortcutMask)


def test_it_learns_what_gives_the_label_away() -> None:
    """A word of one label only is learnt; one that both share is not."""
    strengths = fitted().artifact.strengths
    assert set(strengths["good"]) == {"spielberg"}
    assert set(strengths["bad"]) == {"somebody"}


def test_it_masks_or_deletes_and_keeps_the_label() -> None:
    """Only the giveaway goes."""
    (masked,) = fitted()([example("A film by Spielberg!", "good")])
    assert masked.variant.fields["text"] == "A film by something!"
    assert masked.variant.label == "good"
    (deleted,) = fitted(action="delete")([example("A film by Spielberg!", "good")])
    assert deleted.variant.fields["text"] == "A film by!"


def test_it_says_why_not() -> None:
    """No label, or nothing that gives it away, is a rejection with its reason."""
    rows = [example("A film by Spielberg!"), example("A film.", "good")]
    reasons = [
        outcome.reason for outcome in fitted().outcomes(rows) if isinstance(outcome, Variant)
    ]
    assert reasons == ["no label", "no giveaway word"]
