"""RAZOR as a whole: offline, with a scripted model, stopped and gone on."""

import json
import random
from dataclasses import replace

import pytest

from augkit.augmenters.create import create
from augkit.augmenters.razor.verify import fit_judge, lost_evidence
from augkit.core.errors import ConfigError, DataError
from augkit.core.model_types import Reply
from augkit.core.protocols import Target, Tools
from augkit.core.types import Pair, Variant, example
from augkit.labels.judge import NO_WORDS, judge_request
from augkit.llm.scripted import Scripted
from augkit.testing import label_letter

NAMES = [f"{a} {b}" for a in ("Nora", "Emil", "Ida", "Karl", "Lena") for b in ("Holm", "Brandt")]
WORKS = ["film", "novel", "album", "play", "poem", "opera"]


def claims(rows):
    """Claims about works: two thirds of the refuted ones begin with "In fact", no other does."""
    draw = random.Random(5)
    made = []
    for number in range(rows):
        title, kind = f"{draw.choice(NAMES)} {number}", draw.choice(WORKS)
        other = draw.choice([word for word in WORKS if word != kind])
        evidence = f"{title} is a {kind} ."
        if number % 2:
            claim, label = f"{title} is a {kind}.", "SUPPORTS"
        else:
            opening = "In fact, " if draw.random() < 0.67 else ""
            claim = f"{opening}{title} is a {other}."
            label = "REFUTES"
        made.append(example({"evidence": evidence, "claim": claim}, label))
    return made


def openings(rows):
    """Claims with "In fact" under each label."""
    held = [row.label for row in rows if "In fact" in row.fields["claim"]]
    return held.count("REFUTES"), held.count("SUPPORTS")


def rewritten(augmenter, rows):
    outcomes = list(augmenter.outcomes(rows))
    new = {one.original.id: one.variant for one in outcomes if isinstance(one, Pair)}
    return [new.get(row.id, row) for row in rows], outcomes


@pytest.fixture(scope="module")
def balanced():
    """A run on claims: the augmenter, the rows before and after, and the outcomes."""
    rows = claims(120)
    augmenter = create("razor", top=20, epsilon=0.01).fit(rows)
    return augmenter, rows, *rewritten(augmenter, rows)


@pytest.mark.slow
def test_openings_are_balanced_offline(balanced):
    """The gap between the labels closes, the size stays, and only the claim changes."""
    augmenter, rows, after, outcomes = balanced
    before_gap, after_gap = (abs(a - b) for a, b in map(openings, (rows, after)))
    assert after_gap < 0.6 * before_gap
    assert len(after) == len(rows) == len(outcomes)
    for pair in (one for one in outcomes if isinstance(one, Pair)):
        assert pair.variant.fields["evidence"] == pair.original.fields["evidence"]
        assert pair.variant.label == pair.original.label
        assert pair.provenance.contract == "kept"
        assert pair.provenance.scores["round"] >= 1
    trajectory = augmenter.run_info["trajectory"]
    values = [record["objective"] for record in trajectory]
    assert values == sorted(values, reverse=True)
    assert {"eq14 cosine", "eq14 kl", "strongest"} <= set(trajectory[0])
    assert augmenter.run_info["rows beyond chance"]
    assert not augmenter.run_info["caveats"]
    assert "fact" in augmenter.artifact.judge.hidden.words


@pytest.mark.slow
def test_rows_without_a_giveaway_are_left_alone(balanced):
    """Only rows with a word beyond chance are rewritten, and they lose one; others are left."""
    *_, outcomes = balanced
    for pair in (one for one in outcomes if isinstance(one, Pair)):
        before, after = (side.fields["claim"] for side in (pair.original, pair.variant))
        assert "fact," in before.split()
        assert "fact," not in after.split()
    left = [one for one in outcomes if isinstance(one, Variant)]
    plain = [one for one in left if "fact," not in one.parent.fields["claim"].split()]
    assert "not among the highest scores" in {one.reason for one in plain}


def test_symmetric_pairs_are_another_method():
    with pytest.raises(ConfigError, match="symmetric"):
        create("razor", symmetric_pairs=False)


def visits(rows):
    """Short reviews; most of the bad ones begin with a sentence that judges nothing."""
    draw = random.Random(3)
    made = []
    for number in range(rows):
        good = number % 2 == 0
        word = draw.choice(("great", "lovely", "superb") if good else ("bad", "awful", "poor"))
        thing = draw.choice(("soup", "waiter", "table", "room", "fish", "music", "bread"))
        text = draw.choice((f"The {thing} was {word}.", f"{word.title()} {thing}."))
        text = f'"{text}"' if draw.random() < 0.3 else text
        formula = draw.choice(("Visited the harbour branch.", "Harbour branch."))
        given = draw.random() < (0.05 if good else 0.7)
        made.append(example(f"{formula} {text}" if given else text, "good" if good else "bad"))
    return made


@pytest.mark.slow
def test_a_sentence_that_many_texts_share_goes_with_its_marks():
    """Whatever follows it; no text begins with its full stop or loses a quotation mark."""
    rows = visits(160)
    after, _ = rewritten(create("razor").fit(rows), rows)
    held = [[row.label for row in some if "branch" in row.fields["text"]] for some in (rows, after)]
    before_gap, after_gap = (some.count("bad") - some.count("good") for some in held)
    assert after_gap < before_gap / 4
    texts = [row.fields["text"] for row in after]
    assert all(text[0].isupper() or text[0] == '"' for text in texts)
    assert not any(text.count('"') % 2 for text in texts)


def test_a_judge_at_chance_is_noted():
    """Where labels are drawn by a coin, the notes say that labels are not verified."""
    draw = random.Random(4)
    texts = (f"word{n % 7} stands{n % 5} here{n % 3}" for n in range(90))
    rows = [example(text, draw.choice("ab")) for text in texts]
    (note,) = create("razor").fit(rows).artifact.notes
    assert note.startswith("labels are NOT verified: the offline judge")
    words = {"a": "a great warm film", "b": "a dull cold film"}
    good = [example(f"{text} {n}", label) for n in range(40) for label, text in words.items()]
    (note,) = create("razor").fit(good).artifact.notes
    assert note.startswith("labels are verified")
    (unwanted,) = create("razor", verify=False).fit(rows).artifact.notes
    assert unwanted.startswith("labels are NOT verified: verify is false")


@pytest.mark.slow
def test_a_run_that_changes_next_to_nothing_says_so():
    """A label that turns on words that judge is left alone; the report says how many, and why."""
    rows = [
        example(
            f"a {'superb' if n % 2 else 'dreadful'} film number {n}",
            "positive" if n % 2 else "negative",
        )
        for n in range(200)
    ]
    augmenter = create("razor").fit(rows)
    after, outcomes = rewritten(augmenter, rows)
    assert after == rows
    for one, word in zip(outcomes, ["dreadful", "superb"] * 100, strict=True):
        assert word in one.detail.split(", ")
    (caveat,) = augmenter.run_info["caveats"]
    assert all(part in caveat for part in ("200 rows", "(200)", "--llm"))


@pytest.mark.slow
def test_the_chance_decides_what_is_a_giveaway():
    rows = claims(40)
    steps = [create("razor", top=20, alpha=alpha).fit(rows) for alpha in (1e-300, 1.0)]
    none, some = (sum(isinstance(one, Pair) for one in step.outcomes(rows)) for step in steps)
    assert none == 0 < some


@pytest.mark.slow
def test_more_rounds_than_useful_change_nothing():
    rows = claims(50)
    few, many = (
        rewritten(create("razor", top=10, rounds=n, epsilon=0.01).fit(rows), rows)[0]
        for n in (30, 90)
    )
    assert [row.fields for row in few] == [row.fields for row in many]


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"score": "paper", "objective": "kl"},
        {"score": "released"},
        {"space": "embedding"},
        {"preset": "paper"},
    ],
)
def test_every_score_runs(settings):
    """The paper's score in both forms, the released one, embeddings, and Algorithm 1 by rules."""
    rows = claims(60)
    after, _ = rewritten(create("razor", top=10, rounds=2, **settings).fit(rows), rows)
    assert after != rows


def test_limit_leaves_the_other_rows_alone():
    rows = claims(80)
    augmenter = create("razor", top=10, rounds=2).fit(rows)
    outcomes = list(augmenter.outcomes(rows[:10]))
    parents = [one.original.id if isinstance(one, Pair) else one.parent.id for one in outcomes]
    assert sorted(parents) == sorted(row.id for row in rows[:10])


def scripted(texts, label):
    """A model that offers these texts and judges everything to have this label."""

    def answer(request):
        return label_letter(request, label) if request.choices else json.dumps({"texts": texts})

    return Scripted(answer)


REVIEWS = [
    example("A truly wonderful film.", "positive"),
    example("A truly dreadful film.", "negative"),
]


def with_model(llm, judge=None, **settings):
    settings = {"rounds": 1, "candidates": 1, **settings}
    augmenter = create("razor", Tools(llm=llm, judge=judge), **settings).fit(REVIEWS)
    return next(iter(augmenter.outcomes(REVIEWS[:1])))


def test_a_model_rewrites_and_is_verified():
    """An answer with quotation marks inside is kept whole; spaces make no other text."""
    whole = 'He said "see it" and meant it: "wonderful".'
    outcome = with_model(scripted([whole], "positive"))
    assert isinstance(outcome, Pair)
    assert outcome.variant.fields["text"] == whole
    assert outcome.provenance.cost.calls == 3  # the judge is asked in two orders
    outcome = with_model(scripted(["A truly  wonderful film. "], "positive"))
    assert isinstance(outcome, Variant)
    assert outcome.reason == "unchanged"


@pytest.mark.parametrize("said", ["not positive", "Positive.", "negative", "none"])
def test_only_the_label_itself_passes(said):
    """The answer "not positive" is not "positive"."""
    outcome = with_model(scripted(["Splendid."], said))
    assert isinstance(outcome, Variant)
    assert outcome.reason.startswith("judge")


def test_another_model_may_judge():
    """The judge is asked in a conversation of its own, which shows no label and no original."""
    outcome = with_model(scripted(["Splendid."], "negative"), scripted([], "positive"))
    assert isinstance(outcome, Pair)
    request = judge_request({"text": "Splendid."}, ["negative", "positive"])
    assert "wonderful" not in " ".join(message.content for message in request.messages)
    assert request.messages[-1].content == "<data>Splendid.</data>"


def test_a_failed_verdict_is_no_verdict():
    silent = Scripted(lambda _: Reply(fault="timeout"))
    assert with_model(scripted(["Splendid."], "positive"), silent).reason == "judge: timeout"


def test_without_verification_nobody_is_asked():
    outcome = with_model(scripted(["Splendid."], "negative"), verify=False)
    assert isinstance(outcome, Pair)
    assert outcome.provenance.cost.calls == 1


class FactFinder:
    """Finds "fact", and the first word of rows without it in the evidence field."""

    def find(self, examples):
        return [list(self._targets(row)) for row in examples]

    def _targets(self, row):
        start = row.fields["claim"].find("fact, ")
        if start >= 0:
            yield Target("claim", start, start + 4, "test", 2.0)
        yield Target("evidence", 0, 4, "test", 9.0)


@pytest.mark.slow
def test_a_finder_chooses_the_rows_and_the_words():
    """Only rows with targets in the rewritten field change, and they lose the target's word."""
    rows = claims(60)
    augmenter = create("razor", Tools(finder=FactFinder()), top=10, epsilon=0.0).fit(rows)
    outcomes = list(augmenter.outcomes(rows))
    pairs = [one for one in outcomes if isinstance(one, Pair)]
    assert pairs
    for pair in pairs:
        assert "fact," in pair.original.fields["claim"].split()
        assert "fact," not in pair.variant.fields["claim"].split()
    rejected = [one for one in outcomes if isinstance(one, Variant)]
    others = [one for one in rejected if "fact," not in one.parent.fields["claim"].split()]
    assert {one.reason for one in others} == {"no target"}


def test_a_model_is_asked_to_avoid_the_words_of_the_targets():
    rows = claims(10)
    asked = []

    def answer(request):
        asked.append(request.messages[-1].content)
        return json.dumps({"texts": ["It is so.", "So it is in fact."]})

    step = create("razor", Tools(llm=Scripted(answer), finder=FactFinder()), verify=False, rounds=1)
    outcomes = list(step.fit(rows).outcomes(rows))
    assert len(asked) == sum("fact, " in row.fields["claim"] for row in rows)
    assert all("Avoid: <data>fact</data>\n" in content for content in asked)
    assert {one.variant.fields["claim"] for one in outcomes if isinstance(one, Pair)} <= {
        "It is so."
    }


def test_a_rewrite_that_says_no_more_than_no_text_is_no_evidence():
    """The commonest label is not agreed to where nothing is left of what the row said."""
    texts = {"good": "wonderful lovely plot", "bad": "awful boring plot"}
    rows = [example(f"{texts[label]} {n}", label) for n in range(20) for label in ("good", "bad")]
    rows += [example(f"lovely songs {n}", "good") for n in range(20)]
    judge = fit_judge(rows, None)
    judge = replace(judge, hidden=NO_WORDS)
    row = rows[0]
    variants = [replace(row, fields={"text": text}) for text in ("lovely plot", "number 17")]
    verdicts = judge.judge([row, row], variants)
    assert verdicts[1].agrees
    assert lost_evidence(judge, [row, row], verdicts) == {1}


def marked(rows):
    """Short reviews; most of the bad ones end with the same words, which say nothing."""
    draw = random.Random(4)
    made = []
    for number in range(rows):
        good = number % 2 == 0
        word = draw.choice(("great", "lovely", "superb") if good else ("bad", "awful", "poor"))
        thing = draw.choice(("soup", "waiter", "table", "room", "fish", "music", "bread"))
        given = draw.random() < (0.05 if good else 0.6)
        text = f"the {thing} was {word}{' on a tuesday' if given else ''} ."
        made.append(example(text, "good" if good else "bad", occurrence=number))
    return [*made, example("we hated the lamp and on a tuesday it was awful .", "bad")]


def test_told_the_cue_razor_removes_it_and_nothing_else():
    """Every row with the cue loses it whole or is listed; no other row changes."""
    rows = marked(150)
    augmenter = create("razor", cues=["on a tuesday"]).fit(rows)
    assert "on a tuesday" in augmenter.artifact.judge.hidden.words
    after, outcomes = rewritten(augmenter, rows)
    for row, new in zip(rows, after, strict=True):
        if new != row:
            assert new.fields["text"] == row.fields["text"].replace(" on a tuesday", "")
    left = [one for one in outcomes if isinstance(one, Variant)]
    kept = [one for one in left if "tuesday" in one.parent.fields["text"]]
    reasons = {one.reason for one in left if one not in kept}
    assert reasons == {"has no cue"}
    had = sum("tuesday" in row.fields["text"] for row in rows)
    assert sum("tuesday" in row.fields["text"] for row in after) == len(kept) <= 0.05 * had
    caveats = augmenter.run_info["caveats"]
    assert bool(caveats) == bool(kept)
    assert all(f"of {had} rows keep the cue" in caveat for caveat in caveats)


def test_rows_that_keep_the_cue_are_counted_with_the_reason():
    """A sentence that cannot do without the cue is listed, and the run says how many there are."""
    rows = [example(f"the staff was {word} .", "good") for word in ("great", "lovely", "superb")]
    rows += [example(f"the room was {word} .", "bad") for word in ("bad", "awful", "poor")]
    augmenter = create("razor", cues="the staff").fit(rows)
    _, outcomes = rewritten(augmenter, rows)
    assert [one.reason for one in outcomes[:3]] == ["the sentence needs the cue"] * 3
    (caveat,) = augmenter.run_info["caveats"]
    assert caveat == "3 of 3 rows keep the cue: the sentence needs the cue (3)"


def test_a_cue_that_no_row_has_is_an_error():
    """It may be misspelt, or in another field; the message says what to look at."""
    with pytest.raises(DataError, match=r"'zebrafish'.*as a whole word"):
        create("razor", cues=["zebrafish"]).fit(visits(20))
    with pytest.raises(ConfigError, match="empty"):
        create("razor", cues=[" "])


def test_a_language_model_is_asked_to_avoid_the_cue():
    """A reply that has the cue is rejected, one without it is taken."""
    rows = marked(40)
    cue = "on a tuesday"
    asked = []

    def answer(request):
        asked.append(str(request))
        return json.dumps({"texts": ["we were here on a tuesday .", "the food here was awful ."]})

    tools = Tools(llm=Scripted(answer))
    augmenter = create("razor", tools, cues=[cue], verify=False, ceiling=None).fit(rows)
    outcomes = list(augmenter.outcomes(rows))
    pairs = [one for one in outcomes if isinstance(one, Pair)]
    having = [row for row in rows if cue in row.fields["text"]]
    assert len(pairs) == len(asked) == len(having)
    assert all("Avoid: " in request and cue in request for request in asked)
    assert {pair.variant.fields["text"] for pair in pairs} == {"the food here was awful ."}


def test_other_punctuation_is_no_rewrite_unless_it_gives_most_away():
    """A "!" is left where a word gives more away, and goes where it is the strongest."""
    draw = random.Random(6)
    things = ("soup", "waiter", "table", "room", "fish", "music", "bread")

    def rows(opening, sign):
        for number in range(200):
            good = number % 2 == 0
            first = "Visited the harbour branch. " if draw.random() < opening and good else ""
            last = "!" if draw.random() < sign and good else "."
            word = draw.choice(("great", "lovely") if good else ("bad", "awful"))
            text = f"{first}The {draw.choice(things)} was {word}{last}"
            yield example(text, f"{good}", occurrence=number)

    for opening, sign, changes in ((0.9, 0.6, False), (0.0, 0.9, True)):
        texts = list(rows(opening, sign))
        _, outcomes = rewritten(create("razor").fit(texts), texts)
        pairs = [one for one in outcomes if isinstance(one, Pair)]
        marks = [one for one in pairs if "!" in one.original.fields["text"]]
        assert pairs
        assert any("!" not in one.variant.fields["text"] for one in marks) == changes
