"""Verdicts as they are read: in the shapes of other tools, with lines where they are wrong."""

from __future__ import annotations

from augkit.commands.audit.judges.verdicts import JudgeVerdict, Verdicts, family, read_verdicts

ROW = {"item": "1", "judge": "gpt-4", "prompt": "Why?", "first": "So.", "second": "Because of it."}


def test_a_verdict_has_its_judge_item_gold_and_mode(write_rows):
    """The columns of LLMBar's and AlpacaEval's files."""
    path = write_rows(
        [
            {**ROW, "verdict": "first", "gold": "second", "mode": "compare"},
            {**ROW, "verdict": "tie", "gold": None, "mode": "rating"},
            {**ROW, "verdict": "second", "p_second": 0.75, "first_model": "a", "second_model": "b",
             "model": "b"},
        ]
    )  # fmt: skip
    first, tie, soft = read_verdicts(path).rows
    assert first == JudgeVerdict("1", "gpt-4", "So.", "Because of it.", 1.0, gold=-1)
    assert (tie.first_wins, tie.decided, tie.gold, tie.compared) == (0.5, False, 0, False)
    assert (soft.first_wins, soft.models, soft.on_trial) == (0.25, ("a", "b"), "b")


def test_alpaca_eval_is_read_as_it_writes_its_annotations(write_rows):
    """The preference is from 1 to 2, and the order in which the answers were shown is not kept."""
    row = {"instruction": "Say hi", "output_1": "Hi", "generator_1": "base", "output_2": "Hello",
           "generator_2": "new", "annotator": "gpt4"}  # fmt: skip
    preferences = (1.25, 2.0, 1.5, 1)
    rows = read_verdicts(write_rows([{**row, "preference": p} for p in preferences])).rows
    assert [verdict.first_wins for verdict in rows] == [0.75, 0.0, 0.5, 1.0]
    assert {(verdict.judge, verdict.on_trial, verdict.compared) for verdict in rows} == {
        ("gpt4", "new", False)
    }
    assert len({verdict.item for verdict in rows}) == 1


def test_columns_of_that_name_alone_are_in_the_order_shown(write_rows):
    """Without AlpacaEval's preference."""
    path = write_rows([{"output_1": "a", "output_2": "b", "winner": "output_2", "judge": "j"}])
    (verdict,) = read_verdicts(path).rows
    assert (verdict.compared, verdict.first_wins) == (True, 0.0)


def test_mt_bench_is_read_as_it_publishes_judgements(write_rows):
    """Conversations, winners named by model, and a judge that is a list."""
    turns = [{"role": "user", "content": "Hi?"}]
    row = {"question_id": 81, "model_a": "alpaca", "model_b": "gpt-4", "judge": ["gpt-4", "pair"],
           "conversation_a": [*turns, {"role": "assistant", "content": "Hi"}],
           "conversation_b": [*turns, {"role": "assistant", "content": "Hello!"}]}  # fmt: skip
    path = write_rows([{**row, "winner": winner} for winner in ("model_b", "tie")])
    verdicts = read_verdicts(path)
    first, tie = verdicts.rows
    assert first == JudgeVerdict(
        "81", "gpt-4 pair", "Hi", "Hello!", 0.0, models=("alpaca", "gpt-4")
    )
    assert not tie.decided
    assert verdicts.own_family.tolist() == [-1, -1]


def test_features_are_those_of_the_first_minus_the_second():
    """Doublings of the length and of the marks of Markdown, and the judge's family."""
    rows = Verdicts(
        [
            JudgeVerdict("1", "gpt-4", "a" * 7, "a" * 3, 1.0, models=("chatgpt", "claude-2")),
            JudgeVerdict(
                "2", "gpt-4", "- a\n- b\n- c", "plain", 1.0, models=("claude-2", "gpt4_x")
            ),
            JudgeVerdict("3", "human", "a", "b", 1.0, models=("gpt-4", "claude")),
        ]
    )
    assert rows.doublings[0] == 1
    assert rows.characters.tolist() == [4, 6, 0]
    assert rows.markdown.tolist() == [0, 2, 0]
    assert rows.own_family.tolist() == [1, -1, 0]


def test_the_family_is_in_the_name():
    """As the beginning of a word in it."""
    assert family("weighted_alpaca_eval_gpt4_turbo") == family("ChatGPT/CoT") >= 0
    assert family("Llama-3-8b") == family("meta-llama/Meta-Llama-3") >= 0
    assert family("sophia") == family("") == -1
