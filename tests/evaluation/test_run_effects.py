"""What a run left of its strongest shortcuts."""

from augkit.core.results import Survey
from augkit.core.types import example
from augkit.evaluation.run_effects import replacement, shortcut_caveats, shortcut_lines
from augkit.shortcuts.tokens import TokenFinder, TokensConfig


def row(feature, before, after, *, q=0.001, field="text", kind="token", rows=50):
    figures = {"rows": rows, "share": before, "base": 0.5, "q": 0.001}
    now = {"rows": rows if after else 0, "share": after, "base": 0.482, "z": 1.0, "q": q}
    names = {"field": field, "kind": kind, "feature": feature, "label": "bad"}
    return {**names, **figures, "z": 9.0, "after": now}


def lines(folder, *rows):
    Survey(rows=rows, about={"alpha": 0.05}).save(folder / "shortcuts")
    return shortcut_lines(folder)


def test_each_shortcut_has_its_share_before_and_after(tmp_path):
    """What still predicts the label, what does not, and what is gone; and the label's own share."""
    assert lines(
        tmp_path,
        row("branch", 0.942, 0.795),
        row("on", 0.9, 0.52, q=0.3, kind="first word", rows=9),
        row("went", 0.9, 0.0, q=1.0, rows=30),
    ) == [
        "'branch' (bad): 94 % of 50 rows → 80 % of 50 (base 50 → 48 %): still predicts it",
        "first word 'on' (bad): 90 % of 9 rows → 52 % of 9 (base 50 → 48 %): no longer significant",
        "'went' (bad): 90 % of 30 rows → no such rows (base 50 → 48 %): no longer significant",
    ]


def test_what_only_the_correction_hides_is_reported(tmp_path):
    """A rare shortcut that is left in part: its own p is small, its corrected p is not."""
    left = row("lumen", 0.92, 0.62, q=0.2)
    left["after"]["p"] = 0.03
    (line,) = lines(tmp_path, left)
    assert line.endswith(": much weaker; what remains may be chance")


def test_the_finder_gives_the_p_that_the_correction_hides(tmp_path):
    """9 of 10 rows with the word have the label; many other words are tested with it."""

    def rows(bad_of_ten):
        others = [(f"w{n % 40} x{n % 37} y{n % 31}", ("bad", "good")[n % 2]) for n in range(400)]
        held = [(f"lumen w{n}", "bad" if n < bad_of_ten else "good") for n in range(10)]
        return [example(text, label, occurrence=n) for n, (text, label) in enumerate(others + held)]

    config = TokensConfig(ngrams=1, positions=False)
    survey = TokenFinder.compare(rows(10), rows(9), config, None)
    survey.save(tmp_path / "shortcuts")
    assert any(
        line.startswith("'lumen' (bad)") and line.endswith("what remains may be chance")
        for line in shortcut_lines(tmp_path)
    )


def test_a_word_of_opinion_is_named_as_one(tmp_path):
    """Where it still predicts the label: that may be what the label means."""
    left, gone = lines(tmp_path, row("great", 0.9, 0.8), row("awful", 0.9, 0.5, q=0.4, rows=30))
    assert left.endswith(": still predicts it (a word of opinion, which may belong to the label)")
    assert gone.endswith(": no longer significant")


def test_words_of_one_shortcut_are_one_line(tmp_path):
    """A word of the same rows, an n-gram with a word shown, and all after the third."""
    found = lines(
        tmp_path,
        row("branch", 0.9, 0.8),
        row("riverside", 0.9, 0.8),
        row("the riverside", 0.8, 0.8, rows=30),
        row("monday", 0.7, 0.7, field="claim"),
        row("visited", 0.6, 0.6),
        row("again", 0.5, 0.5),
    )
    assert [line.split(" (")[0] for line in found] == [
        "'branch' in text",
        "'monday' in claim",
        "'visited' in text",
    ]


def test_what_is_left_of_a_phrase_is_reported(tmp_path):
    """A name was replaced by others, and the words around it still give the label away."""
    features = [
        row("at norden", 0.84, 0.57, q=0.2, rows=157),
        row("bought at norden", 0.84, 0.57, q=0.2, rows=150),
        row("great", 0.8, 0.8, rows=90),
        row("bought at", 0.83, 0.82, rows=160),
        row("bought", 0.83, 0.81, rows=162),
        row("at all", 0.8, 0.8, rows=30),
    ]
    found = lines(tmp_path, *features)
    assert [line.split("'")[1] for line in found] == ["at norden", "bought at", "great"]
    assert found[0].endswith("no longer significant")
    assert found[1].endswith("still predicts it")


def test_a_renamed_and_a_reversed_shortcut_are_named(tmp_path):
    """A mask in the place of a word, and a word that is left with the other label alone."""
    masked = row("app", 0.92, 0.02, q=1.0)
    other = {**row("app", 1.0, None), "label": "good", "after": None, "new": True}
    mask = {**row("mask", 1.0, None), "z": 5.0, "after": None, "new": True}
    weak = {**row("and", 0.6, None), "z": 4.0, "after": None, "new": True}
    opinion = {**row("awful", 1.0, None), "z": 6.0, "after": None, "new": True}
    more = {**row("also", 1.0, None), "z": 6.0, "after": None, "new": True, "before": {"z": 4.0}}
    assert lines(tmp_path, masked, weak, other, opinion, more, mask) == [
        "'app' (bad): 92 % of 50 rows → 2 % of 50 (base 50 → 48 %): now predicts 'good'",
        "new: 'mask' (bad): 100 % of 50 rows (base 50 %): predicts it",
    ]
    assert shortcut_caveats(tmp_path) == [
        "has a new shortcut: 'mask' (bad)",
        "has a shortcut reversed: 'app' (bad) now predicts 'good'",
    ]
    assert replacement(tmp_path) == "renamed"
    lines(tmp_path, masked, weak, other)
    assert replacement(tmp_path) == "reversed"
    lines(tmp_path, masked, weak)
    assert shortcut_caveats(tmp_path) == []
    assert replacement(tmp_path) == ""


def test_of_choices_a_new_habit_of_winners_takes_the_place_of_another(tmp_path):
    """Where it is half as strong as the strongest was, or stronger."""
    assert replacement(tmp_path) == ""
    old = {"kind": "length", "feature": "is longer", "accuracy": 0.9, "association": 0.8}
    for strength, expected in ((0.3, ""), (0.4, "renamed")):
        new = {**old, "feature": "is shorter", "association": strength, "new": True}
        Survey(rows=[old, new]).save(tmp_path / "shortcuts")
        assert replacement(tmp_path) == expected


def test_a_shortcut_that_is_still_there_is_a_caveat(tmp_path):
    """The strongest one, or what is left of its phrase; a word of opinion is none."""
    lines(tmp_path, row("great", 0.9, 0.8), row("branch", 0.9, 0.8, rows=30), row("x", 0.8, 0.8))
    assert shortcut_caveats(tmp_path) == ["still has a shortcut of the originals: 'branch' (bad)"]
    lines(tmp_path, row("at norden", 0.84, 0.5, q=0.2), row("bought at", 0.83, 0.82, rows=52))
    (left,) = shortcut_caveats(tmp_path)
    assert left.endswith(": 'bought at' (bad)")


def test_a_far_weaker_shortcut_is_named_so(tmp_path):
    """It is as near to the label's share of all rows as half of what it was, or nearer."""
    other = {**row("app", 0.58, None), "label": "good", "after": None, "new": True}
    assert [line.split(": ")[-1] for line in lines(tmp_path, row("app", 0.92, 0.42), other)] == [
        "now predicts 'good', but less strongly"
    ]
    assert lines(tmp_path, row("app", 0.92, 0.6))[0].endswith(
        ": still predicts it, but less strongly"
    )
    assert shortcut_caveats(tmp_path) == [
        "still has a shortcut of the originals: 'app' (bad), but less strongly"
    ]


def test_no_line_without_figures_of_the_result(tmp_path):
    """No survey, a feature that is new, or a finder whose rows have no corrected p."""
    assert shortcut_lines(tmp_path) == []
    assert shortcut_caveats(tmp_path) == []
    other = {"feature": "x", "label": "bad", "share": 0.9, "after": {"share": 0.4}}
    assert lines(tmp_path, other, {**other, "after": None, "new": True}) == []
