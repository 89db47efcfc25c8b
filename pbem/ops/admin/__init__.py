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
    """Find people, matches and mails of the service, and act on them: with the database of the settings.

    PERSON is a player's number, an address, or a name that nobody else has; MATCH may be the first five letters that
    mails show. Every act is kept in the audit for good. What it has mailed or judged is done by the running service,
    within some seconds.

    Exit status: 0 when it is done, or was so already; 1 when it is refused, or there is nothing of that name; 2 where a
    setting is wrong, or the database cannot be reached.
    """
