"""Words with a capital right before or after another: with it they may be one name."""

from __future__ import annotations

import re

NEXT_CAPITAL = re.compile(r" ([^\W\d_a-z][^\W\d_]+)")
"""For ``match`` where a word ends: "Rob *Marshall*"."""
LAST_CAPITAL = re.compile(r"(?<![^\W_])([^\W\d_a-z][^\W\d_]+) $")
"""For ``search`` up to where a word begins: "*Port* Elizabeth"."""
