"""A reward model of the user's: a function of a text, or of a prompt and a text."""

import pytest

from augkit.core.choices import Choice
from augkit.core.errors import ConfigError, DataError
from augkit.models.reward.functions import function_reward

CHOICE = Choice(("four", "sixsix"), (0,), "ten letters")


def test_a_function_of_a_text_or_of_prompt_and_text():
    assert function_reward(len).scores([CHOICE]).tolist() == [4, 6]
    assert function_reward(lambda text: -len(text)).scores([CHOICE]).tolist() == [-4, -6]
    both = function_reward(lambda prompt, text: len(prompt) + len(text))
    assert both.scores([CHOICE]).tolist() == [15, 17]


def test_a_module_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "my_rewards_1.py").write_text(
        "def shortest(text, scale=2):\n    return -scale * len(text)\n"
    )
    monkeypatch.chdir(tmp_path)
    reward = function_reward("my_rewards_1:shortest")
    assert reward.name == "my_rewards_1:shortest"
    assert reward.scores([CHOICE]).tolist() == [-8, -12]


@pytest.mark.parametrize(
    ("spec", "words"),
    [("no_such_module_1:score", "cannot be imported"), ("math:no_such", "no function 'no_such'")],
)
def test_what_cannot_be_found_is_said(spec, words):
    with pytest.raises(ConfigError, match=words):
        function_reward(spec)


def test_three_arguments_and_no_number_are_errors():
    with pytest.raises(ConfigError, match="takes 3 arguments"):
        function_reward(lambda one, two, three: 0)
    with pytest.raises(DataError, match="returned None for 'four'"):
        function_reward(lambda text: None).scores([CHOICE])
    with pytest.raises(DataError, match="finite number"):
        function_reward(lambda text: float("nan")).scores([CHOICE])
