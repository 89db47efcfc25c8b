"""Opening a seat's own link: whose it is, in which language they read, and whether mail reaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort

from pbem.play import links
from pbem.web import reaching
from pbem.web.api import UNKNOWN_LINK
from pbem.web.looks import look_as
from pbem.web.tongues import speak_to

if TYPE_CHECKING:
    from pbem.db.models import Token
    from pbem.play.table import Table


def opened(at: Table, typed: str) -> Token:
    """Find what a link stands for; from here on its player's language and looks hold. An unknown one is a 404."""
    found = links.find(at, typed, links.LINK)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    speak_to(found.holder.player)
    look_as(found.holder.player)
    reaching.tell(at, found, typed)
    return found
