"""Words of reviews, captions and news that name nobody, and the same words of a person."""

import pytest

NOT_PERSONS = [
    ("i don 't believe that it is odorless .", "don", "woman", "no reference"),
    ("picture quality is ok .", "ok", "man", "no reference"),
    ("the headphone jack went out .", "jack", "woman", "fixed phrase"),
    ("They are rude and I WILL NOT EVER go again.", "WILL", "woman", "not a person"),
    ("On a fall day visiting St. Charles, we had lunch.", "Charles", "woman", "not a person"),
    ("It is pure Oscar material.", "Oscar", "woman", "not a person"),
    ("Senate President Jim King said so.", "King", "woman", "not a person"),
    ("When Prince is on stage the room lights up.", "Prince", "woman", "not a person"),
    ("Beatrice and Benedict is an overture.", "Beatrice", "man", "not a person"),
    ("I am originally from Virginia, and it was humid.", "Virginia", "man", "not a person"),
    ("Downtown Dallas was a short drive away.", "Dallas", "woman", "not a person"),
    ("my daughter is only 4 months old .", "old", "young", "not a person"),
    ("my old dlink broke .", "old", "young", "not a person"),
    ("It tells of old Japan.", "old", "young", "not a person"),
    ("I'm so glad Suki Sushi is here.", "Suki", "man", "not a person"),
    ("We saw the Sultan Ahmed Mosque.", "Ahmed", "woman", "not a person"),
    ("Pink Floyd were an English band.", "Floyd", "woman", "fixed phrase"),
    ("Simon shares closed up 42 cents.", "Simon", "woman", "not a person"),
    ("Its county seat is Winfield.", "Winfield", "woman", "not a person"),
    ("There are five film adaptations of Silas Marner.", "Silas", "woman", "not a person"),
    ("She won silver at the 2004 Summer Olympics.", "Summer", "man", "not a person"),
    ("it must have hung presentably on the deck .", "hung", "woman", "not a person"),
    ("a sally into the wide world", "sally", "man", "not a person"),
    ("She came back after serving as Dean.", "Dean", "woman", "not a person"),
    ("In `girl' the vowel is long.", "girl", "man", "not a person"),
    ("It was so under the British Raj in India.", "Raj", "woman", "not a person"),
    ("It spans the river between Manhattan and Brooklyn.", "Brooklyn", "man", "not a person"),
    ("Charlotte, North Carolina, is its home.", "Charlotte", "man", "not a person"),
    ("In Tennessee, MS 178 is a road.", "MS", "man", "not a person"),
    ("The last store to close was Macy's.", "Macy", "man", "not a person"),
    ("It follows from Bertrand's postulate.", "Bertrand", "woman", "not a person"),
    ("Madison has more lanes than any other city in Wisconsin.", "Madison", "man", "not a person"),
    ("Master the basics first.", "Master", "woman", "not a person"),
    ("Her Majesty's Ship Victory lies in dock.", "Her", "man", "fixed phrase"),
    ("Charles V, Holy Roman Emperor, left.", "Roman", "woman", "not a person"),
    ("they will be text ed to you .", "ed", "woman", "no reference"),
    ("He was King of the Franks before he was emperor of Rome.", "Rome", "woman", "not a person"),
    ("Milton Township has a total area of two miles.", "Milton", "woman", "not a person"),
    ("They should be man enough to say so.", "man", "woman", "fixed phrase"),
    ("My phone towers over this bad boy!", "boy", "woman", "fixed phrase"),
    ("Mrs. King teaches us chemistry.", "King", "woman", "not a person"),
    ("Judge Prince dismissed the case.", "Prince", "woman", "not a person"),
    ("The plane landed at John F. Kennedy airport.", "John", "woman", "not a person"),
    ("Jackson, Mississippi, has no clean water.", "Jackson", "woman", "not a person"),
    ("Savannah, Georgia, is haunted.", "Savannah", "man", "not a person"),
    ("I loved Emma by Jane Austen.", "Emma", "man", "not a person"),
    ("My favourite book is Matilda.", "Matilda", "man", "not a person"),
    ("She starred in Carrie.", "Carrie", "man", "not a person"),
    ("The opera Carmen is sold out.", "Carmen", "man", "not a person"),
    ("The moon Miranda orbits Uranus.", "Miranda", "man", "not a person"),
    ("He wears Levi's jeans.", "Levi", "woman", "not a person"),
    ("He graduated from Brigham Young University.", "Brigham", "woman", "fixed phrase"),
    ("Our dog Max loves his walks.", "his", "woman", "not a person"),
    ("Batman lost his cape.", "his", "woman", "not a person"),
    ("Santa is coming with his reindeer.", "Santa", "woman", "not a person"),
    ("He is a devout Christian.", "Christian", "woman", "not a person"),
    ("The manager signed the form.", "manager", "woman", "no reference"),
    ("The rooms, 15 and 17, were empty.", "15", "senior", "no reference"),
]
PERSONS = [
    (
        "Pluto. Peter K. Moss and Colonel Martin Field on the radio. You may have heard him.",
        "Peter",
        "woman",
        "Pluto. Pamela K. Moss and Colonel Martin Field on the radio. You may have heard him.",
    ),
    ("The city has had reports, he said.", "he", "woman", "The city has had reports, she said."),
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
    ("a boy of about six and his dad", "six", "senior", "a man of about ninety-two and his dad"),
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


@pytest.mark.parametrize(("text", "word", "target", "reason"), NOT_PERSONS)
def test_what_names_nobody_is_rejected(rewrite, text, word, target, reason):
    """Places, titles, things, surnames and words that are no reference have their reason."""
    assert rewrite(text, word, target) == f"[{reason}]"


@pytest.mark.parametrize(("text", "word", "target", "after"), PERSONS)
def test_the_look_alike_that_names_a_person_is_changed(rewrite, text, word, target, after):
    """A rejection goes no further than its reason."""
    assert rewrite(text, word, target) == after
