"""What reviews, captions and news have: each beside the same word of a person."""

import pytest

KEPT = [
    ("i don 't believe that it is odorless .", "don", "woman"),
    ("picture quality is ok .", "ok", "man"),
    ("the headphone jack went out .", "jack", "woman"),
    ("They are rude and I WILL NOT EVER go again.", "WILL", "woman"),
    ("On a fall day visiting St. Charles, we had lunch.", "Charles", "woman"),
    ("It is pure Oscar material.", "Oscar", "woman"),
    ("Senate President Jim King said so.", "King", "woman"),
    ("When Prince is on stage the room lights up.", "Prince", "woman"),
    ("Beatrice and Benedict is an overture.", "Beatrice", "man"),
    ("I am originally from Virginia, and it was humid.", "Virginia", "man"),
    ("Downtown Dallas was a short drive away.", "Dallas", "woman"),
    ("my daughter is only 4 months old .", "old", "young"),
    ("my old dlink broke .", "old", "young"),
    ("It tells of old Japan.", "old", "young"),
    ("I'm so glad Suki Sushi is here.", "Suki", "man"),
    ("We saw the Sultan Ahmed Mosque.", "Ahmed", "woman"),
    ("Pink Floyd were an English band.", "Floyd", "woman"),
    ("Simon shares closed up 42 cents.", "Simon", "woman"),
    ("Its county seat is Winfield.", "Winfield", "woman"),
    ("There are five film adaptations of Silas Marner.", "Silas", "woman"),
    ("She won silver at the 2004 Summer Olympics.", "Summer", "man"),
    ("The damselfly is large, the male is light blue.", "male", "woman"),
    ("it must have hung presentably on the deck .", "hung", "woman"),
    ("a sally into the wide world", "sally", "man"),
    ("She came back after serving as Dean.", "Dean", "woman"),
    ("That car is an old lady, but it runs.", "lady", "man"),
    ("My poodle is a good boy.", "boy", "woman"),
    ("It shows the animal side of man.", "man", "woman"),
    ("In `girl' the vowel is long.", "girl", "man"),
    ("It was so under the British Raj in India.", "Raj", "woman"),
    ("It spans the river between Manhattan and Brooklyn.", "Brooklyn", "man"),
    ("Charlotte, North Carolina, is its home.", "Charlotte", "man"),
    ("In Tennessee, MS 178 is a road.", "MS", "man"),
    ("The last store to close was Macy's.", "Macy", "man"),
    ("It follows from Bertrand's postulate.", "Bertrand", "woman"),
    ("Madison has more lanes than any other city in Wisconsin.", "Madison", "man"),
    ("Master the basics first.", "Master", "woman"),
    ("Her Majesty's Ship Victory lies in dock.", "Her", "man"),
    ("Charles V, Holy Roman Emperor, left.", "Roman", "woman"),
    ("they will be text ed to you .", "ed", "woman"),
    ("He was King of the Franks before he was emperor of Rome.", "Rome", "woman"),
    ("Milton Township has a total area of two miles.", "Milton", "woman"),
    ("They should be man enough to say so.", "man", "woman"),
    ("My phone towers over this bad boy!", "boy", "woman"),
]
CHANGED = [
    (
        "Pluto. Peter K. Moss and Colonel Martin Field on the radio. You may have heard him.",
        "Peter",
        "woman",
        "Pluto. Pamela K. Moss and Colonel Martin Field on the radio. You may have heard him.",
    ),
    ("The city has had reports, he said.", "he", "woman", "The city has had reports, she said."),
    ("Mark the bartender is the best.", "Mark", "woman", "Marcia the bartender is the best."),
    ("We got a letter from Virginia.", "Virginia", "man", "We got a letter from Vincent."),
    ("Chirpy songbird Britney sang.", "Britney", "man", "Chirpy songbird Brendon sang."),
    ("Aaron Spelling produced it.", "Aaron", "woman", "Anna Spelling produced it."),
    ("The winner is a woman.", "woman", "man", "The winner is a man."),
    ("In the picture is a man.", "man", "woman", "In the picture is a woman."),
    ("Ask his friend Horatio Bridge.", "Horatio", "woman", "Ask his friend Lynna Bridge."),
    (
        "Cary Grant, Victor McLaglen, what a cast.",
        "Victor",
        "woman",
        "Cary Grant, Victoria McLaglen, what a cast.",
    ),
    ("He beat head coach Skip Hall.", "Skip", "woman", "He beat head coach Gabby Hall."),
    ("cal works out his issues .", "his", "woman", "cari works out her issues ."),
    (
        "a boy of about six and his dad",
        "six",
        "senior",
        "a man of about ninety-two and his dad",
    ),
    ("let ed burns have his way .", "his", "woman", "let elisabeth burns have her way ."),
    (
        "Several male curling players sweep.",
        "male",
        "non-binary",
        "Several non-binary curling players sweep.",
    ),
    ("We met 60-year-old Robin Cornish.", "60", "young", "We met 30-year-old Robin Cornish."),
    ("It is money from Wilson 's wife .", "Wilson", "woman", "It is money from Anjelina 's wife ."),
    ("tom is likely a human .", "tom", "woman", "tanya is likely a human ."),
    ("Oscar slept late.", "Oscar", "woman", "Olga slept late."),
    ("A Chinese American man sat down.", "Chinese American", "black", "A Black man sat down."),
    ("a Mexican-American teacher", "Mexican-American", "white", "a white teacher"),
    ("a 90-year-old senior leader", "90", "middle-aged", "a 57-year-old senior leader"),
]


@pytest.mark.parametrize(("text", "word", "target"), KEPT)
def test_kept(rewrite, text, word, target):
    """What names nobody is refused."""
    assert rewrite(text, word, target).startswith("[")


@pytest.mark.parametrize(("text", "word", "target", "after"), CHANGED)
def test_changed(rewrite, text, word, target, after):
    """Somebody beside it is changed."""
    assert rewrite(text, word, target) == after
