"""Sentences with names in them, as tokens and tags."""

import random

import pytest

NAMES = {
    "person": ["Jane Austen", "Maria Lopez", "Ahmed Khan", "John Smith", "Mary Jones"],
    "location": ["New York", "London", "Rio de Janeiro", "Paris"],
}
WORDS = {
    "positive": ["wonderful", "great", "delightful", "excellent"],
    "negative": ["terrible", "awful", "boring", "dreadful"],
}
FORMS = [
    "{person} said the new film from {location} was {word} , and her husband left .",
    "In {location} , {person} called the movie about the car {word} because he left early .",
    "My wife met {person} near {location} ; the picture was {word} and quite long .",
]


def _tagged(rng: random.Random, label=None):
    """Tokens, tags and label of one sentence; its word has the label."""
    label = label or rng.choice(list(WORDS))
    tokens, tags = [], []
    for piece in rng.choice(FORMS).split():
        kind = piece.strip("{}")
        chosen = {**NAMES, "word": WORDS[label]}.get(kind, [piece])
        words = rng.choice(chosen).split()
        tokens += words
        is_name = kind in NAMES and kind != piece
        tags += [f"{'I' if n else 'B'}-{kind}" if is_name else "O" for n in range(len(words))]
    return tokens, tags, label


@pytest.fixture(scope="session")
def tagged():
    """The function that draws a sentence."""
    return _tagged
