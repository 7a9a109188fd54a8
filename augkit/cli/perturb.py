"""``augkit perturb``: try a perturbation on a sentence."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from augkit.cli.terminal import next_line


def command(
    text: Annotated[str, Argument(help="the text; two segments are joined by ` <SEP> `")],
    axis: Annotated[
        str | None, Option(help="gender, race, age, or the path of an axis file")
    ] = None,
    target: Annotated[
        str | None,
        Option(
            help="man, woman, non-binary; white, black, hispanic, asian, native-american, "
            "pacific-islander; child, young, middle-aged, senior, adult"
        ),
    ] = None,
    word: Annotated[
        str | None, Option(help="the word that refers to the person; default: the first one")
    ] = None,
    start: Annotated[int | None, Option(help="its offset, where it occurs several times")] = None,
    seed: Annotated[int, Option(help="for ages and names that are drawn")] = 0,
    json_line: Annotated[bool, Option("--json", help="print one JSON object")] = False,
) -> None:
    """Change a person's gender, race or age in a text, with correct grammar.

    The person that the word refers to is changed through the whole text, and nobody else. Where
    that is not possible the text is returned as it is, with the reason.

    Examples:

        augkit perturb "He lost his keys." --axis gender --target woman

        augkit perturb "She told her sister that it was hers." --axis gender --target man \
            --word sister
    """
    from augkit.commands.perturb import PerturbRequest, perturb_one
    from augkit.core.errors import UserError
    from augkit.report.terminal import print_perturbed

    if axis is None or target is None:
        raise UserError("nothing to change: pass --axis gender --target woman")
    row = perturb_one(PerturbRequest(text, axis, target, word, start), seed)
    print_perturbed(text, row, json_line=json_line)
    if not json_line:
        next_line("augkit", "run", "reviews-demo", "--method", "panda")
