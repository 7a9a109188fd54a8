"""Verbs agree when a subject becomes singular they."""

import pytest

SENTENCES = [
    ("He lies, cheats and steals.", "He", "They lie, cheat and steal."),
    ("She, my oldest friend, is leaving.", "She", "They, my oldest friend, are leaving."),
    ("He goes home, eats, showers and sleeps.", "He", "They go home, eat, shower and sleep."),
    ("She doesn't smoke and runs daily.", "She", "They don't smoke and run daily."),
    ("He fixes bikes, sells parts and repairs.", "He", "They fix bikes, sell parts and repairs."),
    ("She sings, dances and plays the flute.", "She", "They sing, dance and play the flute."),
    (
        "He opens the door, looks around and leaves.",
        "He",
        "They open the door, look around and leave.",
    ),
    (
        "She has written one novel and is editing another.",
        "She",
        "They have written one novel and are editing another.",
    ),
    (
        "He wakes at six, feeds the cats, checks the post and goes to work.",
        "He",
        "They wake at six, feed the cats, check the post and go to work.",
    ),
    (
        "She works at the mill, was trained in Leeds and hopes to retire soon.",
        "She",
        "They work at the mill, were trained in Leeds and hope to retire soon.",
    ),
    ("He never argues but often complains.", "He", "They never argue but often complain."),
    (
        "She knows what I want and always finds it.",
        "She",
        "They know what I want and always find it.",
    ),
    (
        "He is tall, has a beard and wears glasses.",
        "He",
        "They are tall, have a beard and wear glasses.",
    ),
    ("She smiles, waves, and then disappears.", "She", "They smile, wave, and then disappear."),
    (
        "He reads the letter, which is long, and throws it away.",
        "He",
        "They read the letter, which is long, and throw it away.",
    ),
    ("She rarely, if ever, eats meat.", "She", "They rarely, if ever, eat meat."),
    ("He, like most of us, hates Mondays.", "He", "They, like most of us, hate Mondays."),
    (
        "She, though nobody expected it, has won.",
        "She",
        "They, though nobody expected it, have won.",
    ),
    (
        "He almost always, in my experience, tells the truth.",
        "He",
        "They almost always, in my experience, tell the truth.",
    ),
    ("Rarely does she complain.", "she", "Rarely do they complain."),
    (
        "Not only is he late, he also has no ticket.",
        "he",
        "Not only are they late, they also have no ticket.",
    ),
    ("She (as far as I know) lives alone.", "She", "They (as far as I know) live alone."),
    (
        "He, who once feared water, now swims daily.",
        "He",
        "They, who once feared water, now swim daily.",
    ),
    ("Has she always been so quiet?", "she", "Have they always been so quiet?"),
    ("What he does with the money matters.", "he", "What they do with the money matters."),
    (
        "She cooks the rice, washes up afterwards, and rarely complains.",
        "She",
        "They cook the rice, wash up afterwards, and rarely complain.",
    ),
    ("He walks and talks.", "He", "They walk and talk."),
    (
        "Every Friday she buys bread, walks to the harbour, and feeds the gulls.",
        "she",
        "Every Friday they buy bread, walk to the harbour, and feed the gulls.",
    ),
    (
        "He likes tea but hates coffee and never drinks wine.",
        "He",
        "They like tea but hate coffee and never drink wine.",
    ),
    (
        "When he whistles, the dog runs and hides.",
        "he",
        "When they whistle, the dog runs and hides.",
    ),
    ("She still, to this day, keeps the ring.", "She", "They still, to this day, keep the ring."),
]


@pytest.mark.parametrize(("text", "word", "after"), SENTENCES)
def test_all_verbs_of_the_subject_take_the_plural(rewrite, text, word, after):
    """Coordinated, inserted and inverted verbs agree, those of other subjects stay."""
    assert rewrite(text, word, "non-binary") == after
