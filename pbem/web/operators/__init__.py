"""Operators' pages: what waits for them, what has happened, and actions with a reason."""

from pbem.web.operators import (  # noqa: F401 -- their routes are added to the blueprint by importing them
    action_registry,
    actions,
    audit,
    dashboard,
    inbound,
    matches,
    outbound,
    players,
    sign_in,
)
from pbem.web.operators.access import pages

__all__ = ["pages"]
