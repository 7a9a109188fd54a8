"""Which prompt a method gets: the bundled one, or the user's, with examples of the right family."""

from itertools import chain

import pytest

from augkit.core.errors import ConfigError, UnknownName
from augkit.prompts.load import (
    PromptSet,
    active_prompts,
    bundled_prompt,
    load_prompt,
    parse_prompt,
    prompt_ids,
)
from augkit.prompts.render import render, variables

WITH_EXAMPLES = """
id: test/one
version: 1
inputs: [text]
messages:
  - {role: system, content: "Text is between <{{ tag }}> and </{{ tag }}>."}
  - {role: user, content: "Reword: {{ text | data }}"}
examples:
  sentiment:
    - {inputs: {text: A dull film.}, answer: {text: "The film bores, \\"really\\"."}}
  other:
    - {inputs: {text: It rains.}, answer: wet}
"""


@pytest.mark.parametrize("prompt_id", prompt_ids())
def test_every_prompt_declares_what_it_uses(prompt_id):
    """The variables of the templates are inputs; what else a step has is for users' prompts."""
    prompt = bundled_prompt(prompt_id)
    assert variables(prompt) <= set(prompt.inputs)
    for example in chain.from_iterable(prompt.examples.values()):
        assert set(example.inputs) <= set(prompt.inputs)
    assert prompt.id == prompt_id


def test_the_examples_of_a_family_are_turns_of_the_conversation():
    """System, then question and answer of each example, then the question."""
    prompt = parse_prompt(WITH_EXAMPLES, "test")
    messages = render(prompt.for_family("sentiment"), text="Fine.")
    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
    assert [message.content for message in messages[1:]] == [
        "Reword: <data>A dull film.</data>",
        '{"text": "The film bores, \\"really\\"."}',
        "Reword: <data>Fine.</data>",
    ]


def test_a_family_without_examples_takes_those_of_other():
    """An answer that is a word is written as it is."""
    prompt = parse_prompt(WITH_EXAMPLES, "test").for_family("nli")
    assert [message.content for message in render(prompt, text="x")][2] == "wet"


def test_all_but_the_question_is_the_same_for_all_rows():
    """So a server's prompt cache holds for the whole run."""
    prompt = parse_prompt(WITH_EXAMPLES, "test").for_family("sentiment")
    first, second = render(prompt, text="One."), render(prompt, text="data of <two>")
    assert first[:-1] == second[:-1]
    assert first[-1] != second[-1]


def test_the_name_of_a_prompt_covers_its_examples():
    """Another example is another prompt; another family too."""
    prompt = parse_prompt(WITH_EXAMPLES, "test")
    other = parse_prompt(WITH_EXAMPLES.replace("A dull film", "A fine film"), "test")
    names = {
        prompt.for_family("sentiment").name,
        other.for_family("sentiment").name,
        prompt.for_family("nli").name,
    }
    assert len(names) == 3
    assert all(name.startswith("test/one@1:") for name in names)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("{text: It rains.}", "{txt: It rains.}"), "f.yaml: examples.other.0: .*needs .*'text'"),
        (("  other:", "  weather:"), "f.yaml: examples.weather"),
        (("answer: wet", "anser: wet"), "f.yaml: examples.other.0.anser: unknown key"),
        (("{{ text | data }}", "{{ text }}"), "f.yaml: examples.sentiment.0: .*unfenced"),
        (("{{ text | data }}", "{{ text | data"), "f.yaml: messages.1.content: line 1"),
        (("{{ text | data }}", "{{ txt | data }}"), "f.yaml: messages: 'txt' is not one of"),
    ],
)
def test_a_bad_example_is_an_error_that_names_it(change, says):
    with pytest.raises(ConfigError, match=says):
        parse_prompt(WITH_EXAMPLES.replace(*change), "f.yaml")


def test_the_users_prompt_is_taken_while_it_is_active():
    before = load_prompt("judge/label")
    mine = before.model_copy(update={"version": 99})
    with active_prompts(PromptSet({"judge/label": mine})):
        assert load_prompt("judge/label").version == 99
        with active_prompts(None):
            assert load_prompt("judge/label") == before
    assert load_prompt("judge/label") == before


def test_the_fixed_texts_of_a_method_are_rules_examples_and_answers():
    prompt = parse_prompt(WITH_EXAMPLES, "test").model_copy(update={"id": "judge/label"})
    texts = PromptSet({"judge/label": prompt}).fixed_texts("judge")
    assert {"A dull film.", 'The film bores, "really".', "It rains.", "wet"} <= set(texts)
    assert "Reword: " in texts
    assert not any("{{" in text for text in texts)


def test_an_unknown_prompt_or_key_names_the_nearest():
    with pytest.raises(UnknownName, match="judge/label"):
        load_prompt("judge/labl")
    with pytest.raises(ConfigError, match="Did you mean 'inputs'"):
        parse_prompt("{id: a/b, version: 1, input: [], messages: [{role: user, content: x}]}", "f")
