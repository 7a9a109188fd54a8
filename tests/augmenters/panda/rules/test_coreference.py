"""Which words are one person's: whole chains change, and nobody else's word does."""


def test_every_word_of_a_person_changes(check_sentence, sentence):
    check_sentence(sentence)


def test_words_of_others_stay(rewrite, sentence):
    """Nobody else's word changes: the last column is a part of what comes out."""
    text, word, target, kept = sentence
    answer = rewrite(text, word, target)
    assert not answer.startswith("[")
    assert kept in answer
