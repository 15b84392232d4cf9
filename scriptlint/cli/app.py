"""The command group, its errors and exit codes. Commands are imported when they are called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from scriptlint import __version__
from scriptlint.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "check": "Find tokenizers in Python source and the scripts they lose.",
    "scan": "Find the items of a corpus that no query can reach.",
    "gate": "Find right answers that rank well and are never let through.",
    "audit": "Run what [tool.scriptlint] names of the three, into one report.",
    "tokenizers": "List every tokenizer against the scripts.",
    "probe": "Show what one tokenizer does to a text, stage by stage.",
    "diff": "Compare the tokenizers of two revisions.",
    "explain": "Print a rule's page, or list the rules.",
}


class LazyGroup(click.Group):
    """Commands live in ``scriptlint.cli.<name>`` as ``command``; the listing needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table above."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"scriptlint.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, but an unknown command names the nearest one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from scriptlint.nearest import did_you_mean

            ctx.fail(f"no such command {args[0]!r}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The listing, without an import."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="scriptlint")
def app() -> None:
    """Find the scripts that a tokenizer, a corpus or a score gate silently loses.

    Exit codes: 0 clean, 1 findings or unreadable files, 2 usage or internal error.
    """


def run(arguments: Sequence[str]) -> int:
    """Run the command line; errors become one line on stderr and exit code 2."""
    try:
        code = app.main(list(arguments), prog_name="scriptlint", standalone_mode=False)
        # Nothing may fail after this: what a pager has not taken must not surface at exit.
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return 2
    except UserError as error:
        return _fail(str(error))
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        return _unexpected(error)
    return code if isinstance(code, int) else 0


def _unexpected(error: Exception) -> int:
    if os.environ.get("SCRIPTLINT_TRACEBACK"):
        raise error
    if isinstance(error, OSError) and error.filename:
        return _fail(f"{error.filename}: {error.strerror}")
    return _fail(f"internal error: {type(error).__name__}: {error} (set SCRIPTLINT_TRACEBACK=1 for the whole story)")


def _fail(text: str) -> int:
    from scriptlint.report.display import visible

    click.echo(f"error: {visible(text)}", err=True)
    return 2
