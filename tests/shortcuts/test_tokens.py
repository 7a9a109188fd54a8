"""The cues of the one definition, as a survey, as a comparison, and as targets."""

from augkit.core.protocols import Target
from augkit.core.types import example
from augkit.shortcuts.fit import fit_finder
from augkit.shortcuts.tokens import TokenFinder, TokensConfig


def signed(rows):
    """The rows; every eighth of one label ends with a signature."""
    signature = "sent from my phone"
    return [
        example(f"{row.fields['text']} {signature}", row.label, occurrence=n) if n % 8 == 1 else row
        for n, row in enumerate(rows)
    ]


def test_a_planted_word_comes_first(planted):
    """The planted word is a likely shortcut with its label, and the first feature of all."""
    survey = TokenFinder.survey(planted(), TokensConfig(), None)
    first = survey.rows[0]
    assert (first["feature"], first["label"], first["cue"]) == ("indeed", "yes", "'indeed'")
    assert first["shortcut"]
    assert first["with label"] / first["rows"] == first["share"]
    shortcuts, words = survey.tables
    assert (shortcuts.title, words.title) == ("Likely shortcuts: 1", "Words of the task: 0")
    assert shortcuts.rows[0][:2] == ("'indeed'", "yes")


def test_every_feature_of_a_cue_is_a_row(planted):
    """The words of a signature are rows of one cue; --find marks them."""
    rows = signed(planted())
    survey = TokenFinder.survey(rows, TokensConfig(), None)
    of_cue = {row["feature"] for row in survey.rows if row.get("cue") == "'sent from my phone'"}
    assert {"sent", "from my phone", "phone"} <= of_cue
    (targets,) = fit_finder("tokens", rows, top=100).find([example("Sent from my phone", "yes")])
    reasons = {(target.start, target.end): target.reason for target in targets}
    assert reasons[0, 12] == "3-gram sent from my → yes"
    assert reasons[13, 18] == "token phone → yes"


def test_words_of_the_task_are_no_targets():
    """Words of opinion go with the label by right: nothing is marked."""
    said = {"good": ["great", "lovely"], "bad": ["awful", "dreadful"]}
    rows = [
        example(f"it was {said[label][n % 2]} in town {n % 7} for {n % 11} days", label)
        for n in range(400)
        for label in said
    ]
    survey = TokenFinder.survey(rows, TokensConfig(), None)
    judged = {row["feature"]: row.get("shortcut") for row in survey.rows}
    assert judged["great"] is judged["awful"] is False
    finder = fit_finder("tokens", rows)
    assert {"great", "awful"}.isdisjoint(feature.feature for feature in finder.features)


def test_before_and_after(planted):
    """A shortcut that was removed is gone; one that came in its place is new."""
    before = planted()
    after = [
        example(row.fields["text"].replace("indeed", "surely"), row.label, occurrence=n)
        for n, row in enumerate(before)
    ]
    survey = TokenFinder.compare(before, after, TokensConfig(), None)
    assert [(row["name"], row["fate"]) for row in survey.rows] == [
        ("'indeed'", "gone"),
        ("'surely'", "new"),
    ]
    gone, new = survey.rows
    assert gone["after"]["rows"] == new["before"]["rows"] == 0
    assert [table.title for table in survey.tables] == ["Gone: 1", "New: 1"]


def test_nothing_to_compare():
    """Without a cue on either side there is nothing to list."""
    rows = [example(f"text {n}", "ab"[n % 2]) for n in range(60)]
    survey = TokenFinder.compare(rows, rows, TokensConfig(), None)
    assert (list(survey.rows), survey.tables[0].title) == ([], "Cues before and after: 0")


def test_targets_are_the_features_of_the_rows_own_label(planted, tmp_path):
    """The planted word is marked under its own label only; without a label, always."""
    finder = fit_finder("tokens", planted(), top=1)
    text = "So, Indeed the dog runs."
    target = Target("text", 4, 10, "token indeed → yes", finder.features[0].strength)
    rows = [example(text, "yes"), example(text, "no"), example(text), example("", "yes")]
    assert finder.find(rows) == [[target], [], [target], []]
    finder.save(tmp_path)
    assert TokenFinder.load(tmp_path) == finder
