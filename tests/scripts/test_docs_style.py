"""What the check of the documentation finds, and what it lets pass."""

import docs_style
import pytest


@pytest.fixture
def faults(tmp_path):
    """What is found on a page with this text."""

    def find(text):
        page = tmp_path / "page.md"
        page.write_text(text, encoding="utf-8")
        return docs_style.page_faults(page)

    return find


LONG = "word " * 60 + "end."


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"| a |\n| --- |\n| {'w ' * 31}|\n", "table cell of 31 words: w w w"),
        (LONG, "sentence of 304 characters: word"),
        (f"- Short.\n- {LONG}", "sentence of 304 characters: word"),
        ("```bash\nls\n```\n", "code block that is not run, line 1"),
        ("<!-- not run -->\n```bash\nls\n```\n", "code block that is not run, line 2"),
        ("<!-- run -->\n\n```bash\nls\n```\n", "code block that is not run, line 3"),
        ("<!-- prints: ls -->\n```text\na\n```\n", "output without its command: ls"),
    ],
)
def test_a_fault_is_found(faults, text, fault):
    """Each limit is checked, and a mark without its reason or away from its block is none."""
    (found,) = faults(text)
    assert found.startswith(fault)


def test_what_is_marked_or_hidden_passes(faults):
    """Code, comments and addresses lengthen no sentence; a block with a mark or output passes."""
    for text in (
        "```bash\nls  # all\n```\n<!-- prints: ls -->\n```text\na\n```\n",
        "<!-- not run: needs a key -->\n```bash\nls\n```\n",
        "```pycon\n>>> 1\n1\n```\n",
        f"See [this]({'x' * 300}). <!-- {LONG} -->",
        f"<!-- run -->\n```python\n# {LONG}\n```\n",
    ):
        assert faults(text) == []


def test_commands_are_read_without_comments():
    """A backslash continues a line, a comment is none, a hash inside a word stays."""
    code = "a --b \\\n  c   # why\n\n# nothing\nd e#f\n"
    assert docs_style.commands(code) == ["a --b c", "d e#f"]
