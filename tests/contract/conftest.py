"""What some methods cannot do without, made on the spot."""

from __future__ import annotations

import json

import pytest

from augkit.testing import ORDINARY


@pytest.fixture(scope="session")
def needed_settings(tmp_path_factory, request):
    """A function from a method's name to the settings that it cannot be made without."""
    folder = tmp_path_factory.mktemp("needed")

    def tiny_model():
        return {
            "model": str(request.getfixturevalue("tiny_masked_model")),
            "training": {"epochs": 1, "learning_rate": 1e-3},
        }

    made = {
        "c-bert": tiny_model,
        "compose": lambda: {"steps": ["mask-words", {"method": "swap", "options": {}}]},
        "mirror": lambda: {"pairs": "every"},
        "prune": lambda: {"tolerance": 0.3},
        "restyle": lambda: {"verify": False},
        "human": lambda: {"file": str(revisions(folder)), "key": "number"},
    }
    known = {}

    def settings(method):
        if method not in known:
            known[method] = made[method]() if method in made else {}
        return known[method]

    return settings


def revisions(folder):
    """A file in which every single text of the contract's examples is revised."""
    path = folder / "revisions.jsonl"
    lines = [
        json.dumps(
            {
                "text": row.fields["text"].replace("A ", "No ").replace("The ", "Few "),
                "label": "negative" if row.label == "positive" else "positive",
                **row.columns,
            }
        )
        for row in ORDINARY
        if "text" in row.fields
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
