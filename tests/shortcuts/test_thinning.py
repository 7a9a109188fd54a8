"""Variants that make a new shortcut are left out, and no others."""

from __future__ import annotations

from random import Random

import pytest

from augkit.core.types import Example
from augkit.shortcuts.association import ALPHA
from augkit.shortcuts.counted_rows import CountedRows
from augkit.shortcuts.cues import Feature
from augkit.shortcuts.thinning import thin


def rows(texts: list[tuple[str, str]], name: str) -> list[Example]:
    return [Example({"text": text}, lab, f"{name}{n}") for n, (text, lab) in enumerate(texts)]


WORDS = "table lamp chair door wall floor roof stair".split()


def plain(number: int, seed: int) -> list[tuple[str, str]]:
    """Texts of words that do not depend on the label."""
    rng = Random(seed)
    return [(" ".join(rng.choices(WORDS, k=4)), "ab"[n % 2]) for n in range(number)]


def new_words(originals: list[Example], variants: list[Example]) -> set[str]:
    """The words beyond chance in 20 texts, of both but not of the originals, one by one."""

    def significant(table: list[Example]) -> set[str]:
        counted = CountedRows.read(table)
        found = set()
        for word in {word for row in table for word in row.fields["text"].split()}:
            for label in counted.labels:
                figures = counted.figures(Feature("text", "token", word), label)
                is_often = figures.rows >= 20 and figures.share > figures.base
                if is_often and figures.p <= ALPHA:
                    found.add(word)
        return found

    return significant([*originals, *variants]) - significant(originals)


@pytest.mark.parametrize("seed", range(4))
def test_no_new_shortcut_is_left(seed: int) -> None:
    """A word that variants of one label have too often is within chance afterwards."""
    originals = rows(plain(200, seed), "o")
    made = [(f"there is a {text}", "a") for text, _ in plain(80, seed + 9)]
    variants = rows([*made, *plain(80, seed + 20)], "v")
    assert "there" in new_words(originals, variants)
    gone = thin(originals, variants)
    left = [row for row in variants if row.id not in gone]
    assert not new_words(originals, left) & {"there", "is"}
    assert 40 < len(gone) <= 80
    assert all(gone_label == "a" for _, gone_label in gone.values())


def test_words_that_judge_are_no_shortcuts() -> None:
    """Variants that are turned share words of opinion, and must."""
    originals = rows(plain(200, 1), "o")
    variants = rows([(f"{text} terrible", "a") for text, _ in plain(60, 2)], "v")
    assert not any("terrible" in feature for feature, _ in thin(originals, variants).values())


def test_what_the_originals_make_is_not_thinned() -> None:
    """A shortcut of the originals is not new."""
    originals = rows([(f"lobby {t}" if lab == "a" else t, lab) for t, lab in plain(200, 3)], "o")
    variants = rows([(f"lobby {text}", "a") for text, _ in plain(30, 7)], "v")
    assert "lobby" not in {feature for feature, _ in thin(originals, variants).values()}


def test_order_does_not_matter() -> None:
    """Which variants go depends on what they are."""
    originals = rows(plain(200, 4), "o")
    variants = rows([(f"there is {text}", "a") for text, _ in plain(60, 5)], "v")
    assert thin(originals, variants).keys() == thin(originals[::-1], variants[::-1]).keys()


def test_nothing_to_thin() -> None:
    """Without variants nothing is left out."""
    assert thin(rows(plain(30, 6), "o"), []) == {}
