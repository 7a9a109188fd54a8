"""A setting that nothing reads is an error that names it."""

import pytest

from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.llm.made_up import conforming
from augkit.llm.scripted import Scripted

LLM = Tools(llm=Scripted(conforming))
TEXTS = [example(f"Film {n}.", "ab"[n % 2]) for n in range(8)]
PAIRS = [
    example({"premise": "A dog runs.", "hypothesis": "A dog moves."}, "entailment"),
    example({"premise": "A dog runs.", "hypothesis": "A cat sleeps."}, "contradiction"),
]
UNITS = {
    "unit": "text",
    "text_share": 0.5,
    "draws": 2,
    "twins": False,
    "drop": 0.0,
    "max_left": 0.5,
    "min_edits": 1.0,
    "min_sentence_edits": 1.0,
    "min_sentence_label": 0.5,
    "label_precision": 0.5,
}


def message(tools, **settings):
    """The error of making coba with these settings."""
    with pytest.raises(ConfigError) as error:
        create("coba", tools, **settings)
    return str(error.value)


@pytest.mark.parametrize("name", UNITS)
def test_settings_of_units_have_no_effect_with_an_llm(name):
    """Ten settings need edits of the text, which a model does not give."""
    assert message(LLM, **{name: UNITS[name]}) == (
        f"coba: {name} has no effect with an LLM: remove it, or set edit_by=offline"
    )


def test_the_same_settings_are_read_offline():
    """With or without a model at hand, the rules read them."""
    create("coba", **UNITS)
    create("coba", LLM, edit_by="offline", **UNITS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", 1),
        ("max_tokens", 1),
        ("keep_words", 1),
        ("calls", "one"),
        ("label_descriptions", {"a": "b"}),
    ],
)
def test_settings_of_a_model_have_no_effect_without_one(name, value):
    """They are read where a model edits."""
    assert message(None, **{name: value}) == (
        f"coba: {name} has no effect without an LLM: remove it, or give an LLM"
    )
    create("coba", LLM, **{name: value})


@pytest.mark.parametrize("setting", [{"permute": True}, {"decompose_by": "offline"}])
def test_settings_of_single_steps_have_no_effect_in_one_call(setting):
    """One call decomposes, edits and reconstructs; nothing comes in between."""
    (name,) = setting
    assert message(LLM, calls="one", **setting) == (
        f"coba: {name} has no effect with an LLM: remove it, or set calls=steps"
    )
    create("coba", LLM, calls="steps", **setting)


def test_a_default_that_is_set_explicitly_is_an_error_too():
    """What the user wrote counts; what was restored from a dump of all settings does not."""
    assert message(LLM, draws=5).startswith("coba: draws has no effect with an LLM")
    restored = CobaConfig.model_validate(CobaConfig().model_dump())
    Coba(restored, LLM)
    with pytest.raises(ConfigError, match="draws, unit have no effect with an LLM: remove them"):
        Coba(CobaConfig.model_validate({**restored.model_dump(), "draws": 1, "unit": "text"}), LLM)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"delete": 0.5}, "delete has"),
        ({"classifiers": 3, "unit": "text"}, "classifiers, unit have"),
        ({"min_label": 0.9}, "min_label has"),
    ],
)
def test_pairs_without_an_llm_read_less_and_that_is_known_at_fit(settings, names):
    """Before anything is trained, a corpus of pairs alone is an error; one with texts is not."""
    method = create("coba", **settings)
    with pytest.raises(ConfigError) as error:
        method.fit(PAIRS)
    it = "it" if names.endswith("has") else "them"
    assert str(error.value) == (
        f"coba: {names} no effect without an LLM for pairs of texts: remove {it}"
    )


def test_pairs_in_one_call_have_no_ensemble():
    """The words of pairs are the user's there, unless classifiers are to vote or a model names."""
    with pytest.raises(ConfigError, match="top_k has no effect with an LLM for pairs of texts"):
        create("coba", LLM, calls="one", top_k=3).fit(PAIRS)
    create("coba", LLM, top_k=3).fit(PAIRS)
    create("coba", LLM, top_k=3, identify="llm").fit(PAIRS)


def test_found_words_need_a_finder():
    """The setting is about what a finder finds."""
    expected = "coba: found_words has no effect without a finder: give one"
    assert message(None, found_words="replace") == expected
