"""Actors: who operates the service, what they do, and what came of it; values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games import Json

MATCH, PLAYER, ADDRESS, NOTICE, LETTER, SUBMISSION = "match", "player", "address", "notice", "letter", "submission"
"""What something may be done to."""
OPERATOR = "operator"
"""By whom it is, in the chain of a match."""


class ActError(ValueError):
    """Refuses an act, in a sentence for the operator; nothing was done."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: an operator on a page, known by their player, or somebody in the shell of the machine, by their name.

    `request` is the name under which the logs tell of it.
    """

    kind: Literal["operator", "shell"]
    name: str
    player: int | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an act, in a sentence; not `changed` where all was so already.

    `detail` is kept with its row; `seen` is what hidden things an operator looked at, and is kept nowhere.
    """

    said: str
    changed: bool = True
    detail: Mapping[str, Json] = field(default_factory=dict)
    seen: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """An act by name: what it is done to, and whether it needs a reason."""

    name: str
    subject: str
    needs_reason: bool
