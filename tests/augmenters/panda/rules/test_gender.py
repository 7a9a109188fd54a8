"""The gender rule on whole sentences: pronouns, nouns, names and titles of one person."""

import re

import pytest

SENTENCES = [
    ("His and my parents met.", "His", "woman", "Her and my parents met."),
    ("I bought her lunch.", "her", "man", "I bought him lunch."),
    ("Talk to her openly.", "her", "non-binary", "Talk to them openly."),
    ("They made her captain of the team.", "her", "man", "They made him captain of the team."),
    ("We gave her extra homework.", "her", "man", "We gave him extra homework."),
    ("We gave her a lift to her hotel.", "her", "man", "We gave him a lift to his hotel."),
    ("I helped her mother.", "her", "man", "I helped his mother."),
    ("Let her nurse the baby.", "her", "man", "Let him nurse the baby."),
    ("Without her we'd be lost.", "her", "man", "Without him we'd be lost."),
    ("They paid her well and left.", "her", "man", "They paid him well and left."),
    ("He neither drinks nor smokes.", "He", "non-binary", "They neither drink nor smoke."),
    ("She sings, and so does he.", "She", "non-binary", "They sing, and so does he."),
    (
        "As soon as she got home, my aunt slept.",
        "aunt",
        "man",
        "As soon as he got home, my uncle slept.",
    ),
    ("I met my boss. He is nice.", "boss", "woman", "I met my boss. She is nice."),
    ("He lost his keys and she lost hers.", "she", "man", "He lost his keys and he lost his."),
    ("Victor Tenney Jackson sang.", "Victor", "woman", "Victoria Tenney Jackson sang."),
    ("They crowned her queen.", "queen", "man", "They crowned him king."),
    ("She was prom queen in 1999.", "queen", "man", "He was prom king in 1999."),
    ("She grew into a fine woman.", "woman", "man", "He grew into a fine man."),
    ("She is not the girl she was.", "She", "man", "He is not the boy he was."),
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
    (
        "Victoria reigned. By this time, Victoria was popular, and her jubilee began.",
        "Victoria",
        "man",
        "Victor reigned. By this time, Victor was popular, and his jubilee began.",
    ),
    (
        "Clyde Barrow led a gang. They called it Bonnie and Clyde.",
        "Clyde",
        "woman",
        "Cassandra Barrow led a gang. They called it Bonnie and Cassandra.",
    ),
]
HER = [
    ("I gave her book back.", "her", "man", "I gave his book back."),
    ("We gave her younger brother a lift.", "her", "man", "We gave his younger brother a lift."),
    ("Behind her stood a guard.", "her", "man", "Behind him stood a guard."),
    (
        "The screen behind her displays a film.",
        "her",
        "man",
        "The screen behind him displays a film.",
    ),
    ("The dog next to her barked.", "her", "man", "The dog next to him barked."),
    ("Everyone but her left early.", "her", "man", "Everyone but him left early."),
    ("The usher handed her two programmes.", "her", "man", "The usher handed him two programmes."),
    ("I have known her ten years.", "her", "man", "I have known him ten years."),
    ("He taught her chess.", "her", "man", "He taught him chess."),
    ("Tell her dinner is ready.", "her", "man", "Tell him dinner is ready."),
    ("It took her years to pay.", "her", "man", "It took him years to pay."),
    ("I find her honest and kind.", "her", "man", "I find him honest and kind."),
    ("That dress suits her well.", "her", "man", "That dress suits him well."),
    ("The teacher made her rewrite it.", "her", "man", "The teacher made him rewrite it."),
    ("They said, 'let her take the baby.'", "her", "man", "They said, 'let him take the baby.'"),
    ("The woman is cooking her dinner.", "woman", "man", "The man is cooking his dinner."),
    ("The actress gives her all.", "actress", "man", "The actor gives his all."),
    ("She was trying her hardest.", "She", "man", "He was trying his hardest."),
    ("A cousin of his runs the ferry.", "his", "woman", "A cousin of hers runs the ferry."),
    ("The king is fond of his hounds.", "king", "woman", "The queen is fond of her hounds."),
    ("He framed a photo of his dog.", "He", "woman", "She framed a photo of her dog."),
]
PATTERNS = [
    ("I gave her mine.", "her", "man", "I gave him mine."),
    ("Ask her yourself.", "her", "man", "Ask him yourself."),
    ("I took her outside.", "her", "man", "I took him outside."),
    ("The choice was his alone.", "his", "woman", "The choice was hers alone."),
    (
        "MY BROTHER THINKS HE IS RIGHT.",
        "BROTHER",
        "non-binary",
        "MY SIBLING THINKS THEY ARE RIGHT.",
    ),
    ("Bob said he was tired.", "Bob", "woman", "{name} said she was tired."),
    ("Meg lost her phone.", "Meg", "man", "{name} lost his phone."),
    ("Peg told us she would wait.", "Peg", "man", "{name} told us he would wait."),
    ("Hank and his dog went out.", "Hank", "woman", "{name} and her dog went out."),
    ("Liz is proud of herself.", "Liz", "man", "{name} is proud of himself."),
    ("Beth thinks she is late.", "Beth", "man", "{name} thinks he is late."),
    ("Chuck forgot his coat.", "Chuck", "woman", "{name} forgot her coat."),
    ("Trish sold her car.", "Trish", "man", "{name} sold his car."),
    ("Gabby loves her job.", "Gabby", "man", "{name} loves his job."),
    ("The queen lost her crown.", "queen", "man", "The king lost his crown."),
    ("The Queen's speech was short.", "Queen", "man", "The King's speech was short."),
    ("The duchess sold her estate.", "duchess", "man", "The duke sold his estate."),
    (
        "The empress abdicated when she was old.",
        "empress",
        "man",
        "The emperor abdicated when he was old.",
    ),
    ("The princess says she is bored.", "princess", "non-binary", "The royal says they are bored."),
    ("Her Majesty opened the bridge.", "Her", "man", "His Majesty opened the bridge."),
    ("His Highness has lost his keys.", "His", "woman", "Her Highness has lost her keys."),
    ("Queen Camila waved to her people.", "Queen", "man", "King {name} waved to his people."),
    ("Queen Margrethe waved to her people.", "Queen", "man", "King {name} waved to his people."),
    ("The baron sold his castle.", "baron", "woman", "The baroness sold her castle."),
    ("THE WOMAN LOST HER KEYS.", "WOMAN", "man", "THE MAN LOST HIS KEYS."),
    ("SHE HAS LEFT AND TAKES HER DOG.", "SHE", "non-binary", "THEY HAVE LEFT AND TAKE THEIR DOG."),
    ("MAYOR SAYS SHE WILL RESIGN", "SHE", "man", "MAYOR SAYS HE WILL RESIGN"),
    ("POLICEMAN SAVES HIS NEIGHBOR", "POLICEMAN", "woman", "POLICEWOMAN SAVES HER NEIGHBOR"),
    (
        "A woman who runs daily said she sleeps well.",
        "woman",
        "non-binary",
        "A person who runs daily said they sleep well.",
    ),
    (
        "She is one who knows her limits.",
        "She",
        "non-binary",
        "They are one who knows their limits.",
    ),
    ("It is he who decides.", "he", "non-binary", "It is they who decide(s|)."),
    ("She did it all by herself.", "She", "man", "He did it all by himself."),
    ("He himself wrote it.", "He", "woman", "She herself wrote it."),
    ("I admire her very old house.", "her", "man", "I admire his very old house."),
    ("I like her singing.", "her", "man", "I like his singing."),
    ("We met her three sons.", "her", "man", "We met his three sons."),
    ("It was her best result.", "her", "man", "It was his best result."),
    ("We invited her and Tom.", "her", "man", "We invited him and Tom."),
    ("A cousin of hers called.", "hers", "man", "A cousin of his called."),
    ("He built it with his own hands.", "He", "woman", "She built it with her own hands."),
    ("I saw her leave early.", "her", "man", "I saw him leave early."),
    ("The news made her happy.", "her", "man", "The news made him happy."),
    ("I told her that it rained.", "her", "man", "I told him that it rained."),
    ("I blame her, not the driver.", "her", "man", "I blame him, not the driver."),
    ("The coat is his, I think.", "his", "woman", "The coat is hers, I think."),
    ("They gave her twice the money.", "her", "man", "They gave him twice the money."),
    ("We watched her dance.", "her", "man", "We watched him dance."),
    ("His was the only vote against.", "His", "woman", "Hers was the only vote against."),
    ("Mrs. Patel forgot her keys.", "Mrs.", "man", "Mr. Patel forgot his keys."),
    ("Miss Carter teaches her class.", "Miss", "man", "Mr(\\.|) Carter teaches his class."),
    ("Dr. Ames said she was late.", "she", "man", "Dr. Ames said he was late."),
    ("Sir Ian thanked his fans.", "Sir", "woman", "(Dame|Lady) {name} thanked her fans."),
    ("Ms. Okafor knows what she wants.", "Ms.", "non-binary", "Mx. Okafor knows what they want."),
    ("The hostess smiled.", "hostess", "man", "The host smiled."),
    (
        "The cleaning lady lost her key.",
        "lady",
        "man",
        "The cleaning (man|gentleman) lost his key.",
    ),
    (
        "The stewardess raised her hand.",
        "stewardess",
        "non-binary",
        "The (flight attendant|steward) raised their hand.",
    ),
    ("An ombudsman gave his view.", "ombudsman", "woman", "An ombudswoman gave her view."),
    ("The groundsman cut his thumb.", "groundsman", "woman", "The groundswoman cut her thumb."),
]


@pytest.mark.parametrize(("text", "word", "target", "after"), [*SENTENCES, *HER])
def test_one_person_changes_with_all_that_refers_to_them(rewrite, text, word, target, after):
    """Pronouns, nouns and verbs of the person change, and nothing else does."""
    assert rewrite(text, word, target) == after


@pytest.mark.parametrize("sentence", PATTERNS)
def test_case_title_and_name_follow_the_gender(rewrite, accepted, sentence):
    """The answer is one that a fair judge accepts; a new name is none of the text."""
    text, word, target, expected = sentence
    assert re.fullmatch(accepted(expected, text), rewrite(text, word, target))


@pytest.mark.parametrize(
    "sentence",
    [
        ("We saw Pontius Pilate.", "Pilate", "woman", "We saw {name} Pilate."),
        ("Morton said she was ill.", "Morton", "man", "Morton said he was ill."),
        ("Tom says he is ill.", "he", "non-binary", "Tom says they are ill."),
        ("Tom says he is ill.", "Tom", "non-binary", "{name} says they are ill."),
    ],
)
def test_names_change_by_the_word_that_is_pointed_at(rewrite, accepted, sentence):
    """A surname stays, and any name that "they" may bear."""
    text, word, target, expected = sentence
    answer = rewrite(text, word, target, pointed=True)
    assert re.fullmatch(accepted(expected, text), answer)


def test_a_name_inside_another_is_nobody(rewrite):
    """Neither part of a surname nor the name of a film's director is who is meant."""
    assert rewrite("O'Brian said he left.", "he", "woman") == "O'Brian said she left."
    new, _, rest = rewrite("Paul saw a Tom Hanks film as he ate.", "he", "woman").partition(" ")
    assert new != "Paul"
    assert rest == "saw a Tom Hanks film as she ate."


def test_a_surname_alone_says_no_gender(rewrite):
    """Nothing else of the text would change with it."""
    assert rewrite("Morton is funny.", "Morton", "woman", pointed=True) == "[no reference]"


def test_a_first_name_changes_wherever_it_stands_but_as_a_place(rewrite):
    """Two mentions of a person get one name; a town of that name keeps its own."""
    new, _, rest = rewrite("Paris forgot her phone in Paris.", "Paris", "man").partition(" ")
    assert new != "Paris"
    assert rest == "forgot his phone in Paris."
    new, _, rest = rewrite("Paul left. I saw Paul there.", "Paul", "woman").partition(" ")
    assert new != "Paul"
    assert rest == f"left. I saw {new} there."


@pytest.mark.parametrize(
    ("text", "word", "target", "other"),
    [
        ("A boy named Peter lost his dog.", "boy", "woman", "Peter"),
        ("Lady Diana smiled at her son.", "Lady", "man", "Diana"),
        ("Joy lost her keys.", "Joy", "man", "Jesus"),
        ("Alan Grant and his students left.", "Alan", "woman", " his "),
        ("By the age of thirty, he owned two shops.", "thirty", "senior", "thirty"),
    ],
)
def test_a_name_or_age_that_goes_with_the_change_does_not_stay(rewrite, text, word, target, other):
    """Names and ages of the person are drawn anew."""
    answer = rewrite(text, word, target)
    assert not answer.startswith("[")
    assert other not in answer
