"""What common commands leave unloaded, so that they start soon."""

import json
import subprocess
import sys

import pytest

from tests.data import write_jsonl

LOADED = """
import io, json, sys
from contextlib import redirect_stdout
from augkit.cli.app import main
with redirect_stdout(io.StringIO()):
    try:
        main()
    except SystemExit:
        pass
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""
ROWS = [{"text": f"A film of {n} men, and no bad one.", "label": "ab"[n % 2]} for n in range(60)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["check rows.jsonl", "shortcuts rows.jsonl", "run -m eda -d rows.jsonl --limit 3 --out out"],
)
def test_a_file_is_looked_at_without_a_parser(command, tmp_path):
    """No spaCy, no torch and no matplotlib: none of them is needed to count words."""
    write_jsonl(tmp_path / "rows.jsonl", ROWS)
    called = [sys.executable, "-c", LOADED, *command.split()]
    done = subprocess.run(called, capture_output=True, text=True, cwd=tmp_path, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert loaded & {"spacy", "thinc", "torch", "matplotlib", "openai"} == set()
    assert "augkit" in loaded
