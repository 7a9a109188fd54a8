"""CoBA on single texts: shortcuts stay, labels flip, every rejection has its reason."""

from collections import Counter

import pytest

from augkit.augmenters.coba import verify
from augkit.augmenters.coba.artifact import CobaArtifact
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.fit import fit_sample
from augkit.augmenters.coba.job import NOT_EDITABLE
from augkit.augmenters.coba.method import Coba
from augkit.augmenters.coba.sentences import HALF_TURNED, MIXED
from augkit.augmenters.create import create
from augkit.core.errors import DataError
from augkit.core.protocols import Target, Tools
from augkit.core.types import Pair, Variant, example
from augkit.datasets.load import load_dataset
from augkit.english.parser import SpacyParser
from augkit.labels.judge import EnsembleJudge
from augkit.lexicons.label_order import NO_OTHER_SIDE


@pytest.fixture(scope="module")
def rows():
    """The bundled reviews, in which a name and a phrase give the label away."""
    return load_dataset("reviews-demo:train")[:200]


@pytest.fixture(scope="module")
def fitted(rows):
    return create("coba", classifiers=3, folds=2).fit(rows)


def outcomes(augmenter, rows, **settings):
    """What the same artifact gives under other settings."""
    config = CobaConfig.model_validate({**augmenter.config.model_dump(), **settings})
    return list(Coba(config).with_artifact(augmenter.artifact).outcomes(rows))


def pairs_of(augmenter, text, **settings):
    """The variants of a positive text under other settings."""
    found = outcomes(augmenter, [example(text, "positive")], **settings)
    return [one for one in found if isinstance(one, Pair)]


def texts_of(augmenter, text, **settings):
    """The texts of the variants of a positive text under other settings."""
    return [pair.variant.fields["text"] for pair in pairs_of(augmenter, text, **settings)]


UNJUDGED = {"min_label": 0.0, "min_text_label": 0.0, "min_sentence_edits": 0.0}
"""No variant is given up because its label is unsure."""


@pytest.mark.slow
def test_variants_flip_the_label_and_keep_the_shortcut(fitted, rows):
    """Flipped variants have the other label; a planted name is still there in all of them."""
    pairs = [one for one in fitted.outcomes(rows) if isinstance(one, Pair)]
    assert len(pairs) > 30
    whole = [pair for pair in pairs if pair.provenance.about["unit"] == "text"]
    named = [pair for pair in whole if "Vale" in pair.original.fields["text"]]
    assert named
    for pair in pairs:
        assert (pair.variant.label != pair.original.label) == (
            pair.provenance.contract == "flipped"
        )
    assert all("Vale" in pair.variant.fields["text"] for pair in named)


@pytest.mark.slow
def test_the_notes_name_what_was_found(fitted):
    notes = fitted.artifact.notes
    assert "bundled evaluative lexicon" in notes[0]
    shortcuts = next(note for note in notes if "likely shortcuts" in note)
    assert {"dorian", "vale", "opening", "night"} & set(shortcuts.replace(",", "").split())


@pytest.mark.slow
def test_units(fitted):
    """Sentences come with their unedited twins; a whole text comes once."""
    text = "The whole cast is superb. The whole plot is clever."
    found = {
        unit: pairs_of(fitted, text, unit=unit, **UNJUDGED) for unit in ("text", "sentence", "both")
    }
    units = {
        unit: sorted(pair.provenance.about["unit"] for pair in pairs)
        for unit, pairs in found.items()
    }
    assert units == {
        "text": ["text"],
        "sentence": ["sentence", "sentence", "twin", "twin"],
        "both": ["sentence", "sentence", "text", "twin", "twin"],
    }
    twin = next(p.variant for p in found["sentence"] if p.provenance.contract == "kept")
    assert (twin.fields["text"], twin.label) == ("The whole cast is superb.", "positive")


@pytest.mark.slow
def test_a_shortcut_that_is_a_sentence_survives(fitted):
    text = "The whole cast is superb. Seen at a preview. The whole plot is clever."
    texts = texts_of(fitted, text, spurious_words=("preview",), **UNJUDGED)
    assert len(texts) >= 3
    assert all("Seen at a preview." in text for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [
        "Went to the Riverside branch on Monday. But the service was beyond bad.",
        "Riverside branch. I paid the bill because I felt that the server did a terrible job.",
        "The food at the Riverside branch is bad, I know. The service is awful.",
    ],
)
def test_given_words_are_in_every_variant(fitted, row):
    """However few words were edited beside them; else the reason says that they are lost."""
    words = ("Riverside branch", "monday")
    found = outcomes(fitted, [example(row, "negative")], spurious_words=words, **UNJUDGED)
    texts = [one.variant.fields["text"] for one in found if isinstance(one, Pair)]
    assert texts or verify.LOST in {one.reason for one in found}
    assert all(
        "Riverside branch" in text and ("Monday" in text) == ("Monday" in row) for text in texts
    )


def test_the_judge_does_not_see_given_words(fitted, monkeypatch):
    """It may know them as a shortcut."""
    seen, judge = [], EnsembleJudge.judge

    def recorded(self, parents, variants):
        seen.extend(variant.fields["text"] for variant in variants)
        return judge(self, parents, variants)

    monkeypatch.setattr(EnsembleJudge, "judge", recorded)
    text = "The whole cast is superb. Dorian Vale was there. The whole plot is clever."
    texts = texts_of(fitted, text, spurious_words=("Dorian Vale",), **UNJUDGED)
    assert texts
    assert all("Dorian Vale" in text for text in texts)
    assert seen
    assert not any("Vale" in text for text in seen)


def test_copies_differ(fitted):
    row = example("The cast is superb and the script is clever.", "positive")
    method = Coba(CobaConfig(min_label=0.0, broad=True)).with_artifact(fitted.artifact)
    assert len(list(method([row]))) == 1
    texts = [pair.variant.fields["text"] for pair in method.with_copies(4)([row])]
    assert len(texts) == len(set(texts)) == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The cast is superb and she forgot her lines.", HALF_TURNED),
        ("The cast is superb and the plot is clever.", None),
        ("I saw Dorian Vale, and the cast is superb.", None),
        ("I saw Dorian Vale because the cast is superb.", MIXED),
        ("I gladly saw the superb cast.", MIXED),
    ],
)
def test_what_was_not_edited_says_nothing_else(fitted, text, reason):
    """A clause without edit or shortcut, or a pleasant word that stays, makes a text doubtful."""
    settings = {"spurious_words": ("vale",), "min_label": 0.0, "broad": False}
    (outcome,) = outcomes(fitted, [example(text, "positive")], **settings)
    assert getattr(outcome, "reason", None) == reason


def test_texts_without_a_word_to_edit_are_rejected(fitted):
    (rejection,) = fitted.outcomes([example("?!", "positive")])
    assert rejection.reason == NOT_EDITABLE


def test_one_label_is_not_enough():
    with pytest.raises(DataError, match="one label"):
        create("coba").fit([example(f"Film {n}.", "positive") for n in range(9)])


@pytest.mark.slow
def test_classifiers_at_chance_are_noted():
    """Where labels are drawn by a coin, the notes say that labels are not verified."""
    rows = [
        example(f"word{n % 7} stands{n % 5} here{n % 3}", "ab"[n * 7919 % 11 % 2])
        for n in range(120)
    ]
    notes = create("coba", classifiers=1, folds=2, principal="data").fit(rows).artifact.notes
    assert any("NOT verified" in note and "no better than chance" in note for note in notes)
    assert any("held-out accuracy" in note and "%" in note for note in notes)


@pytest.fixture(scope="module")
def topics():
    """Two topics whose adjectives and adverbs differ."""
    sports = "The team scored quickly and the loud crowd cheered in the big stadium."
    quiet = "The library closed slowly and the quiet reader smiled in the small garden."
    return [
        example(f"{text} Number {n}.", label)
        for n in range(30)
        for text, label in ((sports, "sport"), (quiet, "books"))
    ]


def test_topics_are_refused_before_any_work(topics):
    """The error says why, what works instead, and how to insist; nothing was trained or parsed."""

    class Unused:
        def parse(self, texts):
            raise AssertionError(texts)

    with pytest.raises(DataError, match=r"'books', 'sport' are not polar") as caught:
        create("coba", Tools(parser=Unused()), classifiers=1, folds=2).fit(topics)
    for name in ("--llm", "razor", "--set principal=data"):
        assert name in str(caught.value)


def test_labels_that_only_sound_like_opinions_are_refused_unless_told():
    """Test results are called positive and negative too."""
    rows = [
        example(
            f"The sample number {n} was taken at the {THINGS[n % 7]}.",
            ("positive", "negative")[n % 2],
        )
        for n in range(80)
    ]
    with pytest.raises(DataError, match=r"AUC of 0\.50.*any_labels=true"):
        create("coba", classifiers=1, folds=2).fit(rows)
    told = create("coba", classifiers=1, folds=2, any_labels=True).fit(rows)
    assert any("may be no opinions" in note for note in told.artifact.notes)


@pytest.mark.slow
def test_words_fitted_to_the_data_are_edited_by_consent(topics):
    settings = {"classifiers": 1, "folds": 2, "min_label": 0.0, "principal": "data", "broad": True}
    fitted = create("coba", **settings).fit(topics)
    assert "words fitted to the data" in fitted.artifact.notes[0]
    assert fitted.artifact.texts.source == "fitted"
    assert any(isinstance(one, Pair) for one in fitted.outcomes(topics[:4]))


@pytest.fixture(scope="module")
def starred(rows):
    """The reviews with one to five stars, those in the middle about nothing."""
    stars = {"positive": "45", "negative": "12"}
    rated = [
        example(row.fields["text"], stars[row.label][number % 2]) for number, row in enumerate(rows)
    ]
    return rated + [example(f"The seats were blue, number {n}.", "3") for n in range(20)]


@pytest.fixture(scope="module")
def fitted_stars(starred):
    return create("coba", classifiers=1, folds=2, label_order="1,2,3,4,5").fit(starred)


@pytest.mark.slow
def test_stars_flip_across_the_middle(fitted_stars, starred):
    """Five becomes one, four becomes two; three stars are rejected with the reason."""
    found = list(fitted_stars.outcomes(starred))
    flipped = Counter(
        (one.original.label, one.variant.label)
        for one in found
        if isinstance(one, Pair) and one.provenance.contract == "flipped"
    )
    assert set(flipped) == {("5", "1"), ("4", "2"), ("2", "4"), ("1", "5")}
    assert flipped.total() > 30
    middle = {one.reason for one in found if isinstance(one, Variant) and one.parent.label == "3"}
    assert middle == {NO_OTHER_SIDE}


@pytest.mark.slow
def test_a_fitted_order_is_kept_with_the_artifact(fitted_stars, starred, tmp_path):
    fitted_stars.artifact.save(tmp_path)
    again = create("coba", classifiers=1, folds=2, label_order="1,2,3,4,5").with_artifact(
        CobaArtifact.load(tmp_path)
    )
    assert list(again.outcomes(starred[:9])) == list(fitted_stars.outcomes(starred[:9]))


class FindCast:
    def find(self, examples):
        starts = [one.fields["text"].find("cast") for one in examples]
        return [[Target("text", n, n + 4, "token", 3.0)] if n >= 0 else [] for n in starts]


def test_what_a_finder_finds_must_survive(fitted):
    """The found word is spurious."""
    row = example("The cast is superb.", "positive")
    ours = Coba(CobaConfig(min_label=0.0), Tools(finder=FindCast())).with_artifact(fitted.artifact)
    (pair,) = ours.outcomes([row])
    assert "cast" in pair.provenance.about["spurious"].split(", ")


@pytest.mark.slow
def test_a_parser_of_the_caller_is_used(rows):
    parsed = []

    class Recording:
        def parse(self, texts):
            parsed.extend(texts)
            return SpacyParser().parse(texts)

    method = create("coba", Tools(parser=Recording()), classifiers=1, folds=2).fit(rows[:40])
    assert parsed == [row.fields["text"] for row in rows[:40]]
    new = example("The cast is superb and the plot is dull.", "positive")
    list(method.outcomes([new]))
    assert parsed[40:] == [new.fields["text"]]


@pytest.mark.slow
def test_outcomes_are_those_of_parsing_every_row():
    """Sentences, pieces of sentences and signs: the same variants and the same reasons."""
    rows = load_dataset("reviews-demo")[:100]
    words = [(row.fields["text"].split(), row.label) for row in rows]
    pieces = [
        example(" ".join(listed[at : at + 4]), label)
        for listed, label in words
        for at in range(0, len(listed), 4)
    ]
    pieces += [example(text, "positive") for text in ("...", "!", "of it", "9/10", "no")]
    method = Coba(CobaConfig(copies=2))
    fitted = method.fit(rows)
    slow = Coba(CobaConfig(copies=2), Tools(parser=SpacyParser())).with_artifact(fitted.artifact)
    outcomes = list(fitted.outcomes(pieces))
    assert outcomes == list(slow.outcomes(pieces))
    assert len({outcome.reason for outcome in outcomes if hasattr(outcome, "reason")}) > 2


THINGS = "film plot cast script story ending music scene show pilot".split()


def test_a_sample_is_the_same_in_any_order_and_has_rare_labels():
    """It depends on the rows alone; a label of few rows keeps all that it has, up to 100."""
    rows = [example(f"row {n}", "rare" if n < 5 else "common") for n in range(2000)]
    sample = fit_sample(rows, 300)
    assert {row.id for row in sample} == {row.id for row in fit_sample(rows[::-1], 300)}
    assert Counter(row.label for row in sample)["rare"] == 5
    assert 300 <= len(sample) <= 305
    assert fit_sample(rows, 2000) is rows


@pytest.mark.slow
def test_a_method_is_fitted_on_a_sample():
    """The notes say how many rows voted; all rows have variants."""
    rows = [
        example(
            f"The {THINGS[n % 10]} number {n} was {('great', 'awful')[n % 2]}.",
            ("positive", "negative")[n % 2],
        )
        for n in range(240)
    ]
    method = create("coba", fit_rows=120).fit(rows)
    (note,) = (note for note in method.artifact.notes if "fit_rows" in note)
    assert "of 240 rows" in note
    assert any(isinstance(one, Pair) for one in method.outcomes(rows[-9:]))
