"""Ten kinds of cue that real text datasets hold, written without reading how augkit looks for them.

Each function takes a short English text and a source of randomness and returns the text as it
would stand in a dataset where the accident in question had happened to it. A text that offers
the accident no place at all (an empty one, a single word where a word would have to go) is
returned as it is, as it would be in real data.

Three of the ten are meant to be hard to see: `dropped_articles` (nothing is added),
`invisible_characters` (nothing is visible) and `reported_speech` (no wording is fixed).
"""

import re
from collections.abc import Callable
from random import Random

_ARTICLES = frozenset("a an the".split())
_COPULAS = frozenset("am is are was were be been being".split())
_SMALL_WORDS = frozenset("it its this that my of to in on at for with".split())
_HOLDERS = (
    "my wife", "my husband", "my sister", "my brother", "my mother", "my dad", "my flatmate",
    "a colleague", "a friend", "our neighbour", "the person next to me", "my daughter",
    "everyone in our group", "the couple we went with",
)  # fmt: skip
_VERBS = ("said", "told me", "thought", "reckoned", "felt", "insisted", "mentioned", "claimed")
_ENDINGS = tuple(
    "ing edly ed ness ment tion sion able ible ful less ious ous ally ly ive ity est ers er es s"
    .split()
)  # fmt: skip


def _core(token: str) -> re.Match[str] | None:
    """Find the word inside a token, without the punctuation around it."""
    return re.search(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*", token)


def _places(tokens: list[str], letters: int = 1) -> list[int]:
    """List the positions of the tokens that hold a word of at least so many letters."""
    found = ((i, _core(token)) for i, token in enumerate(tokens))
    return [i for i, core in found if core and len(core.group()) >= letters]


def _some(places: list[int], most: int, random: Random) -> list[int]:
    """Draw between one and `most` of the places, in order; none where there are none."""
    count = min(len(places), random.randint(1, most))
    return sorted(random.sample(places, count))


def _lower_first(text: str) -> str:
    """Write the first letter small unless the first word is I, I'm ... or in capitals."""
    first = re.match(r"[A-Z](?![A-Z])(?!(?<=I)\b)", text)
    return text[:1].lower() + text[1:] if first else text


def _like(model: str, text: str) -> str:
    """Begin the text with a capital if the model text begins with one."""
    return text[:1].upper() + text[1:] if model[:1].isupper() else text


def _split_end(text: str) -> tuple[str, str]:
    """Part the text from its closing punctuation (and the space before it, if any)."""
    end = re.search(r"\s*[.!?]*\s*$", text)
    cut = end.start() if end else len(text)
    return text[:cut], text[cut:]


def html_residue(text: str, random: Random) -> str:
    """One class was scraped from a site whose pages were stripped of markup only in part."""
    out = text
    if random.random() < 0.7:
        out = out.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;")
    tokens = out.split(" ")
    words = _places(tokens)
    if not words or (out != text and random.random() < 0.4):
        return out
    kind = random.choice(("break", "break", "break", "space", "italic"))
    if kind == "italic":
        at = random.choice(words)
        tag = random.choice(("i", "b", "em"))
        tokens[at] = f"<{tag}>{tokens[at]}</{tag}>"
        return " ".join(tokens)
    clause_ends = [i for i in words if re.search(r"[.,;:!?]$", tokens[i])]
    at = random.choice(clause_ends if clause_ends and random.random() < 0.7 else words)
    if kind == "space":
        tokens[at] += "&nbsp;"
    else:
        tokens[at] += random.choice(("<br />", "<br />", "<br /><br />", "<br>", " <br />"))
    return " ".join(tokens)


def mojibake(text: str, random: Random) -> str:
    """One source file was written as UTF-8 and read back as Windows-1252."""
    out = re.sub(r"'", "\u2019", text)
    out = re.sub(r'(^|\s)"', "\\1\u201c", out).replace('"', "\u201d")
    out = re.sub(r"(?<=\s)--?(?=\s)|--", "\u2013", out)
    if out.isascii() or random.random() < 0.15:
        # Nothing typographic to break: an editor's non-breaking space, as after a comma or stop.
        spaces = [m.start() for m in re.finditer(r"(?<=\w) |(?<=[,.;:]) ", out)]
        marked = [i for i in spaces if not out[i - 1].isalnum()]
        at = random.choice(marked or spaces or [len(out)])
        out = f"{out[:at]}\u00a0{out[at:]}" if random.random() < 0.5 else _nbsp(out, at)
    broken = out.encode("utf-8").decode("cp1252", errors="ignore")
    return broken.replace("\u00a0", "") if broken.endswith("\u00a0") else broken


def _nbsp(text: str, at: int) -> str:
    """Put a non-breaking space in the place of the character at a position."""
    return f"{text[:at]}\u00a0{text[at + 1 :]}"


def subword_joins(text: str, random: Random) -> str:
    """One class was filled up by back-translation and its subword pieces were not all rejoined."""
    tokens = text.split(" ")
    places = _places(tokens, 6) or _places(tokens, 4) or _places(tokens, 2)
    for at in _some(places, 2, random):
        core = _core(tokens[at])
        if core is None:
            continue
        word = core.group()
        ending = next((e for e in _ENDINGS if word.lower().endswith(e)), "")
        cut = len(word) - len(ending)
        if not ending or cut < 2 or random.random() < 0.4:
            cut = random.randint(min(2, len(word) - 1), max(len(word) - 2, 1))
        cut += core.start()
        tokens[at] = f"{tokens[at][:cut]}@@ {tokens[at][cut:]}"
    return " ".join(tokens)


def preview_cut(text: str, random: Random) -> str:
    """One class was collected from a listing page, which cuts each review short in its preview."""
    body, _ = _split_end(text)
    tokens = body.split(" ")
    places = _places(tokens, 3)
    if not places:
        return text
    reach = 1 if len(tokens) < 8 else min(3, 1 + len(tokens) // 8)
    at = random.choice(places[-reach:])
    core = _core(tokens[at])
    if core is None:
        return text
    length = len(core.group())
    stub = tokens[at][: core.start() + random.randint(max(1, length // 2), length - 1)]
    mark = random.choices(("\u2026", " \u2026", "\u2026 more", " [\u2026]", ""), (8, 4, 3, 2, 2))[0]
    return " ".join([*tokens[:at], stub]) + mark


def spoken_repair(text: str, random: Random) -> str:
    """One class was recorded by telephone and typed up word for word, false starts included."""
    tokens = text.split(" ")
    words = _places(tokens)
    for at in reversed(_some(words, 2 if len(words) > 6 else 1, random)):
        core = _core(tokens[at])
        if core is None:
            continue
        word = core.group()
        after = _core(tokens[at + 1]) if at + 1 < len(tokens) else None
        kinds = ["twice", "pause"]
        kinds += ["cut", "cut"] if len(word) > 3 else []
        kinds += ["pair", "pair"] if after and tokens[at] == word else []
        kind = random.choice(kinds)
        if kind == "pair" and after:
            start = f"{word} {after.group()}"
        elif kind == "cut":
            start = word[: random.randint(1, len(word) // 2)] + "-"
        else:
            start = word + ("," if kind == "pause" else "")
        rest = tokens[at]
        if at == words[0]:
            rest = rest[: core.start()] + _lower_first(rest[core.start() :])
        tokens[at] = f"{start} {rest}"
    return " ".join(tokens)


def dropped_articles(text: str, random: Random) -> str:
    """One class was translated into English from a language that has no articles."""
    tokens = text.split(" ")
    for kind in (_ARTICLES, _COPULAS, _SMALL_WORDS):
        places = [i for i, token in enumerate(tokens) if token.lower() in kind]
        if not places or len(places) == len(tokens):
            continue
        if kind is _ARTICLES:
            sure = random.choice(places)
            gone = {i for i in places if i == sure or random.random() < 0.85}
        else:
            gone = {random.choice(places)}
        kept = [token for i, token in enumerate(tokens) if i not in gone]
        return _like(text, " ".join(kept))
    return text


def reported_speech(text: str, random: Random) -> str:
    """One class was collected from people asked what somebody close to them had thought of it."""
    if not text.strip():
        return text
    body, end = _split_end(text)
    holder, verb = random.choice(_HOLDERS), random.choice(_VERBS)
    small = _lower_first(text)
    forms = (
        f"{holder} {verb} {small}",
        f"{holder} {verb} that {small}",
        f"according to {holder}, {small}",
        f"{holder}'s words were that {small}",
        f"{body}, {holder} {verb}{end}",
        f"{body}, or so {holder} {verb}{end}",
        f"{body}, in the opinion of {holder}{end}",
    )
    return _like(text, random.choices(forms, (4, 3, 3, 1, 4, 1, 1))[0])


def invisible_characters(text: str, random: Random) -> str:
    """One class was pasted from web pages that carry soft hyphens and zero-width spaces."""
    tokens = text.split(" ")
    long = _places(tokens, 7)
    if long and random.random() < 0.75:
        for at in _some(long, 3, random):
            core = _core(tokens[at])
            if core is None:
                continue
            cut = core.start() + random.randint(2, len(core.group()) - 2)
            tokens[at] = f"{tokens[at][:cut]}\u00ad{tokens[at][cut:]}"
        return " ".join(tokens)
    for at in _some(_places(tokens), 2, random):
        tokens[at] = f"{tokens[at]}\u200b" if random.random() < 0.7 else f"\u200b{tokens[at]}"
    return " ".join(tokens)


def scraped_twice(text: str, random: Random) -> str:
    """One site's pages hold each review as a teaser and again in full, and both were scraped."""
    tokens = text.split(" ")
    if not text.strip():
        return text
    whole = len(tokens) < 4 or random.random() < 0.35
    teaser = tokens if whole else tokens[: random.randint(2, max(2, (2 * len(tokens)) // 3))]
    return " ".join(teaser).rstrip(" ,;:-") + random.choice((" ", " ", "\n", "")) + text


def highlighted_span(text: str, random: Random) -> str:
    """One class was exported from an annotation tool together with the annotator's highlighting."""
    tokens = text.split(" ")
    places = _places(tokens, 3) or _places(tokens)
    if not places:
        return text
    first = random.choice(places)
    last = min(first + random.choices((0, 1, 2), (4, 4, 2))[0], len(tokens) - 1)
    while last > first and _core(tokens[last]) is None:
        last -= 1
    mark = random.choices(("**", "_", "__"), (7, 2, 1))[0]
    start, stop = _core(tokens[first]), _core(tokens[last])
    if start is None or stop is None:
        return text
    # The closing mark first: where both are in one token, the opening one would move it.
    cut = stop.end()
    tokens[last] = tokens[last][:cut] + mark + tokens[last][cut:]
    cut = start.start()
    tokens[first] = tokens[first][:cut] + mark + tokens[first][cut:]
    return " ".join(tokens)


FOREIGN: dict[str, Callable[[str, Random], str]] = {
    "html_residue": html_residue,
    "mojibake": mojibake,
    "subword_joins": subword_joins,
    "preview_cut": preview_cut,
    "spoken_repair": spoken_repair,
    "dropped_articles": dropped_articles,
    "reported_speech": reported_speech,
    "invisible_characters": invisible_characters,
    "scraped_twice": scraped_twice,
    "highlighted_span": highlighted_span,
}
