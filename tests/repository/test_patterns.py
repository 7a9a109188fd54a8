"""No regular expression of the package takes the square of a text's length."""

import re
from random import Random
from types import SimpleNamespace

import pytest

from augkit.augmenters.llm_checks import form, meaning
from augkit.augmenters.panda.rules import coreference, document, mentions, readings
from augkit.augmenters.symmetric import values
from augkit.commands.audit.judges import verdicts
from augkit.english import negation
from augkit.lexicons import evaluative
from augkit.lexicons.demographics import ages
from augkit.lexicons.demographics.cues import cue_table
from augkit.lexicons.load import data_yaml
from augkit.text import quantities
from tests.repository.patterns import (
    LONG,
    MEASURED_AS,
    Patterns,
    calls,
    hard_texts,
    held_patterns,
    import_all,
    note_uses,
    slow_text,
)

pytestmark = pytest.mark.slow

WORD = {"word": "old film"}
DRAWN, DRAWN_OF_LONG = 10, 3
"""Texts of each pattern in the test that is run every time; a list of many words is slow."""
LONG_PATTERN = 1000


def _add_cues(patterns: Patterns, place: str) -> None:
    for name, listed in cue_table("cues/persons").items():
        if isinstance(listed, str):
            # All but one see what is near a mention. That one sees what stands before it.
            most = LONG if name in {"link", "clause"} else 60
            operation = "match" if name == "clause" else "search"
            patterns.add(coreference.cue(name), place, operation, "fullmatch", most=most)


def _add_phrases(patterns: Patterns, place: str) -> None:
    for polarity in ("positive", "negative"):
        phrases = evaluative.bundled_lexicon().of_polarity(polarity)
        patterns.add(phrases.begins, place, "finditer")
        patterns.add(phrases.begins_in_lower, place, "finditer")
        for phrase in phrases:
            patterns.add(phrase.pattern, place, "finditer")


def _add_talk(patterns: Patterns, place: str) -> None:
    talk = form._phrases()
    patterns.add(talk["instructions"], place, "search")
    patterns.add(talk["assistant"], place, "search")


SAMPLES = {
    "augmenters.baselines.crossaug:edits_of_evidence": [{"before": "old film"}],
    "augmenters.baselines.swap:Swap._candidates": [{"entries": {"old film", "film"}}],
    "augmenters.choices.style_rules:_application": [
        {"pattern": pattern}
        for entry in data_yaml("style_rules.yaml").values()
        for pattern, _ in entry.get("replace", ())
    ],
    "augmenters.coba.one_call:_changed": [{"old": "old film"}],
    "augmenters.llm_checks.form:_match": [
        {"opening": opening, "closing": closing} for opening, closing in form._BRACKETS
    ],
    "augmenters.panda.rules.antecedents:object_meant": [
        {"row": row} for row in cue_table("cues/persons")["object_verbs"]
    ],
    "augmenters.panda.rules.mentions:_unlisted": [{"doc": SimpleNamespace(word="Pilate")}],
    "augmenters.symmetric.method:_is_decided": [{"text": "1979", "held": "1980"}],
    "augmenters.symmetric.method:_is_nationality_of_subject": [{"held": "Korean"}],
    "augmenters.symmetric.method:_is_part": [{"word": "1979"}],
    "augmenters.symmetric.method:_places": [{"value": "1979"}],
    "augmenters.symmetric.values:_listed": [{"name": "numbers"}, {"name": "nationalities"}],
    "commands.audit.judges.verdicts:family": [{"names": names} for names in verdicts._FAMILIES],
    "commands.check.content:check_words": [WORD],
    "augmenters.panda.rules.left_names:_places": [WORD],
    "commands.fix.forms:_deleted": [{"pattern": re.compile(r"<br[^<>]*>")}],
    "commands.fix.forms:_piece_pattern": [{"name": "<br"}, {"name": "&#233"}],
    "commands.fix.forms:_sign_pattern": [{"run": r"(?<!\~)\~{1}(?!\~)"}],
    "commands.fix.forms:form_of": [{"name": "a link"}, {"name": "mark-up"}],
    "commands.fix.forms:is_inside_words": [{"sign": r"\-"}],
    "commands.fix.places:_frame": [
        {"opening": r"agent\s*:", "filling": r"(\w[\w'\-]*)", "closing": r"\s*\."}
    ],
    "commands.fix.places:phrase_pattern": [{"joined": r"(?<!\w)old\s*film(?!\w)"}],
    "commands.fix.places:words_pattern": [{"joined": r"(?<!\w)old\W{1,3}film(?!\w)"}],
    "commands.perturb:_word_and_start": [WORD],
    "datasets.shapes.spans:places_of": [{"pattern": r"(?<!\w)old\ film(?!\w)"}],
    "english.rewriting.cues:_pattern": [{"cue": "on a tuesday"}, {"cue": "old film"}],
    "english.inference.claim_parts:_is_listed": [{"part": "old film"}],
    "english.inference.claim_parts:find_words": [{"words": "old film"}],
    "labels.judge:_words_pattern": [{"words": ("old film", "film")}],
    "llm.openai_api.responses:Problem.names": [{"parameter": "max_tokens"}],
    "llm.openai_api.secrets:Secrets.__init__": [{"secret": 'sk-1 "&<\\'}, {"secret": "\\\\\\\\"}],
    "prompts.render:_absent_tag": [{"tag": "data"}],
    "testing.kit:label_letter": [{"label": "yes"}],
    "text.quantities:_quantities": [{"forms": forms} for forms in quantities._UNITS.values()],
}
"""Where a pattern is made from data: local names with which it is made."""
ADD = {
    "augmenters.llm_checks.form:_phrases": _add_talk,
    "augmenters.panda.rules.coreference:cue": _add_cues,
    "augmenters.panda.rules.readings:_patterns": lambda patterns, place: patterns.add(
        readings._patterns()[1], place, "match", most=400
    ),  # it gets three words of at most 160 characters
    "english.negation:negation_pattern": lambda patterns, place: patterns.add(
        negation.negation_pattern("particle", "adverb", "determiner"), place, "finditer"
    ),
    "lexicons.demographics.ages:_pattern": lambda patterns, place: patterns.add(
        ages._pattern(), place, "finditer"
    ),
    "lexicons.evaluative:_phrase": _add_phrases,
}
"""Where it is made from more than a few names: what adds the patterns."""
HELD = {
    "core.yaml_files:",
    "lexicons.evaluative:Phrases.begins",
    "lexicons.evaluative:Phrases.begins_in_lower",
    "text.features.amounts:_matches",
}
"""Where it is made from data and found in what modules hold, or added with others."""


MOST: dict[str, int] = {}
"""Where a pattern only gets short texts."""
ONLY = {
    meaning._OPENING: ("search", 20),  # what stands before a word
    document._BEFORE: ("search", 60),
    mentions._ARTICLE: ("search", 40),
    mentions._PLAYED: ("search", 40),
    values._PERSON.pattern: ("fullmatch", LONG),
}
"""Patterns that get a short text, or of which is not seen what is done with them."""


@pytest.fixture(scope="module")
def patterns() -> Patterns:
    """Every regular expression of the package."""
    modules = import_all()
    found = Patterns()
    places, unknown = set(), set()
    for module in modules:
        note_uses(module, found)
        for call in calls(module):
            places.add(call.place)
            if call.place in ADD:
                continue
            operations = () if call.operation == "compile" else (MEASURED_AS[call.operation],)
            try:
                samples = [call.evaluate(names) for names in SAMPLES.get(call.place, [{}])]
            except NameError:
                unknown.add(call.place)
                continue
            for pattern in samples:
                found.add(pattern, call.place, *operations, most=MOST.get(call.place, LONG))
    for place, add in ADD.items():
        add(found, place)
    held_patterns(modules, found)
    for pattern, (operation, most) in ONLY.items():
        known = found[pattern.pattern, pattern.flags]
        known.operations = {operation}
        known.most = most
    assert unknown == HELD, f"made from data, with which names? {unknown ^ HELD}"
    assert places >= {*SAMPLES, *ADD}, "no pattern is made there any more"
    return found


def test_finds_the_patterns_of_all_kinds(patterns):
    """Of modules, classes, containers and closures, in functions, and made from data."""
    assert len(patterns) > 500
    places = {place for found in patterns.values() for place in found.places}
    holders = {place.split(":")[0].removeprefix("augkit.") for place in places}
    assert len(holders) > 80
    assert holders >= {
        "augmenters.llm_checks.form",
        "core.yaml_files",
        "english.polarity.ratings",
        "lexicons.evaluative",
        "text.features.amounts",
        "text.markdown",
        "text.placeholders",
    }
    written = {pattern for pattern, _ in patterns}
    # Held by a closure, written within a function, and listed in a data file.
    assert r"[.!?](?=\s|$)" in written
    assert r"(?<=\d)(?:st|nd|rd|th)$" in written
    assert any("hesitate to" in pattern for pattern in written)


@pytest.mark.parametrize(
    ("pattern", "operation"),
    [
        (r"\s+$", "search"),
        (r"(a+)b", "finditer"),
        (r"x(a+)+b", "match"),
        (r"(?:^|[.!?]\s+)\W*(?:text|label)\s*:", "search"),
    ],
)
def test_finds_a_planted_pattern(pattern, operation):
    """A pattern that takes the square of a text's length, or more, does not go unseen."""
    planted = Patterns()
    planted.add(re.compile(pattern), "planted", MEASURED_AS[operation])
    [found] = planted.values()
    assert slow_text(found, hard_texts(found.pattern, whole=False)) is not None


@pytest.mark.parametrize("pattern", [r"(?<!\s)\s+$", r"(?<!a)(a+)b", r"[^\W\d_]+|\d"])
def test_passes_a_pattern_that_is_linear(pattern):
    """A run is looked at where it begins, or matches."""
    planted = Patterns()
    planted.add(re.compile(pattern), "planted", "finditer")
    [found] = planted.values()
    assert slow_text(found, hard_texts(found.pattern, whole=True)) is None


def test_takes_the_length_of_a_text(patterns):
    """Of each pattern, texts that are drawn from those made of its pieces."""
    _check(patterns, whole=False)


@pytest.mark.long
def test_takes_the_length_of_any_text(patterns):
    """All texts made of the pieces of each pattern."""
    _check(patterns, whole=True)


def _check(patterns: Patterns, *, whole: bool) -> None:
    slow = []
    for (written, _), found in patterns.items():
        texts = hard_texts(found.pattern, whole=whole)
        if not whole:
            drawn = DRAWN if len(written) < LONG_PATTERN else DRAWN_OF_LONG
            texts = Random(repr(written)).sample(texts, min(drawn, len(texts)))
        taken = slow_text(found, texts)
        if taken is not None:
            where = ", ".join(sorted(found.places))
            slow.append(f"{where}: {written!r}: {taken}")
    assert not slow, "\n".join(slow)
