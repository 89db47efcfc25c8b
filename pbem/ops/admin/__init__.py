"""`pbem admin`: finds things and acts on them from the shell, for operators."""

from __future__ import annotations

import click


class _LazyGroup(click.Group):
    """Group whose commands are imported when one is asked for, so that other commands start quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        from pbem.ops.admin import commands, lists  # noqa: F401, PLC0415 -- the class docstring says why

        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name, if there is one."""
        self.list_commands(ctx)
        return super().get_command(ctx, cmd_name)


@click.group(cls=_LazyGroup)
def admin() -> None:
    """Find players, matches and mails, and act on them. Uses the database of the settings.

    PERSON is a player's number, address or unique name; MATCH may be the first five letters of its id, as in mails.
    Every action is recorded in the audit log for good. The running service sends mails and judges submissions within
    some seconds.

    Exit status: 0 if it is done, or nothing had to be done; 1 if it is refused, or nothing is found; 2 if a setting is
    wrong, or the database does not answer.
    """
