"""Value types of operator actions: who acts, on what, and with what result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pbem.play.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games import Json

MATCH, PLAYER, ADDRESS, NOTICE, LETTER, SUBMISSION = "match", "player", "address", "notice", "letter", "submission"
"""Subjects of an action."""
OPERATOR = "operator"
"""Author of an operator's events in the hash chain of a match."""


class ActionError(Refused):
    """An action was refused and nothing was done; the message is for the operator."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: an operator on a page, or a user in the shell, by name; `request` is the request ID in the logs."""

    kind: Literal["operator", "shell"]
    name: str
    player: int | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class ActionResult:
    """Result of an action, in a sentence; `changed` is false if there was nothing to do.

    `detail` is stored with its row; `revealed` is the hidden state that an operator looked at, and is never stored.
    """

    message: str
    changed: bool = True
    detail: Mapping[str, Json] = field(default_factory=dict)
    revealed: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """An action by name: what it is done to, and whether it needs a reason."""

    name: str
    subject: str
    needs_reason: bool
