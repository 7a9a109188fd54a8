"""A setting that nothing reads is an error that names it, and what to do."""

import pytest

from augkit.augmenters.coba.config import CobaConfig, TextRuleSettings
from augkit.augmenters.coba.method import Coba
from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.core.protocols import Tools
from augkit.core.types import example
from augkit.llm.made_up import conforming
from augkit.llm.scripted import Scripted

LLM = Tools(llm=Scripted(conforming))
PAIRS = [
    example({"premise": "A dog runs.", "hypothesis": "A dog moves."}, "entailment"),
    example({"premise": "A dog runs.", "hypothesis": "A cat sleeps."}, "contradiction"),
]
UNITS = {
    "unit": "text",
    "twins": False,
    "broad": True,
    "any_labels": True,
    "min_text_label": 0.5,
    "min_sentence_edits": 1.0,
}


def refused(tools, settings, advice):
    """Making coba is an error that names the settings and the advice."""
    with pytest.raises(ConfigError, match=f"{', '.join(settings)} ha.*{advice}"):
        create("coba", tools, **settings)


@pytest.mark.parametrize("name", UNITS)
def test_settings_of_units_are_read_by_the_rules_alone(name):
    """These settings need edits of the text, which a model does not give."""
    setting = {name: UNITS[name]}
    refused(LLM, setting, "edit_by=offline")
    create("coba", **setting)
    create("coba", LLM, edit_by="offline", **setting)


@pytest.mark.parametrize(
    "setting",
    [
        {"temperature": 1},
        {"max_tokens": 1},
        {"keep_words": 1},
        {"calls": "one"},
        {"label_descriptions": {"a": "b"}},
    ],
)
def test_settings_of_a_model_are_read_where_one_edits(setting):
    refused(None, setting, "give an LLM")
    create("coba", LLM, **setting)


@pytest.mark.parametrize("setting", [{"permute": True}, {"decompose_by": "offline"}])
def test_settings_of_single_steps_are_read_in_steps(setting):
    """One call decomposes, edits and reconstructs; nothing comes in between."""
    with pytest.raises(ConfigError, match="calls=steps"):
        create("coba", LLM, calls="one", **setting)
    create("coba", LLM, calls="steps", **setting)


def test_a_default_that_is_set_explicitly_is_an_error_too():
    """What the user wrote counts; what was restored from a dump of all settings does not."""
    refused(LLM, {"broad": False}, "")
    restored = CobaConfig.model_validate(CobaConfig().model_dump())
    Coba(restored, LLM)
    with pytest.raises(ConfigError, match="broad, unit have"):
        Coba(
            CobaConfig.model_validate({**restored.model_dump(), "broad": True, "unit": "text"}), LLM
        )


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"broad": True}, "broad has"),
        ({"classifiers": 3, "unit": "text"}, "classifiers, unit have"),
        ({"min_label": 0.9}, "min_label has"),
        ({"ensemble": "linear-three"}, "ensemble has"),
    ],
)
def test_pairs_without_an_llm_read_less_and_that_is_known_at_fit(settings, names):
    """Before anything is trained, a corpus of pairs alone is an error."""
    method = create("coba", **settings)
    with pytest.raises(ConfigError, match=f"{names} no effect without an LLM for pairs"):
        method.fit(PAIRS)


def test_pairs_in_one_call_have_no_ensemble():
    """The words of pairs are the user's there, unless classifiers are to vote or a model names."""
    with pytest.raises(ConfigError, match="top_k has no effect with an LLM for pairs"):
        create("coba", LLM, calls="one", top_k=3).fit(PAIRS)
    create("coba", LLM, top_k=3).fit(PAIRS)
    create("coba", LLM, top_k=3, identify="llm").fit(PAIRS)


@pytest.mark.parametrize(
    ("settings", "broad"),
    [({}, False), ({"spurious_words": ("vale",)}, True), ({"broad": True}, True)],
)
def test_the_wide_choice_is_for_shortcuts_that_the_user_names(settings, broad):
    """They are to be broken in training; else texts are for readers."""
    assert TextRuleSettings.of(CobaConfig(**settings)).broad is broad


def test_found_words_need_a_finder():
    refused(None, {"found_words": "replace"}, "finder")
