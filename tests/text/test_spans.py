"""Spans through edits: by the rule, against a projection character by character."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augkit.core.edits import Edit, LabelledSpan, apply
from augkit.text.diff import SpanTouched, diff, minimal, project_spans

TEXT = st.text("ab c.", min_size=1, max_size=24)


@st.composite
def edited(draw):
    """A text, edits of it that do not overlap, and a span."""
    text = draw(TEXT)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    edits, last = [], -1
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        if start > last:
            after = draw(st.text("abX .", max_size=4))
            edits.append(Edit("text", start, end, text[start:end], after))
            last = end
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    return text, edits, LabelledSpan("text", start, end, "X")


def by_characters(text, edits, span):
    """The span's place after the edits, and whether its text changed; None: it is lost.

    Every character of the result knows the one it was, or the edit that wrote it. A new character
    belongs to the span where its edit lies inside it.
    """
    marked = [(sign, index) for index, sign in enumerate(text)]
    for number, edit in sorted(enumerate(edits), key=lambda item: -item[1].start):
        marked[edit.start : edit.end] = [(sign, ("new", number)) for sign in edit.after]
    inside = set(range(span.start, span.end))
    for number, edit in enumerate(edits):
        replaced = set(range(edit.start, edit.end))
        between = not replaced and span.start < edit.start < span.end
        if between or (replaced and replaced <= inside):
            inside.add(("new", number))
        elif replaced & inside:
            return None
    places = [place for place, (_, origin) in enumerate(marked) if origin in inside]
    if not places:
        return None
    assert places == list(range(places[0], places[-1] + 1))
    return places[0], places[-1] + 1


def is_cut(text, place, new_text, new_place):
    """Whether a letter now stands on both sides of an end, or a space at one, as none did."""

    def ends(whole, start, end):
        yield start > 0 and (whole[start - 1] + whole[start]).isalnum()
        yield end < len(whole) and (whole[end - 1] + whole[end]).isalnum()

    pairs = zip(ends(text, *place), ends(new_text, *new_place), strict=True)
    spaced = [
        " " in whole[a] + whole[b - 1] for whole, a, b in ((text, *place), (new_text, *new_place))
    ]
    return any(now and not was for was, now in pairs) or (spaced[1] and not spaced[0])


@pytest.mark.slow
@given(case=edited())
@settings(max_examples=150, deadline=None)
def test_a_span_is_where_its_characters_are(case):
    """What survives is where a projection of every single character finds it."""
    text, edits, span = case
    before = {"text": text}
    after = apply(before, edits)
    wanted = by_characters(text, [minimal(edit) for edit in edits], span)
    if wanted is None or is_cut(text, (span.start, span.end), after["text"], wanted):
        with pytest.raises(SpanTouched):
            project_spans([span], edits, before, after, in_kind=True)
    else:
        (found,) = project_spans([span], edits, before, after, in_kind=True)
        assert (found.start, found.end) == wanted
        assert (found.field, found.label) == ("text", "X")


@pytest.mark.slow
@given(case=edited())
@settings(max_examples=80, deadline=None)
def test_without_replacement_in_kind_the_text_of_a_span_stays(case):
    """A method that may put anything in a word's place never changes what a span says."""
    text, edits, span = case
    after = apply({"text": text}, edits)
    try:
        (found,) = project_spans([span], edits, {"text": text}, after, in_kind=False)
    except SpanTouched:
        return
    assert after["text"][found.start : found.end] == text[span.start : span.end]


@pytest.mark.slow
@given(before=TEXT, after=TEXT, data=st.data())
@settings(max_examples=80, deadline=None)
def test_edits_by_diff_are_followed_too(before, after, data):
    """Where a method records no edits, those of the diff are used."""
    start = data.draw(st.integers(0, len(before) - 1))
    span = LabelledSpan("text", start, data.draw(st.integers(start + 1, len(before))))
    edits = diff({"text": before}, {"text": after})
    try:
        (found,) = project_spans([span], edits, {"text": before}, {"text": after}, in_kind=False)
    except SpanTouched:
        return
    assert after[found.start : found.end] == before[span.start : span.end]


@pytest.mark.parametrize(
    ("start", "end", "after", "why"),
    [
        (0, 11, "", "would be deleted"),
        (5, 17, "Eyre said", "reaches over an end"),
        (11, 12, "", "inside a word"),
        (4, 11, " ", "inside a word"),
    ],
)
def test_a_lost_span_has_a_reason(start, end, after, why):
    """Deleted, straddled, joined to the next word, left with a space: each is said."""
    text = "Jane Austen wrote Emma."
    edits = [Edit("text", start, end, text[start:end], after)]
    new = apply({"text": text}, edits)
    with pytest.raises(SpanTouched, match=why):
        project_spans([LabelledSpan("text", 0, 11)], edits, {"text": text}, new, in_kind=True)


def test_all_places_of_an_answer_change_alike():
    """An answer that reads differently in two places is no answer any more."""
    text = "Jane met Bob. Jane left."
    answer = [LabelledSpan("text", at, at + 4, "Jane", "answer", "answer") for at in (0, 14)]
    both = [Edit("text", at, at + 4, "Jane", "Joan") for at in (0, 14)]
    for edits in (both[:1], both):
        new = apply({"text": text}, edits)
        if edits == both:
            places = project_spans(answer, edits, {"text": text}, new, in_kind=True)
            assert {new["text"][one.start : one.end] for one in places} == {"Joan"}
        else:
            with pytest.raises(SpanTouched, match="in one place and not in another"):
                project_spans(answer, edits, {"text": text}, new, in_kind=True)


def test_a_boundary_never_changes():
    edits = [Edit("text", 2, 4, "\n\n", " ")]
    boundary = LabelledSpan("text", 2, 4, kind="boundary")
    with pytest.raises(SpanTouched, match="between two messages"):
        project_spans([boundary], edits, {"text": "a.\n\nb"}, {"text": "a. b"}, in_kind=True)


def test_a_word_beside_a_span_does_not_join_it():
    """An edit that repeats the span and adds a word is an insertion after it."""
    edits = [Edit("text", 0, 4, "Jane", "Jane quickly")]
    before, after = {"text": "Jane left."}, {"text": "Jane quickly left."}
    (span,) = project_spans([LabelledSpan("text", 0, 4)], edits, before, after, in_kind=False)
    assert (span.start, span.end) == (0, 4)
