"""Parts of a text that stand for something else and must stay whole.

Slots of templates (``[NAME]``, ``{order_id}``, ``<user>``), addresses of pages and of mail,
mentions and hashtags. No method changes them: a changed address leads nowhere, and a program fills
a slot only under its name. razor may leave out whole an address or a hashtag that gives a label
away. Tags of HTML such as ``<br>`` are markup, and no placeholders.
"""

from __future__ import annotations

import re
from collections import Counter

_MAY_HOLD = re.compile(r"[\[{<@#_$]|://|www\.")
"""What every placeholder has a part of: most texts have none, and are not looked at further."""
_HTML = (
    "a|abbr|article|b|big|blockquote|body|br|button|center|cite|code|dd|del|div|dl|dt|em|font|form"
    "|h[1-6]|head|hr|html|i|img|input|ins|label|li|nav|ol|option|p|pre|q|s|section|small|span"
    "|strike|strong|sub|sup|table|tbody|td|th|thead|title|tr|tt|u|ul"
)
# RFC 5321 allows 64 characters before the @ of an address; without a limit, the time that a run of
# letters takes would grow with its square.
_PLACEHOLDER = re.compile(
    rf"""
      (?:(?:https?|ftp)://|www\.)[^\s<>"]*[\w/=]      # https://example.org/a
    | [\w.+-]{{1,64}}@\w[\w-]*(?:\.[\w-]+)+           # ann@example.org
    | (?<!\w)_\w+_(?!\w)                             # _num_
    | (?<![\w@.])@\w+                                 # @user
    | (?<![\w&\#])\#\w+                               # #tag
    | \[(?:\w[\w.:-]*|[A-Z][A-Z0-9_ ./-]*)\]          # [MASK], [PHONE NUMBER]
    | (?<![\w$])\$[A-Za-z_]\w*                        # $name
    | \$?\{{\{{?[^{{}}\n]{{1,80}}\}}\}}?              # {{name}}, ${{name}}
    | <(?!/?(?:{_HTML})\b)/?\|?[A-Za-z_][\w:.\ -]*\|?>  # <user>, <|end|>
    """,
    re.VERBOSE,
)

_OPENING = frozenset("[{$<_")
"""What slots begin with: nobody knows what will stand there, so none may go."""
_WORD = re.compile(r"\w+")


def placeholder_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every placeholder.

    >>> text = "Hello {name}, write to help@example.org (#12)."
    >>> [text[start:end] for start, end in placeholder_spans(text)]
    ['{name}', 'help@example.org', '#12']
    """
    if _MAY_HOLD.search(text) is None:
        return []
    return [match.span() for match in _PLACEHOLDER.finditer(text)]


def changed_placeholders(before: str, after: str) -> list[str]:
    """The placeholders of a text that a changed text does not have as they were.

    A slot must be there as often as before. An address, a mention or a hashtag may be left out
    whole, but nothing of it may be left.

    >>> changed_placeholders("Ask [NAME] at www.a.org", "Ask him at www.b.org")
    ['[NAME]', 'www.a.org']
    >>> changed_placeholders("Fine, see www.a.org", "Fine")
    []
    """
    spans = placeholder_spans(before)
    if not spans:
        return []
    old = Counter(before[start:end] for start, end in spans)
    new = Counter(after[start:end] for start, end in placeholder_spans(after))
    lost = old - new
    if not lost:
        return []
    outside = before
    for start, end in reversed(spans):
        if before[start:end] in lost:
            outside = outside[:start] + outside[end:]
    left = Counter(_WORD.findall(after)) - Counter(_WORD.findall(outside))
    return [
        placeholder
        for placeholder in lost
        if placeholder[0] in _OPENING or any(map(left.__contains__, _WORD.findall(placeholder)))
    ]
