"""Messages that several pages answer with."""

from __future__ import annotations

from pbem.i18n import marked

UNKNOWN_GAME = marked("There is no such game here. The first page lists those that can be played.")
UNKNOWN_LINK = marked("There is no such link here. The newest mail of your match has one that works.")
UNKNOWN_MATCH = marked("There is no such match here, or it is a private one.")
UNKNOWN_TABLE = marked("There is no table at this address. The lobby shows those that wait for players.")
