"""Markdown put into a text and taken out of it; the words stay."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"(?<=[.!?])[ \t]+(?=[\"'(\[]?[A-Z0-9])")
_FENCE = re.compile(r"^[ \t]*```.*\n?", re.MULTILINE)
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*\n?", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|(.*)\|[ \t]*$", re.MULTILINE)
_LINE_MARK = re.compile(
    r"^([ \t]*)(?:#{1,6}[ \t]+|(?:[-*+•]|\d+[.)])[ \t]+|>[ \t]?)+", re.MULTILINE
)
_BOLD = re.compile(r"(\*\*|__)(?=\S)([^\n]*?\S)\1")
_ITALIC = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]*\S)\*(?![\w*])")
_CODE = re.compile(r"`+([^`\n]+)`+")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*\)")
_BOLD_WORDS = 2


def without_markdown(text: str) -> str:
    r"""The text without headings, list marks, bold, code marks, tables and the targets of links.

    Lines stay lines; the numbers of a list go with its marks.

    >>> without_markdown("## Tea\n1. **Boil** the `water`.\n2. Wait.")
    'Tea\nBoil the water.\nWait.'
    """
    before = None
    while before != text:  # what is inside other marks comes out in the next round
        before = text
        text = _FENCE.sub("", text)
        text = _TABLE_RULE.sub("", text)
        text = _TABLE_ROW.sub(lambda row: ", ".join(map(str.strip, row[1].split("|"))), text)
        text = _LINE_MARK.sub(r"\1", text)
        for marks, kept in ((_BOLD, r"\2"), (_ITALIC, r"\1"), (_CODE, r"\1"), (_LINK, r"\1")):
            text = marks.sub(kept, text)
    return text


def with_markdown(text: str) -> str:
    r"""The text with each sentence as an item of a list that begins in bold.

    >>> with_markdown("Boil the water. Wait.")
    '- **Boil the** water.\n- **Wait.**'
    """
    lines = []
    for line in text.split("\n"):
        for sentence in _SENTENCE_END.split(line.strip()) if line.strip() else ():
            words = sentence.split(" ")
            start, rest = " ".join(words[:_BOLD_WORDS]), words[_BOLD_WORDS:]
            lines.append(" ".join([f"- **{start}**", *rest]))
        if not line.strip():
            lines.append("")
    return "\n".join(lines)
