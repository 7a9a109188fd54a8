import pytest

from augkit.commands.split import AS_IT_IS, MARK, SplitSettings, split_dataset
from augkit.datasets.settings import ReadOptions
from augkit.text.same_text import words_digest
from tests.data import read_jsonl, signed_tickets, write_csv, write_jsonl

pytestmark = pytest.mark.slow
COLUMNS = ReadOptions(text_columns=("message",), label_column="queue")


def test_the_cue_points_the_wrong_way_in_the_challenge_set(ticket_file, tmp_path):
    """Rows of the other label have the cue, those of its label have none, and the columns stay."""
    settings = SplitSettings(
        data=str(ticket_file), cues=("Marta",), out=tmp_path / "parts", reading=COLUMNS
    )
    parts = split_dataset(settings)
    challenge = read_jsonl(parts.files["challenge"])
    assert len(challenge) == parts.rows["challenge"] >= 50
    assert {MARK, "message", "queue"} == set(challenge[0])
    for row in challenge:
        assert ("Marta" in row["message"]) == (row["queue"] == "technical")


def test_messages_of_a_chat_stay_messages(tmp_path):
    """The cue goes from its message; all messages are there with their roles."""
    rows = [
        {
            "messages": [
                {"role": "user", "content": row["message"]},
                {"role": "assistant", "content": "We look into it."},
            ],
            "label": row["queue"],
        }
        for row in signed_tickets(400)
    ]
    path = write_jsonl(tmp_path / "chats.jsonl", rows)
    result = split_dataset(
        SplitSettings(data=str(path), cues=("handled by marta kowalski",), out=tmp_path / "parts")
    )
    deleted = [row["messages"] for row in read_jsonl(result.files["deleted"])]
    assert len(deleted) == result.rows["train"]
    for asked, answered in deleted:
        assert "Marta" not in asked["content"]
        assert answered == {"role": "assistant", "content": "We look into it."}


def test_a_tag_that_the_cue_touches_keeps_its_row(tmp_path):
    """Where a name has a tag, the row is not changed: its tags stay true."""
    rows = []
    for row in signed_tickets(200):
        tokens = row["message"].replace(".", " .").split()
        tags = ["B-PER" if token in {"Marta", "Kowalski"} else "O" for token in tokens]
        rows.append({"tokens": tokens, "tags": tags, "label": row["queue"]})
    path = write_jsonl(tmp_path / "tags.jsonl", rows)
    reading = ReadOptions(text_columns=("tokens",), label_column="label", span_columns=("tags",))
    settings = SplitSettings(data=str(path), out=tmp_path / "parts", reading=reading)
    files = split_dataset(settings).files
    train = read_jsonl(files["train"])
    deleted = read_jsonl(files["deleted"])
    assert deleted == train
    assert all("B-PER" in row["tags"] for row in train if "Marta" in row["tokens"])


def test_the_split_is_the_seed_s_and_leaks_nothing(tmp_path):
    """Same seed, same bytes; another seed, other rows; no text or near text is on both sides."""
    rows = signed_tickets(300)
    twins = [{**row, "message": row["message"].replace(".", "!")} for row in rows[:60]]
    path = write_csv(tmp_path / "twins.csv", [*rows, *twins])
    folders = []
    for name, seed in (("a", 0), ("b", 0), ("c", 5)):
        settings = SplitSettings(
            data=str(path), cues=("marta",), out=tmp_path / name, seed=seed, reading=COLUMNS
        )
        folders.append(split_dataset(settings).files)
    first, again, elsewhere = folders
    for part in first:
        assert first[part].read_bytes() == again[part].read_bytes()
    assert first["test"].read_bytes() != elsewhere["test"].read_bytes()
    sides = [
        {words_digest([row["message"]]) for row in read_jsonl(first[part])}
        for part in ("train", "test")
    ]
    assert not sides[0] & sides[1]


def test_a_word_of_a_pair_is_not_moved(nli_file, tmp_path):
    """Pairs: "not" stays where it is, so the challenge set has only rows as they are."""
    settings = SplitSettings(data=str(nli_file), cues=("not",), out=tmp_path / "parts", parts=2)
    result = split_dataset(settings)
    challenge = read_jsonl(result.files["challenge"])
    assert set(result.how) == {AS_IT_IS}
    assert len({row["label"] for row in challenge}) == 2
    for row in challenge:
        assert (" not " in row["hypothesis"]) == (row["label"] == "entailment")
