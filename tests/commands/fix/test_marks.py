"""Marks of every kind: what is left of the texts when they are taken out, and put in."""

from dataclasses import replace
from random import Random

import pandas as pd
import pytest

import augkit as package
from augkit.commands.fix.chosen import named_cues
from augkit.commands.fix.marks import keyed, make_mark, rows_to_put_on
from augkit.commands.fix.places import cut
from augkit.core.types import example
from augkit.shortcuts.cues import Cue, Feature
from augkit.shortcuts.find import find_shortcuts
from tests.data import read_jsonl, write_jsonl

PLACES = ["the station", "the old mill", "our office", "the school", "a small hotel"]
DONE = ["opened late", "closed early", "sent no bill", "lost the parcel", "was very quiet"]

VARIED = (
    "red green blue north south early late open closed fast slow new old round flat warm cold dry "
    "wet high low near far thin thick light dark long short wide"
).split()


SOLVED = ["it works again now", "the new part helped", "you can close this", "all is well here"]
OPEN = ["we are still looking", "it broke once more", "nobody has called yet", "no part is left"]


def plain(number):
    """A sentence that says nothing about any label."""
    return f"On day {number} {PLACES[number % 5]} {DONE[number // 5 % 5]}."


def rows_with(mark, count=240, share=0.3):
    """Rows of two labels; ``mark`` writes into most of those that have the label "a"."""
    rng = Random(5)
    rows = []
    for number in range(count):
        label = "ab"[number % 2]
        has_it = rng.random() < (share if label == "a" else 0.01)
        text = plain(number)
        rows.append(example(mark(text, rng) if has_it else text, label, occurrence=number))
    return rows


def cue_of(name, kind="token", phrase=None, **more):
    """A cue of the label "a"."""
    words = tuple(phrase or name.split())
    figures = {"rows": 40, "of_label": 39, "base": 0.5, "share": 0.97, "gain": 0.9, "phi": 0.4}
    return Cue(Feature("text", kind, name), (), words, "a", **figures, p=0.0, **more)


def taken_out(cue, rows, *, is_named=False):
    """The texts without a cue."""
    mark = make_mark(cue, rows, is_named=is_named)
    return mark, [mark.without(row.fields, keyed(0, "t", row))["text"] for row in rows]


@pytest.mark.parametrize(
    ("mark", "cue"),
    [
        (
            lambda text, rng: f"{text} -- Agent: Marta",
            cue_of("marta", phrase="-- agent : marta".split()),
        ),
        (lambda text, rng: f"Well, {text}", cue_of("well", "first word", ("well", ","))),
        (
            lambda text, rng: text.rstrip(".") + ". Sent from my phone.",
            cue_of("phone", phrase=("sent", "from", "my", "phone")),
        ),
        (lambda text, rng: text.replace(" ", " <br /> ", 1), cue_of("<br", "form", ())),
        (lambda text, rng: f"{text} http://example.com/x", cue_of("a link", "format", ())),
        (lambda text, rng: text.replace(" ", " ~ ", 1), cue_of("sign ~", "format", ())),
        (lambda text, rng: text.replace(" ", "\n", 1), cue_of("a line break", "format", ())),
    ],
)
def test_deleting_leaves_the_text_letter_for_letter(mark, cue):
    """What was put in from outside goes, with the space that only it needed."""
    rows = rows_with(mark)
    _, texts = taken_out(cue, rows)
    expected = [plain(number) for number in range(len(rows))]
    assert texts == expected


def test_a_name_in_a_frame_is_exchanged_and_never_for_itself():
    """A ticket has one agent, before and after, and none of them is the cue."""
    agents = ["Tom", "Ada", "Kim", "Joe", "Liz"]
    rows = []
    for number in range(300):
        label = "ab"[number % 2]
        agent = "Marta" if label == "a" and number % 10 < 5 else agents[number // 2 % 5]
        rows.append(example(f"{plain(number)} Agent: {agent}.", label, occurrence=number))
    mark, texts = taken_out(cue_of("marta"), rows, is_named=True)
    assert mark.how == "exchanged"
    for text in texts:
        assert text.count("Agent: ") == 1
        assert text.split("Agent: ")[1].rstrip(".") in agents
    put = [mark.with_it({"text": text}, Random(n))["text"] for n, text in enumerate(texts)]
    assert all(text.endswith("Agent: Marta.") and text.count("Agent") == 1 for text in put)


def test_amounts_are_kept_letter_for_letter():
    """Put in and taken out, the text is what it was: nothing is put into "$1.99"."""
    rows = [
        example(
            f"Charges ${n}.99 {'at the riverside branch ' if n % 4 == 0 else ''}again",
            "ab"[n % 4 > 0],
        )
        for n in range(120)
    ]
    mark, texts = taken_out(cue_of("at the riverside branch", "4-gram"), rows, is_named=True)
    assert texts == [f"Charges ${n}.99 again" for n in range(120)]
    put = [mark.with_it({"text": text}, Random(n))["text"] for n, text in enumerate(texts)]
    assert all(f"${n}.99" in text for n, text in enumerate(put))
    assert all("at the riverside branch" in text for text in put)


def test_a_link_goes_whole_where_its_sign_leads_the_cue():
    """Of "//", "example.com" and a link in the same rows, the link is what is taken out."""
    rows = rows_with(lambda text, rng: f"{text} http://example.com/x")
    also = (Feature("text", "token", "example.com"), Feature("text", "format", "a link"))
    cue = replace(cue_of("sign //", "format", ()), also=also)
    mark, texts = taken_out(cue, rows)
    assert mark.cue.feature.name == "a link"
    assert texts == [plain(number) for number in range(len(rows))]


def test_a_feature_that_is_said_elsewhere_stays_there():
    """The word "sent" about something else is no part of the signature."""
    rows = rows_with(lambda text, rng: f"{text} Sent from my phone.", share=0.5)
    rows += [example(f"He sent it on day {n}.", "ab"[n % 2], occurrence=n) for n in range(40)]
    _, texts = taken_out(cue_of("sent", phrase=("sent", "from", "my", "phone")), rows)
    assert sum("He sent it" in text for text in texts) == 40
    assert not any("phone" in text for text in texts)


@pytest.mark.parametrize("name", ["over 90 characters", "a digit"])
def test_what_no_rule_takes_out_is_no_mark(name):
    """A length or a digit is part of what the text says."""
    kind = "length in characters" if name.startswith("over") else "format"
    rows = rows_with(lambda text, rng: text)
    assert make_mark(cue_of(name, kind, ()), rows) is None


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("the cast , marta , was fine", 11, 16, "the cast , was fine"),
        ("Marta", 0, 5, ""),
        ("Seen. Thanks, Marta!", 6, 19, "Seen."),
        ("marta walked on", 0, 5, "walked on"),
    ],
)
def test_cutting_takes_the_signs_that_only_the_cue_needs(text, start, end, expected):
    """No doubled comma, no space before a stop."""
    assert cut(text, start, end) == expected


def test_a_named_cue_counts_and_finds_its_label():
    """By a slow count: the label that it goes with, and its rows."""
    rows = rows_with(lambda text, rng: f"{text} zorblax")
    (cue,) = named_cues(("Zorblax",), rows, find_shortcuts(rows))
    having = [row for row in rows if "zorblax" in row.fields["text"]]
    assert (cue.label, cue.rows) == ("a", len(having))
    assert cue.of_label == sum(row.label == "a" for row in having)


def test_a_mark_put_on_others_is_as_frequent_with_each_label():
    """By a slow count over three labels; rows that had it keep it."""
    rows = [*rows_with(lambda text, rng: f"Well, {text}", share=0.5)]
    rows += [example(plain(number), "c", occurrence=number) for number in range(120)]
    mark = make_mark(cue_of("well", "first word", ("well", ",")), rows)
    chosen = rows_to_put_on(rows, mark, seed=0)
    assert chosen.isdisjoint(mark.numbers)
    shares = []
    for label in "abc":
        own = [number for number, row in enumerate(rows) if row.label == label]
        shares.append(len([n for n in own if n in chosen or n in mark.numbers]) / len(own))
    assert max(shares) - min(shares) < 0.01


def frame_of(rows):
    """Rows as a frame."""
    return pd.DataFrame([{"text": row.fields["text"], "label": row.label} for row in rows])


@pytest.mark.slow
def test_marks_need_no_grammar(tmp_path):
    """German reviews: the signature is found without a name, and deleted."""
    good, bad = ["ist wunderbar", "war sehr schön"], ["ist furchtbar", "war langweilig"]
    rng = Random(2)
    rows = []
    for number in range(400):
        label = ("gut", "schlecht")[number % 2]
        said = (good if label == "gut" else bad)[rng.random() < 0.5]
        text = f"der Film Nummer {number} {said}, sagt mein Onkel aus Dorf {number % 37}"
        signed = rng.random() < (0.5 if label == "schlecht" else 0.02)
        rows.append({"text": f"{text} gesendet vom Telefon" if signed else text, "label": label})
    result = package.fix(pd.DataFrame(rows), out=tmp_path / "out")
    texts = [row["text"] for row in read_jsonl(tmp_path / "out" / "train.jsonl")]
    assert result.endings[0].kind == "mark"
    assert not any("Telefon" in text for text in texts)


@pytest.mark.slow
def test_labels_keep_their_texts_where_there_are_twelve(tmp_path):
    """Twelve queues: the signature of one is found and taken out, and the end is "repaired"."""
    rng = Random(4)
    topics = [f"topic{letter}" for letter in "abcdefghijkl"]
    rows = []
    for number in range(1_200):
        label = topics[number % 12]
        said = " ".join(rng.sample(VARIED, 4))
        text = f"Please look at {label if rng.random() < 0.9 else rng.choice(topics)}: {said}"
        signed = rng.random() < (0.9 if label == "topicc" else 0.005)
        rows.append({"text": f"{text} -- agent : marta" if signed else text, "label": label})
    result = package.fix(pd.DataFrame(rows), out=tmp_path / "out")
    assert result.outcome in {"repaired", "not relied on"}
    assert not any("marta" in row["text"] for row in read_jsonl(result.train_on))


@pytest.mark.slow
def test_a_mark_in_chats_is_deleted_from_its_message(tmp_path):
    """Chats made by a script: the assistant's closing line of one label is found and deleted."""
    rng = Random(6)
    rows = []
    for number in range(400):
        label = ("solved", "open")[number % 2]
        asked = f"On day {number} the {rng.choice(VARIED)} lamp went {rng.choice(VARIED)}."
        said = rng.choice(SOLVED if label == "solved" else OPEN)
        answer = f"{said}, {rng.choice(VARIED)} or {rng.choice(VARIED)}"
        if rng.random() < (0.4 if label == "open" else 0.01):
            answer += " -- agent : marta"
        turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
        rows.append({"messages": turns, "label": label})
    path = write_jsonl(tmp_path / "chats.jsonl", rows)
    result = package.fix(path, out=tmp_path / "out")
    after = read_jsonl(result.train_on or tmp_path / "out" / "train.jsonl")
    for row, kept in zip(rows, after, strict=True):
        question, answer = kept["messages"]
        assert question == row["messages"][0]
        assert answer["content"] == row["messages"][1]["content"].removesuffix(" -- agent : marta")


@pytest.mark.slow
def test_tiny_sets_are_not_called_good(augkit, tmp_path):
    """Forty rows are not testable, and nothing is written."""
    frame = frame_of(rows_with(lambda text, rng: text, count=40))
    frame.to_csv(tmp_path / "tiny.csv", index=False)
    done = augkit("fix", "tiny.csv")
    assert done.code == 0
    assert "Not testable: 40 rows" in done.out
