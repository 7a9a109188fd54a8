"""The user's prompts and examples: checked before they are used, and named where they are wrong."""

import pytest
import yaml

from augkit.core.errors import ConfigError
from augkit.prompts.load import BUNDLED, active_prompts, bundled_prompt, load_prompt
from augkit.prompts.overrides import read_prompts

JUDGE = "back_translation/translate"
INPUTS = {"text": "Es regnet.", "source": "German", "target": "English"}
ANSWER = {"text": "It rains."}


def write(folder, prompt_id=JUDGE, **changes):
    """A prompt file like the bundled one, with some changes."""
    values = bundled_prompt(JUDGE).model_dump(mode="json") | {"id": prompt_id} | changes
    path = folder / f"{prompt_id}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(values), encoding="utf-8")
    return path


def test_a_file_replaces_ours_and_changes_the_digest(tmp_path):
    write(tmp_path, version=7)
    prompts = read_prompts(tmp_path)
    with active_prompts(prompts):
        assert load_prompt(JUDGE).version == 7
        assert load_prompt("judge/label") == BUNDLED.load("judge/label")
    first = prompts.digest
    write(tmp_path, version=8)
    assert len({first, read_prompts(tmp_path).digest, read_prompts().digest}) == 3


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"id": "judge/label"}, r"translate.yaml: id: expected 'back_translation/translate'"),
        ({"inputs": ["text"], "messages": []}, r"translate.yaml(:\d+)?: messages"),
        (
            {
                "inputs": ["text"],
                "messages": [{"role": "user", "content": "{{ text | data }}"}],
                "examples": [],
            },
            r"translate.yaml: inputs: the method gives exactly text, source, target",
        ),
        ({"colour": "red"}, r"translate.yaml:\d+: colour: unknown key"),
        ({"examples": [{"inputs": {}, "answer": "x"}]}, r"examples.other.0: .*needs the input"),
    ],
)
def test_a_bad_file_is_an_error_that_names_file_and_field(tmp_path, changes, says):
    path = write(tmp_path)
    values = yaml.safe_load(path.read_text(encoding="utf-8")) | changes
    path.write_text(yaml.safe_dump(values), encoding="utf-8")
    with pytest.raises(ConfigError, match=says):
        read_prompts(tmp_path)


def test_a_file_that_replaces_nothing_is_an_error(tmp_path):
    """A misspelt name would be ignored otherwise; so would an empty folder."""
    with pytest.raises(ConfigError, match="no prompt files"):
        read_prompts(tmp_path)
    write(tmp_path, "back_translation/translat")
    with pytest.raises(ConfigError, match=r"translat.yaml: there is no prompt"):
        read_prompts(tmp_path)


def test_examples_replace_ours_for_all_families_or_for_some(tmp_path):
    """A list is for all; a mapping leaves the other families as they are."""
    given = [{"inputs": INPUTS, "answer": ANSWER}]
    prompts = read_prompts(examples={JUDGE: given})
    assert [one.answer for one in prompts.load(JUDGE, "sentiment").shown] == [ANSWER]
    path = tmp_path / "examples.yaml"
    path.write_text(yaml.safe_dump({JUDGE: {"sentiment": given}}), encoding="utf-8")
    prompts = read_prompts(examples=str(path))
    assert [one.answer for one in prompts.load(JUDGE, "sentiment").shown] == [ANSWER]
    assert prompts.load(JUDGE, "nli").shown == BUNDLED.load(JUDGE, "nli").shown


@pytest.mark.parametrize(
    ("examples", "says"),
    [
        ({"judge/labl": []}, "examples: there is no prompt 'judge/labl'"),
        ({JUDGE: [{"inputs": {"text": "x"}, "answer": ANSWER}]}, "examples.other.0.*needs the"),
        ({JUDGE: {"sentimental": []}}, f"{JUDGE}: examples.sentimental"),
        ("data:0", "expected a number"),
        ("no-such-file.yaml", "no-such-file.yaml: no such file"),
    ],
)
def test_bad_examples_are_an_error_that_names_them(examples, says):
    with pytest.raises(ConfigError, match=says):
        read_prompts(examples=examples)


def test_rows_of_the_dataset_can_be_the_examples():
    assert read_prompts(examples="data:3").rows_as_examples == 3
    assert read_prompts(examples="data:3").digest
