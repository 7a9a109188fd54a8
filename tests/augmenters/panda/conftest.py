"""Rewriting in one call: text, chosen word, target; and the sentences of sentences.tsv."""

import random
import re
from pathlib import Path

import pytest

from augkit.augmenters.panda.perturbers.protocol import PerturbTask
from augkit.augmenters.panda.perturbers.rules import RulePerturber
from augkit.core.types import Example
from augkit.english.parser import SpacyParser

AXES = {
    **dict.fromkeys(("man", "woman", "non-binary"), "gender"),
    **dict.fromkeys(("white", "black", "hispanic", "asian", "native-american"), "race"),
    **dict.fromkeys(("child", "young", "middle-aged", "senior", "adult"), "age"),
}


@pytest.fixture
def rewrite():
    """Perturb the first (or n-th) occurrence of a word; a rejection is its reason in brackets."""

    def call(text, word, target, occurrence=0, *, pointed=False):
        fields = {str(n): part for n, part in enumerate(text.split(" <SEP> "))}
        starts = [
            (name, match.start())
            for name, part in fields.items()
            for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", part)
        ]
        field, start = starts[occurrence]
        span = (field, start, start + len(word))
        rng = random.Random(0)
        task = PerturbTask(Example(fields), *span, AXES[target], target, rng, pointed=pointed)
        answer = RulePerturber(SpacyParser(), full_names=True).perturb([task])[0]
        if not answer.reason:
            return " <SEP> ".join(answer.fields.values())
        return f"[{answer.reason}]"

    return call


NAME = r"[^\W\d_a-z][\w-]+"
SLOTS = {
    "{senior}": r"(?:6[5-9]|[789]\d)",
    "{young}": r"(?:1[89]|[23]\d|4[0-4])",
    "{words}": r"(?:sixty|seventy|eighty|ninety)(?:-\w+)?",
}


def pattern_of(expected, text):
    """The pattern of an expected text; a new name is none that occurs in the old text."""
    pattern = re.sub(r"(?<!\\)([.?])(?=\s|$)(?!\))", r"\\\1", expected)
    pattern = pattern.replace("({senior})", r"\({senior}\)")
    for slot, written in SLOTS.items():
        pattern = pattern.replace(slot, written)
    return pattern.replace("{name}", rf"(?!(?:{'|'.join(re.findall(NAME, text))})\b){NAME}")


def sections(path):
    """The lines of each section of a file, cut at tabs."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            rows = found[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            rows.append(line.split("\t"))
    return found


_STAYS = {"[not a person]", "[fixed phrase]"}
SENTENCES = sections(Path(__file__).parent / "sentences.tsv")


def pytest_generate_tests(metafunc):
    """Run a test that asks for a sentence with each line of the section of its name."""
    if "sentence" in metafunc.fixturenames:
        rows = SENTENCES[metafunc.definition.originalname]
        names = [f"{word}: {text}" for text, word, *_ in rows]
        metafunc.parametrize("sentence", rows, ids=names)


@pytest.fixture
def check_sentence(rewrite):
    """Check that a sentence becomes what stands beside it; nobody points at a word that stays."""

    def check(sentence, *, pointed=False):
        text, word, target, expected = sentence
        answer = rewrite(text, word, target, pointed=pointed and expected not in _STAYS)
        assert answer == expected or re.fullmatch(pattern_of(expected, text), answer), answer

    return check
