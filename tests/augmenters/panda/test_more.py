"""A table of sentences beside the gold set: one mechanism each, in words of its own."""

import random
import re

import pytest

from augkit.augmenters.panda.jobs import Perturbed
from augkit.augmenters.panda.requests import Wish, joined, to_job
from augkit.augmenters.panda.rules import Rules

SAME = "="
"""The text must be handed back as it is."""

AGREEMENT = [
    ("He lies, cheats and steals.", "They lie, cheat and steal."),
    ("She, my oldest friend, is leaving.", "They, my oldest friend, are leaving."),
    ("He goes home, eats, showers and sleeps.", "They go home, eat, shower and sleep."),
    ("She doesn't smoke and runs daily.", "They don't smoke and run daily."),
    ("He fixes bikes, sells parts and repairs.", "They fix bikes, sell parts and repairs."),
    ("She sings, dances and plays the flute.", "They sing, dance and play the flute."),
    (
        "He opens the door, looks around and leaves.",
        "They open the door, look around and leave.",
    ),
    (
        "She has written one novel and is editing another.",
        "They have written one novel and are editing another.",
    ),
    (
        "He wakes at six, feeds the cats, checks the post and goes to work.",
        "They wake at six, feed the cats, check the post and go to work.",
    ),
    (
        "She works at the mill, was trained in Leeds and hopes to retire soon.",
        "They work at the mill, were trained in Leeds and hope to retire soon.",
    ),
    ("He never argues but often complains.", "They never argue but often complain."),
    (
        "She knows what I want and always finds it.",
        "They know what I want and always find it.",
    ),
    (
        "He either walks or takes the bus, then buys bread.",
        "They either walk or take the bus, then buy bread.",
    ),
    (
        "She cooks the rice, washes up afterwards, and rarely complains.",
        "They cook the rice, wash up afterwards, and rarely complain.",
    ),
    (
        "He is tall, has a beard and wears glasses.",
        "They are tall, have a beard and wear glasses.",
    ),
    (
        "She smiles, waves, and then disappears.",
        "They smile, wave, and then disappear.",
    ),
    (
        "He reads the letter, which is long, and throws it away.",
        "They read the letter, which is long, and throw it away.",
    ),
    ("She rarely, if ever, eats meat.", "They rarely, if ever, eat meat."),
    ("He, like most of us, hates Mondays.", "They, like most of us, hate Mondays."),
    (
        "She, though nobody expected it, has won.",
        "They, though nobody expected it, have won.",
    ),
    (
        "He almost always, in my experience, tells the truth.",
        "They almost always, in my experience, tell the truth.",
    ),
    ("Rarely does she complain.", "Rarely do they complain."),
    (
        "Not only is he late, he also has no ticket.",
        "Not only are they late, they also have no ticket.",
    ),
    ("She (as far as I know) lives alone.", "They (as far as I know) live alone."),
    (
        "He, who once feared water, now swims daily.",
        "They, who once feared water, now swim daily.",
    ),
    ("Has she always been so quiet?", "Have they always been so quiet?"),
    ("What he does with the money matters.", "What they do with the money matters."),
    ("She still, to this day, keeps the ring.", "They still, to this day, keep the ring."),
]

GENDER = [
    ("I gave her mine.", "her", "man", "I gave him mine."),
    ("Ask her yourself.", "her", "man", "Ask him yourself."),
    ("We gave her younger brother a lift.", "her", "man", "We gave his younger brother a lift."),
    ("I took her outside.", "her", "man", "I took him outside."),
    ("The choice was his alone.", "his", "woman", "The choice was hers alone."),
    ("Robert, or Bobby to his mates, is late.", "Robert", "woman",
     "{name}, or {name} to her mates, is late."),
    ("MY BROTHER THINKS HE IS RIGHT.", "BROTHER", "non-binary",
     "MY SIBLING THINKS THEY ARE RIGHT."),
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
    ("The empress abdicated when she was old.", "empress", "man",
     "The emperor abdicated when he was old."),
    ("The princess says she is bored.", "princess", "non-binary",
     "The royal says they are bored."),
    ("Her Majesty opened the bridge.", "Her", "man", "His Majesty opened the bridge."),
    ("His Highness has lost his keys.", "His", "woman", "Her Highness has lost her keys."),
    ("Queen Camila waved to her people.", "Queen", "man", "King {name} waved to his people."),
    ("Queen Margrethe waved to her people.", "Queen", "man", "King {name} waved to his people."),
    ("The baron sold his castle.", "baron", "woman", "The baroness sold her castle."),
    ("THE WOMAN LOST HER KEYS.", "WOMAN", "man", "THE MAN LOST HIS KEYS."),
    ("SHE HAS LEFT AND TAKES HER DOG.", "SHE", "non-binary",
     "THEY HAVE LEFT AND TAKE THEIR DOG."),
    ("MAYOR SAYS SHE WILL RESIGN", "SHE", "man", "MAYOR SAYS HE WILL RESIGN"),
    ("POLICEMAN SAVES HIS NEIGHBOR", "POLICEMAN", "woman", "POLICEWOMAN SAVES HER NEIGHBOR"),
    ("A woman who runs daily said she sleeps well.", "woman", "non-binary",
     "A person who runs daily said they sleep well."),
    ("She is one who knows her limits.", "She", "non-binary",
     "They are one who knows their limits."),
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
    ("The dog next to her barked.", "her", "man", "The dog next to him barked."),
    ("His was the only vote against.", "His", "woman", "Hers was the only vote against."),
    ("Mrs. Patel forgot her keys.", "Mrs.", "man", "Mr. Patel forgot his keys."),
    ("Miss Carter teaches her class.", "Miss", "man", "Mr(\\.|) Carter teaches his class."),
    ("Dr. Ames said she was late.", "she", "man", "Dr. Ames said he was late."),
    ("Sir Ian thanked his fans.", "Sir", "woman", "(Dame|Lady) {name} thanked her fans."),
    ("Ms. Okafor knows what she wants.", "Ms.", "non-binary",
     "Mx. Okafor knows what they want."),
    ("The hostess smiled.", "hostess", "man", "The host smiled."),
    ("The cleaning lady lost her key.", "lady", "man",
     "The cleaning (man|gentleman) lost his key."),
    ("The stewardess raised her hand.", "stewardess", "non-binary",
     "The (flight attendant|steward) raised their hand."),
    ("An ombudsman gave his view.", "ombudsman", "woman", "An ombudswoman gave her view."),
    ("The groundsman cut his thumb.", "groundsman", "woman", "The groundswoman cut her thumb."),
]  # fmt: skip

KEPT = [
    ("We watched The Black Dahlia Murder live.", "Black", "white"),
    ("He starred in Two and a Half Men for years.", "Men", "woman"),
    ("Have you read The Handmaid's Girl?", "Girl", "man"),
    ('They sang "Brown Eyed Girl" twice.', "Girl", "man"),
    ("Her favourite film is The Last King of Scotland.", "King", "woman"),
    ("We read \u201cThe Woman in White\u201d at school.", "Woman", "man"),
    ("A white power rally was banned.", "white", "asian"),
    ("The mob lynched a black man.", "black", "white"),
    ("A white hood and a burning cross: white Klansmen came.", "white", "black"),
    ("The white colonisers took the land.", "white", "asian"),
    ("White slave owners opposed it.", "White", "black"),
    ("The white supremacist's car was found.", "white", "hispanic"),
    ("My parrot says he is hungry.", "he", "woman"),
    ("The old tractor still runs; she never fails.", "she", "man"),
    ("Hurricane Ida lost her strength overnight.", "her", "man"),
    ("France mourns her dead.", "her", "man"),
    ("The statue lost her arm in the war.", "her", "man"),
    ("My iguana shed his skin.", "his", "woman"),
    ("He fell into a manhole.", "manhole", "woman"),
    ("A Portuguese man of war washed up.", "man", "woman"),
    ("He moved his queen to e5 and gave check.", "queen", "man"),
    ("She held the king of spades.", "king", "woman"),
    ("The female socket is broken.", "female", "man"),
    ("They swam in the Black Sea.", "Black", "white"),
    ("We ate at Burger King.", "King", "woman"),
    ("They toured Old Trafford.", "Old", "young"),
    ("Young & Sons closed last year.", "Young", "senior"),
    ("The Boston Boys lost again.", "Boys", "woman"),
    ("He lives on Queen Street.", "Queen", "man"),
    ("The White Stripes broke up.", "White", "black"),
    ("The Black Country has many canals.", "Black", "white"),
    ("King's Cross was closed.", "King", "woman"),
    ("Mother's Day is in May.", "Mother", "man"),
    ("It is an old wives' tale.", "wives", "man"),
    ("You need to man up.", "man", "woman"),
    ("It was every man for himself.", "man", "woman"),
    ("The ladies' room is upstairs.", "ladies", "man"),
    ("The station is manned all night.", "manned", "woman"),
    ("She told a white lie.", "white", "black"),
    ("He is young at heart.", "young", "senior"),
    ("Her brother is an old hand at this.", "old", "young"),
    ("Man's best friend barked.", "Man", "woman"),
    ("The man in the street knows it.", "man", "woman"),
    ("He is a ladies' man.", "ladies", "man"),
    ("Boys' clothes are on sale.", "clothes", "woman"),
    ("She is the eldest daughter.", "eldest", "senior"),
    ("Our youngest son sings.", "youngest", "senior"),
]

AGE = [
    ("The pilot, aged 34, survived.", "34", "senior", "The pilot, aged {senior}, survived."),
    ("She is 34 years of age.", "34", "senior", "She is {senior} years of age."),
    ("A 7 year old won.", "7", "senior", "A(n|) {senior} year old won."),
    ("He turned forty in May.", "forty", "senior", "He turned {words} in May."),
    ("She is in her late fifties.", "fifties", "young",
     "She is in her (late |)(twenties|thirties)."),
    ("An octogenarian won the race.", "octogenarian", "child", "A (child|kid) won the race."),
    ("I met a boy of ten.", "ten", "senior", "I met a(n|) man of {words}."),
    ("My 6-year-old loves trains.", "6", "senior", "My {senior}-year-old loves trains."),
    ("The baby slept.", "baby", "senior", "The (senior|senior citizen|elder) slept."),
    ("A man of 72 was rescued.", "72", "young", "A man of {young} was rescued."),
    ("Tom (19) was hurt.", "19", "senior", "Tom ({senior}) was hurt."),
    ("She was 16 when she left.", "16", "senior", "She was {senior} when she left."),
    ("He died at the age of 81.", "81", "young", "He died at the age of {young}."),
    ("The singer, who is 23, cried.", "23", "senior", "The singer, who is {senior}, cried."),
    ("Her elderly aunt lives alone.", "elderly", "young", "Her young aunt lives alone."),
    ("My young cousin can swim.", "young", "senior",
     "My (old|elderly|older|senior) cousin can swim."),
]  # fmt: skip

AXES = {
    **dict.fromkeys(("man", "woman", "non-binary"), "gender"),
    **dict.fromkeys(("white", "black", "hispanic", "asian"), "race"),
    **dict.fromkeys(("child", "young", "middle-aged", "senior", "adult"), "age"),
}
NAME = r"[^\W\d_a-z][\w-]+"
_SLOTS = {
    "{senior}": r"(?:6[5-9]|[789]\d)",
    "{young}": r"(?:1[89]|[23]\d|4[0-4])",
    "{words}": r"(?:sixty|seventy|eighty|ninety)(?:-\w+)?",
}
TABLE = [
    *(
        (text, re.search(r"\b(?:she|he)\b", text, re.IGNORECASE).group(), "non-binary", after)
        for text, after in AGREEMENT
    ),
    (
        "She doesn't smoke, drinks little and runs.",
        "She",
        "non-binary",
        "They don't smoke, drink little and run.",
    ),
    *GENDER,
    *((text, word, target, SAME) for text, word, target in KEPT),
    *AGE,
]


def _answer(text, word, target):
    start = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text).start()
    job = to_job(Wish(text, AXES[target], target, word, start), random.Random(0))
    answer = Rules().perturb([job])[0]
    return joined(answer.fields) if isinstance(answer, Perturbed) else text


def _pattern(expected, text):
    """An expression for the expected text; a new name is none that stands in the old text."""
    pattern = re.sub(r"(?<!\\)([.?])(?=\s|$)(?!\))", r"\\\1", expected)
    pattern = pattern.replace("({senior})", r"\({senior}\)").replace("(as far", r"\(as far")
    pattern = pattern.replace("know) live", r"know\) live")
    for slot, written in _SLOTS.items():
        pattern = pattern.replace(slot, written)
    return pattern.replace("{name}", rf"(?!(?:{'|'.join(re.findall(NAME, text))})\b){NAME}")


@pytest.mark.parametrize(("text", "word", "target", "expected"), TABLE)
def test_a_sentence_is_rewritten_or_left_alone_as_it_should(text, word, target, expected):
    """The answer is one that a fair judge accepts."""
    answer = _answer(text, word, target)
    if expected == SAME:
        assert answer == text
    else:
        assert re.fullmatch(_pattern(expected, text), answer), answer
