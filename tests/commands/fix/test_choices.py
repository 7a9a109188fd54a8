"""``fix`` and ``split`` on choices: preference pairs, multiple choice, and verdicts."""

import pytest

import augkit as package
from tests.data import preferences, read_jsonl, verdicts, write_jsonl

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    """One fix of preference pairs, shared by the tests that only look at it."""
    folder = tmp_path_factory.mktemp("fixed")
    path = write_jsonl(folder / "my prefs.jsonl", preferences(400, planted=0.55))
    return path, package.fix(path, out=folder / "out")


def test_items_are_left_out_until_the_audit_is_at_chance_or_discarding_is_advised(fixed):
    """The end says how many are left; fewer than a third are never recommended."""
    path, result = fixed
    (ending,) = result.endings
    assert ending.verdict in {"at chance", "rewrite or discard"}
    kept = read_jsonl(ending.files["the items that are left"])
    originals = [row["prompt"] for row in read_jsonl(path)]
    assert {row["prompt"] for row in kept} <= set(originals)
    assert len(kept) == ending.figures["kept"]
    if ending.verdict == "at chance":
        assert 3 * len(kept) >= len(originals)
        assert ending.figures["after"]["gain"] <= 0.05
        assert result.train_on is not None
    else:
        assert result.train_on is None


def test_the_screen_and_the_page_speak_of_items(fixed):
    """No label is spoken of; 80 columns but for commands and paths; the page has the verdict."""
    _, result = fixed
    screen = str(result).partition("Repeat each step:")[0]
    assert "What gives the winner away" in screen
    assert "label" not in screen
    assert not [line for line in screen.splitlines() if len(line) > 80 and "/" not in line]
    page = (result.folder / "report.html").read_text(encoding="utf-8")
    assert "What gives the winner away" in page


def test_a_feature_can_be_named_and_an_unknown_one_is_an_error(augkit, tmp_path):
    """--cue balances that feature alone."""
    path = write_jsonl(tmp_path / "prefs.jsonl", preferences(200))
    done = augkit("fix", path, "--cue", "characters", "--out", "out")
    assert done.code == 0, done.err
    assert "Fixing: 'characters' (you named it)" in done.out
    unknown = augkit("fix", path, "--cue", "no such thing", "--out", "other")
    assert unknown.code == 2
    assert "no such thing" in unknown.err


def test_verdicts_of_a_judge_are_refused(augkit, tmp_path):
    """Their habits are the judge's."""
    path = write_jsonl(tmp_path / "verdicts.jsonl", verdicts(40))
    done = augkit("fix", path)
    assert done.code == 2
    assert "the judge's habit" in done.err


def test_prompts_stay_on_one_side_of_a_split(tmp_path):
    """The parts have all items, and no prompt is in both."""
    path = write_jsonl(tmp_path / "prefs.jsonl", preferences(120))
    result = package.split(path, out=tmp_path / "parts")
    train, test = (
        {row["prompt"] for row in read_jsonl(result.files[part])} for part in ("train", "test")
    )
    assert not train & test
    assert len(train | test) == 120
