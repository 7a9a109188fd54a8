"""Amounts: how much of something a text has."""

import pytest

from augkit.text.features.amounts import FORMAT_AMOUNTS, LENGTHS


@pytest.mark.parametrize(
    ("name", "text", "amount"),
    [
        ("sentences", "It is. Is it? v1.2 is!", 3),
        ("lines", "a\nb\n", 3),
        ("words", "Don't stop now.", 3),
        ("list items", "Do:\n- one\n* two\n 3. three\n- ", 4),
        ("bold phrases", "**a** and __b__, 2 ** 3", 2),
        ("headings", "# A\n## B\n#no", 2),
        ("table rows", "| a | b |\n|---|---|\nno | no", 2),
        ("pieces of code", "`a` and `b`", 2),
        ("links", "http://a.b and www.c.d", 2),
        ("quotations", 'He said "yes" and “no”.', 2),
        ("refusals", "I'm sorry, I can't. I cannot.", 3),
        ("hedges", "It seems, perhaps, as far as I know, to be, more or less.", 4),
        ("modal verbs", "It may, perhaps, be.", 1),
        ("citations", "So (Ong & Li, 1998a), as Ash et al. (2001) say [3, 4].", 3),
        ("citations", "In 1998 (see above) a[1] is [1](https://a.b), by (8 Ohm 2012).", 1),
        ("words of the first person", "I think my dog", 2),
        ("words in capitals", "NASA and US", 1),
    ],
)
def test_amounts(name, text, amount):
    assert {**LENGTHS, **FORMAT_AMOUNTS}[name](text) == amount
