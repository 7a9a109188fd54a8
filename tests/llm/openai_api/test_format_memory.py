"""The output format of a server: the best that it has not rejected."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augkit.llm.openai_api.dialect import FormatMemory
from augkit.llm.structured_output import OUTPUT_FORMATS


def test_forms_are_left_one_by_one_and_the_last_is_kept():
    """Each refusal leads to the next form; after the last there is none to try."""
    memory = FormatMemory()
    assert [memory.failed(form, certain=True) for form in OUTPUT_FORMATS] == [True, True, False]
    assert memory.current == "prompt"


def test_late_refusals_of_an_old_form_do_not_count():
    """Thirty-two threads that were all turned down in the first form step on once."""
    memory = FormatMemory()
    with ThreadPoolExecutor(32) as pool:
        again = list(pool.map(partial(memory.failed, certain=True), ["json_schema"] * 32))
    assert all(again)
    assert memory.current == "json_object"


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["worked", "rejected", "suspected"]), st.sampled_from(OUTPUT_FORMATS)
        )
    )
)
def test_a_form_that_has_worked_is_kept_for_good(events):
    """Whatever comes in whatever order, no step follows a success in the current form."""
    memory = FormatMemory()
    for event, form in events:
        before = memory.current
        kept = memory._proven
        if event == "worked":
            memory.worked(form)
        else:
            memory.failed(form, certain=event == "rejected")
        if kept:
            assert memory.current == before
        if event == "worked" and form == before:
            assert memory._proven
