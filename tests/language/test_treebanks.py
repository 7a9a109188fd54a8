"""Reading CoNLL-U."""

import gzip

import pytest

from augkit.language.treebanks import read

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
