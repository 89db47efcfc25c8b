"""The operators' pages: finding people, matches and mails, why each ended as it did, and acting on them."""

from pbem.web.operators import (
    acting,
    audit,
    entering,
    incoming,
    matches,
    outgoing,
    overview,
    people,
    ways,  # noqa: F401
)
from pbem.web.operators.doors import pages

__all__ = ["acting", "audit", "entering", "incoming", "matches", "outgoing", "overview", "pages", "people"]
