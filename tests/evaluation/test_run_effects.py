"""What a run left of its strongest shortcuts."""

from augkit.core.results import Survey
from augkit.evaluation.run_effects import replacement, shortcut_caveats, shortcut_lines


def row(name, before, after, *, fate="left", rows=50, **more):
    """A row of a survey of a run, as the finder writes it."""
    figures = {"rows": rows, "share": before, "base": 0.5}
    now = {"rows": rows if after else 0, "share": after, "base": 0.482}
    names = {"field": "text", "kind": "token", "feature": name, "name": f"'{name}'"}
    judged = {"label": "bad", "fate": fate, "shortcut": True}
    return {**names, **judged, **figures, "after": now, **more}


def new(name, **more):
    """A row of what is new."""
    return {**row(name, 1.0, 1.0, fate="new", **more), "after": None}


def lines(folder, *rows):
    Survey(rows=rows).save(folder / "shortcuts")
    return shortcut_lines(folder)


def test_each_shortcut_has_its_share_before_and_after(tmp_path):
    """What still predicts the label, what does not, and what turned; and the label's own share."""
    assert lines(
        tmp_path,
        row("branch", 0.942, 0.795),
        {**row("on", 0.9, 0.52, fate="gone", rows=9), "name": "first word 'on'"},
        row("went", 0.9, 0.0, fate="reversed", rows=30, now="good"),
    ) == [
        "'branch' (bad): 94 % of 50 rows → 80 % of 50 (base 50 → 48 %): still predicts it",
        "first word 'on' (bad): 90 % of 9 rows → 52 % of 9 (base 50 → 48 %): no longer predicts it",
        "'went' (bad): 90 % of 30 rows → no such rows (base 50 → 48 %): now predicts 'good'",
    ]


def test_words_of_the_task_have_no_line(tmp_path):
    """A word of opinion may belong to the label, before and after."""
    great = row("great", 0.9, 0.8, shortcut=False)
    awful = new("awful", shortcut=False)
    assert lines(tmp_path, great, awful) == []
    assert shortcut_caveats(tmp_path) == []
    assert lines(tmp_path, great, row("branch", 0.9, 0.8))[0].startswith("'branch'")


def test_the_three_strongest_are_lines(tmp_path):
    """Of those before, and of the new ones; with their field where there are several."""
    found = lines(
        tmp_path,
        *(row(name, 0.9, 0.8, field=field) for name, field in zip("abcd", "ttut", strict=True)),
        *(new(name) for name in "efgh"),
    )
    assert [line.split(" (")[0] for line in found] == [
        "'a' in t", "'b' in t", "'c' in u",
        "new: 'e' in text", "new: 'f' in text", "new: 'g' in text",
    ]  # fmt: skip


def test_a_renamed_and_a_reversed_shortcut_are_named(tmp_path):
    """A mask in the place of a word, and a word that is left with the other label alone."""
    app = row("app", 0.92, 0.02, fate="reversed", now="good")
    gone = row("shop", 0.92, 0.0, fate="gone", rows=40)
    assert lines(tmp_path, app, gone, new("mask"))[-1] == (
        "new: 'mask' (bad): 100 % of 50 rows (base 50 %): predicts it"
    )
    assert shortcut_caveats(tmp_path) == [
        "has a new shortcut: 'mask' (bad)",
        "has a shortcut reversed: 'app' (bad) now predicts 'good'",
    ]
    assert replacement(tmp_path) == "renamed"
    lines(tmp_path, app, gone)
    assert replacement(tmp_path) == "reversed"
    lines(tmp_path, gone)
    assert shortcut_caveats(tmp_path) == []
    assert replacement(tmp_path) == ""


def test_a_new_shortcut_takes_a_place_where_one_is_empty(tmp_path):
    """Where one as large is gone; beside one that is left, or far smaller, it is just new."""
    for rows, expected in (
        ([row("shop", 0.9, 0.8), new("mask")], ""),
        ([row("shop", 0.9, 0.0, fate="gone"), new("mask", rows=24)], ""),
        ([row("shop", 0.9, 0.0, fate="gone"), new("mask", rows=25)], "renamed"),
    ):
        lines(tmp_path, *rows)
        assert replacement(tmp_path) == expected
        assert shortcut_caveats(tmp_path)[0] == "has a new shortcut: 'mask' (bad)"


def test_of_choices_a_new_habit_of_winners_takes_the_place_of_another(tmp_path):
    """Where it is half as strong as the strongest was, or stronger."""
    assert replacement(tmp_path) == ""
    old = {"kind": "length", "feature": "is longer", "accuracy": 0.9, "association": 0.8}
    for strength, expected in ((0.3, ""), (0.4, "renamed")):
        new = {**old, "feature": "is shorter", "association": strength, "new": True}
        Survey(rows=[old, new]).save(tmp_path / "shortcuts")
        assert replacement(tmp_path) == expected


def test_a_shortcut_that_is_still_there_is_a_caveat(tmp_path):
    """The strongest one; it is weaker where it is as near to the base as half of what it was."""
    lines(tmp_path, row("branch", 0.9, 0.8), row("x", 0.8, 0.8))
    assert shortcut_caveats(tmp_path) == ["still has a shortcut of the originals: 'branch' (bad)"]
    assert lines(tmp_path, row("app", 0.92, 0.6))[0].endswith(
        ": still predicts it, but less strongly"
    )
    assert shortcut_caveats(tmp_path) == [
        "still has a shortcut of the originals: 'app' (bad), but less strongly"
    ]


def test_no_line_without_what_became_of_it(tmp_path):
    """No survey, or a finder of your own that does not say it."""
    assert shortcut_lines(tmp_path) == []
    assert shortcut_caveats(tmp_path) == []
    other = {"feature": "x", "label": "bad", "share": 0.9, "after": {"share": 0.4}}
    assert lines(tmp_path, other) == []
