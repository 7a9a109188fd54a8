"""Singular *they* and lists of verbs: sentences put together from phrases, by a seeded draw."""

import random

import pytest

from augkit.augmenters.panda.perturbers.protocol import Perturbed, PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.core.types import Example
from augkit.language.parser import SpacyParser

PHRASES = [
    ("gets up early", "get up early"), ("walks the dog", "walk the dog"), ("swims", "swim"),
    ("works at the mill", "work at the mill"), ("cleans offices", "clean offices"),
    ("plays in a band", "play in a band"), ("paints portraits", "paint portraits"),
    ("studies law", "study law"), ("bakes bread", "bake bread"), ("keeps bees", "keep bees"),
    ("hopes to win", "hope to win"), ("needs a break", "need a break"), ("laughs", "laugh"),
    ("complains about the noise", "complain about the noise"), ("sleeps badly", "sleep badly"),
    ("is tired", "are tired"), ("was born in Wales", "were born in Wales"),
    ("has a cold", "have a cold"), ("has been promoted", "have been promoted"),
    ("doesn't drive", "don't drive"), ("isn't sure", "aren't sure"), ("goes home", "go home"),
    ("fixes cars", "fix cars"), ("watches birds", "watch birds"), ("washes up", "wash up"),
    ("visits on Sundays", "visit on Sundays"), ("lives alone", "live alone"), ("sews", "sew"),
    ("answers the phone", "answer the phone"), ("steals", "steal"), ("says nothing", "say nothing"),
    ("carries boxes", "carry boxes"), ("spends it all", "spend it all"), ("tries hard", "try hard"),
    ("parks outside", "park outside"), ("chairs meetings", "chair meetings"),
    ("plants trees", "plant trees"), ("waters the flowers", "water the flowers"),
]  # fmt: skip
OPENINGS = ["", "Every morning ", "I think ", "When it rains, ", "They say that "]
INSERTIONS = ["", "", "", ", of course,", ", despite the rain,", ", at sixty,", " - for once -"]
ADVERBS = ["", "", "", "often ", "never ", "also ", "quietly "]
LINKS = [" and ", " and ", ", and ", " but ", " or ", " and then "]


def _sentence(draw):
    opening, insertion, link = (draw.choice(some) for some in (OPENINGS, INSERTIONS, LINKS))
    chosen = draw.sample(PHRASES, draw.choice([1, 2, 3, 3, 4]))
    plain = {"is", "was", "has", "doesn't", "isn't"}
    adverbs = ["" if one.split()[0] in plain else draw.choice(ADVERBS) for one, _ in chosen]
    sides = []
    for side, word in ((0, draw.choice(["he", "she"])), (1, "they")):
        phrases = [adverb + phrase[side] for adverb, phrase in zip(adverbs, chosen, strict=True)]
        last = link + phrases[-1] if len(phrases) > 1 else phrases[-1]
        subject = word if opening else word.capitalize()
        sides.append(f"{opening}{subject}{insertion} {', '.join(phrases[:-1])}{last}.")
    return sides


@pytest.mark.parametrize("seed", range(2))
def test_every_verb_of_a_list_agrees(seed):
    """Nearly all lists of verbs come out whole, whatever the parse made of them."""
    draw = random.Random(seed)
    pairs = [_sentence(draw) for _ in range(120)]
    tasks = []
    for text, after in pairs:
        start = next(i for i in range(len(text)) if text[i] != after[i])
        start = text.rfind(" ", 0, start + 1) + 1
        end = start + (3 if text[start : start + 3].lower() == "she" else 2)
        tasks.append(
            PerturbTask(Example({"text": text}), "text", start, end, "gender", "non-binary", draw)
        )
    answers = RulePerturber(SpacyParser()).perturb(tasks)
    wrong = [
        text
        for (text, after), answer in zip(pairs, answers, strict=True)
        if not isinstance(answer, Perturbed) or answer.fields["text"] != after
    ]
    assert len(wrong) <= 3, wrong
