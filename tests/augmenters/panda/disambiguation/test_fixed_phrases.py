"""Titles, brands, idioms, animals and wrongs: words that are no reference, with the reason."""

import pytest

SENTENCES = [
    ("We watched The Black Dahlia Murder live.", "Black", "white", "fixed phrase"),
    ("He starred in Two and a Half Men for years.", "Men", "woman", "fixed phrase"),
    ("Have you read The Handmaid's Girl?", "Girl", "man", "not a person"),
    ('They sang "Brown Eyed Girl" twice.', "Girl", "man", "not a person"),
    ("Her favourite film is The Last King of Scotland.", "King", "woman", "not a person"),
    ("We read “The Woman in White” at school.", "Woman", "man", "not a person"),
    ("A white power rally was banned.", "white", "asian", "fixed phrase"),
    ("The mob lynched a black man.", "black", "white", "fixed phrase"),
    ("A white hood and a burning cross: white Klansmen came.", "white", "black", "fixed phrase"),
    ("The white colonisers took the land.", "white", "asian", "fixed phrase"),
    ("White slave owners opposed it.", "White", "black", "fixed phrase"),
    ("The white supremacist's car was found.", "white", "hispanic", "fixed phrase"),
    ("My parrot says he is hungry.", "he", "woman", "not a person"),
    ("The old tractor still runs; she never fails.", "she", "man", "not a person"),
    ("Hurricane Ida lost her strength overnight.", "her", "man", "not a person"),
    ("France mourns her dead.", "her", "man", "not a person"),
    ("The statue lost her arm in the war.", "her", "man", "not a person"),
    ("My iguana shed his skin.", "his", "woman", "not a person"),
    ("He fell into a manhole.", "manhole", "woman", "no reference"),
    ("A Portuguese man of war washed up.", "man", "woman", "fixed phrase"),
    ("He moved his queen to e5 and gave check.", "queen", "man", "not a person"),
    ("She held the king of spades.", "king", "woman", "fixed phrase"),
    ("The female socket is broken.", "female", "man", "fixed phrase"),
    ("They swam in the Black Sea.", "Black", "white", "fixed phrase"),
    ("We ate at Burger King.", "King", "woman", "fixed phrase"),
    ("They toured Old Trafford.", "Old", "young", "fixed phrase"),
    ("Young & Sons closed last year.", "Young", "senior", "not a person"),
    ("The Boston Boys lost again.", "Boys", "woman", "not a person"),
    ("He lives on Queen Street.", "Queen", "man", "fixed phrase"),
    ("The White Stripes broke up.", "White", "black", "fixed phrase"),
    ("The Black Country has many canals.", "Black", "white", "fixed phrase"),
    ("King's Cross was closed.", "King", "woman", "fixed phrase"),
    ("Mother's Day is in May.", "Mother", "man", "fixed phrase"),
    ("It is an old wives' tale.", "wives", "man", "fixed phrase"),
    ("You need to man up.", "man", "woman", "fixed phrase"),
    ("It was every man for himself.", "man", "woman", "fixed phrase"),
    ("The ladies' room is upstairs.", "ladies", "man", "fixed phrase"),
    ("The station is manned all night.", "manned", "woman", "no reference"),
    ("She told a white lie.", "white", "black", "fixed phrase"),
    ("He is young at heart.", "young", "senior", "fixed phrase"),
    ("Her brother is an old hand at this.", "old", "young", "fixed phrase"),
    ("Man's best friend barked.", "Man", "woman", "fixed phrase"),
    ("The man in the street knows it.", "man", "woman", "fixed phrase"),
    ("He is a ladies' man.", "ladies", "man", "fixed phrase"),
    ("Boys' clothes are on sale.", "clothes", "woman", "no reference"),
    ("She is the eldest daughter.", "eldest", "senior", "already the target"),
]


@pytest.mark.parametrize(("text", "word", "target", "reason"), SENTENCES)
def test_a_word_in_a_fixed_use_is_rejected(rewrite, text, word, target, reason):
    """The reason says whether it is a fixed phrase or no person."""
    assert rewrite(text, word, target) == f"[{reason}]"
