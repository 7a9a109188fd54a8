"""``fix`` and ``split`` on choices: preference pairs, multiple choice, and verdicts."""

import shlex

import pytest

import augkit as package
from augkit.commands.fix.choices import SWAPPED, load_choice_data
from augkit.commands.fix.parts import AS_IT_IS, MARK, SplitSettings
from augkit.commands.split import split_dataset
from augkit.core.choices import Choice
from augkit.datasets.settings import ReadOptions
from augkit.text.features.item_features import ItemTexts
from tests.data import preferences, quiz, read_jsonl, write_jsonl

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    """One fix of preference pairs, shared by the tests that only look at it."""
    folder = tmp_path_factory.mktemp("fixed")
    path = write_jsonl(folder / "my prefs.jsonl", preferences(240))
    return package.fix(path, out=folder / "out", methods=["mirror", "normalise"])


def test_the_form_of_winners_is_found_broken_and_proved(fixed):
    """The cue is Markdown and its length; the challenge set fails as it is, and a method helps."""
    assert [cue.first.kind for cue in fixed.chosen] == ["form"]
    assert fixed.before.challenge.high < fixed.before.test.low
    assert fixed.before.test.value > 0.7
    assert fixed.outcome == "fixed"
    assert fixed.best.scores.challenge.low > fixed.before.challenge.high
    assert {method.name for method in fixed.tried} == {"mirror", "normalise"}


def test_the_files_have_the_shape_that_was_read(fixed):
    """Chosen and rejected, everywhere; the dropped file is a part of the training file."""
    files = fixed.split.files
    assert set(files) == {"train", "test", "challenge", "dropped", "all dropped"}
    rows = {part: read_jsonl(path) for part, path in files.items()}
    for part, found in rows.items():
        marked = {MARK} if part == "challenge" else set()
        assert all({"prompt", "chosen", "rejected"} | marked == set(row) for row in found)
    train, test = ({row["prompt"] for row in rows[part]} for part in ("train", "test"))
    assert not train & test
    assert {row["prompt"] for row in rows["dropped"]} < train
    assert {"chosen", "rejected"} <= set(read_jsonl(fixed.train_on)[0])


def test_the_cue_points_to_the_loser_in_the_challenge_set(fixed):
    """Every loser is the longer one; what was swapped has the words that it had."""
    words = {row["prompt"]: row for row in read_jsonl(fixed.split.files["test"])}
    challenge = read_jsonl(fixed.split.files["challenge"])
    assert {row[MARK] for row in challenge} == {AS_IT_IS, SWAPPED}
    for row in challenge:
        assert len(row["rejected"]) > len(row["chosen"])
        original = words[row["prompt"]]
        for side in ("chosen", "rejected"):
            plain = [
                text[side].replace("*", "").replace("-", "").split() for text in (row, original)
            ]
            assert plain[0] == plain[1]


def test_dropping_leaves_the_cue_at_chance(fixed):
    """By a slow count: as many winners as losers are the longer ones."""
    signs = [
        (len(row["chosen"]) > len(row["rejected"])) - (len(row["chosen"]) < len(row["rejected"]))
        for row in read_jsonl(fixed.split.files["dropped"])
    ]
    assert sum(signs) == 0
    assert signs.count(1) > 0


def test_every_command_to_repeat_a_step_works(fixed, augkit):
    """Each command is run as it is printed; the split it repeats is the same, byte for byte."""
    assert {"find", "split", "break", "prove", "check again", "all rows"} == fixed.commands.keys()
    before = {part: path.read_bytes() for part, path in fixed.split.files.items()}
    for step, command in fixed.commands.items():
        done = augkit(*shlex.split(command)[1:])
        assert done.code in ({0, 1} if "check" in command else {0}), f"{step}: {done.err}"
    assert {part: path.read_bytes() for part, path in fixed.split.files.items()} == before


def test_the_screen_and_the_page_speak_of_items(fixed):
    """No label is spoken of; 80 columns but for commands and paths; the page has the verdict."""
    screen = str(fixed).partition("Repeat each step:")[0]
    assert "What gives the winner away" in screen
    assert "dropping items" in screen
    assert "label" not in screen
    assert not [line for line in screen.splitlines() if len(line) > 80 and "/" not in line]
    page = (fixed.folder / "report.html").read_text(encoding="utf-8")
    assert "Fixed:" in page
    assert "What gives the winner away" in page


def test_signs_agree_with_a_plain_comparison(tmp_path):
    """1 where the winner is the longest, -1 where a loser is, 0 where they are as long."""
    path = write_jsonl(tmp_path / "prefs.jsonl", preferences(120))
    data = load_choice_data(path, ReadOptions(), None)
    cue = data.named_cues(data.find_cues(), ["characters"])[0]
    choices = [
        Choice(("aaaa", "bb"), (0,)),
        Choice(("aa", "bbbb"), (0,)),
        Choice(("aa", "bb"), (0,)),
        Choice(("a", "bb", "ccc"), (2,)),
        Choice(("a", "bbb", "ccc"), (2,)),
        Choice(("a", "bbb", "cc"), (2,)),
    ]
    rows = ItemTexts(choices, places_matter=False)
    lengths = [[len(text) for text in choice.candidates] for choice in choices]
    slow = []
    for choice, sizes in zip(choices, lengths, strict=True):
        top = {n for n, size in enumerate(sizes) if size == max(sizes)}
        winners = set(choice.winners)
        varies = len(top) < len(sizes)
        slow.append(0 if not varies else 1 if top <= winners else -1 if not top & winners else 0)
    assert cue.signs(rows).tolist() == slow


def test_a_place_is_evened_out_and_what_cannot_be_measured_is_said(tmp_path, augkit):
    """Multiple choice: orders change in the challenge set, and the answer moves with them."""
    path = write_jsonl(tmp_path / "quiz.jsonl", quiz(240))
    done = augkit("fix", path, "--cue", "place 1", "--method", "positions", "--out", "out")
    assert done.code == 0, done.err
    assert "A reward model reads one candidate at a time" in " ".join(done.out.split())
    original = {row["question"]: row for row in read_jsonl(path)}
    for row in read_jsonl(tmp_path / "out" / "challenge.jsonl"):
        before = original[row["question"]]
        assert row["answer"] != 0
        assert row["options"][row["answer"]] == before["options"][before["answer"]]
        assert sorted(row["options"]) == sorted(before["options"])


@pytest.mark.long
def test_the_bundled_pairs_end_in_the_right_verdict(tmp_path):
    """Length and Markdown are the cues, and leaving items out breaks them."""
    result = package.fix("pairs-demo", out=tmp_path / "out", methods=["prune"])
    assert {cue.name for cue in result.chosen} == {"characters", "bold phrases"}
    assert result.outcome == "fixed"
    assert {method.name for method in result.tried} == {"prune", "prune-cue"}
    assert result.before.challenge.value < 0.3
    assert result.best.scores.challenge.value > 0.5


def test_scores_move_with_the_completions_whose_order_changes(tmp_path):
    """In a challenge set against the first place every completion keeps its score."""
    rows = [
        {"prompt": f"{n}?", "completions": [f"{n} a", f"{n} b", f"{n} c"], "scores": [3, 1, 2]}
        for n in range(120)
    ]
    path = write_jsonl(tmp_path / "scored.jsonl", rows)
    settings = SplitSettings(data=str(path), cues=("place 1",), out=tmp_path / "parts")
    challenge = read_jsonl(split_dataset(settings).files["challenge"])
    scores = {"a": 3, "b": 1, "c": 2}
    for row in challenge:
        assert row["scores"] == [scores[text[-1]] for text in row["completions"]]
    assert {row["completions"][0][-1] for row in challenge} == {"c"}


def test_a_split_of_choices_is_the_seed_s(tmp_path):
    """Same seed, same bytes; another seed, another test part."""
    path = write_jsonl(tmp_path / "prefs.jsonl", preferences(160))
    splits = [
        split_dataset(SplitSettings(data=str(path), out=tmp_path / name, seed=seed))
        for name, seed in (("a", 0), ("b", 0), ("c", 1))
    ]
    first, again, elsewhere = ({p: f.read_bytes() for p, f in s.files.items()} for s in splits)
    assert first == again
    assert first["test"] != elsewhere["test"]


def test_groups_stay_on_one_side(tmp_path):
    """--group-column: no group has items to train on and items to test on."""
    rows = [{**row, "topic": f"t{n % 20}"} for n, row in enumerate(preferences(160))]
    path = write_jsonl(tmp_path / "prefs.jsonl", rows)
    settings = SplitSettings(data=str(path), out=tmp_path / "a", group_column="topic")
    files = split_dataset(settings).files
    train, test = ({row["topic"] for row in read_jsonl(files[part])} for part in ("train", "test"))
    assert train
    assert test
    assert not train & test
