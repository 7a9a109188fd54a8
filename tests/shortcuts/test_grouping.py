"""Groups are those of the definition, beside a slow count."""

from __future__ import annotations

from random import Random

from augkit.core.types import Example, example
from augkit.shortcuts.association import ALPHA, run_tests
from augkit.shortcuts.features import count_features, has_feature, is_amount
from augkit.shortcuts.grouping import group_associations
from tests.data import random_texts


def signed_rows() -> list[Example]:
    """Texts of one label with a signature, others with two words that are often together."""
    rng = Random(3)
    rows = []
    for number, text in enumerate(random_texts(800, rng, longest=8)):
        last = " -- agent : marta" if number % 8 == 0 else ""
        first = "balloon " if number % 8 == 1 else ""
        first += "zeppelin " if number % 8 == 1 and number % 3 else ""
        rows.append(example(f"{first}{text}{last}", "ab"[number % 2]))
    return rows


def groups_by_hand(found, rows):
    """Each joins the first leader whose texts are the same, or whose words hold its own."""
    held = [{n for n, r in enumerate(rows) if has_feature(c.feature, r.fields)} for c in found]
    groups: list[list[int]] = []
    for number, cue in enumerate(found):
        for group in groups:
            mine, others = held[number], held[group[0]]
            words, leading = (f" {' '.join(one.feature.words)} " for one in (cue, found[group[0]]))
            nested = bool(words.strip() and leading.strip()) and (
                words in leading or leading in words
            )
            common = len(mine & others)
            is_same = common >= 0.5 * len(mine | others)
            is_inside = nested and common >= 0.8 * min(len(mine), len(others))
            if cue.label == found[group[0]].label and (is_same or is_inside):
                group.append(number)
                break
        else:
            groups.append([number])
    return [[found[number].feature for number in group] for group in groups]


def test_groups_are_those_of_the_definition():
    """Words, phrases, last words and signs of a signature are one; the strongest come first."""
    rows = signed_rows()
    found = run_tests(count_features(rows), ALPHA).found
    plain = [cue for cue in found if not is_amount(cue.feature.kind)]
    groups = group_associations(plain)
    expected = groups_by_hand(plain, rows)
    assert [[cue.feature for cue in group.members] for group in groups] == expected
    assert len(groups) < len(plain)
    strengths = [group.leader.strength for group in groups]
    assert strengths == sorted(strengths, reverse=True)


def test_a_field_has_one_length():
    """What is not long is short: the strongest bound stands for all."""
    rng = Random(4)
    short, long = random_texts(200, rng, longest=4), random_texts(200, rng, longest=30)
    rows = [example(text, "a") for text in short] + [example(text, "b") for text in long]
    groups = group_associations(run_tests(count_features(rows), ALPHA).found)
    assert sum(is_amount(group.leader.feature.kind) for group in groups) == 1
