"""Words whose inflection their spelling does not tell."""

from __future__ import annotations

TO_PLURAL_SUBJECT = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
    "isnt": "arent",
    "wasnt": "werent",
    "hasnt": "havent",
    "doesnt": "dont",
    "'s": "'re",
}
"""Verb forms for "he" → for "they"."""

UNINFLECTED = frozenset(
    {"can", "could", "may", "might", "must", "shall", "should", "will", "would", "ought", "cannot"}
    | {"can't", "couldn't", "mightn't", "mustn't", "shan't", "shouldn't", "won't", "wouldn't"}
    | {
        "ca",
        "wo",
        "sha",
        "'ll",
        "'d",
        "n't",
        "not",
        "had",
        "hadn't",
        "did",
        "didn't",
        "ai",
        "ain't",
    }
    | {"be", "been", "being", "am", "'m"}
)
"""Words that are the same with every third-person subject, or have none."""

BASES_IN_S = frozenset(
    {
        "bias",
        "blitz",
        "bus",
        "canvas",
        "caucus",
        "chorus",
        "fizz",
        "focus",
        "gas",
        "nonplus",
        "plus",
    }
    | {"refocus", "quartz", "quiz", "ritz", "surplus", "waltz", "whiz", "klutz", "jazz"}
    | {"callus", "census", "kibitz", "rendezvous", "spritz", "trellis"}
)
"""Verbs whose base ends in s or z."""

BASES_IN_E = frozenset(
    {"ache", "axe", "cache", "canoe", "douche", "finesse", "headache", "hoe", "horseshoe", "niche"}
    | {"psyche", "shoe", "snowshoe", "tiptoe", "toe", "stomachache", "avalanche", "bellyache"}
)
"""Verbs in -xe, -che, -she, -sse and -oe."""

BASES_IN_IE = frozenset({"belie", "overlie", "retie", "underlie", "untie", "stymie"})
"""Verbs of two syllables or more in -ie."""

PLAIN_S = frozenset({"disco", "fresco", "photo", "piano", "solo", "stomach", "tango", "torso"})
"""Words that take -s where the spelling asks for -es."""

PLURALS = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "people",
    "foot": "feet",
    "tooth": "teeth",
    "goose": "geese",
    "mouse": "mice",
    "louse": "lice",
    "ox": "oxen",
    "wife": "wives",
    "life": "lives",
    "knife": "knives",
    "leaf": "leaves",
    "half": "halves",
    "self": "selves",
    "elf": "elves",
    "loaf": "loaves",
    "thief": "thieves",
    "wolf": "wolves",
    "calf": "calves",
    "shelf": "shelves",
    "hero": "heroes",
    "echo": "echoes",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "alumnus": "alumni",
    "alumna": "alumnae",
    "criterion": "criteria",
    "phenomenon": "phenomena",
    "crisis": "crises",
    "thesis": "theses",
    "analysis": "analyses",
    "beau": "beaux",
}
"""Nouns with an irregular plural."""

SAME_IN_PLURAL = frozenset(
    {"sheep", "deer", "fish", "series", "species", "aircraft", "offspring", "folk", "means"}
)
"""Nouns whose plural looks like the singular."""
