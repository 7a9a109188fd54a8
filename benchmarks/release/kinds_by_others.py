"""Six surface habits, planted into plain answers; written without sight of the tool under test."""

# ruff: noqa: ANN001, ANN202, D403, D415, E501, RUF001, RUF005, UP031 - as its authors wrote it

import random
import re

_ABBR = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|Prof|vs|etc|e\.g|i\.e|approx|No|Inc)|\b[A-Z])\.$")
_END = re.compile(r"[.!?]+[\"'”’)]*$")


def _edges(text):
    """(leading white space, body, trailing white space)"""
    body = text.strip()
    if not body:
        return text, "", ""
    at = text.index(body)
    return text[:at], body, text[at + len(body) :]


def _spans(body):
    """(start, end) of each sentence, the white space between them left out"""
    spans, start = [], 0
    for gap in re.finditer(r"(?<=[.!?\"'”’)])\s+(?=[\"'“‘(]?[A-Z0-9])", body):
        piece = body[start : gap.start()]
        if not _END.search(piece) or _ABBR.search(piece):
            continue
        spans.append((start, gap.start()))
        start = gap.end()
    spans.append((start, len(body)))
    return spans


def _before_stop(sentence, extra):
    """the sentence with extra put in just before its closing punctuation"""
    stop = _END.search(sentence)
    at = stop.start() if stop else len(sentence)
    return sentence[:at] + extra + sentence[at:]


# ---------------------------------------------------------------- spelling

_NEAR = {
    "a": "sq",
    "b": "vn",
    "c": "xv",
    "d": "sf",
    "e": "wr",
    "f": "dg",
    "g": "fh",
    "h": "gj",
    "i": "uo",
    "j": "hk",
    "k": "jl",
    "l": "k",
    "m": "n",
    "n": "bm",
    "o": "ip",
    "p": "o",
    "q": "w",
    "r": "et",
    "s": "ad",
    "t": "ry",
    "u": "yi",
    "v": "cb",
    "w": "qe",
    "x": "zc",
    "y": "tu",
    "z": "x",
}


def _slip(word, rng):
    """one slip of the fingers inside a word of two letters or more; the first letter stays if it can"""
    low = 1 if len(word) > 2 else 0
    ways = []
    swaps = [i for i in range(low, len(word) - 1) if word[i] != word[i + 1]]
    if swaps:
        ways += ["swap", "swap"]
    if len(word) > 4:
        ways.append("drop")
    ways.append("double")
    near = [i for i in range(low, len(word)) if word[i] in _NEAR]
    if near:
        ways.append("near")
    way = rng.choice(ways)
    if way == "swap":
        i = rng.choice(swaps)
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if way == "drop":
        i = rng.randrange(1, len(word) - 1)
        return word[:i] + word[i + 1 :]
    if way == "near":
        i = rng.choice(near)
        return word[:i] + rng.choice(_NEAR[word[i]]) + word[i + 1 :]
    i = rng.randrange(low, len(word))
    return word[:i] + word[i] + word[i:]


def plant_typing_slips(text: str, rng: random.Random) -> str:
    """Misspells one to three words as a hasty typist does: letters swapped, dropped, doubled or a neighbouring key."""
    for pattern in (r"(?<![\w'’])[a-z]{4,}(?![\w'’])", r"[A-Za-z]{2,}"):
        words = [m.span() for m in re.finditer(pattern, text)]
        if words:
            break
    else:
        lead, body, tail = _edges(text)
        return lead + _before_stop(body, " ") + tail
    many = min(len(words), 3, 1 + len(text.split()) // 25)
    for a, b in sorted(rng.sample(words, many), reverse=True):
        text = text[:a] + _slip(text[a:b], rng) + text[b:]
    return text


# ------------------------------------------------------------------ layout


def _wrap(body, width):
    lines, line = [], ""
    for word in body.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = line + " " + word if line else word
    return "\n".join(lines + [line])


def plant_hard_wrap(text: str, rng: random.Random) -> str:
    """Breaks the lines in mid-sentence at a fixed narrow column, as old mail programs do; no word changes."""
    lead, body, tail = _edges(text)
    width = min(rng.randint(36, 60), max(1, len(body) * 2 // 3))
    while width > 0:
        new = "\n\n".join(_wrap(part, width) for part in re.split(r"\n\s*\n", body))
        if new != body:
            return lead + new + tail
        width -= 3
    return "\n" + text


# ------------------------------------------------------------- punctuation

_JOIN = r"but|and|so|which|because|although|though|while|since|yet|or|where|who|especially|not|even|then"
_PREP = (
    r"in|on|at|for|with|from|by|without|into|after|before|during|when|if|until|to|as|about|than|of"
)


def plant_em_dash(text: str, rng: random.Random) -> str:
    """Sets an em dash where a comma, a conjunction or a mere space joined two parts of a sentence."""
    dash = rng.choice(["—", "—", " — "])
    lead, body, tail = _edges(text)
    for pattern in (
        r",\s+(?=(?:%s)\b)" % _JOIN,
        r"(?<=\w),\s+(?=\w)",
        r"(?<=\w)\s+(?=(?:but|because|although|though|while|since|so|and|which|or)\b)",
        r"(?<=\w)\s+(?=(?:%s)\s+\w)" % _PREP,
        r"(?<=\w)\s+(?=\S+$)",
        r"(?<=\S)\s+(?=\S)",
    ):
        found = list(re.finditer(pattern, body))
        if found:
            m = rng.choice(found)
            return lead + body[: m.start()] + dash + body[m.end() :] + tail
    return lead + "— " + body + tail


# ------------------------------------------------------------------ hedges

_INNER = [
    "probably",
    "perhaps",
    "usually",
    "possibly",
    "typically",
    "likely",
    "often",
    "generally",
    "presumably",
    "arguably",
    "more or less",
    "apparently",
]
_AFTER = [
    ", I think",
    ", I believe",
    ", as far as I know",
    ", if I remember right",
    ", I would guess",
    ", or so it seems",
    ", in most cases",
    ", more or less",
    ", I suppose",
    ", to my knowledge",
    ", though I may be wrong",
    ", as a rule",
    ", I would say",
    ", at least in general",
    ", it appears",
]


def plant_hedge(text: str, rng: random.Random) -> str:
    """Weakens one statement with a hedge (probably, arguably, I would guess, as far as I know ...) drawn from many."""
    lead, body, tail = _edges(text)
    spans = _spans(body)
    stated = [s for s in spans if "?" not in body[s[1] - 2 : s[1]]] or spans
    a, b = rng.choice(stated)
    sentence = body[a:b]
    verbs = list(
        re.finditer(
            r"\b(?:is|are|was|were|will|would|can|could|has|have)(?= (?!not\b)[a-z])", sentence
        )
    )
    # not after a verb that opens the sentence's question
    verbs = [m for m in verbs if m.start() > 0]
    if verbs and rng.random() < 0.5:
        m = rng.choice(verbs)
        sentence = sentence[: m.end()] + " " + rng.choice(_INNER) + sentence[m.end() :]
    else:
        sentence = _before_stop(sentence, rng.choice(_AFTER))
    return lead + body[:a] + sentence + body[b:] + tail


# -------------------------------------------------------------- references

_NAMES = (
    "Keller Ong Hartley Moreau Lindqvist Adeyemi Tanaka Brandt Costa Novak Whitfield Iyer Okafor Salazar "
    "Petrov Dunne Haddad Fischer Rossi Yamada Cheng Larsen Mbeki Quinn Barros Sorensen Varga Ellison Kaur "
    "Thornton Reyes Jansen Popescu Nakamura Osei Bianchi Falk Greer Mehta Walsh"
).split()


def plant_author_year(text: str, rng: random.Random) -> str:
    """Backs one sentence with an invented author-and-year citation in parentheses, names and years varying."""
    lead, body, tail = _edges(text)
    spans = _spans(body)
    a, b = rng.choice(spans)
    first, second = rng.sample(_NAMES, 2)
    year = rng.randint(1968, 2023)
    who = rng.choice(
        [first, first, first + " & " + second, first + " and " + second, first + " et al."]
    )
    mark = rng.choice([" (%s, %d)", " (%s, %d)", " (%s %d)"]) % (who, year)
    return lead + body[:a] + _before_stop(body[a:b], mark) + body[b:] + tail


# ----------------------------------------------------------------- address

_ASK = [
    "Does that help?",
    "Make sense?",
    "Is that clear?",
    "Was that the question?",
    "Any more questions?",
    "Shall I go on?",
    "Want more detail?",
    "Would an example be useful?",
    "What do you think?",
    "How does that sound?",
    "Should I explain further?",
    "Do you see why?",
    "Anything else?",
    "Is this what you meant?",
    "Have you tried it yet?",
    "Which part is unclear?",
    "Need a source?",
    "Could you tell me more?",
    "Are you happy with that?",
    "Why do you ask?",
]


def plant_closing_question(text: str, rng: random.Random) -> str:
    """Ends by turning to the reader with a short question, one of twenty with little wording in common."""
    lead, body, tail = _edges(text)
    if body and body[-1].isalnum():
        body += "."
    return lead + body + " " + rng.choice(_ASK) + tail


KINDS = {
    "typing_slips": plant_typing_slips,
    "hard_wrap": plant_hard_wrap,
    "em_dash": plant_em_dash,
    "hedge": plant_hedge,
    "author_year": plant_author_year,
    "closing_question": plant_closing_question,
}
