"""Secrets of a server's address and key, masked in whatever spelling a server echoes them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote, urlsplit

SHORTEST = 4
"""A shorter password guards nothing, and masking it would damage ordinary text."""
SHORTEST_KEY = 8
"""A shorter key is a placeholder for a local server."""


class Secrets:
    """What no text that comes from a server may show."""

    def __init__(self, address: str, key: str = "") -> None:
        """The user, the password and the values of the query of ``address``, and the ``key``."""
        parts = urlsplit(address)
        user = unquote(parts.username or "")
        password = unquote(parts.password or "")
        secrets = [(user, "[user]"), (password, "[password]")]
        secrets += [(value, "[query]") for _, value in parse_qsl(parts.query)]
        if user or password:
            # Sent as the header of basic authentication.
            secrets.append((b64encode(f"{user}:{password}".encode()).decode(), "[password]"))
        if len(key) >= SHORTEST_KEY:
            secrets.append((key, "[key]"))
        # The longest first: one secret may be a part of another.
        secrets.sort(key=lambda secret: -len(secret[0]))
        self._masks = [
            (re.compile(any_spelling(secret)), mask)
            for secret, mask in secrets
            if len(secret) >= SHORTEST
        ]

    def mask(self, text: str) -> str:
        """The text without secrets."""
        for spelled, mask in self._masks:
            text = spelled.sub(mask, text)
        return text


def any_spelling(secret: str) -> str:
    r"""A pattern of a secret whose characters may be escaped as in JSON, an address or a web page.

    >>> spelled = re.compile(any_spelling("sk-1"))
    >>> [bool(spelled.search(text)) for text in ["sk-1", r"\u0073k-1", "%73k%2d1", "s&#107;-1"]]
    [True, True, True, True]
    """
    return "".join(
        f"(?:{'|'.join(_spellings(character, first=index == 0))})"
        for index, character in enumerate(secret)
    )


def _spellings(character: str, *, first: bool) -> Iterable[str]:
    # Each begins with a plain character, so that a search skips ordinary text at once. Repetitions
    # are short, and a row of backslashes is looked at from its beginning only: a text of nothing
    # else takes no longer than another.
    code = ord(character)
    plain = re.escape(character)
    begins = r"(?<!\\\\)" if first else ""
    yield plain
    yield rf"\\{begins}\\{{0,31}}(?:{plain}|[uUx]\{{?0{{0,6}}(?i:{code:x})\}}?)"
    yield rf"&#0{{0,6}}(?:{code}|[xX]0{{0,6}}(?i:{code:x}));"
    yield "".join(rf"%(?:25){{0,3}}(?i:{byte:02x})" for byte in character.encode())
    named = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}.get(character)
    if named is not None:
        yield f"&{named};"
    if character == " ":
        yield r"\+"
