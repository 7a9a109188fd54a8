"""What is released: one version, one first command, the same Pythons everywhere."""

import json
import re
from pathlib import Path

import pytest
import yaml

import augkit

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in (ROOT / ".github" / "workflows").glob("*.yml")
}


def test_the_image_runs_the_first_command():
    """Without arguments the container does what the README's first command does."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    said = {line.split()[0]: line for line in lines if line.startswith(("ENTRYPOINT", "CMD"))}
    words = [*json.loads(said["ENTRYPOINT"].split(None, 1)[1])]
    words += json.loads(said["CMD"].split(None, 1)[1])
    first = re.search(r"<!-- newcomer: run -->\n```bash\n(.+)\n```", README)[1]
    assert first.endswith("/" + " ".join(words))


def test_the_citation_names_the_version():
    """``CITATION.cff`` and the package have one version."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == augkit.__version__


@pytest.mark.parametrize(("workflow", "job"), [("tests", "tests"), ("package", "install")])
def test_every_supported_python_is_tested(workflow, job):
    """The workflows run on the Pythons that the package names."""
    named = re.findall(r"Python :: (3\.\d+)\"", PROJECT)
    assert WORKFLOWS[workflow]["jobs"][job]["strategy"]["matrix"]["python"] == named
    assert f'requires-python = ">={named[0]}"' in PROJECT


def test_nothing_is_published_without_a_tag():
    """Only a tagged version that was built, installed and run is published, without a token."""
    publish = WORKFLOWS["package"]["jobs"]["publish"]
    assert publish["if"] == "startsWith(github.ref, 'refs/tags/')"
    assert {"build", "install"} <= set(publish["needs"])
    assert publish["permissions"] == {"id-token": "write"}
    assert "secrets." not in str(WORKFLOWS)
