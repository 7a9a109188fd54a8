"""The ``augkit`` command: its sub-commands, and errors as sentences instead of tracebacks."""

from __future__ import annotations

import errno
import io
import logging
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from augkit import __version__
from augkit.cli.audit import command as audit
from augkit.cli.benchmark import command as benchmark
from augkit.cli.check import command as check
from augkit.cli.evaluate import command as evaluate
from augkit.cli.fix import command as fix
from augkit.cli.help_text import HelpCommand, help_text, short_help
from augkit.cli.installed import list_command
from augkit.cli.options import SettingsCommand
from augkit.cli.perturb import command as perturb
from augkit.cli.report import command as report
from augkit.cli.run import command as run
from augkit.cli.shortcuts import command as shortcuts
from augkit.cli.sweep import command as sweep
from augkit.cli.terminal import stoppable
from augkit.cli.train import command as train
from augkit.cli.try_row import command as try_command
from augkit.core.characters import surrogate_in
from augkit.core.errors import AugkitError, Stopped, UserError
from augkit.core.light_imports import leave_torch_out
from augkit.core.moved import COMMANDS as MOVED_COMMANDS
from augkit.core.moved import OPTIONS as MOVED_OPTIONS
from augkit.core.moved import raise_moved
from augkit.core.process_memory import set_up_memory
from augkit.text.printable import harmless, printable
from augkit.text.screen import show, show_error

_UsageError: Any = typer.BadParameter.__bases__[0]
"""An unknown option, a missing argument; typer has a click of its own since 0.29."""
_FORMAT = warnings.formatwarning
_DEBUG = "AUGKIT_DEBUG"
"""The environment variable with which an unexpected error prints its traceback."""

COMMANDS: Mapping[str, Callable[..., None] | SettingsCommand] = {
    "fix": fix,
    "run": run,
    "try": try_command,
    "sweep": sweep,
    "train": train,
    "evaluate": evaluate,
    "shortcuts": shortcuts,
    "check": check,
    "benchmark": benchmark,
    "audit": audit,
    "report": report,
    "perturb": perturb,
    "list": list_command,
}


class _Command(TyperCommand):
    """A command that reads its options when it is used: they may need its settings."""

    def make_context(self, *args: Any, **values: Any) -> Any:
        """The context of the command with its options."""
        command = COMMANDS[str(self.name)]
        callback = command.callback() if isinstance(command, SettingsCommand) else command
        single = typer.Typer(
            add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
        )
        single.command(self.name, cls=HelpCommand, help=self.help)(callback)
        typed: Any = typer.main.get_command(single)
        if isinstance(command, SettingsCommand):
            typed.settings = command.hidden()
        try:
            return typed.make_context(*args, **values)
        except _UsageError as error:
            flag = getattr(error, "option_name", "")
            raise_moved(MOVED_OPTIONS, f"{self.name} {flag}")
            raise_moved(MOVED_OPTIONS, flag)
            if isinstance(command, SettingsCommand) and (setting := command.setting_of(flag)):
                raise UserError(
                    f"'{flag}' is a setting without an option of its own: --set {setting}"
                ) from None
            raise


class _Commands(TyperGroup):
    """All commands, known by name and summary."""

    def __init__(self, **values: Any) -> None:
        """Make the group as typer does."""
        super().__init__(**values)
        for name, command in COMMANDS.items():
            text = command.__doc__ or ""
            self.add_command(_Command(name, help=help_text(text), short_help=short_help(text)))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; an error where it is one that went."""
        raise_moved(MOVED_COMMANDS, cmd_name)
        return super().get_command(ctx, cmd_name)


app = typer.Typer(
    name="augkit",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(requested: bool) -> None:
    if requested:
        show(f"augkit {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Find the shortcuts in a labelled text dataset, break them, and prove that it worked.

    Everything works offline, without a key, a GPU or a download, unless you choose a model.

    Try: `augkit fix reviews-demo`

    Then: `augkit check train.csv`, `augkit fix train.csv`, `augkit list methods`
    """


def main() -> None:
    """Run the command line.

    Exit codes: 0 done, 1 a check failed, 2 bad input, 3 budget, 4 back end failed.
    """
    leave_torch_out()
    set_up_memory()
    _show_warnings_harmless()
    try:
        with stoppable():
            _check_arguments()
            sys.exit(app(standalone_mode=False) or 0)
    except _UsageError as error:
        usage = io.StringIO()
        error.show(file=usage)  # click's own words, in which arguments may stand
        show_error(usage.getvalue().removesuffix("\n"))
        sys.exit(error.exit_code)
    except typer.Abort:
        show_error("augkit: stopped")
        sys.exit(1)
    except AugkitError as error:
        show_error(f"augkit: {error}")
        if error.continue_with:
            show_error(f"augkit: continue with: {error.continue_with}")
        sys.exit(error.exit_code)
    except OSError as error:
        message = str(error)
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            message = (
                f"{error.filename or 'here'}: no space left on the disk. Finished work "
                "is kept: make room and repeat the command (run: with --resume)"
            )
        show_error(f"augkit: {message}")
        sys.exit(2)
    except Stopped as stopped:
        again = stopped.continue_with
        how = f"continue with: {again}" if again else "repeat the command"
        show_error(f"augkit: stopped. Finished work is kept: {how}")
        sys.exit(stopped.exit_code)
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        show_error(
            f"augkit: unexpected error: {type(error).__name__}: {printable(str(error))}. This is a "
            f"fault of augkit: please report what the same command prints with {_DEBUG}=1"
        )
        sys.exit(1)


def _check_arguments() -> None:
    """Raise for an argument with bytes that are no UTF-8: nothing could write them down."""
    for word in sys.argv[1:]:
        if surrogate_in(word):
            raise UserError(
                f"the argument '{printable(word)}' is no UTF-8 text. Write it in UTF-8; a file "
                "with such a name needs another one"
            )


def _show_warnings_harmless() -> None:
    """What packages log or warn of may quote a dataset too."""
    warnings.formatwarning = lambda *values, **named: harmless(_FORMAT(*values, **named))
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_HarmlessFormatter())


class _HarmlessFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))
