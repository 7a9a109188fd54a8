"""The bundled pipeline: places, sentences, grammar; and parses that are kept in a file."""

import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treebanks import read

from augkit.core.errors import ConfigError, UnknownName
from augkit.english.parser import SpacyParser, described
from augkit.english.stored_parses import StoredFirst, StoredParses


@pytest.fixture(scope="module")
def analyser():
    return SpacyParser()


def relations(analysis):
    """Word, relation and head word of every token."""
    return {
        f"{token.text} {token.deprel} {analysis.head(token).text}".lower()
        for token in analysis.tokens
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She lost her keys.", "she nsubj lost, keys obj lost, her nmod:poss keys"),
        ("The boy's dog chased the cat.", "boy nmod:poss dog, dog nsubj chased, cat obj chased"),
        ("The postman was bitten by the dog.", "postman nsubj:pass bitten, dog obl:agent bitten"),
        ("John gave Mary a book.", "john nsubj gave, mary iobj gave, book obj gave"),
        ("My mother is a doctor.", "mother nsubj doctor, my nmod:poss mother"),
        ("He didn't see them.", "he nsubj see, them obj see, n't advmod see"),
        ("the acting was terrible and i hated it", "acting nsubj terrible, it obj hated"),
        ("a man in a red shirt is riding a horse", "man nsubj riding, horse obj riding"),
        ("two women are sitting on a bench", "women nsubj sitting, bench obl sitting"),
        ("His wife and their children left early.", "his nmod:poss wife, wife nsubj left"),
        ("I think the director loves her actors.", "director nsubj loves, her nmod:poss actors"),
        ("The woman who lives here sold her car.", "woman nsubj sold, car obj sold"),
        ("his sister 's film is a mess", "sister nmod:poss film, film nsubj mess"),
    ],
)
def test_plain_sentences_are_understood(analyser, text, expected):
    """Subjects, objects and possessors of everyday sentences are found."""
    [analysis] = analyser.parse([text])
    assert set(expected.split(", ")) <= relations(analysis)


def test_her_is_distinguished(analyser):
    [analysis] = analyser.parse(["I saw her yesterday and borrowed her car."])
    first, second = (token for token in analysis.tokens if token.text == "her")
    assert first.morph["Case"] == "Acc"
    assert second.morph["Poss"] == "Yes"


def test_lemmas_tags_and_features(analyser):
    [analysis] = analyser.parse(["The women went home and they'll sell the mice."])
    by_text = {token.text: token for token in analysis.tokens}
    assert [by_text[word].lemma for word in ("women", "went", "'ll", "mice")] == [
        "woman", "go", "will", "mouse",
    ]  # fmt: skip
    assert by_text["went"].morph["Tense"] == "Past"
    assert (by_text["women"].upos, by_text["women"].xpos) == ("NOUN", "NNS")


def test_sentences_end_where_they_should(analyser):
    """Full stops, question marks and blank lines end sentences; abbreviations do not."""
    text = "Dr. Smith came home. Was he tired? He slept\n\nThe next day was better"
    [analysis] = analyser.parse([text])
    starts = [text[sentence[0].start :].split(maxsplit=1)[0] for sentence in analysis.sentences]
    assert starts == ["Dr.", "Was", "He", "The"]


def test_line_break_tags_end_sentences(analyser):
    """The tags of web reviews are no words, and end a sentence."""
    text = "A fine film<br /><br />My wife liked it too<BR>"
    [analysis] = analyser.parse([text])
    assert [sentence[-1].text for sentence in analysis.sentences] == ["film", "too"]


def test_escaped_brackets_are_brackets(analyser):
    """The escapes of tokenised corpora are read as the signs they stand for."""
    texts = ["the film ( a comedy ) is fun", "the film -lrb- a comedy -rrb- is fun"]
    plain, escaped = ([(t.upos, t.head) for t in a.tokens] for a in analyser.parse(texts))
    assert plain == escaped
    assert ("PUNCT", 4) in plain


def test_curly_and_straight_apostrophes_read_alike(analyser):
    """Typographic apostrophes change nothing but the text itself."""
    straight, curly = analyser.parse(
        ["He doesn't like Anna's car.", "He doesn\u2019t like Anna\u2019s car."]
    )
    assert [(t.lemma, t.upos, t.head) for t in straight.tokens if "'" not in t.text] == [
        (t.lemma, t.upos, t.head) for t in curly.tokens if "\u2019" not in t.text
    ]


def check(text, analysis):
    """What holds of every analysis."""
    place = 0
    for index, token in enumerate(analysis.tokens):
        assert token.index == index
        assert token.text == text[token.start : token.end] != ""
        assert text[place : token.start].strip() == ""
        place = token.end
        head = analysis.head(token)
        assert head.sentence == token.sentence
    assert text[place:].strip() == ""
    assert [t for sentence in analysis.sentences for t in sentence] == list(analysis.tokens)
    for sentence in analysis.sentences:
        assert sum(token.is_root for token in sentence) == 1
    assert sum(len(analysis.children(token)) + token.is_root for token in analysis.tokens) == len(
        analysis.tokens
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "\x00",
        "a\x00b c\x00",
        "\ud83d lone surrogate \udc00",
        "\U0001f600\U0001f469\u200d\U0001f469\u200d\U0001f466 emoji!",
        "\u05e9\u05dc\u05d5\u05dd \u202eolleh\u202c world",
        "\u4e2d\u6587\u6ca1\u6709\u7a7a\u683c",
        "a\u0301 \ufeff\u200b\u00a0x",
        "\r\n\r\nwindows\r\n\r\nlines\r\n",
        "don't &amp; <b>can't</b> <br",
        "x" * 5_000,
        "(" * 1_000,
        "\u0130stanbul \ufb01lm \u1e9e",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_places_are_exact_for_odd_texts(analyser, text):
    """Every character that is not white space is in exactly one token, in place."""
    [analysis] = analyser.parse([text])
    check(text, analysis)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_places_are_exact_for_any_text(text):
    [analysis] = SpacyParser().parse([text])
    check(text, analysis)


@pytest.mark.slow
def test_long_texts_are_cut_at_full_stops(analyser):
    """A paragraph longer than a passage keeps its sentences and its places."""
    text = "The old man sold his boat to a friend . " * 300
    [analysis] = analyser.parse([text])
    check(text, analysis)
    assert {len(sentence) for sentence in analysis.sentences} == {10}


def test_alone_or_together_is_the_same(analyser):
    texts = ["He left.", "", "She said that they would come later", "Why not? Ok!"]
    assert analyser.parse(texts) == [analyser.parse([text])[0] for text in texts]


def test_analyses_travel_between_processes(analyser):
    [analysis] = analyser.parse(["They walk."])
    assert pickle.loads(pickle.dumps(analysis)) == analysis
    assert len(set(analysis.tokens)) == 3


def test_navigation(analyser):
    """Subtrees, children by relation and the token at a place are found."""
    text = "The tall woman was seen."
    [analysis] = analyser.parse([text])
    woman = analysis.token_at(text.index("woman") + 2)
    assert woman.text == "woman"
    assert analysis.token_at(3) is None
    assert analysis.token_at(len(text)) is None
    assert [token.text for token in analysis.subtree(woman)] == ["The", "tall", "woman"]
    assert analysis.children(analysis.head(woman), "nsubj") == (woman,)


def test_an_unknown_pipeline_is_an_error_that_names_the_known_ones():
    with pytest.raises(UnknownName, match=r"no spaCy pipeline 'augkitt'.*'augkit'"):
        SpacyParser("augkitt").parse(["A text."])


@pytest.mark.slow
def test_a_pipeline_without_a_parser_is_refused(tmp_path):
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path / "blank")
    with pytest.raises(ConfigError, match=r"no parser.*sentencizer"):
        SpacyParser(str(tmp_path / "blank")).parse(["A text."])


@pytest.mark.slow
def test_accuracy_on_a_treebank(analyser, data_folder):
    """On 200 sentences of a test treebank tags and heads are mostly right, in lower case too."""
    from spacy.tokens import Doc

    sentences = read(data_folder / "ud" / "ewt_test.conllu.gz")[::10][:200]
    for change, tags, heads in ((str, 0.93, 0.84), (str.lower, 0.91, 0.82)):
        words = [[change(word.form) for word in sentence.words] for sentence in sentences]
        docs = analyser.nlp.pipe(Doc(analyser.nlp.vocab, words=some) for some in words)
        pairs = [
            (token, word)
            for doc, sentence in zip(docs, sentences, strict=True)
            for token, word in zip(doc, sentence.words, strict=True)
        ]
        assert sum(token.pos_ == word.upos for token, word in pairs) / len(pairs) > tags
        assert sum(token.head.i == word.head for token, word in pairs) / len(pairs) > heads


def test_a_pipeline_tells_what_it_is(tmp_path) -> None:
    """The bundled one gives its digest, another its folder, an unknown name the known ones."""
    assert re.fullmatch(r"augkit_pipeline \S+ \(augkit's own, sha256 [0-9a-f]{16}\)", described())
    (tmp_path / "meta.json").write_text('{"name": "mine", "version": "2.1"}', encoding="utf-8")
    assert described(str(tmp_path)) == f"mine 2.1 ({tmp_path})"
    with pytest.raises(UnknownName, match="augkit"):
        described("no_such_pipeline")


TEXTS = ["She lost her keys. It\u2019s late!", "", "A dull, dull film<br /><br />Avoid it.", "Да."]


def test_a_stored_parse_is_the_parse(tmp_path):
    analyses = SpacyParser().parse(TEXTS)
    StoredParses.of(analyses).save(tmp_path / "parses.jsonl")
    stored = StoredParses.load(tmp_path / "parses.jsonl")
    assert [stored.get(text) for text in TEXTS] == analyses
    assert stored.get("Another text.") is None
    assert StoredParses.load(tmp_path / "missing.jsonl").get(TEXTS[0]) is None


def test_only_new_texts_are_parsed():
    analyses = SpacyParser().parse(TEXTS)

    seen = []

    class Asked:
        def parse(self, texts):
            seen.extend(texts)
            return SpacyParser().parse(texts)

    parser = StoredFirst(StoredParses.of(analyses[1:3]), Asked())
    assert parser.parse(TEXTS) == analyses
    assert seen == [TEXTS[0], TEXTS[3]]
