"""Settings of razor from the command line, a YAML file and Python: the same run."""

import json

import pytest
import yaml

from augkit.augmenters.create import create
from augkit.core.errors import ConfigError
from augkit.runs.execute import run
from augkit.runs.manifest import read_manifest
from augkit.runs.settings import RunSettings

pytestmark = pytest.mark.slow

ROWS = [
    {"text": f"A truly {word} film, number {number}.", "label": label}
    for number in range(8)
    for word, label in (("wonderful", "positive"), ("dreadful", "negative"))
]
OPTIONS = [
    {"keeps": "meaning", "avoid": "shortcuts"},
    {"keeps": "label", "avoid": "none"},
    {"preset": "paper", "top": 3},
    {"score": "released", "top_of": "dataset", "requests": "separate", "loop": "paper"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_same_from_the_command_line_a_file_and_python(augkit, write_rows, tmp_path, options):
    """The requests, and so the files of the run, are the same byte for byte."""
    rows, script = write_rows(ROWS), tmp_path / "answers.jsonl"
    script.write_text(json.dumps({"match": "", "reply": {"texts": ["Some new text."]}}) + "\n")
    more = {"verify": False, "rounds": 1, "candidates": 1, **options}
    model = f"scripted:{script}"
    sets = [word for name, value in more.items() for word in ("--set", f"{name}={value}")]
    asked = ["run", "-m", "razor", "-d", rows, "--llm", model]
    assert augkit(*asked, *sets, "-o", "line").code == 0
    settings = {"method": "razor", "dataset": str(rows), "llm": model, "options": more}
    (tmp_path / "run.yaml").write_text(yaml.safe_dump(settings))
    assert augkit("run", "--config", "run.yaml", "-o", "file").code == 0
    run(RunSettings(**settings), tmp_path / "python")
    line, *others = (
        [(tmp_path / where / name).read_text() for name in ("variants.jsonl", "rejected.jsonl")]
        for where in ("line", "file", "python")
    )
    assert line == others[0] == others[1]
    assert read_manifest(tmp_path / "line").settings["options"] == more


@pytest.mark.parametrize("options", [{"keeps": "words"}, {"avoid": "all"}, {"loop": "twice"}])
def test_a_value_that_is_none_is_an_error_with_the_choices(options):
    """Before anything is asked of a model."""
    with pytest.raises(ConfigError, match=next(iter(options))):
        create("razor", **options)
