"""Reading annotated texts for the linker, and fitting its weights."""

import gzip

import numpy as np
import pytest
from coreference_data import gap, gendered_only, litbank
from scipy.optimize import approx_fprime
from train_linker import Decision, fit, loss_of, write

NOVEL = """#begin document (one); part 0
one\t0\t0\tMrs.\t_\t_\t_\t_\t_\t_\t_\t_\t(0
one\t0\t1\tHale\t_\t_\t_\t_\t_\t_\t_\t_\t0)
one\t0\t2\tlost\t_\t_\t_\t_\t_\t_\t_\t_\t
one\t0\t3\ther\t_\t_\t_\t_\t_\t_\t_\t_\t(0)
one\t0\t4\tkeys\t_\t_\t_\t_\t_\t_\t_\t_\t
one\t0\t5\t.\t_\t_\t_\t_\t_\t_\t_\t_\t
#end document
"""
QUESTION = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "x-1\tAnna met Mary before she left.\tshe\t21\tAnna\t0\tTRUE\tMary\t9\tFALSE\thttp://x\n"
)


def _write(path, text):
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(text.encode()))


def test_a_novel(tmp_path):
    """Mentions have the span, gender and chain of the annotation, titles left out."""
    _write(tmp_path / "coref/litbank/all.conll.gz", NOVEL)
    (passage,) = litbank(tmp_path, "train")
    assert passage.text == "Mrs. Hale lost her keys."
    assert [passage.text[m.start : m.end] for m in passage.mentions] == ["Hale", "her"]
    assert [m.gender for m in passage.mentions] == ["woman", "woman"]
    assert passage.chains == [0, 0]
    assert gendered_only(passage) == passage


def test_a_question(tmp_path):
    """A question of GAP points at its pronoun and its two names."""
    _write(tmp_path / "coref/gap/test.tsv.gz", QUESTION)
    (passage,) = gap(tmp_path, "test")
    choice = passage.choice
    found = [passage.mentions[n] for n in (choice.pronoun, *choice.names)]
    assert [passage.text[m.start : m.end] for m in found] == ["she", "Anna", "Mary"]
    assert choice.right == (True, False)


def _decisions(count):
    return [Decision([[("a",), ("c",)], [("b",)]], frozenset({0}))] * count


def test_the_gradient_is_that_of_the_loss():
    """The gradient agrees with differences of the loss."""
    loss = loss_of(_decisions(3), [("a",), ("b",), ("c",)])
    at = np.array([0.3, -0.2, 0.1])
    assert loss(at)[1] == pytest.approx(approx_fprime(at, lambda w: loss(w)[0]), abs=1e-4)


def test_fitting_prefers_what_was_right(tmp_path):
    """Features of right candidates get weight, rare ones none, and the file can be read."""
    weights = fit(_decisions(20))
    assert weights["a",] > 0 > weights["b",]
    assert fit(_decisions(3)) == {}
    write(weights, tmp_path / "model.json")
    assert '"a": ' in (tmp_path / "model.json").read_text(encoding="utf-8")
