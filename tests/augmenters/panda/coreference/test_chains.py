"""Nobody is left half changed: each chain has one link that used to be missed."""

import pytest

WHOLE = [
    (
        "His back facing us, a young man photographs a lake.",
        "man",
        "woman",
        "Her back facing us, a young woman photographs a lake.",
    ),
    (
        "Her back facing us, a young woman photographs a lake.",
        "Her",
        "man",
        "His back facing us, a young man photographs a lake.",
    ),
    ("He fathered three children.", "He", "woman", "She mothered three children."),
    ("After fathering twins, he left.", "he", "woman", "After mothering twins, she left."),
    ("She mothered two sons.", "She", "non-binary", "They parented two sons."),
    ("He seemed like a nice guy.", "He", "woman", "She seemed like a nice gal."),
    ("He turned out to be a good man.", "He", "woman", "She turned out to be a good woman."),
    (
        "It shows how bad an actress she is, beyond her gifts.",
        "actress",
        "man",
        "It shows how bad an actor he is, beyond his gifts.",
    ),
    (
        "He accused the city of framing him.",
        "him",
        "woman",
        "She accused the city of framing her.",
    ),
]
OTHERS_STAY = [
    (
        "Rose made his first start, replacing Thomas, who is hurt.",
        "Thomas",
        "woman",
        "Rose made his first start, replacing Tiffany, who is hurt.",
    ),
    (
        "FBI whistleblower Coleen Rowley is in Texas, as is Becky Lourey, another mother.",
        "Becky",
        "man",
        "FBI whistleblower Coleen Rowley is in Texas, as is Benny Lourey, another father.",
    ),
    ("She mothered the new boy.", "She", "man", "He mothered the new boy."),
    (
        "The firm of James Caan, Robert Duvall and his wife closed.",
        "James",
        "woman",
        "The firm of Jennifer Caan, Robert Duvall and his wife closed.",
    ),
    (
        "Rob Marshall made his film. Marshall saw one.",
        "Rob",
        "woman",
        "Reva Marshall made her film. Marshall saw one.",
    ),
]
MORE = [
    (
        "His hands deep in his pockets, the old man left.",
        "man",
        "woman",
        "Her hands deep in her pockets, the old woman left.",
    ),
    (
        "I am a Steve Martin fan, but even he can't save it.",
        "he",
        "woman",
        "I am a Sara Martin fan, but even she can't save it.",
    ),
    ("They fought King Harold, a Saxon.", "King", "woman", "They fought Queen Helen, a Saxon."),
    (
        "Princess Charlotte, Britain's heir, said she won.",
        "she",
        "man",
        "Prince Charles, Britain's heir, said he won.",
    ),
    (
        "Phone to her ear, a woman bends forward.",
        "her",
        "man",
        "Phone to his ear, a man bends forward.",
    ),
    ("My wife gets hers on her check.", "her", "man", "My husband gets his on his check."),
    (
        "Tony King was fine in his role.",
        "his",
        "woman",
        "Tina King was fine in her role.",
    ),
    (
        "Federal Reserve Chairman, Alan Greenspan, warned us.",
        "Alan",
        "woman",
        "Federal Reserve Chairwoman, Ann Greenspan, warned us.",
    ),
    ("He left the court a free man.", "He", "woman", "She left the court a free woman."),
    ("He died a happy man.", "man", "woman", "She died a happy woman."),
    (
        "It is the typical Mel Brooks film, like most of his movies.",
        "his",
        "woman",
        "It is the typical Meagan Brooks film, like most of her movies.",
    ),
    (
        "The woman has a deal protecting her from the law.",
        "woman",
        "man",
        "The man has a deal protecting him from the law.",
    ),
    (
        "instead of making his own style , director marcus adams just copies from sources",
        "his",
        "woman",
        "instead of making her own style , director mary adams just copies from sources",
    ),
    ("They said, 'let her take the baby.'", "her", "man", "They said, 'let him take the baby.'"),
]
HER = [
    ("She was trying her hardest.", "She", "man", "He was trying his hardest."),
    ("She is having her diaper changed.", "She", "man", "He is having his diaper changed."),
    (
        "She is showing her old coat to others.",
        "She",
        "man",
        "He is showing his old coat to others.",
    ),
    ("She waits to be served her food.", "She", "man", "He waits to be served his food."),
]


@pytest.mark.parametrize(("text", "word", "target", "after"), WHOLE + MORE)
def test_whole(rewrite, text, word, target, after):
    """Every word of a person changes with them."""
    assert rewrite(text, word, target) == after


@pytest.mark.parametrize(("text", "word", "target", "after"), OTHERS_STAY)
def test_others_stay(rewrite, text, word, target, after):
    """Nobody else's word does."""
    assert rewrite(text, word, target) == after


@pytest.mark.parametrize(("text", "word", "target", "after"), HER)
def test_her(rewrite, text, word, target, after):
    """What is done with a thing of hers tells that it is hers."""
    assert rewrite(text, word, target) == after
