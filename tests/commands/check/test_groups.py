"""Features in groups: what occurs together."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from augkit.commands.check.associations import holds
from augkit.commands.check.groups import feature_words, features_together


@dataclass(frozen=True)
class Feature:
    """A feature with what the groups look at."""

    kind: str
    name: str
    field: str = "text"
    label: str = "x"


def groups_by_hand(features, texts):
    """Each feature joins the first group with a member that is in the same texts or nested."""
    held = [{n for n, text in enumerate(texts) if holds(f.kind, f.name, text)} for f in features]

    def together(first, second):
        if features[first].label != features[second].label:
            return False
        common = len(held[first] & held[second])
        if common and common >= 0.8 * max(len(held[first]), len(held[second])):
            return True
        words, others = (
            f" {' '.join(feature_words(features[n].kind, features[n].name))} "
            for n in (first, second)
        )
        nested = words.strip() and others.strip() and (words in others or others in words)
        return bool(nested) and common > 0 and common >= 0.5 * len(held[second])

    groups = []
    for number in range(len(features)):
        for group in groups:
            if any(together(member, number) for member in group):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


@pytest.mark.parametrize("seed", range(6))
def test_groups_are_those_of_the_definition(seed):
    """Words, phrases, first words and formats of random texts, beside a slow count."""
    draw = Random(seed)
    texts = [" ".join(draw.choices("abcdef", k=draw.randint(1, 5))) + "!" * draw.randint(0, 1)
             for _ in range(25)]  # fmt: skip
    names = [*"abcdef", *(f"{a} {b}" for a in "abc" for b in "abc")]
    features = [Feature("token" if len(name) == 1 else "2-gram", name) for name in names]
    features += [Feature("first word", "a"), Feature("format", "sign !")]
    features += [Feature("token", name, label="y") for name in "ab"]
    draw.shuffle(features)
    assert features_together(features, {"text": texts}) == groups_by_hand(features, texts)
