"""The bundled preference pairs are what their script writes from the questions."""

import json
from collections import Counter

import pytest
from build_pairs_demo import TARGET, splits


@pytest.mark.parametrize("split", ["train", "test"])
def test_the_files_are_what_the_script_writes(split):
    """A change of the questions or of the script changes the files in the same commit."""
    lines = (TARGET / f"{split}.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == splits()[split]


def test_no_topic_is_in_both_parts():
    """At least 60 topics; those of test are others, and each question of it comes three times."""
    train, test = splits()["train"], splits()["test"]
    assert len({row["group"] for row in train}) >= 60
    assert not {row["group"] for row in train} & {row["group"] for row in test}
    assert set(Counter(row["item"] for row in test).values()) == {3}
    levels = Counter(row["difficulty"] for row in test)
    assert levels == {"easy": 42, "normal": 42, "hard": 42}
