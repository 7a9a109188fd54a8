"""Reading CoNLL-U and the coreference annotation of GUM."""

import gzip

import pytest
from treebanks import documents, read

TEXT = """# newdoc id = one
# newpar
# text = Don't go.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp|VerbForm=Fin\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\tPolarity=Neg\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No
3.1\tghost\t_\t_\t_\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

# text = Ok
1\tOk\tok\tINTJ\tUH\t_\t0\troot\t_\t_
"""


@pytest.mark.parametrize("name", ["a.conllu", "a.conllu.gz"])
def test_words_heads_and_spaces(tmp_path, name):
    """Multiword tokens give spacing, empty nodes are left out, and roots are their own heads."""
    data = TEXT.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    first, second = read(tmp_path / name)
    assert first.text == "Don't go. "
    assert [word.head for word in first.words] == [2, 2, 2, 2]
    assert (first.new_document, first.new_paragraph) == (True, True)
    assert (second.new_document, second.words[0].feats) == (False, "")


GUM = """\
# newdoc id = GUM_a
# newpar
1\tHis\the\tPRON\tPRP$\t_\t2\tnmod:poss\t_\tEntity=(2-person-new(1-person-giv)
2\tmother\tmother\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\tEntity=2)
3\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_
4\tTom\tTom\tPROPN\tNNP\tNumber=Sing\t3\tobj\t_\tEntity=(1-person-giv-Tom)|SpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

# newdoc id = GUM_b
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_

"""


def test_nested_entities_keep_span_head_and_chain(tmp_path):
    """Brackets that open at one word and close at another give spans, each with its chain."""
    path = tmp_path / "gum.conllu"
    path.write_text(GUM, encoding="utf-8")
    first, second = documents(path)
    assert (first.name, second.name) == ("GUM_a", "GUM_b")
    assert first.analysis.text.strip() == "His mother saw Tom."
    found = [(e.first, e.last, e.head, e.chain, e.type) for e in first.entities]
    assert found == [(0, 1, 1, 2, "person"), (0, 0, 0, 1, "person"), (3, 3, 3, 1, "person")]
    assert second.entities == ()
