"""The help by mail: every command once, by what it is about."""

from __future__ import annotations

from emails.messages.information import HELP_GROUPS
from pbem.play.inbox import commands


def test_the_help_has_every_command_in_one_group() -> None:
    listed = [name for _heading, names in HELP_GROUPS for name in names]
    assert sorted(listed) == sorted(commands.by_name())
