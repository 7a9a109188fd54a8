"""CoBA on single texts: shortcuts stay, labels flip, every rejection has its reason."""

from collections import Counter

import pytest

from augkit.augmenters.coba import job as triples
from augkit.augmenters.coba import sentences, verify
from augkit.augmenters.coba import text_rules as rules
from augkit.augmenters.coba.artifact import CobaArtifact
from augkit.augmenters.coba.config import CobaConfig
from augkit.augmenters.coba.method import Coba
from augkit.augmenters.coba.sentences import MIXED
from augkit.augmenters.create import create
from augkit.augmenters.llm_checks import form
from augkit.core.errors import ConfigError, DataError
from augkit.core.protocols import Target, Tools
from augkit.core.types import Pair, Rejection, example
from augkit.datasets.load import load_dataset
from augkit.english.parser import SpacyParser
from augkit.labels.judge import DISAGREES, EnsembleJudge
from augkit.lexicons.label_order import NO_OTHER_SIDE


@pytest.fixture(scope="module")
def rows():
    """The bundled reviews, in which a name and a phrase give the label away."""
    return load_dataset("reviews-demo:train")[:200]


@pytest.fixture(scope="module")
def fitted(rows):
    """CoBA, fitted."""
    return create("coba", classifiers=3, folds=2).fit(rows)


def outcomes(augmenter, rows, **settings):
    """What the same artifact gives under other settings."""
    config = CobaConfig.model_validate({**augmenter.config.model_dump(), **settings})
    return list(Coba(config).with_artifact(augmenter.artifact).outcomes(rows))


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
    """The notes name the lexicon, the accuracies, and a planted word among the shortcuts."""
    notes = fitted.artifact.notes
    assert "bundled evaluative lexicon" in notes[0]
    shortcuts = next(note for note in notes if "likely shortcuts" in note)
    assert {"dorian", "vale", "opening", "night"} & set(shortcuts.replace(",", "").split())


@pytest.mark.slow
def test_every_rejection_has_one_of_the_reasons(fitted, rows):
    """Reasons are few, because they are counted."""
    modules = (verify, triples, sentences, rules, form)
    constants = [constant for module in modules for constant in vars(module).items()]
    known = {v for k, v in constants if k.isupper() and isinstance(v, str)}
    reasons = Counter(o.reason for o in fitted.outcomes(rows) if isinstance(o, Rejection))
    assert set(reasons) <= {*known, DISAGREES}


@pytest.mark.slow
def test_units(fitted):
    """Sentences come with their unedited twins; a whole text comes once."""
    row = example("The cast is superb. The plot is clever.", "positive")
    units = {}
    for unit in ("text", "sentence", "both"):
        found = outcomes(
            fitted,
            [row],
            unit=unit,
            draws=1,
            drop=0.0,
            min_label=0.0,
            min_sentence_label=0.0,
            label_precision=0.0,
        )
        units[unit] = sorted(one.provenance.about["unit"] for one in found if isinstance(one, Pair))
    assert units == {
        "text": ["text"],
        "sentence": ["sentence", "sentence", "twin", "twin"],
        "both": ["sentence", "sentence", "text", "twin", "twin"],
    }
    twin = next(
        one.variant
        for one in outcomes(
            fitted, [row], unit="sentence", min_sentence_label=0.0, label_precision=0.0
        )
        if isinstance(one, Pair) and one.provenance.contract == "kept"
    )
    assert (twin.fields["text"], twin.label) == ("The cast is superb.", "positive")


def test_a_shortcut_that_is_a_sentence_survives(fitted):
    """Beside every edited sentence, and in the whole text."""
    row = example("The cast is superb. Seen at a preview. The plot is clever.", "positive")
    judged_by_nobody = {
        "min_label": 0.0,
        "min_sentence_label": 0.0,
        "label_precision": 0.0,
        "drop": 0.0,
    }
    found = outcomes(fitted, [row], spurious_words=("preview",), **judged_by_nobody)
    texts = [one.variant.fields["text"] for one in found if isinstance(one, Pair)]
    assert len(texts) >= 3
    assert all("Seen at a preview." in text for text in texts)


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
    found = outcomes(fitted, [example(row, "negative")], spurious_words=words, min_label=0.0)
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
    row = example("The cast is superb. Dorian Vale was there. The plot is clever.", "positive")
    found = outcomes(fitted, [row], spurious_words=("Dorian Vale",), min_label=0.0)
    texts = [one.variant.fields["text"] for one in found if isinstance(one, Pair)]
    assert texts
    assert all("Dorian Vale" in text for text in texts)
    assert seen
    assert not any("Vale" in text for text in seen)


def test_copies_differ(fitted):
    """Several variants of one text are different ones."""
    row = example("The cast is superb and the script is clever.", "positive")
    found = outcomes(fitted, [row], copies=4, min_label=0.0)
    texts = [one.variant.fields["text"] for one in found if isinstance(one, Pair)]
    assert len(texts) == len(set(texts)) >= 2


def test_precedence(fitted):
    """With the paper's order a triple that also holds a spurious word is left alone."""
    row = example("The cast is superb.", "positive")
    settings = {"spurious_words": ("cast",), "min_label": 0.0}
    ours = outcomes(fitted, [row], **settings)
    papers = outcomes(fitted, [row], precedence="spurious", **settings)
    assert isinstance(ours[0], Pair)
    assert papers[0].reason == triples.NOT_EDITABLE


def test_gender_is_swapped_in_whole_chains(fitted):
    """With gender=swap the persons change too, their pronouns with them."""
    row = example("The actress is superb in her part.", "positive")
    (pair,) = outcomes(fitted, [row], gender="swap", min_label=0.0)
    assert "actor" in pair.variant.fields["text"]
    assert "in his part" in pair.variant.fields["text"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The cast is superb and she forgot her lines.", MIXED),
        ("The cast is superb and the plot is clever.", None),
        ("I saw Dorian Vale, and the cast is superb.", None),
        ("I saw Dorian Vale because the cast is superb.", MIXED),
        ("I gladly saw the superb cast.", MIXED),
    ],
)
def test_what_was_not_edited_says_nothing_else(fitted, text, reason):
    """A clause without edit or shortcut, or a pleasant word that stays, makes a text doubtful."""
    settings = {"spurious_words": ("vale",), "min_label": 0.0}
    (outcome,) = outcomes(fitted, [example(text, "positive")], **settings)
    assert getattr(outcome, "reason", None) == reason


def test_reconstruction_from_triples(fitted):
    """A sentence for every triple, in the order given."""
    row = example("The cast is superb and I loved the songs.", "positive")
    found = outcomes(fitted, [row], reconstruct_by="triples", min_label=0.0, shortest=0.1)
    (pair,) = found
    assert pair.variant.fields["text"].startswith("The cast is ")
    assert pair.variant.fields["text"].count(".") == 2


def test_deleting_normal_sentences(fitted):
    """Only sentences without principal or spurious words may be left out."""
    row = example("We sat down. The cast is superb. Then we went home.", "positive")
    (pair,) = outcomes(
        fitted,
        [row],
        unit="text",
        delete=1.0,
        drop=0.0,
        min_sentence_label=0.0,
        min_sentence_edits=0.0,
        label_precision=0.0,
        min_spurious=0.0,
        shortest=0.1,
    )
    assert "The cast is" in pair.variant.fields["text"]
    kept = outcomes(
        fitted,
        [row],
        min_sentence_edits=0.0,
        label_precision=0.0,
        unit="text",
        delete=0.0,
        drop=0.0,
        min_sentence_label=0.0,
    )[0]
    assert kept.variant.fields["text"].startswith("We sat down. The cast is ")


def test_a_whole_text_without_a_sentence_has_a_twin_without_it(fitted):
    """A question that may reverse the text goes, with its words; unit=text gives no twin."""
    row = example("The cast is superb. The plot is clever. Would you pay for that?", "positive")
    settings = {"drop": 0.01, "min_sentence_label": 0.0, "delete": 0.0, "draws": 1}
    found = [one for one in outcomes(fitted, [row], **settings) if isinstance(one, Pair)]
    whole, twin = found[:2]
    assert whole.provenance.about["unit"] == "text"
    assert whole.variant.label == "negative"
    assert whole.variant.fields["text"].count(".") == 2
    assert (twin.variant.label, twin.provenance.contract) == ("positive", "kept")
    assert twin.variant.fields["text"] == "The cast is superb. The plot is clever."
    (alone,) = outcomes(fitted, [row], unit="text", **{**settings, "draws": 5})
    assert alone.variant.fields == whole.variant.fields


def test_texts_without_a_triple_are_rejected(fitted):
    """Signs alone say nothing."""
    (rejection,) = fitted.outcomes([example("?!", "positive")])
    assert rejection.reason == triples.NO_TRIPLE


def test_an_even_ensemble_is_an_error():
    """A vote of four can be a tie."""
    with pytest.raises(ConfigError, match="odd"):
        create("coba", classifiers=4)


def test_one_label_is_not_enough():
    """A corpus with one label cannot be learnt, and the message says so."""
    with pytest.raises(DataError, match="one label"):
        create("coba").fit([example(f"Film {n}.", "positive") for n in range(9)])


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
            """No text should be parsed."""
            raise AssertionError(texts)

    with pytest.raises(DataError, match=r"'books', 'sport' are not polar") as caught:
        create("coba", Tools(parser=Unused()), classifiers=1, folds=2).fit(topics)
    for name in ("--llm", "razor", "mask-words", "panda", "eda", "--set principal=data"):
        assert name in str(caught.value)


def test_words_fitted_to_the_data_are_edited_by_consent(topics):
    """With principal=data, and the notes say that it is weak."""
    settings = {"classifiers": 1, "folds": 2, "min_label": 0.0, "principal": "data"}
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
    """CoBA on declared stars."""
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
    middle = {one.reason for one in found if isinstance(one, Rejection) and one.parent.label == "3"}
    assert middle == {NO_OTHER_SIDE}


@pytest.mark.slow
def test_a_fitted_order_is_kept_with_the_artifact(fitted_stars, starred, tmp_path):
    """What is read back gives the same variants."""
    fitted_stars.artifact.save(tmp_path)
    again = create("coba", classifiers=1, folds=2, label_order="1,2,3,4,5").with_artifact(
        CobaArtifact.load(tmp_path)
    )
    assert list(again.outcomes(starred[:9])) == list(fitted_stars.outcomes(starred[:9]))


class FindCast:
    """A finder of the word "cast"."""

    def find(self, examples):
        """A target where it occurs."""
        starts = [one.fields["text"].find("cast") for one in examples]
        return [[Target("text", n, n + 4, "token", 3.0)] if n >= 0 else [] for n in starts]


def test_what_a_finder_finds_must_survive(fitted):
    """The found word is spurious, and a triple that holds it stays under the paper's order."""
    row = example("The cast is superb.", "positive")
    config = CobaConfig(precedence="spurious", min_label=0.0)
    method = Coba(config, Tools(finder=FindCast())).with_artifact(fitted.artifact)
    assert [one.reason for one in method.outcomes([row])] == [triples.NOT_EDITABLE]
    ours = Coba(CobaConfig(min_label=0.0), Tools(finder=FindCast())).with_artifact(fitted.artifact)
    (pair,) = ours.outcomes([row])
    assert "cast" in pair.provenance.about["spurious"].split(", ")


def test_a_parser_of_the_caller_is_used(rows):
    """Fitting and proposing parse with ``Tools.parser``."""
    parsed = []

    class Recording:
        def parse(self, texts):
            """The bundled parser's analyses."""
            parsed.extend(texts)
            return SpacyParser().parse(texts)

    method = create("coba", Tools(parser=Recording()), classifiers=1, folds=2).fit(rows[:40])
    assert parsed == [row.fields["text"] for row in rows[:40]]
    new = example("The cast is superb and the plot is dull.", "positive")
    list(method.outcomes([new]))
    assert parsed[40:] == [new.fields["text"]]


def test_more_copies_of_a_method_that_was_used_before(fitted):
    """A method that made one variant makes four when asked for four."""
    row = example("The cast is superb and the script is clever.", "positive")
    one = Coba(CobaConfig(min_label=0.0)).with_artifact(fitted.artifact)
    assert len(list(one.outcomes([row]))) == 1
    assert len(list(one.with_copies(4).outcomes([row]))) == 4


@pytest.mark.slow
def test_the_judge_is_as_sure_of_short_texts_as_where_it_is_right(fitted):
    """The surer, the fewer of its own rows; one sentence with two labels has min_label alone."""
    texts = fitted.artifact.texts
    assert list(texts.certainty) == sorted(texts.certainty)
    assert len(texts.certainty) == 100
    least = texts.least_certain(0.95)
    assert least > texts.least_certain(0.5)
    two = example("The cast is superb. The plot is clever.", "positive")
    loose = {"min_label": 0.0, "min_sentence_label": 0.0, "drop": 0.0}

    def scores(row, precision):
        found = outcomes(fitted, [row], label_precision=precision, **loose)
        pairs = [one for one in found if isinstance(one, Pair)]
        return [pair.provenance.scores["label"] for pair in pairs if pair.provenance.scores]

    assert min(scores(two, 0.0)) < least
    assert all(score >= least for score in scores(two, 0.95))
    alone = example("The cast is superb.", "positive")
    assert scores(alone, 0.0) == scores(alone, 0.95) != []
