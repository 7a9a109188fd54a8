"""A run takes the user's prompts and examples, and records that it did."""

import json

import pytest
import yaml

from augkit.core.errors import ConfigError
from augkit.prompts.load import bundled_prompt
from augkit.runs.execute import run
from augkit.runs.manifest import read_manifest
from augkit.runs.settings import RunSettings

PROMPT = "back_translation/translate"
EXAMPLES = {
    PROMPT: [
        {
            "inputs": {"text": "Es regnet.", "source": "German", "target": "English"},
            "answer": {"text": "It rains."},
        }
    ]
}


@pytest.fixture
def replies(tmp_path):
    """A file of replies that fit any request."""
    path = tmp_path / "replies.jsonl"
    path.write_text(
        json.dumps({"match": "", "reply": json.dumps({"text": "A new text here."})}) + "\n"
    )
    return path


def settings(replies, **changes):
    """Two rows, back and forth."""
    given = {"method": "back-translation", "limit": 2, "llm": f"scripted:{replies}"}
    return RunSettings.model_validate(given | changes)


@pytest.mark.slow
def test_a_run_names_the_prompts_it_used(tmp_path, replies):
    """Examples change the name of the prompt in the manifest, and a resumed run needs the same."""
    plain = run(settings(replies), tmp_path / "plain")
    own = run(settings(replies, examples=EXAMPLES), tmp_path / "own")
    names = [set(read_manifest(folder).prompts) for folder in (plain, own)]
    assert names[0].isdisjoint(names[1])
    with pytest.raises(ConfigError, match=r"was started with (examples|prompt_digest)"):
        run(settings(replies), tmp_path / "own", resume=True)


def test_a_changed_prompt_file_stops_a_resume(tmp_path, replies):
    """The folder is the same, what is in it is not."""
    path = tmp_path / "mine" / f"{PROMPT}.yaml"
    path.parent.mkdir(parents=True)
    values = bundled_prompt(PROMPT).model_dump(mode="json")
    path.write_text(yaml.safe_dump(values | {"version": 50}))
    chosen = settings(replies, prompts=tmp_path / "mine")
    folder = run(chosen, tmp_path / "run")
    assert all(f"{PROMPT}@50:" in name for name in read_manifest(folder).prompts)
    path.write_text(yaml.safe_dump(values | {"version": 51}))
    with pytest.raises(ConfigError, match="prompt_digest"):
        run(chosen, tmp_path / "run", resume=True)


def test_prompts_without_a_model_are_an_error(tmp_path):
    """Nothing would read them."""
    chosen = RunSettings.model_validate({"method": "eda", "examples": EXAMPLES})
    with pytest.raises(ConfigError, match="pass --llm"):
        run(chosen, tmp_path / "run")
