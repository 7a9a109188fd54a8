"""An LLM under test: what it left open, and whether that is an error."""

from __future__ import annotations

import pytest

from augkit.commands.tested_llm import check_complete
from augkit.core.errors import BackendFailed
from augkit.evaluation.llm_answers import Answers, llm_caveats
from augkit.llm.faults import REFUSED, TIMEOUT, failed
from augkit.llm.scripted import Scripted
from augkit.llm.settings import LLMUnderTest
from augkit.prompts.choice_question import prompted_question


def summary(fault):
    """The answers to three questions, one of which has a fault in place of an answer."""
    llm = Scripted(lambda asked: failed(fault) if "car" in asked.messages[-1].content else "A")
    answers = Answers(llm, LLMUnderTest(spec="scripted"))
    answers.answer(
        [
            prompted_question("audit/decision", ("yes", "no"), text=text, question="Is it so?")
            for text in ("a house", "a car", "a boat")
        ]
    )
    return answers.summary()


def test_questions_in_which_the_server_failed_are_an_error_that_says_how_to_go_on():
    """The scores are those of the other questions."""
    with pytest.raises(BackendFailed, match=r"in 1 of 3 questions. Repeat the command") as error:
        check_complete(summary(TIMEOUT))
    assert error.value.exit_code == 4


def test_an_answer_that_the_model_refuses_is_final():
    """It is a caveat, and nothing is to be asked again."""
    answers = summary(REFUSED)
    check_complete(answers)
    assert "1 of 3 questions have no answer (refused: 1)" in next(llm_caveats(answers))
