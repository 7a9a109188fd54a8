"""Ordinary sentences that strangers would try, by class; each class was once got wrong."""

import pytest

KEPT = [
    ("Mrs. King teaches us chemistry.", "King", "woman"),
    ("Judge Prince dismissed the case.", "Prince", "woman"),
    ("The plane landed at John F. Kennedy airport.", "John", "woman"),
    ("Jackson, Mississippi, has no clean water.", "Jackson", "woman"),
    ("Savannah, Georgia, is haunted.", "Savannah", "man"),
    ("I loved Emma by Jane Austen.", "Emma", "man"),
    ("My favourite book is Matilda.", "Matilda", "man"),
    ("She starred in Carrie.", "Carrie", "man"),
    ("The opera Carmen is sold out.", "Carmen", "man"),
    ("The moon Miranda orbits Uranus.", "Miranda", "man"),
    ("He wears Levi's jeans.", "Levi", "woman"),
    ("He graduated from Brigham Young University.", "Brigham", "woman"),
    ("Our dog Max loves his walks.", "his", "woman"),
    ("Man has walked on the moon.", "Man", "woman"),
    ("Queens is a borough of New York.", "Queens", "man"),
    ("Cowboys beat Giants 21-14.", "Cowboys", "woman"),
    ("Batman lost his cape.", "his", "woman"),
    ("Santa is coming with his reindeer.", "Santa", "woman"),
    ("He is a devout Christian.", "Christian", "woman"),
    ("The manager signed the form.", "manager", "woman"),
    ("The rooms, 15 and 17, were empty.", "15", "senior"),
]
CHANGED = [
    ("He met a friend of his last week.", "He", "woman", "She met a friend of hers last week."),
    ("His and my parents met.", "His", "woman", "Her and my parents met."),
    ("I bought her lunch.", "her", "man", "I bought him lunch."),
    ("They made her captain of the team.", "her", "man", "They made him captain of the team."),
    ("We gave her extra homework.", "her", "man", "We gave him extra homework."),
    ("We gave her a lift to her hotel.", "her", "man", "We gave him a lift to his hotel."),
    ("I helped her mother.", "her", "man", "I helped his mother."),
    ("Let her nurse the baby.", "her", "man", "Let him nurse the baby."),
    ("Without her we'd be lost.", "her", "man", "Without him we'd be lost."),
    ("Behind her stood a guard.", "her", "man", "Behind him stood a guard."),
    ("They paid her well and left.", "her", "man", "They paid him well and left."),
    ("That's all he's ever wanted.", "he", "non-binary", "That's all they've ever wanted."),
    ("He neither drinks nor smokes.", "He", "non-binary", "They neither drink nor smoke."),
    ("She sings, and so does he.", "She", "non-binary", "They sing, and so does he."),
    (
        "When he was a child, my brother was shy.",
        "brother",
        "woman",
        "When she was a child, my sister was shy.",
    ),
    (
        "As soon as she got home, my aunt slept.",
        "aunt",
        "man",
        "As soon as he got home, my uncle slept.",
    ),
    ("I met my boss. He is nice.", "boss", "woman", "I met my boss. She is nice."),
    ("He lost his keys and she lost hers.", "she", "man", "He lost his keys and he lost his."),
    (
        "His stepfather saw him as his own son.",
        "stepfather",
        "woman",
        "His stepmother saw him as her own son.",
    ),
    ("They crowned her queen.", "queen", "man", "They crowned him king."),
    ("She was prom queen in 1999.", "queen", "man", "He was prom king in 1999."),
    ("She grew into a fine woman.", "woman", "man", "He grew into a fine man."),
    ("She is not the girl she was.", "She", "man", "He is not the boy he was."),
    (
        "The women sat and one of them lost her ring.",
        "women",
        "man",
        "The men sat and one of them lost his ring.",
    ),
    ("My mom and dad are teachers.", "dad", "woman", "My mom and mom are teachers."),
    ("Excuse me, miss, is this seat taken?", "miss", "man", "Excuse me, sir, is this seat taken?"),
    ("First Lady Lee waved.", "First Lady", "man", "First Gentleman Lee waved."),
    ("White Americans were asked.", "White", "black", "Black Americans were asked."),
    ("She identifies as Latina.", "Latina", "black", "She identifies as Black."),
    ("An elderly gentleman sits down.", "elderly", "child", "A boy sits down."),
    (
        "The people next door play their music.",
        "people",
        "man",
        "The men next door play their music.",
    ),
    ("Mr. King said he was late.", "he", "woman", "Ms. King said she was late."),
]


@pytest.mark.parametrize(("text", "word", "target"), KEPT)
def test_kept(rewrite, text, word, target):
    """What names nobody, or nobody of a gender, is refused."""
    assert rewrite(text, word, target).startswith("[")


@pytest.mark.parametrize(("text", "word", "target", "after"), CHANGED)
def test_changed(rewrite, text, word, target, after):
    """Somebody is changed, through all that refers to them and nothing else."""
    assert rewrite(text, word, target) == after


@pytest.mark.parametrize(
    ("text", "word", "target", "other"),
    [
        ("A boy named Peter lost his dog.", "boy", "woman", "Peter"),
        ("Lady Diana smiled at her son.", "Lady", "man", "Diana"),
        ("Joy lost her keys.", "Joy", "man", "Jesus"),
        ("Alan Grant and his students left.", "Alan", "woman", " his "),
        ("He's 6 and she's 8.", "6", "senior", " 6 "),
        ("By the age of thirty, he owned two shops.", "thirty", "senior", "thirty"),
        ("The suspects, 15 and 17, were released.", "17", "senior", "17"),
    ],
)
def test_what_is_drawn(rewrite, text, word, target, other):
    """A name or an age that goes with the change does not stay."""
    answer = rewrite(text, word, target)
    assert not answer.startswith("[")
    assert other not in answer
