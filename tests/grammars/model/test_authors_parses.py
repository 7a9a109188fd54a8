"""Files of parses in the format of the paper's authors, made here."""

import json

import pytest

from augkit.core.errors import DataError
from augkit.core.types import example
from augkit.grammars.model.authors_parses import parse_brackets, read_parses
from augkit.grammars.trees import bracketed, patterns
from augkit.shortcuts.grammar import GrammarFinder, GrammarFinderConfig

PAIR = "(9 (1 (14 (82 a/a) (32 dog/cat)) (50 playing/)) (67 ./.))"
ROWS = [
    example({"sentence1": "A dog  playing.", "sentence2": "A cat."}, "no"),
    example({"sentence1": "Nothing", "sentence2": "here"}, "yes"),
]


def test_a_table_of_pairs(tmp_path):
    """Rows get the trees of their texts; a row without one is left out, with the reason."""
    lines = [
        "uid\tsentence1\tsentence2\tlabel\tlabel_name\ttree",
        f"7\tA dog playing.\tA cat.\t1\tContradiction\t{PAIR}",
    ]
    (tmp_path / "train.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    corpus, vocabulary, trees = read_parses(tmp_path / "train.tsv", ROWS)
    assert corpus.examples == ROWS[:1]
    assert [(left.id, left.reason) for left in corpus.left_out] == [
        (ROWS[1].id, "no tree in the file")
    ]
    assert vocabulary.words[0] == "[UNK]"
    assert bracketed(trees, vocabulary, paired=True) == [
        "(9 (1 (14 (82 a/a) (32 dog/cat)) (50 playing/ε)) (67 ./.))"
    ]
    assert patterns(trees, vocabulary, paired=True) == ["a dog playing ./a cat ."]
    words = [[word.text for word in side] for side in corpus.units[0].sides]
    assert words == [["a", "dog", "playing", "."], ["a", "cat", "."]]


@pytest.mark.parametrize("paired", [False, True])
def test_predictions_of_their_code(tmp_path, paired):
    """JSON of sentences and of pairs; ``[UNK]`` is the first word."""
    if paired:
        rows = ROWS[:1]
        record = {"a": {"text": "A dog playing."}, "b": {"text": "A cat."}, "uid": "0"}
        tree = PAIR.replace("dog/", "[UNK]/")
    else:
        rows = [example("A dog plays", "x")]
        record, tree = {"text": "A dog plays"}, "(0 (1 (2 a) (3 [UNK])) (2 plays))"
    path = tmp_path / "predictions.data.json"
    path.write_text(json.dumps([{"e": record, "log_probs": -1.0, "tree": tree}]))
    _, vocabulary, trees = read_parses(path, rows)
    expected = tree.replace("playing/", "playing/ε")
    assert bracketed(trees, vocabulary, paired=paired) == [expected]
    assert (trees.leaf_a == 0).sum() == 1


@pytest.mark.parametrize(
    "text",
    ["", "(1 a/b)", "(1 (2 a/b)", "(1 (2 a/b) (3 c/d)) x", "(1 (2 a/b) (3 c/d) (4 e/f))",
     "(x (2 a/b) (3 c/d))", "(1 (2 a/b) (3 c))", "(1 (2 ( )) (3 a/b))", ")"],
)  # fmt: skip
def test_what_is_no_tree(text):
    assert parse_brackets(text, paired=True) is None


def test_a_slash_is_a_word_too():
    tree = parse_brackets("(1 (2 ///) (0 (3 x//) (3 //x)))", paired=True)
    assert tree.leaves == [("/", "/"), ("x", "/"), ("/", "x")]


def test_wrong_files(tmp_path):
    (tmp_path / "x.tsv").write_text("uid\tsentence1\n1\ta\n")
    (tmp_path / "y.json").write_text("{}")
    (tmp_path / "z.json").write_text("{")
    for name in ("x.tsv", "z.json", "absent.tsv"):
        with pytest.raises(DataError, match=name):
            read_parses(tmp_path / name, ROWS)
    with pytest.raises(DataError, match="none of its 0 trees"):
        read_parses(tmp_path / "y.json", ROWS)


@pytest.mark.slow
def test_a_survey_of_published_trees(tmp_path):
    """Features are counted in the trees of the file: nothing is trained or parsed."""
    lines, rows = ["sentence1\tsentence2\tlabel\ttree"], []
    for n in range(40):
        animal, label = (("cat", "no"), ("dog", "yes"))[n % 2]
        texts = f"A dog {n}", f"A {animal} {n}"
        lines.append("\t".join([*texts, label, f"(1 (1 (2 a/a) (3 dog/{animal})) (2 {n}/{n}))"]))
        rows.append(example(dict(zip(("sentence1", "sentence2"), texts, strict=True)), label))
    path = tmp_path / "train.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    survey = GrammarFinder.survey(rows, GrammarFinderConfig(trees=path), tmp_path)
    best = survey.rows[0]
    assert {pattern["pattern"] for pattern in best["patterns"]} <= {"dog/dog", "a dog/a dog",
        "dog/cat", "a dog/a cat"}  # fmt: skip
    assert best["share"] == 1
    assert set(best["as"]) == {"n-gram pairs", "second text"}
