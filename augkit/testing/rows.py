"""Texts that every augmenter is tested on: ordinary ones, and some that break careless code."""

from __future__ import annotations

from augkit.core.types import Example, example

ORDINARY: tuple[Example, ...] = (
    *(
        example(text, label, columns={"number": number})
        for number, (text, label) in enumerate(
            [
                ("A truly wonderful movie with an excellent cast.", "positive"),
                ("The kids enjoyed the story, and so did I!", "positive"),
                ("Great acting; a big, warm-hearted film.", "positive"),
                ("An excellent, funny script. I started smiling at once.", "positive"),
                ("I bought it twice: excellent value, excellent service.", "positive"),
                ("A truly awful movie with a boring cast.", "negative"),
                ("The kids hated the story, and so did I!", "negative"),
                ("Terrible acting; a small, cold-hearted film.", "negative"),
                ("An awful, boring script. I stopped watching at once.", "negative"),
                ("It didn't work: awful value, awful service.", "negative"),
            ]
        )
    ),
    *(
        example({"premise": premise, "hypothesis": hypothesis}, label, columns={"number": number})
        for number, (premise, hypothesis, label) in enumerate(
            [
                ("A man buys a big house.", "Someone purchases a home.", "entailment"),
                ("Two kids watch a movie.", "Nobody watches anything.", "contradiction"),
                ("A black dog runs on the beach.", "A dog plays with a ball.", "neutral"),
            ],
            100,
        )
    ),
)
"""Labelled texts, single and in pairs, that most methods can change.

Each has a number of its own in the column ``number``, for methods that join rows with a file.
"""

HARD: tuple[Example, ...] = tuple(
    example(text, "negative")
    for text in [
        "",
        "   \n\t ",
        "Movie",
        "?!",
        "A good film. " * 3_000,
        "x" * 200_000,
        "Der Film war überraschend gut, aber zu lang.",
        "यह फिल्म बहुत अच्छी है।",
        "这部电影非常好看。",
        "😀 great 👨‍👩‍👧 movie 🎬!!",
        "<p class='a'>A <b>good</b> film &amp; more</p><br/>",
        "هذا الفيلم جيد جدا ويستحق المشاهدة",
        "\u202eהסרט הזה טוב מאוד\u202c",  # noqa: RUF001 - Hebrew is meant
        "a good\x00 film",
        "a good \ud800 film",
        "A  good\r\n\tfilm …\u00a0indeed\u2028again",
        "{{ film }} {% raw %} %s {0} \\1 $movie",
    ]
)
"""Texts that break careless code."""
