"""Parts of a text that stand for something else and must stay whole.

Slots of templates (``[NAME]``, ``{order_id}``, ``<user>``), addresses of pages and of mail,
mentions and hashtags. No method changes them: a changed address leads nowhere, and a program fills
a slot only under its name. Tags of HTML such as ``<br>`` are markup, and no placeholders.
"""

from __future__ import annotations

import re
from collections import Counter

_MAY_HOLD = re.compile(r"[\[{<@#_]|://|www\.")
"""What every placeholder has a part of: most texts have none, and are not looked at further."""
_HTML = (
    "a|abbr|article|b|big|blockquote|body|br|button|center|cite|code|dd|del|div|dl|dt|em|font|form"
    "|h[1-6]|head|hr|html|i|img|input|ins|label|li|nav|ol|option|p|pre|q|s|section|small|span"
    "|strike|strong|sub|sup|table|tbody|td|th|thead|title|tr|tt|u|ul"
)
_PLACEHOLDER = re.compile(
    rf"""
      (?:(?:https?|ftp)://|www\.)[^\s<>"]*[\w/=]      # https://example.org/a
    | [\w.+-]+@\w[\w-]*(?:\.[\w-]+)+                  # ann@example.org
    | (?<!\w)_\w+_(?!\w)                             # _num_
    | (?<![\w@.])@\w+                                 # @user
    | (?<![\w&\#])\#\w+                               # #tag
    | \[(?:\w[\w.:-]*|[A-Z][A-Z0-9_ ./-]*)\]          # [MASK], [PHONE NUMBER]
    | \$?\{{\{{?[^{{}}\n]{{1,80}}\}}\}}?              # {{name}}, ${{name}}
    | <(?!/?(?:{_HTML})\b)/?\|?[A-Za-z_][\w:.\ -]*\|?>  # <user>, <|end|>
    """,
    re.VERBOSE,
)


def placeholder_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every placeholder.

    >>> text = "Hello {name}, write to help@example.org (#12)."
    >>> [text[start:end] for start, end in placeholder_spans(text)]
    ['{name}', 'help@example.org', '#12']
    """
    if _MAY_HOLD.search(text) is None:
        return []
    return [match.span() for match in _PLACEHOLDER.finditer(text)]


def lost_placeholders(before: str, after: str) -> list[str]:
    """The placeholders of a text that a changed text no longer has, or has less often.

    >>> lost_placeholders("Ask [NAME] at www.a.org", "Ask [NAME] at www.b.org")
    ['www.a.org']
    """
    spans = placeholder_spans(before)
    if not spans:
        return []
    left = Counter(after[start:end] for start, end in placeholder_spans(after))
    lost = Counter(before[start:end] for start, end in spans) - left
    return list(lost)
