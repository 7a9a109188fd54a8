"""Restyle: the pairs that a language model writes, with a scripted model and a judge."""

import json

import pytest

from augkit.augmenters.choices.restyle import QUALITIES, STYLES, Restyle
from augkit.augmenters.create import create
from augkit.core.choices import Choice, choice_fields, winners_label
from augkit.core.errors import ConfigError, MissingTool
from augkit.core.protocols import Tools
from augkit.core.types import Pair, Variant, example
from augkit.llm.scripted import Scripted
from augkit.runs.execute import run
from augkit.runs.settings import RunSettings

BETTER = "The library opens at nine on weekdays and at ten on Saturdays."
WORSE = "The library has many books and a small garden behind the house."
ANSWERS = {
    "degrade": "The library opens at noon on weekdays and at ten on Saturdays.",
    "improve": "The library opens at nine, and has many books and a garden behind the house.",
    "pad": "Good question! The library opens at nine on weekdays, and, as many people like to "
    "know, at ten on Saturdays.",
}


def pair(winner=0):
    texts = (BETTER, WORSE) if winner == 0 else (WORSE, BETTER)
    choice = Choice(texts, (winner,), "When does the library open?")
    return example(choice_fields(choice), winners_label(choice.winners))


def writer(request):
    """Writes by the kind of pair; in the same style every answer begins with "In short"."""
    kind = request.prompt.partition("/")[2].partition("@")[0]
    shown = request.messages[-1].content
    if kind == "same_style":
        source = BETTER if BETTER in shown else WORSE
        return json.dumps({"text": f"In short: {source}"})
    return json.dumps({"text": ANSWERS[kind]})


def choosing(texts):
    """A judge that chooses an answer with one of these texts; the first where none has any."""

    def reply(request):
        shown = request.messages[-1].content
        first, second = shown.partition("\nB. ")[::2]
        wins = [any(f"{text}" in part for text in texts) for part in (first, second)]
        return "B" if wins[1] and not wins[0] else "A"

    return Scripted(reply)


def unverified(text, kind, row):
    """What becomes of a row where the model writes this text and nobody judges."""
    written = text if text == "Of course!" else json.dumps({"text": text})
    tools = Tools(llm=Scripted(lambda _: written))
    (found,) = create("restyle", tools=tools, kinds=[kind], verify=False).outcomes([row])
    return found


def outcomes(kinds, judge, rows, **settings):
    tools = Tools(llm=Scripted(writer), judge=judge)
    method = create("restyle", tools=tools, kinds=kinds, **settings)
    return list(method.outcomes(rows))


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize(
    ("kind", "place", "best"),
    [
        ("degrade", "loser", BETTER),
        ("pad", "loser", BETTER),
        ("improve", "winner", "opens at nine,"),
    ],
)
def test_an_answer_stands_beside_itself(winner, kind, place, best):
    """The loser is the winner made worse or longer; or the winner is the loser made better."""
    row = pair(winner)
    (made,) = outcomes([kind], choosing([best]), [row])
    assert isinstance(made, Pair)
    texts = list(made.variant.fields.values())[1:]
    expected = (ANSWERS[kind], BETTER) if place == "loser" else (WORSE, ANSWERS[kind])
    assert (texts[1 - winner], texts[winner]) == expected
    assert made.variant.label == row.label
    assert made.provenance.about["pair"] == kind
    assert made.provenance.about.get("aim", QUALITIES[0]) in QUALITIES


def test_both_answers_get_the_same_style():
    (made,) = outcomes(["same-style"], choosing([BETTER]), [pair()])
    assert list(made.variant.fields.values())[1:] == [f"In short: {BETTER}", f"In short: {WORSE}"]
    assert made.provenance.about["aim"] in STYLES


def test_a_judge_must_find_the_winner_better_in_both_orders():
    """One that takes the first answer whatever it says, and one that prefers the loser."""
    for judge in (choosing([]), choosing([ANSWERS["degrade"]])):
        (rejected,) = outcomes(["degrade"], judge, [pair()])
        assert isinstance(rejected, Variant)
        assert rejected.reason == "judge disagrees"
    assert isinstance(outcomes(["degrade"], choosing([]), [pair()], verify=False)[0], Pair)


def test_what_is_no_pair_is_rejected():
    """A tie, and a question with three options."""
    tie = example(choice_fields(Choice((BETTER, WORSE), ())), None)
    three = example(choice_fields(Choice((BETTER, WORSE, "Never."), (0,))), "1")
    reasons = {outcome.reason for outcome in outcomes(["pad"], None, [tie, three])}
    assert reasons == {"not a pair with a winner"}


def test_equal_answers_and_unusable_replies_are_rejected():
    """A writer that copies, also with other signs, and one that answers with something else."""
    for text in (BETTER, BETTER.replace(".", "!")):
        assert unverified(text, "pad", pair()).reason == "both answers are the same"
        assert unverified(text, "degrade", pair()).reason == "both answers are the same"
    assert unverified("Of course!", "pad", pair()).reason.startswith("llm: ")


@pytest.mark.parametrize(
    "text",
    [
        f"Here is what you asked for: {BETTER}",
        "The library opens:\n\n- at nine on weekdays\n- at ten on Saturdays",
        "Nine on weekdays, ten on Saturdays, and I'm sorry that it is closed on Sundays. " * 2,
    ],
)
def test_an_answer_may_talk_end_with_a_list_and_be_longer(text):
    """Other texts of a model may not; but these are answers to a prompt."""
    made = unverified(text, "pad", pair())
    assert isinstance(made, Pair), made.reason


def test_placeholders_are_those_of_the_answer_that_was_rewritten():
    """The loser gives way to the winner in another style, whose placeholders stay."""
    better, worse = "Dear [Name], we open at nine, see www.a.org.", "Dear {team}, we are open."
    choice = Choice((better, worse), (0,), "Write a note.")
    row = example(choice_fields(choice), "1")
    kept = "Dear [Name], we open at noon, see www.a.org."
    assert isinstance(unverified(kept, "degrade", row), Pair)
    lost = unverified("Dear Ada, we open at noon, see www.a.org.", "degrade", row)
    assert (lost.reason, lost.detail) == ("changes a placeholder", "[Name]")


def test_it_needs_a_model_and_kinds_that_exist():
    with pytest.raises(MissingTool, match="restyle"):
        create("restyle")
    with pytest.raises(ConfigError, match="kinds"):
        create("restyle", tools=Tools(llm=Scripted(writer)), kinds=["neutral"])
    assert Restyle.reads == "choices"


def test_a_run_writes_pairs_of_the_same_shape(tmp_path):
    """From the command's settings to dataset.jsonl, with a script in place of a model."""
    rows = tmp_path / "pairs.jsonl"
    row = {"prompt": "When does the library open?", "chosen": BETTER, "rejected": WORSE}
    rows.write_text(json.dumps(row) + "\n")
    script = tmp_path / "script.jsonl"
    lines = [
        {"match": "Answer: <data>", "reply": json.dumps({"text": ANSWERS["pad"]})},
        {"match": f"A. <data>{BETTER}</data>", "reply": "A"},
        {"match": "", "reply": "B"},
    ]
    script.write_text("".join(json.dumps(line) + "\n" for line in lines))
    settings = RunSettings(
        method="restyle",
        dataset=str(rows),
        llm=f"scripted:{script}",
        options={"kinds": ["pad"]},
    )
    folder = run(settings, tmp_path / "out")
    written = [json.loads(line) for line in (folder / "dataset.jsonl").read_text().splitlines()]
    assert [(line["chosen"], line["rejected"]) for line in written] == [
        (BETTER, WORSE),
        (BETTER, ANSWERS["pad"]),
    ]
