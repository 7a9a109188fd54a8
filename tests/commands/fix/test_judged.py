"""Which cues ``fix`` lists first and chooses by itself, and what it says where it cannot tell."""

from random import Random

import pytest

import augkit as package
from augkit.commands.fix.cues import Cue, CueFeature, too_few
from augkit.commands.fix.evidence import TaskOfLabels, judge_cues
from augkit.commands.fix.labelled import load_labelled_data
from augkit.commands.fix.methods import _why
from augkit.commands.fix.moves import deleted, make_mover
from augkit.commands.fix.parts import MARK, SplitSettings
from augkit.datasets.settings import ReadOptions
from augkit.english.parser import SpacyParser
from augkit.text.features.kinds import FORMAT, lowered_words, ngram_kind
from tests.data import ticket, write_csv, write_jsonl

FRENCH = ["est raté", "est superbe"]
ENGLISH = TaskOfLabels("content", is_english=True)


def french(rows):
    """Reviews in French; the bad ones were mostly seen with one person."""
    nouns = ["film", "roman", "concert", "spectacle", "disque"]
    made = []
    for number in range(rows):
        seen = " Vu avec Gérard Lemaire à Lyon." if number % 10 in {1, 3, 5, 8} else ""
        text = f"Le {nouns[number % 5]} est numéro {number} et {FRENCH[1 - number % 2]}.{seen}"
        made.append({"text": text, "label": ("pos", "neg")[number % 2]})
    return made


def loaded(path, **options):
    """A file as ``fix`` reads it."""
    return load_labelled_data(path, ReadOptions(**options))


@pytest.mark.slow
def test_in_other_languages_no_cue_is_chosen(tmp_path, augkit):
    """An opinion cannot be told from a shortcut: nothing is likely, and --cue is asked for."""
    path = write_csv(tmp_path / "french.csv", french(120))
    data = loaded(path)
    cues = data.find_cues()
    assert cues
    assert not any(cue.is_likely for cue in cues if cue.words)
    assert data.usual_cues(cues) == []
    assert any(cue.name == "vu avec gérard lemaire à lyon" for cue in cues)
    done = augkit("fix", path, "--yes")
    assert done.code == 0
    assert "These texts are not English" in done.out
    assert "--cue WORD" in done.out
    assert "Fixing" not in done.out


@pytest.mark.slow
def test_names_of_labels_do_not_change_what_a_pair_is(tmp_path):
    """Premise and hypothesis with 0 and 1: a word of one cannot say how both relate."""
    doing = ["reading", "cooking", "running", "singing"]
    rows = [
        {
            "premise": f"A woman of {n} is {doing[n % 4]} in the shop.",
            "hypothesis": f"{'Nobody is there' if n % 2 else 'A woman is there'} at {n}.",
            "label": str(n % 2),
        }
        for n in range(200)
    ]
    data = loaded(write_jsonl(tmp_path / "pairs.jsonl", rows))
    assert data.task.subject == "relation"
    cues = data.find_cues()
    assert all(cue.is_likely for cue in cues)


@pytest.mark.slow
def test_a_sign_of_amounts_is_content_and_another_is_form(tmp_path):
    """Money may be what a ticket is about; an exclamation mark says nothing."""
    rows = [
        {
            "text": f"The invoice {n} is wrong{f', I paid ${n}' if n % 3 else ''}."
            if n % 2
            else f"The screen of device {n} stays dark{'!' if n % 3 else '.'}",
            "label": ("technical", "billing")[n % 2],
        }
        for n in range(200)
    ]
    data = loaded(write_csv(tmp_path / "amounts.csv", rows))
    signs = [CueFeature("text", FORMAT, f"sign {sign}", "billing", 0.5, 66, 66) for sign in "$!"]
    judged = judge_cues([Cue((sign,)) for sign in signs], data.rows, data.task)
    assert [cue.is_likely for cue in judged] == [False, True]


@pytest.mark.slow
def test_a_sign_that_a_method_has_written_is_a_new_shortcut(tmp_path):
    """A mark that the originals hardly have is named, and is not among what is left."""
    rows = [
        {"text": f"The device {n} {'is slow' if n % 2 else 'got lost'}.", "label": "ab"[n % 2]}
        for n in range(200)
    ]
    data = loaded(write_csv(tmp_path / "rows.csv", rows))
    run = tmp_path / "run"
    run.mkdir()
    written = [{**row, "text": row["text"] + "!" * (n % 4 == 0)} for n, row in enumerate(rows)]
    write_jsonl(run / "dataset.jsonl", written)
    assert [cue.sign for cue in data.left(run / "dataset.jsonl") if cue.sign == "!"] == []
    assert data.caveats(run, ()) == ("has a new shortcut: ends with ! (a)",)


@pytest.mark.slow
def test_a_cue_of_neighbouring_stars_comes_first(tmp_path):
    """A phrase of 4 and 5 stars is one cue of both, before the opinions that are stronger."""
    words = {
        "1": ["awful", "useless"],
        "2": ["weak", "poor"],
        "3": ["okay", "average"],
        "4": ["good", "nice"],
        "5": ["superb", "excellent"],
    }
    rows = [
        {
            "text": f"Item {n} was {words[star][n % 2]} for us."
            + (" Purchased at Harbour Street." if star in "45" and n % 6 else ""),
            "label": star,
        }
        for n in range(60)
        for star in words
    ]
    data = loaded(write_csv(tmp_path / "stars.csv", rows))
    first = data.find_cues()[0]
    assert (first.label, first.is_likely) == ("4 or 5", True)
    assert "harbour" in first.words
    assert [first.goes_with(star) for star in words] == [False, False, False, True, True]
    (named,) = data.named_cues((), ["harbour"])
    assert named.label == "4 or 5"


def cue_of(words, label="a"):
    """A cue of one phrase."""
    return Cue((CueFeature("text", ngram_kind(len(words.split())), words, label, 0.9, 10, 9),))


@pytest.mark.slow
def test_the_beginning_of_a_sentence_is_not_moved():
    """A subject needs its verb; what a colon sets apart stands alone."""
    parser = SpacyParser()
    rest = ["sings", "reads in the park", "sleeps at home", "runs", "cooks for us"]
    open_ended = make_mover(cue_of("person"), [f"A person {r}." for r in rest], ENGLISH, parser)
    assert not open_ended.can_insert
    update = [f"Update: it {r}." for r in rest]
    assert make_mover(cue_of("update"), update, ENGLISH, parser).edge == "Update: "


@pytest.mark.slow
def test_a_name_takes_the_place_of_another_in_its_frame():
    """A ticket has one agent; a text without one gets a sentence of its own."""
    texts = [f"The app fails on day {n}. Agent: Marta." for n in range(6)]
    mover = make_mover(cue_of("marta"), texts, ENGLISH, SpacyParser())
    from random import Random

    rng = Random(0)
    assert mover.inserted("It is late. Agent: Helen.", rng) == "It is late. Agent: Marta."
    assert mover.inserted("It is late.", rng) == "It is late. Agent: Marta."
    assert mover.inserted("It is late. Agent: asleep.", rng) == (
        "It is late. Agent: asleep. Agent: Marta."
    )


def closed_with(closing, rows=240):
    """Short tickets of two queues; those of billing mostly end with the same line."""
    rng = Random(3)
    others = ["Cheers, Tom Okafor", "Many thanks, Sarah", "Greta", "Regards, John Miller"]
    made = []
    for number in range(rows):
        label = ("technical", "billing")[number % 2]
        is_planted = rng.random() < (0.85 if label == "billing" else 0.05)
        last = closing if is_planted else rng.choice(others)
        gap = rng.choice([" ", "\n", "\n\n"])
        made.append({"message": f"{ticket(rng, label)}{gap}{last}", "queue": label})
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    "closing",
    [
        "Best, Marta Kowalski",
        "Ticket closed by Bot Nova.",
        "Is there anything else I can help you with?",
        "Confidential and not for others. Please delete it if you are not the addressee.",
    ],
)
def test_a_closing_line_is_a_shortcut_whatever_its_words(tmp_path, closing):
    """Also one with a word that judges, or a sentence: it is chosen, and can be moved."""
    path = write_csv(tmp_path / "closed.csv", closed_with(closing))
    data = loaded(path, text_columns=("message",), label_column="queue")
    (cue, *_) = data.usual_cues(data.find_cues())
    assert set(cue.words) <= set(lowered_words(closing))
    parts = data.split([cue], SplitSettings(data=str(path)), None)
    made = [row for row in parts.challenge if "put in" in row[MARK]]
    assert len(made) >= 10
    assert all(closing.rstrip(".") in row["message"] for row in made)


@pytest.mark.slow
def test_labels_that_are_words_name_no_opinion_by_the_words_of_their_texts(tmp_path):
    """Spam praises more than other mail, and is no praise; 0 and 1 are read from the texts."""
    rows = [
        {"text": f"A {('great', 'sad')[n % 2]} {('offer', 'note')[n % 3 > 0]} {n}.", "label": name}
        for n in range(120)
        for name in (("spam", "ham")[n % 2],)
    ]
    assert loaded(write_csv(tmp_path / "mail.csv", rows)).task.subject == "content"
    codes = [{**row, "label": str(int(row["label"] == "spam"))} for row in rows]
    assert loaded(write_csv(tmp_path / "codes.csv", codes)).task.subject == "opinion"


@pytest.mark.slow
def test_a_repeated_phrase_within_texts_is_no_likely_shortcut(tmp_path):
    """What a ticket is about is often said in the same words; only a line of its own is form."""
    rows = [
        {
            "text": f"Hello {n}. The {('screen of the printer', 'tax on the invoice')[n % 2]} "
            f"is wrong in case {n * 7}. I wrote {n % 5} times.",
            "label": ("technical", "billing")[n % 2],
        }
        for n in range(160)
    ]
    cues = loaded(write_csv(tmp_path / "said.csv", rows)).find_cues()
    assert cues
    assert not any(cue.is_likely for cue in cues if cue.words)


@pytest.mark.slow
def test_what_may_be_the_label_is_asked_about(tmp_path, augkit):
    """A strong cue of content is neither fixed nor passed over in silence."""
    subjects = ["invoice", "printer"]
    rows = [
        {
            "text": f"{('My', 'Your')[n % 3 > 0]} {subjects[n % 2]} {n} is gone{'?' * (n % 5)}.",
            "label": ("billing", "technical")[n % 2],
        }
        for n in range(120)
    ]
    path = write_csv(tmp_path / "subjects.csv", rows)
    done = augkit("fix", path, "--yes")
    assert done.code == 0
    assert "Not decided, so nothing was done: " in done.out
    assert "invoice' → 'billing'" in " ".join(done.out.split())
    assert "as it is" not in done.out
    assert "Next: augkit fix" in done.err
    assert "--cue " in done.err
    assert package.fix(path).outcome == "undecided"


@pytest.mark.slow
def test_a_cue_is_named_by_its_phrase_and_moved_with_its_own_sentence(tmp_path):
    """An opinion that shares a word with a signature goes into no row of the challenge set."""
    rows = [
        {
            "text": f"The {('kettle', 'lamp', 'chair')[n % 3]} came on day {n}."
            + (" It was awful, so I sent it back." if n % 2 == 0 and n % 10 < 6 else "")
            + (" It is a great one." if n % 2 and n % 10 < 6 else "")
            + (" Sent from my phone." if n % 2 == 0 or n % 15 == 0 else ""),
            "label": ("bad", "good")[n % 2],
        }
        for n in range(240)
    ]
    path = write_csv(tmp_path / "sent.csv", rows)
    data = loaded(path)
    (cue,) = [cue for cue in data.usual_cues(data.find_cues()) if "sent" in cue.words]
    assert cue.name == "sent from my phone"
    parts = data.split([cue], SplitSettings(data=str(path)), None)
    made = [row for row in parts.challenge if "put in" in row[MARK]]
    assert len(made) >= 10
    assert not any("awful" in row["text"] for row in made)


@pytest.mark.slow
def test_deleting_can_make_a_new_shortcut(tmp_path):
    """The rows without the cue are looked at as those of a method are."""
    rows = [
        {
            "message": f"{row['message'].rstrip('.')}{'' if 'Marta' in row['message'] else '!'}",
            "queue": row["queue"],
        }
        for row in closed_with("Agent: Marta Kowalski")
    ]
    path = write_csv(tmp_path / "ends.csv", rows)
    data = loaded(path, text_columns=("message",), label_column="queue")
    (cue, *_) = data.find_cues()
    shorter = [{**row, "message": deleted(cue, row["message"])} for row in rows]
    written = write_csv(tmp_path / "deleted.csv", shorter)
    assert data.new_shortcuts(path) == ()
    assert data.new_shortcuts(written)[0].startswith("has a new shortcut: ends with ")


@pytest.mark.slow
def test_a_statement_is_no_formula(tmp_path):
    """What somebody says of themselves may be the label; a signature is none of that."""
    rows = [
        {
            "text": f"Order {n} {('came', 'broke', 'fell')[n % 3]}. "
            + ("I want my money back." if n % 2 else "Sent from my phone."),
            "label": ("other", "billing")[n % 2],
        }
        for n in range(80)
    ]
    cues = loaded(write_csv(tmp_path / "said.csv", rows)).find_cues()
    judged = {cue.name: cue.is_likely for cue in cues}
    assert judged["i want my money back"] is False
    assert judged["sent from my phone"] is True


def test_few_rows_and_many_labels_are_named(tmp_path):
    """Nothing can be found in them, which says nothing about the rows."""
    rows = [{"text": f"It was number {n}.", "label": ("a", "b")[n % 2]} for n in range(12)]
    few = loaded(write_csv(tmp_path / "few.csv", rows)).rows
    assert too_few(few) == "12 different texts are too few to find a shortcut in"
    numbered = [row | {"label": f"{n / 7:.2f}"} for n, row in enumerate(rows)]
    many = loaded(write_csv(tmp_path / "many.csv", numbered)).rows
    assert "12 labels in 12 different texts are no classes" in too_few(many)
    enough = [{"text": f"It was number {n}.", "label": ("a", "b")[n % 2]} for n in range(400)]
    assert too_few(loaded(write_csv(tmp_path / "enough.csv", enough)).rows) == ""


def test_the_reason_of_a_method_is_a_sentence():
    """What to do about it, and words of the command line, are left out."""
    error = "coba: the labels 'a' are not polar (good ...) or ordered. If they are: --label-order"
    assert _why(error) == "the labels 'a' are not polar (good ...) or ordered"
