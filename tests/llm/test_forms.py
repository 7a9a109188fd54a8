"""Which form of structured output is used: the best that works, also under threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from augkit.llm.output_formats import FormMemory
from augkit.llm.structured_output import FORMS


def test_forms_are_left_one_by_one_and_the_last_is_kept():
    """Each refusal leads to the next form; after the last there is none to try."""
    memory = FormMemory()
    assert [memory.turned_down(form) for form in FORMS] == [True, True, False]
    assert memory.form == "prompt"


def test_late_refusals_of_an_old_form_do_not_count():
    """Thirty-two threads that were all turned down in the first form step on once."""
    memory = FormMemory()
    with ThreadPoolExecutor(32) as pool:
        again = list(pool.map(memory.turned_down, ["json_schema"] * 32))
    assert all(again)
    assert memory.form == "json_object"


@given(
    st.lists(
        st.tuples(st.sampled_from(["worked", "turned_down", "doubted"]), st.sampled_from(FORMS))
    )
)
def test_a_form_that_has_worked_is_kept_for_good(events):
    """Whatever comes in whatever order, no step follows a success in the current form."""
    memory = FormMemory()
    for event, form in events:
        before = memory.form
        kept = memory._proven
        getattr(memory, event)(form)
        if kept:
            assert memory.form == before
        if event == "worked" and form == before:
            assert memory._proven


def test_two_doubts_are_needed():
    """One unexplained failure may be chance."""
    memory = FormMemory()
    assert [memory.doubted("json_schema") for _ in range(2)] == [False, True]
