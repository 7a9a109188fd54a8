"""The card of a run's dataset."""

import json

import pytest
import yaml

from augkit.commands.publish.card import CARD, write_card
from augkit.runs.settings import RunSettings

EVIL = "<script>alert(1)</script> ```` [link](http://evil) {{ braces }}"


@pytest.fixture
def run(tmp_path):
    """A real run over texts with markup in them."""
    from augkit.runs.execute import run

    rows = [{"text": f"A good film, number {n}. {EVIL}", "label": EVIL} for n in range(3)]
    data = tmp_path / "films.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = {"pairs": [["film", "movie"]]}
    return run(RunSettings(method="swap", dataset=str(data), options=options), tmp_path / "run")


def written_card(run):
    """The card that is written into the folder."""
    return write_card(run).read_text(encoding="utf-8")


def test_the_card_can_be_read_by_the_hub_and_by_people(run):
    """Its head is YAML with the file of the split; text of the data stays inside fences."""
    card = written_card(run)
    _, head, body = card.split("---\n", 2)
    metadata = yaml.safe_load(head)
    assert metadata["configs"][0]["data_files"] == [{"split": "train", "path": "dataset.jsonl"}]
    assert metadata["size_categories"] == ["n<1K"]
    assert "`swap`" in body
    assert "3 variants were accepted" in body
    assert "\nmethod: swap\n" in body
    outside, fence = [], ""
    for line in body.splitlines():
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if len(ticks) >= 3 and not fence:
            fence = ticks
        elif fence and line == fence:
            fence = ""
        elif not fence:
            outside.append(line)
    assert fence == ""
    assert not any("<script>" in line or "](http" in line for line in outside)


def test_every_method_has_its_warnings(run):
    """The papers' warnings stand on the card of their method; what holds for all on every card."""
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "method": "panda"}))
    card = written_card(run)
    assert "misinformation" in card
    assert "licence" in card


def test_a_run_without_a_dataset_has_no_card(run):
    """There is nothing yet that a card could describe."""
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "status": "interrupted"}))
    assert write_card(run) is None
    assert not (run / CARD).exists()
