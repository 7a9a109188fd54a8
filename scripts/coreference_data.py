"""Person mentions with their gold persons: GUM, LitBank, GAP and WinoBias, in one form.

For training and measuring the linker; the package itself needs none of it.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from treebanks import Document, documents

from augkit.core.analysis import Analysis, Token
from augkit.language.parser import SpacyParser
from augkit.language.person_links.readings import PersonMention
from augkit.lexicons.demographics.person_words import (
    gendered_nouns,
    name_genders,
    person_nouns,
    place_names,
    titles,
)

_FORMS = {
    "man": {"he": "subject", "him": "object", "his": "possessive", "himself": "reflexive"},
    "woman": {"she": "subject", "her": "", "hers": "possessive", "herself": "reflexive"},
    "they": {"they": "subject", "them": "object", "their": "possessive", "theirs": "possessive"}
    | {"themselves": "reflexive", "themself": "reflexive"},
}
PRONOUNS = {form: (gender, case) for gender, some in _FORMS.items() for form, case in some.items()}


@dataclass(frozen=True)
class Choice:
    """A question of GAP: does the pronoun mean the name A, or B? The three are mention indices."""

    pronoun: int
    names: tuple[int, int]
    right: tuple[bool, bool]


@dataclass(frozen=True)
class Passage:
    """A text, its parse by the bundled pipeline, its mentions, and the gold chain of each.

    A passage of GAP or WinoBias has no chains but one ``choice``.
    """

    name: str
    text: str
    analysis: Analysis
    mentions: list[PersonMention]
    chains: list[int]
    choice: Choice | None = None


def gendered_only(passage: Passage) -> Passage:
    """A passage without the nouns that show no gender, which a caller may not know."""
    kept = [
        number
        for number, mention in enumerate(passage.mentions)
        if mention.kind != "noun" or mention.gender != "unknown"
    ]
    mentions, chains = passage.mentions, passage.chains
    return replace(passage, mentions=[mentions[n] for n in kept], chains=[chains[n] for n in kept])


def gum(data: Path, split: str) -> list[Passage]:
    """The documents of a part of GUM, parsed anew."""
    some = documents(data / "ud" / f"gum_{split}.conllu.gz")
    parses = SpacyParser().parse([one.analysis.text for one in some])
    return [
        _passage(one.name, parse, list(_gum_mentions(one)))
        for one, parse in zip(some, parses, strict=True)
    ]


def _gum_mentions(document: Document) -> Iterator[tuple[PersonMention, int]]:
    for entity in document.entities:
        head = document.analysis.tokens[entity.head]
        mention = mention_at(document.analysis, head, entity.first)
        if mention and (entity.type == "person" or mention.kind == "pronoun"):
            yield mention, entity.chain


def litbank(data: Path, part: str) -> list[Passage]:
    """Novels of LitBank: of every ten, the tenth is for "test", the ninth for "dev"."""
    with gzip.open(data / "coref/litbank/all.conll.gz", "rt", encoding="utf-8") as file:
        blocks = re.split(r"#begin document \((.*)\).*\n", file.read())[1:]
    wanted = {"train": set(range(8)), "dev": {8}, "test": {9}}[part]
    numbered = enumerate(zip(blocks[::2], blocks[1::2], strict=True))
    novels = [(name, *_novel(block)) for n, (name, block) in numbered if n % 10 in wanted]
    parses = SpacyParser().parse([text for _, text, _ in novels])
    return [
        _passage(name, parse, list(_novel_mentions(parse, spans)))
        for (name, _, spans), parse in zip(novels, parses, strict=True)
    ]


def _novel(block: str) -> tuple[str, dict[tuple[int, int], int]]:
    """The text of a novel, and the chain of each marked span of it."""
    text, spans, opened = "", {}, list[tuple[int, int]]()
    for line in block.splitlines():
        columns = line.split("\t")
        if len(columns) < 13:
            continue
        word, glued = columns[3], text.endswith(("(", "“", "\u2018", "\n"))
        if (
            text
            and not glued
            and not re.match("[,.;:!?)\u201d]|['\u2019]\\w{0,2}$|n['\u2019]t$", word)
        ):
            text += " "
        start = len(text)
        text += word
        for found in re.finditer(r"\((\d+)(\)?)|(\d+)\)", columns[12]):
            if found[1]:
                opened.append((int(found[1]), start))
            if found[2] or found[3]:
                chain = int(found[1] or found[3])
                place = max(n for n, one in enumerate(opened) if one[0] == chain)
                spans[opened.pop(place)[1], len(text)] = chain
    return text, spans


def _novel_mentions(
    parse: Analysis, spans: dict[tuple[int, int], int]
) -> Iterator[tuple[PersonMention, int]]:
    found: dict[int, list[PersonMention]] = {}
    for (start, end), chain in sorted(spans.items()):
        inside = [t for t in parse.tokens if start <= t.start and t.end <= end]
        heads = [t for t in inside if t.is_root or not start <= parse.tokens[t.head].start < end]
        predicate = heads and (parse.children(heads[0], "cop") or heads[0].deprel == "appos")
        if not heads or predicate:  # LitBank does not count these as coreference
            continue
        mention = mention_at(parse, heads[0], inside[0].index)
        if mention:
            found.setdefault(chain, []).append(mention)
    marked = {mention.start for some in found.values() for mention in some}
    for chain, some in found.items():
        if any(_is_person(parse, mention) for mention in some):
            yield from ((mention, chain) for mention in some)
    for token in parse.tokens:  # "they" for things, which LitBank does not mark
        if token.start not in marked and token.text.lower() in PRONOUNS:
            mention = mention_at(parse, token)
            yield from ((one, -1 - token.index) for one in [mention] if one)


def _is_person(parse: Analysis, mention: PersonMention) -> bool:
    if mention.kind == "pronoun" or mention.gender != "unknown":
        return mention.gender != "they"
    token = parse.token_at(mention.start)
    words = {token.lemma.lower(), token.text.lower()} if token else set[str]()
    known = name_genders() if mention.kind == "name" else person_nouns()
    return any(word in known for word in words)


def gap(data: Path, part: str) -> list[Passage]:
    """The questions of GAP; ``part``: development, validation or test."""
    with gzip.open(data / f"coref/gap/{part}.tsv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    parses = SpacyParser().parse([row["Text"] for row in rows])
    return [_question(row, parse) for row, parse in zip(rows, parses, strict=True)]


def _question(row: dict[str, str], parse: Analysis) -> Passage:
    names = [(int(row[f"{one}-offset"]), row[one]) for one in "AB"]
    spans = [(start, start + len(name)) for start, name in names]
    mentions = find_mentions(parse, spans)
    starts = [mention.start for mention in mentions]
    choice = Choice(
        starts.index(int(row["Pronoun-offset"])),
        (starts.index(spans[0][0]), starts.index(spans[1][0])),
        (row["A-coref"].upper() == "TRUE", row["B-coref"].upper() == "TRUE"),
    )
    return Passage(row["ID"], row["Text"], parse, mentions, [], choice)


def winobias(data: Path, part: str) -> list[Passage]:
    """The sentences of WinoBias: two occupations, and a pronoun that means the first of a pair."""
    with gzip.open(data / f"bias/winobias/{part}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    parses = SpacyParser().parse([row["text"] for row in rows])
    return [p for row, parse in zip(rows, parses, strict=True) for p in _occupations(row, parse)]


def _occupations(row: dict[str, str], parse: Analysis) -> Iterator[Passage]:
    spans, text = [], row["marked"]
    while found := re.search(r"\[(.*?)\]", text):
        text = text[: found.start()] + found[1] + text[found.end() :]
        spans.append((found.start(), found.start() + len(found[1])))
    mentions = find_mentions(parse, [])
    inside = [[n for n, m in enumerate(mentions) if s <= m.start < e] for s, e in spans]
    nouns = [n for n, m in enumerate(mentions) if m.kind == "noun"]
    marked = [n for some in inside for n in some]
    right = [n for n in marked if n in nouns]
    pronoun = [n for n in marked if n not in nouns]
    others = [n for n in nouns if n not in right]
    if len(right) == len(pronoun) == 1 and others:
        choice = Choice(pronoun[0], (right[0], others[0]), (True, False))
        yield Passage(row["pair_id"], row["text"], parse, mentions, [], choice)


def mention_at(analysis: Analysis, head: Token, first: int = 0) -> PersonMention | None:
    """The mention that a word heads, whose words do not begin before ``first``, if it is one."""
    form = head.text.lower()
    if form in PRONOUNS:
        gender, case = PRONOUNS[form]
        case = case or ("possessive" if head.deprel == "nmod:poss" else "object")
        number = "plural" if gender == "they" and form != "themself" else "singular"
        return PersonMention(head.start, head.end, "pronoun", gender, number, case)
    plural = "plural" if head.morph.get("Number") == "Plur" else "singular"
    lemma = head.lemma.lower()
    if head.upos == "NOUN":
        gender = gendered_nouns().get(form, gendered_nouns().get(lemma, "unknown"))
        return PersonMention(head.start, head.end, "noun", gender, plural)
    return _name(analysis, head, first, plural) if head.upos == "PROPN" else None


def _name(analysis: Analysis, head: Token, first: int, number: str) -> PersonMention:
    run = [head]
    tokens = analysis.tokens
    while run[0].index > first and _joins(analysis, tokens[run[0].index - 1], run[0]):
        run.insert(0, tokens[run[0].index - 1])
    while run[-1].index + 1 < len(tokens) and _joins(analysis, run[-1], tokens[run[-1].index + 1]):
        run.append(tokens[run[-1].index + 1])
    gender = "unknown"
    while len(run) > 1 and (title := run[0].text.lower().rstrip(".")) in titles():
        gender = titles()[title]
        del run[0]
    word = run[0].text.lower()
    if gender == "unknown" and not (len(run) == 1 and word in place_names()):
        gender = name_genders().get(word, "unknown")
    if len(run) == 1 and gender == "unknown":
        gender = gendered_nouns().get(word, "unknown")
    return replace(
        PersonMention(run[0].start, run[-1].end, "name", gender, "singular"),
        number="plural" if number == "plural" and run[-1].text.endswith("s") else "singular",
    )


def _joins(analysis: Analysis, one: Token, two: Token) -> bool:
    gap = analysis.text[one.end : two.start]
    return one.upos == two.upos == "PROPN" and gap == " " and one.sentence == two.sentence


def find_mentions(analysis: Analysis, names: Sequence[tuple[int, int]]) -> list[PersonMention]:
    """The mentions of a text without annotation, ``names`` among them, by the word lists."""
    given = [
        PersonMention(start, end, "name", _gender_of(analysis.text[start:end]), "singular")
        for start, end in names
    ]
    surnames = {analysis.text[m.start : m.end].split()[-1] for m in given}
    found = {mention.start: mention for mention in given}
    for token in analysis.tokens:
        mention = mention_at(analysis, token)
        if mention is None or any(m.start < mention.end and mention.start < m.end for m in given):
            continue
        words = analysis.text[mention.start : mention.end].split()
        if not _is_listed(token, mention, words, surnames):
            continue
        surnames |= {words[-1]} if mention.kind == "name" else set()
        found.setdefault(mention.start, mention)
    return [found[start] for start in sorted(found)]


def _is_listed(
    token: Token, mention: PersonMention, words: Sequence[str], surnames: set[str]
) -> bool:
    if mention.kind == "noun" and token.is_relation("compound"):
        return False
    if mention.kind == "pronoun" or mention.gender != "unknown":
        return True
    if mention.kind == "noun":
        return token.lemma.lower() in person_nouns()
    return words[-1] in surnames or words[0].lower() in name_genders()


def _gender_of(name: str) -> str:
    return name_genders().get(name.split(maxsplit=1)[0].lower(), "unknown")


def _passage(name: str, parse: Analysis, found: list[tuple[PersonMention, int]]) -> Passage:
    """A passage with its mentions in order; of two at one place, the first."""
    kept = {mention.start: (mention, chain) for mention, chain in reversed(found)}
    pairs = [kept[start] for start in sorted(kept)]
    return Passage(name, parse.text, parse, [m for m, _ in pairs], [c for _, c in pairs])
