"""Markdown in a text: counted, taken away, or added, while what the text says stays.

Blocks of code, code within a line, and addresses of the web are never changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

# Space before what a line begins with is that of the line: empty lines are no part of it, and many
# of them would be read once more from each.
LIST_ITEM = re.compile(r"^[^\S\n]*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
BOLD = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
TABLE_ROW = re.compile(r"^[^\S\n]*\|.*\|[^\S\n]*$", re.MULTILINE)
CODE = re.compile(r"```|`[^`\n]+`")

_FENCE = re.compile(
    r"^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:.*?^[ \t]*\1[`~]*[ \t]*$|.*\Z)",
    re.MULTILINE | re.DOTALL,
)
_LITERAL = re.compile(r"`+[^`\n]*`+|(?:https?://|\bwww\.)\S+", re.IGNORECASE)
_LINE_OF_A_TABLE = re.compile(r"^[ \t]*\|(.*)\|[ \t]*$")
_RULE_OF_A_TABLE = re.compile(r"[\s|:-]+")
_BULLET = re.compile(r"^[ \t]*[-*+•][ \t]+(?=\S)", re.MULTILINE)
_NUMBER = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+(?=\S)", re.MULTILINE)
_HEADING_LINE = re.compile(
    r"^[ \t]{0,3}#{1,6}[ \t]+(\S(?:.*?(?:[^ \t#\n]|#(?!#)))??)[ \t]*(?:#+[ \t]*)?$", re.MULTILINE
)
# Marks stand between spaces and punctuation, and not within a formula: O((H*W)*T) + O(T*(H*W)).
_OPEN = r"(?<![^\s(\[{\"'\u201c\u2018\u2013\u2014/>-])"
_END = r"(?![^\s)\]}\"'\u201d\u2019.,;:!?\u2013\u2014/<-])"
_STRONG = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*\*(?![\w*])")
_STRONG_LINES = re.compile(r"(?<![\w_])__(?=[^\s_])([^_\n]+?)(?<=[^\s_])__(?![\w_])")
_SLANTED = re.compile(rf"{_OPEN}\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*{_END}")
_SLANTED_LINES = re.compile(rf"{_OPEN}_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_{_END}")
_SENTENCE_END = re.compile(r"(?<=[.!?])[ \t]+(?=[\"'(\[]?[A-Z0-9])")
_WITHIN = re.compile(r"[\w,'\u2019)]\s*\Z")
"""The end of a line whose sentence goes on."""
_LEAST_WRAPS = 2
_LEAST_WIDTH = 30
_WORDS_IN_BOLD = 3
_LONGEST_HEADING = 8


def outside_code(text: str, change: Callable[[str], str]) -> str:
    r"""The text with all that is in no block of code changed.

    >>> outside_code("a\n```\nb\n```\nc", str.upper)
    'A\n```\nb\n```\nC'
    """
    return _outside(_FENCE, text, change)


def in_prose(text: str, change: Callable[[str], str]) -> str:
    """The text with all changed that is in no code and in no address.

    >>> in_prose("see `x` at https://a.b/c now", str.upper)
    'SEE `x` AT https://a.b/c NOW'
    """
    return outside_code(text, lambda part: _outside(_LITERAL, part, change))


def literals(text: str) -> list[str]:
    """The blocks of code, the code within lines and the addresses, in their order."""
    blocks = [match[0] for match in _FENCE.finditer(text)]
    within = [match[0] for part in _between(_FENCE, text) for match in _LITERAL.finditer(part)]
    return blocks + within


def around_literals(text: str, change: Callable[[str], str]) -> str:
    """The text changed as a whole, with code and addresses hidden from the change.

    >>> around_literals("**`a  b`**  c", lambda part: part.replace("**", "").replace("  ", " "))
    '`a  b` c'
    """
    hidden: list[str] = []

    def hide(match: re.Match[str]) -> str:
        # An address ends before the marks around it.
        shown = match[0] if match[0][:1] in "`~ \t" else match[0].rstrip("*_.,;:!?)\"'")
        hidden.append(shown)
        return f"\ue000{len(hidden) - 1}\ue001{match[0][len(shown) :]}"

    if "\ue000" in text:
        return text
    changed = change(_LITERAL.sub(hide, _FENCE.sub(hide, text)))
    for number, literal in reversed(list(enumerate(hidden))):
        changed = changed.replace(f"\ue000{number}\ue001", literal)
    return changed


def without_emphasis(text: str) -> str:
    """The text without the marks of bold and slanted words.

    >>> without_emphasis("It is **very** _warm_, 2*3*4 and `**this**`.")
    'It is very warm, 2*3*4 and `**this**`.'
    """

    def plain(part: str) -> str:
        for pattern in (_STRONG, _STRONG_LINES, _SLANTED, _SLANTED_LINES):
            part = pattern.sub(r"\1", part)
        return part

    return around_literals(text, plain)


def without_headings(text: str) -> str:
    r"""The text with headings as plain lines.

    >>> without_headings("## Why\nIt rains.")
    'Why\nIt rains.'
    """
    return outside_code(text, lambda part: _HEADING_LINE.sub(r"\1", part))


def without_bullets(text: str) -> str:
    r"""The text with the points of a list as plain lines.

    >>> without_bullets("- rain\n  * hail")
    'rain\nhail'
    """
    return outside_code(text, lambda part: _BULLET.sub("", part))


def without_numbering(text: str) -> str:
    r"""The text with numbered points as plain lines.

    >>> without_numbering("1. rain\n2) hail\n1848. A year.")
    'rain\nhail\n1848. A year.'
    """
    return outside_code(text, lambda part: _NUMBER.sub("", part))


def without_tables(text: str) -> str:
    r"""The text with the rows of tables as lines; the line below the names of columns goes.

    >>> without_tables("| day | sky |\n| --- | --- |\n| Mon | rain |")
    'day: sky\nMon: rain'
    """

    def plain(part: str) -> str:
        lines = []
        for line in part.split("\n"):
            row = _LINE_OF_A_TABLE.match(line)
            if row is None:
                lines.append(line)
            elif not _RULE_OF_A_TABLE.fullmatch(row[1]):
                first, *cells = [cell.strip() for cell in row[1].split("|")]
                lines.append(f"{first}: {', '.join(cells)}" if cells else first)
        return "\n".join(lines)

    return outside_code(text, plain)


def plain_fences(text: str) -> str:
    r"""The text with every fence of code as three backticks, without the name of a language.

    >>> plain_fences("~~~python\nx = 1\n~~~")
    '```\nx = 1\n```'
    """

    def plain(match: re.Match[str]) -> str:
        lines = match[0].split("\n")
        closed = lines[-1].strip().startswith(match[1]) and len(lines) > 1
        inside = lines[1:-1] if closed else lines[1:]
        if "```" in "\n".join(inside):
            return match[0]
        return "\n".join(["```", *inside, *(["```"] if closed else [])])

    return _FENCE.sub(plain, text)


def without_wraps(text: str) -> str:
    r"""The text with sentences on one line that were broken at a fixed width.

    Broken at a width are lines that the first word of the next would make longer than any line is.
    Where a line goes on with a small letter and had room for it, as in a poem, all stays.

    >>> without_wraps("Warm air rises, cools and\nbecomes a cloud of drops, which\nfall as rain.")
    'Warm air rises, cools and becomes a cloud of drops, which fall as rain.'
    """
    lines = [line for part in _between(_FENCE, text) for line in part.split("\n")]
    width = max(map(len, filter(_is_plain, lines)), default=0)

    def is_full(line: str, following: str) -> bool:
        return len(line.rstrip()) + 1 + len(following.split(maxsplit=1)[0]) > width

    breaks = [(a, b) for a, b in pairwise(lines) if _is_plain(a) and _is_plain(b)]
    within = [(a, b) for a, b in breaks if _WITHIN.search(a) and b.lstrip()[0].islower()]
    is_narrow = len(within) < _LEAST_WRAPS or width < _LEAST_WIDTH
    if is_narrow or not all(is_full(*pair) for pair in within):
        return text

    def joined(part: str) -> str:
        kept: list[str] = []
        last = ""
        for line in part.split("\n"):
            if kept and _is_plain(last) and _is_plain(line) and is_full(last, line):
                kept[-1] = f"{kept[-1].rstrip()} {line.lstrip()}"
            else:
                kept.append(line)
            last = line
        return "\n".join(kept)

    return outside_code(text, joined)


def with_bullets(text: str) -> str:
    r"""The text as a list: a point for each line, for each sentence where it is one paragraph.

    >>> with_bullets("It rains. It is cold.")
    '- It rains.\n- It is cold.'
    """

    def listed(part: str) -> str:
        lines = part.split("\n")
        if sum(map(bool, map(str.strip, lines))) == 1 and part == text:
            lines = _SENTENCE_END.split(part.strip())
        return "\n".join(f"- {line}" if _is_plain(line) else line for line in lines)

    return outside_code(text, listed)


def with_bold(text: str) -> str:
    r"""The text with the first words of each paragraph or point in bold.

    >>> with_bold("- Air scatters blue light.\n\nYes.")
    '- **Air scatters blue** light.\n\n**Yes**.'
    """
    words = rf"[^\W_][\w'\u2019-]*(?: [^\W_][\w'\u2019-]*){{0,{_WORDS_IN_BOLD - 1}}}"
    mark = r"[ \t]*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]*)?"
    start = re.compile(rf"^({mark})({words})(?![\w*])", re.MULTILINE)
    return outside_code(text, lambda part: start.sub(r"\1**\2**", part))


def with_heading(text: str, heading: str) -> str:
    r"""The text with a heading: its first line where that is short, else ``heading``.

    >>> with_heading("Why it rains\n\nWarm air rises.", "Answer")
    '## Why it rains\n\nWarm air rises.'
    >>> with_heading("Warm air rises.", "Answer")
    '## Answer\n\nWarm air rises.'
    """
    first, _, following = text.lstrip("\n").partition("\n")
    is_title = _is_plain(first) and len(first.split()) <= _LONGEST_HEADING
    if is_title and following.strip() and first.rstrip()[-1:] not in ".!?,;":
        return f"## {first.strip()}\n{following}"
    return f"## {heading}\n\n{text}"


def _is_plain(line: str) -> bool:
    """Whether a line has words and is no point, heading or row of a table."""
    marks = (_BULLET, _NUMBER, _HEADING_LINE, TABLE_ROW)
    return bool(line.strip()) and not any(pattern.match(line) for pattern in marks)


def _outside(pattern: re.Pattern[str], text: str, change: Callable[[str], str]) -> str:
    pieces = []
    last = 0
    for match in pattern.finditer(text):
        pieces += [change(text[last : match.start()]), match[0]]
        last = match.end()
    return "".join([*pieces, change(text[last:])])


def _between(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    last = 0
    for match in pattern.finditer(text):
        yield text[last : match.start()]
        last = match.end()
    yield text[last:]
