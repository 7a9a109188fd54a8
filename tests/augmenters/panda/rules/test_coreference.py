"""Which words are one person's: whole chains change, and nobody else's word does."""

import re

import pytest

CHAINS = {
    "a clause before its subject": [
        ("When he was a child, my brother was shy.", "brother", "woman"),
        ("His back facing us, a young man photographs a lake.", "man", "woman"),
        ("His hands deep in his pockets, the old man left.", "man", "woman"),
        ("Phone to her ear, a woman bends forward.", "her", "man"),
        ("Although she was tired, my sister finished her run.", "she", "man"),
        ("While he waited for his wife, the man read his paper.", "man", "woman"),
    ],
    "a predicate": [
        ("He seemed like a nice man.", "He", "woman"),
        ("He turned out to be a good man.", "He", "woman"),
        ("He died a happy man.", "man", "woman"),
        ("He left the court a free man.", "He", "woman"),
        ("She is a mother of two.", "She", "man"),
        ("Her stepfather is a retired fisherman who mends his own nets.", "stepfather", "woman"),
    ],
    "the owner of something of one's own": [
        ("The monk showed the boy his garden.", "monk", "woman"),
        ("The godmother held the child in her arms.", "godmother", "man"),
    ],
    "other forms of a name": [
        ("Robert, or Bobby to his mates, is late.", "Robert", "woman"),
        ("Her name is Margaret, but she goes by Peggy.", "Margaret", "man"),
        ("We call her Suzie, but her real name is Susan.", "Suzie", "man"),
    ],
    "a repeated noun": [("My uncle shouts, but my uncle is kind.", "uncle", "woman")],
    "a first name after a rank": [
        ("Governor William L. Marcy took his seat.", "William", "woman"),
        ("General Francisco de Miranda took his seat.", "Francisco", "woman"),
    ],
    "a surname": [
        ("Ronald Reagan spoke. Later Reagan said he was tired.", "he", "woman"),
        (
            "Tom Reed sang. Reed met Ann Reed. Al Wood sang, too. In May Reed lost his job.",
            "Tom",
            "woman",
        ),
    ],
}
AFTER = {
    "Governor William L. Marcy took his seat.": "Governor {name} L. Marcy took her seat.",
    "General Francisco de Miranda took his seat.": "General {name} de Miranda took her seat.",
    "When he was a child, my brother was shy.": "When she was a child, my sister was shy.",
    "His back facing us, a young man photographs a lake.": (
        "Her back facing us, a young woman photographs a lake."
    ),
    "His hands deep in his pockets, the old man left.": (
        "Her hands deep in her pockets, the old woman left."
    ),
    "Phone to her ear, a woman bends forward.": "Phone to his ear, a man bends forward.",
    "Although she was tired, my sister finished her run.": (
        "Although he was tired, my brother finished his run."
    ),
    "While he waited for his wife, the man read his paper.": (
        "While she waited for her wife, the woman read her paper."
    ),
    "He seemed like a nice man.": "She seemed like a nice woman.",
    "He turned out to be a good man.": "She turned out to be a good woman.",
    "He died a happy man.": "She died a happy woman.",
    "He left the court a free man.": "She left the court a free woman.",
    "She is a mother of two.": "He is a father of two.",
    "Her stepfather is a retired fisherman who mends his own nets.": (
        "Her stepmother is a retired fisherwoman who mends her own nets."
    ),
    "The monk showed the boy his garden.": "The nun showed the boy her garden.",
    "The godmother held the child in her arms.": "The godfather held the child in his arms.",
    "Robert, or Bobby to his mates, is late.": "{name}, or {name} to her mates, is late.",
    "Her name is Margaret, but she goes by Peggy.": "His name is {name}, but he goes by {name}.",
    "We call her Suzie, but her real name is Susan.": (
        "We call him {name}, but his real name is {name}."
    ),
    "Mark Hale was born in Ohio in 1857, the son of a smith.": (
        "{name} Hale was born in Ohio in 1857, the daughter of a smith."
    ),
    "He is a husband to Ann and a father to Tim.": "She is a wife to Ann and a mother to Tim.",
    "My uncle shouts, but my uncle is kind.": "My aunt shouts, but my aunt is kind.",
    "Ronald Reagan spoke. Later Reagan said he was tired.": (
        "{name} Reagan spoke. Later Reagan said she was tired."
    ),
    "Tom Reed sang. Reed met Ann Reed. Al Wood sang, too. In May Reed lost his job.": (
        "{name} Reed sang. Reed met Ann Reed. Al Wood sang, too. In May Reed lost her job."
    ),
}
OTHERS = [
    ("She is like her mother.", "She", "man", "He is like his mother."),
    ("He who pays calls the tune, my uncle says.", "uncle", "woman", "He who pays calls the tune"),
    ("Jack Hill met Jack Wood.", "Jack", "woman", "met Jack Wood"),
    ("I am David, and this is my brother.", "David", "woman", "this is my brother"),
    ("The doctor told Mr. Reed that she was late.", "she", "man", "Mr. Reed"),
    ("The man in black paid the man in white.", "man", "woman", "the man in white"),
    ("One king was old; the other king was weak.", "king", "woman", "the other king"),
    ("The waiters like the cook, since they may ask them.", "them", "woman", "they may ask her"),
    ("Dr. Miller said he was late.", "he", "woman", "Dr. Miller said she"),
    ("My uncle paid the plumber, who wiped his boots.", "uncle", "woman", "wiped his boots"),
    ("Sergeant Grant sat down, and my aunt poured him his tea.", "him", "woman", "aunt poured her"),
    ("Mr. Hall fired Tom because he was late.", "Mr.", "woman", "because he was late"),
    ("Ann asked the queen whether she was ill.", "queen", "man", "whether he was ill"),
    ("The lady warned the maid that she would fall.", "lady", "man", "that she would fall"),
    ("Ann thanked the queen for her visit.", "queen", "man", "for his visit"),
    ("The woman pilot landed her plane.", "woman", "man", "landed his plane"),
    (
        "The actress who plays the nurse says she is proud of her part.",
        "actress",
        "man",
        "his part",
    ),
    (
        "Mrs. Pell read until Officer Grant arrived and took off her coat.",
        "Mrs.",
        "man",
        "her coat",
    ),
    ("In the end, the nurse left Ann and locked her car.", "Ann", "man", "her car"),
    ("The queen thanked the nurse, gave her a purse and left.", "queen", "man", "gave her"),
    ("Al waited, and when his son came, he was wet.", "Al", "woman", "he was wet"),
    ("King Al jailed his cousin Tom. The king was cruel.", "Tom", "woman", "The king was"),
]


@pytest.mark.parametrize(
    ("text", "word", "target"),
    [pytest.param(*row, id=f"{kind}: {row[0]}") for kind, rows in CHAINS.items() for row in rows],
)
def test_every_word_of_a_person_changes(rewrite, accepted, text, word, target):
    """Nobody is left half changed."""
    assert re.fullmatch(accepted(AFTER[text], text), rewrite(text, word, target))


@pytest.mark.parametrize(("text", "word", "target", "kept"), OTHERS)
def test_words_of_others_stay(rewrite, text, word, target, kept):
    """Nobody else's word changes."""
    answer = rewrite(text, word, target)
    assert not answer.startswith("[")
    assert kept in answer
