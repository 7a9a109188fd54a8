"""Find the regular expressions of the package, build hard texts for each, and measure the time."""

from __future__ import annotations

import ast
import gc
import importlib
import math
import pkgutil
import re
import signal
import sys
import time
import types
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import augkit

if sys.version_info >= (3, 11):
    from re import _constants as codes
    from re import _parser as parser
else:
    import sre_constants as codes
    import sre_parse as parser

PACKAGE = Path(augkit.__file__).parent
LONG, SHORT = 16_000, 2_000
"""Characters of the texts that are compared."""
MOST_OF_LINEAR = 3
"""A long text may take so many times its linear share."""
COUNTS_FROM = 0.005
"""Seconds: what takes less for a long text is not looked at."""
GIVEN_UP = 1.0
"""Seconds after which a search is ended."""
EXACT = 0.03
"""Seconds that are measured for an exact time."""

_EACH, _FROM_START, _WHOLE, _FIRST = "finditer", "match", "fullmatch", "search"
MEASURED_AS = {
    "compile": _EACH,  # what is done with it is not known
    "findall": _EACH,
    "finditer": _EACH,
    "split": _EACH,
    "sub": _EACH,
    "subn": _EACH,
    "match": _FROM_START,
    "fullmatch": _WHOLE,
    "search": _FIRST,
}


@dataclass
class Found:
    """A regular expression, the places where it is written or held, and what is done with it."""

    pattern: re.Pattern[str]
    places: set[str] = field(default_factory=set)
    operations: set[str] = field(default_factory=set)
    most: int = 0
    """The longest text that it gets."""

    def measured(self) -> list[str]:
        """The operations to measure: to find every match includes to find the first."""
        operations = self.operations or {_EACH}
        if _EACH in operations:
            operations = operations - {_FIRST, _FROM_START}
        return sorted(operations)


class Patterns(dict[tuple[str, int], Found]):
    """The regular expressions that were found, each once."""

    def add(self, pattern: object, place: str, *operations: str, most: int = LONG) -> None:
        """Note a pattern that gets texts of ``most`` characters; one of bytes is left out."""
        if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
            found = self.setdefault((pattern.pattern, pattern.flags), Found(pattern))
            found.places.add(place)
            found.operations.update(operations)
            found.most = max(found.most, most)


@dataclass
class Call:
    """A call such as ``re.sub(…)`` in the source of the package."""

    place: str
    """``module:function``."""
    operation: str
    pattern: ast.expr
    flags: ast.expr | None
    module: types.ModuleType
    assigned: Mapping[str, ast.expr]
    """What the function gives to its local names."""

    def evaluate(self, names: Mapping[str, Any]) -> re.Pattern[str]:
        """The pattern that the call has, with these local names; ``NameError`` where some lack."""
        known = {**vars(self.module), **names}
        assigned = dict(self.assigned)

        def value(expression: ast.expr) -> Any:
            for node in ast.walk(expression):
                if isinstance(node, ast.Name) and node.id not in known and node.id in assigned:
                    known[node.id] = value(assigned.pop(node.id))
            code = compile(ast.Expression(expression), self.place, "eval")
            return eval(code, known)

        return re.compile(value(self.pattern), 0 if self.flags is None else value(self.flags))


def import_all() -> list[types.ModuleType]:
    """Import every module of the package, but those for which a package is not installed."""
    modules = [augkit]
    for found in pkgutil.walk_packages(augkit.__path__, "augkit."):
        if found.name.endswith("__main__"):
            continue
        try:
            modules.append(importlib.import_module(found.name))
        except ImportError:
            # A package that it needs is not installed; it must be one without patterns.
            source = (PACKAGE.parent / (found.name.replace(".", "/") + ".py")).read_text("utf-8")
            assert "import re\n" not in source, f"{found.name} cannot be imported"
    return modules


_ENTERED = {"augkit", "builtins", "collections", "functools", "types"}
"""Packages whose objects are looked into: what a cache holds of other packages is not ours."""


def held_patterns(modules: Iterable[types.ModuleType], patterns: Patterns) -> None:
    """Note the patterns that modules, classes, containers, closures and caches hold."""
    for module in modules:
        # What belongs to other packages is not entered, and nothing is entered twice.
        seen = set()
        waiting: list[object] = [vars(module)]
        while waiting:
            held = waiting.pop()
            if id(held) in seen:
                continue
            seen.add(id(held))
            if isinstance(held, re.Pattern):
                if (held.pattern, held.flags) not in patterns:
                    patterns.add(held, module.__name__)
            elif isinstance(held, types.ModuleType):
                continue
            elif isinstance(held, (type, types.FunctionType)):
                if held.__module__ == module.__name__:
                    waiting += [each for each in gc.get_referents(held) if each is not vars(module)]
            elif type(held).__module__.split(".")[0] in _ENTERED:
                waiting += gc.get_referents(held)


@cache
def _parsed(module: types.ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_bytes())


def calls(module: types.ModuleType) -> Iterator[Call]:
    """Every call of a function of ``re`` that takes a pattern."""
    if re not in vars(module).values():
        return
    tree = _parsed(module)
    names = {tree: ""}
    assigned: dict[str, dict[str, ast.expr]] = defaultdict(dict)
    at_once: dict[ast.expr, str] = {}
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            names[child] = names[node]
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                names[child] = f"{names[node]}.{child.name}".lstrip(".")
            # What is called on it at once: ``re.compile(…).search``.
            if isinstance(child, ast.Attribute) and child.attr in MEASURED_AS:
                at_once[child.value] = child.attr
            if isinstance(child, ast.Assign) and isinstance(child.targets[0], ast.Name):
                assigned[names[node]][child.targets[0].id] = child.value
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and vars(module).get(node.func.value.id) is re
            and node.func.attr in MEASURED_AS
        ):
            flags = [each.value for each in node.keywords if each.arg == "flags"]
            at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(node.func.attr, 2)
            flags += node.args[at : at + 1]
            yield Call(
                f"{module.__name__.removeprefix('augkit.')}:{names[node]}",
                at_once.get(node, node.func.attr),
                node.args[0],
                flags[0] if flags else None,
                module,
                assigned[names[node]] if names[node] else {},
            )


def note_uses(module: types.ModuleType, patterns: Patterns) -> None:
    """Note what a module does with the patterns that it has by name: ``_WORD.findall(text)``."""
    if not _may_use(module):
        return
    tree = _parsed(module)
    inner = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            pattern = _named(node.func.value, module)
            if pattern is not None:
                inner.add(node.func.value)
                patterns.add(pattern, module.__name__, MEASURED_AS[node.func.attr])
        elif isinstance(node, ast.Attribute) and node.attr in {"pattern", "flags"}:
            inner.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            pattern = _named(node, module)
            if pattern is not None and node not in inner:
                patterns.add(pattern, module.__name__, _EACH)  # it is handed on


def _may_use(module: types.ModuleType) -> bool:
    held = [*vars(module).values()]
    for each in vars(module).values():
        if isinstance(each, types.ModuleType) and each.__name__.startswith("augkit."):
            held += vars(each).values()
    return any(isinstance(each, re.Pattern) for each in held)


def _named(node: ast.expr, module: types.ModuleType) -> re.Pattern[str] | None:
    holder: object = module
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        holder = vars(module).get(node.value.id)
        name = node.attr
    elif isinstance(node, ast.Name):
        name = node.id
    else:
        return None
    value = vars(holder).get(name) if isinstance(holder, types.ModuleType) else None
    return value if isinstance(value, re.Pattern) else None


# ------------------------------------------------------------------ texts that are hard for one

GENERAL = (
    ("", "a", ""),
    ("", "a", "\0"),
    ("", "A", ""),
    ("", "Aa", ""),
    ("", "1", ""),
    ("", " ", ""),
    ("", " ", "\0"),
    ("", "\n", ""),
    ("", "\n", "\0"),
    ("", " \n", ""),
    ("", ".", ""),
    ("", ". ", ""),
    ("", "a ", ""),
    ("", "a b ", ""),
    ("", "Aa ", ""),
    ("", "Aa. ", ""),
    ("", "1 ", ""),
    ("", "-", ""),
    ("", "a-", ""),
    ("", "'", ""),
    ("", '"', ""),
    ("", '" ', ""),
    ("", "(", ""),
    ("", "()", ""),
    ("", "[", ""),
    ("", "<", ""),
    ("", "<a ", ""),
    ("", "{", ""),
    ("", "*", ""),
    ("", "a, ", ""),
    ("", "\\", ""),
)
"""What stands at the beginning of a text, what is repeated, and what stands at the end."""
_ALPHABET = "aA1 _.\n\"'(-\u2019*/"
_FAILS = ("\0", "x!")
"""Ends that few patterns accept, a sign and a letter."""


def hard_texts(pattern: re.Pattern[str], *, whole: bool) -> list[tuple[str, str, str]]:
    """Beginning, period and end of texts made of a pattern's pieces; few unless ``whole``."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    most = 60 if whole else 14
    pieces = [each for each in dict.fromkeys(_pieces(tree, most)) if each][: 6 * most]
    texts = [*GENERAL]
    for piece in pieces:
        texts += [("", piece, end) for end in ("", *_FAILS)]
    ends = ("", *_FAILS)
    texts += [(start, body, end) for start, body in _repeated(tree, "") for end in ends]
    short = sorted(pieces, key=len)[: 16 if whole else 6]
    for one in short:
        texts += [("", one + other, "") for other in short if other != one]
    return list(dict.fromkeys(texts))


def filled(text: tuple[str, str, str], length: int) -> str:
    """A text of about a length: its beginning, its period again and again, and its end.

    The period is whole each time: what stands before the end decides whether a pattern matches,
    and texts of two lengths are compared.
    """
    start, period, end = text
    room = length - len(start) - len(end)
    return start + period * max(1, room // len(period)) + end


def _pieces(items: Iterable[tuple[Any, Any]], most: int) -> Iterator[str]:
    """What a sequence of a parsed pattern begins with, and the pieces of all its parts."""
    sequence = list(items)
    for times in (1, 2):
        for end in range(1, len(sequence) + 1):
            yield _sample(sequence[:end], {}, times)
        yield _sample(sequence[1:], {}, times)
    for code, value in sequence:
        if code is codes.IN:
            yield from _members(value)
        inner = _parts(code, value)
        # Of a long list of words, the first few and those that repeat something.
        repeating = [part for part in inner[most:] if any(True for _ in _repeated(part, ""))]
        for part in inner[:most] + repeating[:most]:
            yield from _pieces(part, most)


def _repeated(items: Iterable[tuple[Any, Any]], start: str) -> Iterator[tuple[str, str]]:
    """Each repetition without a bound: what is before it, and what it repeats."""
    sequence = list(items)
    for place, (code, value) in enumerate(sequence):
        before = start + _sample(sequence[:place], {}, 1)
        if code in _REPEATS and value[1] >= 100:
            members = [_sample(value[2], {}, 1)]
            if len(value[2]) == 1 and value[2][0][0] is codes.IN:
                members += _members(value[2][0][1])[:3]
            yield from ((before, member) for member in members if member)
        for part in _parts(code, value)[:20]:
            yield from _repeated(part, before)


_REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, getattr(codes, "POSSESSIVE_REPEAT", None)}


def _parts(code: Any, value: Any) -> list[Any]:
    """The sequences inside one item of a parsed pattern."""
    if code in _REPEATS:
        return [value[2]]
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code in {codes.ASSERT, codes.ASSERT_NOT}:
        return [value[1]]
    if code is getattr(codes, "ATOMIC_GROUP", None):
        return [value]
    if code is codes.GROUPREF_EXISTS:
        return [each for each in value[1:] if each]
    return []


def _sample(items: Iterable[tuple[Any, Any]], groups: dict[int, str], times: int) -> str:
    """A text that a sequence of a parsed pattern matches, with ``times`` repetitions."""
    text = ""
    for code, value in items:
        if code in _REPEATS:
            least, most, body = value
            text += _sample(body, groups, times) * min(int(most), max(int(least), times))
        elif code is codes.SUBPATTERN:
            inner = _sample(value[3], groups, times)
            if value[0]:
                groups[value[0]] = inner
            text += inner
        elif code is codes.GROUPREF:
            text += groups.get(value, "")
        elif code in {codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN}:
            text += _character(code, value)
        elif code not in {codes.ASSERT, codes.ASSERT_NOT, codes.AT}:
            text += "".join(_sample(part, groups, times) for part in _parts(code, value)[:1])
    return text


def _character(code: Any, value: Any) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.IN:
        return next(iter(_members(value)), "")
    return "b" if code is codes.NOT_LITERAL and value == ord("a") else "a"


def _members(items: list[tuple[Any, Any]]) -> list[str]:
    """A few characters of a class such as ``[^a-z]``."""
    starts = [chr(value) for code, value in items if code is codes.LITERAL]
    starts += [chr(value[0]) for code, value in items if code is codes.RANGE]
    negated = items[0][0] is codes.NEGATE
    accepted = [each for each in [*starts[:4], *_ALPHABET] if _accepts(items, each) != negated]
    return list(dict.fromkeys(accepted))[:5]


def _accepts(items: list[tuple[Any, Any]], character: str) -> bool:
    tests: dict[Any, Callable[[Any], bool]] = {
        codes.NEGATE: lambda _: False,
        codes.LITERAL: lambda value: ord(character) == value,
        codes.RANGE: lambda value: value[0] <= ord(character) <= value[1],
        codes.CATEGORY: lambda value: re.match(_CATEGORIES[value], character) is not None,
    }
    return any(tests[code](value) for code, value in items)


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}

# ------------------------------------------------------------------------------------- the time


class _TooLong(Exception):
    """A search that takes over ``GIVEN_UP`` seconds."""


def _seconds(call: Callable[[str], object], text: str, *, exact: bool) -> float:
    """The time of this process that a call takes; infinite for what is given up.

    The clock may have steps of 10 ms: for an ``exact`` time the call is repeated.
    """

    def end(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, end)
    # While ``re`` searches it looks for signals. This timer counts the time of this process.
    signal.setitimer(signal.ITIMER_PROF, GIVEN_UP)
    started = time.process_time()
    count = 0
    try:
        while True:
            call(text)
            count += 1
            took = time.process_time() - started
            if not exact or took >= EXACT:
                return took / count
    except _TooLong:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _find_all(pattern: re.Pattern[str], text: str) -> None:
    deque(pattern.finditer(text), maxlen=0)


@dataclass(frozen=True)
class Slow:
    """A text for which an operation takes more than its share."""

    operation: str
    text: tuple[str, str, str]
    short: float
    long: float


def slow_text(found: Found, texts: Iterable[tuple[str, str, str]]) -> Slow | None:
    """The first text for which a pattern takes more than its share."""
    for text in texts:
        for operation in found.measured():
            call = getattr(found.pattern, operation)
            if operation == _EACH:
                call = partial(_find_all, found.pattern)
            if not _may_be_slow(call, text, found.most):
                continue
            seconds = _seconds_over_share(call, text, found.most)
            if seconds is not None:
                return Slow(operation, text, *seconds)
    return None


def _may_be_slow(call: Callable[[str], object], text: tuple[str, str, str], most: int) -> bool:
    """Whether a look at a quarter of the text, then at the whole, shows more than ``COUNTS_FROM``.

    The looks are short and by the clock on the wall, which on a busy machine goes too fast only.
    """
    return all(
        _glance(call, filled(text, most // parts)) > COUNTS_FROM / parts**2 for parts in (4, 1)
    )


def _glance(call: Callable[[str], object], text: str) -> float:
    started = time.perf_counter()
    if _seconds(call, text, exact=False) == math.inf:
        return math.inf
    return time.perf_counter() - started


def _seconds_over_share(
    call: Callable[[str], object], text: tuple[str, str, str], most: int
) -> tuple[float, float] | None:
    """The seconds for a short and a long text where the long one takes more than its share."""
    short_text, long_text = filled(text, most * SHORT // LONG), filled(text, most)
    share = MOST_OF_LINEAR * LONG / SHORT
    short = long = math.inf
    # The best of five, on a machine that may be busy: enough as soon as it is within the share.
    for _ in range(5):
        long = min(long, _seconds(call, long_text, exact=True))
        if long <= COUNTS_FROM:
            return None
        short = min(short, _seconds(call, short_text, exact=True))
        if long <= share * short < math.inf:
            return None
        if long == math.inf:
            break
    return short, long
